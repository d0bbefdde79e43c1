r"""The record of a game: tags, a start position, a tree of moves with notes, and a result. Nothing is lost.

A record is what was written down, right or wrong: its moves may be illegal and its result may not fit the board
(`reversi.records.validation.game` judges that). Text in it has no control characters: they become blanks when
the record is made, so that whatever a record holds can be written and read back as it was.

`format_record` writes PGN-like text in one form: what is written again after reading is the same, byte for byte.
Tags come first, one per line: Event, Site, Date, Round, Black, White, Result; then Rules, unless ``othello``;
SetUp and Board for a start that is not that of the rules; TimeControl, Termination and the others. In their
values ``\`` stands before ``"`` and ``\``. Moves follow after a blank line, in lines of up to 79 columns unless
a word is longer, one slot per turn, a pass as ``--``; then the result. One blank line separates games.
`reversi.records.formats.pgn` reads such text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from operator import add, attrgetter, itemgetter
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, TypeVar, overload

import reversi._regex as re
from reversi._core import PASS, SQUARES, Move, Position, Square, State, replay_line
from reversi.arguments import TEXT_TO_POSITION, check_type, excerpt
from reversi.color import Color
from reversi.errors import IllegalMoveError, RecordError
from reversi.game.hand_flips import play_with_flips
from reversi.records.notes import (
    RecordedScore,
    as_written,
    clean,
    clean_comments,
    read_note,
    written_notes,
)
from reversi.records.rules_tags import rules_tags
from reversi.rules import Rules

if TYPE_CHECKING:
    from reversi.text.picture.scene import Scene

_T = TypeVar("_T")

ROSTER: Final = ("Event", "Site", "Date", "Round", "Black", "White", "Result")
"""The tags that every game of this project's format has, in their order."""

DERIVED_TAGS: Final = ("Result", "Rules", "SetUp", "Board", "FEN")
"""Tags that a record holds as fields of their own: `Record.result` and `Record.start`."""

MAX_DEPTH: Final = 100
"""How deep variations may be nested."""

COLUMNS: Final = 79
"""The length of a line of moves, unless one word is longer."""

_START: Final = Position()
_LATER: Final = ("TimeControl", "Termination")
_UNKNOWN: Final = {name: "????.??.??" if name == "Date" else "?" for name in ROSTER if name != "Result"}
_RANKS: Final = {name: rank for rank, name in enumerate((*_UNKNOWN, *_LATER))}
_OTHER: Final = len(_RANKS)
_FEW: Final = 64  # tags whose arrangement is remembered

_NAME = re.compile(r"\w[\w+#=:.-]*")
_RESULT = re.compile(r"1/2-1/2|[0-9]{1,3}-[0-9]{1,3}|\*")
_DRAW: Final = "(?:½|1/2|0[.,]5)"
SPELLED: Final = rf"(?:([0-9]{{1,3}})[ ]?[-:‐‑‒–—−][ ]?([0-9]{{1,3}})|{_DRAW}(?:[ ]?[-:‐‑‒–—−][ ]?{_DRAW})?)"
"""A result with discs, a winner or a draw, as people write it."""
_SPELLED = re.compile(rf"\s*(?=\(.*\)\s*\Z|[^()]*\Z)\(?\s*{SPELLED}\s*\)?\s*")
_TO_ESCAPE = re.compile(r'[\\}]|\[(?=%|[ \t]*\w[\w+#=:.-]*[ \t]+")')
_GLUE: Final = "\x1f"
"""Stands for a blank that no line ends at; no text of a record has it."""
_BLANKS = re.compile(r" {2,}| (?=\ufeff)")  # that mark means nothing where a line begins


@lru_cache(1 << 10)
def read_spelling(text: str) -> str:
    """Return a result as records spell it, given as people do: ``½-½``, ``1/2``, ``1:0``, ``40–24``, ``(40-24)``.

    Any other text stays as it is.
    """
    if _RESULT.fullmatch(text) or not (found := _SPELLED.fullmatch(text)):
        return text
    return f"{int(found[1])}-{int(found[2])}" if found[1] else "1/2-1/2"


