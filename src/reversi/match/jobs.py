"""Playing a game as the work of a job, on this machine or another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reversi.color import Color
from reversi.engine.engine import EngineCancelled
from reversi.match.contestants import Contestant
from reversi.match.playing import GameJob, play_game, try_player
from reversi.work.jobs import Job

_tried: set[str] = set()  # players that have started in this process


@dataclass(frozen=True, slots=True)
class PlayWork:
    """Playing a game. The engines run where the work is done.

    Attributes:
        tries: whether each player has to start once in a process before it plays there.
        here: whether the players that are objects are those of the caller, which stay open, and no copies.
    """

    game: GameJob
    tries: bool = False
    here: bool = False

    def do(self, job: Job[Any, Any], /) -> str | None:
        """Play the game and return its record; ``None`` if a cancel came first.

        Raises:
            PlayerError: a player does not start here at all. (A player that fails later loses its game.)
        """
        if self.tries:
            try_here([self.game.player(color) for color in Color])
        try:
            return play_game(self.game, job.cancel, is_alone=job.threads == 1, here=self.here)
        except EngineCancelled:
            return None


@dataclass(frozen=True, slots=True)
class TryWork:
    """Starting a player once, and ending it."""

    player: Contestant

    def do(self, job: Job[Any, Any], /) -> bool:
        try_player(self.player)
        return True


def try_here(players: Sequence[Contestant]) -> None:
    """Start each player that this process has not started yet, and end it.

    Raises:
        InputError: a player does not exist.
        PlayerError: a player does not start.
    """
    for player in players:
        if (text := str(player.side)) not in _tried:
            try_player(player)
            _tried.add(text)
