"""Rule sets: frozen values with independent fields, their names and their text form.

A rule set is data. `OTHELLO` has every field at its default. `ADJACENT` lets a disc go next to any disc, capturing
or not, until the grid is full. Combine fields freely, with `dataclasses.replace` or in the text form::

    >>> str(parse_rules("othello,misere,board=6x6"))
    'othello,board=6x6,misere'

This module names the rules. `reversi._core` applies them: `Position` decides which moves are legal, when a player
passes and when the game ends.
"""

from __future__ import annotations

import difflib
import enum
import functools
from dataclasses import dataclass, fields, replace
from typing import Final, NamedTuple

import reversi._regex as re
from reversi.arguments import check_type, excerpt, with_article
from reversi.errors import RulesError, RulesTypeError


class Ending(enum.Enum):
    """What a second pass in a row means, under optional skips. See `Rules`."""

    NO_MOVES = "no-moves"
    FULL_BOARD = "full-board"


class Start(enum.Enum):
    """The four central discs. On 8x8, diagonal: White d4 e5, Black d5 e4; parallel: White d4 e4, Black d5 e5."""

    DIAGONAL = "diagonal"
    PARALLEL = "parallel"


class Objective(enum.Enum):
    """Who wins: the player with the most discs, or with the fewest (misère)."""

    MOST = "most"
    FEWEST = "fewest"


class BoardSize(NamedTuple):
    """Rows and columns, each 4, 6 or 8. A small board is the top-left corner of the 8x8 squares."""

    rows: int
    columns: int

    @property
    def cells(self) -> int:
        """The number of squares."""
        return self.rows * self.columns

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"


_SIZES: Final = (4, 6, 8)
_FULL_SIZE: Final = BoardSize(8, 8)


@dataclass(frozen=True, slots=True)
class Rules:
    """A rule set.

    Attributes:
        mandatory_capture: a placement must flip at least one disc.
        adjacent_only: a placement must touch (8 ways) an occupied square; mandatory capture implies it.
        optional_skip: a player who has a placement may skip the turn.
        ending: what a second pass in a row means, under optional skips: it ends the game (``NO_MOVES``), or it is
            not allowed while a placement exists, so that the grid fills (``FULL_BOARD``).
        board: rows and columns.
        start: the layout of the four central discs.
        objective: whether the most or the fewest discs win; ``FEWEST`` reverses the sign of the score.
        empties_to_winner: the score gives the empty squares to the winner (half to each in a tie).

    Raises:
        RulesTypeError: a field has another type; it is a `RulesError` and a ``TypeError``.
        RulesError: rows or columns are not 4, 6 or 8.
    """

    mandatory_capture: bool = True
    adjacent_only: bool = False
    optional_skip: bool = False
    ending: Ending = Ending.NO_MOVES
    board: BoardSize = _FULL_SIZE
    start: Start = Start.DIAGONAL
    objective: Objective = Objective.MOST
    empties_to_winner: bool = True

    def __post_init__(self) -> None:
        if type(self.board) is tuple and len(self.board) == 2:
            object.__setattr__(self, "board", BoardSize(*self.board))
        for field, kind in _FIELD_TYPES.items():
            if not isinstance(getattr(self, field), kind):
                raise RulesTypeError(f"{field} must be {with_article(kind)}, not {excerpt(getattr(self, field))}")
        if self.board.rows not in _SIZES or self.board.columns not in _SIZES:
            raise RulesError(f"a board of {self.board} is not possible: rows and columns must each be 4, 6 or 8")

    def __str__(self) -> str:
        return _write(self)

    def __repr__(self) -> str:
        return f"Rules({_write(self)!r})"

    @property
    def misere(self) -> bool:
        """Whether the fewest discs win."""
        return self.objective is Objective.FEWEST

    def same_play(self, other: Rules) -> bool:
        """Return whether the two rule sets play and score alike, idle fields aside.

        Mandatory capture implies adjacency, and without optional skips the two endings are the same rule.
        """
        check_type("other", other, Rules, advice="parse_rules reads text")
        return self == other or _active(self) == _active(other)


_FIELD_TYPES: Final[dict[str, type]] = {
    "mandatory_capture": bool,
    "adjacent_only": bool,
    "optional_skip": bool,
    "ending": Ending,
    "board": BoardSize,
    "start": Start,
    "objective": Objective,
    "empties_to_winner": bool,
}


def _active(rules: Rules) -> Rules:
    """Return the rules with every idle field at one fixed value."""
    if rules.mandatory_capture:
        rules = replace(rules, adjacent_only=True)
    if not rules.optional_skip:
        rules = replace(rules, ending=Ending.NO_MOVES)
    return rules


OTHELLO: Final = Rules()
"""The standard game: every field at its default."""

ADJACENT: Final = Rules(mandatory_capture=False, adjacent_only=True, ending=Ending.FULL_BOARD)
"""A disc goes next to any disc, capturing or not, until the grid is full."""

NAMED_RULES: Final[dict[str, Rules]] = {"othello": OTHELLO, "adjacent": ADJACENT}
"""The rule sets that have a name."""