def is_result(text: str) -> bool:
    """Return whether ``text`` has the form of a result: ``37-27``, ``1-0``, ``0-1``, ``1/2-1/2`` or ``*``."""
    return _RESULT.fullmatch(text) is not None


class Tags(MutableMapping[str, str]):
    """The tags of a game: names and values, always in the order in which they are written.

    Event, Site, Date, Round, Black and White are always there, as ``?`` while unknown (the date as
    ``????.??.??``); deleting one makes it unknown. Then come TimeControl, Termination and the others, in the order
    in which they were added. A name that a file gives more than once has the first value; `pairs` has them
    all. Result, Rules, SetUp, Board and FEN are no tags here: the record holds them as `Record.result` and
    `Record.start`.

    Args:
        tags: names and values.

    Raises:
        RecordError: a name that no tag can have.
    """

    __slots__ = ("_names", "_values")

    def __init__(self, tags: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        given = [*(tags.items() if isinstance(tags, Mapping) else tags)]
        names, values = zip(*given, strict=True) if given else ((), ())
        self._arrange(names, values)

    @classmethod
    def named(cls, names: tuple[str, ...], values: Sequence[str]) -> Tags:
        """Return the tags of these names and values.

        Raises:
            RecordError: a name that no tag can have.
        """
        tags = cls.__new__(cls)
        tags._arrange(names, values)
        return tags

    @classmethod
    def arranged(cls, names: tuple[str, ...], values: tuple[str, ...]) -> Tags:
        """Return the tags of names and values in the order of writing, the values clean, none missing."""
        tags = cls.__new__(cls)
        tags._names, tags._values = names, values
        return tags

    def _arrange(self, names: tuple[str, ...], values: Sequence[str]) -> None:
        if not "".join(values).isprintable():
            values = [*map(clean, values)]
        self._names, unknown, pick = _arranged(names) if len(names) <= _FEW else _arranged.__wrapped__(names)
        self._values = pick((*values, *unknown))

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Every name with its value, repeated names included, in writing order."""
        return tuple(zip(self._names, self._values, strict=True))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of these."""
        return self._names

    @property
    def texts(self) -> tuple[str, ...]:
        """The values of these."""
        return self._values

    def __getitem__(self, name: str) -> str:
        if name not in self._names:
            raise KeyError(name)
        return self._values[self._names.index(name)]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    @overload
    def get(self, name: str, /) -> str | None: ...

    @overload
    def get(self, name: str, default: str, /) -> str: ...

    @overload
    def get(self, name: str, default: _T, /) -> str | _T: ...

    def get(self, name: str, default: _T | None = None, /) -> str | _T | None:
        """Return the value of a name, the default where it has none."""
        return self._values[self._names.index(name)] if name in self._names else default

    def __setitem__(self, name: str, value: str) -> None:
        if name in self:
            at = self._names.index(name)
            later = [pair for pair in self.pairs[at + 1 :] if pair[0] != name]
            pairs = [*self.pairs[:at], (name, clean(value)), *later]
            self._names, self._values = zip(*pairs, strict=True)
        else:
            self._arrange((*self._names, name), (*self._values, value))

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        kept = Tags([pair for pair in self.pairs if pair[0] != name])
        self._names, self._values = kept._names, kept._values

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(self._names))

    def __len__(self) -> int:
        return len(set(self._names))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tags):
            return NotImplemented
        return self._names == other._names and self._values == other._values

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Tags({[*self.pairs]!r})"


class _Arrangement(NamedTuple):
    """How tags of some names are written.

    Attributes:
        names: the names in the order of writing, none missing.
        unknown: the values of those that are not given.
        pick: takes the values of all from those given, with the unknown ones after them.
    """

    names: tuple[str, ...]
    unknown: tuple[str, ...]
    pick: Callable[[Sequence[str]], tuple[str, ...]]


