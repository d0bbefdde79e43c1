"""SGF, the Smart Game Format, for Othello (``GM[2]``): a tree of nodes with properties.

The first line of the tree is the game, the others are variations. The players, the event and what else is known of
a game become tags; other properties of the game are kept as tags under their own names, other properties of a
turn as comments that begin with ``%sgf``: `reversi.records.formats.sgf.writer` writes both again as they
were. Discs are set up (``AB``, ``AW``, ``PL``) before the first turn only. Passes are written, or left out; if a
game writes none, its forced ones are put in.

Sources: the definition of FF[4] (red-bean.com/sgf), the readers and writers of Edax, Cassio and Kalmia.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from operator import itemgetter
from typing import Final, NamedTuple

from reversi._core import Position
from reversi.arguments import check_type, excerpt
from reversi.color import Color
from reversi.errors import InputError, RecordError, RulesError
from reversi.records.dates import read_date
from reversi.records.dialects import SIDES, complete_entry
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.formats.pending_notes import PendingNotes
from reversi.records.formats.property_lists import (
    BrokenListError,
    ListReader,
    Property,
    is_play,
    read_lists,
)
from reversi.records.formats.results import Start
from reversi.records.formats.sgf.notes import notes_of, read_turn
from reversi.records.formats.sgf.values import (
    CARRIED,
    DIALECT,
    IN_NODES,
    KNOWN,
    MARKS,
    Properties,
    parse_move,
    parse_points,
    parse_result,
    parse_size,
    split_composed,
    together,
    unescape,
)
from reversi.records.notes import clean
from reversi.records.outcome import Outcome
from reversi.records.record import DERIVED_TAGS, MAX_DEPTH, ROSTER, Line, Node, Record, Tags
from reversi.rules import OTHELLO, Rules, parse_rules
from reversi.text.boards import parse_board

MAX_TREES: Final = 1000
"""How deep trees may be nested in trees, the game's own line included."""

_SETUP: Final = ("AB", "AW", "AE")
_STARTING: Final = ("GM", "SZ", *_SETUP, "PL")
_SEVERAL: Final = frozenset((*_SETUP, "TAG"))  # what has several values in the usual form
_BY_NAME: Final = frozenset((*CARRIED, *_STARTING, "FF", "CA", "DT", "RE", "TAG"))
_UNSAID: Final = frozenset(CARRIED.values()) & frozenset(ROSTER)  # tags of which an empty value says nothing


def read_sgf(text: str, *, rules: Rules = OTHELLO) -> Iterator[Entry]:
    """Yield the games of a text in SGF, one at a time.

    A game that cannot be read whole has findings, and the next one is found again by the tags it begins with.

    Args:
        text: the whole text.
        rules: the rules of games that do not name their own.

    Raises:
        RecordError: the text contains no games.
    """

    start_of = lru_cache(64)(partial(_start_of, rules))
    shape_of = lru_cache(256)(partial(_shape, rules))

    def read(reader: ListReader, at: int) -> int:
        return _read_usual(reader, at, shape_of) or _Game(reader, start_of).read(at)

    yield from read_lists(text, DIALECT, read)


# --- games in the usual form


class _Shape(NamedTuple):
    """What the values before the turns of a game are, by the names of their properties.

    Attributes:
        tags: the tags that values are as they stand.
        pick: takes these values.
        date: which of the tags is the date, -1 for none.
        result: which value is the result, -1 for none.
        settings: takes the values that say how the game starts.
        start_of: the start by these values, and the letter of the side that has the first turn.
        own: which values are tags of this program.
        are_apart: whether these tags, by their names, are other ones, and none that a record holds otherwise.
        unknown: which values may change the game.
    """

    tags: tuple[str, ...]
    pick: Callable[[Sequence[str]], tuple[str, ...]]
    date: int
    result: int
    settings: Callable[[Sequence[str]], tuple[str, ...]]
    start_of: Callable[[tuple[str, ...], str], Start]
    own: slice
    are_apart: Callable[[tuple[str, ...]], bool]
    unknown: tuple[int, ...]


