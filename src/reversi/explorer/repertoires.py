"""Proposing a repertoire from an opening book, games and searches, and checking one against them.

>>> from reversi import Color
>>> from reversi.explorer.repertoires import OpeningAdviser
>>> from reversi.games import Repertoire
>>> from reversi.openings import default_book, opening_named
>>> adviser = OpeningAdviser(default_book(), share=0.2)
>>> record = adviser.proposed(Color.BLACK, opening_named("Tiger").moves, plies=8)
>>> mine = Repertoire([record])
>>> adviser.size(mine)
RepertoireSize(lines=1, positions=5, hard=3)
>>> list(adviser.problems(mine))
[]
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from types import NoneType
from typing import Final

from reversi._core import PASS, Move, Position, Square, canonical_key, canonical_square
from reversi.arguments import check_type
from reversi.color import Color
from reversi.engine.engine import Engine
from reversi.engine.search import Searcher
from reversi.games.repertoire import AT, TAG, Repertoire
from reversi.openings.book import Books
from reversi.records.notes import RecordedScore
from reversi.records.record import Line, Node, Record, Tags
from reversi.records.replay import legal_positions
from reversi.score import Kind, MoveValue
from reversi.text.counting import counted
from reversi.text.transcripts import format_transcript

LEVEL: Final = 16
"""The level of the searches where the book ends, when not given."""

_FIRST: Final = Square("f5")
_LEAST: Final = 20  # games that a position needs, so that shares of them count
_VALUED: Final = 4  # moves that a search values where that is enough
_QUICK_LEVEL: Final = 8  # of the searches that only say how hard a move is: there are many of them


@dataclass(frozen=True, slots=True)
class ExpectedMove:
    """A move that is to be expected of an opponent.

    Attributes:
        move: the move.
        games: how many games play it.
        share: their share of the games that have the position, from 0 to 1; 0 without games.
        value: its value for the opponent by the book, ``None`` where that does not have it.
    """

    move: Move
    games: int
    share: float
    value: MoveValue | None

    def __str__(self) -> str:
        games = f"{counted(self.games, 'game')}, {self.share:.0%}" if self.games else "no games"
        return games if self.value is None else f"{games}, {self.value.value:+d} by the book"


@dataclass(frozen=True, slots=True)
class RepertoireSize:
    """How much there is to learn in a repertoire.

    Attributes:
        lines: the lines, each up to its end or to a position of an earlier one.
        positions: the positions that ask for a move.
        hard: those where the move has to be known, see `OpeningAdviser.is_hard`.
    """

    lines: int
    positions: int
    hard: int


class ProblemKind(enum.Enum):
    """What can be wrong with a position of a repertoire. The values are stable."""

    MISSING = "missing"
    """It lacks a move that is to be expected of an opponent."""
    UNANSWERED = "unanswered"
    """A line ends with a move of an opponent."""
    LOSS = "loss"
    """A move of its color loses more than it may."""
    DISAGREEMENT = "disagreement"
    """It has other moves where a position is reached in another order of moves, or mirrored."""


@dataclass(frozen=True, slots=True)
class RepertoireProblem:
    """Something that is wrong with a repertoire.

    Attributes:
        kind: what is wrong.
        text: the same in words, in one line.
        position: where.
        path: the moves that lead there.
        move: the move that is missing, or that loses; ``None`` for none.
        games: how many games play the move that is missing.
        loss: the discs that a move loses, ``None`` for another problem.
    """

    kind: ProblemKind
    text: str
    position: Position
    path: tuple[Move, ...]
    move: Move | None = None
    games: int = 0
    loss: int | None = None


def reached(records: Iterable[Record], placements: int) -> Iterator[set[int]]:
    """Yield the keys, up to symmetry, of the positions that each game has, to count how many games have them.

    Args:
        records: the games, each of which counts up to its first illegal move.
        placements: how many discs of each game count.
    """
    for record in records:
        least = record.start.rules.board.cells - 4 - placements
        played = legal_positions(record.line.nodes, record.start)
        yield {canonical_key(position) for position in takewhile(lambda at: at.empties >= least, played)}  # noqa: B023


class OpeningAdviser:
    """Says which moves are sound and which are to be expected, by a book, games, and searches where these end.

    Args:
        book: the opening book, ``None`` for none.
        games: how many games of an archive have each position, see `reached`. Where they are too few, the games
            that the book counts take their place.
        level: the level of the searches where the book has no value.
        error: the discs that a sound move may lose.
        share: the share of the games that a move needs to be expected, from 0 to 1.
    """

    def __init__(
        self,
        book: Books | None,
        games: Mapping[int, int] | None = None,
        *,
        level: int | str = LEVEL,
        error: int = 1,
        share: float = 0.05,
    ) -> None:
        check_type("book", book, Books, NoneType, advice="default_book() is one")
        self._book = book
        self._games = games or {}
        self._engine, self._quick_engine = Engine(level), Engine(_QUICK_LEVEL)
        self._quick = Searcher(1)
        self._error = error
        self._share = share
        self._valued: dict[int, dict[int, MoveValue]] = {}

    # --- one position

    def answers(self, position: Position) -> list[ExpectedMove]:
        """Return the moves that are to be expected of an opponent, most frequent first.

        They are sound by the book, or enough games play them.
        """
        values, every = self._booked(position), self._played(position)
        sound = self._sound(values)
        found: dict[int, ExpectedMove] = {}
        for move in _legal(position):
            square, games = canonical_square(position, move), self._played(position, move)
            if square in sound or (games and games >= self._share * every):
                share = games / every if every else 0.0
                found.setdefault(square, ExpectedMove(move, games, share, values.get(square)))
        return sorted(found.values(), key=lambda answer: (-answer.games, answer.move))

    def choice(self, position: Position) -> tuple[Move, MoveValue]:
        """Return the move to play and its value: of the sound ones the one that most games play."""
        sound = self._sound(self._values(position))
        moves = {
            move: square for move in _legal(position) if (square := canonical_square(position, move)) in sound
        }
        best = max(moves, key=lambda move: (self._played(position, move), sound[moves[move]].value))
        return best, sound[moves[best]]

    def loss(self, position: Position, move: Move) -> int:
        """Return how many discs a move loses, compared with the best one."""
        square, values = canonical_square(position, move), self._values(position)
        if square not in values:
            values = self._searched(position, len(position.legal_moves), self._engine)
        return next(iter(values.values())).value - values[square].value

    def is_hard(self, position: Position, move: Move) -> bool:
        """Return whether a move has to be known: others are sound, too, or a search of one ply finds another.

        Which moves are sound, the book says, else a short search at the same level for every adviser.
        """
        sound = self._sound(self._stays(position) or self._searched(position, _VALUED, self._quick_engine))
        self._quick.clear()
        found = self._quick.search(position, depth=1).moves[0].move
        return not sound.keys() == {canonical_square(position, found)} == {canonical_square(position, move)}

    def _sound(self, values: dict[int, MoveValue]) -> dict[int, MoveValue]:
        best = next((value.value for value in values.values()), 0)
        return {square: value for square, value in values.items() if value.value >= best - self._error}

    def _values(self, position: Position) -> dict[int, MoveValue]:
        """Return the values of the best moves by their canonical squares, best first.

        They are the book's unless its best move leaves it: then it has no value for the others.
        """
        key = canonical_key(position)
        if key not in self._valued:
            self._valued[key] = self._stays(position) or self._searched(position, _VALUED, self._engine)
        return self._valued[key]

    def _stays(self, position: Position) -> dict[int, MoveValue]:
        """Return the book's values where its best move stays in it."""
        booked = self._booked(position)
        return booked if booked and next(iter(booked.values())).kind is Kind.BOOK else {}

    def _booked(self, position: Position) -> dict[int, MoveValue]:
        return {} if self._book is None else _by_square(position, self._book.values(position).items())

    def _searched(self, position: Position, count: int, engine: Engine) -> dict[int, MoveValue]:
        return _by_square(position, ((each.move, each.score) for each in engine.hint(position, count)))

    def _played(self, position: Position, move: Move | None = None) -> int:
        """Return how many games have a position, or play a move there; 0 where they are too few to say."""
        after = position if move is None else position.play(move)
        if self._games.get(canonical_key(position), 0) >= _LEAST:
            return self._games.get(canonical_key(after), 0)
        entry = None if self._book is None else self._book.get(position)
        if self._book is None or entry is None or entry.games < _LEAST:
            return 0
        if move is None:
            return entry.games
        return next((choice.games for choice in self._book.moves(position) if choice.move == move), 0)

    # --- a repertoire

    def proposed(
        self,
        color: Color,
        moves: Sequence[Move] = (),
        start: Position | None = None,
        *,
        plies: int = 20,
        progress: Callable[[int], None] | None = None,
    ) -> Record:
        """Return a repertoire: one move of the color in each position, and the moves to be expected of opponents.

        Args:
            color: whose repertoire it is.
            moves: the moves that lead to where it begins, passes included.
            start: where they begin, the standard start when not given.
            plies: opponents are followed until so many discs are placed.
            progress: called with the number of positions, each time that there is one more.

        Raises:
            IllegalMoveError: a move is not legal.
        """
        start = position = Position() if start is None else start
        for move in moves:
            position = position.play(move)
        seen: set[int] = set()

        def nodes(position: Position) -> list[Node]:
            key = canonical_key(position)
            if position.is_over or key in seen:
                return []
            mine = position.to_move is color
            if not mine and position.rules.board.cells - 4 - position.empties >= plies:
                return []
            seen.add(key)
            if progress is not None:
                progress(len(seen))
            lines = [[node, *nodes(position.play(node.move))] for node in self._nodes(position, mine=mine)]
            if not lines:
                return []
            lines[0][0].variations = tuple(map(Line, lines[1:]))
            return lines[0]

        line = Line([*map(Node, moves), *nodes(position)])
        tags = Tags({"Event": f"Repertoire for {color}", TAG: str(color)})
        if moves:
            tags[AT] = format_transcript(moves)
        return Record(tags, start, line)

    def _nodes(self, position: Position, *, mine: bool) -> list[Node]:
        if not position.legal_moves.placements:
            return [Node(PASS)]
        if mine:
            move, value = self.choice(position)
            return [Node(move, evaluation=RecordedScore.of(value))]
        return [
            Node(
                answer.move,
                comments=(counted(answer.games, "game"),) if answer.games else (),
                evaluation=None if answer.value is None else RecordedScore.of(answer.value),
            )
            for answer in self.answers(position)
        ]

    def size(self, repertoire: Repertoire) -> RepertoireSize:
        """Return how much there is to learn in a repertoire.

        Raises:
            RecordError: it does not say for which color it is.
        """
        questions = list(repertoire.questions())
        lines = len(repertoire.starts) + sum(max(len(repertoire.moves(at)) - 1, 0) for at in repertoire.walk())
        hard = sum(self.is_hard(at, repertoire.moves(at)[0].move) for at in questions)
        return RepertoireSize(lines, len(questions), hard)

    def problems(
        self, repertoire: Repertoire, progress: Callable[[int], None] | None = None
    ) -> Iterator[RepertoireProblem]:
        """Yield what is wrong with a repertoire, from where its games begin to be judged.

        Args:
            repertoire: the repertoire.
            progress: called with the number of positions checked.

        Raises:
            RecordError: it does not say for which color it is.
        """
        disagreeing = {canonical_key(at): ways for at, ways in repertoire.disagreements()}
        for number, position in enumerate(repertoire.judged(), 1):
            if progress is not None:
                progress(number)
            found = partial(RepertoireProblem, position=position, path=repertoire.path(position))
            known = repertoire.moves(position)
            if not position.legal_moves.placements:
                continue
            if not repertoire.is_mine(position):
                for answer in self.answers(position) if known else ():
                    if repertoire.find(position, answer.move) is None:
                        text = f"no answer to {answer.move} ({answer})"
                        yield found(ProblemKind.MISSING, text, move=answer.move, games=answer.games)
                continue
            if not known:
                yield found(ProblemKind.UNANSWERED, "the line ends with a move of the opponent")
            for choice in known:
                if (loss := self.loss(position, choice.move)) > self._error:
                    text = f"{choice.move} loses {counted(loss, 'disc')}; {self.choice(position)[0]} is better"
                    yield found(ProblemKind.LOSS, text, move=choice.move, loss=loss)
            if ways := disagreeing.get(canonical_key(position)):
                texts = (
                    f"{'/'.join(map(str, moves))} after {format_transcript(way)}" for way, moves in ways.items()
                )
                yield found(ProblemKind.DISAGREEMENT, f"the answers differ: {', '.join(texts)}")


def _legal(position: Position) -> list[Move]:
    """Return the legal moves; of the first ones f5 stands for all, as in the names of openings."""
    return sorted(position.legal_moves, key=lambda move: move != _FIRST)


def _by_square(position: Position, values: Iterable[tuple[Move, MoveValue]]) -> dict[int, MoveValue]:
    """Return the values of moves, best first, by their canonical squares: of symmetric ones the best."""
    found: dict[int, MoveValue] = {}
    for move, value in values:
        found.setdefault(canonical_square(position, move), value)
    return found
