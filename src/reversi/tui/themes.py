"""The looks of the full-screen board: colors, names of the two sides, and how discs are drawn."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import reversi._regex as re
from reversi.color import Color

_SIDES: Final = re.compile(r"\b(?:Black|White)\b")


class Drawing(enum.Enum):
    """How a board is drawn."""

    BLOCKS = "blocks"
    """Round discs made of half blocks on colored squares."""
    LINES = "lines"
    """Letters between box lines, in the terminal's own colors."""
    ASCII = "ascii"
    """Letters between ``+``, ``-`` and ``|``: nothing but ASCII on the whole screen."""


@dataclass(frozen=True, slots=True)
class BoardTheme:
    """One look. Colors are ``#rrggbb``; those of a theme that draws with letters are empty.

    Attributes:
        title: a short description.
        drawing: how it draws discs and squares.
        dark: whether it is for dark terminals.
        names: the names of the sides, Black's first; Black moves first.
        discs: the colors of the discs, Black's first.
        squares: the two alternating shades of the squares.
        mark: the mark on a legal placement.
        last: the mark on the disc of the latest placement.
        cursor: the square of the cursor.
        background: the screen around the board.
        panel: bars and boxes.
        text: text.
        accent: text to notice first.
        turned: whether the board is turned by half, so that a1 is at the lower right.
        mirrored: whether left and right change places, as on sites whose start has the other colors.
    """

    name: str
    title: str
    drawing: Drawing = Drawing.BLOCKS
    dark: bool = True
    names: tuple[str, str] = ("Black", "White")
    discs: tuple[str, str] = ("", "")
    squares: tuple[str, str] = ("", "")
    mark: str = ""
    last: str = ""
    cursor: str = ""
    background: str = ""
    panel: str = ""
    text: str = ""
    accent: str = ""
    turned: bool = False
    mirrored: bool = False

    @property
    def view(self) -> str:
        """How the board is seen, in words; `seen` reads them."""
        return " and ".join(word for word in ("turned", "mirrored") if getattr(self, word)) or "as usual"

    def seen(self, view: str) -> BoardTheme:
        """Return the same look with the board turned or mirrored as those words say; others change nothing."""
        return replace(self, turned="turned" in view, mirrored="mirrored" in view)

    @property
    def colorless(self) -> bool:
        """Whether it uses the terminal's own colors only."""
        return self.drawing is not Drawing.BLOCKS

    @property
    def dash(self) -> str:
        return " - " if self.colorless else " – "

    @property
    def ellipsis(self) -> str:
        """The end of a text about something that still runs."""
        return "..." if self.colorless else "…"

    @property
    def pointer(self) -> str:
        """The character that points at a line."""
        return ">" if self.colorless else "▶"

    def name_of(self, color: Color) -> str:
        """Return the name of a side on screen."""
        return self.names[color is Color.WHITE]

    def worded(self, text: str) -> str:
        """Return a text about Black and White with the names of the sides on screen."""
        if self.names == ("Black", "White"):
            return text
        return _SIDES.sub(lambda found: self.names[found[0] == "White"], text)

    def disc_of(self, color: Color) -> str:
        """Return the color of a side's discs."""
        return self.discs[color is Color.WHITE]

    def symbol_of(self, color: Color) -> str:
        """Return the character for a side's disc beside the board."""
        return color.symbol if self.colorless else "●"


_PARTS: Final = ("mark", "last", "cursor", "background", "panel", "text", "accent")


def _colors(row: str, names: Mapping[str, str] = {}) -> dict[str, Any]:
    """Return the colors of a row: of both discs, both shades of squares, and the other parts."""
    black, white, light, dark, *others = (names.get(color, color) for color in row.split())
    return {"discs": (black, white), "squares": (light, dark), **dict(zip(_PARTS, others, strict=True))}