@lru_cache(256)
def _arranged(names: tuple[str, ...]) -> _Arrangement:
    missing = [name for name in _UNKNOWN if name not in names]
    seen: set[str] = set()
    ranks: list[int] = []
    for name in names:
        ranks.append(_OTHER if name in seen else _rank(name))
        seen.add(name)
    ranks += map(_RANKS.__getitem__, missing)
    places = sorted(range(len(ranks)), key=ranks.__getitem__)
    given = [*names, *missing]
    return _Arrangement(
        tuple([given[at] for at in places]), tuple(map(_UNKNOWN.__getitem__, missing)), itemgetter(*places)
    )


def _rank(name: str) -> int:
    if name in DERIVED_TAGS:
        field = "result" if name == "Result" else "start"
        raise RecordError(
            f"the tag {name} cannot be set: it follows from the record's {field}; set record.{field}"
        )
    if not _NAME.fullmatch(name):
        raise RecordError(f"{excerpt(name)} cannot be the name of a tag: letters, digits and _ only")
    return _RANKS.get(name, _OTHER)


_SHOWN: Final = 6  # moves of a line in its `repr`


@dataclass(slots=True)
class Node:
    """One turn of a game: a placement or a pass, with what was noted about it.

    Attributes:
        move: the move.
        comments: free text, one string per comment.
        nags: numeric glyphs: ``(1,)`` is a good move, written ``$1``.
        clock: the player's remaining time after the move in seconds, kept to the millisecond, or ``None``.
        elapsed: the time that the turn took in seconds, kept to the millisecond, or ``None``.
        evaluation: the value that the move was given, or ``None``.
        flips: every disc flipped in this ply, in square order, where players flip by hand; ``None`` means as the
            rules say.
        variations: other lines that begin in place of this move.
        source_line: the line of the file that the move was read from, 0 for none; no part of equality.

    Raises:
        RecordError: a time or a glyph that cannot be written.
    """

    move: Move
    comments: tuple[str, ...] = ()
    nags: tuple[int, ...] = ()
    clock: float | None = None
    evaluation: RecordedScore | None = None
    flips: tuple[Square, ...] | None = None
    variations: tuple[Line, ...] = ()
    source_line: int = field(default=0, compare=False, repr=False)
    elapsed: float | None = None

    def __post_init__(self) -> None:
        if self.comments:
            self.comments = clean_comments(self.comments)
        if self.nags:
            self.nags = tuple(self.nags)
            if not all(0 <= nag <= 999 for nag in self.nags):
                raise RecordError(f"no glyph ${min(self.nags)}: they are numbered from 0 to 999")
        if self.clock is not None:
            self.clock = _seconds(self.clock, "no clock shows")
        if self.elapsed is not None:
            self.elapsed = _seconds(self.elapsed, "no turn takes")
        if self.flips is not None:
            self.flips = tuple(sorted(set(self.flips)))
        if self.variations:
            self.variations = tuple(self.variations)

    def played_on(self, position: Position) -> Position:
        """Return the position after this turn, with the discs flipped that it lists.

        The placement must be legal; a turn without such a list flips the discs that the rules say.

        Raises:
            IllegalMoveError: the move is not allowed, or the turn flips a disc on an empty square.
        """
        if self.flips is None:
            return position.play(self.move)
        return play_with_flips(position, self.move, self.flips)


def is_bare(node: Node) -> bool:
    """Return whether a turn has nothing beside its move."""
    return _notes_of(node) == _NO_NOTES


def _seconds(value: float, refusal: str) -> float:
    if not 0 <= value < 1e9:
        raise RecordError(f"{refusal} {value} seconds")
    return round(float(value), 3)


_NOTES: Final = [part.name for part in fields(Node) if part.compare and part.name != "move"]
_notes_of: Final[Callable[[Node], tuple[object, ...]]] = attrgetter(*_NOTES)
_NO_NOTES: Final = _notes_of(Node(PASS))
_MOVES: Final[tuple[Move, ...]] = (*SQUARES, PASS)
_WORDS: Final = tuple(map(str, _MOVES))


