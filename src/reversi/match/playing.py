"""One game of a match, from its opening to its record."""

from __future__ import annotations

import datetime
import time
from dataclasses import dataclass
from typing import Final

from reversi._core import PASS
from reversi._version import __version__
from reversi.color import Color
from reversi.engine.engine import Engine, EngineCancelled
from reversi.engine.player import Player, ask_player, close_player
from reversi.errors import PlayerError, ResignationError
from reversi.game.clocks import Controls, GameClock, format_controls
from reversi.game.game import Game
from reversi.match.contestants import Contestant
from reversi.match.openings import MatchOpening
from reversi.protocols.client import ExternalEngine
from reversi.records.from_game import record_from_game
from reversi.records.record import format_record
from reversi.session.players import Side
from reversi.solver.question import Question
from reversi.solver.solver import Solver
from reversi.work.cancel import Cancel

_SOLVER_MB: Final = 16


@dataclass(frozen=True, slots=True)
class GameJob:
    """A game to play; it can be sent to another process.

    Attributes:
        match: the name of the match.
        black: who plays Black.
        white: who plays White.
        opening: the moves that are laid down.
        seed: chooses between equally good moves.
        controls: the time of both players, ``None`` for an untimed game.
        adjudicate: with this many empty squares or fewer the solver decides the game; 0 for never.
        move_s: seconds in which an external engine must move in an untimed game.
        replays: why the game is played again, "" when it is not.
    """

    round: str
    match: str
    black: Contestant
    white: Contestant
    opening: MatchOpening
    seed: int
    controls: Controls | None
    adjudicate: int
    move_s: float
    replays: str = ""

    def player(self, color: Color) -> Contestant:
        return self.black if color is Color.BLACK else self.white


def play_game(job: GameJob, cancel: Cancel | None = None, *, is_alone: bool = True, here: bool = False) -> str:
    """Play a game and return its record as text. A player that fails loses the game.

    Args:
        cancel: stops the game from another thread; a bot that cannot be stopped ends its move first.
        is_alone: whether the game is alone in its process, so that the CPU time of its engines can be measured.
        here: whether players that are objects stay open.

    Raises:
        EngineCancelled: ``cancel`` stopped the game.
    """
    return format_record(record_from_game(*_Table(job, cancel or Cancel(), is_alone=is_alone, here=here).play()))


def try_player(contestant: Contestant) -> None:
    """Start a player once, and end it; open its books.

    Raises:
        BookError: a book is damaged.
        MissingFileError: a book does not exist.
        InputError: the player does not exist.
        PlayerError: the player does not start.
    """
    contestant.side.open_books()
    if not contestant.side.program:
        return
    try:
        player = contestant.side.open(name=contestant.name)
        try:
            if isinstance(player, ExternalEngine):
                _ = player.name
        finally:
            close_player(player)
    except PlayerError as error:
        raise PlayerError(contestant.name, error.reason, error.lines) from None


