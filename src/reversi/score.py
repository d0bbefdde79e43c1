"""Results and scores. A score is never a bare number: it carries its kind and how it was obtained."""

from __future__ import annotations

import enum
import warnings
from collections.abc import Callable, Collection
from dataclasses import dataclass, fields, replace
from typing import Final, Self, TypeVar

from reversi.arguments import COLORS, caller_level, check_count, check_type, excerpt
from reversi.color import Color
from reversi.errors import ArgumentError, InputError
from reversi.rules import Rules


def final_score(mine: int, theirs: int, rules: Rules) -> int:
    """Return the score of a finished game in discs, for the player who has ``mine`` discs on the board.

    With ``empties_to_winner`` the winner of the disc count gets the empty squares too (a tie stays 0); under
    misère the sign is reversed.
    """
    check_type("rules", rules, Rules, advice="parse_rules reads text")
    check_count("mine", mine, rules.board.cells, least=0)
    check_count("theirs", theirs, rules.board.cells, least=0)
    return _final_score(mine, theirs, rules)


def _final_score(mine: int, theirs: int, rules: Rules) -> int:
    difference = mine - theirs
    if rules.empties_to_winner and difference:
        empties = rules.board.cells - mine - theirs
        difference += empties if difference > 0 else -empties
    return -difference if rules.misere else difference


@dataclass(frozen=True, slots=True)
class Result:
    """The discs on the board at the end of a game, and what they score; its text is `White wins 45-19 (by 26)`.

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
        return _final_score(self.black, self.white, self.rules)

    @property
    def winner(self) -> Color | None:
        """The winner under the rules' objective, or ``None`` for a draw."""
        score = self.score
        if score == 0:
            return None
        return Color.BLACK if score > 0 else Color.WHITE

    @property
    def discs(self) -> str:
        """The disc count, Black's first: `37-27`."""
        return f"{self.black}-{self.white}"

    def __str__(self) -> str:
        return result_text(self)


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


_OPPOSITE: Final = {Kind.LOWER: Kind.UPPER, Kind.UPPER: Kind.LOWER}
NOTHING_PROVED: Final = "nothing proved"
"""The text of a score for which a search proved nothing."""
_PROVED: Final = frozenset((Kind.EXACT, Kind.WLD, Kind.LOWER, Kind.UPPER))


@dataclass(frozen=True, slots=True, eq=False)
class AnyScore:
    """What the `Score` of a position and the `MoveValue` of a move have in common."""

    value: int
    kind: Kind
    lower: int
    upper: int
    view: Color
    depth: int = 0
    confidence: int | None = 100
    nodes: int = 0
    time_s: float = 0.0

    @classmethod
    def exact(cls, value: int, view: Color, depth: int = 0) -> Self:
        """Return the score of a known value, in discs."""
        return cls(value, Kind.EXACT, value, value, view, depth)

    @classmethod
    def stated(
        cls,
        value: int,
        kind: Kind,
        view: Color,
        cells: int,
        *,
        depth: int = 0,
        confidence: int | None = 100,
        nodes: int = 0,
        time_s: float = 0.0,
    ) -> Self:
        """Return a score that states a value of a kind, on a board of ``cells`` squares.

        An exact value proves both bounds, a bound proves its own; any other kind proves none.
        """
        lower = value if kind in (Kind.EXACT, Kind.LOWER) else -cells
        upper = value if kind in (Kind.EXACT, Kind.UPPER) else cells
        return cls(value, kind, lower, upper, view, depth, confidence, nodes, time_s)

    def checked(self, cells: int) -> Self:
        """Return the score, as one that was read from a file, on a board of ``cells`` squares.

        Raises:
            InputError: no score there has these numbers.
        """
        for name, number in (("score", self.value), ("lower", self.lower), ("upper", self.upper)):
            if not isinstance(number, int) or abs(number) > cells:
                raise InputError(f"{name} must be a whole number from {-cells} to {cells}, not {excerpt(number)}")
        if self.lower > self.upper:
            raise InputError(f"lower must be at most upper, not {self.lower} and {self.upper}")
        return self

    def pov(self, color: Color) -> Self:
        """Return the score from a side's view; for the other side, a lower bound becomes an upper bound."""
        if color is self.view:
            return self
        check_type("color", color, Color, advice=COLORS)
        return replace(
            self,
            value=-self.value,
            kind=_OPPOSITE.get(self.kind, self.kind),
            lower=-self.upper,
            upper=-self.lower,
            view=color,
        )

    def __int__(self) -> int:
        """Return the value in discs; of a bound, the bound."""
        return self.value

    def _claims(self) -> tuple[object, ...]:
        return self.value, self.kind, self.lower, self.upper, self.view, self.depth, self.confidence

    def __eq__(self, other: object) -> bool:
        if isinstance(other, AnyScore):
            return self._claims() == other._claims()
        if isinstance(other, int | float):
            warnings.warn(
                f"a score is never equal to a number; compare score.value == {other}, or score >= {other}",
                stacklevel=caller_level(),
            )
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._claims())

    def __lt__(self, other: AnyScore | int) -> bool:
        return self._is_less(other, or_equal=False, sign="<")

    def __le__(self, other: AnyScore | int) -> bool:
        return self._is_less(other, or_equal=True, sign="<=")

    def __gt__(self, other: AnyScore | int) -> bool:
        return not self._is_less(other, or_equal=True, sign=">")

    def __ge__(self, other: AnyScore | int) -> bool:
        return not self._is_less(other, or_equal=False, sign=">=")

    def _is_less(self, other: AnyScore | int, *, or_equal: bool, sign: str) -> bool:
        if isinstance(other, AnyScore):
            if other.view is not self.view:
                raise InputError(
                    f"one score has the view of {self.view}, the other that of {other.view}; "
                    "compare score.pov(color)"
                )
            lower, upper, against = other.lower, other.upper, str(other)
        elif isinstance(other, int) and not isinstance(other, bool):
            lower, upper, against = other, other, str(other)
        else:
            raise ArgumentError(f"{sign} compares a score with a score or a number of discs, not {excerpt(other)}")
        if self.upper < lower or (or_equal and self.upper == lower):
            return True
        if self.lower > upper or (not or_equal and self.lower == upper):
            return False
        raise InputError(f"{self} {sign} {against} is not certain; compare their .value to compare estimates")

    def __str__(self) -> str:
        return NOTHING_PROVED if proves_nothing(self) else f"{format_score(self.value)} {kind_text(self)}"

    def ahead(self, name_of: Callable[[Color], str] = str) -> str:
        """Return who is ahead and by how much: ``Black by 4``, ``even``.

        Of a bound, and of a score that says only who wins, it is what they prove: ``Black by 2 or more``, or
        ``undecided``.

        Args:
            name_of: the name of a side; ``Black`` and ``White`` when not given.
        """
        low, high = _stated_span(self)
        if low <= 0 <= high:
            return "even" if low == high else "undecided"
        leader = self.view if low > 0 else self.view.opponent
        return f"{name_of(leader)} by {min(abs(low), abs(high))}{'' if low == high else ' or more'}"


