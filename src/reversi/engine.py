"""Choosing a move: exact when few squares are empty, a small look-ahead search before that.

The look-ahead is bounded by positions, not by time, so a choice depends on nothing but the position, the level and
the seed: the same on every machine. Its values are heuristic, and its scores say so.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from reversi._core import PASS, Move, Position, Random
from reversi.color import Color
from reversi.errors import GameError, InputError
from reversi.heuristic import UNIT, evaluate, square_order
from reversi.rules import Rules
from reversi.score import Kind, Score
from reversi.solver import Solution, Solver

__all__ = ["DEFAULT_LEVEL", "MAX_LEVEL", "Choice", "Engine", "exact_empties"]

DEFAULT_LEVEL: Final = 5
MAX_LEVEL: Final = 60

_NODES = 60_000
"""Positions one look-ahead may reach: some tenths of a second."""
_HASH_MB = 16
_INFINITY = 1 << 30


@dataclass(frozen=True, slots=True)
class Choice:
    """A move the engine would play.

    Attributes:
        move: the move.
        score: its value for the player to move, with its kind.
        pv: the principal variation, beginning with the move; passes are in it.
    """

    move: Move
    score: Score
    pv: tuple[Move, ...]


def exact_empties(rules: Rules, level: int) -> int:
    """With how many empty squares or fewer an engine of ``level`` chooses by solving the position.

    Without mandatory capture nearly every empty square is a move, and a skip adds one more, so the number is
    smaller there.
    """
    limit = 16 if rules.mandatory_capture else 12
    if rules.optional_skip:
        limit -= 4 if rules.mandatory_capture else 2
    return min(limit, 2 * level + 2)


class Engine:
    """Chooses moves. Two engines with the same level and seed choose alike.

    Args:
        level: plies to look ahead, 1 to :data:`MAX_LEVEL`; it also says how early positions are solved
            (:func:`exact_empties`). A look-ahead that would take too long stops deepening earlier.
        seed: decides between equally good moves.

    Raises:
        InputError: there is no such level.
    """

    def __init__(self, level: int = DEFAULT_LEVEL, seed: int = 0) -> None:
        if not 1 <= level <= MAX_LEVEL:
            raise InputError(f"no level {level}: levels go from 1 to {MAX_LEVEL}")
        self.level = level
        self.seed = seed
        self._solver: Solver | None = None

    def choose(self, position: Position) -> Choice:
        """The move to play in ``position``; of equally good ones the seed picks one.

        Raises:
            GameError: the game is over.
        """
        _check(position)
        if position.empties <= exact_empties(position.rules, self.level):
            solution = self._solve(position, all_moves=False)
            return Choice(solution.best[0], solution.score, solution.pv)
        ranked = _look_ahead(position, self.level, 1)
        ties = [choice for value, choice in ranked if value == ranked[0][0]]
        return ties[self._random(position).below(len(ties))]

    def hint(self, position: Position, count: int = 3) -> list[Choice]:
        """The ``count`` best moves (fewer when there are fewer), best first, equal ones in a1, b1, … order.

        All of their scores are of one kind.

        Raises:
            GameError: the game is over.
            InputError: ``count`` is below 1.
        """
        _check(position)
        if count < 1:
            raise InputError(f"cannot give {count} hints: ask for 1 or more")
        # Scoring every move takes several times as long as finding one best move.
        if position.empties <= exact_empties(position.rules, self.level) - 2:
            moves = self._solve(position, all_moves=True).moves
            ordered = sorted(moves, key=lambda scored: (-scored.score.value, scored.move))
            return [Choice(scored.move, scored.score, scored.pv) for scored in ordered[:count]]
        return [choice for _, choice in _look_ahead(position, self.level, count)[:count]]

    def _solve(self, position: Position, *, all_moves: bool) -> Solution:
        """A solution from a fresh table: what was solved before does not choose between equally good moves."""
        if self._solver is None:
            self._solver = Solver(_HASH_MB)
        self._solver.clear()
        return self._solver.solve(position, all_moves=all_moves)

    def _random(self, position: Position) -> Random:
        """A generator that belongs to the seed and the position, whatever was asked before."""
        mixed = self.seed * 0x9E3779B97F4A7C15 + position.black * 0xBF58476D1CE4E5B9 + position.white
        mixed ^= mixed >> 31
        return Random(mixed & (1 << 63) - 1)


def _check(position: Position) -> None:
    if position.is_over:
        raise GameError("the game is over: there is no move to choose")


class _OutOfNodesError(Exception):
    """The look-ahead has reached as many positions as it may."""


class _LookAhead:
    """Alpha-beta over positions. Values are in hundredths of a disc (:data:`reversi.heuristic.UNIT`)."""

    def __init__(self, rules: Rules) -> None:
        self.nodes = 0
        self.limit = _INFINITY
        self.guessed = False
        """Whether any value since this was reset came from the heuristic rather than from a finished game."""
        self._order = square_order(rules)
        self._best: dict[Position, Move] = {}

    def sorted_moves(self, position: Position) -> list[Move]:
        """The legal moves, the likely best first."""
        order = self._order
        moves = sorted(position.legal_moves, key=lambda move: order[move.index])
        best = self._best.get(position)
        if best is not None:
            moves.remove(best)
            moves.insert(0, best)
        return moves

    def child(self, position: Position, move: Move) -> Position:
        """The position after a move, counted."""
        if not move.is_pass:
            self.nodes += 1
            if self.nodes > self.limit:
                raise _OutOfNodesError
        return position.play(move)

    def search(self, position: Position, depth: int, alpha: int, beta: int) -> tuple[int, tuple[Move, ...]]:
        """The value for the player to move and the line that leads to it; a bound outside of alpha and beta."""
        if position.is_over:
            return final_value(position), ()
        if not position.legal_moves.placements:  # a forced pass costs no depth
            value, line = self.search(position.play(PASS), depth, -beta, -alpha)
            return -value, (PASS, *line)
        if depth <= 0:
            self.guessed = True
            return evaluate(position), ()
        best = -_INFINITY
        best_line: tuple[Move, ...] = ()
        for move in self.sorted_moves(position):
            value, line = self.search(self.child(position, move), depth - 1, -beta, -alpha)
            if -value > best:
                best, best_line = -value, (move, *line)
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        self._best[position] = best_line[0]
        return best, best_line


def final_value(position: Position) -> int:
    """The value of a finished game for the player to move."""
    result = position.result
    assert result is not None
    return UNIT * (result.score if position.to_move is Color.BLACK else -result.score)


def _look_ahead(position: Position, level: int, count: int) -> list[tuple[int, Choice]]:
    """The ``count`` best moves and those equal to the last of them, best first, with exact values at that depth.

    Deepens until the level, the end of the game or the limit of positions; only whole iterations count.
    """
    began = time.perf_counter()
    search = _LookAhead(position.rules)
    moves = search.sorted_moves(position)
    ranked: list[tuple[int, Move, tuple[Move, ...]]] = []
    reached, exact = 0, False
    for depth in range(1, level + 1):
        search.guessed = False
        try:
            ranked = _rank(search, position, moves, depth, count)
        except _OutOfNodesError:
            break
        reached, exact = depth, not search.guessed
        if exact:
            break
        search.limit = _NODES  # the first iteration always ends
        first = [move for _, move, _ in ranked]
        moves = first + [move for move in moves if move not in first]
    kind = Kind.EXACT if exact else Kind.HEURISTIC
    most = position.rules.board.cells
    seconds = time.perf_counter() - began
    choices = []
    for value, move, line in ranked:
        discs = max(-most, min(most, (2 * value + UNIT) // (2 * UNIT)))
        lower, upper = (discs, discs) if exact else (-most, most)
        score = Score(discs, kind, lower, upper, depth=reached, nodes=search.nodes, time_s=seconds)
        choices.append((value, Choice(move, score, line)))
    return choices


def _rank(
    search: _LookAhead, position: Position, moves: list[Move], depth: int, count: int
) -> list[tuple[int, Move, tuple[Move, ...]]]:
    ranked: list[tuple[int, Move, tuple[Move, ...]]] = []
    alpha = -_INFINITY
    for move in moves:
        value, line = search.search(search.child(position, move), depth - 1, -_INFINITY, -alpha)
        if -value > alpha:
            ranked.append((-value, move, (move, *line)))
            ranked.sort(key=lambda entry: (-entry[0], entry[1]))
            if len(ranked) >= count:
                alpha = ranked[count - 1][0] - 1  # lets a move that is as good be found so
                ranked = [entry for entry in ranked if entry[0] > alpha]
    return ranked
