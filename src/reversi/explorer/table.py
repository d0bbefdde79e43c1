"""The table of the explorer: every legal move of a position with what is known about it."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from reversi._core import Move, Position
from reversi.arguments import check_type
from reversi.color import Color
from reversi.errors import ReversiError
from reversi.games.exploring import Exploration, MoveTally
from reversi.games.repertoire import RepertoireMove
from reversi.openings.book import BookMove
from reversi.openings.names import Opening
from reversi.score import Kind, MoveValue
from reversi.solver.solution import MoveScore

MARK: Final = "*"
"""What stands behind a move of the repertoire."""


class Column(enum.Enum):
    """What the rows of a table are sorted by.

    Attributes:
        VALUE: the engine's value, the highest first; without one the book's.
        MOVE: the move, in the order a1, b1, …
        BOOK: the book's value, the highest first.
        PEOPLE: the chance that people of a rating play the move, the highest first.
        GAMES: how many games play the move, the most first.
        POINTS: the mover's share of the points in these games, the highest first.
        SCORE: the mover's mean score in discs in these games, the highest first.
        YEARS: the last year in which it was played, the latest first.
    """

    VALUE = "value"
    MOVE = "move"
    BOOK = "book"
    PEOPLE = "people"
    GAMES = "games"
    POINTS = "points"
    SCORE = "score"
    YEARS = "years"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class ExplorerRow:
    """A legal move.

    Attributes:
        move: the move.
        mover: who makes it.
        value: the engine's value and best line, for the mover; ``None`` before its first search ends.
        book: what the opening book has, for the mover; ``None`` where it does not have the move.
        tally: the games of the archive that play the move, or one that is the same by a symmetry of the
            position; ``None`` where no game does.
        opening: the name of the position after the move; ``None`` without one.
        people: the chance that people of the explorer's rating play the move, 0 to 1; ``None`` without a rating.
        repertoire: what the repertoire says of the move; ``None`` where it does not have it.
    """

    move: Move
    mover: Color
    value: MoveScore | None = None
    book: BookMove | None = None
    tally: MoveTally | None = None
    opening: Opening | None = None
    repertoire: RepertoireMove | None = None
    people: float | None = None

    @property
    def games(self) -> int:
        """How many games of the archive play the move."""
        return 0 if self.tally is None else self.tally.games

    @property
    def points(self) -> float | None:
        """The mover's points in the decided games, in percent: a win is 1, a draw 1/2; ``None`` without any."""
        tally = self.tally
        decided = 0 if tally is None else tally.black + tally.draws + tally.white
        if tally is None or not decided:
            return None
        won = tally.black if self.mover is Color.BLACK else tally.white
        return 100 * (won + tally.draws / 2) / decided

    @property
    def score(self) -> float | None:
        """The mover's mean score in discs in the games that have one; ``None`` without any."""
        return None if self.tally is None else self.tally.score


_Key = Callable[[ExplorerRow], float | None]

_KEYS: Final[dict[Column, _Key]] = {
    Column.VALUE: lambda row: (
        row.value.score.value if row.value is not None else row.book.score.value if row.book is not None else None
    ),
    Column.BOOK: lambda row: None if row.book is None else row.book.score.value,
    Column.GAMES: lambda row: row.games,
    Column.POINTS: lambda row: row.points,
    Column.SCORE: lambda row: row.score,
    Column.PEOPLE: lambda row: row.people,
    Column.YEARS: lambda row: None if row.tally is None else row.tally.last,
}


@dataclass(frozen=True, slots=True)
class ExplorerTable:
    """What is known about a position.

    Attributes:
        position: the position.
        rows: its legal moves, in the order a1, b1, …; none where the game is over.
        opening: its name, ``None`` without one.
        exploration: what the archive has on it; ``None`` without an archive, or before it answers.
        error: why there is no archive, and how to get one; ``None`` where it answers.
        last: whether no better table follows.
    """

    position: Position
    rows: tuple[ExplorerRow, ...] = field(repr=False)
    opening: Opening | None = None
    exploration: Exploration | None = None
    error: ReversiError | OSError | None = None
    last: bool = False

    @property
    def problem(self) -> str:
        """Why there is no archive, as text; "" where it answers."""
        return "" if self.error is None else str(self.error)

    @property
    def basis(self) -> MoveValue | None:
        """The engine's value that tells the kind and depth of the table, ``None`` before the first.

        All values have one depth. Those of moves that end the game are exact beside others that are not.
        """
        scores = [row.value.score for row in self.rows if row.value is not None]
        return next((score for score in scores if score.kind is not Kind.EXACT), scores[0] if scores else None)

    def sorted_by(self, column: Column, *, reverse: bool = False) -> tuple[ExplorerRow, ...]:
        """Return the rows by a column, those without a value last; equal ones by games, then by move.

        Args:
            column: the column.
            reverse: the other way round; rows without a value stay last.
        """
        check_type("column", column, Column, advice="Column.GAMES is one")
        if column is Column.MOVE:
            return self.rows[::-1] if reverse else self.rows
        key, sign = _KEYS[column], 1 if reverse else -1
        known = [row for row in self.rows if key(row) is not None]
        known.sort(key=lambda row: (sign * (key(row) or 0), -row.games))
        return (*known, *sorted((row for row in self.rows if key(row) is None), key=lambda row: -row.games))
