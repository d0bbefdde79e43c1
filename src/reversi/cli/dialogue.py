"""A game played line by line: what is said, what is understood, and what happens then.

The dialogue reads lines and says lines through two functions, so that it runs the same at a terminal and in a
pipe. It knows no files: saving is a third function.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from reversi._core import Move
from reversi.clock import GameClock, format_time
from reversi.color import Color
from reversi.engine import Choice, Engine
from reversi.errors import GameError, IllegalMoveError, InputError, InvalidMoveError
from reversi.game import Game, Ply
from reversi.score import Score
from reversi.text.diagrams import format_diagram

__all__ = ["Dialogue"]

HELP: Final = """\
f5          place a disc on f5
--          pass; a turn without a placement is passed by itself
undo [N]    take back your last move, or your last N
redo [N]    play what was taken back again
hint [N]    show the best N moves (3)
moves       list what may be played
board       show the board again
save FILE   save the game so far
resign      give up
help        show this
quit        save with --save, and leave the game unfinished"""

_HINTS: Final = 3
_SHOWN: Final = 40


class Dialogue:
    """One game in conversation.

    Args:
        game: the game, played on from where it stands.
        engines: for each colour the engine that plays it, or ``None`` for a human.
        adviser: gives the hints.
        read: asked with a prompt for the next line, without its end; ``None`` at the end of input.
        say: shows one or more lines.
        save: saves the game, to the path given or to where it is always saved; returns what to say about a
            failure, or "".
        clock: the players' clocks, if the game is timed.
    """

    def __init__(
        self,
        game: Game,
        engines: Mapping[Color, Engine | None],
        adviser: Engine,
        *,
        read: Callable[[str], str | None],
        say: Callable[[str], None],
        save: Callable[[Path | None], str],
        clock: GameClock | None = None,
    ) -> None:
        self.game = game
        self._engines = engines
        self._adviser = adviser
        self._read = read
        self._say = say
        self._save = save
        self._clock = clock
        self._repeatable = 0
        """How many passes that happened by themselves the next lines may still spell out."""
        self._board_due = True
        self._commands: dict[str, Callable[[str], None]] = {
            "undo": self._undo,
            "redo": self._redo,
            "hint": self._hint,
            "moves": self._moves,
            "board": self._board,
            "save": self._save_as,
            "resign": self._resign,
            "help": self._help,
        }

    def run(self) -> None:
        """Play until the game is over, ``quit``, or the end of input."""
        self._save(None)
        while True:
            self._go_on()
            if self.game.is_over:
                self._show_board()
                self._say(self._end())
                return
            if self._board_due:
                self._show_board()
                self._say(self._status())
                self._board_due = False
            if self._clock is not None and self._clock.running is None:
                self._clock.start(self.game.to_move)
            line = self._read(f"{self.game.to_move}> ")
            if line is None or line.split() == ["quit"]:
                self._say(f"Unfinished: discs {self.game.position.count.discs}, {self.game.to_move} to move.")
                return
            if not self._out_of_time():
                self._answer(line.strip())

    # --- turns

    def _go_on(self) -> None:
        """Play what needs no human: forced passes and the engine's moves."""
        while not self.game.is_over:
            engine = self._engines[self.game.to_move]
            if self.game.must_pass:
                self._play(Move.parse("--"))
                self._repeatable += 1
            elif engine is not None:
                if not any(player is None for player in self._engines.values()):
                    self._show_board()
                if self._clock is not None:
                    self._clock.start(self.game.to_move)
                choice = engine.choose(self.game.position)
                if not self._out_of_time():
                    self._play(choice.move, choice.score)
            else:
                return

    def _play(self, move: Move, score: Score | None = None) -> None:
        left = None
        if self._clock is not None:
            running = self._clock.running is not None
            left = self._clock.press() if running else self._clock.remaining(self.game.to_move)
        ply = self.game.play(move, clock=left, evaluation=score)
        self._board_due = True
        self._say(_ply_line(ply))
        self._save(None)

    def _out_of_time(self) -> bool:
        color = self.game.to_move
        if self._clock is None or not self._clock.is_up(color):
            return False
        self._clock.stop()
        self.game.forfeit_on_time()
        self._say(f"{color} has run out of time.")
        self._save(None)
        return True

    # --- what a line says

    def _answer(self, line: str) -> None:
        if not line:
            return
        word, _, rest = line.partition(" ")
        command = self._commands.get(word.lower())
        try:
            if command is not None:
                command(rest.strip())
            else:
                self._move(line)
        except (GameError, InputError) as error:
            self._say(f"{error}.")

    def _move(self, line: str) -> None:
        position = self.game.position
        try:
            move = Move.parse(line)
        except InvalidMoveError:
            self._say(_not_understood(line, (*self._commands, "quit")))
            return
        if move.is_pass and self._repeatable and self._is_repeat():
            self._repeatable -= 1
            self._say("That pass has been played already.")
            return
        if not position.is_legal(move):
            self._say(f"{_why_not(self.game, move)}; legal: {_list(position.legal_moves)}.")
            return
        self._repeatable = 0
        self._play(move)

    def _is_repeat(self) -> bool:
        """Whether ``--`` means a pass that happened by itself, rather than a skip now."""
        last = self.game.last
        return not self.game.position.legal_moves.can_pass or (last is not None and last.is_forced_pass)

    def _undo(self, rest: str) -> None:
        steps = _count(rest, 1)
        at = self._turns_before()
        if not at:
            raise GameError("there is nothing to take back")
        if steps > len(at):
            raise GameError(f"only {len(at)} can be taken back")
        count = len(self.game) - at[-steps]
        self.game.undo(count)
        self._moved(f"Took back {_plies(count)}.")

    def _redo(self, rest: str) -> None:
        steps = _count(rest, 1)
        at = self._turns_after()
        if not at:
            raise GameError("there is nothing to play again")
        if steps > len(at):
            raise GameError(f"only {len(at)} can be played again")
        plies = self.game.redo(at[steps - 1] - len(self.game))
        self._moved("\n".join(_ply_line(ply) for ply in plies))

    def _moved(self, what: str) -> None:
        """After undo or redo: set the clocks, show the board anew, save."""
        last = self.game.last
        self._repeatable = int(last is not None and last.is_forced_pass)
        if self._clock is not None:
            for color in Color:
                left, control = self.game.clock(color), self._clock.controls[color]
                self._clock.set(color, left if left is not None else control.main if control else 0.0)
        self._board_due = True
        self._say(what)
        self._save(None)

    def _turns_before(self) -> list[int]:
        """The numbers of plies after which a human had a choice, before now."""
        return [ply.number - 1 for ply in self.game if self._is_choice(ply)]

    def _turns_after(self) -> list[int]:
        """The same for what was taken back, and its last ply."""
        ahead = self.game.copy()
        now = len(ahead)
        ahead.redo(ahead.can_redo)
        turns = [ply.number - 1 for ply in ahead[now + 1 :] if self._is_choice(ply)]
        return [*turns, len(ahead)] if len(ahead) > now else []

    def _is_choice(self, ply: Ply) -> bool:
        return self._engines[ply.color] is None and not ply.is_forced_pass

    def _hint(self, rest: str) -> None:
        for choice in self._adviser.hint(self.game.position, _count(rest, _HINTS)):
            self._say(hint_line(choice, self.game.to_move))

    def _moves(self, rest: str) -> None:
        _nothing_more("moves", rest)
        self._say(_list(self.game.position.legal_moves))

    def _board(self, rest: str) -> None:
        _nothing_more("board", rest)
        self._board_due = True

    def _save_as(self, rest: str) -> None:
        if not rest:
            raise InputError("save needs a file, as in 'save game.pgn'")
        self._say(self._save(Path(rest)) or f"Saved {rest}.")

    def _resign(self, rest: str) -> None:
        _nothing_more("resign", rest)
        color = self.game.to_move
        self.game.resign()
        self._say(f"{color} resigns.")
        self._save(None)

    def _help(self, rest: str) -> None:
        _nothing_more("help", rest)
        self._say(HELP)

    # --- what is shown

    def _show_board(self) -> None:
        marks = () if self.game.is_over else self.game.position.legal_moves
        self._say(format_diagram(self.game.position, marks=marks))

    def _status(self) -> str:
        position, supply = self.game.position, self.game.supply
        parts = [
            f"{position.to_move} to move",
            f"Discs: Black {position.count.black}, White {position.count.white}",
            f"Supply: {supply}",
        ]
        if supply.handed_over:
            handed = [
                f"{number} to {color}"
                for color, number in ((Color.BLACK, supply.handed_to_black), (Color.WHITE, supply.handed_to_white))
                if number
            ]
            parts.append(f"Handed over: {', '.join(handed)}")
        if self._clock is not None:
            times = (f"{color} {format_time(self._clock.remaining(color))}" for color in Color)
            parts.append(f"Clock: {', '.join(times)}")
        if position.legal_moves.can_pass:
            parts.append("-- skips the turn")
        return ". ".join(parts) + "."

    def _end(self) -> str:
        outcome = self.game.outcome
        if self.game.result is not None:
            return f"Result: {outcome}"
        return f"Result: {outcome}\nDiscs: {self.game.position.count.discs}"


