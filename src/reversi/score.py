"""Results and scores. A score is never a bare number: it carries its kind and how it was obtained."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from reversi.color import Color
from reversi.rules import Rules

__all__ = ["Kind", "Result", "Score", "final_score", "format_score"]


def final_score(mine: int, theirs: int, rules: Rules) -> int:
    """The score of a finished game in discs, for the player who has ``mine`` discs on the board.

    With ``empties_to_winner`` the winner of the disc count gets the empty squares too (a tie stays 0); under
    misère the sign is reversed.
    """
    difference = mine - theirs
    if rules.empties_to_winner and difference:
        empties = rules.board.cells - mine - theirs
        difference += empties if difference > 0 else -empties
    return -difference if rules.misere else difference


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended on the board.

    Attributes:
        black: Black's discs on the board.
        white: White's discs on the board.
        rules: the rules that score them.
    """

    black: int
    white: int
    rules: Rules

    @property
    def empties(self) -> int:
        """Empty squares of the board."""
        return self.rules.board.cells - self.black - self.white

    @property
    def score(self) -> int:
        """The score from Black's view: above zero Black wins, whatever the objective."""
        return final_score(self.black, self.white, self.rules)

    @property
    def winner(self) -> Color | None:
        """The winner under the rules' objective, or ``None`` for a draw."""
        if self.score == 0:
            return None
        return Color.BLACK if self.score > 0 else Color.WHITE

    @property
    def discs(self) -> str:
        """The disc count, Black's first: ``37-27``."""
        return f"{self.black}-{self.white}"

    def __str__(self) -> str:
        who = "draw" if self.winner is None else f"{self.winner} wins"
        return f"{self.discs} (score {format_score(self.score)}, {who})"


class Kind(enum.Enum):
    """What a score's value states about the true value."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"
    WLD = "wld"
    SELECTIVE = "selective"
    HEURISTIC = "heuristic"
    BOOK = "book"

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Score:
    """A score in discs from the side to move's view, with its kind and origin.

    Attributes:
        value: discs, above zero when the side to move wins.
        kind: what the value states.
        lower: proved lower bound.
        upper: proved upper bound.
        depth: plies searched (the number of empty squares for a full solve).
        confidence: percent: how often a selective value is the exact one (:mod:`reversi.evaluation.confidence`);
            ``None`` for
            a heuristic value, of which nothing is claimed; 100 for every other kind.
        nodes: positions visited by the search: reached by a placement, and searched or valued.
        time_s: wall-clock seconds.
    """

    value: int
    kind: Kind
    lower: int
    upper: int
    depth: int = 0
    confidence: int | None = 100
    nodes: int = 0
    time_s: float = 0.0

    def __str__(self) -> str:
        sure = f" {self.confidence}%" if self.kind is Kind.SELECTIVE else ""
        return f"{format_score(self.value)} {self.kind}{sure}"

    def ahead(self, to_move: Color) -> str:
        """Who is ahead, in words: ``Black by 4``, ``even``."""
        if self.value == 0:
            return "even"
        leader = to_move if self.value > 0 else to_move.opponent
        return f"{leader} by {abs(self.value)}"


def format_score(value: int) -> str:
    """A score with its sign, as the field writes it: ``+38``, ``-4``, ``+0``."""
    return f"{value:+d}"
