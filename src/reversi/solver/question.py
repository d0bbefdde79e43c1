"""A question about a position: its value, every move, the best moves, who wins, a window of values, a bound."""

from __future__ import annotations

from dataclasses import dataclass

from reversi.arguments import check_count, check_type, check_window
from reversi.errors import InputError
from reversi.score import Kind
from reversi.solver.solution import Solution


class QuestionError(InputError):
    """Two different questions at once.

    Attributes:
        names: the attributes of `Question` that exclude each other.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(f"{' and '.join(names)} are different questions; ask one of them")
        self.names = names

    def __reduce__(self) -> tuple[type[QuestionError], tuple[tuple[str, ...]]]:
        return type(self), (self.names,)


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a position, for `Solver.ask`, `Batch` or `SolveRun`. Without arguments: its exact value.

    Attributes:
        all_moves: score every legal move.
        multi: score this many best moves.
        wld: ask only who wins.
        window: ask only about values from the first to the second number.
        at_least: ask only whether the value is at least this number.

    Raises:
        QuestionError: two of them are given.
        InputError: an empty window, a ``multi`` below 1, or an ``at_least`` outside -64 to 64.
    """

    all_moves: bool = False
    multi: int | None = None
    wld: bool = False
    window: tuple[int, int] | None = None
    at_least: int | None = None

    def __post_init__(self) -> None:
        check_type("all_moves", self.all_moves, bool)
        check_type("wld", self.wld, bool)
        asked = {
            "all_moves": self.all_moves,
            "multi": self.multi is not None,
            "wld": self.wld,
            "window": self.window is not None,
            "at_least": self.at_least is not None,
        }
        if sum(asked.values()) > 1:
            raise QuestionError(tuple(name for name, given in asked.items() if given))
        check_count("multi", self.multi, optional=True)
        if self.window is not None:
            check_window(self.window)
        check_count("at_least", self.at_least, 64, least=-64, optional=True)

    def count(self, cells: int) -> int | None:
        """Return how many moves get scores on a board of ``cells`` squares; ``None`` for the value alone."""
        return 2 * cells if self.all_moves else self.multi

    def bounds(self, cells: int) -> tuple[int, int]:
        """Return the open window (alpha, beta) that the value is searched in, on a board of ``cells`` squares."""
        if self.wld:
            return -1, 1
        if self.at_least is not None:
            alpha = min(max(self.at_least - 1, -cells - 1), cells)
            return alpha, alpha + 1
        if self.window is None:
            return -cells - 1, cells + 1
        first, last = self.window
        # a window beyond all scores is one that no score lies in, not one without an inside
        return min(max(first - 1, -cells - 1), cells), max(min(last + 1, cells + 1), -cells)

    def is_answered(self, solution: Solution) -> bool:
        """Return whether a solution answers the whole question; a limit may have stopped it before."""
        check_type("solution", solution, Solution)
        score = solution.score
        if self.wld:
            return score.kind in (Kind.EXACT, Kind.WLD)
        if self.window is not None:
            low, high = self.window
            return score.lower == score.upper or score.lower > high or score.upper < low
        if self.at_least is not None:
            return score.lower >= self.at_least or score.upper < self.at_least
        if self.multi is not None and score.kind is Kind.EXACT:
            wanted = min(self.multi, len(solution.position.legal_moves))
            return sum(move.score.kind is Kind.EXACT for move in solution.moves) >= wanted
        return solution.is_exact

    def __str__(self) -> str:
        if self.all_moves:
            return "the score of every move"
        if self.multi is not None:
            return f"the {self.multi} best moves" if self.multi > 1 else "the best move, scored"
        if self.wld:
            return "win, loss or draw"
        if self.window is not None:
            return f"values from {self.window[0]} to {self.window[1]}"
        if self.at_least is not None:
            return f"whether the value is {self.at_least} or more"
        return "exact values"
