"""The two colors. Black moves first, whatever a screen calls the colors."""

from __future__ import annotations

import enum


class Color(enum.Enum):
    """The color of a disc, and of the player who places it.

    Attributes:
        opponent: the other color.
        symbol: the character in board texts: ``X`` for Black, ``O`` for White.
    """

    BLACK = "X"
    WHITE = "O"

    @property
    def symbol(self) -> str:
        """The character of this color in board texts: ``X`` for Black, ``O`` for White."""
        return str(self.value)

    @property
    def opponent(self) -> Color:
        """The other color."""
        return Color.WHITE if self is Color.BLACK else Color.BLACK

    def __str__(self) -> str:
        return "Black" if self is Color.BLACK else "White"
