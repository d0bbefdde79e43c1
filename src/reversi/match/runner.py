"""Running a match: the games of the schedule, several at a time, saved as they end, until it is decided."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Final

from reversi.arguments import FilePath, check_count, check_seconds, check_type
from reversi.engine.player import described
from reversi.errors import InputError, PlayerError, ReversiError
from reversi.game.clocks import Controls, format_controls
from reversi.match.archive import MatchFile
from reversi.match.contestants import Contestant
from reversi.match.games import MatchGame, match_game
from reversi.match.jobs import PlayWork, TryWork, try_here
from reversi.match.openings import MatchOpening
from reversi.match.playing import GameJob
from reversi.match.schedule import Scheduled, pairings, schedule
from reversi.match.standings import Standings
from reversi.match.statistics import Sprt, SprtState, SprtVerdict
from reversi.protocols.process import kill_engines
from reversi.work.here import Here
from reversi.work.processes import Processes, WorkerDied
from reversi.work.workers import POLL_S, Workers

if TYPE_CHECKING:
    from reversi.work.cluster.connection import Connection
from reversi.records.formats.pgn.reader import parse_record

DEFAULT_GAMES: Final = 100
DEFAULT_ADJUDICATION: Final = 12
"""With this many empty squares or fewer the solver decides a game."""
_FAILURES: Final = 3
_MOST_EMPTY: Final = 30  # what can be solved in reasonable time


class MatchError(ReversiError):
    """A match that cannot continue: a player fails in game after game, or a game cannot be played."""


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """How a match is played.

    Attributes:
        games: games of each pairing, an even number.
        gauntlet: the first player meets all others, who do not meet each other.
        controls: the time of Black and White, ``None`` for an untimed match.
        concurrency: games that are played at a time.
        adjudicate: with this many empty squares or fewer the solver decides a game; 0 for never.
        seed: chooses the openings, and between equally good moves.
        move_s: seconds in which an external engine must move in an untimed match.
        sprt: a sequential test that ends a match of two.
    """

    games: int = DEFAULT_GAMES
    gauntlet: bool = False
    controls: Controls | None = None
    concurrency: int = 1
    adjudicate: int = DEFAULT_ADJUDICATION
    seed: int = 0
    move_s: float = 600.0
    sprt: Sprt | None = None


class Match:
    """A match.

    A player that fails (dies, does not answer, plays an illegal move) loses the game: `MatchGame.failure` says
    why, and the next game starts it again. After three such games of one player in a row `run` raises a
    `MatchError`.

    Args:
        players: who plays; two at least, with different names.
        openings: the openings.
        settings: how it is played.

    Attributes:
        players: the same as a tuple.
        openings: the same as a tuple.
        settings: the same.
        schedule: the games, in the order in which they begin.
        games: the games that have ended, in the order in which they did. Each has its `record`.
        stopped: why the match ended before its last game: a sequential test has decided, or a player failed in
            three games in a row. "" when it did not.

    Raises:
        InputError: a setting is out of range.
    """

    def __init__(
        self,
        players: Sequence[Contestant],
        openings: Sequence[MatchOpening],
        settings: MatchSettings = MatchSettings(),
    ) -> None:
        check_type("settings", settings, MatchSettings)
        for player in players:
            check_type("a player", player, Contestant, advice="parse_contestants reads texts")
        for opening in openings:
            check_type("an opening", opening, MatchOpening, advice="balanced_openings() gives some")
        check_type("controls", settings.controls, Mapping, NoneType, advice="parse_controls reads text")
        check_count("concurrency", settings.concurrency, 1024)
        check_count("adjudicate", settings.adjudicate, _MOST_EMPTY, least=0)
        check_seconds("move_s", settings.move_s)
        check_type("sprt", settings.sprt, Sprt, NoneType)
        if settings.sprt is not None and len(players) != 2:
            raise InputError(f"a sequential test needs two players, not {len(players)}")
        if len({player.name for player in players}) < len(players):
            raise InputError("two players of a match have the same name")
        pondering = [player.name for player in players if player.side.ponders]
        if pondering and len(pondering) < len(players):
            raise InputError(
                f"{pondering[0]} thinks on its opponents' time, and others do not; "
                "give --ponder to all players of a match, or to none"
            )
        self.players: tuple[Contestant, ...] = tuple(players)
        self.openings: tuple[MatchOpening, ...] = tuple(openings)
        self.settings = settings
        self.schedule: tuple[Scheduled, ...] = tuple(
            schedule(len(players), settings.games, len(openings), seed=settings.seed, gauntlet=settings.gauntlet)
        )
        self.games: list[MatchGame] = []
        self.stopped: str = ""
        self._failures: dict[str, int] = {}
        self._failed: MatchGame | None = None  # the game whose failure stopped the match
        self._test = None if settings.sprt is None else SprtState(settings.sprt)
        self._halves: dict[tuple[int, int], float] = {}

    def __repr__(self) -> str:
        players = ", ".join(player.name for player in self.players)
        return f"<Match of {players}: {len(self.games)} of {len(self.schedule)} games>"

    @property
    def name(self) -> str:
        """The identity of this match: a digest of the players, the openings, the clocks and the limits."""
        settings = self.settings
        parts = [" ".join((f"{player.name}={player.side}", *player.side.books)) for player in self.players]
        parts += [f"{opening.start} {opening}" for opening in self.openings]
        parts += ["" if settings.controls is None else format_controls(settings.controls)]
        parts += [str((settings.gauntlet, settings.adjudicate, settings.seed))]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]

    @property
    def repeats_openings(self) -> bool:
        """Whether a pairing plays an opening more than once."""
        return self.settings.games // 2 > len(self.openings)

    def standings(self) -> Standings:
        """Return the standings."""
        meetings = pairings(len(self.players), gauntlet=self.settings.gauntlet)
        names = [player.name for player in self.players]
        return Standings(names, meetings, self.games, self.settings.sprt)

    def run(
        self,
        path: FilePath | None = None,
        on_result: Callable[[MatchGame], None] | None = None,
        *,
        resume: bool = True,
        overwrite: bool = False,
        cluster: Connection | None = None,
        in_process: bool = False,
    ) -> None:
        """Play the games that are missing; Ctrl-C gives up those under way.

        The games are played in processes of their own, which import the main module anew: a script calls this
        below ``if __name__ == "__main__":``. They get copies of players that are objects.

        Args:
            path: the file of the match: its games count, and every game is added as it ends.
            on_result: a function to call with every game that ends.
            resume: whether the file may hold games of this match.
            overwrite: whether what the file holds is dropped.
            cluster: play on this cluster instead, a game in each thread; see `reversi.work.connect`.
            in_process: play in this thread instead, one game after another. Players that are objects may be
                anything then, those of a notebook included, and are not closed. Only Ctrl-C ends one that hangs.

        Raises:
            FileExistsError: the file holds something, and neither ``resume`` nor ``overwrite`` is given.
            InputError: the file is not that of this match, or a player cannot be sent to another process, or
                ``in_process`` excludes another setting.
            MatchError: a player failed in three games in a row, or a game cannot be played. The games that have
                ended stay in `games`, and count in `standings`.
            ClusterError: the connection to the scheduler is lost, or a worker has another version.
            PlayerError: a player does not start on a worker that joined later.
            OSError: the file cannot be read or written, or another match writes to it.
        """
        path = None if path is None else Path(path)
        if in_process and cluster is not None:
            raise InputError("a match is played in this process or on a cluster, not both")
        if in_process and self.settings.concurrency > 1:
            raise InputError("in one process games come one after another: concurrency must be 1")
        self.stopped, self._failed = "", None
        self._failures.clear()
        with Here[Any, Any]() if in_process else self._workers(cluster) as workers:
            if cluster is None and not in_process:
                for player in self.players:
                    if player.side.player is not None:
                        _check_travels(player, workers)
            file = None if path is None else MatchFile(path, self.name, resume=resume, overwrite=overwrite)
            try:
                if file is not None:
                    self._take_over(path, file.games)
                self._play(workers, file, on_result, tries=cluster is not None, here=in_process)
            finally:
                if file is not None:
                    file.close()
        if self._failed is not None:
            raise MatchError(f"{self.stopped}; the last failure is {self._failed.failure}")

    def _workers(self, cluster: Connection | None) -> Workers[Any, Any]:
        if cluster is None:
            # processes, so that the CPU time of each game is known; a killed one leaves no engine behind
            return Processes(self.settings.concurrency, at_end=kill_engines)
        from reversi.work.cluster.workers import ClusterWorkers

        return ClusterWorkers(cluster, "game", ahead=1)

    def _take_over(self, path: Path | None, results: list[MatchGame]) -> None:
        jobs = {(each.pair, each.half): each for each in self.schedule}
        known = {(each.pair, each.half) for each in self.games}
        for result in results:
            if (result.pair, result.half) in known:
                continue  # played by an earlier call
            place = jobs.get((result.pair, result.half))
            if place is None:
                continue  # a game beyond this number of games: it stays in the file
            names = (self.players[place.black].name, self.players[place.white].name)
            if names != (result.black, result.white):
                raise InputError(f"{path}: game {place.round} has other players than this match")
            self.games.append(result)
        if len({(each.pair, each.half) for each in self.games}) < len(self.games):
            raise InputError(f"{path}: the file has a game twice")

    def _play(
        self,
        workers: Workers[GameJob, str],
        file: MatchFile | None,
        on_result: Callable[[MatchGame], None] | None,
        *,
        tries: bool,
        here: bool,
    ) -> None:
        done = {(result.pair, result.half) for result in self.games}
        missing = iter([each for each in self.schedule if (each.pair, each.half) not in done])
        again: set[str] = set()
        self._look(self.games)
        while True:
            while not self.stopped and workers.is_free and (place := next(missing, None)) is not None:
                game = self._job(place)
                workers.send(game, PlayWork(game, tries, here))
            job = workers.next(0.0 if self.stopped else POLL_S)
            if job is None:
                if self.stopped or not workers.is_busy:
                    return
                continue
            try:
                text = job.result()
            except WorkerDied as error:
                game = job.key
                what = f"the process that played game {game.round} ended with status {error.status}"
                if game.round in again:
                    raise MatchError(f"{what} twice; {game.black.name} and {game.white.name} played") from None
                again.add(game.round)
                game = replace(game, replays=what)
                workers.send(game, PlayWork(game, tries))
                continue
            assert text is not None  # nobody cancelled it
            result = match_game(parse_record(text, ours=True), text)
            if file is not None:
                file.add(text)
            self.games.append(result)
            self._note_failure(result)
            self._look([result])
            if on_result is not None:
                on_result(result)

    def _look(self, results: Iterable[MatchGame]) -> None:
        """Stop a match that a sequential test has decided; pairs count in the order of the schedule."""
        state = self._test
        if state is None:
            return
        for result in results:
            self._halves[result.pair, result.half] = result.points
        while state.verdict is SprtVerdict.OPEN:
            first, second = (self._halves.get((state.pairs + 1, half)) for half in (1, 2))
            if first is None or second is None:
                break
            state = state.after(first + 1.0 - second)
        self._test = state
        if state.verdict is not SprtVerdict.OPEN:
            self.stopped = f"the sequential test has decided after {state.pairs} pairs"

    def _note_failure(self, result: MatchGame) -> None:
        loser = result.white if result.points == 1.0 else result.black
        for name in (result.black, result.white):
            failed = result.termination == "forfeit" and name == loser
            self._failures[name] = self._failures.get(name, 0) + 1 if failed else 0
            if self._failures[name] >= _FAILURES:
                self.stopped = f"{name} failed in {_FAILURES} games in a row"
                self._failed = result

    def _job(self, place: Scheduled) -> GameJob:
        settings = self.settings
        return GameJob(
            place.round,
            self.name,
            self.players[place.black],
            self.players[place.white],
            self.openings[place.opening],
            settings.seed + place.pair,
            settings.controls,
            settings.adjudicate,
            settings.move_s,
        )

    def try_players(self, cluster: Connection | None = None) -> None:
        """Start each player once, on a cluster once on every worker, and end it; open the books of engines.

        Raises:
            BookError: a book is damaged, or one for other rules.
            MissingFileError: a book does not exist.
            InputError: a player does not exist.
            PlayerError: a player does not start; on a cluster the message names the worker.
            ClusterError: the connection to the scheduler is lost.
        """
        for player in self.players:
            player.side.open_books(*(opening.start.rules for opening in self.openings))
        if cluster is None:  # in a process that they may spoil
            with Processes[None, bool](1, at_end=kill_engines) as workers:
                for player in self.players:
                    if player.side.program:
                        _try(player, workers)
            return
        from reversi.work.cluster import connection

        check_type("cluster", cluster, connection.Connection)
        for worker, answer in sorted(cluster.call(try_here, self.players).items()):
            if isinstance(answer, PlayerError):
                raise PlayerError(f"worker {worker}: {answer.player}", answer.reason, answer.lines)
            if isinstance(answer, Exception):
                raise answer


def _try(player: Contestant, workers: Processes[None, bool]) -> None:
    try:
        workers.result(workers.send(None, TryWork(player)))
    except WorkerDied as error:
        raise PlayerError(player.name, f"does not start: {error}") from None


def _check_travels(player: Contestant, workers: Workers[Any, Any]) -> None:
    """Refuse a player object that the process of a game cannot have; a process that will play says so."""
    try:
        workers.result(workers.send(None, TryWork(player)))
    except ReversiError:
        raise
    except Exception as error:
        raise InputError(
            f"{player.name} cannot be sent to the process of a game: {described(error)}; play in this process,"
            " run(in_process=True), or define its class at the top of a module, and let it make what cannot be"
            " copied when it is first asked"
        ) from None
