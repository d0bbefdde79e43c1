"""The looks of a board: which colors its parts have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

from reversi.arguments import not_one
from reversi.color import Color
from reversi.text.picture.colors import parse_color


@dataclass(frozen=True, slots=True)
class Theme:
    """The colors of a board, as ``#rrggbb``.

    Attributes:
        name: what the theme is called.
        title: what it looks like, in a few words.
        board: the squares.
        line: the lines between the squares.
        frame: what is around the board.
        label: coordinates and captions, which stand on the frame.
        black: Black's discs.
        white: White's discs.
        ink: text on empty squares.
        mark: legal moves.
        accent: the last move and the discs it flipped.
        highlight: highlighted squares.
        arrow: arrows.
        shadow: how dark the shadow under a disc is, from 0 (none) to 1.
        stroke: the width of the lines between the squares, in sixtieths of a square.

    Raises:
        InputError: a value that is not a color.
    """

    name: str
    title: str
    board: str
    line: str
    frame: str
    label: str
    ink: str
    mark: str
    accent: str
    highlight: str
    arrow: str
    black: str = "#141617"
    white: str = "#f8f8f4"
    shadow: float = 0.0
    stroke: float = 1.5

    def __post_init__(self) -> None:
        for part in fields(self):
            if part.name not in {"name", "title", "shadow", "stroke"}:
                object.__setattr__(self, part.name, parse_color(part.name, getattr(self, part.name)))

    def disc(self, color: Color) -> str:
        """Return the color of a side's discs."""
        return self.black if color is Color.BLACK else self.white


_ALL: Final = (
    Theme(
        "green",
        "black and white on green",
        board="#2c8a58",
        line="#17503a",
        frame="#1d3b2f",
        label="#d9e8de",
        ink="#ffffff",
        mark="#124a30",
        accent="#e8403a",
        highlight="#ffd24a",
        arrow="#ffd24a",
        shadow=0.28,
    ),
    Theme(
        "wood",
        "black and white on light wood",
        board="#d9ac6c",
        line="#8a5f2d",
        frame="#6b4423",
        label="#f7ead6",
        ink="#33200c",
        mark="#8a5f2d",
        accent="#d3302f",
        highlight="#1f6fb2",
        arrow="#1f6fb2",
        black="#1d1712",
        white="#fffaf0",
        shadow=0.28,
    ),
    Theme(
        "print",
        "black on white paper, in shades of gray",
        board="#ffffff",
        line="#555555",
        frame="#ffffff",
        label="#111111",
        ink="#111111",
        mark="#8a8a8a",
        accent="#8a8a8a",
        highlight="#444444",
        arrow="#666666",
        black="#111111",
        white="#ffffff",
    ),
    Theme(
        "dark",
        "for dark pages and terminals",
        board="#33424d",
        line="#1d272e",
        frame="#161c20",
        label="#b9c6cf",
        ink="#f1f5f7",
        mark="#7f95a3",
        accent="#e8403a",
        highlight="#58b6ff",
        arrow="#58b6ff",
        black="#0a0c0d",
        white="#eef1ee",
        shadow=0.35,
    ),
    Theme(
        "high-contrast",
        "strong colors and heavy lines",
        board="#00855d",
        line="#ffffff",
        frame="#000000",
        label="#ffff00",
        ink="#ffffff",
        mark="#ffff00",
        accent="#e00034",
        highlight="#ffff00",
        arrow="#ffff00",
        black="#000000",
        white="#ffffff",
        stroke=3,
    ),
)
THEMES: Final[Mapping[str, Theme]] = {theme.name: theme for theme in _ALL}
"""Every theme by its name."""
DEFAULT_THEME: Final = "green"


def find_theme(theme: Theme | str) -> Theme:
    """Return a theme by its name; a theme is itself.

    Raises:
        ArgumentError: it is neither.
        InputError: the theme is unknown; the message lists the names.
    """
    if isinstance(theme, Theme):
        return theme
    if not isinstance(theme, str) or theme not in THEMES:
        raise not_one(theme, str, f"theme: {theme!r} does not exist; give one of {', '.join(THEMES)}")
    return THEMES[theme]
