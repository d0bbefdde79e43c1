"""Playing the games of a match on a Dask cluster: the crew of a `reversi.match.Match` on several machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from reversi.cluster.connection import Connection
from reversi.cluster.pool import Pool
from reversi.cluster.work import RunningTask
from reversi.color import Color
from reversi.engine.engine import EngineCancelled
from reversi.errors import PlayerError
from reversi.match.contestants import Contestant
from reversi.match.playing import GameJob, play_game, try_player

__all__ = ["ClusterCrew", "PlayWork"]

_WAIT_S: Final = 0.2
_tried: set[str] = set()  # players that have started in this process


@dataclass(frozen=True, slots=True)
class PlayWork:
    """Playing games. The engines run on the worker."""

    def do(self, job: GameJob, task: RunningTask) -> str | None:
        """Play a game and return its record.

        Raises:
            PlayerError: a player does not start on this worker at all. (A player that fails later loses its game.)
        """
        try_players([job.player(color) for color in Color])
        try:
            text = play_game(job, task.cancel, is_alone=task.threads == 1)
        except EngineCancelled:
            return None
        task.finish(1)
        return text


def try_players(players: Sequence[Contestant]) -> None:
    """Start each player that this process has not started yet, and end it.

    Raises:
        InputError: a player does not exist.
        PlayerError: a player does not start.
    """
    for player in players:
        if (text := str(player.side)) not in _tried:
            try_player(player)
            _tried.add(text)


class ClusterCrew:
    """Plays the games of a match on a cluster: ``Match.run(…, make_crew=…)`` makes it. A task is a game.

    Args:
        connection: the cluster; see `reversi.cluster.connect`.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._pool: Pool[GameJob, str] = Pool(connection, PlayWork, _itself, "game", ahead=1)

    @staticmethod
    def try_players(connection: Connection, players: Sequence[Contestant]) -> None:
        """Start each player once on every worker, and end it.

        Raises:
            PlayerError: a player does not start; the message names the worker.
            ClusterError: the connection to the scheduler is lost.
        """
        for worker, answer in sorted(connection.call(try_players, tuple(players)).items()):
            if isinstance(answer, PlayerError):
                raise PlayerError(f"worker {worker}: {answer.player}", answer.reason, answer.lines)
            if isinstance(answer, Exception):
                raise answer

    @property
    def is_free(self) -> bool:
        """Whether another game can begin."""
        return self._pool.is_free

    @property
    def is_busy(self) -> bool:
        """Whether a game is being played."""
        return bool(self._pool.running)

    def begin(self, job: GameJob) -> None:
        """Begin a game."""
        self._pool.send([job])

    def finished(self) -> list[tuple[GameJob, str]]:
        """Wait until a game ends, and return those that have ended with their records.

        Raises:
            ClusterError: the connection to the scheduler is lost, or a worker has another version.
            PlayerError: a player does not start on a worker that joined later.
        """
        while True:
            returned = self._pool.next(_WAIT_S)
            if returned is not None and returned.answers:
                return list(returned.answers)
            if not self._pool.running:
                return []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.close()


def _itself(job: GameJob) -> GameJob:
    return job