def _read_braces(body: str, node: Node) -> tuple[str, ...]:
    return clean_comments((read_note(body, node),))


class PackedTurns(NamedTuple):
    """Turns as the compiled core reads them: moves, and comments that nobody has asked for yet.

    Attributes:
        moves: the numbers of the squares, one byte each; 64 is a pass.
        line: the line of the file that they begin on.
        offsets: for each turn how many lines after that one it is, one byte each.
        commented: for each comment the index of its turn, one byte each.
        comments: what stands in braces, or what else notes a turn, as written. None lists flips.
        read: gives a turn what its note says, and returns the comments in it.
    """

    moves: bytes
    line: int
    offsets: bytes
    commented: bytes = b""
    comments: tuple[str, ...] = ()
    read: Callable[[str, Node], tuple[str, ...]] = _read_braces

    def turns(self) -> list[Node]:
        """Return the turns as a line has them."""
        turns = []
        new = Node.__new__
        for number, offset in zip(self.moves, self.offsets, strict=True):
            node = new(Node)  # what it checks, these turns do not have
            node.move = _MOVES[number]
            node.comments = node.nags = node.variations = ()
            node.clock = node.evaluation = node.flips = node.elapsed = None
            node.source_line = self.line + offset
            turns.append(node)
        for turn, body in zip(self.commented, self.comments, strict=True):
            turns[turn].comments += self.read(body, turns[turn])
        return turns

    def with_passes(self, moves: bytes) -> PackedTurns:
        """Return these turns, none of which is a pass, with passes put in, given all moves.

        A pass is on the line of the next turn.
        """
        if not self.commented and not self.offsets.strip(b"\0"):
            return self._replace(moves=moves, offsets=bytes(len(moves)))
        offsets = bytearray(self.offsets)
        at = moves.find(PASS.index)
        while at >= 0:
            offsets.insert(at, offsets[at])
            at = moves.find(PASS.index, at + 1)
        turns = bytes([turn for turn, move in enumerate(moves) if move != PASS.index]).ljust(256)
        return self._replace(moves=moves, offsets=bytes(offsets), commented=self.commented.translate(turns))


class Played(NamedTuple):
    """A line of play as far as it is allowed.

    Attributes:
        moves: the numbers of the moves up to the first that is not allowed, one byte each; 64 is a pass.
        end: the position after them.
        legal: whether they are all.
    """

    moves: bytes
    end: Position
    legal: bool


