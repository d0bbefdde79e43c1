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
    """

    turns: dict[str, int]
    discs: dict[str, int]
    mistakes: dict[str, int]

    @classmethod
    def sum(cls, several: Iterable[Losses]) -> Losses:
        """Return the sum of several games."""
        total = cls(dict.fromkeys(PHASES, 0), dict.fromkeys(PHASES, 0), dict.fromkeys(PHASES, 0))
        for losses in several:
            for phase in PHASES:
                total.turns[phase] += losses.turns[phase]
                total.discs[phase] += losses.discs[phase]
                total.mistakes[phase] += losses.mistakes[phase]
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
            else {phase: [losses.turns[phase], losses.discs[phase], losses.mistakes[phase]] for phase in PHASES},
        }

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> PlayedGame:
        """Return the game of a JSON object that `to_json` made."""
        at = datetime.datetime.fromisoformat(fields["at"])
        if at.tzinfo is None or fields["result"] not in RESULTS or not isinstance(fields["record"], str):
            raise ValueError(f"no game: {fields['at']}, {fields['result']}")
        if fields["level"] is not None:
            level_for(fields["level"])
        losses = fields["losses"]
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
            None
            if losses is None
            else Losses(*({phase: int(losses[phase][at]) for phase in PHASES} for at in range(3))),
        )
