"""The looks of a board: which colors its parts have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from reversi.arguments import excerpt, not_one
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


_PARTS: Final = ("board", "line", "frame", "label", "ink", "mark", "accent", "highlight", "arrow")


def _colors(row: str) -> dict[str, Any]:
    """Return the colors of the parts in a row."""
    return dict(zip(_PARTS, row.split(), strict=True))


_ALL: Final = (
    Theme(
        "green",
        "black and white on green",
        **_colors("#2c8a58 #17503a #1d3b2f #d9e8de #ffffff #124a30 #e8403a #ffd24a #ffd24a"),
        shadow=0.28,
    ),
    Theme(
        "wood",
        "black and white on light wood",
        **_colors("#d9ac6c #8a5f2d #6b4423 #f7ead6 #33200c #8a5f2d #d3302f #1f6fb2 #1f6fb2"),
        black="#1d1712",
        white="#fffaf0",
        shadow=0.28,
    ),
    Theme(
        "print",
        "black on white paper, in shades of gray",
        **_colors("#ffffff #555555 #ffffff #111111 #111111 #8a8a8a #8a8a8a #444444 #666666"),
        black="#111111",
        white="#ffffff",
    ),
    Theme(
        "dark",
        "for dark pages and terminals",
        **_colors("#33424d #1d272e #161c20 #b9c6cf #f1f5f7 #7f95a3 #e8403a #58b6ff #58b6ff"),
        black="#0a0c0d",
        white="#eef1ee",
        shadow=0.35,
    ),
    Theme(
        "high-contrast",
        "strong colors and heavy lines",
        **_colors("#00855d #ffffff #000000 #ffff00 #ffffff #ffff00 #e00034 #ffff00 #ffff00"),
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
        raise not_one(theme, str, f"theme: {excerpt(theme)} does not exist; give one of {', '.join(THEMES)}")
    return THEMES[theme]
