"""The engine's levels: the depth of its search, where it starts to solve, and how cautiously it prunes.

A level means the same search in every position of the standard game. Under other rules the plain evaluation and
the missing selective pruning make the same depth much more expensive: a level's depth is an upper limit there, a
number of positions limits it too, and solving begins later.

The weakest levels have names, ``beginner-1`` and so on: they play like people who learn the game
(`reversi.engine.beginners`). They lead up to level 3; levels 1 and 2, which play well and err at random, are as
strong as some of them.

``people-1100`` to ``people-1700`` play like people of such a rating (`reversi.engine.people`). ``club-1`` to
``club-3`` misjudge as levels 1 to 6 do, and lie between these people and level 7.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import reversi._regex as re
from reversi.arguments import check_count, excerpt, is_number, not_one
from reversi.engine.beginners import BEGINNERS, Beginner
from reversi.errors import InputError
from reversi.evaluation.confidence import UNPRUNED
from reversi.rules import OTHELLO, Rules

MAX_LEVEL: Final = 60
DEFAULT_LEVEL: Final = 5
HINT_LEVEL: Final = 18
BEGINNER_LEVELS: Final = tuple(f"beginner-{number}" for number in range(1, len(BEGINNERS) + 1))
"""The names of the levels below level 3, the weakest first."""
PEOPLE_RATINGS: Final = range(1100, 1701, 100)
"""The ratings of the levels that play like people."""
PEOPLE_LEVELS: Final = tuple(f"people-{rating}" for rating in PEOPLE_RATINGS)
"""Their names."""
_CLUBS: Final = {"club-1": (4, 1.6, 10), "club-2": (5, 1.6, 11), "club-3": (5, 0.45, 12)}  # as `_MISJUDGING`
CLUB_LEVELS: Final = tuple(_CLUBS)
"""The names of the levels from the strongest people to level 7."""
NAMED_LEVELS: Final = (*BEGINNER_LEVELS, *PEOPLE_LEVELS, *CLUB_LEVELS)
LADDER: Final[tuple[int | str, ...]] = (
    *BEGINNER_LEVELS[:4],
    1,
    *BEGINNER_LEVELS[4:6],
    2,
    *BEGINNER_LEVELS[6:],
    3,
    *PEOPLE_LEVELS[:2],
    4,
    *PEOPLE_LEVELS[2:6],
    5,
    *PEOPLE_LEVELS[6:],
    CLUB_LEVELS[0],
    6,
    *CLUB_LEVELS[1:],
    *range(7, MAX_LEVEL + 1),
)
"""All levels, the weakest first."""
_NAMED: Final = tuple(f"{names[0]} to {names[-1]}" for names in (BEGINNER_LEVELS, PEOPLE_LEVELS, CLUB_LEVELS))
LEVEL_CHOICES: Final = f"1 to {MAX_LEVEL}, {_NAMED[0]}, {_NAMED[1]}, or {_NAMED[2]}"
"""The levels in words, for messages."""
_DEPTH_OF_PEOPLE: Final = 8  # that of the deepest search of the model of people's moves
AUTO: Final = "auto"
"""The word for a level that follows the results."""
_NUMBER: Final = re.compile(r"[0-9]{1,4}")


@dataclass(frozen=True, slots=True)
class Level:
    """The search of an engine of one level under a rule set.

    Attributes:
        number: the level, 1 to `MAX_LEVEL`; 6 for ``club-1`` to ``club-3``, 0 for beginners and people.
        depth: placements it looks ahead.
        caution: how cautiously its selective search prunes, see `reversi.evaluation.confidence`.
        noise: discs by which it misjudges moves, as a standard deviation; 0 for none.
        exact_from: with this many empty squares or fewer it plays perfectly.
        solve_from: with this many or fewer it searches to the end of the game, selectively.
        nodes: positions that it visits at most, ``None`` for no limit.
        beginner: what a beginner sees; ``None`` for other levels.
        rating: the rating of the people whose moves it plays; ``None`` for other levels.
    """

    number: int
    depth: int
    caution: int
    noise: float
    exact_from: int
    solve_from: int
    nodes: int | None
    beginner: Beginner | None = None
    rating: int | None = None


# depth, noise, exact from: the levels that misjudge
_MISJUDGING: Final = ((1, 14.0, 0), (1, 8.0, 2), (1, 4.5, 4), (2, 3.0, 6), (3, 2.0, 8), (4, 1.0, 10))


def parse_level(text: str) -> int | str:
    """Read a level: a number as ``7``, or a name as ``beginner-2`` or ``people-1400``.

    Raises:
        InputError: not a level.
    """
    word = text.strip().lower()
    level: int | str = int(word) if _NUMBER.fullmatch(word) else word
    if level not in LADDER:
        raise InputError(f"level must be {LEVEL_CHOICES}, not {text!r:.60}")
    return level


def strongest(levels: Iterable[int | str], default: int | str) -> int | str:
    """Return the strongest of some levels; ``default`` without any."""
    return max(levels, key=LADDER.index, default=default)


def level_for(level: int | str, rules: Rules = OTHELLO) -> Level:
    """Return the meaning of a level under a rule set.

    Args:
        level: a number from 1 to `MAX_LEVEL`, or one of `NAMED_LEVELS`.
        rules: the rule set.

    Raises:
        ArgumentError: neither a number nor a text.
        InputError: not a level.
    """
    if not is_number(level, int | str) or level not in LADDER:
        raise not_one(level, int | str, f"level must be {LEVEL_CHOICES}, not {excerpt(level)}")
    if level in PEOPLE_LEVELS:
        rating = PEOPLE_RATINGS[PEOPLE_LEVELS.index(level)]
        if rules.same_play(OTHELLO):
            return Level(0, _DEPTH_OF_PEOPLE, 0, 0.0, 0, 0, None, rating=rating)
        return replace(
            level_for(_DEPTH_OF_PEOPLE, rules), number=0, rating=rating
        )  # it values moves, but plays none
    if level in BEGINNER_LEVELS:
        beginner = BEGINNERS[BEGINNER_LEVELS.index(str(level))]
        return Level(0, 1, 0 if rules.same_play(OTHELLO) else UNPRUNED, 0.0, 0, 0, None, beginner)
    number = len(_MISJUDGING) if isinstance(level, str) else level  # a name is that of a club
    if number <= len(_MISJUDGING):
        depth, noise, exact_from = _CLUBS[str(level)] if level in _CLUBS else _MISJUDGING[number - 1]
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


def check_plays(level: int | str, rules: Rules) -> None:
    """Refuse a level that plays like people under other rules than those of the standard game.

    Raises:
        InputError: it does not play these rules.
    """
    if level in PEOPLE_LEVELS and not rules.same_play(OTHELLO):
        raise InputError(f"{level} plays the standard game only; give another level for {rules}")


def level_of_depth(depth: int, rules: Rules = OTHELLO) -> Level:
    """Return the search of an engine that looks this many placements ahead and misjudges nothing.

    The rest of it is that of the level of this number, or of the first one that misjudges nothing.

    Raises:
        ArgumentError: not a whole number.
        InputError: not a depth from 1 to 60.
    """
    check_count("depth", depth, MAX_LEVEL)
    return replace(level_for(max(depth, len(_MISJUDGING) + 1), rules), depth=depth)