def _shape(rules: Rules, names: str) -> _Shape | None:
    """Return what the values of properties are, ``None`` where more than the names decides.

    Args:
        rules: the rules of games that do not name their own.
        names: the names, with a bracket after them for each value.
    """
    places: dict[str, list[int]] = {}
    last = ""
    for at, name in enumerate(names.split("[")[:-1]):
        if name in places or not (name or last):
            return None
        last = name or last
        places.setdefault(last, []).append(at)
    several = {name for name, found in places.items() if len(found) > 1}
    if not several <= _SEVERAL or not places.keys() & KNOWN <= _BY_NAME or "HA" in places:
        return None
    own = places.pop("TAG", [])
    result = places.pop("RE", [-1])[0]
    pairs, _ = tags_of({name: [str(found[0])] for name, found in places.items()}, OTHELLO)
    tags = tuple([tag for tag, _ in pairs])
    settings = [(name, at) for name in _STARTING for at in places.get(name, ())]
    return _Shape(
        tags,
        _taking([int(value) for _, value in pairs]),
        tags.index("Date") if "Date" in tags else -1,
        result,
        _taking([at for _, at in settings]),
        lru_cache(64)(partial(_start_by_name, rules, [name for name, _ in settings])),
        slice(own[0], own[-1] + 1) if own else slice(0),
        lru_cache(64)(frozenset((*tags, "Result", "Board")).isdisjoint),
        tuple([at for name, (at, *_) in places.items() if _may_be_play(name)]),
    )


def _taking(places: Sequence[int]) -> Callable[[Sequence[str]], tuple[str, ...]]:
    """Return what takes the values at some places."""
    return itemgetter(*places) if len(places) > 1 else lambda values: tuple([values[at] for at in places])


def _start_by_name(rules: Rules, names: Sequence[str], values: Sequence[str], side: str) -> Start:
    """Return how a game starts by the names of properties and their values."""
    said: dict[str, tuple[str, ...]] = dict.fromkeys(_STARTING, ())
    for name, value in zip(names, values, strict=True):
        said[name] += (value,)
    game, size, *setup = said.values()
    position = _start_of(
        rules, game[0] if game else None, size[0] if size else None, None, None, SIDES[side], *setup
    )
    return Start(position, lru_cache(256)(partial(parse_result, rules=position.rules)))


def _read_usual(reader: ListReader, begin: int, shape_of: Callable[[str], _Shape | None]) -> int:
    """Read the game at a place, if it is in the usual form; return where it ends, 0 for any other game."""
    game = reader.usual_game(begin, read_turn)
    shape = shape_of(game.names) if game else None
    if game is None or shape is None:
        return 0
    values = game.values
    if "" in values or (shape.unknown and any(is_play(values[at]) for at in shape.unknown)):
        return 0
    try:
        start, outcome_of = shape.start_of(shape.settings(values), chr(game.turns.sides[0]))
        outcome = outcome_of(values[shape.result] if shape.result >= 0 else "")
        if outcome is None:
            return 0
        names, texts = shape.tags, [*shape.pick(values)]
        if shape.date >= 0:
            texts[shape.date] = _date(texts[shape.date])
        own = [value.partition(":") for value in values[shape.own]]
        named, colons, said = zip(*own, strict=True) if own else ((), (), ())
        if not (all(colons) and shape.are_apart(named)):
            return 0
        for name, text in outcome.tags:
            if name not in named:
                names += (name,)
                texts.append(text)
        record = Record(Tags.named(names + named, [*texts, *said]), start, result=outcome.text)
    except InputError:
        return 0
    reader.entry.record = record
    reader.entry.result_line = reader.entry.line if shape.result >= 0 else 0
    reader.pack(record.line, game.turns)
    _complete(reader, outcome)
    return game.turns.end


def _complete(reader: ListReader, outcome: Outcome) -> None:
    """Make the record of a game that is read one of ours; report turns and a result that contradict it."""
    entry = reader.entry
    on_board = complete_entry(entry)
    reader.check_sides()
    if not entry.findings and (message := outcome.mismatch(on_board)):
        entry.findings.append(Finding(Code.RESULT_MISMATCH, message, None, entry.line))


# --- all games