# Each field's values as words, in the order in which they are written.
_WORDS: Final[dict[str, dict[object, str]]] = {
    "mandatory_capture": {True: "mandatory-capture", False: "optional-capture"},
    "adjacent_only": {True: "adjacent-only", False: "anywhere"},
    "optional_skip": {True: "optional-skip", False: "no-skip"},
    "ending": {Ending.FULL_BOARD: "full-board", Ending.NO_MOVES: "no-moves"},
    "board": {BoardSize(r, c): f"board={r}x{c}" for r in _SIZES for c in _SIZES},
    "start": {Start.DIAGONAL: "start=diagonal", Start.PARALLEL: "start=parallel"},
    "objective": {Objective.FEWEST: "misere", Objective.MOST: "most-discs"},
    "empties_to_winner": {False: "discs-only", True: "empties-to-winner"},
}
_FIELD_OF: Final[dict[str, tuple[str, object]]] = {
    word: (field, value) for field, words in _WORDS.items() for value, word in words.items()
}
RULE_WORDS: Final[tuple[str, ...]] = tuple(_FIELD_OF)
"""Every word of the text form except the names, in the order of writing."""


@functools.lru_cache(maxsize=256)
def _write(rules: Rules) -> str:
    candidates: list[list[str]] = []
    for name, base in NAMED_RULES.items():
        words = [name]
        for field in fields(Rules):
            value = getattr(rules, field.name)
            if value != getattr(base, field.name):
                words.append(_WORDS[field.name][value])
        candidates.append(words)
    shortest = min(candidates, key=len)
    return ",".join(shortest)


_BOARD = re.compile(r"board=([0-9]{1,3})x([0-9]{1,3})")
_EXISTING: Final = (
    f"the names are {', '.join(NAMED_RULES)}; the words are "
    + ", ".join(w for w in RULE_WORDS if not w.startswith("board="))
    + ", board=ROWSxCOLUMNS (each 4, 6 or 8)"
)


def parse_rules(text: str) -> Rules:
    """Read the text form of a rule set: a name and the fields that differ, comma-separated, in any order.

    Without a name, the words change the fields of ``othello``. Case makes no difference.

    Raises:
        RulesError: a word is unknown, contradicts another or is repeated, or the board is impossible.
    """
    check_type("text", text, str)
    words = [word.strip().lower().replace("misère", "misere") for word in text.split(",")]
    base: Rules | None = None
    given: dict[str, tuple[str, object]] = {}
    for written in words:
        word = written
        if word in NAMED_RULES:
            if base is not None:
                raise RulesError(
                    f"rules {excerpt(text)}: more than one name; give one of {', '.join(NAMED_RULES)}"
                )
            base = NAMED_RULES[word]
            continue
        if match := _BOARD.fullmatch(word):
            size = BoardSize(int(match[1]), int(match[2]))
            if size not in _WORDS["board"]:
                raise RulesError(
                    f"rules {excerpt(text)}: a board of {size} is not possible:"
                    " rows and columns must each be 4, 6 or 8"
                )
            word = f"board={size}"  # without leading zeros
        if word not in _FIELD_OF:
            raise RulesError(
                f"rules {excerpt(text)}: unknown word {excerpt(word)}{_suggestion(word)}; {_EXISTING}"
            )
        field, value = _FIELD_OF[word]
        if field in given:
            earlier = given[field][0]
            what = (
                f"{excerpt(word)} is repeated"
                if earlier == word
                else f"{excerpt(earlier)} contradicts {excerpt(word)}"
            )
            raise RulesError(f"rules {excerpt(text)}: {what}; {_EXISTING}")
        given[field] = (word, value)
    values = {field.name: getattr(base or OTHELLO, field.name) for field in fields(Rules)}
    values.update({field: value for field, (_, value) in given.items()})
    return Rules(**values)


def _suggestion(word: str) -> str:
    close = difflib.get_close_matches(word, [*NAMED_RULES, *RULE_WORDS], n=1)
    return f" (did you mean {excerpt(close[0])}?)" if close else ""


FLIPPING: Final = (
    "A placement flips all opposing discs that stand in a straight line, in any of the eight directions, between"
    " the new disc and another disc of the same color."
)
"""How discs are flipped under every rule set, in one sentence."""


def describe(rules: Rules) -> str:
    """Describe the rule set in a few plain sentences."""
    if rules.mandatory_capture:
        place = "A placement must flip at least one disc."
    elif rules.adjacent_only:
        place = "A disc may go on any empty square next to a disc, capturing or not."
    else:
        place = "A disc may go on any empty square, capturing or not."
    if not rules.optional_skip:
        skip = "A player passes only when there is no placement."
        end = "The game ends when neither side has a placement."
    elif rules.ending is Ending.NO_MOVES:
        skip = "A player may skip the turn."
        end = "The game ends at the second pass in a row, or when neither side has a placement."
    else:
        skip = "A player may skip the turn, except directly after a pass."
        end = "The game ends when neither side has a placement."
    goal = "The fewest discs win." if rules.misere else "The most discs win."
    count = (
        "Empty squares count for the winner."
        if rules.empties_to_winner
        else "Only discs on the board count, not empty squares."
    )
    layout = "diagonal" if rules.start is Start.DIAGONAL else "parallel"
    board = f"Board: {rules.board.rows} rows, {rules.board.columns} columns, {layout} start."
    return " ".join((place, skip, end, goal, count, board))