def framed_moves(moves: bytes, first: str, second: str, passed: str) -> str:
    """Return moves as text, each in a frame, in which ``--`` has the place of a square: ``;B[--]``, say.

    Args:
        moves: the numbers of the moves.
        first: the frame of the moves of the player who begins.
        second: that of the opponent's, as long as the other.
        passed: the two letters of a pass.
    """
    at, size, letters = first.index("--"), len(first), _letters(passed)
    text = bytearray((first + second).encode("ascii") * (len(moves) // 2 + 1))[: size * len(moves)]
    text[at::size] = moves.translate(letters[0])
    text[at + 1 :: size] = moves.translate(letters[1])
    return text.decode("ascii")


@lru_cache(8)
def _letters(passed: str) -> tuple[bytes, bytes]:
    """Return the first and the second letter of each move by its number, given those of a pass."""
    first, second = zip(*_WORDS[:-1], passed, strict=True)
    return "".join(first).encode("ascii").ljust(256), "".join(second).encode("ascii").ljust(256)


class Line:
    """A line of play: turns one after the other.

    Attributes:
        comments: free text before the first of them.
    """

    __slots__ = ("_nodes", "_packed", "_played", "comments")
    __match_args__ = ("nodes", "comments")
    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __init__(self, nodes: Iterable[Node] = (), comments: tuple[str, ...] = ()) -> None:
        self._packed: PackedTurns | None = None
        self._played: tuple[Position, Played] | None = None  # of packed turns: where from, and how far
        self._nodes = [*nodes]
        self.comments: tuple[str, ...] = clean_comments(comments) if comments else ()

    @property
    def nodes(self) -> list[Node]:
        """The turns."""
        if self._packed is not None:
            self._nodes = self._packed.turns()
            self._packed = None
        return self._nodes

    @nodes.setter
    def nodes(self, nodes: list[Node]) -> None:
        self._packed = None
        self._nodes = nodes

    @property
    def packed(self) -> PackedTurns | None:
        """The turns of a line that the compiled core read, until somebody asks for its nodes; ``None`` then."""
        return self._packed

    @packed.setter
    def packed(self, packed: PackedTurns) -> None:
        if self._packed is None or packed.moves is not self._packed.moves:
            self._played = None
        self._packed = packed
        self._nodes = []

    @classmethod
    def of_numbers(cls, moves: bytes, line: int = 0) -> Line:
        """Return a line with nothing but moves, as numbers of squares, that are all on one line of a file."""
        found = cls()
        found._packed = PackedTurns(moves, line, bytes(len(moves)))
        return found

    @property
    def numbers(self) -> bytes:
        """The moves as numbers of squares, one byte each; 64 is a pass."""
        if self._packed is not None:
            return self._packed.moves
        return bytes([node.move.index for node in self._nodes])

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves, passes included, without the variations."""
        if self._packed is not None:
            return tuple([_MOVES[number] for number in self._packed.moves])
        return tuple(node.move for node in self._nodes)

    @property
    def transcript(self) -> str:
        """The moves as text, with nothing between them and passes as ``--``: ``f5d6c3``."""
        return framed_moves(self.numbers, "--", "--", "--")

    @property
    def is_bare(self) -> bool:
        """Whether there is nothing but moves: no comments, values, times, variations or other notes."""
        if self.comments:
            return False
        return not self._packed.comments if self._packed is not None else all(map(is_bare, self._nodes))

    @property
    def lists_flips(self) -> bool:
        """Whether a turn lists the discs that it flips."""
        return self._packed is None and any(node.flips is not None for node in self._nodes)

    @property
    def is_plain(self) -> bool:
        """Whether there are no variations, and no turn lists the discs that it flips."""
        return self._packed is not None or not any(
            node.flips is not None or node.variations for node in self._nodes
        )

    def play(self, start: Position) -> Played:
        """Play the moves up to the first that is not allowed, whatever discs their turns list as flipped."""
        if self._packed is None:
            return Played._make(replay_line(start, self.numbers, put_in=False))
        if self._played is None or self._played[0] is not start:
            self._played = start, Played._make(replay_line(start, self._packed.moves, put_in=False))
        return self._played[1]

    def play_putting_in(self, start: Position) -> Played:
        """Play the same, and put in the forced passes that are left out; there are no variations."""
        written = self.numbers
        played = Played._make(replay_line(start, written, put_in=True))
        if passes := played.moves.count(PASS.index):
            self._put_in(played.moves + written[len(played.moves) - passes :])
        if self._packed is not None:
            self._played = start, played
        return played

    def _put_in(self, moves: bytes) -> None:
        """Put passes in, given all moves; nothing but passes is added. A pass is on the line of the next turn."""
        if self._packed is not None:
            self._packed = self._packed.with_passes(moves)
            return
        for at, number in enumerate(moves):
            if number == PASS.index:
                self._nodes.insert(at, Node(PASS, source_line=self._nodes[at].source_line))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Line):
            return NotImplemented
        return (self.nodes, self.comments) == (other.nodes, other.comments)

    def __repr__(self) -> str:
        moves = self.moves
        begin = " ".join(map(str, moves[:_SHOWN]))
        return f"<Line of {len(moves)} plies: {begin}{' …' * (len(moves) > _SHOWN)}>"


@dataclass(slots=True)
class Record:
    """The record of one game.

    Attributes:
        tags: who, when, where and everything else that is known by name.
        start: the position before the first move; it carries the rules.
        line: the game itself, with its variations.
        result: the text of the tag Result, as written down: discs as ``37-27``; ``1-0``, ``0-1`` or ``1/2-1/2``
            (Black first) for a game that was decided otherwise, with a Termination tag; ``*`` for one without an
            end. What the board says is ``position_after(record).result``, a `Result`.

    Raises:
        RecordError: a start that no record can hold (a game that two passes have ended).
    """

    tags: Tags = field(default_factory=Tags)
    start: Position = _START
    line: Line = field(default_factory=Line)
    result: str = "*"

    def __post_init__(self) -> None:
        if not isinstance(self.tags, Tags):
            self.tags = Tags(self.tags)
        if not (isinstance(self.start, Position) and isinstance(self.line, Line) and isinstance(self.result, str)):
            check_type("start", self.start, Position, advice=TEXT_TO_POSITION)
            check_type("line", self.line, Line, advice="parse_record reads a game from text")
            check_type("result", self.result, str)
        if self.start.state is State.ENDED:
            raise RecordError("a record cannot start after the end of a game")
        if self.result != "*":
            self.result = read_spelling(clean(self.result))

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.start.rules

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the game, passes included, without the variations."""
        return self.line.moves

    @property
    def black(self) -> str:
        """The name of the player who has Black, ``?`` if unknown."""
        return self.tags["Black"]

    @property
    def white(self) -> str:
        """The name of the player who has White, ``?`` if unknown."""
        return self.tags["White"]

    def __str__(self) -> str:
        return format_record(self)

    def __repr__(self) -> str:
        return f"<Record {self.rules}: {self.black} – {self.white}, {len(self.moves)} plies, {self.result}>"

    def _repr_svg_(self) -> str | None:
        """Return the last position as SVG, which notebooks show; ``None`` where an illegal move is in the way."""
        from reversi.text.picture.board import svg

        try:
            return svg(self)
        except IllegalMoveError:
            return None

    def _scene_(self, ply: int | None) -> Scene:
        """Return what a picture of the game shows after a ply."""
        from reversi.text.picture.scene import Scene, last_ply, turns_of

        nodes = self.line.nodes
        last = last_ply(ply, len(nodes))
        positions = tuple(played(nodes[:last], self.start))
        names = ("" if self.black == "?" else self.black, "" if self.white == "?" else self.white)
        turns = turns_of(positions, [node.move for node in nodes[:last]])
        return Scene(positions, turns, len(nodes), True, names)


def played(nodes: Iterable[Node], start: Position) -> Iterator[Position]:
    """Yield the positions of turns from ``start`` on, one more than there are turns.

    Raises:
        IllegalMoveError: a move is not allowed; the message names the ply.
    """
    position = start
    yield position
    for ply, node in enumerate(nodes, 1):
        try:
            position = node.played_on(position)
        except IllegalMoveError as error:
            raise IllegalMoveError(
                f"ply {ply} ({position.to_move}): {node.move} is not allowed: {error.reason}",
                str(node.move),
                error.reason,
            ) from None
        yield position


def format_record(record: Record) -> str:
    """Return the text of one game; `reversi.records.read_games` gives the same record back.

    Raises:
        RecordError: variations are nested more than 100 deep.
    """
    check_type("record", record, Record)
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in _tags(record)]
    number = 1 if record.start.to_move is Color.WHITE else 0  # turns before the first, counted from Black's
    result = record.result if is_result(record.result) else "*"
    wrapped = _wrapped([*_line_pieces(record.line, number, 0), result])
    return "\n".join([*lines, "", *wrapped, ""])


def format_records(records: Iterable[Record]) -> Iterator[str]:
    """Yield the text of many games, piece by piece; the pieces one after the other are the file.

    Raises:
        RecordError: as for `format_record`.
    """
    for number, record in enumerate(records):
        yield ("\n" if number else "") + format_record(record)


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    pairs = record.tags.pairs
    roster = len(ROSTER) - 1  # all but Result are always there, and first
    yield from pairs[:roster]
    yield "Result", clean(record.result)
    yield from rules_tags(record.start)
    yield from pairs[roster:]


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _line_pieces(line: Line, number: int, depth: int) -> list[str]:
    """Return a line of play in pieces; a text line may end between them and at a blank in one, not at `_GLUE`.

    ``number`` counts the turns before it from Black's first.
    """
    if line.packed is not None and (packed := _packed_pieces(line.packed, number)) is not None:
        return [*map(_in_braces, line.comments), *packed]
    pieces = [*map(_in_braces, line.comments)]
    numbered = True  # a move has its number at first, after a comment or variation, and when it is Black's
    for at, node in enumerate(line.nodes, number):
        pieces.append(_numbered(at, str(node.move)) if numbered or at % 2 == 0 else str(node.move))
        notes = _node_pieces(node, at, depth)
        numbered = bool(notes)
        pieces += [f"${nag}" for nag in node.nags]
        pieces += notes
    return pieces


def _numbered(turn: int, move: str) -> str:
    return f"{turn // 2 + 1}{'...' if turn % 2 else '.'}{_GLUE}{move}"


_NUMBERS: Final = [_numbered(turn, "") for turn in range(256)]
_BLACK_NUMBERS: Final = [head if turn % 2 == 0 else "" for turn, head in enumerate(_NUMBERS)]


def _packed_pieces(packed: PackedTurns, number: int) -> list[str] | None:
    """Return the pieces of turns whose comments are as this program writes them; ``None`` for others."""
    turns = len(packed.moves)
    if packed.read is not _read_braces or number + turns >= len(_NUMBERS):
        return None
    heads = _BLACK_NUMBERS[number : number + turns + 1]
    heads[0] = _NUMBERS[number]
    pieces = [*map(_WORDS.__getitem__, packed.moves)]
    if packed.comments:
        bodies = as_written(packed.comments)
        if bodies is None or len(set(packed.commented)) < len(bodies):  # a move has two comments
            return None
        for turn, body in zip(packed.commented, bodies, strict=True):
            pieces[turn] += f" {{{body}}}"
            heads[turn + 1] = _NUMBERS[number + turn + 1]  # shown where a comment ends before it, too
    return [*map(add, heads, pieces)]


def _node_pieces(node: Node, number: int, depth: int) -> list[str]:
    pieces = _note_pieces(node)
    for variation in node.variations:
        if depth == MAX_DEPTH:
            raise RecordError(f"variations nested more than {MAX_DEPTH} deep cannot be written")
        inner = _line_pieces(variation, number, depth + 1) or [""]
        inner[0] = "(" + inner[0]
        inner[-1] += ")"
        pieces += inner
    return pieces


def _wrapped(pieces: list[str]) -> Iterator[str]:
    """Yield the pieces with blanks between them, in lines of up to `COLUMNS` characters."""
    text = " ".join(pieces)
    at = 0
    while len(text) - at > COLUMNS:
        end = text.rfind(" ", at, at + COLUMNS + 1)
        if end < 0 and (end := text.find(" ", at)) < 0:
            break
        yield text[at:end].replace(_GLUE, " ")
        at = end + 1
    yield text[at:].replace(_GLUE, " ")


def _note_pieces(node: Node) -> list[str]:
    """Return the comments of a turn, in braces."""
    commands = [f"[%{name} {text}]" if text else f"[%{name}]" for name, text in written_notes(node)]
    if not commands:
        return [*map(_in_braces, node.comments)]
    text = " ".join([*commands, *map(_escaped, node.comments[:1])])
    return ["{" + _BLANKS.sub(_glued, text) + "}", *map(_in_braces, node.comments[1:])]


def _escaped(text: str) -> str:
    return _TO_ESCAPE.sub(r"\\\g<0>", text)


def _in_braces(comment: str) -> str:
    return "{" + _BLANKS.sub(_glued, _escaped(comment)) + "}"


def _glued(blanks: re.Match[str]) -> str:
    return _GLUE * len(blanks[0])
