"""Trial lines: moves tried from a game, which stays as it is."""

from __future__ import annotations

from collections.abc import Iterable

from reversi._core import Move, Position
from reversi.game.game import Game, continued
from reversi.session.variations import Variation


class Trial:
    """A copy of a game to step through, and to try other moves in.

    Args:
        game: the game; it does not change. Plies that it took back come along.

    Attributes:
        game: the copy, at the position that is looked at.
    """

    def __init__(self, game: Game) -> None:
        self.game: Game = game.copy()
        self.game.undo(0)  # a declared end, such as a resignation, does not stop a trial
        self._whole = tuple(self.game.whole())
        self._start = self.game.copy()

    @property
    def position(self) -> Position:
        """The position that is looked at."""
        return self.game.position

    @property
    def common(self) -> int:
        """How many plies the trial shares with the game."""
        count = 0
        for ours, theirs in zip(self.game, self._whole, strict=False):
            if ours.move != theirs.move or ours.after != theirs.after:
                break
            count += 1
        return count

    @property
    def line(self) -> tuple[Move, ...]:
        """The moves tried, passes included; none while the trial is within the game."""
        return self.game.moves[self.common :]

    @property
    def variation(self) -> Variation:
        """The line, as a session keeps it for the record of its game."""
        return Variation(self.game.moves[: self.common], self.line)

    def play(self, move: Move | str) -> None:
        """Try a move; a forced pass after it is played, too.

        Raises:
            GameError: the game is over.
            InvalidMoveError: the text is not a move.
            IllegalMoveError: the move is not legal.
        """
        self.game.play(move)
        self.game.pass_if_forced()

    def play_all(self, moves: Iterable[Move]) -> None:
        """Try several moves, or none of them where one cannot be played."""
        self.game = continued(self.game, moves)
        self.game.pass_if_forced()

    def back(self) -> bool:
        """Go back by a ply; return whether there is one."""
        return bool(self.game.undo(min(1, len(self.game))))

    def forward(self) -> bool:
        """Go on by a ply of the line that was tried, else of the game; return whether there is one."""
        at = len(self.game)
        if self.game.can_redo:
            self.game.redo(1)
        elif at < len(self._whole) and self.common == at:
            ply = self._whole[at]
            self.game.play(ply.move, flips=ply.hand_flips)
        return len(self.game) > at

    def home(self) -> None:
        """Go back to the position of the game at which the trial began; the line that was tried is gone."""
        self.game = self._start.copy()
