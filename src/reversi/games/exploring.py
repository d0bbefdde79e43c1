"""Explore a position: the moves played there, and how those games ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from reversi._core import Move, Position, canonical_key, canonical_square
from reversi.color import Color
from reversi.games.selection import passed
from reversi.openings.names import Opening, opening_of_position
from reversi.records.facts import facts_of
from reversi.records.record import Record

_NONE: Final = 255  # the move of a game's last position


@dataclass(slots=True)
class MoveCounts:
    """How the games ended that play a move.

    Attributes:
        games: how many games.
        black: how many Black won.
        draws: how many are draws.
        white: how many White won.
        total: the sum of the scores for Black, in discs.
        scored: how many games have one.
        first: the first year, `None` if unknown.
        last: the last year, `None` if unknown.
    """

    games: int = 0
    black: int = 0
    draws: int = 0
    white: int = 0
    total: int = 0
    scored: int = 0
    first: int | None = None
    last: int | None = None

    def merge(self, other: MoveCounts) -> None:
        """Count the games of another."""
        for name in ("games", "black", "draws", "white", "total", "scored"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.first = min((year for year in (self.first, other.first) if year is not None), default=None)
        self.last = max((year for year in (self.last, other.last) if year is not None), default=None)


def merged(counts: dict[int, MoveCounts], more: Mapping[int, MoveCounts]) -> None:
    """Add to counts what other games play."""
    for move, numbers in more.items():
        counts.setdefault(move, MoveCounts()).merge(numbers)


def counts_of(records: Iterable[Record], position: Position) -> dict[int, MoveCounts]:
    """Return what games play in a position, or in one symmetric to it.

    Args:
        records: the games; those with an illegal move and those under other rules do not count.
        position: the position.

    Returns:
        The counts by the move: a square of the symmetric position that stands for all, 64 a pass, 255 for games
        that stop there.
    """
    counts: dict[int, MoveCounts] = {}
    key, empties = canonical_key(position), position.empties
    for record in records:
        found = passed(record, position.rules, empties, key)
        if found is not None and (facts := facts_of(record)).legal:
            ply, now = found
            move = canonical_square(now, record.moves[ply]) if ply < len(record.moves) else _NONE
            ways = (Color.BLACK, None, Color.WHITE)
            black, draws, white = (int(facts.decided and facts.winner is way) for way in ways)
            score, year = facts.score, facts.year
            game = MoveCounts(1, black, draws, white, score or 0, int(score is not None), year, year)
            counts.setdefault(move, MoveCounts()).merge(game)
    return counts


def ply_at(record: Record, position: Position) -> int:
    """Return after how many plies a game passes a position, or one symmetric to it; 0 where it does not."""
    found = passed(record, position.rules, position.empties, canonical_key(position))
    return 0 if found is None else found[0]


@dataclass(frozen=True, slots=True)
class MoveTally:
    """The games that play a move in a position, or stop there.

    Attributes:
        move: the move, in the orientation of the position asked about; `None` for games that stop there.
        also: moves that are the same by a symmetry of the position, and counted with it.
        games: how many games.
        black: how many Black won.
        draws: how many are draws.
        white: how many White won.
        score: the mean score for the player to move, in discs, of the games that have one; `None` without any.
        first: the first year, `None` if unknown.
        last: the last year, `None` if unknown.
        opening: the name of the position after the move, `None` without one.
    """

    move: Move | None
    also: tuple[Move, ...]
    games: int
    black: int
    draws: int
    white: int
    score: float | None
    first: int | None
    last: int | None
    opening: Opening | None = None


@dataclass(frozen=True, slots=True)
class Exploration:
    """What games have on a position.

    Attributes:
        position: the position.
        opening: its name, `None` without one.
        games: how many games reached it.
        moves: the moves played, most frequent first.
        stopped: the games whose last position it is, `None` without any.
        rare: how many moves are left out because fewer games play them than asked for.
    """

    position: Position
    opening: Opening | None
    games: int
    moves: tuple[MoveTally, ...] = field(repr=False)
    stopped: MoveTally | None
    rare: int = 0


def exploration_of(position: Position, counts: Mapping[int, MoveCounts], minimum: int) -> Exploration:
    """Return what is known of a position.

    Args:
        position: the position.
        counts: what games play there, see `counts_of`.
        minimum: leave out moves that fewer games play.
    """
    squares: dict[int, list[Move]] = {}
    for move in position.legal_moves:
        squares.setdefault(canonical_square(position, move), []).append(move)
    moves = [_tally(position, squares[move], numbers) for move, numbers in counts.items() if move in squares]
    stopped = counts.get(_NONE)
    frequent = sorted(
        (tally for tally in moves if tally.games >= minimum), key=lambda tally: (-tally.games, _order(tally))
    )
    return Exploration(
        position,
        opening_of_position(position),
        sum(numbers.games for numbers in counts.values()),
        tuple(frequent),
        None if stopped is None else _tally(position, [], stopped),
        len(moves) - len(frequent),
    )


def _order(tally: MoveTally) -> int:
    """Return the place of a move in the order a1, b1, …, pass."""
    return 65 if tally.move is None else tally.move.index


def _tally(position: Position, moves: list[Move], counts: MoveCounts) -> MoveTally:
    move = moves[0] if moves else None
    sign = 1 if position.to_move is Color.BLACK else -1
    return MoveTally(
        move,
        tuple(moves[1:]),
        counts.games,
        counts.black,
        counts.draws,
        counts.white,
        sign * counts.total / counts.scored if counts.scored else None,
        counts.first,
        counts.last,
        None if move is None else opening_of_position(position.play(move)),
    )
