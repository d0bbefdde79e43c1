"""The state of a session and the code that all its parts share: clocks, forced passes, events and saving.

`reversi.session.Session` is built on it; each other part of a session has a module of its own.
"""

from __future__ import annotations

import abc
import enum
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

from reversi._core import PASS, Move, Position, Square
from reversi.color import Color
from reversi.engine.engine import HINT_LEVEL, Engine
from reversi.engine.player import Chosen, Player
from reversi.errors import GameError
from reversi.game.clocks import ClockState, GameClock
from reversi.game.game import Game
from reversi.game.ply import Outcome, Ply
from reversi.rules import OTHELLO, Rules
from reversi.session.clocks import Controls, SessionClocks
from reversi.session.events import By, Ended, Event, FlagFell, Listener, Played
from reversi.session.players import HUMAN, Side

if TYPE_CHECKING:
    from reversi.openings.book import Book
    from reversi.session.session import Session

__all__ = ["Flipping", "Keeper", "SessionCore"]


class Flipping(enum.Enum):
    """Who flips the discs."""

    AUTOMATIC = "automatic"
    MANUAL = "manual"
    """The players, as over the board: a placement flips nothing by itself, see `Session.flip`."""


class Keeper(Protocol):
    """Saves a session after every change.

    May raise OSError or ValueError with a message that names the file; the session reports it and continues.
    """

    def __call__(self, session: Session) -> None:
        """Save it."""
        ...


