"""The engine's levels: the depth of its search, where it starts to solve, and how cautiously it prunes.

A level means the same search in every position of the standard game. Under other rules the plain evaluation and
the missing selective pruning make the same depth much more expensive: a level's depth is an upper limit there, a
number of positions limits it too, and solving begins later.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from reversi.errors import InputError
from reversi.evaluation.confidence import UNPRUNED
from reversi.rules import OTHELLO, Rules

__all__ = ["DEFAULT_LEVEL", "HINT_LEVEL", "MAX_LEVEL", "Level", "level_for", "level_of_depth"]

MAX_LEVEL: Final = 60
DEFAULT_LEVEL: Final = 5
HINT_LEVEL: Final = 18


@dataclass(frozen=True, slots=True)
class Level:
    """The search of an engine of one level under a rule set.

    Attributes:
        number: the level, 1 to `MAX_LEVEL`.
        depth: placements it looks ahead.
        caution: how cautiously its selective search prunes, see `reversi.evaluation.confidence`.
        noise: discs by which it misjudges moves, as a standard deviation; 0 for none.
        exact_from: with this many empty squares or fewer it plays perfectly.
        solve_from: with this many or fewer it searches to the end of the game, selectively.
        max_nodes: positions after which it looks no deeper, ``None`` for no limit.
    """

    number: int
    depth: int
    caution: int
    noise: float
    exact_from: int
    solve_from: int
    max_nodes: int | None


# depth, noise, exact from: the levels of beginners
_BEGINNERS: Final = ((1, 14.0, 0), (1, 8.0, 2), (1, 4.5, 4), (2, 3.0, 6), (3, 2.0, 8), (4, 1.0, 10))


def level_for(number: int, rules: Rules = OTHELLO) -> Level:
    """Return the meaning of a level under a rule set.

    Raises:
        InputError: not a level.
    """
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MAX_LEVEL:
        raise InputError(f"level must be a whole number from 1 to {MAX_LEVEL}, not {number!r}")
    if number <= len(_BEGINNERS):
        depth, noise, exact_from = _BEGINNERS[number - 1]
    else:
        depth, noise = number, 0.0
        # 14 empty squares at level 7, 20 from level 10 to 14 (solved in milliseconds), 23 at 20, 28 at 30
        if number < 10:
            exact_from = number + 7
        else:
            exact_from = max(20, (number + 27) // 2) if number <= 20 else (2 * number + 80) // 5
        exact_from = 60 if number == MAX_LEVEL else exact_from
    solve_from = exact_from + min(6, number // 4)
    caution = 0 if number <= 15 else min((number - 14) // 2, 5)
    if rules.same_play(OTHELLO):
        return Level(number, depth, caution, noise, exact_from, solve_from, None)
    # without the learned evaluation solving takes longer, most of all where every empty square is a placement
    limit = 16 + number // 10 if rules.mandatory_capture else 12 + number // 15
    if rules.optional_skip:
        limit -= 4 if rules.mandatory_capture else 2
    exact_from = min(exact_from, limit)
    return Level(number, depth, UNPRUNED, noise, exact_from, exact_from, int(100_000 * 10 ** (number / 15)))


def level_of_depth(depth: int, rules: Rules = OTHELLO) -> Level:
    """Return the search of an engine that looks this many placements ahead and misjudges nothing.

    The rest of it is that of the level of this number, or of the first one that misjudges nothing.

    Raises:
        InputError: not a depth from 1 to 60.
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= MAX_LEVEL:
        raise InputError(f"depth must be a whole number from 1 to {MAX_LEVEL}, not {depth!r}")
    return replace(level_for(max(depth, len(_BEGINNERS) + 1), rules), depth=depth)