@dataclass(slots=True)
class _Tree:
    """A tree that is being read.

    Attributes:
        line: the line of play that its nodes belong to.
        before: how many turns there are before that line.
        depth: how deep the line is nested in variations.
        fork: how many turns of the line there were when a tree began in this one, ``None`` before.
        variations: the lines that began in place of the turn after that.
    """

    line: Line
    before: int
    depth: int
    fork: int | None = None
    variations: list[Line] = field(default_factory=list)

    def settle(self) -> None:
        """Give the variations to the turn that they replace."""
        if self.variations and self.fork is not None:
            self.line.nodes[self.fork].variations = tuple(self.variations)


class _Game:
    def __init__(self, reader: ListReader, start_of: Callable[..., Position]) -> None:
        self._reader = reader
        self._entry = reader.entry
        self._text = reader.text
        self._wrong = reader.wrong
        self._start_of = start_of
        self._line = Line()
        self._trees: list[_Tree] = []
        self._begin = 0
        self._root: Properties | None = None
        self._setup: Properties = {}
        self._pending = PendingNotes()
        self._begun = False  # whether there was a turn

    def read(self, at: int) -> int:
        """Read the game that begins at ``at``; return where it ends.

        Raises:
            BrokenListError: it is no list up to its end.
        """
        self._begin = at
        try:
            return self._read_trees(at)
        finally:
            while self._trees:
                self._trees.pop().settle()
            self._pending.settle()
            self._finish()

    def _read_trees(self, at: int) -> int:
        """Read the tree at ``at`` with all trees in it; return where it ends."""
        text = self._text
        while True:
            sign = text[at : at + 1]
            if sign.isspace():
                at = self._reader.source.skip_blanks(at)
            elif sign == "(":
                self._open(at)
                at += 1
            elif sign == ")":
                self._trees.pop().settle()
                at += 1
                if not self._trees:
                    return at
            elif sign == ";" and self._trees[-1].fork is None:
                end = self._turns(at)
                at = end if end > at else self._node(at)
            elif sign == "":
                raise self._reader.broken(Code.TRUNCATED, "the file ends inside the game", len(text) - 1)
            elif sign == ";":
                raise self._reader.broken(Code.SYNTAX, "a node after a tree that has ended", at)
            else:
                shown = excerpt(text[at : at + 40])
                raise self._reader.broken(Code.SYNTAX, f"{shown} is neither a node nor a tree", at)

    def _open(self, at: int) -> None:
        """Begin a tree."""
        if len(self._trees) == MAX_TREES:
            raise self._reader.broken(Code.SYNTAX, f"trees nested more than {MAX_TREES} deep", at, at + 1)
        if not self._trees:
            self._trees.append(_Tree(self._line, 0, 0))
            return
        around = self._trees[-1]
        first = around.fork is None
        if around.fork is None:
            around.fork = len(around.line.nodes)
        if first or len(around.line.nodes) == around.fork:  # the line goes on
            self._trees.append(_Tree(around.line, around.before, around.depth))
            return
        if around.depth == MAX_DEPTH:
            raise self._reader.broken(Code.SYNTAX, f"variations nested more than {MAX_DEPTH} deep", at, at + 1)
        variation = Line()
        around.variations.append(variation)
        self._trees.append(_Tree(variation, around.before + around.fork, around.depth + 1))

    # --- nodes

    def _turns(self, at: int) -> int:
        """Read the nodes at ``at`` that are turns in the usual form; return where they end."""
        turns = None if self._root is None else self._reader.turns(at, read_turn)
        if turns is None:
            return at
        self._begun = True
        line = self._trees[-1].line
        if len(self._trees) == 1 and not line.nodes and self._text.startswith(")", turns.end):
            self._reader.pack(line, turns)
        else:
            self._reader.add(line, turns)
        return turns.end

    def _node(self, at: int) -> int:
        """Read the node at ``at``; return where it ends."""
        found: list[Property] = []
        end = self._reader.properties(at + 1, found)
        try:
            self._take(together(found), at)
        except RecordError as error:
            tree = self._trees[-1]
            self._wrong(Code.INVALID_MOVE, str(error), at, tree.before + len(tree.line.nodes) + 1)
            raise BrokenListError(at) from None
        return end

    def _take(self, properties: Properties, at: int) -> None:
        """Make a node's properties part of the game.

        Raises:
            RecordError: it is not a move.
        """
        line = self._trees[-1].line
        self._check_unknown(properties, at)
        sides = [name for name in SIDES if name in properties]
        if sum(len(properties[name]) for name in sides) > 1:
            raise self._reader.broken(Code.SYNTAX, "two moves in one node", at)
        if not self._begun and line is self._line:
            for name in (*_SETUP, "PL"):
                self._setup.setdefault(name, []).extend(properties.pop(name, ()))
        elif any(name in properties for name in _SETUP):
            raise self._reader.broken(Code.SYNTAX, "discs set up in the middle of the game", at)
        if self._root is None:
            self._root = {name: values for name, values in properties.items() if name not in IN_NODES}
            properties = {name: values for name, values in properties.items() if name in IN_NODES}
        if not sides:
            if properties:
                comments = notes_of(properties, None)
                self._pending.add(line.nodes[-1] if line.nodes else line, "comments", comments)
            return
        self._begun = True
        (side,) = sides
        node = Node(parse_move(properties.pop(side)[0]), source_line=self._reader.source.line_at(at))
        node.comments = notes_of(properties, node, SIDES[side])
        line.nodes.append(node)
        self._reader.say(node, side, at)

    def _check_unknown(self, properties: Properties, at: int) -> None:
        """Report unknown properties that may change the game."""
        for name, values in properties.items():
            if _may_be_play(name) and any(map(is_play, values)):
                message = f"{name}[{clean(values[0].strip()[:40])}] may change the game: it is not read"
                self._wrong(Code.UNKNOWN_MEMBER, message, at)

    # --- the game as a whole

    def _finish(self) -> None:
        root = self._root or {}
        entry = self._entry
        tagged: list[tuple[str, str]] = []
        if written := root.pop("TAG", ()):
            composed = [split_composed(value) for value in written]
            tagged = [pair for pair in composed if pair is not None]
            if len(tagged) < len(composed):
                root["TAG"] = [value for value, pair in zip(written, composed, strict=True) if pair is None]
        special = {name: text for name, text in reversed(tagged) if name in ("Result", "Board")}
        for name in ("GM", "SZ", "RU", "RE"):
            if len(root.get(name, ())) > 1 and len(set(root[name])) > 1:
                self._wrong(Code.SYNTAX, f"{name} is given twice", self._begin)
        start, rules = self._start(root, special.get("Board"))
        handicap = root.get("HA", [""])[0].strip()
        if handicap.strip("0") and "Board" not in special and not (self._setup.get("AB") or self._setup.get("AW")):
            message = f"HA[{handicap[:40]}] gives discs, and AB and AW set up none: the game may start otherwise"
            self._wrong(Code.UNKNOWN_MEMBER, message, self._begin)
        pairs, outcome = tags_of(root, rules, with_outcome="Result" not in special)
        named = {name for name, _ in tagged}
        kept = [pair for pair in pairs if pair[0] not in named] if named else pairs
        try:
            tags = Tags([*kept, *(pair for pair in tagged if pair[0] not in special)])
        except RecordError as error:
            self._wrong(Code.BAD_TAG, f"TAG: {error}", self._begin)
            tags = Tags(pairs)
        entry.record = record = Record(tags, start or Position(), self._line, outcome.text)
        entry.result_line = entry.line if "RE" in root else 0
        if start is None:
            return
        _complete(self._reader, outcome)
        if "Result" in special:
            record.result = clean(special["Result"])

    def _start(self, root: Properties, board: str | None) -> tuple[Position | None, Rules]:
        """Return the position before the first turn, ``None`` if it cannot be read, and the rules of the game."""
        said = [root[name][0] if name in root else None for name in ("GM", "SZ", "RU")]
        setup = [tuple(self._setup.get(name, ())) for name in (*_SETUP, "PL")]
        try:
            start = self._start_of(*said, board, self._reader.first_side(self._line), *setup)
            return start, start.rules
        except _RulesError as error:  # the moves are those of another game
            self._entry.findings = [finding for finding in self._entry.findings if finding.ply is None]
            self._wrong(Code.BAD_TAG, str(error), self._begin)
            return None, OTHELLO
        except InputError as error:
            self._wrong(Code.BAD_TAG, str(error), self._begin)
            return None, self._start_of(*said, None, Color.BLACK, *[()] * len(setup)).rules


