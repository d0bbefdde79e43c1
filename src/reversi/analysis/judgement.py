"""What a move is worth in words: win, draw or loss; the signs of mistakes; and when a loss is only noise.

A loss counts from `INACCURACY_FROM` discs on, and a smaller one where it changes the outcome. Two values of which
one is not proved differ by the errors of their searches, too: such a loss counts only above `noise`. In the same
way a value that is not proved means a win or a loss only if it is further from zero than its noise.
"""

from __future__ import annotations

import enum
from typing import Final

from reversi.score import AnyScore, Kind
from reversi.text.counting import counted

INACCURACY_FROM: Final = 3
"""Discs lost from which a move is an inaccuracy."""
MISTAKE_FROM: Final = 6
"""Discs lost from which a move is a mistake."""
BLUNDER_FROM: Final = 12
"""Discs lost from which a move is a blunder."""
SURPRISE_FROM: Final = 10
"""Discs by which the evaluation undervalues a best move that counts as surprising."""


class Prospect(enum.Enum):
    """Whether a value means a win, a draw or a loss for the player who has it."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"

    def __str__(self) -> str:
        return str(self.value)

    @property
    def points(self) -> int:
        """2 for a win, 1 for a draw, 0 for a loss."""
        return {"win": 2, "draw": 1, "loss": 0}[self.value]


def prospect(value: int) -> Prospect:
    """Return what a number of discs means for the player who has it."""
    return Prospect.WIN if value > 0 else Prospect.LOSS if value < 0 else Prospect.DRAW


class Judgement(enum.Enum):
    """The judgement of a remarkable move. Most moves have none."""

    ONLY_MOVE = "only move"
    SURPRISING = "surprising move"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    def __str__(self) -> str:
        return str(self.value)

    @property
    def sign(self) -> str:
        """The sign that annotators write: `!`, `!?`, `?!`, `?` or `??`."""
        return _SIGNS[self]

    @property
    def nag(self) -> int:
        """The numeric glyph in a record: `?!` is `$6`."""
        return _NAGS[self]

    @property
    def is_error(self) -> bool:
        """Whether the move loses something: an inaccuracy, a mistake or a blunder."""
        return self in ERRORS


_SIGNS: Final = {
    Judgement.ONLY_MOVE: "!",
    Judgement.SURPRISING: "!?",
    Judgement.INACCURACY: "?!",
    Judgement.MISTAKE: "?",
    Judgement.BLUNDER: "??",
}
_NAGS: Final = {
    Judgement.ONLY_MOVE: 1,
    Judgement.MISTAKE: 2,
    Judgement.BLUNDER: 4,
    Judgement.SURPRISING: 5,
    Judgement.INACCURACY: 6,
}
ERRORS: Final = (Judgement.INACCURACY, Judgement.MISTAKE, Judgement.BLUNDER)
"""The judgements of moves that lose something."""


def noise(score: AnyScore, best: AnyScore) -> int:
    """Return the discs up to which the difference of two values of a position is the error of their searches.

    Proved values have no error. `docs/analysis.md` has the measurement.
    """
    return max(_noise(score), _noise(best))


def _noise(score: AnyScore) -> int:
    if score.kind in (Kind.EXACT, Kind.WLD, Kind.BOOK):
        return 0
    if score.kind is Kind.SELECTIVE:
        return 3
    return 7 if score.depth < 6 else 6 if score.depth < 10 else 5


def is_certain(loss: int, score: AnyScore, best: AnyScore) -> bool:
    """Return whether a loss is more than the noise of the two values that it is the difference of."""
    return loss > noise(score, best)


def certain_prospect(score: AnyScore) -> Prospect | None:
    """Return what a score means for the player who has it; ``None`` where its noise may mean something else."""
    margin = noise(score, score)
    return prospect(score.value) if not margin or abs(score.value) > margin else None


def changes_outcome(score: AnyScore, best: AnyScore) -> bool:
    """Return whether a move of this score certainly gives away the outcome that the best score stands for."""
    kept, had = certain_prospect(score), certain_prospect(best)
    return (
        kept is not None
        and had is not None
        and kept.points < had.points
        and is_certain(best.value - score.value, score, best)
    )


def loss_text(score: AnyScore, best: AnyScore) -> str:
    """Return what a move of this score loses, in words: `6 discs and the win`, where a lost outcome is certain."""
    discs = counted(best.value - score.value, "disc")
    return f"{discs} and the {certain_prospect(best)}" if changes_outcome(score, best) else discs


def is_doubtful(score: AnyScore, best: AnyScore) -> bool:
    """Return whether a deeper search could change the sign of a move of this score: the scores are not both
    proved, and differ by what would be a mistake.
    """
    return best.value - score.value >= INACCURACY_FROM and noise(score, best) > 0


def judged(loss: int, score: AnyScore, best: AnyScore) -> Judgement | None:
    """Return the judgement of a move that loses discs; ``None`` while the loss is small or may be noise.

    An outcome that certainly changes (a win that becomes a draw, for example) makes the judgement one step worse.
    """
    if not is_certain(loss, score, best):
        return None
    step = sum(loss >= limit for limit in (INACCURACY_FROM, MISTAKE_FROM, BLUNDER_FROM))
    step += changes_outcome(score, best)
    return ERRORS[min(step, 3) - 1] if step else None
