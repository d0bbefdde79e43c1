"""A session at the board: a game with its players, clocks and table rules, without any screen.

The line dialogue and the full screen both drive a `Session`. It knows whose turn it is and who plays that side,
plays forced passes, presses the clocks, ends the game when a flag falls, takes back whole turns, lets people flip
discs by hand, and saves after every change. It draws nothing and reads nothing::

    >>> session = Session(sides={Color.BLACK: HUMAN, Color.WHITE: Side.engine(level=1)})
    >>> session.begin()
    >>> str(session.play("f5").move)
    'f5'
    >>> session.engine_to_move
    True
    >>> session.play_engine().number
    2

**Turns.** After `Session.begin` the clock of the player to move runs. `Session.play` and `Session.skip` make a
person's move. When `Session.engine_to_move` is true, either `Session.play_engine` waits for the engine, or
`Session.thought` gives a question that another thread answers, and `Session.play_thought` plays the answer. Call
`Session.tick` now and then while a clock runs.

**Events** (`reversi.session.events`) reach the listeners after the change is saved and before the method that
causes it returns: a move that a player has seen survives a crash.

**Threads.** A session belongs to one thread. Another thread may call only `Thought.think`, `Thought.cancel` and
`Session.hint` (with a position given).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from reversi._core import PASS, Move, Position, Square
from reversi.color import Color
from reversi.errors import GameError, RecordError
from reversi.game.clocks import format_controls
from reversi.game.game import Game
from reversi.game.hand_flips import play_with_flips
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
    """A session at the board. The module's docstring shows its use.

    Args:
        game: the game to continue, or the position or rules to start a game from.
        sides: who plays each color; people by default.
        controls: the time of each player, as `reversi.game.parse_controls` gives them; untimed by default.
        flipping: whether the rules or the players flip the discs.
        takebacks: whether `undo` is allowed.
        seed: the seed by which the engines choose between equally good moves.
        hint_level: the level of hints.
        tags: tags of the record beside those that follow from the game (Date, Event, …).
        keepers: functions that save the game after every change, see `reversi.session.saving`.
        now: a source of seconds for the clocks that never runs backwards.
    """

    # --- moves

    def play(
        self,
        move: Move | str,
        *,
        flips: Iterable[Square] | None = None,
    ) -> Ply:
        """Play a move for the person whose turn it is, and the forced passes that follow.

        With manual flipping a placement flips nothing by itself: `flip` and `finish_flips` come next. The move of
        the opponent finishes the flips too.

        Args:
            move: a move, or its text.
            flips: with manual flipping, discs to flip at once.

        Raises:
            GameError: the game is over (the flag may have fallen just now), or it is an engine's turn.
            InvalidMoveError: the text is not a move.
            IllegalMoveError: the move is not legal; the session does not change.
        """
        if isinstance(move, str):
            move = Move.parse(move)
        self.tick()
        if move.is_pass and self._flips_pending and not self.game.must_pass:
            raise GameError(f"{self.to_move} is flipping discs; finish, then {self.game.to_move} may skip")
        position = self._next_choice()
        if self.sides[position.to_move].is_engine:
            if self._flips_pending:
                raise GameError("your turn is not finished; flip your discs, then finish")
            raise GameError(f"it is the turn of {position.to_move}, an engine")
        by_hand: tuple[Square, ...] | None = None
        if self.flipping is Flipping.MANUAL and not move.is_pass:
            by_hand = tuple(flips or ())
            play_with_flips(position, move, by_hand)
        else:
            position.play(move)
        # from here on nothing can fail
        self._paused = False
        if self._flips_pending:
            self._finish()
            self._pass_where_forced()
        self._flips_pending = by_hand is not None
        ply = self._play(move, By.HUMAN, flips=by_hand)
        self._settle()
        return ply

    def skip(self) -> Ply:
        """Pass for the person whose turn it is, where the rules allow it.

        Raises:
            GameError: as for `play`.
            IllegalMoveError: the rules do not allow a pass here.
        """
        return self.play(PASS)

    def play_line(self, moves: Iterable[Move | str]) -> tuple[Ply, ...]:
        """Play several moves for whoever is to move, engines included; the rules flip the discs, no time passes.

        Forced passes may be left out. The session plays all of the moves or none.

        Raises:
            GameError: the game is over before the last move.
            InvalidMoveError: a text is not a move.
            IllegalMoveError: a move is not legal.
        """
        self._no_flips_pending("play a line")
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
        """Resign for ``color``, by default the person to move, or the person who waits for an engine's move.

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
        self._flips_pending = False
        self._touched = True
        if self.game.is_over:  # only the flips of the last placement were missing
            self._settle()
            raise GameError(f"the game is over: {self.game.outcome}")
        self._report(Resigned(color))
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
        """Begin another game, live if the session is; the previous game stays saved.

        Args:
            start: the game, position or rules to start from; by default the start position of the same rules.
            sides: who plays; by default as before.
            controls: the time of each player; by default as before.
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
        self._report(Restarted())
        self._settle()

    def set_position(self, position: Position) -> None:
        """Begin another game from a position, with the same players and times."""
        self.new_game(position)

    def load(self, record: Record, ply: int | None = None) -> None:
        """Put a recorded game on the board; `redo` plays the plies after ``ply``.

        The game is paused (`is_paused`), and the session saves it only when somebody plays: `undo` and `redo`
        step through it, `begin` or a person's move continues it. The session keeps its tags, and its names until
        somebody moves.

        Args:
            record: the game.
            ply: the number of plies to play; ``None`` for all.

        Raises:
            IllegalMoveError: a move of the record is not legal.
            GameError: a move follows the end of the game.
            RecordError: the game has fewer plies.
        """
        from reversi.records.from_game import game_from_record

        game = game_from_record(record)
        if ply is not None:
            if not 0 <= ply <= len(game):
                raise RecordError(f"ply {ply} does not exist; the game has {len(game)}")
            game.undo(len(game) - ply)
        derived = ("Black", "White", "TimeControl", "Termination", "Supply")
        recorded = {name: value for name, value in record.tags.items() if name not in derived}
        self._tags_before = (self.tags if self._tags_before is None else self._tags_before[0], recorded)
        self.tags = dict(recorded)
        names = {name: record.tags[name] for name in ("Black", "White") if record.tags[name] != "?"}
        self._paused = True
        self._restart(game, None if self.clock is None else self.clock.controls, names)

    def set_side(self, color: Color, side: Side) -> None:
        """Change who plays a color, from the next move on."""
        self.sides[color] = side
        self._changed()

    # --- saving

    def record(self) -> Record:
        """Return the record of the game up to the current position."""
        from reversi.records.from_game import record_from_game

        tags = {str(color): self.sides[color].record_name for color in Color}
        if self.clock is not None:
            tags["TimeControl"] = format_controls(self.clock.controls)
        return record_from_game(self.game, {**tags, **self.tags, **self._names})

    def save(self) -> None:
        """Let the keepers save the game; listeners receive each failure once."""
        for index, keeper in enumerate(self.keepers):
            try:
                keeper(self)
            except (OSError, ValueError) as error:
                message = str(error)
                if self._failed.get(index) != message:
                    self._failed[index] = message
                    self._report(SaveFailed(message, keeper))
            else:
                self._failed.pop(index, None)
        self._report_all()

    @property
    def save_failures(self) -> tuple[str, ...]:
        """The reasons why keepers cannot save the game, one message each; empty while all of them can."""
        return tuple(self._failed.values())

    def save_failure(self, keeper: Keeper) -> str:
        """Return why a keeper cannot save the game, "" while it can."""
        return next((self._failed.get(index, "") for index, each in enumerate(self.keepers) if each is keeper), "")
