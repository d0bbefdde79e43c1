"""GGF, the format of the Generic Game Server: games as tags in brackets, a whole match on a line.

A game is ``(;`` then tags with values in brackets, then ``;)``; a number before it counts the games of a match.
What the tags say becomes tags, turns and the result of a record; those that mean nothing here are kept under their
own names, so that `reversi.records.formats.ggf.writer` can write them again. Passes are written. A game that
writes none has its forced ones put in, as other foreign games have.

Boards of 4, 6 and 8 rows and columns are read. The type (``TY``) says whether the fewest discs win (``a``) and
whether the start was drawn by lot (``r``); a game of that kind needs its board (``BO``), every other has the usual
start where it gives none. The result (``RE``) is Black's score, empty squares with the winner, less the komi
(``KM``).

Sources: Michael Buro's description of the format (skatgame.net/mburo/ggsa/ggf), the readers of NTest and Edax.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

import reversi._regex as re
from reversi._core import Position
from reversi.arguments import excerpt
from reversi.color import Color
from reversi.errors import InputError, RecordError
from reversi.records.dates import read_date
from reversi.records.dialects import SIDES, complete_entry
from reversi.records.entry import Entry
from reversi.records.findings import Code
from reversi.records.formats.ggf.values import (
    CARRIED,
    KNOWN,
    comments_of,
    match_type as type_of,
    parse_clock_value,
    parse_komi,
    parse_move,
    parse_outcome,
    read_turn,
    type_flags,
)
from reversi.records.formats.pending_notes import PendingNotes
from reversi.records.formats.property_lists import Dialect, ListReader, Property, is_play, read_lists
from reversi.records.notes import clean
from reversi.records.outcome import Outcome
from reversi.records.record import DERIVED_TAGS, ROSTER, Record, Tags
from reversi.rules import OTHELLO, BoardSize, Objective, Rules
from reversi.text.boards import parse_board

_DIALECT: Final = Dialect(
    "GGF", begin=r"\(\s*;", again=r"\(\s*;", line=r"[ \t]*[0-9]{0,3}[ \t]*\(;", between=r"(?:[0-9]{1,3}\s*)?"
)
_COUNT = re.compile(r"(?:\A|\n|\))\s*([0-9]{1,3})\s*\Z")
_MOST_COUNT: Final = 8  # characters of a count and around it
_NEXT = re.compile(r"\s*\(")
_END = re.compile(r";\s*\)")
_CLOCKS: Final = {"TI": "TimeControl", "TB": "BlackTimeControl", "TW": "WhiteTimeControl"}
_SIZES: Final = (4, 6, 8)


def read_ggf(text: str) -> Iterator[Entry]:
    """Yield the games of a text in GGF, one at a time.

    A game that cannot be read whole has findings, and the next one is always found again.

    Args:
        text: the whole text.

    Raises:
        RecordError: the text contains no games.
    """
    yield from read_lists(text, _DIALECT, _read_game)


def _read_usual(reader: ListReader, begin: int) -> int:
    """Read the game at a place, if it is in the usual form; return where it ends, 0 for any other game."""
    game = reader.usual_game(begin, read_turn)
    names = _known_names(game.names) if game and not game.lines else None
    if game is None or names is None:
        return 0
    values = dict(zip(names, game.values, strict=True))
    try:
        start, outcome_of = _usual_start(
            values.get("GM", ""),
            values["BO"],
            values.get("TY", ""),
            values.get("KM", ""),
            chr(game.turns.sides[0]),
        )
    except InputError:
        return 0
    entry = reader.entry
    outcome = outcome_of(values.get("RE", ""))
    record = entry.record = Record(Tags(tags_of(values)), start)
    outcome.give_to(record)
    entry.result_line = entry.line if "RE" in values else 0
    reader.pack(record.line, game.turns)
    on_board = complete_entry(entry)
    reader.check_sides()
    if not entry.findings and (message := outcome.mismatch(on_board)):
        reader.wrong(Code.RESULT_MISMATCH, message, reader.text.index("RE[", begin))
    _check_count(reader, begin, game.turns.end)
    return game.turns.end


@functools.lru_cache(256)
def _known_names(written: str) -> tuple[str, ...] | None:
    """Return the names of properties, if they mean something here, come once each, and have a board."""
    names = tuple(written.split("[")[:-1])
    is_usual = len(set(names)) == len(names) and "BO" in names and KNOWN - {"CO", "B", "W"} >= set(names)
    return names if is_usual else None


@functools.lru_cache(64)
def _usual_start(
    game: str, board: str, kind: str, komi: str, side: str
) -> tuple[Position, Callable[[str], Outcome]]:
    """Return how a game starts that has a board, and what reads its result.

    Raises:
        InputError: another game than Othello, or no such board.
    """
    if game.strip() and game.strip().lower() != "othello":
        raise RecordError("another game")
    start = _start_of(board, kind.strip(), SIDES[side])
    return start, functools.lru_cache(256)(lambda text: parse_outcome(text, parse_komi(komi), start.rules))


def _read_game(reader: ListReader, at: int) -> int:
    if end := _read_usual(reader, at):
        return end
    found: list[Property] = []
    opened, begin = at, reader.text.index(";", at) + 1
    try:
        at = reader.properties(begin, found)
        if ending := _END.match(reader.text, at):
            _check_count(reader, opened, ending.end())
            return ending.end()
        if not reader.text[at + 1 :].strip():
            raise reader.broken(Code.TRUNCATED, "the file ends inside the game", len(reader.text) - 1)
        shown = excerpt(reader.text[at : at + 40])
        raise reader.broken(Code.SYNTAX, f"{shown} is neither a tag nor the game's end ';)'", at)
    finally:
        _Game(reader, begin, found).read()


def _check_count(reader: ListReader, opened: int, end: int) -> None:
    """Report that the second game of a match is not there, which the number before the first announces."""
    before = max(0, opened - _MOST_COUNT)
    counted = reader.text[before:opened].strip()
    count = _COUNT.search(reader.text, before, opened) if counted else None
    if count and int(count[1]) > 1 and not _NEXT.match(reader.text, end):
        message = f"{int(count[1])} games of a match are announced, and one is there"
        reader.missing = reader.source.finding(Code.TRUNCATED, message, count.start(1))


@functools.cache
def _rules(size: int, objective: Objective) -> Rules:
    """Return the rules of games on a square board of this size."""
    return replace(OTHELLO, board=BoardSize(size, size), objective=objective)


@functools.lru_cache(64)
def _start_of(board: str, kind: str, first: Color) -> Position:
    """Return the position that ``BO`` says in a game of a type; ``first`` is to move where it does not say it.

    Raises:
        InputError: no such position.
    """
    word, _, cells = board.strip().partition(" ")
    if not (word.isascii() and word.isdecimal()) or int(word[:9]) not in _SIZES:
        raise RecordError(f"a board of size {excerpt(word)}; there are 4, 6 and 8")
    rules, cells = _rules(int(word), _objective(kind)), " ".join(cells.split())
    try:
        return parse_board(cells, rules)
    except InputError:
        return parse_board(cells, rules, first)


class _Tag(NamedTuple):
    name: str
    value: str
    order: int


class _Game:
    def __init__(self, reader: ListReader, begin: int, found: list[Property]) -> None:
        self._reader = reader
        self._entry = reader.entry
        self._begin = begin
        self._places: list[int] = []
        self._tags: list[_Tag] = []
        self._values: dict[str, _Tag] = {}
        for order, (given, written) in enumerate(found):
            name, value = given.upper(), written[1:-1]
            tag = _Tag(name, value if name == "CO" else clean(value), order)
            self._tags.append(tag)
            self._values.setdefault(name, tag)

    def _value(self, name: str) -> str:
        return self._values[name].value if name in self._values else ""

    def _place(self, tag: _Tag | None) -> int:
        if not self._places:
            self._places = self._reader.places(self._begin, len(self._tags)) or [self._begin]
        return self._places[tag.order if tag else 0]

    def _wrong(self, code: Code, message: str, tag: _Tag | None, ply: int | None = None) -> None:
        self._reader.wrong(code, message, self._place(tag), ply)

    def read(self) -> None:
        entry = self._entry
        whole = not entry.findings
        pairs = self._pairs()
        start = self._start(report=whole)
        entry.record = record = Record(Tags(pairs), start or Position())
        if start is None:
            return
        before = len(entry.findings)
        self._read_turns()
        if "RE" in self._values:
            entry.result_line = self._reader.source.line_at(self._place(self._values["RE"]))
        outcome = parse_outcome(self._value("RE"), parse_komi(self._value("KM")), record.rules)
        outcome.give_to(record)
        on_board = complete_entry(entry)
        self._reader.check_sides()
        if len(entry.findings) == before and (message := outcome.mismatch(on_board)):
            self._wrong(Code.RESULT_MISMATCH, message, self._values["RE"])

    def _pairs(self) -> list[tuple[str, str]]:
        """Return the tags of the record. A tag that a game has once, given twice with different values, is
        reported.
        """
        pairs: list[tuple[str, str]] = []
        for tag in self._tags:
            name, value = tag.name, tag.value
            if name not in KNOWN:
                if is_play(value):
                    shown = f"{name}[{value.strip()[:40]}]"
                    self._wrong(Code.UNKNOWN_MEMBER, f"{shown} may change the game: it is not read", tag)
                pairs.append((f"{name}-" if name in DERIVED_TAGS else name, value))
            elif name not in ("B", "W", "CO") and self._values[name] is not tag and value != self._value(name):
                self._wrong(Code.SYNTAX, f"{name} is given twice", tag)
        return pairs + tags_of({name: tag.value for name, tag in self._values.items()})

    def _start(self, *, report: bool) -> Position | None:
        """Return the position before the first turn, ``None`` if it cannot be read.

        Args:
            report: whether a missing board is reported: not where the game could not be read to its end.
        """
        game, board, kind = self._value("GM").strip(), self._values.get("BO"), self._value("TY").strip()
        if game and game.lower() != "othello":
            self._wrong(Code.BAD_TAG, f"GM: a game of {excerpt(game)}, not of Othello", self._values["GM"])
            return None
        if board is None:
            digits = re.sub(r"[^0-9].*", "", kind.lower().removeprefix("s"))
            if "r" in (type_flags(kind) or ""):
                if report:
                    self._wrong(Code.BAD_TAG, f"no board (BO), which a game of type {kind} needs", None)
                return None
            if digits and (not digits.isascii() or int(digits) not in _SIZES):
                self._wrong(Code.BAD_TAG, f"TY: a board of size {excerpt(digits)}; there are 4, 6 and 8", None)
                return None
            return Position(_rules(int(digits) if digits else 8, _objective(kind)))
        names = [tag.name for tag in self._tags]
        try:
            return _start_of(
                board.value, kind, next((SIDES[name] for name in names if name in SIDES), Color.BLACK)
            )
        except InputError as error:
            self._wrong(Code.BAD_TAG, f"BO: {error}", board)
            return None

    def _read_turns(self) -> None:
        """Read the turns and comments up to the first that is not a move."""
        line = self._entry.record.line
        pending = PendingNotes()
        for tag in self._tags:
            if tag.name == "CO":
                pending.add(line.nodes[-1] if line.nodes else line, "comments", comments_of(tag.value))
            elif tag.name in SIDES:
                try:
                    node = parse_move(tag.value)
                except RecordError as error:
                    self._wrong(Code.INVALID_MOVE, str(error), tag, len(line.nodes) + 1)
                    break
                at = self._place(tag)
                node.source_line = self._reader.source.line_at(at)
                line.nodes.append(node)
                self._reader.say(node, tag.name, at)
        pending.settle()


def tags_of(values: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the tags of a record that those of a game are, but its result and those that mean nothing here."""
    if len(values) > len(KNOWN):
        values = {name: value for name, value in values.items() if name in KNOWN}
    carried, clocked = _tags_by_name(tuple(values))
    pairs = [(ours, values[name]) for name, ours in carried if values[name] or ours not in ROSTER]
    if values.get("DT", "").strip():
        day, moment = read_date(values["DT"])
        pairs += [("Date", day), ("Time", moment)] if moment else [("Date", day)]
    clocks = {ours: parse_clock_value(values[name]) for name, ours in clocked}
    if clocks.keys() == {"BlackTimeControl", "WhiteTimeControl"} and "/" not in "".join(clocks.values()):
        clocks = {"TimeControl": "/".join(clocks.values())}
    pairs += clocks.items()
    if (kind := values.get("TY")) and _says_more(kind, values.get("BO", "")):
        pairs.append(("MatchType", kind))
    return pairs


@functools.lru_cache(256)
def _tags_by_name(names: tuple[str, ...]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return which tags are those of a record as they stand, and which are clocks, with their names there."""
    carried, clocked = ([pair for pair in table.items() if pair[0] in names] for table in (CARRIED, _CLOCKS))
    return carried, clocked


@functools.lru_cache(64)
def _says_more(kind: str, board: str) -> bool:
    """Return whether a type says more than the rules do, which depend on the board."""
    size = board.split(None, 1)[:1]
    rows = int(size[0]) if size and size[0] in ("4", "6", "8") else 8
    return kind != type_of(_rules(rows, _objective(kind)))


def _objective(kind: str) -> Objective:
    return Objective.FEWEST if "a" in (type_flags(kind) or "") else Objective.MOST
