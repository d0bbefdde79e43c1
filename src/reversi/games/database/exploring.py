"""Explore a position: the moves played there, and how those games ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from reversi._core import Move, Position, canonical_key, canonical_square
from reversi.games.database.file import DatabaseFile
from reversi.games.database.rows import rules_salt
from reversi.games.database.searching import conditions_of
from reversi.games.selection import Selection
from reversi.openings.names import Opening, opening_of_position

_NONE = 255  # the move of a game's last position
_QUESTION = """
select p.move, count(*), count(*) filter (g.winner = 1), count(*) filter (g.winner = 0),
       count(*) filter (g.winner = -1), avg(g.score), min(g.year), max(g.year)
from positions p join games g on g.id = p.game where {} group by p.move
"""


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
        score: the mean of Black's lead in discs, of the games with a score; `None` without any.
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
    """What a database has on a position.

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


def explore(database: DatabaseFile, position: Position, selection: Selection, minimum: int) -> Exploration:
    """Return what was played in a position; see `Database.explore`."""
    conditions, parameters = conditions_of(database, selection)
    rows = database.rows(
        _QUESTION.format(" and ".join(["p.key = ?", *conditions])),
        [canonical_key(position, rules_salt(position.rules)), *parameters],
    )
    squares: dict[int, list[Move]] = {}
    for move in position.legal_moves:
        squares.setdefault(canonical_square(position, move), []).append(move)
    moves = [_tally(position, squares[row[0]], row) for row in rows if row[0] in squares]
    stopped = [_tally(position, [], row) for row in rows if row[0] == _NONE]
    frequent = sorted(
        (tally for tally in moves if tally.games >= minimum), key=lambda tally: (-tally.games, _order(tally))
    )
    return Exploration(
        position,
        opening_of_position(position),
        sum(row[1] for row in rows),
        tuple(frequent),
        stopped[0] if stopped else None,
        len(moves) - len(frequent),
    )


def _order(tally: MoveTally) -> int:
    """Return the place of a move in the order a1, b1, …, pass."""
    return 65 if tally.move is None else tally.move.index


def _tally(position: Position, moves: list[Move], row: tuple[Any, ...]) -> MoveTally:
    _, games, black, draws, white, score, first, last = row
    if not moves:
        return MoveTally(None, (), games, black, draws, white, score, first, last)
    move, *also = moves
    opening = opening_of_position(position.play(move))
    return MoveTally(move, tuple(also), games, black, draws, white, score, first, last, opening)
