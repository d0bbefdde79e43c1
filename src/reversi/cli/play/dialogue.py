"""A game played line by line: reading lines, playing moves, and reporting events.

The dialogue reads and writes lines through functions, so that it runs the same at a terminal and through a pipe.
The game is a `Session`; `reversi.cli.play.dialogue_commands` runs the commands. An error in a line is one line of
answer, and the game continues.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable
from types import FrameType

from reversi.cli.console import reason
from reversi.cli.line_reader import TimeUpError
from reversi.cli.play import dialogue_lines as lines
from reversi.cli.play.dialogue_commands import Commands
from reversi.cli.play.play_vocabulary import VOCABULARY
from reversi.engine.engine import EngineCancelled
from reversi.engine.levels import DEFAULT_LEVEL
from reversi.errors import GameError, IllegalMoveError, InputError, InvalidMoveError, PlayerError
from reversi.person.history_keeper import HistoryKeeper
from reversi.rules import describe
from reversi.session.events import (
    By,
    Flipped,
    Played,
    PlayedAgain,
    Restarted,
    SessionEvent,
    TakenBack,
)
from reversi.session.sentences import event_sentence
from reversi.session.session import Session
from reversi.text.transcripts import typed_move


class Dialogue:
    """A session in conversation.

    Args:
        read: returns the next line, without its end, after showing a prompt; ``None`` at the end of input. Raises
            `TimeUpError` when the running clock runs out.
        show_evaluation: show the evaluation of engines after each of their moves.
        stay: a person is there: ask what comes after the end of a game, and pause two engines at Ctrl-C.
        level: the level of the engine that ``mode`` brings in.
        results: keeps the finished games in the personal history, and sets the adaptive level.
    """

    def __init__(
        self,
        session: Session,
        *,
        read: Callable[[str], str | None],
        say: Callable[[str], None],
        quiet: bool = False,
        show_evaluation: bool = False,
        stay: bool = False,
        level: int | str = DEFAULT_LEVEL,
        results: HistoryKeeper | None = None,
    ) -> None:
        self.session = session
        if quiet:
            read, say = lines.by_ear(read, say)
        self._read = read
        self._say = say
        self._quiet = quiet
        self._results = results
        self._show_evaluation = show_evaluation
        self._stay = stay
        self._commands = Commands(
            session, say=say, sure=self._sure if stay else None, quiet=quiet, level=level, results=results
        )
        self._repeatable = 0
        """The number of forced passes just played that the next lines may repeat."""

    def run(self) -> None:
        """Play until ``quit`` or the end of input; a game of two engines until its end, unless ``stay``."""
        self.session.listeners.append(self._hear)
        try:
            self._greet()
            self.session.begin()
            while self._next():
                pass
            self.session.pause()
        finally:
            self.session.listeners.remove(self._hear)

    def _next(self) -> bool:
        """Let the engine move, show the news, and answer one line; return false at the end."""
        session, commands = self.session, self._commands
        if session.engine_to_move and not session.is_paused:
            self._let_engines_move()
        # nobody answers for two engines: input that stays open must not hold up the end
        ends = not self._stay and not session.is_replay and session.engines_only
        if session.is_over and (commands.board_due or ends):
            end = lines.end_lines(session)
            self._say(end if self._quiet else f"{commands.diagram()}\n{end}")
            self._say_results()
            if ends:
                return False
            if self._stay:
                self._say("undo, analyze, new, save FILE or quit?")
        elif commands.board_due and not self._quiet:
            self._say(f"{commands.diagram()}\n{lines.status_line(session)}")
        commands.board_due = False
        try:
            line = self._read("" if session.is_over else f"{commands.asked()}> ")
        except TimeUpError:
            session.tick()
            return True
        word = None if line is None else line.split()[:1]
        if line is None or (word and (command := VOCABULARY.find(word[0])) is not None and command.name == "quit"):
            if not session.is_over and not session.is_replay:
                self._say(f"Unfinished: discs {session.position.count.discs}, {session.game.to_move} to move.")
            return False
        if not session.tick():
            self._answer(line.strip())
        return True

    def _sure(self, question: str) -> bool:
        """Ask a person."""
        try:
            return (self._read(f"{question} (y/n) ") or "").strip().lower() in ("y", "yes")
        except TimeUpError:  # the next look at the clock says so
            return False

    def _let_engines_move(self) -> None:
        """Let engines move until it is a person's turn; at a terminal Ctrl-C pauses a game between engines."""
        session = self.session
        interrupted, thought = False, session.thought()

        def interrupt(_number: int, _frame: FrameType | None) -> None:
            nonlocal interrupted
            interrupted = True
            thought.cancel()

        pausable = self._stay and session.engines_only
        before = signal.signal(signal.SIGINT, interrupt) if pausable else None
        try:
            while session.engine_to_move and not session.is_paused and not interrupted:
                if not self._quiet and session.engines_only:
                    self._say(self._commands.diagram())
                thought = session.thought()
                try:
                    with contextlib.suppress(*((EngineCancelled,) if pausable else ())):
                        thought.think()
                        session.play_thought(thought)
                except PlayerError as error:
                    if not self._stay:
                        raise
                    session.pause()
                    self._say(f"{error}. Paused: go or continue asks again, mode changes who plays.")
        finally:
            if pausable:
                signal.signal(signal.SIGINT, before)
        if interrupted and not session.is_over:
            session.pause()
            self._say(lines.PAUSED)

    def _greet(self) -> None:
        if self._quiet and not self._stay:  # a script knows what it asked for
            return
        self._say(lines.greeting(self.session))
        if str(self.session.rules) != "othello":
            self._say(describe(self.session.rules))
        if self._results is not None and self._results.is_first:
            how = (
                "Type a square, as in f5; moves lists the legal ones, and read says the board."
                if self._quiet
                else "Type a square that the board marks, as in f5."
            )
            self._say(
                f"{how} help lists the commands. New to the game? quit leaves, and 'reversi learn' teaches it."
                " Strong? level 10 sets the engine's level."
            )
        if self._quiet and self.session.game.last is not None:
            self._say(lines.ply_line(self.session.game.last))

    def _say_results(self) -> None:
        """Say what the end of the game means for the person, where a history is kept."""
        said = [] if self._results is None else self._results.sentences()
        if said and self._results is not None and self._results.history is not None:
            said.append("'reversi history' shows all your games.")
        if said:
            self._say(" ".join(said))

    # --- events

    def _hear(self, event: SessionEvent) -> None:
        self._commands.board_due = True
        match event:
            case Played(ply, by):
                self._repeatable = self._repeatable + 1 if by is By.FORCED else 0
                self._say(lines.ply_line(ply, evaluation=self._show_evaluation))
            case Flipped(ply):
                self._say(lines.flips_line(ply))
            case TakenBack():
                self._reset_passes()
                self._say(event_sentence(event))
            case PlayedAgain(plies):
                self._reset_passes()
                shown = (lines.ply_line(ply, evaluation=self._show_evaluation) for ply in plies)
                self._say("\n".join(shown))
            case Restarted():
                self._reset_passes()
                self._greet()
            case _ if text := event_sentence(event):
                self._say(text)

    def _reset_passes(self) -> None:
        last = self.session.game.last
        self._repeatable = int(last is not None and last.is_forced_pass)

    # --- lines

    def _answer(self, line: str) -> None:
        if not line or line[0] in "#%":
            return
        first, _, rest = line.partition(" ")
        word = VOCABULARY.find(first)
        try:
            if word is not None:
                self._commands.run(word.name, rest.strip())
            else:
                self._move(line)
        except IllegalMoveError as error:
            self._say(f"{error}.")
        except (GameError, InputError, PlayerError) as error:
            self._say(f"{error}{'' if str(error).endswith(('?', '.')) else '.'}")
        except OSError as error:
            if error.filename is None:  # standard output
                raise
            self._say(f"{error.filename}: {reason(error)}.")

    def _move(self, line: str) -> None:
        session, game = self.session, self.session.game
        try:
            move = typed_move(line)
        except InvalidMoveError:
            if not self._commands.open_pasted(line):
                way_out = "type a square as in f5, p to pass, or help"
                self._say(VOCABULARY.not_understood(line, way_out))
            return
        if session.is_over:
            raise GameError(f"the game is over: {session.outcome}")
        if move.is_pass:
            if session.flips_pending and game.must_pass:
                session.finish_flips()
            if self._repeatable and self._is_repeat():
                self._repeatable -= 1
                self._say("That pass is already played.")
                return
        person = not (game.is_over or game.must_pass or session.sides[game.to_move].is_engine)
        if person and (why_not := lines.why_not(game.position, move)):
            self._say(f"{why_not}.")
            return
        session.play(move)

    def _is_repeat(self) -> bool:
        """Return whether ``--`` repeats a forced pass, rather than skips now."""
        last = self.session.game.last
        return not self.session.position.legal_moves.can_pass or (last is not None and last.is_forced_pass)
