"""The values of all moves of a position, and how hard it is for people to find the best one."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import partial
from types import NoneType
from typing import Final

from reversi._core import Move, Position
from reversi.analysis.exercises.ratings import TYPICAL, difficulty_of
from reversi.analysis.store import AnalysisStore
from reversi.arguments import TEXT_TO_POSITION, check_count, check_type
from reversi.engine.engine import Engine, EngineCancelled
from reversi.engine.levels import HINT_LEVEL
from reversi.people import move_chances
from reversi.rules import OTHELLO
from reversi.score import MoveValue, best_of
from reversi.solver.solution import MoveScore, Solution, best_first
from reversi.solver.solver import Solver
from reversi.solver.table import SEARCH_HASH_MB
from reversi.work.cancel import Cancel

EXACT_FROM: Final = 16
"""With this many empty squares or fewer the values are exact."""
_PLAIN_EXACT_FROM: Final = 12  # without the learned evaluation a search takes longer


class Judge:
    """Values moves, one position after another, on tables of its own.

    Args:
        level: the level of the engine that values moves where exact values take too long.
        exact_from: with this many empty squares or fewer the values are exact; under rules without the learned
            evaluation at most 12.
        threads: how many threads search.
        cancel: ends a question under way with `EngineCancelled`.

    Attributes:
        store: keeps what it finds, and is asked before it searches; ``None`` for none.
    """

    def __init__(
        self,
        level: int | str = HINT_LEVEL,
        exact_from: int = EXACT_FROM,
        *,
        threads: int = 1,
        cancel: Cancel | None = None,
    ) -> None:
        check_count("exact_from", exact_from, least=0)
        check_type("cancel", cancel, Cancel, NoneType)
        self.store: AnalysisStore | None = None
        self._level = level
        self._engine = Engine(level, threads=threads)
        self._solver = Solver(SEARCH_HASH_MB, threads)
        self._exact_from = exact_from
        self._cancel = cancel

    def is_exact(self, position: Position) -> bool:
        """Return whether it gives the moves of a position exact values at any level."""
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        plain = not position.rules.same_play(OTHELLO)
        return position.empties <= (min(self._exact_from, _PLAIN_EXACT_FROM) if plain else self._exact_from)

    def value_all(self, position: Position) -> tuple[MoveScore, ...]:
        """Return every legal move with its score, best first, scores of one kind.

        Raises:
            EngineCancelled: it was cancelled.
            GameError: the game is over.
        """
        question, find = (
            ("solve all", partial(self._solved, position))
            if self.is_exact(position)
            else (f"hint {self._level} all", partial(self._searched, position))
        )
        found = find() if self.store is None else self.store.solution(position, question, Solution.from_json, find)
        return best_first(found.moves)

    def _solved(self, position: Position) -> Solution:
        solution = self._solver.solve(position, all_moves=True, cancel=self._cancel)
        if not solution.is_exact:
            raise EngineCancelled("the valuation was cancelled")
        return solution

    def _searched(self, position: Position) -> Solution:
        moves = tuple(self._engine.hint(position, len(position.legal_moves), cancel=self._cancel))
        return Solution(position, best_of([scored.score for scored in moves]), (), moves[0].pv, moves)

    @staticmethod
    def difficulty(position: Position, answers: Collection[Move]) -> int | None:
        """Return how hard it is for people to find one of ``answers``, on the scale of ratings.

        ``None`` under rules that the model of people's moves does not know.
        """
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        if not position.rules.same_play(OTHELLO):
            return None
        chances = move_chances(position, TYPICAL)
        return difficulty_of(math.fsum(chances[move] for move in answers))


def stated_moves(position: Position, annotated: dict[Move, int]) -> tuple[MoveScore, ...]:
    """Return moves with the exact scores that a file states for them; empty unless it has all legal ones."""
    if set(annotated) != set(position.legal_moves):
        return ()
    n = position.empties
    return best_first(
        MoveScore(move, MoveValue.exact(value, position.to_move, n), (move,)) for move, value in annotated.items()
    )
