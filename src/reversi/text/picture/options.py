"""What a picture of a board shows, and how: one value, checked when it is made."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, NamedTuple

from reversi._core import Move, Square
from reversi.arguments import check_count, check_type, excerpt, not_one
from reversi.errors import ArgumentError, InputError, InvalidMoveError
from reversi.rules import BoardSize
from reversi.score import Score, short_score
from reversi.text.picture.colors import difference, parse_color
from reversi.text.picture.themes import DEFAULT_THEME, Theme, find_theme

MIN_SIZE: Final = 40
"""The least width of a picture in pixels."""
MAX_SIZE: Final = 4096
"""The greatest width of a picture in pixels."""
MAX_TEXT: Final = 8
"""Characters that the text on a square may have."""
_MAX_LINE: Final = 1000  # characters of a title or a caption
_MAX_MARKS: Final = 500  # arrows
_LEAST_DIFFERENCE: Final = 100  # of the two disc colors


class Arrow(NamedTuple):
    """An arrow from the center of one square to that of another."""

    tail: Square
    head: Square


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a picture shows. Squares are given as `reversi.Square` or as text (``f5``).

    Attributes:
        theme: a name in `reversi.render.THEMES`, or a theme of one's own.
        black: the color of Black's discs, as ``#rrggbb`` or a name; "" is the theme's.
        white: the color of White's discs.
        size: the width of the picture in pixels.
        coordinates: whether letters and numbers stand around the board.
        ply: the ply of a game after which the board is drawn, 0 for the start; ``None`` is the last one.
        last_move: whether to mark the last move of a game, or which square to mark.
        flips: whether to mark the discs that the last move of a game flipped, or which squares to mark.
        legal_moves: whether to mark the squares of the legal moves.
        numbers: whether to draw a transcript diagram as books have it: the discs of the start, and the number of
            each move on its square, in the color of the player who placed the disc there.
        numbers_from: the first ply that gets a number; the discs are those before it.
        values: scores on squares, or texts of at most 8 characters.
        losses: what a move on a square loses in discs; the square is colored by it, pale for 0, dark red from 16.
        arrows: arrows, as `Arrow`, as two squares, or as text (``d3-f5``).
        highlights: squares to frame.
        title: what the picture is called for people who do not see it; "" says what position it is.
        caption: a line of text under the board.

    Raises:
        ArgumentError: a value of another type; the message names the option and what it takes.
        InputError: a value that cannot be; the same.
    """

    theme: Theme | str = DEFAULT_THEME
    black: str = ""
    white: str = ""
    size: int = 400
    coordinates: bool = True
    ply: int | None = None
    last_move: bool | Square | str = True
    flips: bool | Iterable[Square | str] = False
    legal_moves: bool = False
    numbers: bool = False
    numbers_from: int = 1
    values: Mapping[Square, str | Score] | Mapping[Square, str] | Mapping[str, str] = field(default_factory=dict)
    losses: Mapping[Square, float] | Mapping[str, float] = field(default_factory=dict)
    arrows: Iterable[Arrow | tuple[Square, Square] | tuple[str, str] | str] = ()
    highlights: Iterable[Square | str] = ()
    title: str = ""
    caption: str = ""

    def __post_init__(self) -> None:
        look = self.look  # checks the theme and the colors
        if difference(look.black, look.white) < _LEAST_DIFFERENCE:
            raise InputError(
                f"black and white: {look.black} and {look.white} are too alike to tell the discs apart"
            )
        check_count("size", self.size, MAX_SIZE, least=MIN_SIZE, unit="pixels")
        for name in ("coordinates", "legal_moves", "numbers"):
            if not isinstance(getattr(self, name), bool):
                raise ArgumentError(f"{name} must be True or False, not {excerpt(getattr(self, name))}")
        if self.ply is not None:
            check_count("ply", self.ply, least=0)
        check_count("numbers_from", self.numbers_from)
        for name in ("title", "caption"):
            text = getattr(self, name)
            if not isinstance(text, str) or len(text) > _MAX_LINE:
                raise not_one(text, str, f"{name} must be a text of at most {_MAX_LINE} characters")
        if not isinstance(self.last_move, bool):
            self._set("last_move", _square("last_move", self.last_move))
        if not isinstance(self.flips, bool):
            self._set("flips", _squares("flips", self.flips))
        self._set("highlights", _squares("highlights", self.highlights))
        self._set("values", {square: _text(text) for square, text in _by_square("values", self.values)})
        self._set("losses", {square: _loss(loss) for square, loss in _by_square("losses", self.losses)})
        self._set("arrows", _arrows(self.arrows))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def look(self) -> Theme:
        """The theme with the disc colors that are drawn."""
        theme = find_theme(self.theme)
        if self.black == self.white == "":
            return theme
        black = parse_color("black", self.black) if self.black != "" else theme.black
        white = parse_color("white", self.white) if self.white != "" else theme.white
        return replace(theme, black=black, white=white)

    def marks(self, board: BoardSize) -> Marks:
        """Return the marks by the index of the square, on a board of this size.

        Raises:
            InputError: a square outside the board; the message names the option.
        """
        last = None if isinstance(self.last_move, bool) else _inside("last_move", self.last_move, board)
        flips = None if isinstance(self.flips, bool) else tuple(_inside("flips", it, board) for it in self.flips)
        return Marks(
            last,
            flips,
            tuple(_inside("highlights", square, board) for square in self.highlights),
            {_inside("values", square, board): str(text) for square, text in self.values.items()},
            {_inside("losses", square, board): loss for square, loss in self.losses.items()},
            tuple((_inside("arrows", it[0], board), _inside("arrows", it[1], board)) for it in self.arrows),
        )


