"""Taking back turns in a session, and redoing them."""

from __future__ import annotations

from reversi.errors import GameError
from reversi.game.ply import Ply, Termination
from reversi.session.core import SessionCore
from reversi.session.events import Event, PlayedAgain, TakenBack

__all__ = ["TakeBacks"]


class TakeBacks(SessionCore):
    """The part of a session that takes back and redoes turns."""

    @property
    def can_undo(self) -> int:
        """The number of turns that `undo` can take back."""
        if not self.takebacks or self._lost_on_time:
            return 0
        return len(self._turns_before()) + (self._withdrawable and not self._flips_pending)

    @property
    def can_redo(self) -> int:
        """The number of turns that `redo` can play."""
        return 0 if self._declared else len(self._turns_after())

    def undo(self, turns: int = 1) -> tuple[Ply, ...]:
        """Take back ``turns`` turns of people, with the engine's replies and the forced passes after them.

        A resignation counts as a turn. The clocks go back too. In a paused game, and where engines play both
        sides, every ply is a turn; a game between engines pauses.

        Raises:
            GameError: the game does not allow it, a flag has fallen, or there are fewer turns; the session does
                not change.
        """
        if not self.takebacks:
            raise GameError("moves cannot be taken back in this game")
        if self._lost_on_time:
            raise GameError(f"the flag has fallen, and the game is over: {self.game.outcome}")
        if turns < 1:
            raise GameError(f"turns to take back must be at least 1, not {turns}")
        available = self.can_undo
        if not available:
            raise GameError("nothing to take back")
        if turns > available:
            raise GameError(f"cannot take back {turns} turns; at most {available}")
        withdrawn = int(self._withdrawable and not self._flips_pending)
        count = 0 if turns == withdrawn else len(self.game) - self._turns_before()[withdrawn - turns]
        plies = self.game.undo(count)
        self._moved(TakenBack(plies))
        return plies

    def redo(self, turns: int = 1) -> tuple[Ply, ...]:
        """Replay ``turns`` turns that were taken back, up to the next choice of a person.

        `undo` says what a turn is in a paused game and between engines.

        Raises:
            GameError: there are fewer turns; the session does not change.
        """
        if turns < 1:
            raise GameError(f"turns to redo must be at least 1, not {turns}")
        at = [] if self._declared else self._turns_after()
        if not at:
            raise GameError("nothing to redo")
        if turns > len(at):
            raise GameError(f"cannot redo {turns} turns; at most {len(at)}")
        plies = self.game.redo(at[turns - 1] - len(self.game))
        self._moved(PlayedAgain(plies))
        return plies

    def _moved(self, event: Event) -> None:
        self._flips_pending = False
        self._ended = False
        self._paused = self._paused or self.engines_only  # or they would play on at once
        self._clocks.restore(len(self.game))
        self._report(event)
        self._settle()

    @property
    def _declared(self) -> bool:
        outcome = self.game.outcome
        return outcome is not None and outcome.termination is not Termination.NORMAL

    @property
    def _withdrawable(self) -> bool:
        """Whether the game ended by resignation or adjudication, which `undo` withdraws."""
        outcome = self.game.outcome
        kinds = (Termination.RESIGNATION, Termination.ADJUDICATION, Termination.FORFEIT)
        return outcome is not None and outcome.termination in kinds

    @property
    def _lost_on_time(self) -> bool:
        """Whether a flag has fallen, which stands; in a record one may step back behind it."""
        outcome = self.game.outcome
        return outcome is not None and outcome.termination is Termination.TIME_FORFEIT and not self.is_replay

    def _turns_before(self) -> list[int]:
        """Return the numbers of plies to go back to, one for each turn before now."""
        return [ply.number - 1 for ply in self.game if self._is_choice(ply)]

    def _turns_after(self) -> list[int]:
        """The same for the plies to redo, and the last of them."""
        if not self.game.can_redo:
            return []
        ahead, now = self.game.copy(), len(self.game)
        ahead.undo(0)
        ahead.redo(ahead.can_redo)
        return [*(ply.number - 1 for ply in ahead[now + 1 :] if self._is_choice(ply)), len(ahead)]

    def _is_choice(self, ply: Ply) -> bool:
        each = self._paused or self.engines_only
        return (each or not self.sides[ply.color].is_engine) and not ply.is_forced_pass