class Score(AnyScore):
    """A score of a position in discs from the view of one side, with its kind and origin.

    ``score < 4``, ``score >= other`` and so on answer only what is certain: from the proved bounds, and between
    scores of one side's view. Otherwise they raise `InputError`. ``==`` compares what scores state: all attributes
    but ``nodes`` and ``time_s``; a score is never equal to a number, and says so in a warning.

    The text of a score is its value and kind, ``+4 exact``; ``nothing proved`` for a bound that holds for every
    game, where a search ended before it proved another.

    Attributes:
        value: discs, above zero when the side whose view it is wins.
        kind: what the value states.
        lower: proved lower bound.
        upper: proved upper bound.
        view: the side whose view the value and the bounds have; in an answer about a position, its side to move.
        depth: plies searched (the number of empty squares for a full solve); 0 while nothing is proved.
        confidence: how often a selective value is the exact one, in percent (`reversi.evaluation.confidence`);
            ``None`` for a heuristic value, which claims nothing; 100 for every other kind.
        nodes: positions visited by the search: reached by a placement, and searched or valued.
        time_s: wall-clock seconds.
    """

    __slots__ = ()

    def for_move(self, mover: Color) -> MoveValue:
        """Return the value of a move that leads to the position, for the player who makes it."""
        return _as(MoveValue, self.pov(mover))

    def for_best_move(self) -> MoveValue:
        """Return the value of a best move of the position."""
        return _as(MoveValue, self)


class MoveValue(AnyScore):
    """The value of a move: that of the position after it, from the view of one side.

    It has the attributes of a `Score`, and is compared and written like one. The position before the move may be
    worth more, and need not be known as well: a move that ends the game has an exact value beside others that are
    only guessed. `best_of` returns the score of the position.
    """

    __slots__ = ()

    def for_position(self) -> Score:
        """Return the score of the position after the move, from the same view."""
        return _as(Score, self)


OneScore = TypeVar("OneScore", Score, MoveValue)
"""`Score` or `MoveValue`: which of the two goes in is what comes out."""

_SUREST_FIRST: Final = (Kind.EXACT, Kind.BOOK, Kind.SELECTIVE, Kind.HEURISTIC)


def _as(one: type[OneScore], stated: AnyScore) -> OneScore:
    return one(*(getattr(stated, each.name) for each in fields(stated)))


