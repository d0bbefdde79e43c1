"""The clocks of a sitting, and what they held after every ply: taking back a move takes back its time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from reversi.color import Color
from reversi.errors import GameError
from reversi.game.clocks import ClockState, GameClock, TimeControl
from reversi.game.game import Game

__all__ = ["Controls", "SessionClocks"]

Controls = TimeControl | Mapping[Color, TimeControl | None]
"""The time of each player, or of both."""

States = tuple[ClockState, ...]
"""What the clocks hold, Black's first; empty without clocks."""


class SessionClocks:
    """The clocks of one game, or none.

    Args:
        game: the game; times noted with its plies are taken over.
        controls: the time of each player; nobody has a clock for ``None``.
        now: a source of seconds that never runs backwards.
    """

    def __init__(self, game: Game, controls: Controls | None, now: Callable[[], float]) -> None:
        timed = isinstance(controls, TimeControl) or any((controls or {}).values())
        self.clock: GameClock | None = GameClock(controls, now) if timed and controls is not None else None
        self.history = self._noted_in(game)
        """What the clocks held after every ply, those to redo included, from the start on."""
        self.restore(len(game))

    def _noted_in(self, game: Game) -> list[States]:
        if self.clock is None:
            return [()] * (len(game) + game.can_redo + 1)
        whole = game.copy()
        whole.undo(0)
        whole.redo(whole.can_redo)
        states = {color: self.clock.state(color) for color in Color}
        history = [tuple(states.values())]
        for ply in whole:
            if ply.clock is not None and self.clock.controls[ply.color] is not None:
                states[ply.color] = states[ply.color]._replace(main=ply.clock)
            history.append(tuple(states.values()))
        return history

    @property
    def states(self) -> States:
        """What the clocks hold now."""
        return () if self.clock is None else tuple(self.clock.state(color) for color in Color)

    @property
    def running(self) -> Color | None:
        """Whose clock runs."""
        return None if self.clock is None else self.clock.running

    def note(self, plies: int) -> None:
        """Keep what the clocks hold for after so many plies; what was kept for later ones is forgotten."""
        self.history[plies:] = [self.states]

    def restore(self, plies: int) -> None:
        """Put the clocks to what they held after so many plies; none runs then."""
        self._set(self.history[plies])

    def put_back(self, history: Iterable[States], states: States) -> None:
        """Take over a history and the present from a saved game.

        Raises:
            GameError: the clocks cannot have held that.
        """
        times = list(history)
        if self.clock is None or not times:
            return
        if len(times) != len(self.history):
            raise GameError(f"{len(times)} clock times for {len(self.history) - 1} plies")
        for held in times:
            self._set(held)
        self.history = times
        self._set(states)

    def _set(self, states: States) -> None:
        if self.clock is not None:
            for color, state in zip(Color, states, strict=True):
                self.clock.restore(color, state)

    def run(self, color: Color) -> None:
        """Let the clock of ``color`` run."""
        if self.clock is not None:
            self.clock.start(color)

    def stop(self) -> None:
        """Let none run."""
        if self.clock is not None:
            self.clock.stop()

    def press(self) -> float | None:
        """End the turn of the player whose clock runs; what it shows then, ``None`` for a player without one."""
        if self.clock is None:
            return None
        color = self.clock.running
        shows = self.clock.press()
        return shows if color is not None and self.clock.controls[color] is not None else None

    def shows(self, color: Color) -> float | None:
        """The seconds on the clock of ``color``, ``None`` for a player without one."""
        if self.clock is None or self.clock.controls[color] is None:
            return None
        return self.clock.remaining(color)

    def fallen(self) -> Color | None:
        """Whose flag has fallen while the clock ran, or ``None``."""
        color = self.running
        return color if color is not None and self.clock is not None and self.clock.is_up(color) else None
