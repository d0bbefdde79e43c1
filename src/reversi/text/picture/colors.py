"""Colors: reading them, mixing them, and how well one can be read on another."""

from __future__ import annotations

import functools
from typing import Final

import reversi._regex as re
from reversi.arguments import excerpt, not_one

COLOR_NAMES: Final = {
    "black": "#111111",
    "white": "#f8f8f4",
    "gray": "#808080",
    "red": "#b3261e",
    "green": "#1b6b3a",
    "blue": "#174ea6",
    "orange": "#f29900",
    "yellow": "#f7d038",
    "purple": "#6a1b9a",
    "brown": "#6d4c33",
}
"""The colors that have names, as ``#rrggbb``."""

_HEX: Final = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})")


def parse_color(name: str, text: object) -> str:
    """Return a color as ``#rrggbb``, from ``#rgb``, ``#rrggbb`` or one of `COLOR_NAMES`.

    Args:
        name: what the error calls it.
        text: the color as it was given.

    Raises:
        ArgumentError: it is not a text.
        InputError: it is not a color; the message lists the names.
    """
    word = text.strip().lower() if isinstance(text, str) else ""
    if word in COLOR_NAMES:
        return COLOR_NAMES[word]
    if not _HEX.fullmatch(word):
        names = ", ".join(COLOR_NAMES)
        raise not_one(text, str, f"{name}: {excerpt(text)} is not a color; give #rrggbb or one of {names}")
    return word if len(word) == 7 else "#" + "".join(2 * digit for digit in word[1:])


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def mix(color: str, other: str, share: float) -> str:
    """Return the color that is ``share`` (0 to 1) of the way from one color to another."""
    pairs = zip(_channels(color), _channels(other), strict=True)
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)


@functools.lru_cache(maxsize=256)
def _luminance(color: str) -> float:
    parts = [channel / 255 for channel in _channels(color)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(color: str, other: str) -> float:
    """Return the contrast of two colors, from 1 (none) to 21 (black on white).

    Source: the contrast ratio of WCAG 2.2, which wants 4.5 for text and 3 for large text and signs.
    """
    light, dark = sorted((_luminance(color), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def difference(color: str, other: str) -> int:
    """Return how far two colors are apart, the channels' distances together: from 0 to 765."""
    return sum(abs(one - two) for one, two in zip(_channels(color), _channels(other), strict=True))


def ink_on(color: str) -> str:
    """Return black or white, whichever can be read better on a color."""
    return max(("#111111", "#ffffff"), key=lambda ink: contrast(ink, color))
