"""The disc supply: the discs that each player has beside the board, and the discs handed over.

Each player starts with half the squares in discs, the discs of the start position included. A placement takes one
disc, a flip takes none. The opponent hands a disc to a player who places without one, as often as needed: the
supply never changes which moves are legal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reversi._core import Position
from reversi.arguments import COLORS, TEXT_TO_POSITION, check_type
from reversi.color import Color
from reversi.errors import ArgumentError, GameError


@dataclass(frozen=True, slots=True)
class Supply:
    """The discs beside the board.

    Attributes:
        black: discs Black still has to place.
        white: discs White still has to place.
        handed_to_black: discs White has handed to Black so far.
        handed_to_white: discs Black has handed to White so far.

    Raises:
        GameError: a number is negative.
        ArgumentError: something else than a whole number.
    """

    black: int
    white: int
    handed_to_black: int = 0
    handed_to_white: int = 0

    def __post_init__(self) -> None:
        numbers = (self.black, self.white, self.handed_to_black, self.handed_to_white)
        if not all(isinstance(number, int) for number in numbers):
            raise ArgumentError(f"disc supply must be whole numbers, not {', '.join(map(repr, numbers))}")
        if min(numbers) < 0:
            raise GameError(f"disc supply must not be negative: {self}")

    @classmethod
    def for_position(cls, position: Position) -> Supply:
        """Return the default supply of a position.

        Each side has half the empty squares, the mover the odd one. From a rule set's own start this is half the
        squares less the two discs that lie there already.
        """
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        mover = (position.empties + 1) // 2
        other = position.empties - mover
        return cls(mover, other) if position.to_move is Color.BLACK else cls(other, mover)

    @property
    def total(self) -> int:
        """The discs both players have."""
        return self.black + self.white

    @property
    def handed_over(self) -> int:
        """The discs handed over so far, in either direction."""
        return self.handed_to_black + self.handed_to_white

    def of(self, color: Color) -> int:
        """Return the discs that ``color`` still has."""
        check_type("color", color, Color, advice=COLORS)
        return self.black if color is Color.BLACK else self.white

    def needs_hand_over(self, color: Color) -> bool:
        """Return whether ``color`` has none left, so that the opponent hands over a disc for a placement."""
        return self.of(color) == 0

    def place(self, color: Color) -> Supply:
        """Return the supply after ``color`` places a disc, one of the opponent's if it has none left.

        Raises:
            GameError: neither player has a disc.
        """
        check_type("color", color, Color, advice=COLORS)
        if self.total == 0:
            raise GameError("neither player has a disc left to place")
        if color is Color.BLACK:
            if self.black:
                return replace(self, black=self.black - 1)
            return replace(self, white=self.white - 1, handed_to_black=self.handed_to_black + 1)
        if self.white:
            return replace(self, white=self.white - 1)
        return replace(self, black=self.black - 1, handed_to_white=self.handed_to_white + 1)

    def __str__(self) -> str:
        return f"Black {self.black}, White {self.white}"
