"""Taking back turns in a session, and playing them again."""

from __future__ import annotations

from reversi.errors import GameError
from reversi.game.ply import Ply, Termination
from reversi.session.core import SessionCore
from reversi.session.events import Event, PlayedAgain, TakenBack

__all__ = ["TakeBacks"]


class TakeBacks(SessionCore):
    """The part of a session that takes back and plays again."""

    @property
    def can_undo(self) -> int:
        """How many turns can be taken back."""
        if not self.takebacks or self._lost_on_time:
            return 0
        return len(self._turns_before()) + (self._withdrawable and not self._turning)

    @property
    def can_redo(self) -> int:
        """How many turns can be played again."""
        return 0 if self._declared else len(self._turns_after())

    def undo(self, turns: int = 1) -> tuple[Ply, ...]:
        """Take back ``turns`` turns of people, with the engine's answers and the forced passes after them.

        A resignation counts as a turn. The clocks go back too. While the game is paused, and where engines play
        both sides, every ply is a turn; engines that play both sides are paused then.

        Raises:
            GameError: taking back is not allowed, a flag has fallen, or there is less to take back; nothing has
                changed then.
        """
        if not self.takebacks:
            raise GameError("this game is played without taking back")
        if self._lost_on_time:
            raise GameError(f"the flag has fallen, and the game is over: {self.game.outcome}")
        if turns < 1:
            raise GameError(f"cannot take back {turns} turns")
        available = self.can_undo
        if not available:
            raise GameError("there is nothing to take back")
        if turns > available:
            raise GameError(f"only {available} can be taken back")
        withdrawn = int(self._withdrawable and not self._turning)
        count = 0 if turns == withdrawn else len(self.game) - self._turns_before()[withdrawn - turns]
        plies = self.game.undo(count)
        self._moved(TakenBack(plies))
        return plies

    def redo(self, turns: int = 1) -> tuple[Ply, ...]:
        """Play again ``turns`` turns that were taken back, up to the next choice of a person.

        What a turn is while the game is paused, and for engines, see :meth:`undo`.

        Raises:
            GameError: there is less to play again; nothing has changed then.
        """
        if turns < 1:
            raise GameError(f"cannot play {turns} turns again")
        at = [] if self._declared else self._turns_after()
        if not at:
            raise GameError("there is nothing to play again")
        if turns > len(at):
            raise GameError(f"only {len(at)} can be played again")
        plies = self.game.redo(at[turns - 1] - len(self.game))
        self._moved(PlayedAgain(plies))
        return plies

    def _moved(self, event: Event) -> None:
        self._turning = False
        self._ended = False
        self._paused = self._paused or self.engines_only  # or they would play on at once
        self._clocks.restore(len(self.game))
        self._tell(event)
        self._settle()

    @property
    def _declared(self) -> bool:
        outcome = self.game.outcome
        return outcome is not None and outcome.termination is not Termination.NORMAL

    @property
    def _withdrawable(self) -> bool:
        """Whether the game was resigned or decided, which taking back withdraws."""
        outcome = self.game.outcome
        kinds = (Termination.RESIGNATION, Termination.ADJUDICATION)
        return outcome is not None and outcome.termination in kinds

    @property
    def _lost_on_time(self) -> bool:
        """Whether a flag has fallen, which stands; that of a record may be looked behind."""
        outcome = self.game.outcome
        return outcome is not None and outcome.termination is Termination.TIME_FORFEIT and not self.is_replay

    def _turns_before(self) -> list[int]:
        """The numbers of plies after which there was a choice to take back, before now."""
        return [ply.number - 1 for ply in self.game if self._is_choice(ply)]

    def _turns_after(self) -> list[int]:
        """The same for what was taken back, and its last ply."""
        if not self.game.can_redo:
            return []
        ahead, now = self.game.copy(), len(self.game)
        ahead.undo(0)
        ahead.redo(ahead.can_redo)
        return [*(ply.number - 1 for ply in ahead[now + 1 :] if self._is_choice(ply)), len(ahead)]

    def _is_choice(self, ply: Ply) -> bool:
        each = self._paused or self.engines_only
        return (each or not self.sides[ply.color].is_engine) and not ply.is_forced_pass