class _Table:
    """The game under way, with its players and clocks."""

    def __init__(self, job: GameJob, cancel: Cancel, *, is_alone: bool, here: bool) -> None:
        self._job = job
        self._here = here
        self._cancel = cancel
        self._is_alone = is_alone
        self._players: dict[Color, Player] = {}
        self._cpu = dict.fromkeys(Color, 0.0)
        self._measured = dict.fromkeys(Color, True)
        self._asked = dict.fromkeys(Color, 0)
        self._seen: dict[Color, float | None] = {}  # the CPU time of a program after its latest move
        self._tags: dict[str, str] = {}
        self._clock = None if job.controls is None else GameClock(job.controls)
        self._game = Game(job.opening.start)

    def play(self) -> tuple[Game, dict[str, str]]:
        """Play the game; return it with the tags of its record."""
        self._game.play_all(self._job.opening.moves)
        color = Color.BLACK
        try:
            for color in Color:
                self._players[color] = _opened(self._job, color)
            while not self._game.is_over:
                if self._cancel.cancelled:
                    raise EngineCancelled("the game was cancelled")
                color = self._game.to_move
                if self._game.must_pass:
                    self._game.play(PASS, clock=self._game.time_left(color))
                elif not self._adjudicated():
                    self._turn(color)
        except ResignationError:
            self._game.resign(color)
        except PlayerError as error:
            self._fail(color, error)
        finally:
            self._close()
        return self._game, self._all_tags()

    def _turn(self, color: Color) -> None:
        game, clock, player = self._game, self._clock, self._players[color]
        before = self._cpu_s(player)
        if isinstance(player, ExternalEngine) and color in self._seen:
            before = self._seen[color]  # it may have thought on the opponent's time
        reading = None
        if clock is not None:
            reading = clock.reading(color)
            clock.start(color)
        chosen = ask_player(
            player,
            game.position,
            reading,
            game=(game.start, game.moves),
            cancel=self._cancel,
            name=self._job.player(color).name,
        )
        self._asked[color] += 1
        flagged, left = False, None
        if clock is not None:
            flagged = clock.is_up(color)
            if flagged:
                clock.stop()
            else:
                clock.press()
                left = None if clock.controls[color] is None else clock.time_left(color)
        after = self._seen[color] = self._cpu_s(player)
        if before is None or after is None:
            self._measured[color] = False
        else:
            self._cpu[color] += max(after - before, 0.0)
        if flagged:
            game.forfeit_on_time(color)
        else:
            game.play(chosen.move, clock=left, evaluation=chosen.score)

    def _cpu_s(self, player: Player) -> float | None:
        """Return the CPU time that a player has used so far: its own process, or this one."""
        if isinstance(player, ExternalEngine):
            return player.cpu_s()
        return time.process_time() if self._is_alone else None

    def _adjudicated(self) -> bool:
        position = self._game.position
        if not 0 < position.empties <= self._job.adjudicate:
            return False
        solution = Solver(_SOLVER_MB).ask(position, Question(), cancel=self._cancel)
        if not solution.is_exact:
            raise EngineCancelled("the game was cancelled")
        value = solution.score.value
        value = value if position.to_move is Color.BLACK else -value
        self._game.adjudicate(None if not value else Color.BLACK if value > 0 else Color.WHITE)
        self._tags["Adjudication"] = f"{value:+d} exact, {position.empties} empty"
        return True

    def _fail(self, color: Color, error: PlayerError) -> None:
        if error.late and self._clock is not None and self._clock.controls[color] is not None:
            self._game.forfeit_on_time(color)
        else:
            self._game.forfeit(color)
        self._tags["Failure"] = str(error)

    def _close(self) -> None:
        for color, player in self._players.items():
            try:
                if not self._here or self._job.player(color).side.player is None:
                    close_player(player)
            except PlayerError as error:
                self._tags[f"{color}Note"] = error.reason
            if isinstance(player, ExternalEngine):
                if player.ended_badly:
                    self._tags[f"{color}Note"] = player.ended_badly
                if player.noise.count:
                    self._tags[f"{color}Noise"] = str(player.noise)

    def _all_tags(self) -> dict[str, str]:
        job = self._job
        tags = {
            "Event": "reversi match",
            "Site": f"reversi {__version__}",
            "Date": datetime.datetime.now().astimezone().strftime("%Y.%m.%d"),
            "Round": job.round,
            "Black": job.black.name,
            "White": job.white.name,
        }
        if job.controls is not None:
            tags["TimeControl"] = format_controls(job.controls)
        tags |= {"Match": job.match, "MatchOpening": str(job.opening)}
        for color in Color:
            tags[f"{color}Moves"] = str(self._asked[color])
            if self._measured[color]:
                tags[f"{color}CPU"] = f"{self._cpu[color]:.3f}"
        if job.replays:
            tags["Replays"] = job.replays
        return tags | self._tags


def _opened(job: GameJob, color: Color) -> Player:
    """Return a player that is ready, so that its start is not on its clock."""
    side: Side = job.player(color).side
    try:
        player = side.open(job.seed, job.player(color).name)
        if isinstance(player, ExternalEngine):
            player.move_s = job.move_s
            _ = player.name
        elif isinstance(player, Engine):
            player.prepare(job.opening.start)
    except PlayerError as error:
        raise PlayerError(job.player(color).name, error.reason, error.lines, late=False) from None
    return player
