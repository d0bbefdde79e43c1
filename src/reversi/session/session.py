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

**What happens** is told to the listeners (:mod:`reversi.session.events`) before the method that caused it returns,
and after it has been saved: what a player has seen survives a crash.

**Threads.** A session belongs to one thread. Only :meth:`Thought.think`, :meth:`Thought.cancel` and
:meth:`Session.hint` (with a position given) may be called from another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from reversi._core import PASS, Move, Position, Square
from reversi.color import Color
from reversi.errors import GameError, RecordError
from reversi.game.clocks import format_controls
from reversi.game.game import Game
from reversi.game.hand_flips import turned_by_hand
from reversi.game.ply import Outcome, Ply
from reversi.rules import Rules
from reversi.session.clocks import Controls
from reversi.session.core import Flipping, Keeper
from reversi.session.engines import EngineTurns
from reversi.session.events import By, Resigned, Restarted, SaveFailed
from reversi.session.hand_flips import HandFlips
from reversi.session.players import HUMAN, Side, Thought
from reversi.session.take_backs import TakeBacks

if TYPE_CHECKING:
    from reversi.records.record import Record

__all__ = ["HUMAN", "Flipping", "Keeper", "Session", "Side", "Thought"]


class Session(EngineTurns, HandFlips, TakeBacks):
    """A sitting. See the module for how it is used.

    Args:
        game: the game to play on, or the position or rules to start one from.
        sides: who plays each colour; people by default.
        controls: the time of each player, as :func:`reversi.game.parse_controls` gives them; untimed by
            default.
        flipping: whether discs turn by themselves.
        takebacks: whether :meth:`undo` is allowed.
        seed: what the engines choose by between equally good moves.
        hint_level: the level that hints are computed with.
        tags: tags of the record beside those that follow from the game (Date, Event, …).
        keepers: what saves the game after every change, see :mod:`reversi.session.saving`.
        now: a source of seconds for the clocks that never runs backwards.
    """

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
        if move.is_pass and self._turning and not self.game.must_pass:
            raise GameError(f"{self.to_move} turns discs: end that turn, then {self.game.to_move} may skip")
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
        self._paused = False
        if self._turning:
            self._finish()
            self._pass_where_forced()
        self._turning = flips is not None
        ply = self._play(move, By.HUMAN, turned=flips)
        self._settle()
        return ply

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
        self._touched = True
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
        if self._tags_before is not None:  # the tags of a record are not those of another game
            own, recorded = self._tags_before
            self.tags = own | {tag: text for tag, text in self.tags.items() if recorded.get(tag) != text}
            self._tags_before = None
        self._paused = False
        self._restart(start if isinstance(start, Game) else Game(start), controls)

    def _restart(self, game: Game, controls: Controls | None, names: Mapping[str, str] | None = None) -> None:
        self.games += 1
        self._set_up(game, controls, names)
        self._tell(Restarted())
        self._settle()

    def set_position(self, position: Position) -> None:
        """Begin another game from a position, with the same players and times."""
        self.new_game(position)

    def load(self, record: Record, ply: int | None = None) -> None:
        """Put a recorded game on the board; the turns after ``ply`` can be played again.

        The game is paused (:attr:`is_paused`) and is not saved until somebody plays: :meth:`undo` and
        :meth:`redo` step through it, :meth:`begin` or a person's move continues it. Its tags are kept, its names
        until a move is made.

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
        recorded = {name: value for name, value in record.tags.items() if name not in derived}
        self._tags_before = (self.tags if self._tags_before is None else self._tags_before[0], recorded)
        self.tags = dict(recorded)
        names = {name: record.tags[name] for name in ("Black", "White") if record.tags[name] != "?"}
        self._paused = True
        self._restart(game, None if self.clock is None else self.clock.controls, names)

    def set_side(self, color: Color, side: Side) -> None:
        """Change who plays a colour, from the next move on."""
        self.sides[color] = side
        self._changed()

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
    def save_failures(self) -> tuple[str, ...]:
        """Why keepers cannot save the game, one message each; empty while all of them can."""
        return tuple(self._failed.values())

    def save_failure(self, keeper: Keeper) -> str:
        """Why a keeper cannot save the game, "" while it can."""
        return next((self._failed.get(index, "") for index, each in enumerate(self.keepers) if each is keeper), "")
