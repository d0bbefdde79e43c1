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
    Turned,
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
        self._commands: Final[dict[str, Callable[[str], None]]] = {
            "undo": self._undo,
            "redo": self._redo,
            "hint": self._hint,
            "explain": self._explain,
            "go": self._go,
            "pause": self._pause,
            "continue": self._continue,
            "play": self._play_line,
            "turn": self._turn,
            "done": self._done,
            "moves": self._moves,
            "board": self._board,
            "clock": self._clock,
            "rules": self._rules,
            "new": self._new,
            "opening": self._opening,
            "xot": self._xot,
            "setboard": self._setboard,
            "mode": self._mode,
            "level": self._level,
            "open": self._open,
            "save": self._save,
            "record": self._record,
            "resign": self._resign,
            "help": self._help,
        }

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
            case Turned(ply):
                self._say(lines.turned_line(ply, self.session))
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
            if session.is_turning and game.must_pass:
                session.finish_turn()
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

    def _undo(self, rest: str) -> None:
        self.session.undo(_count(rest, 1))

    def _redo(self, rest: str) -> None:
        self.session.redo(_count(rest, 1))

    def _go(self, rest: str) -> None:
        _nothing_more("go", rest)
        self.session.go()

    def _pause(self, rest: str) -> None:
        _nothing_more("pause", rest)
        self.session.pause()
        self._say(lines.PAUSED)

    def _continue(self, rest: str) -> None:
        _nothing_more("continue", rest)
        self.session.begin()
        self._board_due = True

    def _play_line(self, rest: str) -> None:
        from reversi.text.transcripts import tokenize_transcript

        tokens = list(tokenize_transcript(rest))
        wrong = next((token.text for token in tokens if token.move is None), None)
        if wrong is not None or not tokens:
            raise InputError(f"{lines.cut(wrong or rest)!r} is not a move; write play f5d6")
        self.session.play_line(token.move for token in tokens if token.move is not None)

    def _resign(self, rest: str) -> None:
        _nothing_more("resign", rest)
        self.session.resign()

    # --- advice

    def _hint(self, rest: str) -> None:
        to_move = self.session.game.to_move
        for choice in self.session.hint(_count(rest, _HINTS)):
            self._say(lines.hint_line(choice, to_move))

    def _explain(self, rest: str) -> None:
        from reversi.engine.explain import explain

        position = self.session.position
        if not rest:
            for choice in self.session.hint(_HINTS):
                self._say(lines.hint_line(choice, position.to_move))
                self._remarks(explain(position, choice.move, _REMARKS))
            return
        try:
            move = Move.parse(rest)
        except InvalidMoveError:
            raise InputError(f"{lines.cut(rest)!r} is not a move; write explain f5") from None
        if not position.is_legal(move):
            raise GameError(lines.why_not(self.session.game, move))
        scored = next((choice for choice in self.session.hint(_HINTS) if choice.move == move), None)
        best = f"{move!s:3} not one of the best {_HINTS}"
        self._say(best if scored is None else lines.hint_line(scored, position.to_move))
        self._remarks(explain(position, move, _REMARKS))

    def _remarks(self, remarks: list[object] | object) -> None:
        assert isinstance(remarks, list)
        self._say("\n".join(f"    {remark}" for remark in remarks) or "    nothing stands out")

    # --- discs turned by hand

    def _turn(self, rest: str) -> None:
        if rest.lower() == "all":
            self.session.turn_all()
            return
        words = rest.lower().replace(",", " ").split()
        color = None
        if words and words[0] in ("black", "white"):
            color = Color.BLACK if words.pop(0) == "black" else Color.WHITE
        if not words:
            raise InputError("turn needs squares, as in turn e5 d5, or all")
        self.session.turn(*(_square(word) for word in words), color=color)

    def _done(self, rest: str) -> None:
        _nothing_more("done", rest)
        self.session.finish_turn()
        self._board_due = True

    # --- what is shown

    def _diagram(self) -> str:
        session = self.session
        marks = (
            ()
            if session.game.is_over or self._asked() is not session.game.to_move
            else session.position.legal_moves
        )
        return format_diagram(session.position, marks=marks)

    def _moves(self, rest: str) -> None:
        _nothing_more("moves", rest)
        self._say(lines.listed(self.session.position.legal_moves))

    def _board(self, rest: str) -> None:
        _nothing_more("board", rest)
        self._board_due = True
        if self._quiet:
            self._say(f"{self._diagram()}\n{lines.status_line(self.session)}")

    def _clock(self, rest: str) -> None:
        _nothing_more("clock", rest)
        self._say("There is no clock." if self.session.clock is None else f"{lines.clock_line(self.session)}.")

    def _rules(self, rest: str) -> None:
        _nothing_more("rules", rest)
        self._say(f"{self.session.rules}\n{describe(self.session.rules)}")

    def _record(self, rest: str) -> None:
        from reversi.records.formats.pgn.writer import write_record

        _nothing_more("record", rest)
        self._say(write_record(self.session.record()).rstrip("\n"))

    def _help(self, rest: str) -> None:
        _nothing_more("help", rest)
        self._say(help_text())

    # --- other games, other players

    def _new(self, rest: str) -> None:
        rules = parse_rules(rest) if rest else None
        self.session.tags.pop("Opening", None)
        self.session.new_game(rules)

    def _opening(self, rest: str) -> None:
        from reversi.openings.games import opening_game

        if not rest:
            raise InputError("opening needs a name, as in opening tiger")
        game, name = opening_game(Position(self.session.rules), rest)
        self.session.tags["Opening"] = name
        self.session.new_game(game)

    def _xot(self, rest: str) -> None:
        from reversi.openings.games import drawn_game

        if rest and not (rest.isascii() and rest.isdigit() and len(rest) <= 20):
            raise InputError(f"{lines.cut(rest)!r} is not a number from 0 up")
        seed = int(rest) if rest else self.session.seed + self.session.games
        game = drawn_game(Position(self.session.rules), seed)
        self.session.tags.pop("Opening", None)
        self.session.new_game(game)

    def _setboard(self, rest: str) -> None:
        if not rest:
            raise InputError("setboard needs a board, as 64 characters and the side to move")
        self.session.set_position(self._parse_position(rest))

    def _open(self, rest: str) -> None:
        if not rest:
            raise InputError("open needs a file, as in open games.pgn#3@20")
        record, ply = self._load(rest)
        self.session.load(record, ply)
        self._say(lines.replay_line(self.session))

    def _save(self, rest: str) -> None:
        if not rest:
            raise InputError("save needs a file, as in save game.pgn")
        try:
            self._say(self._save_record(rest))
        except InputError:
            raise
        except (OSError, ValueError) as error:
            self._say(str(error))

    def _mode(self, rest: str) -> None:
        session = self.session
        if rest:
            if rest not in ("0", "1", "2", "3"):
                raise InputError(f"mode {lines.cut(rest)!r}: 0 you Black, 1 you White, 2 engine both, 3 you both")
            humans = {"0": (Color.BLACK,), "1": (Color.WHITE,), "2": (), "3": tuple(Color)}[rest]
            for color in Color:
                session.set_side(color, HUMAN if color in humans else self._engine)
        self._say(lines.greeting(session))

    def _level(self, rest: str) -> None:
        session = self.session
        if rest:
            self._engine = Side.engine(_count(rest, DEFAULT_LEVEL))
            for color, side in session.sides.items():
                if side.is_engine:
                    session.set_side(color, self._engine)
        self._say(f"Engine: {str(self._engine).removeprefix('engine ')}.")


def _square(word: str) -> Square:
    move = Move.parse(word)
    if move == PASS or not isinstance(move, Square):
        raise InputError(f"{lines.cut(word)!r} is not a square")
    return move


def _not_understood(line: str) -> str:
    close = suggestion(line.split(maxsplit=1)[0][:40])
    way_out = f"did you mean {close!r}?" if close else "type a square as in f5, -- to pass, or help"
    return f"{lines.cut(line)!r} is neither a move nor a command; {way_out}"


def _count(text: str, default: int) -> int:
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 5 and int(text)):
        raise InputError(f"{lines.cut(text)!r} is not a number from 1 up")
    return int(text)


def _nothing_more(command: str, rest: str) -> None:
    if rest:
        raise InputError(f"{command} stands alone, without {lines.cut(rest)!r}")