class _RulesError(RecordError):
    """The rules of the game are none of Othello."""


def _start_of(
    rules: Rules,
    game: str | None,
    size: str | None,
    named: str | None,
    board: str | None,
    side: Color,
    black: tuple[str, ...],
    white: tuple[str, ...],
    empty: tuple[str, ...],
    to_move: tuple[str, ...],
) -> Position:
    """Return the start that the properties of a game say.

    Args:
        rules: the rules where they say none.
        game: the value of ``GM``, ``None`` without one.
        size: that of ``SZ``.
        named: that of ``RU``.
        board: that of the tag Board.
        side: who is to move where ``PL`` does not say it.
        black: the values of ``AB``.
        white: those of ``AW``.
        empty: those of ``AE``.
        to_move: those of ``PL``.

    Raises:
        _RulesError: another game, or a board that no game has.
        InputError: no such position.
    """
    if game is not None and game.strip().lower() not in ("2", "othello", "reversi"):
        raise _RulesError(f"GM: a game of {excerpt(game.strip(), 20)}, not of Othello, which is GM[2]")
    if named is not None:
        with contextlib.suppress(RulesError):  # another game's rules: kept as a tag
            rules = parse_rules(unescape(named))
    if size is not None:
        try:
            rules = replace(rules, board=parse_size(size))
        except RecordError as error:
            raise _RulesError(str(error)) from None
    if board is not None:
        return parse_board(board, rules)
    if to_move:
        colors = {"b": Color.BLACK, "1": Color.BLACK, "w": Color.WHITE, "2": Color.WHITE}
        if to_move[0].strip()[:1].lower() not in colors:
            raise RecordError(f"PL: {excerpt(to_move[0])} is not a side: B or W")
        side = colors[to_move[0].strip()[:1].lower()]
    discs = [_discs(values) for values in (black, white, empty)]
    if not (black or white or empty):
        return Position(rules).with_to_move(side)
    return Position.from_discs(discs[0], discs[1], side, rules)


