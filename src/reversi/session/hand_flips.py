"""Discs that people flip by hand in a session, as over the board."""

from __future__ import annotations

from collections.abc import Iterable

from reversi._core import Square
from reversi.color import Color
from reversi.errors import GameError
from reversi.game.game import puts_right_earlier
from reversi.game.ply import Ply
from reversi.session.core import Flipping, SessionCore
from reversi.session.events import Flipped, FlipsFinished

__all__ = ["HandFlips"]


class HandFlips(SessionCore):
    """The part of a session that flips discs by hand."""

    def flip(self, *squares: Square | str, color: Color | None = None) -> Ply:
        """Flip discs for the latest placement, or flip them back, until the opponent moves.

        The session does not check the flips: a wrong flip stands. It refuses a flip that corrects an earlier
        placement than the latest; that is too late.

        Args:
            squares: the discs.
            color: the player who flips them; by default the player who moved last.

        Raises:
            GameError: the rules flip the discs in this game, nobody has placed a disc yet, or it is too late.
            InvalidMoveError: a text is not a square.
            IllegalMoveError: a square is empty.
        """
        wanted = [Square(square) if isinstance(square, str) else square for square in squares]
        ply = self._correctable(color)
        flips = set(ply.flips)
        for square in wanted:
            if puts_right_earlier(self.game, square):
                raise GameError(
                    f"{square}: too late to correct {self.game[-2].move}; "
                    f"{ply.color} has moved, and the board stands as it is"
                )
            flips ^= {square}
        return self._set_flips(flips)

    def flip_all(self, color: Color | None = None) -> Ply:
        """Flip exactly the discs that the rules flip.

        Raises:
            GameError: as for `flip`.
        """
        ply = self._correctable(color)
        return self._set_flips(ply.before.flips(ply.move))

    def finish_flips(self) -> None:
        """Finish the flips of the latest placement: the player presses the clock, and the opponent is to move.

        Raises:
            GameError: no flips are pending.
        """
        if self.tick() or not self._flips_pending:
            raise GameError("nobody is flipping discs")
        self._finish()
        self._settle()

    def _set_flips(self, flips: Iterable[Square]) -> Ply:
        ply = self.game.set_flips(flips)
        self._flips_pending = self._touched = True
        del self._clocks.history[len(self.game) + 1 :]
        self._report(Flipped(ply))
        self._changed()
        return ply

    def _correctable(self, color: Color | None) -> Ply:
        if self.flipping is not Flipping.MANUAL:
            raise GameError("the rules flip the discs in this game")
        self.tick()
        if self.is_over:
            raise GameError(f"too late; the game is over: {self.game.outcome}")
        ply = self.game.last
        if ply is None:
            raise GameError("nobody has placed a disc yet")
        if (color is not None and color is not ply.color) or (ply.hand_flips is None):
            raise GameError(f"too late; {ply.color} has moved, and the board stands as it is")
        return ply

    def _finish(self) -> None:
        ply = self.game.last
        assert ply is not None
        self._flips_pending = False
        if self._clocks.running is ply.color:
            self.game.annotate(ply.number, clock=self._clocks.press())
            self._clocks.note(len(self.game))
        self._report(FlipsFinished(ply.color))
