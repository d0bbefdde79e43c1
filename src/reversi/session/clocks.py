"""The clocks of a session and their states after every ply: taking back a move takes back its time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from reversi.color import Color
from reversi.errors import GameError
from reversi.game.clocks import ClockState, GameClock, TimeControl
from reversi.game.game import Game

Controls = TimeControl | Mapping[Color, TimeControl | None]
"""The time of each player, or of both."""

States = tuple[ClockState, ...]
"""The states of both clocks, Black's first; empty in an untimed game."""


class SavedClocks(NamedTuple):
    """The clocks in a saved session.

        >>> from reversi import Session
        >>> Session().saved_clocks
        SavedClocks(history=((),), now=())

    Attributes:
        history: the states after every ply from the start on, plies to redo included; empty ones when untimed.
        now: the states at the time of saving.
    """

    history: tuple[States, ...] = ()
    now: States = ()


class SessionClocks:
    """The clocks of one game; an untimed game has none.

    Args:
        game: the game; its plies may note times, which the clocks take over.
        controls: the time of each player; ``None`` for an untimed game.
        now: a source of seconds that never runs backwards.
    """

    def __init__(self, game: Game, controls: Controls | None, now: Callable[[], float]) -> None:
        timed = isinstance(controls, TimeControl) or any((controls or {}).values())
        self.clock: GameClock | None = GameClock(controls, now) if timed and controls is not None else None
        self.history: list[States] = self._noted_in(game)
        """The states of the clocks from the start on, after every ply, plies to redo included."""
        self.restore(len(game))

    def _noted_in(self, game: Game) -> list[States]:
        if self.clock is None:
            return [()] * (len(game) + game.can_redo + 1)
        states = {color: self.clock.state(color) for color in Color}
        history = [tuple(states.values())]
        for ply in game.whole():
            if ply.clock is not None and self.clock.controls[ply.color] is not None:
                states[ply.color] = states[ply.color]._replace(main_s=ply.clock)
            history.append(tuple(states.values()))
        return history

    @property
    def states(self) -> States:
        """The states of the clocks now."""
        return () if self.clock is None else tuple(self.clock.state(color) for color in Color)

    @property
    def running(self) -> Color | None:
        return None if self.clock is None else self.clock.running

    def note(self, plies: int) -> None:
        """Keep the present states as those after ``plies`` plies, and drop the states after later plies."""
        self.history[plies:] = [self.states]

    def restore(self, plies: int) -> None:
        """Stop the clocks and restore their states after ``plies`` plies."""
        self._set(self.history[plies])

    @property
    def saved(self) -> SavedClocks:
        """What a saved session keeps of the clocks."""
        return SavedClocks(tuple(self.history), self.states)

    def put_back(self, saved: SavedClocks) -> None:
        """Take over what a saved session kept.

        Raises:
            GameError: the clocks cannot have such states.
        """
        if self.clock is None or not saved.history:
            return
        if len(saved.history) != len(self.history):
            raise GameError(
                f"expected {len(self.history)} clock states, one more than plies, not {len(saved.history)}"
            )
        for held in saved.history:
            self._set(held)
        self.history = list(saved.history)
        self._set(saved.now)

    def _set(self, states: States) -> None:
        if self.clock is not None:
            for color, state in zip(Color, states, strict=True):
                self.clock.restore(color, state)

    def run(self, color: Color) -> None:
        if self.clock is not None:
            self.clock.start(color)

    def stop(self) -> None:
        if self.clock is not None:
            self.clock.stop()

    def press(self) -> float | None:
        """End the turn of the player whose clock runs; return its seconds, ``None`` for an untimed player."""
        if self.clock is None:
            return None
        color = self.clock.running
        shows = self.clock.press()
        return shows if color is not None and self.clock.controls[color] is not None else None

    def shows(self, color: Color) -> float | None:
        """Return the seconds on the clock of ``color``, ``None`` for an untimed player."""
        if self.clock is None or self.clock.controls[color] is None:
            return None
        return self.clock.time_left(color)

    def fallen(self) -> Color | None:
        """Return the player whose flag has fallen, or ``None``."""
        color = self.running
        return color if color is not None and self.clock is not None and self.clock.is_up(color) else None