def _discs(values: tuple[str, ...]) -> int:
    discs = 0
    for value in values:
        for square in parse_points(value) if value.strip() else ():
            discs |= square.bit
    return discs


def tags_of(root: Properties, rules: Rules, *, with_outcome: bool = True) -> tuple[list[tuple[str, str]], Outcome]:
    """Return the tags of a record that the properties of a game are, and its outcome.

    Args:
        root: the properties of the game.
        rules: its rules.
        with_outcome: whether tags say what there is of the outcome beside the result.
    """
    check_type("rules", rules, Rules)
    pairs: list[tuple[str, str]] = []
    for name, values in root.items():
        carried = CARRIED.get(name)
        for written in values:
            value = unescape(written) if "\\" in written else written
            if carried is not None:
                if value or carried not in _UNSAID:
                    pairs.append((carried, value))
            elif name == "DT":
                pairs.append(("Date", _date(value)))
            elif name == "RU":
                if not _is_rules(value):
                    pairs.append((name, value))
            elif name not in KNOWN or name == "TAG":
                pairs.append((f"{name}-" if name in _TAKEN else name, value))
    outcome = parse_result(unescape(root.get("RE", [""])[0]), rules)
    if outcome is None:
        outcome = Outcome("*")
        pairs.append(("RE", unescape(root["RE"][0])))
    return [*pairs, *(outcome.tags if with_outcome else ())], outcome


def _date(value: str) -> str:
    day, time = read_date(value)
    return value if time else day


_TAKEN: Final = frozenset(name for name in DERIVED_TAGS if name.isupper())


def _may_be_play(name: str) -> bool:
    """Return whether a property is unknown, so that its value may change the game."""
    return name not in KNOWN and name not in MARKS


def _is_rules(text: str) -> bool:
    try:
        parse_rules(text)
    except RulesError:
        return False
    return True
