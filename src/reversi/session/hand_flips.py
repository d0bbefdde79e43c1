"""Discs that are turned by hand in a session, as over the board."""

from __future__ import annotations

from collections.abc import Iterable

from reversi._core import Square
from reversi.color import Color
from reversi.errors import GameError
from reversi.game.game import puts_right_earlier
from reversi.game.ply import Ply
from reversi.session.core import Flipping, SessionCore
from reversi.session.events import Turned, TurnEnded

__all__ = ["HandFlips"]


class HandFlips(SessionCore):
    """The part of a session that turns discs by hand."""

    def turn(self, *squares: Square | str, color: Color | None = None) -> Ply:
        """Turn discs of the latest placement, or turn them back, until the opponent moves.

        Nothing is checked: wrong discs turn too, and stay so. Only what would put right an earlier placement than
        the latest is refused as too late.

        Args:
            squares: the discs.
            color: who turns them; by default the player who moved last.

        Raises:
            GameError: discs turn by themselves in this game, nothing was placed yet, or it is too late.
            InvalidMoveError: a text is not a square.
            IllegalMoveError: there is no disc to turn.
        """
        wanted = [Square(square) if isinstance(square, str) else square for square in squares]
        ply = self._correctable(color)
        turned = set(ply.flips)
        for square in wanted:
            if puts_right_earlier(self.game, square):
                raise GameError(
                    f"{square}: too late to correct {self.game[-2].move}: "
                    f"{ply.color} has moved, and the board stands as it is"
                )
            turned ^= {square}
        return self._turn(turned)

    def turn_all(self, color: Color | None = None) -> Ply:
        """Turn exactly the discs that the rules say.

        Raises:
            GameError: as :meth:`turn`.
        """
        ply = self._correctable(color)
        return self._turn(ply.before.flips(ply.move))

    def finish_turn(self) -> None:
        """End a turn in which discs were turned by hand: the clock is pressed, and the opponent is to move.

        Raises:
            GameError: no turn waits for its end.
        """
        if self.tick() or not self._turning:
            raise GameError("there is no turn to end")
        self._finish()
        self._settle()

    def _turn(self, turned: Iterable[Square]) -> Ply:
        ply = self.game.turn(turned)
        self._turning = self._touched = True
        del self._clocks.history[len(self.game) + 1 :]
        self._tell(Turned(ply))
        self._changed()
        return ply

    def _correctable(self, color: Color | None) -> Ply:
        if self.flipping is not Flipping.MANUAL:
            raise GameError("discs turn by themselves in this game")
        self.tick()
        if self.is_over:
            raise GameError(f"too late: the game is over: {self.game.outcome}")
        ply = self.game.last
        if ply is None:
            raise GameError("no disc has been placed yet")
        if (color is not None and color is not ply.color) or (ply.turned is None):
            raise GameError(f"too late: {ply.color} has moved, and the board stands as it is")
        return ply

    def _finish(self) -> None:
        ply = self.game.last
        assert ply is not None
        self._turning = False
        if self._clocks.running is ply.color:
            self.game.annotate(ply.number, clock=self._clocks.press())
            self._clocks.note(len(self.game))
        self._tell(TurnEnded(ply.color))