def hint_line(choice: Choice, to_move: Color) -> str:
    """A move with its score, who is ahead, and the line that is expected."""
    score = choice.score
    line = " ".join(str(move) for move in choice.pv)
    return f"{choice.move!s:3} {score} ({score.ahead(to_move)})  {line}"


def _ply_line(ply: Ply) -> str:
    text = f"{ply.number}. {ply.color}: {ply.move}"
    if ply.is_forced_pass:
        text += " (no placement)"
    elif ply.is_pass:
        text += " (skips)"
    if ply.evaluation is not None:
        text += f" ({ply.evaluation}, {ply.evaluation.ahead(ply.color)})"
    if ply.handed_over:
        return f"{ply.color} has no disc left: {ply.color.opponent} hands one over.\n{text}"
    return text


def _why_not(game: Game, move: Move) -> str:
    try:
        game.position.play(move)
    except IllegalMoveError as error:
        return f"{move}: {str(error).rpartition(': ')[2]}"
    raise AssertionError(f"{move} is legal")


def _list(moves: object) -> str:
    assert hasattr(moves, "__iter__")
    return " ".join(str(move) for move in moves)


def _not_understood(line: str, commands: tuple[str, ...]) -> str:
    shown = line if len(line) <= _SHOWN else line[: _SHOWN - 3] + "..."
    close = difflib.get_close_matches(line.split(maxsplit=1)[0].lower()[:_SHOWN], commands, n=1)
    way_out = f"did you mean {close[0]!r}?" if close else "type a square as in f5, -- to pass, or help"
    return f"{shown!r} is neither a move nor a command; {way_out}"


def _count(text: str, default: int) -> int:
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 5 and int(text)):
        raise InputError(f"{text[:_SHOWN]!r} is not a number from 1 up")
    return int(text)


def _nothing_more(command: str, rest: str) -> None:
    if rest:
        raise InputError(f"{command} stands alone, without {rest[:_SHOWN]!r}")


def _plies(count: int) -> str:
    return f"{count} ply" if count == 1 else f"{count} plies"
