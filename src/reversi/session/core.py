"""The state of a session and what all that changes it shares: clocks, forced passes, events and saving.

:class:`reversi.session.Session` is built on it; each of its other parts has a module of its own.
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
from reversi.errors import GameError
from reversi.game.clocks import ClockState, GameClock
from reversi.game.game import Game
from reversi.game.ply import Outcome, Ply
from reversi.rules import OTHELLO, Rules
from reversi.session.clocks import Controls, SessionClocks
from reversi.session.events import By, Ended, Event, FlagFell, Listener, Played
from reversi.session.players import HUMAN, Side
from reversi.solver.solution import MoveScore

if TYPE_CHECKING:
    from reversi.session.session import Session

__all__ = ["Flipping", "Keeper", "SessionCore"]


class Flipping(enum.Enum):
    """Who turns the discs."""

    AUTOMATIC = "automatic"
    MANUAL = "manual"
    """The players, as over the board: a placement turns nothing by itself, see :meth:`Session.turn`."""


class Keeper(Protocol):
    """Saves a session after every change.

    May raise OSError or ValueError with a message that names the file; the session then goes on.
    """

    def __call__(self, session: Session) -> None:
        """Save it."""
        ...


class SessionCore(abc.ABC):
    """What :class:`reversi.session.Session` is built on; see there for the arguments."""

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
        self.sides: dict[Color, Side] = dict.fromkeys(Color, HUMAN) | dict(sides or {})
        """Who plays each colour; change it with :meth:`set_side`."""
        self.flipping = flipping
        """Who turns the discs; may be changed between turns."""
        self.takebacks = takebacks
        """Whether moves may be taken back."""
        self.seed = seed
        """What the engines choose by between equally good moves."""
        self.tags: dict[str, str] = dict(tags or {})
        """Tags of the record beside those that follow from the game."""
        self.listeners: list[Listener] = []
        """Called with every event."""
        self.keepers: list[Keeper] = list(keepers)
        """Called after every change to save the game."""
        self.games = 0
        """How many games were begun in this sitting before this one."""
        self._now = now
        self._hint_level = hint_level
        self._engines: dict[tuple[int, int, float | None], Engine] = {}
        self._adviser: Engine | None = None
        self._failed: dict[int, str] = {}
        self._live = False
        self._paused = False
        self._tags_before: tuple[dict[str, str], dict[str, str]] | None = (
            None  # before a record, and of the record
        )
        self._number = 0
        self._untold: list[Event] = []
        self._set_up(game if isinstance(game, Game) else Game(game), controls)

    def _set_up(self, game: Game, controls: Controls | None, names: Mapping[str, str] | None = None) -> None:
        """Put a game on the board; one with ``names`` is a recorded one."""
        self.game = game
        self._names: dict[str, str] = dict(names or {})
        self._loaded = names is not None
        self._touched = False
        self._clocks = SessionClocks(game, controls, self._now)
        self._turning = False
        self._ended = self.is_over

    # --- where it stands

    @property
    def clock(self) -> GameClock | None:
        """The clocks, ``None`` when nobody has one. They are the session's to start, stop and press."""
        return self._clocks.clock

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.game.rules

    @property
    def position(self) -> Position:
        """The position on the board, discs that are being turned by hand as they lie."""
        return self.game.position

    @property
    def to_move(self) -> Color:
        """Whose turn it is; while discs are turned by hand that of the player who turns them."""
        last = self.game.last
        return last.color if self._turning and last is not None else self.game.to_move

    @property
    def is_turning(self) -> bool:
        """Whether the latest placement waits for :meth:`finish_turn` (or the opponent's move)."""
        return self._turning

    @property
    def is_over(self) -> bool:
        """Whether the game has ended; not before the turn that ends it is finished."""
        return self.game.is_over and not self._turning

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, ``None`` while it goes on."""
        return self.game.outcome if self.is_over else None

    @property
    def engine_to_move(self) -> bool:
        """Whether it is an engine's turn; while the game is paused the engine does not take it by itself."""
        return not self.is_over and not self._turning and self.sides[self.game.to_move].is_engine

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
        """Whether a person is to move and may pass although there is a placement.

        Not while discs are turned by hand: that turn ends first.
        """
        legal = self.game.position.legal_moves
        person = not (self.is_over or self._turning or self.sides[self.game.to_move].is_engine)
        return person and bool(legal.placements) and legal.can_pass

    @property
    def is_live(self) -> bool:
        """Whether the clocks run: after :meth:`begin`, until :meth:`pause`."""
        return self._live and not self._paused

    @property
    def is_paused(self) -> bool:
        """Whether the clocks stand and the engines wait: after :meth:`pause`, or when a record was loaded.

        :meth:`begin` continues the game, and so does a person's move. Until then :meth:`play_engine` and
        :meth:`go` play one move at a time, and every ply is a turn that can be taken back.
        """
        return self._paused

    @property
    def is_replay(self) -> bool:
        """Whether the game is a loaded record in which nobody has played yet."""
        return self._loaded and not self._touched

    @property
    def is_untouched(self) -> bool:
        """Whether leaving the game loses nothing: nobody has played on a record or the start position."""
        if self._touched:
            return False
        return self._loaded or (not len(self.game) and self.game.start == Position(self.rules))

    # --- the run of the sitting

    def begin(self) -> None:
        """Begin or continue: pass where it is forced, start the clock of the player to move, save."""
        self._live, self._paused = True, False
        self._settle()

    def pause(self) -> None:
        """Stop the clocks and the engines until :meth:`begin` or a person's move, and save.

        A :class:`Thought` that is on its way is not played; cancel it.
        """
        self._paused = True
        self._number += 1
        self._clocks.stop()
        self.save()

    def tick(self) -> bool:
        """Look at the clock that runs; when its flag has fallen, end the game and return true."""
        color = self._clocks.fallen()
        if color is None or self.is_over:
            return False
        self._clocks.stop()
        if self._turning and self.game.is_over:  # the turn that would have ended the game was not finished in time
            self.game.undo()
        self._turning = False
        self._touched = True
        self._tell(FlagFell(color))
        self.game.forfeit_on_time(color)
        self._changed()
        return True

    @abc.abstractmethod
    def save(self) -> None:
        """Let the keepers save the game."""

    @property
    def names(self) -> dict[str, str]:
        """The names that a loaded record gives its players, until a move is made."""
        return dict(self._names)

    @property
    def clock_history(self) -> list[tuple[ClockState, ...]]:
        """What the clocks, Black's first, held after every ply, those to redo too; empty ones when untimed."""
        return list(self._clocks.history)

    def put_back(
        self,
        *,
        turning: bool = False,
        history: Iterable[tuple[ClockState, ...]] = (),
        clocks: tuple[ClockState, ...] = (),
        names: Mapping[str, str] | None = None,
    ) -> None:
        """Put a session that was made from a saved game back to where it was, before :meth:`begin`.

        Args:
            turning: whether the latest placement waits for its turn's end.
            history: what the clocks held after every ply, as :attr:`clock_history`.
            clocks: what they held when it was saved.
            names: the names of the players of a loaded record.

        Raises:
            GameError: the clocks cannot have held that, or there is nothing to turn.
        """
        if turning and (self.game.last is None or self.game.last.turned is None):
            raise GameError("no disc has been placed yet")
        self._turning = turning
        self._ended = self.is_over
        self._names = dict(names or {})
        self._touched = True
        self._clocks.put_back(history, clocks)

    # --- what the methods above share

    def _play(
        self, move: Move, by: By, choice: MoveScore | None = None, turned: Iterable[Square] | None = None
    ) -> Ply:
        color = self.game.to_move
        pressed = self._clocks.running is color and turned is None
        shows = self._clocks.press() if pressed else self._clocks.shows(color)
        evaluation = None if choice is None else choice.score
        return self._record_ply(self.game.play(move, clock=shows, evaluation=evaluation, turned=turned), by)

    def _record_ply(self, ply: Ply, by: By) -> Ply:
        if by is not By.FORCED:
            self._names = {}
            self._touched = True
        self._clocks.note(len(self.game))
        self._tell(Played(ply, by))
        return ply

    def _settle(self) -> None:
        """After a ply: forced passes, the next clock, the end, saving."""
        if not self._turning:
            self._pass_where_forced()
        self._changed()

    def _pass_where_forced(self) -> None:
        while self.game.must_pass:
            self._run_clock()
            if self.game.can_redo:  # the very pass that was taken back, of a loaded game: what follows is kept
                self._tell(Played(self.game.redo()[0], By.FORCED))
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
            self._tell(Ended(self.game.outcome))
        self.save()

    def _run_clock(self) -> None:
        running = self._clocks.running
        if self.is_over or not self.is_live:
            self._clocks.stop()
        elif running is None or (not self._turning and running is not self.game.to_move):
            self._clocks.run(self.to_move)

    def _next_choice(self) -> Position:
        """The position in which a move can be chosen, after the passes that are forced before it."""
        position = self.game.position
        if not self.is_over:
            while not position.is_over and not position.legal_moves.placements:
                position = position.play(PASS)
        if self.is_over:
            raise GameError(f"the game is over: {self.game.outcome}")
        if position.is_over:
            raise GameError("no move is left: when the discs are turned, end the turn")
        return position

    def _no_turning(self, what: str) -> None:
        if self._turning:
            raise GameError(f"a turn is not finished; end it, then {what}")

    def _tell(self, event: Event) -> None:
        """Note an event; the listeners hear of it when the change is saved: what was shown is never lost."""
        self._untold.append(event)

    def _tell_all(self) -> None:
        while self._untold:
            event = self._untold.pop(0)
            for listener in tuple(self.listeners):
                listener(event)
