"""A session at the board: a game with its players, clocks and table rules, without any screen.

The line dialogue and the full screen both drive a `Session`. It knows whose turn it is and who plays that side,
plays forced passes, presses the clocks, ends the game when a flag falls, takes back whole turns, lets people flip
discs by hand, and saves after every change. It draws nothing and reads nothing.

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

import contextlib
import copy
import datetime
import enum
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Protocol

from reversi._core import PASS, Move, Position, Square, as_move
from reversi._system.closing import ClosedAtEnd
from reversi.arguments import check_type
from reversi.color import Color
from reversi.engine.engine import Engine, random_at
from reversi.engine.levels import HINT_LEVEL, check_plays, level_for, strongest
from reversi.engine.player import MoveChoice, Player, close_player
from reversi.errors import GameError, PlayerError, RecordError, ResourceError
from reversi.game.clocks import GameClock, TimeControl, format_controls
from reversi.game.game import Game, continued, puts_right_earlier
from reversi.game.hand_flips import flip_squares, play_with_flips
from reversi.game.ply import Outcome, Ply, Termination
from reversi.openings.book import Books
from reversi.rules import OTHELLO, Rules
from reversi.session.clocks import Controls, SavedClocks, SessionClocks
from reversi.session.events import (
    By,
    Ended,
    EngineNoise,
    FlagFell,
    Flipped,
    FlipsFinished,
    Listener,
    OpeningLeft,
    Played,
    PlayedAgain,
    Resigned,
    Restarted,
    SaveFailed,
    SessionEvent,
    TakenBack,
)
from reversi.session.notes import Note, add_notes, note_text
from reversi.session.places import RecordPlace
from reversi.session.players import HUMAN, Side, Thought
from reversi.session.state import GameState
from reversi.session.variations import Variation, add_line, add_variations, common_turns, variations_of
from reversi.solver.solution import MoveScore
from reversi.work.cancel import Cancel

if TYPE_CHECKING:
    from reversi.games.repertoire import Repertoire
    from reversi.records.record import Record


_UNTIMED: Final = "untimed"
"""The help in a game without a clock: its kind does not matter."""
_TAKEBACKS: Final = "takebacks"
"""The help of playing another move in place of one."""


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


class Session(ClosedAtEnd):
    """A session at the board; people play the sides that have no engine.

        >>> from reversi import Color, Session, Side
        >>> session = Session(sides={Color.WHITE: Side.engine(level=1)})
        >>> session.begin()
        >>> str(session.play("f5").move)
        'f5'
        >>> session.engine_to_move
        True
        >>> session.play_engine().number
        2

    Args:
        game: the game to continue, or the position or rules to start a game from.
        sides: who plays each color; people by default.
        controls: the time of each player, as `reversi.game.parse_controls` gives them; untimed by default.
        flipping: whether the rules or the players flip the discs.
        takebacks: whether `undo` is allowed.
        help_allowed: whether a person may use hints, analyses and the explorer while a game with a clock runs.
        ponder: whether engines of this package think while a person is to move.
        seed: the seed by which the engines choose between equally good moves.
        hint_level: the level of hints.
        tags: tags of the record, such as Event and Date. The session fills in the players, the rules, the time
            control and the result; any other tag that is not given stays unknown.
        keepers: functions that save the game: each gets the session after every change. `SessionFolder` is one.
            A failure is an OSError or ValueError with a message that names the file; the session reports it.
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
        help_allowed: bool = False,
        ponder: bool = False,
        seed: int = 0,
        hint_level: int = HINT_LEVEL,
        tags: Mapping[str, str] | None = None,
        keepers: Iterable[Keeper] = (),
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.book: Books | None = None
        """The opening book of hints, and of the engines of this package that have none of their own; they ask it
        before they search."""
        self.hold: Repertoire | None = None
        """What engines and other programs play as long as the game is in it; its weights and the seed choose."""
        _check_sides(sides)
        self.sides: dict[Color, Side] = dict.fromkeys(Color, HUMAN) | dict(sides or {})
        """Who plays each color; change it with `set_side`."""
        self.flipping = flipping
        """Who flips the discs; may change between turns."""
        self.takebacks = takebacks
        """Whether players may take back moves."""
        self.help_allowed = help_allowed
        """Whether a person may use hints, analyses and the explorer while a game with a clock runs."""
        check_type("seed", seed, int)
        self.ponder = ponder
        """Whether engines of this package think while a person is to move; it counts from the next move on."""
        self.seed = seed
        """The seed by which the engines choose between equally good moves."""
        check_type("tags", tags, Mapping, NoneType)
        check_type("flipping", flipping, Flipping)
        self.tags: dict[str, str] = dict(tags or {})
        """Tags of the record beside those that follow from the game."""
        self.encoding: str = ""
        """The encoding of files that players open, as in `reversi.open_records`."""
        self.listeners: list[Listener] = []
        """Functions to call with every event."""
        self.keepers: list[Keeper] = list(keepers)
        """Functions to call after every change, to save the game."""
        self.games: int = 0
        """The number of games in this session before this one."""
        self._now = now
        level_for(hint_level)
        self._hint_level = hint_level
        self._players: dict[tuple[Side, int, Color | None], Player] = {}
        self._pondering: Engine | None = None
        self._noisy: set[Player] = set()  # external engines whose noise is reported
        self._adviser: Engine | None = None
        self._failed: dict[int, str] = {}
        self._paused = True
        self._number = 0
        self._unreported: list[SessionEvent] = []
        self.game: Game = game if isinstance(game, Game) else Game(game)
        """The game on the board, to look at: the methods of the session play it."""
        self._set_up(self.game, controls, GameState(length=len(self.game), opening_plies=len(self.game)))

    def __repr__(self) -> str:
        players = " – ".join(str(self.sides[color]) for color in Color)
        state = "over" if self.is_over else "paused" if self._paused else f"{self.to_move} to move"
        return f"<Session {self.rules}: {players}, ply {len(self.game)}, {state}>"

    def _set_up(self, game: Game, controls: Controls | None, state: GameState) -> None:
        """Put a game on the board."""
        check_type("controls", controls, TimeControl, Mapping, NoneType, advice="parse_controls reads text")
        self.game = game
        self._state = state
        self._clocks = SessionClocks(game, controls, self._now)
        self._ended = self.is_over

    def _note(self, **changes: Any) -> None:
        self._state = replace(self._state, **changes)

    # --- the state

    @property
    def state(self) -> GameState:
        """What is known of the game on the board, beside the game itself."""
        return self._state

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
        return last.color if self.flips_pending and last is not None else self.game.to_move

    @property
    def flips_pending(self) -> bool:
        """As `GameState.flips_pending`."""
        return self._state.flips_pending

    @property
    def is_over(self) -> bool:
        """Whether the game has ended; not while a player still flips the last discs."""
        return self.game.is_over and not self.flips_pending

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, ``None`` for a game in progress."""
        return self.game.outcome if self.is_over else None

    @property
    def engine_to_move(self) -> bool:
        """Whether it is an engine's turn; in a paused game the engine does not take it by itself."""
        return not self.is_over and not self.flips_pending and self.sides[self.game.to_move].is_engine

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
        person = not (self.is_over or self.flips_pending or self.sides[self.game.to_move].is_engine)
        return person and bool(legal.placements) and legal.can_pass

    @property
    def is_paused(self) -> bool:
        """Whether the clocks stand and the engines wait: before `begin`, and after `pause` or `load`.

        `begin` or a person's move continues the game, and `new_game` begins one. Until then `play_engine` and `go`
        play one move at a time, and `undo` takes back single plies.
        """
        return self._paused

    @property
    def has_begun(self) -> bool:
        """Whether somebody has made a move in this game, after those of its opening."""
        return any(not ply.is_forced_pass for ply in self.game[self._state.opening_plies :])

    @property
    def in_progress(self) -> bool:
        """Whether somebody plays this game: it has begun, is not over, and is no record to look at."""
        return self.has_begun and not (self.is_over or self.is_replay)

    @property
    def is_replay(self) -> bool:
        """Whether the game is a loaded record that nobody has continued yet."""
        return self._state.opened is not None and not self._state.touched

    @property
    def is_untouched(self) -> bool:
        """Whether leaving the game loses nothing: nobody has continued the record or the start position."""
        if self._state.touched:
            return False
        if self._state.opened is not None:
            return not (self._state.variations or self._state.notes)
        return not len(self.game) and self.game.start == Position(self.rules)

    # --- help in a game with a clock

    @property
    def is_serious(self) -> bool:
        """Whether a person plays a game with a clock that is not over."""
        return self.clock is not None and not (self.is_over or self.is_replay or self.engines_only)

    def use_help(self, kind: str) -> None:
        """Ask whether a person may use some help now; the game notes it, one with a clock for its record, too.

        Args:
            kind: the word for the record's tag ``Help``: ``analysis``, ``explorer`` or ``hints``.

        Raises:
            GameError: it is off in this game.
        """
        check_type("kind", kind, str)
        if self.is_serious and not self.help_allowed:
            raise GameError(
                "hints, analyses and the explorer are off in a game with a clock; allow them when you set up"
                " a game (--allow-help, or Help in the dialog)"
            )
        if not self.is_serious:
            kind = _UNTIMED
        if (self.is_serious or not self._has_ended) and kind not in self._state.help_used:
            self._note_help(kind)
            self.save()

    def _note_help(self, kind: str) -> None:
        self._note(help_used=self._state.help_used | {kind})

    @property
    def _has_ended(self) -> bool:
        """Whether the game is over, or was: `redo` leads to its end."""
        return self.is_over or (bool(self.game.can_redo) and self.game.whole().is_over)

    # --- variations

    def keep_variation(self, variation: Variation) -> None:
        """Keep a line that somebody tried; the game is saved with it.

        Raises:
            GameError: the line has no moves, or is kept already.
        """
        check_type("variation", variation, Variation)
        if not variation.line:
            raise GameError("no move was tried; play one first")
        if variation in self._state.variations or variation in variations_of(self.record()):
            raise GameError("this line is kept already")
        self._note(variations=(*self._state.variations, variation))
        self.save()

    # --- notes

    @property
    def note(self) -> str:
        """What stands in the record at the ply on the board: a mark as in ``??``, a comment, or both.

        A forced pass has the note of the move before it. Setting it keeps the note, and saves the game; "" removes
        what stands there.

        Raises:
            InputError: a mark where no move was played yet.
        """
        return note_text(self.record(), self._noted_moves)

    @note.setter
    def note(self, text: str) -> None:
        check_type("note", text, str)
        note = Note.read(self._noted_moves, text)
        self._note(notes=(*(other for other in self._state.notes if other.moves != note.moves), note))
        self.save()

    @property
    def _noted_moves(self) -> tuple[Move, ...]:
        plies = self.game[:]
        while plies and plies[-1].is_forced_pass:
            plies = plies[:-1]
        return tuple(ply.move for ply in plies)

    # --- the run of the session

    def begin(self) -> None:
        """Begin or continue: play forced passes, start the clock of the player to move, save.

        The clock of a person stands until somebody has made the first move of the game.
        """
        self._paused = False
        self._settle()

    def pause(self) -> None:
        """Stop the clocks and the engines until `begin` or a person's move, and save.

        The session does not play a `Thought` in progress; cancel it.
        """
        self._paused = True
        self._number += 1
        self._stop_pondering()
        self._clocks.stop()
        self.save()

    def tick(self) -> bool:
        """Look at the running clock; if its flag has fallen, end the game and return true."""
        color = self._clocks.fallen()
        if color is None or self.is_over:
            return False
        self._clocks.stop()
        if self.flips_pending and self.game.is_over:  # the placement that ends the game was not finished in time
            self.game.undo()
            self._note(length=len(self.game))
        self._end_line()
        self._note(flips_pending=False, touched=True)
        self._report(FlagFell(color))
        self.game.forfeit_on_time(color)
        self._changed()
        return True

    # --- moves

    def play(
        self,
        move: Move | str,
        *,
        flips: Iterable[Square | str] | None = None,
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
        move = as_move(move)
        self.tick()
        if move.is_pass and self.flips_pending and not self.game.must_pass:
            raise GameError(f"{self.to_move} is flipping discs; finish, then {self.game.to_move} may skip")
        position = self._next_choice()
        if self.sides[position.to_move].is_engine:
            if self.flips_pending:
                raise GameError("your turn is not finished; flip your discs, then finish")
            raise GameError(f"it is the turn of {position.to_move}, an engine")
        by_hand: tuple[Square, ...] | None = None
        if self.flipping is Flipping.MANUAL and not move.is_pass:
            by_hand = flip_squares(flips or ())
            play_with_flips(position, move, by_hand)
        else:
            position.play(move)
        # from here on nothing can fail
        self._paused = False
        if self.flips_pending:
            self._finish()
            self._pass_where_forced()
        self._note(flips_pending=by_hand is not None)
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

    def play_line(self, moves: str | Iterable[Move | str]) -> tuple[Ply, ...]:
        """Play several moves for whoever is to move, engines included; the rules flip the discs, no time passes.

        Forced passes may be left out; a text is one transcript. The session plays all of the moves or none.

        Raises:
            GameError: the game is over before the last move.
            InvalidMoveError: a text is not a move.
            IllegalMoveError: a move is not legal.
        """
        self._no_flips_pending("play a line")
        before = len(self.game)
        trial = continued(self.game, self.position.parse_moves(moves) if isinstance(moves, str) else moves)
        self._note_taken_back()
        if any(self.sides[ply.color].is_engine for ply in trial[before:]):
            self._note(steady=False)
        for ply in trial[before:]:
            self._record_ply(self.game.play(ply.move), By.FORCED if ply.is_forced_pass else By.HUMAN)
        plies = self.game[before:]
        self._settle()
        return plies

    # --- engines

    def play_engine(self) -> Ply | None:
        """Let the engine whose turn it is choose and play; return ``None`` if it resigned, or its flag fell.

        Raises:
            GameError: it is not an engine's turn.
            EngineCancelled: somebody cancelled the search.
            PlayerError: another program does not start, failed, or answered with an illegal move.
        """
        thought = self.thought()
        thought.think()
        return self.play_thought(thought)

    def thought(self) -> Thought:
        """Return the question for the engine whose turn it is; any thread may answer it.

        Raises:
            GameError: it is not an engine's turn.
            PlayerError: another program does not start.
        """
        if not self.engine_to_move:
            raise GameError("it is not an engine's turn")
        color = self.game.to_move
        reading = None if self.clock is None else self.clock.reading(color)
        position, held = self.game.position, None
        if self.hold is not None:
            held = self.hold.draw(position, random_at(self.seed, position))
        return Thought(
            self._player(color),
            position,
            reading,
            self._number,
            game=None if self.game.has_hand_flips else (self.game.start, self.game.moves),
            name=self.sides[color].name,
            held=held,
        )

    def play_thought(self, thought: Thought) -> Ply | None:
        """Play the answer to `thought`; return ``None`` if it is none any more, or the engine resigns.

        It is none any more when the game has changed or the engine's flag has fallen.

        Raises:
            GameError: the engine has not answered yet.
        """
        check_type("thought", thought, Thought)
        if thought.choice is None and not thought.resigns:
            raise GameError("the engine has not answered yet")
        if thought.number != self._number or self.tick():
            return None
        if thought.choice is None:
            self.resign(self.to_move)
            return None
        ply = self._play(thought.choice.move, By.ENGINE, thought.choice)
        self._report_noise(thought.player)
        self._settle()
        return ply

    def _report_noise(self, player: Player) -> None:
        if isinstance(player, Engine):
            return
        from reversi.protocols.client import ExternalEngine

        if isinstance(player, ExternalEngine) and player.noise.count and player not in self._noisy:
            self._noisy.add(player)
            self._report(EngineNoise(f"{player.label}: {player.noise}"))

    def go(self, level: int | str | None = None) -> Ply:
        """Let an engine play one move for whoever is to move.

        Args:
            level: its level; by default the engine whose turn it is plays. For a person the default is the level
                of the other side, or of the hints between people.

        Raises:
            GameError: the game is over, or a player is flipping discs.
        """
        self._no_flips_pending("let the engine move")
        self._next_choice()
        if level is None and self.engine_to_move:
            played = self.play_engine()
            if played is None:
                raise GameError(f"the game is over: {self.game.outcome}")
            return played
        if level is None:
            levels = (side.level for side in self.sides.values() if side.level is not None)
            level = strongest(levels, self.hint_level)
        choice = Engine(level, self.seed, book=self.book).choose(self.game.position)
        if self.tick():
            raise GameError(f"the game is over: {self.game.outcome}")
        ply = self._play(choice.move, By.ENGINE, MoveChoice(choice.move, choice.score))
        self._settle()
        return ply

    def hint(
        self, count: int = 3, position: Position | None = None, *, cancel: Cancel | None = None
    ) -> list[MoveScore]:
        """Return the best moves of the current position, best first, with their scores for the player to move.

        Args:
            count: the number of moves.
            position: a position to use instead of the current one.
            cancel: stops the search from another thread.

        Raises:
            EngineCancelled: ``cancel`` stopped the search.
            GameError: the game is over.
            InputError: ``count`` is below 1.
        """
        if self._adviser is None:
            self._adviser = Engine(self._hint_level, self.seed)
        self._adviser.book = self.book
        return self._adviser.hint(self.game.position if position is None else position, count, cancel=cancel)

    @property
    def hint_level(self) -> int:
        """The level that hints and `go` use."""
        return self._hint_level

    @hint_level.setter
    def hint_level(self, level: int) -> None:
        self._adviser = Engine(level, self.seed)
        level_for(level)
        self._hint_level = level

    def open_players(self) -> None:
        """Start the programs that play, so that their start is not on their clocks, and open the books of engines.

        Raises:
            BookError: a book of an engine is damaged, or one for other rules.
            InputError: a level does not play these rules.
            MissingFileError: a book does not exist.
            PlayerError: one does not start, or does not play these rules.
        """
        for color, side in self.sides.items():
            if side.level is not None:
                check_plays(side.level, self.rules)
            if side.books:
                side.open_books(self.rules)
            if side.program:
                from reversi.protocols.client import ExternalEngine

                player = self._player(color)
                if isinstance(player, ExternalEngine):
                    _ = player.name
                    player.follow(self.game.start)

    def close(self) -> None:
        """End the programs that play; the next question starts them again. The end of a ``with`` does it."""
        self._stop_pondering()
        players, self._players = self._players, {}
        for player in players.values():
            with contextlib.suppress(PlayerError):  # it has nothing left to play
                close_player(player)

    def _let_ponder(self) -> None:
        """Stop what an engine thinks about an earlier position; let the one whose opponent is to move think."""
        self._stop_pondering()
        mine = self.game.to_move.opponent
        if not self.ponder or self._paused or self.is_over or self.flips_pending:
            return
        if self.sides[self.game.to_move].is_engine or self.sides[mine].level is None:
            return
        engine = self._player(mine)
        assert isinstance(engine, Engine)
        # a machine without the memory for it does not ponder; the engine's next move says so
        with contextlib.suppress(ResourceError):
            engine.ponder(self.game.position, None if self.clock is None else self.clock.reading(mine))
            self._pondering = engine

    def _stop_pondering(self) -> None:
        engine, self._pondering = self._pondering, None
        if engine is not None:
            engine.close()

    def _player(self, color: Color) -> Player:
        side = self.sides[color]
        if side.player is not None:
            return side.player
        # another program follows one game and one color; engines of this package are shared
        key = (replace(side, name=""), self.seed, color if side.program else None)
        if key not in self._players:
            self._players[key] = side.open(self.seed)
        player = self._players[key]
        if isinstance(player, Engine) and not side.books:
            player.book = self.book
        return player

    # --- discs flipped by hand

    def flip(self, *squares: Square | str, color: Color | None = None) -> Ply:
        """Flip discs for the latest placement, or flip them back, until the opponent moves.

        The session does not check the flips: a wrong flip stands. It refuses a flip that corrects an earlier
        placement than the latest; that is too late.

        Args:
            squares: the discs.
            color: the player who flips them; by default the player who moved last.

        Raises:
            GameError: the rules flip the discs in this game, nobody has placed a disc yet, or it is too late.
            InvalidMoveError: a text is not a square.
            IllegalMoveError: a square is empty.
        """
        wanted = [Square(square) if isinstance(square, str) else square for square in squares]
        ply = self._correctable(color)
        flips = set(ply.flips)
        for square in wanted:
            if puts_right_earlier(self.game, square):
                raise GameError(
                    f"{square}: too late to correct {self.game[-2].move}; "
                    f"{ply.color} has moved, and the board stands as it is"
                )
            flips ^= {square}
        return self._set_flips(flips)

    def flip_all(self, color: Color | None = None) -> Ply:
        """Flip exactly the discs that the rules flip.

        Raises:
            GameError: as for `flip`.
        """
        ply = self._correctable(color)
        return self._set_flips(ply.before.flips(ply.move))

    def finish_flips(self) -> None:
        """Finish the flips of the latest placement: the player presses the clock, and the opponent is to move.

        Raises:
            GameError: no flips are pending.
        """
        if self.tick() or not self.flips_pending:
            raise GameError("nobody is flipping discs")
        self._finish()
        self._settle()

    def _set_flips(self, flips: Iterable[Square]) -> Ply:
        self._note_taken_back()
        ply = self.game.set_flips(flips)
        self._note(flips_pending=True, touched=True)
        del self._clocks.history[len(self.game) + 1 :]
        self._report(Flipped(ply))
        self._changed()
        return ply

    def _correctable(self, color: Color | None) -> Ply:
        if self.flipping is not Flipping.MANUAL:
            raise GameError("the rules flip the discs in this game")
        self.tick()
        if self.is_over:
            raise GameError(f"too late; the game is over: {self.game.outcome}")
        ply = self.game.last
        if ply is None:
            raise GameError("nobody has placed a disc yet")
        if (color is not None and color is not ply.color) or (ply.hand_flips is None):
            raise GameError(f"too late; {ply.color} has moved, and the board stands as it is")
        return ply

    def _finish(self) -> None:
        ply = self.game.last
        assert ply is not None
        self._note(flips_pending=False)
        if self._clocks.running is ply.color:
            self.game.annotate(ply.number, clock=self._clocks.press())
            self._clocks.note(len(self.game))
        self._report(FlipsFinished(ply.color))

    # --- turns taken back

    @property
    def can_undo(self) -> int:
        """The number of turns that `undo` can take back."""
        if not self.takebacks or self._lost_on_time:
            return 0
        return len(self._turns_before()) + (self._withdrawable and not self.flips_pending)

    @property
    def can_redo(self) -> int:
        """The number of turns that `redo` can play."""
        return 0 if self._declared else len(self._turns_after())

    def undo(self, turns: int = 1) -> tuple[Ply, ...]:
        """Take back ``turns`` turns of people, with the engine's replies and the forced passes after them.

        A resignation counts as a turn. The clocks go back too. In a paused game, and where engines play both
        sides, every ply is a turn, and the plies stay part of the game: the session only steps back. A game
        between engines pauses.

        Raises:
            GameError: the game does not allow it, a flag has fallen, or there are fewer turns; the session does
                not change.
        """
        if not self.takebacks:
            raise GameError("moves cannot be taken back in this game")
        if self._lost_on_time:
            raise GameError(f"the flag has fallen, and the game is over: {self.game.outcome}")
        _check_turns(turns, self.can_undo, "take back")
        withdrawn = int(self._withdrawable and not self.flips_pending)
        count = 0 if turns == withdrawn else len(self.game) - self._turns_before()[withdrawn - turns]
        plies = self.game.undo(count)
        if not (self._paused or self.engines_only):
            self._note(length=len(self.game))
        self._moved(TakenBack(plies))
        return plies

    def redo(self, turns: int = 1) -> tuple[Ply, ...]:
        """Replay ``turns`` turns that were taken back, up to the next choice of a person.

        `undo` says what a turn is in a paused game and between engines.

        Raises:
            GameError: there are fewer turns; the session does not change.
        """
        _check_turns(turns, self.can_redo, "redo")
        plies = self.game.redo(self._turns_after()[turns - 1] - len(self.game))
        self._note(length=max(self._state.length, len(self.game)))
        self._moved(PlayedAgain(plies))
        return plies

    def _moved(self, event: SessionEvent) -> None:
        self._note(flips_pending=False)
        self._ended = False
        self._paused = self._paused or self.engines_only  # or they would play on at once
        self._clocks.restore(len(self.game))
        self._report(event)
        self._settle()

    @property
    def _declared(self) -> bool:
        outcome = self.game.outcome
        return outcome is not None and outcome.termination is not Termination.NORMAL

    @property
    def _withdrawable(self) -> bool:
        """Whether the game ended by resignation or adjudication, which `undo` withdraws."""
        outcome = self.game.outcome
        kinds = (Termination.RESIGNATION, Termination.ADJUDICATION, Termination.FORFEIT)
        return outcome is not None and outcome.termination in kinds

    @property
    def _lost_on_time(self) -> bool:
        """Whether a flag has fallen, which stands; in a record one may step back behind it."""
        outcome = self.game.outcome
        return outcome is not None and outcome.termination is Termination.TIME_FORFEIT and not self.is_replay

    def _turns_before(self) -> list[int]:
        """Return the numbers of plies to go back to, one for each turn before now."""
        return [ply.number - 1 for ply in self.game if self._is_choice(ply)]

    def _turns_after(self) -> list[int]:
        """The same for the plies to redo, and the last of them."""
        if not self.game.can_redo:
            return []
        ahead, now = self.game.whole(), len(self.game)
        return [*(ply.number - 1 for ply in ahead[now + 1 :] if self._is_choice(ply)), len(ahead)]

    def _is_choice(self, ply: Ply) -> bool:
        each = self._paused or self.engines_only
        return (each or not self.sides[ply.color].is_engine) and not ply.is_forced_pass

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
        self._note(flips_pending=False, touched=True)
        if self.game.is_over:  # only the flips of the last placement were missing
            self._settle()
            raise GameError(f"the game is over: {self.game.outcome}")
        self._end_line()
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
        opening: str = "",
        from_start: bool = True,
    ) -> None:
        """Begin another game, live at once; the previous game stays saved.

        The record has the tag ``Opening`` as given here, and today's date if the session has a date.

        Args:
            start: the game, position or rules to start from; by default the start position of the same rules.
            sides: who plays; by default as before.
            controls: the time of each player; by default as before.
            opening: the name of the opening that has been played in the game.
            from_start: as in `GameState.from_start`.
        """
        check_type("opening", opening, str)
        check_type("from_start", from_start, bool)
        _check_sides(sides)
        if controls is None and self.clock is not None:
            controls = self.clock.controls
        if sides is not None:
            self.sides |= dict(sides)
        start = self.rules if start is None else start
        if self._state.tags_before is not None:  # the tags of a record are not those of another game
            own, recorded = self._state.tags_before
            self.tags = own | {tag: text for tag, text in self.tags.items() if recorded.get(tag) != text}
        self.tags.pop("Opening", None)
        if opening:
            self.tags["Opening"] = opening
        if "Date" in self.tags:
            self.tags["Date"] = f"{datetime.datetime.now().astimezone():%Y.%m.%d}"
        self._paused = False
        game = start if isinstance(start, Game) else Game(start)
        self._restart(game, controls, GameState(length=len(game), opening_plies=len(game), from_start=from_start))

    def _restart(self, game: Game, controls: Controls | None, state: GameState) -> None:
        self.games += 1
        self._set_up(game, controls, state)
        self._report(Restarted())
        self._settle()

    def set_position(self, position: Position) -> None:
        """Begin another game from a position, with the same players and times."""
        self.new_game(position)

    def load(self, record: Record, ply: int | None = None, *, place: RecordPlace | None = None) -> None:
        """Put a recorded game on the board; `redo` plays the plies after ``ply``.

        The game is paused (`is_paused`), and the session saves it only when somebody plays: `undo` and `redo`
        step through it, `begin` or a person's move continues it. The session keeps the whole record (`record`).

        Args:
            record: the game.
            ply: the number of plies to play; ``None`` for all.
            place: where the record was read, if it stands in a file.

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
        before = self._state.tags_before
        state = GameState(
            length=len(game) + game.can_redo,
            opening_plies=len(game),
            from_start=False,
            opened=copy.deepcopy(record),
            names={str(color): record.tags[str(color)] for color in Color if record.tags[str(color)] != "?"},
            tags_before=(self.tags if before is None else before[0], recorded),
            places=() if place is None else (place,),
        )
        self.tags = dict(recorded)
        self._paused = True
        self._restart(game, None if self.clock is None else self.clock.controls, state)

    def set_side(self, color: Color, side: Side) -> None:
        """Change who plays a color, from the next move on."""
        _check_side(color, side)
        if self.has_begun and _strength(side) != _strength(self.sides[color]):
            self._note(steady=False)
        self.sides[color] = side
        self._changed()

    # --- saving

    def record(self) -> Record:
        """Return the record of the whole game, wherever one has stepped back to.

        The record of a game that was opened is what was opened, with what was played since: after the last turn of
        an unfinished game it goes on; anywhere else, a variation begins. Plies that were taken back are left out.
        """
        from reversi.records.from_game import record_from_game

        game = self.game.copy()
        game.redo(self._state.length - len(game))
        if self._state.opened is not None:
            record = self._continued(self._state.opened, game)
        else:
            names = {str(color): self.sides[color].record_name for color in Color}
            record = record_from_game(game, {**names, **self._derived_tags(), **self.tags})
        add_variations(record, self._state.variations)
        add_notes(record, self._state.notes)
        return record

    def _continued(self, opened: Record, game: Game) -> Record:
        """Return the record that was opened with the game that was played from it."""
        from reversi.records.from_game import record_from_game

        record = copy.deepcopy(opened)
        played, before = record_from_game(game), len(record.line.nodes)
        nodes, added = played.line.nodes, game[before:]
        if all(ply.is_forced_pass for ply in added):  # the session passes by itself: nobody has gone on
            nodes, added = nodes[:before], ()
        for node, there, ply in zip(nodes, record.line.nodes, game, strict=False):  # the same flips, listed or not
            if ply.flips == (ply.before.flips(ply.move) if there.flips is None else there.flips):
                node.flips = there.flips
        goes_on = record.result == "*" or not before
        at_end = goes_on and before == common_turns(record.line, nodes)
        add_line(record.line, nodes, grows=goes_on)
        if at_end and added:
            for color in {ply.color for ply in added}:
                if self.sides[color].record_name != HUMAN.record_name:
                    record.tags[str(color)] = self.sides[color].record_name
            for name, text in self._derived_tags().items():
                record.tags.setdefault(name, text)
        if at_end and self._state.touched and played.result != "*":
            record.result = played.result
            record.tags.pop("Termination", None)
            if "Termination" in played.tags:
                record.tags["Termination"] = played.tags["Termination"]
        _, recorded = self._state.tags_before or ({}, {})
        for name in recorded.keys() - self.tags.keys():
            record.tags.pop(name, None)
        record.tags.update({name: text for name, text in self.tags.items() if recorded.get(name) != text})
        return record

    def _derived_tags(self) -> dict[str, str]:
        """Return the tags that follow from the clock, the book and the help that were used."""
        tags = {}
        if self.clock is not None:
            tags["TimeControl"] = format_controls(self.clock.controls)
        own = [Path(name).name for side in self.sides.values() for name in side.books]
        engines = {color for color, side in self.sides.items() if side.level is not None and not side.books}
        if self.book is not None and any(ply.before in self.book for ply in self.game if ply.color in engines):
            own.append(str(self.book))
        if own:
            tags["Book"] = ", ".join(own)
        if kinds := self._state.help_used - {_UNTIMED, _TAKEBACKS}:
            tags["Help"] = ", ".join(sorted(kinds))
        return tags

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

    def keep_place(self, place: RecordPlace) -> None:
        """Note where the game stands in a file now, and save, so that a resumed session knows it."""
        check_type("place", place, RecordPlace)
        others = (other for other in self._state.places if other.path != place.path)
        self._note(places=(*others, place))
        self.save()

    @property
    def saved_clocks(self) -> SavedClocks:
        """The clocks as a saved session keeps them."""
        return self._clocks.saved

    def keep_in_history(self, game: str) -> None:
        """Note the game, as text, as it joined the personal history."""
        check_type("game", game, str)
        self._note(in_history=game)

    def restore(self, state: GameState, clocks: SavedClocks) -> None:
        """Restore the state of a saved session in one that was made from its game; call it before `begin`.

        Raises:
            GameError: the clocks cannot have such states, no placement has flips by hand, or the game does not
                have that length.
        """
        most = len(self.game) + (0 if self._declared else self.game.can_redo)
        if not len(self.game) <= state.length <= most:
            raise GameError(f"the game cannot have {state.length} plies")
        if state.flips_pending and (self.game.last is None or self.game.last.hand_flips is None):
            raise GameError("nobody has placed a disc yet")
        self._state = state
        self._ended = self.is_over
        self._clocks.put_back(clocks)

    # --- shared by the methods above

    def _play(
        self, move: Move, by: By, choice: MoveChoice | None = None, flips: Iterable[Square] | None = None
    ) -> Ply:
        color = self.game.to_move
        pressed = self._clocks.running is color and flips is None
        shows = self._clocks.press() if pressed else self._clocks.shows(color)
        evaluation = None if choice is None else choice.score
        self._note_taken_back()
        return self._record_ply(self.game.play(move, clock=shows, evaluation=evaluation, flips=flips), by)

    def _note_taken_back(self) -> None:
        """Before a change that drops the plies to redo: they are taken back, not only looked behind."""
        if self.game.can_redo:
            self._note_help(_TAKEBACKS)
        self._end_line()

    def _end_line(self) -> None:
        """End the game on the board here; in one that was opened, what one has stepped back from is kept."""
        if self._state.opened is not None and self._state.length > len(self.game):
            self._note(opened=self.record())
        self._note(length=len(self.game))

    def _record_ply(self, ply: Ply, by: By) -> Ply:
        if by is not By.FORCED:
            self._note(names={}, touched=True)
        self._note(length=len(self.game))
        self._clocks.note(len(self.game))
        self._report(Played(ply, by))
        if self.hold is not None and (known := self.hold.moves(ply.before)):
            if ply.after not in self.hold:
                self._report(OpeningLeft(ply, tuple(choice.move for choice in known)))
            elif not self.hold.moves(ply.after) and not self.is_over:
                self._report(OpeningLeft(ply, ()))
        return ply

    def _settle(self) -> None:
        """After a ply: forced passes, the next clock, the end, saving."""
        if not self.flips_pending:
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
        self._let_ponder()
        self.save()

    def _run_clock(self) -> None:
        running = self._clocks.running
        person = not self.sides[self.to_move].is_engine
        if self.is_over or self._paused or (person and not self.has_begun and self._state.opened is None):
            self._clocks.stop()
        elif running is None or (not self.flips_pending and running is not self.game.to_move):
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
        if self.flips_pending:
            raise GameError(f"{self.to_move} is flipping discs; finish, then {what}")

    def _report(self, event: SessionEvent) -> None:
        """Note an event; listeners receive it after the change is saved: a shown move is never lost."""
        self._unreported.append(event)

    def _report_all(self) -> None:
        while self._unreported:
            event = self._unreported.pop(0)
            for listener in tuple(self.listeners):
                listener(event)


def _check_turns(turns: int, available: int, what: str) -> None:
    check_type("turns", turns, int)
    if turns < 1:
        raise GameError(f"turns to {what} must be at least 1, not {turns}")
    if not available:
        raise GameError(f"nothing to {what}")
    if turns > available:
        raise GameError(f"cannot {what} {turns} turns; at most {available}")


def _strength(side: Side) -> Side:
    return replace(side, name="", adaptive=False)


def _check_sides(sides: Mapping[Color, Side] | None) -> None:
    check_type("sides", sides, Mapping, NoneType)
    for color, side in (sides or {}).items():
        _check_side(color, side)


def _check_side(color: Color, side: Side) -> None:
    check_type("a key of the sides", color, Color)
    check_type("a side", side, Side, advice="Side.engine(level) is an engine, Side.of(player) a player object")
