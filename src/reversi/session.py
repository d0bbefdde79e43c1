"""One sitting at the board: a game with its players, clocks and house rules of the table, without any screen.

A :class:`Session` is what the line dialogue and the full screen both drive. It knows whose turn it is and who
plays that side, passes where the rules force it, presses the clocks, ends the game when a flag falls, takes back
by whole turns, lets people turn discs by hand, and saves after every change. It draws nothing and reads nothing::

    >>> session = Session(sides={Color.BLACK: HUMAN, Color.WHITE: Side.engine(level=1)})
    >>> session.begin()
    >>> str(session.play("f5").move)
    'f5'
    >>> session.engine_to_move
    True
    >>> session.play_engine().number
    2

**Turns.** After :meth:`Session.begin` the clock of the player to move runs. A person's move is
:meth:`Session.play` or :meth:`Session.skip`; when :attr:`Session.engine_to_move` is true, either
:meth:`Session.play_engine` waits for the engine, or :meth:`Session.thought` gives a question to be asked in
another thread and handed back to :meth:`Session.play_thought`. Call :meth:`Session.tick` now and then while a
clock runs.

**What happens** is told to the listeners (:mod:`reversi.session_events`) before the method that caused it returns,
and after it has been saved: what a player has seen survives a crash.

**Threads.** A session belongs to one thread. Only :meth:`Thought.think`, :meth:`Thought.cancel` and
:meth:`Session.hint` (with a position given) may be called from another.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

from reversi._core import PASS, Move, Position, Square
from reversi.clock import ClockState, GameClock, format_controls
from reversi.color import Color
from reversi.engine import HINT_LEVEL, Choice, Engine
from reversi.errors import GameError, RecordError
from reversi.game import Game, Outcome, Ply, Termination, puts_right_earlier, turned_by_hand
from reversi.players import HUMAN, Side, Thought
from reversi.rules import OTHELLO, Rules
from reversi.running import Cancel
from reversi.session_clocks import Controls, SessionClocks
from reversi.session_events import (
    By,
    Ended,
    Event,
    FlagFell,
    Listener,
    Played,
    PlayedAgain,
    Resigned,
    Restarted,
    SaveFailed,
    TakenBack,
    Turned,
    TurnEnded,
)

if TYPE_CHECKING:
    from reversi.records.record import Record

__all__ = ["HUMAN", "Flipping", "Keeper", "Session", "Side", "Thought"]


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


class Session:
    """A sitting. See the module for how it is used.

    Args:
        game: the game to play on, or the position or rules to start one from.
        sides: who plays each colour; people by default.
        controls: the time of each player, as :func:`reversi.clock.parse_controls` gives them; untimed by
            default.
        flipping: whether discs turn by themselves.
        takebacks: whether :meth:`undo` is allowed.
        seed: what the engines choose by between equally good moves.
        hint_level: the level that hints are computed with.
        tags: tags of the record beside those that follow from the game (Date, Event, …).
        keepers: what saves the game after every change, see :mod:`reversi.saving`.
        now: a source of seconds for the clocks that never runs backwards.
    """

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
        self._number = 0
        self._names: dict[str, str] = {}
        self._untold: list[Event] = []
        self._set_up(game if isinstance(game, Game) else Game(game), controls)

    def _set_up(self, game: Game, controls: Controls | None) -> None:
        self.game = game
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
        """Whether the game waits for an engine."""
        return not self.is_over and not self._turning and self.sides[self.game.to_move].is_engine

    @property
    def can_skip(self) -> bool:
        """Whether a person is to move and may pass although there is a placement."""
        legal = self.game.position.legal_moves
        person = not self.is_over and not self.sides[self.game.to_move].is_engine
        return person and bool(legal.placements) and legal.can_pass

    @property
    def can_undo(self) -> int:
        """How many turns can be taken back."""
        if not self.takebacks:
            return 0
        return len(self._turns_before()) + (self._withdrawable and not self._turning)

    @property
    def can_redo(self) -> int:
        """How many turns can be played again."""
        return 0 if self._declared else len(self._turns_after())

    @property
    def is_live(self) -> bool:
        """Whether the clocks go: after :meth:`begin`, until :meth:`pause`."""
        return self._live

    # --- the run of the sitting

    def begin(self) -> None:
        """Begin or go on: pass where it is forced, start the clock of the player to move, save."""
        self._live = True
        self._settle()

    def pause(self) -> None:
        """Stop the clocks until :meth:`begin`, and save."""
        self._live = False
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
        self._tell(FlagFell(color))
        self.game.forfeit_on_time(color)
        self._changed()
        return True

    # --- moves

    def play(self, move: Move | str, *, turned: Iterable[Square] | None = None) -> Ply:
        """Play for the person whose turn it is. Forced passes that follow happen by themselves.

        With manual flipping a placement turns nothing: :meth:`turn` and :meth:`finish_turn` come next. The move of
        the opponent finishes a turn too.

        Args:
            move: a move, or its text.
            turned: with manual flipping, the discs that are turned already.

        Raises:
            GameError: the game is over (the flag may have fallen just now), or it is an engine's turn.
            InvalidMoveError: the text is not a move.
            IllegalMoveError: the move is not allowed; nothing has changed then.
        """
        if isinstance(move, str):
            move = Move.parse(move)
        self.tick()
        position = self._next_choice()
        if self.sides[position.to_move].is_engine:
            if self._turning:
                raise GameError("your turn is not finished: the discs are yours to turn, then end it")
            raise GameError(f"it is {position.to_move}'s turn, who is an engine")
        flips: tuple[Square, ...] | None = None
        if self.flipping is Flipping.MANUAL and not move.is_pass:
            flips = tuple(turned or ())
            turned_by_hand(position, move, flips)
        else:
            position.play(move)
        # nothing can be wrong from here on
        if self._turning:
            self._finish()
            self._pass_where_forced()
        self._turning = flips is not None
        ply = self._play(move, By.HUMAN, turned=flips)
        self._settle()
        return ply

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

    def skip(self) -> Ply:
        """Pass for the person whose turn it is, where the rules allow it.

        Raises:
            GameError: as :meth:`play`.
            IllegalMoveError: the rules do not allow it.
        """
        return self.play(PASS)

    def play_line(self, moves: Iterable[Move | str]) -> tuple[Ply, ...]:
        """Play several moves for whoever is to move, engines included; discs turn by themselves, no time passes.

        Forced passes may be left out. All of the moves are played, or none.

        Raises:
            GameError: the game is over before the last of them.
            InvalidMoveError: a text is not a move.
            IllegalMoveError: a move is not allowed.
        """
        self._no_turning("play a line")
        trial = self.game.copy()
        before = len(trial)
        for given in moves:
            move = Move.parse(given) if isinstance(given, str) else given
            if not move.is_pass:
                while trial.pass_if_forced():
                    pass
            trial.play(move)
        for ply in trial[before:]:
            self._record_ply(self.game.play(ply.move), By.FORCED if ply.is_forced_pass else By.HUMAN)
        plies = self.game[before:]
        self._settle()
        return plies

    def play_engine(self) -> Ply | None:
        """Let the engine whose turn it is choose and play; ``None`` when its flag fell meanwhile.

        Raises:
            GameError: it is not an engine's turn.
            EngineCancelled: the engine was told to stop.
        """
        thought = self.thought()
        thought.think()
        return self.play_thought(thought)

    def thought(self) -> Thought:
        """The question for the engine whose turn it is, to be answered in any thread.

        Raises:
            GameError: it is not an engine's turn.
        """
        if not self.engine_to_move:
            raise GameError("it is not an engine's turn")
        color = self.game.to_move
        reading = None if self.clock is None else self.clock.reading(color)
        return Thought(self._engine(color), self.game.position, reading, self._number)

    def play_thought(self, thought: Thought) -> Ply | None:
        """Play the answer to :meth:`thought`; ``None`` when the game has gone another way or the flag has fallen.

        Raises:
            GameError: there is no answer yet.
        """
        if thought.choice is None:
            raise GameError("the engine has not answered yet")
        if thought.number != self._number or self.tick():
            return None
        ply = self._play(thought.choice.move, By.ENGINE, thought.choice)
        self._settle()
        return ply

    def go(self, level: int | None = None) -> Ply:
        """Let an engine play one move for whoever is to move.

        Args:
            level: its level; by default that of the engine that plays, or of the hints when none does.

        Raises:
            GameError: the game is over, or discs are being turned.
        """
        self._no_turning("let the engine move")
        self._next_choice()
        if level is None:
            level = max(
                (side.level for side in self.sides.values() if side.level is not None), default=self.hint_level
            )
        choice = Engine(level, self.seed).choose(self.game.position)
        if self.tick():
            raise GameError(f"the game is over: {self.game.outcome}")
        ply = self._play(choice.move, By.ENGINE, choice)
        self._settle()
        return ply

    def hint(
        self, count: int = 3, position: Position | None = None, *, cancel: Cancel | None = None
    ) -> list[Choice]:
        """The best moves of the current position, best first, with their scores for the player to move.

        Args:
            count: how many.
            position: another position than the current one.
            cancel: stops this question from another thread.

        Raises:
            EngineCancelled: it was stopped.
            GameError: the game is over.
            InputError: ``count`` is below 1.
        """
        if self._adviser is None:
            self._adviser = Engine(self._hint_level, self.seed)
        return self._adviser.hint(self.game.position if position is None else position, count, cancel=cancel)

    # --- turning discs by hand

    def turn(self, *squares: Square | str, color: Color | None = None) -> Ply:
        """Turn discs of the latest placement, or turn them back, until the opponent moves.

        Nothing is checked: wrong discs turn too, and stay so. Only what would put right an earlier placement than
        the latest is refused as too late.

        Args:
            squares: the discs.
            color: who turns them; by default the player who moved last.

        Raises:
            GameError: discs turn by themselves in this game, nothing was placed yet, or it is too late.
            InvalidMoveError: a text is not a square.
            IllegalMoveError: there is no disc to turn.
        """
        wanted = [Square(square) if isinstance(square, str) else square for square in squares]
        ply = self._correctable(color)
        turned = set(ply.flips)
        for square in wanted:
            if puts_right_earlier(self.game, square):
                raise GameError(
                    f"{square}: too late to correct {self.game[-2].move}: "
                    f"{ply.color} has moved, and the board stands as it is"
                )
            turned ^= {square}
        return self._turn(turned)

    def turn_all(self, color: Color | None = None) -> Ply:
        """Turn exactly the discs that the rules say.

        Raises:
            GameError: as :meth:`turn`.
        """
        ply = self._correctable(color)
        return self._turn(ply.before.flips(ply.move))

    def finish_turn(self) -> None:
        """End a turn in which discs were turned by hand: the clock is pressed, and the opponent is to move.

        Raises:
            GameError: no turn waits for its end.
        """
        if self.tick() or not self._turning:
            raise GameError("there is no turn to end")
        self._finish()
        self._settle()

    def _turn(self, turned: Iterable[Square]) -> Ply:
        ply = self.game.turn(turned)
        self._turning = True
        del self._clocks.history[len(self.game) + 1 :]
        self._tell(Turned(ply))
        self._changed()
        return ply

    def _correctable(self, color: Color | None) -> Ply:
        if self.flipping is not Flipping.MANUAL:
            raise GameError("discs turn by themselves in this game")
        self.tick()
        if self.is_over:
            raise GameError(f"too late: the game is over: {self.game.outcome}")
        ply = self.game.last
        if ply is None:
            raise GameError("no disc has been placed yet")
        if (color is not None and color is not ply.color) or (ply.turned is None):
            raise GameError(f"too late: {ply.color} has moved, and the board stands as it is")
        return ply

    def _finish(self) -> None:
        ply = self.game.last
        assert ply is not None
        self._turning = False
        if self._clocks.running is ply.color:
            self.game.annotate(ply.number, clock=self._clocks.press())
            self._clocks.note(len(self.game))
        self._tell(TurnEnded(ply.color))

    def _no_turning(self, what: str) -> None:
        if self._turning:
            raise GameError(f"a turn is not finished; end it, then {what}")

    # --- taking back

    def undo(self, turns: int = 1) -> tuple[Ply, ...]:
        """Take back ``turns`` turns of people, with the engine's answers and the forced passes after them.

        A resignation counts as a turn. The clocks go back too.

        Raises:
            GameError: taking back is not allowed, or there is less to take back; nothing has changed then.
        """
        if not self.takebacks:
            raise GameError("this game is played without taking back")
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

    def _turns_before(self) -> list[int]:
        """The numbers of plies after which a person had a choice, before now."""
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
        return not self.sides[ply.color].is_engine and not ply.is_forced_pass

    # --- ends, and other games

    def resign(self, color: Color | None = None) -> Outcome:
        """Give up for ``color``, by default the person to move, or the person who waits for an engine's move.

        Raises:
            GameError: the game is over.
        """
        self.tick()
        if self.is_over:
            raise GameError(f"the game is over: {self.game.outcome}")
        if color is None:
            color = self.to_move
            if self.sides[color].is_engine and not self.sides[color.opponent].is_engine:
                color = color.opponent
        self._turning = False
        if self.game.is_over:  # the discs of the last placement were still to be turned
            self._settle()
            raise GameError(f"the game is over: {self.game.outcome}")
        self._tell(Resigned(color))
        outcome = self.game.resign(color)
        self._changed()
        return outcome

    def new_game(
        self,
        start: Game | Position | Rules | None = None,
        *,
        sides: Mapping[Color, Side] | None = None,
        controls: Controls | None = None,
    ) -> None:
        """Begin another game; the one before stays saved as it was. Live when the sitting is.

        Args:
            start: what to start from; by default the start position of the same rules.
            sides: who plays; by default as before.
            controls: the times; by default as before.
        """
        if controls is None and self.clock is not None:
            controls = self.clock.controls
        if sides is not None:
            self.sides |= dict(sides)
        start = self.rules if start is None else start
        self.games += 1
        self._names = {}
        self._set_up(start if isinstance(start, Game) else Game(start), controls)
        self._tell(Restarted())
        self._settle()

    def set_position(self, position: Position) -> None:
        """Begin another game from a position, with the same players and times."""
        self.new_game(position)

    def load(self, record: Record, ply: int | None = None) -> None:
        """Put a recorded game on the board, to be played on; the turns after ``ply`` can be played again.

        Its tags are kept, its names until a move is made.

        Args:
            record: the game.
            ply: after how many turns; ``None`` for its end.

        Raises:
            IllegalMoveError: a move of the record is not allowed.
            GameError: moves after the end of the game.
            RecordError: there is no such ply.
        """
        from reversi.records.from_game import game_from_record

        game = game_from_record(record)
        if ply is not None:
            if not 0 <= ply <= len(game):
                raise RecordError(f"there is no ply {ply}: the game has {len(game)}")
            game.undo(len(game) - ply)
        derived = ("Black", "White", "TimeControl", "Termination", "Supply")
        self.tags = {name: value for name, value in record.tags.items() if name not in derived}
        self.new_game(game)
        self._names = {name: record.tags[name] for name in ("Black", "White") if record.tags[name] != "?"}
        self.save()

    def set_side(self, color: Color, side: Side) -> None:
        """Change who plays a colour, from the next move on."""
        self.sides[color] = side
        self._changed()

    @property
    def hint_level(self) -> int:
        """The level that hints and :meth:`go` use."""
        return self._hint_level

    @hint_level.setter
    def hint_level(self, level: int) -> None:
        self._adviser = Engine(level, self.seed)
        self._hint_level = level

    # --- saving

    def record(self) -> Record:
        """The record of the game up to the current position."""
        from reversi.records.from_game import record_from_game

        tags = {str(color): self.sides[color].record_name for color in Color}
        if self.clock is not None:
            tags["TimeControl"] = format_controls(self.clock.controls)
        return record_from_game(self.game, {**tags, **self.tags, **self._names})

    def save(self) -> None:
        """Let the keepers save the game; what fails is told to the listeners, once."""
        for index, keeper in enumerate(self.keepers):
            try:
                keeper(self)
            except (OSError, ValueError) as error:
                message = str(error)
                if self._failed.get(index) != message:
                    self._failed[index] = message
                    self._tell(SaveFailed(message, keeper))
            else:
                self._failed.pop(index, None)
        self._tell_all()

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
        self._clocks.put_back(history, clocks)

    # --- what the methods above share

    def _play(
        self, move: Move, by: By, choice: Choice | None = None, turned: Iterable[Square] | None = None
    ) -> Ply:
        color = self.game.to_move
        pressed = self._clocks.running is color and turned is None
        shows = self._clocks.press() if pressed else self._clocks.shows(color)
        evaluation = None if choice is None else choice.score
        return self._record_ply(self.game.play(move, clock=shows, evaluation=evaluation, turned=turned), by)

    def _record_ply(self, ply: Ply, by: By) -> Ply:
        self._names = {}
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
        if self.is_over or not self._live:
            self._clocks.stop()
        elif running is None or (not self._turning and running is not self.game.to_move):
            self._clocks.run(self.to_move)

    def _engine(self, color: Color) -> Engine:
        side = self.sides[color]
        assert side.level is not None
        key = (side.level, self.seed, side.seconds)
        if key not in self._engines:
            self._engines[key] = Engine(side.level, self.seed, time_s=side.seconds)
        return self._engines[key]

    def _tell(self, event: Event) -> None:
        """Note an event; the listeners hear of it when the change is saved: what was shown is never lost."""
        self._untold.append(event)

    def _tell_all(self) -> None:
        while self._untold:
            event = self._untold.pop(0)
            for listener in tuple(self.listeners):
                listener(event)
