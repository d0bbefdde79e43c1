"""The adaptive level, ``auto``: after a win the next game is one rung harder, after a loss one easier.

From the third win or loss in a row on it is two rungs, where they are not too far apart. Before a first game on it
a person stands at the best rung beaten. Under rules that a rung does not play another level stands in for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from reversi.engine.levels import LADDER, PEOPLE_LEVELS, PEOPLE_RATINGS
from reversi.rules import OTHELLO, Rules

RUNG_ELO: Final[dict[int | str, int]] = {
    "beginner-1": 0,
    "beginner-2": 100,
    "beginner-3": 255,
    "beginner-4": 430,
    "beginner-5": 610,
    "beginner-6": 775,
    "beginner-7": 945,
    "people-1100": 1115,
    "people-1300": 1265,
    "people-1500": 1420,
    "people-1700": 1570,
    "club-1": 1785,
    "club-2": 1960,
    "club-3": 2110,
    7: 2310,
    8: 2445,
    9: 2530,
    10: 2685,
    13: 2860,
    15: 2940,
    17: 3065,
    20: 3260,
}
"""The levels that the adaptive level uses, the easiest first, with their strength by `benchmarks/ladder.py`."""
AUTO_RUNGS: Final[tuple[int | str, ...]] = tuple(RUNG_ELO)
_STAND_INS: Final[dict[int | str, int]] = {"people-1100": 3, "people-1300": 4, "people-1500": 5, "people-1700": 5}
"""Levels that play all rules and are about as strong."""
_IN_A_ROW: Final = 3
"""Wins or losses in a row from which on a game leads two rungs on."""
_FARTHEST: Final = 300
"""Elo that two rungs at once are apart at most."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a person stands on the adaptive level.

    Attributes:
        level: the level of the next game.
        row: wins in a row up to now, or losses as a number below zero.
    """

    level: int | str = AUTO_RUNGS[0]
    row: int = 0

    def after(self, result: str) -> Standing:
        """Return the standing after a game."""
        if result == "drawn":
            return replace(self, row=0)
        row = max(self.row, 0) + 1 if result == "won" else min(self.row, 0) - 1
        way = 1 if row > 0 else -1
        one, two = (_step(self.level, steps * way) for steps in (1, 2))
        far = abs(row) >= _IN_A_ROW and abs(RUNG_ELO[two] - RUNG_ELO[self.level]) <= _FARTHEST
        return Standing(two if far else one, row)

    def level_under(self, rules: Rules) -> int | str:
        """Return the level of the next game under a rule set."""
        return self.level if rules.same_play(OTHELLO) else _STAND_INS.get(self.level, self.level)


def _step(level: int | str, steps: int) -> int | str:
    at = AUTO_RUNGS.index(level) + steps
    return AUTO_RUNGS[min(max(at, 0), len(AUTO_RUNGS) - 1)]


def rung_at(level: int | str) -> int | str:
    """Return the highest rung that is not stronger than a level."""
    return max((rung for rung in AUTO_RUNGS if LADDER.index(rung) <= LADDER.index(level)), key=LADDER.index)


def rating_of(level: int | str) -> int:
    """Return the rating of people who are about as strong as a level.

    Ratings are those of `reversi.people`, as far as its model tells them apart.
    """
    if level in PEOPLE_LEVELS:
        return PEOPLE_RATINGS[PEOPLE_LEVELS.index(level)]
    from reversi.engine.people import RATINGS  # imported late: a game begins without it

    low, high, elo = RUNG_ELO[PEOPLE_LEVELS[0]], RUNG_ELO[PEOPLE_LEVELS[-1]], RUNG_ELO[rung_at(level)]
    rating = PEOPLE_RATINGS[0] + (PEOPLE_RATINGS[-1] - PEOPLE_RATINGS[0]) * (elo - low) / (high - low)
    return round(min(max(rating, RATINGS[0]), RATINGS[1]))