class SessionCore(abc.ABC):
    """The base of `reversi.session.Session`; see there for the arguments."""

    def __init__(
        self,
        game: Game | Position | Rules = OTHELLO,
        *,
        sides: Mapping[Color, Side] | None = None,
        controls: Controls | None = None,
        flipping: Flipping = Flipping.AUTOMATIC,
        takebacks: bool = True,
        seed: int = 0,
        hint_level: int = HINT_LEVEL,
        tags: Mapping[str, str] | None = None,
        keepers: Iterable[Keeper] = (),
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.book: Book | None = None
        """The opening book of the engines and hints of this package; they ask it before they search."""
        self.sides: dict[Color, Side] = dict.fromkeys(Color, HUMAN) | dict(sides or {})
        """Who plays each color; change it with `set_side`."""
        self.flipping = flipping
        """Who flips the discs; may change between turns."""
        self.takebacks = takebacks
        """Whether players may take back moves."""
        self.seed = seed
        """The seed by which the engines choose between equally good moves."""
        self.tags: dict[str, str] = dict(tags or {})
        """Tags of the record beside those that follow from the game."""
        self.listeners: list[Listener] = []
        """Functions to call with every event."""
        self.keepers: list[Keeper] = list(keepers)
        """Functions to call after every change, to save the game."""
        self.games = 0
        """The number of games in this session before this one."""
        self._now = now
        self._hint_level = hint_level
        self._players: dict[tuple[Side, int, Color | None], Player] = {}
        self._noisy: set[Player] = set()  # external engines whose noise is reported
        self._adviser: Engine | None = None
        self._failed: dict[int, str] = {}
        self._live = False
        self._paused = False
        self._tags_before: tuple[dict[str, str], dict[str, str]] | None = (
            None  # before a record, and of the record
        )
        self._number = 0
        self._unreported: list[Event] = []
        self._set_up(game if isinstance(game, Game) else Game(game), controls)

    def _set_up(self, game: Game, controls: Controls | None, names: Mapping[str, str] | None = None) -> None:
        """Put a game on the board; a game with ``names`` is a recorded one."""
        self.game = game
        self._names: dict[str, str] = dict(names or {})
        self._loaded = names is not None
        self._touched = False
        self._clocks = SessionClocks(game, controls, self._now)
        self._flips_pending = False
        self._ended = self.is_over

    # --- the state

    @property
    def clock(self) -> GameClock | None:
        """The clocks, ``None`` in an untimed game. Only the session starts, stops and presses them."""
        return self._clocks.clock

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.game.rules

    @property
    def position(self) -> Position:
        """The position on the board, with the discs as they lie while a player flips by hand."""
        return self.game.position

    @property
    def to_move(self) -> Color:
        """Whose turn it is; while a player flips by hand, that player."""
        last = self.game.last
        return last.color if self._flips_pending and last is not None else self.game.to_move

    @property
    def flips_pending(self) -> bool:
        """Whether the latest placement waits for `finish_flips` (or the opponent's move)."""
        return self._flips_pending

    @property
    def is_over(self) -> bool:
        """Whether the game has ended; not while a player still flips the last discs."""
        return self.game.is_over and not self._flips_pending

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, ``None`` for a game in progress."""
        return self.game.outcome if self.is_over else None

    @property
    def engine_to_move(self) -> bool:
        """Whether it is an engine's turn; in a paused game the engine does not take it by itself."""
        return not self.is_over and not self._flips_pending and self.sides[self.game.to_move].is_engine

    @property
    def engine_due(self) -> bool:
        """Whether an engine is to move now: it is its turn, and the game is not paused."""
        return self.engine_to_move and not self._paused

    @property
    def engines_only(self) -> bool:
        """Whether engines play both sides."""
        return all(side.is_engine for side in self.sides.values())

    @property
    def can_skip(self) -> bool:
        """Whether a person is to move and may pass in spite of a legal placement.

        Not while a player flips by hand: that turn ends first.
        """
        legal = self.game.position.legal_moves
        person = not (self.is_over or self._flips_pending or self.sides[self.game.to_move].is_engine)
        return person and bool(legal.placements) and legal.can_pass

    @property
    def is_live(self) -> bool:
        """Whether the clocks run: after `begin`, until `pause`."""
        return self._live and not self._paused

    @property
    def is_paused(self) -> bool:
        """Whether the clocks stand and the engines wait: after `pause` or `load`.

        `begin` or a person's move continues the game. Until then `play_engine` and `go` play one move at a time,
        and `undo` takes back single plies.
        """
        return self._paused

    @property
    def is_replay(self) -> bool:
        """Whether the game is a loaded record that nobody has continued yet."""
        return self._loaded and not self._touched

    @property
    def is_untouched(self) -> bool:
        """Whether leaving the game loses nothing: nobody has continued the record or the start position."""
        if self._touched:
            return False
        return self._loaded or (not len(self.game) and self.game.start == Position(self.rules))

    # --- the run of the session

    def begin(self) -> None:
        """Begin or continue: play forced passes, start the clock of the player to move, save."""
        self._live, self._paused = True, False
        self._settle()

    def pause(self) -> None:
        """Stop the clocks and the engines until `begin` or a person's move, and save.

        The session does not play a `Thought` in progress; cancel it.
        """
        self._paused = True
        self._number += 1
        self._clocks.stop()
        self.save()

    def tick(self) -> bool:
        """Look at the running clock; if its flag has fallen, end the game and return true."""
        color = self._clocks.fallen()
        if color is None or self.is_over:
            return False
        self._clocks.stop()
        if self._flips_pending and self.game.is_over:  # the placement that ends the game was not finished in time
            self.game.undo()
        self._flips_pending = False
        self._touched = True
        self._report(FlagFell(color))
        self.game.forfeit_on_time(color)
        self._changed()
        return True

    @abc.abstractmethod
    def save(self) -> None:
        """Let the keepers save the game."""

    @property
    def names(self) -> dict[str, str]:
        """The players' names in a loaded record, until somebody moves."""
        return dict(self._names)

    @property
    def clock_history(self) -> list[tuple[ClockState, ...]]:
        """The clock states after every ply, plies to redo included, Black's first; empty ones when untimed."""
        return list(self._clocks.history)

    def put_back(
        self,
        *,
        flips_pending: bool = False,
        history: Iterable[tuple[ClockState, ...]] = (),
        clocks: tuple[ClockState, ...] = (),
        names: Mapping[str, str] | None = None,
    ) -> None:
        """Restore the saved state of a session that was made from a saved game; call it before `begin`.

        Args:
            flips_pending: whether the latest placement waits for `finish_flips`.
            history: the clock states after every ply, as in `clock_history`.
            clocks: the clock states at the time of saving.
            names: the players' names in a loaded record.

        Raises:
            GameError: the clocks cannot have such states, or no placement has flips by hand.
        """
        if flips_pending and (self.game.last is None or self.game.last.hand_flips is None):
            raise GameError("nobody has placed a disc yet")
        self._flips_pending = flips_pending
        self._ended = self.is_over
        self._names = dict(names or {})
        self._touched = True
        self._clocks.put_back(history, clocks)

    # --- shared by the methods above

    def _play(
        self, move: Move, by: By, choice: Chosen | None = None, flips: Iterable[Square] | None = None
    ) -> Ply:
        color = self.game.to_move
        pressed = self._clocks.running is color and flips is None
        shows = self._clocks.press() if pressed else self._clocks.shows(color)
        evaluation = None if choice is None else choice.score
        return self._record_ply(self.game.play(move, clock=shows, evaluation=evaluation, flips=flips), by)

    def _record_ply(self, ply: Ply, by: By) -> Ply:
        if by is not By.FORCED:
            self._names = {}
            self._touched = True
        self._clocks.note(len(self.game))
        self._report(Played(ply, by))
        return ply

    def _settle(self) -> None:
        """After a ply: forced passes, the next clock, the end, saving."""
        if not self._flips_pending:
            self._pass_where_forced()
        self._changed()

    def _pass_where_forced(self) -> None:
        while self.game.must_pass:
            self._run_clock()
            if self.game.can_redo:  # the very pass that was taken back, of a loaded game: what follows is kept
                self._report(Played(self.game.redo()[0], By.FORCED))
            else:
                self._play(PASS, By.FORCED)

    def _changed(self) -> None:
        self._number += 1
        self._run_clock()
        if not self.is_over:
            self._ended = False
        elif not self._ended:
            self._ended = True
            assert self.game.outcome is not None
            self._report(Ended(self.game.outcome))
        self.save()

    def _run_clock(self) -> None:
        running = self._clocks.running
        if self.is_over or not self.is_live:
            self._clocks.stop()
        elif running is None or (not self._flips_pending and running is not self.game.to_move):
            self._clocks.run(self.to_move)

    def _next_choice(self) -> Position:
        """Return the next position with a choice of moves, after forced passes."""
        position = self.game.position
        if not self.is_over:
            while not position.is_over and not position.legal_moves.placements:
                position = position.play(PASS)
        if self.is_over:
            raise GameError(f"the game is over: {self.game.outcome}")
        if position.is_over:
            raise GameError("the last placement is on the board; flip its discs, then finish")
        return position

    def _no_flips_pending(self, what: str) -> None:
        if self._flips_pending:
            raise GameError(f"{self.to_move} is flipping discs; finish, then {what}")

    def _report(self, event: Event) -> None:
        """Note an event; listeners receive it after the change is saved: a shown move is never lost."""
        self._unreported.append(event)

    def _report_all(self) -> None:
        while self._unreported:
            event = self._unreported.pop(0)
            for listener in tuple(self.listeners):
                listener(event)
