"""The looks of the full-screen board: colors, names of the two sides, and how discs are drawn."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

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
    discs: tuple[str, str] = ("#0b0d0e", "#f2f2ea")
    squares: tuple[str, str] = ("#2f9c60", "#268350")
    mark: str = "#8ed1a5"
    last: str = "#e5484d"
    cursor: str = "#ffd24a"
    background: str = "#14191c"
    panel: str = "#20282c"
    text: str = "#d8dee2"
    accent: str = "#ffd24a"
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


def _letters(name: str, title: str, drawing: Drawing) -> BoardTheme:
    none = dict.fromkeys(("mark", "last", "cursor", "background", "panel", "text", "accent"), "")
    return BoardTheme(name, title, drawing, discs=("", ""), squares=("", ""), **none)  # type: ignore[arg-type]


_ALL: Final = (
    BoardTheme("classic", "black and white on green"),
    BoardTheme(
        "redgreen",
        "red and green discs, as in the old sets",
        names=("Red", "Green"),
        discs=("#a8201a", "#1b6b3a"),
        squares=("#e0cfa6", "#d3bf90"),
        mark="#a58f5f",
        last="#fff3c4",
        cursor="#4a90d9",
        background="#1d1712",
        panel="#2c241c",
        text="#e6dccb",
        accent="#f0b95b",
    ),
    BoardTheme(
        "safe",
        "dark blue and orange, distinct for color-blind players",
        names=("Blue", "Orange"),
        discs=("#0a2a52", "#ffb000"),
        squares=("#7f8b95", "#74808a"),
        mark="#46525c",
        last="#d6358f",
        cursor="#ffffff",
        background="#12161a",
        panel="#1e252b",
        text="#dfe5ea",
        accent="#ffb000",
    ),
    BoardTheme(
        "light",
        "for light terminals",
        dark=False,
        discs=("#101314", "#ffffff"),
        squares=("#74bd8f", "#67b283"),
        mark="#2f7a4c",
        last="#d6336c",
        cursor="#f2a900",
        background="#fbfbf8",
        panel="#e6e8e4",
        text="#23282b",
        accent="#0b6b3a",
    ),
    _letters("plain", "X and O between lines, in the terminal's own colors", Drawing.LINES),
    _letters("ascii", "X and O, ASCII characters only", Drawing.ASCII),
)
THEMES: Final[Mapping[str, BoardTheme]] = {theme.name: theme for theme in _ALL}
"""Every theme by its name, in the order of the key c."""

_BLACK, _RED, _GREEN, _BROWN, _BLUE, _MAGENTA, _CYAN, _GRAY = (
    "#000000",
    "#aa0000",
    "#00aa00",
    "#aa5500",
    "#0000aa",
    "#aa00aa",
    "#00aaaa",
    "#aaaaaa",
)
_BRIGHT_RED, _BRIGHT_GREEN, _YELLOW, _WHITE = "#ff5555", "#55ff55", "#ffff55", "#ffffff"
_DARK: Final = {"background": _BLACK, "panel": _BLACK, "text": _WHITE, "accent": _YELLOW}
_ON_GREEN: Final[Mapping[str, str | tuple[str, str]]] = {
    "discs": (_BLACK, _WHITE),
    "squares": (_GREEN, _CYAN),
    "mark": _BRIGHT_GREEN,
    "cursor": _BROWN,
}
_IN_SIXTEEN: Final[Mapping[str, Mapping[str, str | tuple[str, str]]]] = {
    "classic": {**_ON_GREEN, "last": _BRIGHT_RED, **_DARK},
    "redgreen": {
        "discs": (_BRIGHT_RED, _BRIGHT_GREEN),
        "squares": (_BLUE, _BLACK),
        "mark": _GRAY,
        "last": _MAGENTA,
        "cursor": _BROWN,
        **_DARK,
    },
    "safe": {
        "discs": (_BLUE, _YELLOW),
        "squares": (_GRAY, _CYAN),
        "mark": _BLACK,
        "last": _BRIGHT_RED,
        "cursor": _MAGENTA,
        **_DARK,
    },
    "light": {
        **_ON_GREEN,
        "last": _RED,
        "background": _GRAY,
        "panel": _GRAY,
        "text": _BLACK,
        "accent": _BLUE,
    },
}
SIXTEEN: Final[Mapping[str, BoardTheme]] = {
    name: replace(theme, **_IN_SIXTEEN.get(name, {}))  # type: ignore[arg-type]
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
