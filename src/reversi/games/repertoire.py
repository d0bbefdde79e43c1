"""A repertoire: the moves that somebody wants to play, and the answers to them, in a game file with variations.

Any game file is one; several games of it are one repertoire. Positions that are the same by a symmetry of the
board, or that are reached by moves in another order, are one position of it.

The tag ``Repertoire "Black"`` says whose moves it teaches, and ``RepertoireAt "Tiger"``, the name of an opening or
moves, from where on it has all answers. A comment that begins with ``weight 3``, ``120 games`` or ``40%`` says how
much a move weighs among the others of its position; without one it weighs 1 for each time that it is written.

>>> from reversi import Position
>>> from reversi.games import Repertoire
>>> rabbit = Repertoire.read('1. f5 d6 (1... f6 {weight 2} 2. e6) 2. c5 *')
>>> position = Position().play("c4").play("e3")
>>> [str(choice.move) for choice in rabbit.moves(position)], len(rabbit)
(['f4'], 4)
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import NoneType
from typing import Final

import reversi._regex as re
from reversi._core import Move, Position, Random, canonical_key, canonical_square
from reversi.arguments import TEXT_TO_POSITION, FilePath, check_type, excerpt
from reversi.color import Color
from reversi.errors import IllegalMoveError, InputError, RecordError
from reversi.inputs.input import Input, moves_or_text, resolve
from reversi.inputs.place import Place
from reversi.openings.names import OpeningError, opening_named
from reversi.records.findings import UNDERSTOOD
from reversi.records.notes import RecordedScore
from reversi.records.record import Line, Node, Record
from reversi.rules import OTHELLO, Rules

TAG: Final = "Repertoire"
"""The tag that says whose moves a repertoire teaches: ``Black`` or ``White``."""

AT: Final = "RepertoireAt"
"""The tag that says from where on a repertoire has all answers: the name of an opening, or moves."""

_COLORS: Final = {str(color).casefold(): color for color in Color}
_WEIGHT = re.compile(
    r"(?:weight\s+(?P<weight>\d+(?:\.\d+)?)|(?P<games>\d+(?:\.\d+)?)\s*(?:games?\b|%))(?=\s*(?:[,;:.(]|$))"
)
_ONE: Final = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class RepertoireMove:
    """A move of a repertoire.

    Attributes:
        move: the move, in the orientation of the position asked about.
        also: moves that are the same by a symmetry of the position.
        weight: how much it weighs among the moves of its position.
        comment: what is written about it, ``""`` for nothing.
        evaluation: the value that it is given, for the player who makes it, ``None`` without one.
    """

    move: Move
    also: tuple[Move, ...] = ()
    weight: float = 1.0
    comment: str = ""
    evaluation: RecordedScore | None = None


@dataclass(frozen=True, slots=True)
class Departure:
    """Where a game leaves a repertoire.

    Attributes:
        ply: how many turns are played before.
        position: the last position of the game that the repertoire has.
        move: what is played there.
        known: the moves of the repertoire there; none where it ends.
    """

    ply: int
    position: Position
    move: Move
    known: tuple[RepertoireMove, ...]

    @property
    def color(self) -> Color:
        """The color of the player who leaves it."""
        return self.position.to_move

    @property
    def ended(self) -> bool:
        """Whether the repertoire ends there, so that nobody leaves it."""
        return not self.known


@dataclass(slots=True)
class _Place:
    """A position of a repertoire, as it is first written, with the numbers of the squares that lead there.

    The turns that make each move are by its canonical square, and so is what these say together, once somebody has
    asked; the squares of its moves are by the paths that lead there.
    """

    position: Position
    path: bytes
    nodes: dict[int, list[Node]] = field(default_factory=dict)
    ways: dict[bytes, set[int]] = field(default_factory=dict)
    known: dict[int, RepertoireMove] = field(default_factory=dict)


class Repertoire:
    """What games with variations have in each position.

    Args:
        records: the games.
        color: whose moves it teaches. Games whose tag names the other color are left out.
        source: what messages call it.

    Attributes:
        color: as given, else what the games say; ``None`` where they do not say it, or not the same.
        source: as given.
        records: the games that count.
        starts: where the games begin, each position once.
        begins: from where on each game has all answers, by its tag ``RepertoireAt``; else its start.

    Raises:
        RecordError: an illegal move, games under different rules, a tag that names no color, or no game of the
            color.
    """

    def __init__(self, records: Iterable[Record] = (), color: Color | None = None, *, source: str = "") -> None:
        check_type("color", color, Color, NoneType)
        self.color: Color | None = color
        self.source: str = source
        self._places: dict[int, _Place] = {}
        colors: set[Color] = set()
        games: list[Record] = []
        starts: dict[int, Position] = {}
        begins: dict[int, Position] = {}
        for number, record in enumerate(records, 1):
            check_type("record", record, Record)
            said = self._color_of(record, number)
            colors |= {said} if said else set()
            if color is None or said in (None, color):
                games.append(record)
                starts.setdefault(canonical_key(record.start), record.start)
                self._rules = games[0].rules
                begin = self._added(record, number)
                begins.setdefault(canonical_key(begin), begin)
        self.records: tuple[Record, ...] = tuple(games)
        self.starts: tuple[Position, ...] = tuple(starts.values())
        self.begins: tuple[Position, ...] = tuple(begins.values())
        if color is None and len(colors) == 1:
            self.color = colors.pop()
        elif color is not None and colors and not games:
            raise RecordError(f"it is a repertoire for {color.opponent}, not for {color}", source=source)

    @classmethod
    def read(
        cls, source: FilePath, color: Color | None = None, *, rules: Rules = OTHELLO, encoding: str = ""
    ) -> Repertoire:
        """Return the repertoire that a person gives.

        Args:
            source: a file of games, one game of it as in ``mine.pgn#3``, the name of an opening, or moves.
            color: whose moves it teaches; what the file says when not given.
            rules: the rules of games that do not name their own.
            encoding: the encoding of a file, as in `reversi.open_records`.

        Raises:
            InputError: there is no game in it, or something is wrong with one; the message says where.
            OSError: it cannot be read.
        """
        if isinstance(source, str):
            return repertoire_of(resolve(moves_or_text(source)).read_as(encoding), color, rules)
        return repertoire_of(Input(Place(os.fspath(source))).read_as(encoding), color, rules)

    def __repr__(self) -> str:
        return f"<Repertoire {self.source or self.color or ''} of {len(self)} positions>"

    # --- reading

    def _color_of(self, record: Record, number: int) -> Color | None:
        text = record.tags.get(TAG, "")
        color = _COLORS.get(text.strip().casefold())
        if text and color is None:
            what = f"the tag {TAG} is Black or White, not {excerpt(text)}"
            raise RecordError(f"game {number}: {what}", source=self.source)
        return color

    def _added(self, record: Record, number: int) -> Position:
        """Add a game, and return from where on it has all answers."""
        if not record.rules.same_play(self._rules):
            what = f"game {number}: its rules are {record.rules}, those of the first game {self._rules}"
            raise RecordError(what, source=self.source)
        self._place(record.start, b"")
        for path, position, node, after in self._turns(record.line, record.start, b"", number):
            place, square = self._place(position, path), canonical_square(position, node.move)
            place.nodes.setdefault(square, []).append(node)
            place.ways.setdefault(path, set()).add(square)
            self._place(after, path + bytes((node.move.index,)))
        text, begin = record.tags.get(AT, ""), record.start
        try:
            with contextlib.suppress(OpeningError):
                text = opening_named(text).transcript
            for move in begin.parse_moves(text):
                begin = begin.play(move)
        except InputError as error:
            raise RecordError(f"game {number}: the tag {AT}: {error}", source=self.source) from None
        if begin not in self:
            raise RecordError(f"game {number}: it does not reach {record.tags[AT]}, its {AT}", source=self.source)
        return begin

    def _turns(
        self, line: Line, position: Position, path: bytes, number: int
    ) -> Iterator[tuple[bytes, Position, Node, Position]]:
        """Yield each turn of a line and of its variations: path and position before it, and position after it."""
        for node in line.nodes:
            try:
                after = node.played_on(position)
            except IllegalMoveError as error:
                what = f"game {number}: ply {len(path) + 1}: {node.move} is not allowed: {error.reason}"
                source = f"{self.source}:{node.source_line}" if self.source and node.source_line else self.source
                raise RecordError(what, node.source_line, source=source) from None
            yield path, position, node, after
            for variation in node.variations:
                yield from self._turns(variation, position, path, number)
            position, path = after, path + bytes((node.move.index,))

    def _place(self, position: Position, path: bytes) -> _Place:
        key = canonical_key(position)
        if key not in self._places:
            self._places[key] = _Place(position, path)
        return self._places[key]

    # --- positions

    def _get(self, position: Position) -> _Place | None:
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        place = self._places.get(canonical_key(position))
        return place if place is not None and position.rules.same_play(self._rules) else None

    def __len__(self) -> int:
        """Return how many positions have a move."""
        return sum(bool(place.nodes) for place in self._places.values())

    def __contains__(self, position: object) -> bool:
        """Return whether it has a position, also as the end of a line."""
        return isinstance(position, Position) and self._get(position) is not None

    def moves(self, position: Position) -> tuple[RepertoireMove, ...]:
        """Return its moves in a position, in the order of the file; none where it does not have it or ends."""
        place = self._get(position)
        if place is None or not place.nodes:
            return ()
        squares: dict[int, list[Move]] = {}
        for move in position.legal_moves:
            squares.setdefault(canonical_square(position, move), []).append(move)
        place.known = place.known or {square: _merged(nodes) for square, nodes in place.nodes.items()}
        return tuple(_turned(known, squares[square]) for square, known in place.known.items())

    def find(self, position: Position, move: Move) -> RepertoireMove | None:
        """Return what it has on a move in a position, or on one that is the same; ``None`` for nothing."""
        return next((known for known in self.moves(position) if move in (known.move, *known.also)), None)

    def draw(self, position: Position, random: Random) -> Move | None:
        """Return one of its moves in a position, by their weights; ``None`` where it has none."""
        moves = self.moves(position)
        return drawn(moves, random).move if moves else None

    # --- whose moves they are

    @property
    def side(self) -> Color:
        """The color whose moves it teaches.

        Raises:
            RecordError: it does not say so.
        """
        if self.color is None:
            way = f'put the tag [{TAG} "Black"] in front of each game, or "White"; or give the color'
            raise RecordError(f"it does not say whose moves it teaches; {way}", source=self.source)
        return self.color

    def is_mine(self, position: Position) -> bool:
        """Return whether the color to move is that of the repertoire."""
        return position.to_move is self.side

    def questions(self) -> Iterator[Position]:
        """Yield the positions that ask for a move of its color, each once, as in `walk`; no forced passes."""
        for position in self.walk():
            place = self._places[canonical_key(position)]
            if self.is_mine(position) and place.nodes and position.legal_moves.placements:
                yield position

    # --- lines

    def walk(self) -> Iterator[Position]:
        """Yield every position once, as it is first written, those after fewer plies first."""
        for place in sorted(self._places.values(), key=lambda place: len(place.path)):
            yield place.position

    def judged(self) -> Iterator[Position]:
        """Yield the positions of ``begins`` and those that follow them, as in `walk`."""
        keys, waiting = set[int](), list(self.begins)
        while waiting:
            position = waiting.pop()
            if (key := canonical_key(position)) not in keys:
                keys.add(key)
                waiting += [position.play(choice.move) for choice in self.moves(position)]
        return (position for position in self.walk() if canonical_key(position) in keys)

    def path(self, position: Position) -> tuple[Move, ...]:
        """Return the moves that lead to a position, or to one symmetric to it, as they are first written.

        They lead exactly to the positions that `walk` and `questions` yield.

        Raises:
            KeyError: it does not have the position.
        """
        place = self._get(position)
        if place is None:
            raise KeyError(position)
        return Line.of_numbers(place.path).moves

    def disagreements(self) -> Iterator[tuple[Position, dict[tuple[Move, ...], tuple[Move, ...]]]]:
        """Yield the positions that several paths lead to, and where the file has other moves of its color on each.

        Yields:
            The position, and for each path its moves, in the orientation of the position.
        """
        for position in self.questions():
            ways = self._places[canonical_key(position)].ways
            if len(set(map(frozenset, ways.values()))) > 1:
                moves = {canonical_square(position, move): move for move in reversed([*position.legal_moves])}
                yield (
                    position,
                    {Line.of_numbers(path).moves: tuple(moves[at] for at in sorted(ways[path])) for path in ways},
                )

    def departure(self, moves: Iterable[Move], start: Position | None = None) -> Departure | None:
        """Return where a game leaves it for the last time; ``None`` while it is inside, or never was.

        A game that comes back by moves in another order has not left.

        Args:
            moves: the moves of the game, passes included; a wrong one ends it.
            start: where the game starts; the standard start when not given.
        """
        position = Position() if start is None else start
        found: Departure | None = None
        for ply, move in enumerate(moves):
            try:
                after = position.play(move)
            except IllegalMoveError:
                break
            if position in self:
                known = self.moves(position)
                found = None if self.find(position, move) else Departure(ply, position, move, known)
            position = after
        return None if position in self else found


def drawn(moves: Sequence[RepertoireMove], random: Random) -> RepertoireMove:
    """Return one of several moves, by their weights."""
    at = random.below(_ONE) / _ONE * sum(choice.weight for choice in moves)
    for choice in moves:
        at -= choice.weight
        if at < 0:
            return choice
    return moves[-1]


def repertoire_of(given: Input, color: Color | None = None, rules: Rules = OTHELLO) -> Repertoire:
    """Return the repertoire in an input; see `Repertoire.read`."""
    repertoire = Repertoire(_records_of(given, rules), color, source=given.name)
    if not repertoire.starts:
        raise RecordError("there is no game in it", source=given.name)
    return repertoire


def _records_of(given: Input, rules: Rules) -> Iterator[Record]:
    """Yield the games of an input, whose plies may be limited.

    Raises:
        InputError: something is wrong with the writing of a game.
    """
    for entry in given.entries(rules):
        for finding in entry.findings:
            if finding.code not in UNDERSTOOD:
                source = f"{given.name}:{finding.line}" if given.name and finding.line else given.name
                raise RecordError(f"game {entry.number}: {finding.message}", finding.line or 0, source=source)
        record = entry.record
        if given.place.ply is not None:
            record.line = Line(record.line.nodes[: given.place.ply], record.line.comments)
        yield record
    for problem in given.problems:
        raise InputError(problem)


def _merged(nodes: list[Node]) -> RepertoireMove:
    """Return a move with all that several places of a file say about it."""
    comments = dict.fromkeys(comment for node in nodes for comment in node.comments)
    weights = [float(found["weight"] or found["games"]) for text in comments if (found := _WEIGHT.match(text))]
    return RepertoireMove(
        nodes[0].move,
        (),
        max(weights, default=float(len(nodes))),
        " ".join(comments),
        next((node.evaluation for node in nodes if node.evaluation is not None), None),
    )


def _turned(known: RepertoireMove, moves: list[Move]) -> RepertoireMove:
    """Return a move in the orientation of a position, where it is one of these; as it is written if it can be."""
    first = known.move if known.move in moves else moves[0]
    return replace(known, move=first, also=tuple(move for move in moves if move != first))