class Marks(NamedTuple):
    """Options that name squares, by the indices of these; ``None`` where the game decides."""

    last: int | None
    flips: tuple[int, ...] | None
    highlights: tuple[int, ...]
    values: dict[int, str]
    losses: dict[int, float]
    arrows: tuple[tuple[int, int], ...]


_NAMES: Final = tuple(part.name for part in fields(Options))


def with_changes(options: Options | None, changes: Mapping[str, Any], *others: str) -> Options:
    """Options with some of them changed.

    Args:
        options: the options; the defaults when not given.
        changes: new values by name.
        others: names that the caller takes beside the options, for the error.

    Raises:
        InputError: an option that does not exist, or one with a value that cannot be.
    """
    for name in changes:
        if name not in _NAMES:
            names = (*_NAMES, *others)
            close = difflib.get_close_matches(name, names, 1)
            hint = f"did you mean {excerpt(close[0])}? " if close else ""
            raise InputError(
                f"{excerpt(name)} is not an option of a picture; {hint}the options are {', '.join(names)}"
            )
    if options is None:
        return Options(**changes)
    check_type("options", options, Options)
    return replace(options, **changes) if changes else options


def _square(name: str, value: object) -> Square:
    move: object = value
    if isinstance(value, str):
        try:
            move = Move.parse(value.strip())
        except InvalidMoveError:
            move = None
    if not isinstance(move, Square):
        raise not_one(value, str | Move, f"{name}: {excerpt(str(value))} is not a square; give one from a1 to h8")
    return move


def _squares(name: str, values: object) -> tuple[Square, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ArgumentError(f"{name} must be squares, as in ['f5', 'd6'], not {excerpt(values)}")
    return tuple(sorted({_square(name, value) for value in values}))


def _by_square(name: str, values: object) -> list[tuple[Square, Any]]:
    if not isinstance(values, Mapping):
        raise ArgumentError(f"{name} must map squares to what they show, as in {{'f5': …}}, not {excerpt(values)}")
    return sorted(((_square(name, square), value) for square, value in values.items()), key=lambda it: it[0])


def _text(text: object) -> str:
    if isinstance(text, Score):
        return short_score(text)
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        raise not_one(
            text, str, f"values: {excerpt(text)} is neither a score nor a text of at most {MAX_TEXT} characters"
        )
    return text


def _loss(loss: object) -> float:
    if isinstance(loss, bool) or not isinstance(loss, int | float) or not math.isfinite(loss) or loss < 0:
        raise not_one(loss, int | float, f"losses: {excerpt(loss)} is not a number of discs, at least 0")
    return loss


def _arrows(values: object) -> tuple[Arrow, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ArgumentError(f"arrows must be arrows, as in ['d3-f5'], not {excerpt(values)}")
    arrows = tuple(_arrow(value) for value in values)
    if len(arrows) > _MAX_MARKS:
        raise InputError(f"arrows: {len(arrows)} are too many; give at most {_MAX_MARKS}")
    return arrows


def _arrow(value: object) -> Arrow:
    ends = value.split("-") if isinstance(value, str) else value
    if not isinstance(ends, tuple | list) or len(ends) != 2:
        raise not_one(
            value, str | tuple | list, f"arrows: {excerpt(value)} is not an arrow; give two squares, as in d3-f5"
        )
    arrow = Arrow(_square("arrows", ends[0]), _square("arrows", ends[1]))
    if arrow.tail == arrow.head:
        raise InputError(f"arrows: {excerpt(value)} begins and ends on the same square")
    return arrow


def _inside(name: str, square: Square | str, board: BoardSize) -> int:
    assert isinstance(square, Square)
    if square.row >= board.rows or square.column >= board.columns:
        raise InputError(f"{name}: {square} is outside the {board} board")
    return square.index
