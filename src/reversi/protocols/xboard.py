"""The reversi dialect of the XBoard protocol, version 2, as Edax speaks it.

`XBoardServer` answers lines, without streams or processes:

>>> from reversi.protocols import EngineSettings, Thinker, XBoardServer
>>> server = XBoardServer(Thinker(EngineSettings(level=1)), say=lambda text: print(text, end=""))
>>> server.receive("ping 3")
pong 3

Source: Tim Mann and H.G. Muller, "Chess Engine Communication Protocol" (gnu.org/software/xboard/engine-intf.html).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import reversi._regex as re
from reversi._core import PASS, Move
from reversi._version import __version__
from reversi.color import Color
from reversi.engine.levels import MAX_LEVEL
from reversi.engine.search import Estimate
from reversi.errors import BoardError, IllegalMoveError, ReversiError
from reversi.game.clocks import ClockReading
from reversi.game.game import Game
from reversi.protocols.gtp_clock import GtpClock
from reversi.protocols.serving import Search, Server, number_in, one_line, split_line
from reversi.protocols.xboard_text import format_result, format_xboard_move, parse_xboard_move
from reversi.solver.solution import MoveScore
from reversi.text.fen import parse_fen
from reversi.work.cancel import Cancel

_FEATURES: Final = (
    "ping=1 setboard=1 playother=1 usermove=1 draw=0 sigint=0 sigterm=0 reuse=1 analyze=1 colors=0 nps=0 memory=1"
    f' smp=1 variants="reversi" myname="reversi {__version__}" done=1'
)
_IGNORED: Final = frozenset(
    ("accepted", "bk", "computer", "draw", "ics", "name", "random", "rating", "rejected", "xboard")
)
_STOPS: Final = frozenset(
    ("?", "analyze", "exit", "force", "go", "new", "playother", "quit", "remove", "result", "setboard", "undo")
)
_LONGEST: Final = 360_000  # seconds, as for every clock
_LEVEL_TIME = re.compile(r"([0-9]{1,4})(?::([0-5]?[0-9]))?")


class _WrongError(Exception):
    """A command has an error; the message is its kind."""


class XBoardServer(Server):
    """An engine that speaks XBoard's protocol.

    Args:
        thinker: the engine.
        say: writes a text, and flushes it.
        rules: the rules of its games.
        now: a source of seconds that never runs backwards.
    """

    def _prepare(self) -> None:
        self._analyzing = False
        self._analysis_arrives = False  # whether the lines that arrive now meet analysis
        self._abandons = False  # whether the command that stops a search also makes its move pointless
        self._posts = False
        self._announced = False
        self._moves = 0  # moves that a time control is for, 0 for the whole game
        self._increment = 0.0
        self._clock: GtpClock | None = None
        self._cancel = Cancel()
        self._latest: Estimate | None = None
        self._new()

    def search_of(self, line: str) -> Search:
        """Return what a line may search for."""
        name = split_line(line)[0]
        if name in ("analyze", "exit"):
            self._analysis_arrives = name == "analyze"
        return Search.OPEN if self._analysis_arrives else Search.MOVE

    def stops(self, line: str, search: Search) -> bool:
        """Return whether a line stops a search that an earlier line asked for.

        Every line stops analysis, which continues after it. ``?`` ends the search of a move, and the engine plays
        the best one until then. A command that changes the game ends it too, and the engine does not move.
        ``ping`` waits for the move, as the protocol demands.
        """
        name = split_line(line)[0]
        if name in _STOPS and name != "?":  # which does not bring back what an earlier command gave up
            self._abandons = True
        return search is Search.OPEN or name in _STOPS

    def _receive(self, line: str, cancel: Cancel) -> None:
        self._cancel = cancel
        if text := line.strip():
            name, arguments = split_line(line)
            try:
                self._obey(name, arguments)
            except _WrongError as error:
                self._line(f"Error ({error}): {_shown(text)}")
            except ReversiError as error:  # the machine has not enough memory for the search
                self._line(f"telluser {one_line(error)}")
            if name in _STOPS:  # it has been obeyed
                self._abandons = False
        if self._analyzing and not self._finished:
            self._analyze()

    def _refuse_length(self, line: str) -> None:
        self._line(f"Error (line too long): {line[:40]!a}")

    def _obey(self, name: str, arguments: str) -> None:
        match name:
            case "protover":
                self._line(f"feature {_FEATURES}")
            case "new":
                self._new()
            case "variant":
                if arguments != "reversi":
                    raise _WrongError("unsupported variant")
            case "quit":
                self._finished = True
            case "force" | "result":
                self._mine = None
            case "go":
                self._mine = self._game.to_move
                self._play()
            case "playother":
                self._mine = self._game.to_move.opponent
            case "level":
                self._level(arguments)
            case "st":
                self._change(time_s=_within(arguments, 0.001, _LONGEST))
                self._clock = None
            case "sd":
                self._change(depth=int(_within(arguments, 1, MAX_LEVEL, whole=True)))
            case "time":
                left = _within(arguments, -1e9, 100 * _LONGEST) / 100
                if self._clock is not None:
                    self._clock.left = max(left, 0.0)
            case "otim":
                _within(arguments, -1e9, 100 * _LONGEST)
            case "memory":
                self._change(hash_mb=max(int(_within(arguments, 0, 1 << 20, whole=True)), 1))
            case "cores":
                self._change(threads=int(_within(arguments, 1, 1024, whole=True)))
            case "usermove":
                self._user_move(arguments)
            case "?":
                pass  # its arrival stopped the search
            case "ping":
                if not re.fullmatch(r"-?[0-9]{1,10}", arguments):
                    raise _WrongError("ping needs a number")
                self._line(f"pong {arguments}")
            case "setboard":
                self._set_board(arguments)
            case "undo":
                self._take_back(1)
            case "remove":
                self._take_back(2)
            case "hint":
                self._hint()
            case "hard" | "easy":
                self._change(ponder=name == "hard")
            case "post" | "nopost":
                self._posts = name == "post"
            case "analyze":
                self._analyzing, self._mine = True, None
            case "exit":
                self._analyzing = False
            case ".":
                self._status()
            case _ if name in _IGNORED:
                pass
            case _ if not arguments and parse_xboard_move(name) is not None:
                self._user_move(name)
            case _:
                raise _WrongError("unknown command")

    # --- the game

    def _new(self) -> None:
        self._game = Game(self._rules)
        self._mine = self._game.to_move.opponent
        self._announced = False
        if self._clock is not None:
            self._clock.left, self._clock.stones = self._clock.period, self._moves

    def _set_board(self, text: str) -> None:
        try:
            position = parse_fen(text, self._rules)
        except BoardError as error:
            self._line(f"tellusererror Illegal position: {error}")
            return
        self._game = Game(position)
        self._announced = False

    def _user_move(self, text: str) -> None:
        move = parse_xboard_move(text)
        if move is None:
            self._line(f"Illegal move (not a move): {_shown(text)}")
            return
        if self._game.is_over:
            self._line(f"Illegal move (the game is over): {_shown(text)}")
            return
        try:
            self._game.play(move)
        except IllegalMoveError as error:
            self._line(f"Illegal move ({error.reason}): {_shown(text)}")
            return
        self._announce()
        if self._mine is self._game.to_move:
            self._play()

    def _take_back(self, plies: int) -> None:
        if self._game.can_undo < plies:
            raise _WrongError("no move to take back")
        self._game.undo(plies)
        self._announced = False

    def _announce(self) -> None:
        """Say the result of a finished game, once."""
        result = self._game.position.result
        if result is not None and not self._announced:
            self._announced = True
            self._line(format_result(result))

    # --- time

    def _level(self, text: str) -> None:
        words = text.split()
        if len(words) != 3:
            raise _WrongError("level takes three arguments")
        moves, increment = int(_within(words[0], 0, 1000, whole=True)), _within(words[2], 0, _LONGEST)
        base = _LEVEL_TIME.fullmatch(words[1])
        if base is None:
            raise _WrongError("level needs minutes, or minutes and seconds as in 2:30")
        seconds = 60.0 * int(base[1]) + int(base[2] or 0)
        self._change(time_s=None)
        self._moves, self._increment = moves, increment
        # a clock with an increment and without a main time begins with the increment
        main = seconds or increment
        self._clock = GtpClock(main, moves, main, moves) if main else None

    def _reading(self, color: Color) -> ClockReading | None:
        if self._clock is None:
            return None
        return replace(self._clock.reading(), increment_s=self._increment)

    # --- thinking

    def _play(self) -> None:
        game = self._game
        if game.is_over:
            self._announce()
            return
        began = self._now()
        if game.must_pass:
            move: Move = PASS
        else:
            chosen = self._thinker.choose(
                game.position, self._reading(game.to_move), self._cancel, self._progress()
            )
            if self._cancel.cancelled and self._abandons:
                return
            if self._posts:
                self._line(_thinking([chosen], chosen.score.nodes))
            move = chosen.move
        if self._clock is not None:
            self._clock.spend(self._now() - began)
            self._clock.left += self._increment
        game.play(move)
        self._line(f"move {format_xboard_move(move)}")
        self._announce()

    def _hint(self) -> None:
        if not self._game.is_over:
            hints = self._thinker.hint(self._game.position, 1, self._cancel)
            if hints:
                self._line(f"Hint: {format_xboard_move(hints[0].move)}")

    def _analyze(self) -> None:
        if self._game.is_over:
            self._announce()
            return
        settings = self._thinker.settings
        try:
            self._change(level=MAX_LEVEL if settings.depth is None else settings.level, time_s=None)
            self._thinker.hint(self._game.position, 1, self._cancel, self._progress(always=True))
        except ReversiError as error:
            self._analyzing = False
            self._line(f"telluser {one_line(error)}")
        finally:
            self._thinker.settings = settings

    def _progress(self, *, always: bool = False) -> Callable[[Estimate], None] | None:
        if not (always or self._posts):
            return None
        shown = ""

        def show(answer: Estimate) -> None:
            nonlocal shown
            self._latest = answer
            text = _thinking(list(answer.moves), answer.nodes)
            if text != shown:
                self._line(text)
            shown = text

        return show

    def _status(self) -> None:
        if self._analyzing and self._latest is not None:
            answer = self._latest
            self._line(f"stat01: {answer.time_s * 100:.0f} {answer.nodes} {answer.score.depth} 0 1")


def _thinking(moves: list[MoveScore], nodes: int) -> str:
    """Return a line of thinking: depth, hundredths of a disc, hundredths of a second, nodes, the line."""
    best = moves[0]
    line = " ".join(map(format_xboard_move, best.pv))
    return f"{best.score.depth} {100 * best.score.value} {100 * best.score.time_s:.0f} {nodes} {line}"


def _within(text: str, least: float, most: float, *, whole: bool = False) -> float:
    number = number_in(text, least, most, whole=whole)
    if number is None:
        raise _WrongError(f"{'whole number' if whole else 'number'} from {least:g} to {most:g} expected")
    return number


def _shown(text: str) -> str:
    """Return a text of the other side without control characters, and not all of a long one."""
    return "".join(character if character.isprintable() else "?" for character in text[:80])