_ALL: Final = (
    BoardTheme(
        "classic",
        "black and white on green",
        **_colors("#0b0d0e #f2f2ea  #2f9c60 #268350  #8ed1a5 #e5484d #ffd24a  #14191c #20282c #d8dee2 #ffd24a"),
    ),
    BoardTheme(
        "redgreen",
        "red and green discs, as in the old sets",
        names=("Red", "Green"),
        **_colors("#a8201a #1b6b3a  #e0cfa6 #d3bf90  #a58f5f #fff3c4 #4a90d9  #1d1712 #2c241c #e6dccb #f0b95b"),
    ),
    BoardTheme(
        "safe",
        "dark blue and orange, distinct for color-blind players",
        names=("Blue", "Orange"),
        **_colors("#0a2a52 #ffb000  #7f8b95 #74808a  #46525c #d6358f #ffffff  #12161a #1e252b #dfe5ea #ffb000"),
    ),
    BoardTheme(
        "light",
        "for light terminals",
        dark=False,
        **_colors("#101314 #ffffff  #74bd8f #67b283  #2f7a4c #d6336c #f2a900  #fbfbf8 #e6e8e4 #23282b #0b6b3a"),
    ),
    BoardTheme("plain", "X and O between lines, in the terminal's own colors", Drawing.LINES),
    BoardTheme("ascii", "X and O, ASCII characters only", Drawing.ASCII),
)
THEMES: Final[Mapping[str, BoardTheme]] = {theme.name: theme for theme in _ALL}
"""Every theme by its name, in the order of the key c."""

_SIXTEEN_COLORS: Final = {
    "black": "#000000",
    "red": "#aa0000",
    "green": "#00aa00",
    "brown": "#aa5500",
    "blue": "#0000aa",
    "magenta": "#aa00aa",
    "cyan": "#00aaaa",
    "gray": "#aaaaaa",
    "bright-red": "#ff5555",
    "bright-green": "#55ff55",
    "yellow": "#ffff55",
    "white": "#ffffff",
}
_IN_SIXTEEN: Final = {
    "classic": "black white  green cyan  bright-green bright-red brown  black black white yellow",
    "redgreen": "bright-red bright-green  blue black  gray magenta brown  black black white yellow",
    "safe": "blue yellow  gray cyan  black bright-red magenta  black black white yellow",
    "light": "black white  green cyan  bright-green red brown  gray gray black blue",
}
SIXTEEN: Final[Mapping[str, BoardTheme]] = {
    name: replace(theme, **_colors(_IN_SIXTEEN[name], _SIXTEEN_COLORS)) if name in _IN_SIXTEEN else theme
    for name, theme in THEMES.items()
}
"""The themes for a terminal with sixteen colors, made of these: two other colors may have the same nearest one.
Squares take one of the first eight, since some terminals have no others for a background."""
VIEWS: Final = ("as usual", "turned", "mirrored", "turned and mirrored")
"""How a board may be seen, in the order of the key x."""
DEFAULT: Final = "classic"
COLORLESS: Final = tuple(theme.name for theme in _ALL if theme.colorless)
"""The themes that stay within ``NO_COLOR``."""


def shown_themes(*, no_color: bool = False, colors: bool = True, unicode: bool = True) -> Mapping[str, BoardTheme]:
    """Return the themes that a terminal can show by their names, in the order of the key c.

    Args:
        no_color: whether the user wants only the terminal's own colors.
        colors: whether the terminal shows more than sixteen colors.
    """
    return {
        name: theme
        for name, theme in (THEMES if colors else SIXTEEN).items()
        if (unicode or theme.drawing is Drawing.ASCII) and (theme.colorless or not no_color)
    }


def first_theme(
    wanted: str = "", *, no_color: bool = False, colors: bool = True, unicode: bool = True, light: bool = False
) -> str:
    """Return the name of the theme to begin with.

    Args:
        wanted: the user's choice, "" for none.
        no_color: whether the user wants only the terminal's own colors.
        colors: whether the terminal shows more than sixteen colors.
        light: whether the terminal is known to be light.

    Returns:
        ``wanted`` if the terminal can show it, else a theme that suits.
    """
    if not unicode:
        return "ascii"
    if no_color:
        return wanted if wanted in COLORLESS else "plain"
    if wanted in THEMES:
        return wanted
    if not colors:
        return "plain"
    return "light" if light else DEFAULT
