"""A game of the personal history, and what the person lost in it."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from reversi.color import Color
from reversi.engine.levels import level_for

PHASES: Final = ("opening", "middle", "ending")
"""The phases of a game, as `reversi.analysis.summary.Phase` has them."""
RESULTS: Final = ("won", "drawn", "lost")


@dataclass(frozen=True, slots=True)
class Losses:
    """What a player lost in a game, by phase.

    Attributes:
        turns: the turns with a choice.
        discs: the discs that they lost.
        mistakes: the inaccuracies, mistakes and blunders.
        reasons: how often each `reversi.engine.explaining.Feature` was the first reason against one of them.
    """

    turns: dict[str, int]
    discs: dict[str, int]
    mistakes: dict[str, int]
    reasons: dict[str, int] = field(default_factory=dict)

    @classmethod
    def sum(cls, several: Iterable[Losses]) -> Losses:
        """Return the sum of several games."""
        total = cls(dict.fromkeys(PHASES, 0), dict.fromkeys(PHASES, 0), dict.fromkeys(PHASES, 0))
        for losses in several:
            for phase in PHASES:
                total.turns[phase] += losses.turns[phase]
                total.discs[phase] += losses.discs[phase]
                total.mistakes[phase] += losses.mistakes[phase]
            for reason, times in losses.reasons.items():
                total.reasons[reason] = total.reasons.get(reason, 0) + times
        return total

    @property
    def mean(self) -> float | None:
        """The discs lost per turn, ``None`` without a turn."""
        turns = sum(self.turns.values())
        return sum(self.discs.values()) / turns if turns else None


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of the history.

    Attributes:
        at: when it ended.
        color: the person's color.
        opponent: who played the other color, in words: `level 3`, `beginner-1`, `2 s`, or a program.
        level: the opponent's level; ``None`` for another opponent, and where the game counts for no level.
        result: ``won``, ``drawn`` or ``lost``, for the person.
        helped: whether the person took back moves, or used hints, analyses or the explorer.
        record: the game, as a record.
        opening_plies: the plies at its beginning that an opening gave, which nobody here chose.
        losses: what the person lost, ``None`` before the game is analyzed.
    """

    at: datetime.datetime
    player: str
    color: Color
    opponent: str
    level: int | str | None
    result: str
    helped: bool
    record: str
    opening_plies: int = 0
    losses: Losses | None = field(default=None, compare=False)

    @property
    def won_alone(self) -> bool:
        """Whether the person won without help."""
        return self.result == "won" and not self.helped

    def to_json(self) -> dict[str, Any]:
        """Return the game as a JSON object."""
        losses = self.losses
        return {
            "at": self.at.astimezone(datetime.UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            "player": self.player,
            "color": str(self.color).lower(),
            "opponent": self.opponent,
            "level": self.level,
            "result": self.result,
            "helped": self.helped,
            "record": self.record,
            "opening_plies": self.opening_plies,
            "losses": None
            if losses is None
            else {phase: [losses.turns[phase], losses.discs[phase], losses.mistakes[phase]] for phase in PHASES}
            | {"reasons": losses.reasons},
        }

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> PlayedGame:
        """Return the game of a JSON object that `to_json` made."""
        at = datetime.datetime.fromisoformat(fields["at"])
        if at.tzinfo is None or fields["result"] not in RESULTS or not isinstance(fields["record"], str):
            raise ValueError("not a game")
        if fields["level"] is not None:
            level_for(fields["level"])
        return cls(
            at,
            str(fields["player"]),
            Color.BLACK if fields["color"] == "black" else Color.WHITE,
            str(fields["opponent"]),
            fields["level"],
            fields["result"],
            bool(fields["helped"]),
            str(fields["record"]),
            int(fields["opening_plies"]),
            None if fields["losses"] is None else _losses(fields["losses"]),
        )


def _losses(fields: dict[str, Any]) -> Losses:
    turns, discs, mistakes = ({phase: int(fields[phase][at]) for phase in PHASES} for at in range(3))
    return Losses(turns, discs, mistakes, {str(reason): int(times) for reason, times in fields["reasons"].items()})
