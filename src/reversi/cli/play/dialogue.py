"""A game played line by line: what is said, what is understood, and what happens then.

The dialogue reads lines and says lines through functions, so that it runs the same at a terminal and in a pipe;
the game itself is a :class:`~reversi.session.Session`. It knows no files: reading and saving are functions too.
What goes wrong with a line is one line of answer, and the game goes on.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Final

from reversi._core import PASS, Move, Position, Square
from reversi.cli.play import dialogue_lines as lines
from reversi.cli.play.words import find_word, help_text, suggestion
from reversi.color import Color
from reversi.engine.engine import DEFAULT_LEVEL, EngineCancelled
from reversi.errors import GameError, IllegalMoveError, InputError, InvalidMoveError
from reversi.rules import describe, parse_rules
from reversi.session.events import (
    By,
    Event,
    FlagFell,
    Played,
    PlayedAgain,
    Resigned,
    Restarted,
    TakenBack,
    Flipped,
)
from reversi.session.players import HUMAN, Side
from reversi.session.session import Session
from reversi.text.diagrams import format_diagram

if TYPE_CHECKING:
    from reversi.records.record import Record

__all__ = ["Dialogue", "TimeUpError"]

_HINTS: Final = 3
_REMARKS: Final = 4


class TimeUpError(Exception):
    """Raised by the reading function when the time of the player to move has run out meanwhile."""


class Dialogue:
    """One sitting in conversation.

    Args:
        session: the sitting.
        read: asked with a prompt for the next line, without its end; ``None`` at the end of input.
        say: shows one or more lines.
        save: saves the record to the file of a name; returns what to say, or raises what keeps it from that.
        load: reads a recorded game: the record, and after how many of its plies it goes on (``None``: all).
        position: reads a pasted position under the current rules.
        quiet: show boards only when asked.
        stay: go on after the end of a game, for another one or to take back.
        level: the level of an engine that ``mode`` brings in.
    """

    def __init__(
        self,
        session: Session,
        *,
        read: Callable[[str], str | None],
        say: Callable[[str], None],
        save: Callable[[str], str],
        load: Callable[[str], tuple[Record, int | None]],
        position: Callable[[str], Position],
        quiet: bool = False,
        stay: bool = False,
        level: int = DEFAULT_LEVEL,
    ) -> None:
        self.session = session
        self._read = read
        self._say = say
        self._save_record = save
        self._load = load
        self._parse_position = position
        self._quiet = quiet
        self._stay = stay
        self._engine = next((side for side in session.sides.values() if side.is_engine), Side.engine(level))
        self._repeatable = 0
        """How many passes that happened by themselves the next lines may still spell out."""
        self._board_due = True
    def run(self) -> None:
        """Play until the game is over (with ``stay``: until then), ``quit``, or the end of input."""
        self.session.listeners.append(self._hear)
        try:
            if not self._quiet:
                self._greet()
            self.session.begin()
            while self._next():
                pass
            self.session.pause()
        finally:
            self.session.listeners.remove(self._hear)

    def _next(self) -> bool:
        """Let the engine move, show what is new, and answer one line; false at the end."""
        session = self.session
        if session.engine_due:
            self._let_engines_move()
        ends = not self._stay and not session.is_replay
        if session.is_over and (self._board_due or ends):
            self._say(
                lines.end_lines(session) if self._quiet else f"{self._diagram()}\n{lines.end_lines(session)}"
            )
            if ends:
                return False
            if self._stay:
                self._say("undo, new, save FILE or quit?")
        elif self._board_due and not self._quiet:
            self._say(f"{self._diagram()}\n{lines.status_line(session)}")
        self._board_due = False
        try:
            line = self._read("" if session.is_over else f"{self._asked()}> ")
        except TimeUpError:
            session.tick()
            return True
        word = None if line is None else line.split()[:1]
        if line is None or (word and (found := find_word(word[0])) is not None and found.name == "quit"):
            if not session.is_over and not session.is_replay:
                self._say(f"Unfinished: discs {session.position.count.discs}, {session.game.to_move} to move.")
            return False
        if not session.tick():
            self._answer(line.strip())
        return True

    def _let_engines_move(self) -> None:
        """Until a person is to move; between engines at a terminal Ctrl-C pauses the game."""
        session = self.session
        interrupted, thought = False, session.thought()

        def interrupt(_number: int, _frame: FrameType | None) -> None:
            nonlocal interrupted
            interrupted = True
            thought.cancel()

        pausable = self._stay and session.engines_only
        before = signal.signal(signal.SIGINT, interrupt) if pausable else None
        try:
            while session.engine_due and not interrupted:
                if not self._quiet and session.engines_only:
                    self._say(self._diagram())
                thought = session.thought()
                with contextlib.suppress(*((EngineCancelled,) if pausable else ())):
                    thought.think()
                    session.play_thought(thought)
        finally:
            if pausable:
                signal.signal(signal.SIGINT, before)
        if interrupted and not session.is_over:
            session.pause()
            self._say(lines.PAUSED)

    def _asked(self) -> Color:
        """Who is expected to say something."""
        session, game = self.session, self.session.game
        waits = game.is_over or game.must_pass or session.sides[game.to_move].is_engine
        return session.to_move if waits else game.to_move

    def _greet(self) -> None:
        self._say(lines.greeting(self.session))
        if str(self.session.rules) != "othello":
            self._say(describe(self.session.rules))

    # --- what happens

    def _hear(self, event: Event) -> None:
        self._board_due = True
        match event:
            case Played(ply, by):
                self._repeatable = self._repeatable + 1 if by is By.FORCED else 0
                self._say(lines.ply_line(ply))
            case Flipped(ply):
                self._say(lines.flips_line(ply, self.session))
            case TakenBack(plies):
                self._reset_passes()
                self._say(f"Took back {lines.plies(len(plies))}." if plies else "The game continues.")
            case PlayedAgain(plies):
                self._reset_passes()
                self._say("\n".join(map(lines.ply_line, plies)))
            case Resigned(color):
                self._say(f"{color} resigns.")
            case FlagFell(color):
                self._say(f"{color} has run out of time.")
            case Restarted():
                self._reset_passes()
                if not self._quiet:
                    self._greet()

    def _reset_passes(self) -> None:
        last = self.session.game.last
        self._repeatable = int(last is not None and last.is_forced_pass)

    # --- what a line says

    def _answer(self, line: str) -> None:
        if not line or line[0] in "#%":
            return
        first, _, rest = line.partition(" ")
        word = find_word(first)
        try:
            if word is not None:
                self._commands[word.name](rest.strip())
            else:
                self._move(line)
        except IllegalMoveError as error:
            self._say(f"{lines.cut(str(error), 200)}.")
        except (GameError, InputError) as error:
            self._say(f"{error}{'' if str(error).endswith(('?', '.')) else '.'}")
        except OSError as error:
            if error.filename is None:  # standard output
                raise
            self._say(f"{error.filename}: {error.strerror or error}.")

    def _move(self, line: str) -> None:
        session, game = self.session, self.session.game
        try:
            move = Move.parse(line)
        except InvalidMoveError:
            self._say(_not_understood(line))
            return
        if session.is_over:
            raise GameError(f"the game is over: {session.outcome}")
        if move.is_pass:
            if session.flips_pending and game.must_pass:
                session.finish_flips()
            if self._repeatable and self._is_repeat():
                self._repeatable -= 1
                self._say("That pass has been played already.")
                return
        person = not (game.is_over or game.must_pass or session.sides[game.to_move].is_engine)
        if person and not game.position.is_legal(move):
            self._say(f"{lines.why_not(game, move)}.")
            return
        session.play(move)

    def _is_repeat(self) -> bool:
        """Whether ``--`` means a pass that happened by itself, rather than a skip now."""
        last = self.session.game.last
        return not self.session.position.legal_moves.can_pass or (last is not None and last.is_forced_pass)



def _not_understood(line: str) -> str:
    close = suggestion(line.split(maxsplit=1)[0][:40])
    way_out = f"did you mean {close!r}?" if close else "type a square as in f5, -- to pass, or help"
    return f"{lines.cut(line)!r} is neither a move nor a command; {way_out}"