def best_of(values: Collection[MoveValue]) -> Score:
    """Return the score of a position from the values of all its moves: the highest value.

    It is as sure as the least sure value of a move that may be better than what is proved. It is exact where no
    move may be.

    Args:
        values: at least one, of the kinds exact, book, selective and heuristic. One value may stand for several
            moves that look no better, or are proved to be no better than its ``upper``.
    """
    proved = max(each.lower for each in values)
    unsure = [each for each in values if each.upper > proved]
    nodes, time_s = max(each.nodes for each in values), max(each.time_s for each in values)
    if not unsure:
        best = next(each for each in values if each.lower == proved)
        return replace(_as(Score, best), nodes=nodes, time_s=time_s)
    least = max(unsure, key=lambda each: (_SUREST_FIRST.index(each.kind), -(each.confidence or 0), -each.depth))
    value = max(each.value for each in values)
    return replace(_as(Score, least), value=value, nodes=nodes, time_s=time_s)


def proves_nothing(score: AnyScore) -> bool:
    """Return whether a score is a bound that holds for every game: the search proved no other."""
    return score.kind in _OPPOSITE and score.lower == -score.upper and not score.depth


def format_score(value: int) -> str:
    """Return a number of discs with its sign, as the field writes it: `+38`, `-4`, `+0`."""
    return f"{value:+d}"


def value_text(score: AnyScore) -> str:
    """Return what a score states about the value: `-4`, or the proved bounds of a bound: `-4..+64`."""
    if score.kind in (Kind.LOWER, Kind.UPPER, Kind.WLD):
        return f"{format_score(score.lower)}..{format_score(score.upper)}"
    return format_score(score.value)


def short_score(score: AnyScore) -> str:
    """Return a score in a few characters: `+4` is exact, `>=+4` and `<=+4` are bounds, `~+4` is not proved.

    Of a score that says only who wins it is `win`, `draw` or `loss`; `?` where nothing is proved.
    """
    if proves_nothing(score):
        return "?"
    if score.kind is Kind.WLD:
        return "win" if score.value > 0 else "loss" if score.value else "draw"
    sign = {Kind.EXACT: "", Kind.LOWER: ">=", Kind.UPPER: "<="}.get(score.kind, "~")
    return f"{sign}{format_score(score.value)}"


def score_text(score: AnyScore, *, depth: bool = False, name_of: Callable[[Color], str] = str) -> str:
    """Return a score as every text output writes it: the value, its kind, who wins or is ahead.

    `-4 exact, White wins`; `+6 selective 91%, Black ahead`; `+0 heuristic, even`; `-64..+2 upper, undecided`;
    `wld, draw`; `nothing proved`. A score that says only who wins has no value.

    Args:
        score: the score.
        depth: add the depth of the search to a heuristic value: `+2 heuristic depth 8, Black ahead`.
        name_of: the name of a side; ``Black`` and ``White`` when not given.
    """
    if proves_nothing(score):
        return NOTHING_PROVED
    kind = kind_text(score)
    if depth and score.kind is Kind.HEURISTIC and score.depth:
        kind += f" depth {score.depth}"
    value = "" if score.kind is Kind.WLD else f"{value_text(score)} "
    return f"{value}{kind}, {_leader_text(score, name_of)}"


def kind_text(score: AnyScore) -> str:
    """Return the kind, with the confidence of a selective one: `selective 91%`."""
    return f"{score.kind} {score.confidence}%" if score.kind is Kind.SELECTIVE else str(score.kind)


def _stated_span(score: AnyScore) -> tuple[int, int]:
    """Return the least and the greatest value that a score states: the proved bounds, else the value."""
    return (score.lower, score.upper) if score.kind in _PROVED else (score.value, score.value)


def _leader_text(score: AnyScore, name_of: Callable[[Color], str]) -> str:
    """Return who wins, where the score proves it; else who is ahead."""
    is_proved = score.kind in _PROVED
    low, high = _stated_span(score)
    if low > 0 or high < 0:
        leader = name_of(score.view if low > 0 else score.view.opponent)
        return f"{leader} wins" if is_proved else f"{leader} ahead"
    if low == high:
        return "draw" if is_proved else "even"
    return "undecided"


def result_text(result: Result, name_of: Callable[[Color], str] = str) -> str:
    """Return a result, the winner and the winner's discs first: `White wins 45-19 (by 26)`, `draw 32-32`.

    Args:
        result: the disc count and its score.
        name_of: the name of a side; ``Black`` and ``White`` when not given.
    """
    winner = result.winner
    if winner is None:
        return f"draw {result.discs}"
    mine, theirs = (result.black, result.white) if winner is Color.BLACK else (result.white, result.black)
    return f"{name_of(winner)} wins {mine}-{theirs} (by {abs(result.score)})"
