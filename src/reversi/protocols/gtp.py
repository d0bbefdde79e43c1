"""GTP, the Go Text Protocol, for Othello: what match runners, GoGui and Quarry speak.

`GtpServer` answers lines, without streams or processes:

>>> from reversi.protocols import EngineSettings, GtpServer, Thinker
>>> server = GtpServer(Thinker(EngineSettings(level=1)), say=lambda text: print(text, end=""))
>>> server.receive("7 play black f5")
=7
<BLANKLINE>

A square is written as in every record of Othello: its letter, and its row counted from the top. A player who must
pass need not be made to: a move of the other player implies the pass.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from reversi._core import PASS, Move
from reversi._system.paths import is_file
from reversi._version import __version__
from reversi.color import Color
from reversi.errors import IllegalMoveError, InputError, ReversiError
from reversi.game.clocks import ClockReading
from reversi.game.game import Game
from reversi.protocols.gtp_clock import GtpClock
from reversi.protocols.gtp_text import (
    GtpCommand,
    clean_line,
    format_answer,
    format_vertex,
    parse_color,
    parse_command,
    parse_vertex,
)
from reversi.protocols.serving import MAX_LINE, Live, Search, Server, number_in, one_line
from reversi.rules import BoardSize
from reversi.score import format_score
from reversi.solver.solution import MoveScore
from reversi.text.board_drawing import format_diagram
from reversi.text.boards import pass_words
from reversi.work.cancel import Cancel

_GAMES: Final = ("othello", "reversi")
_SIZES: Final = (4, 6, 8)
_LONGEST: Final = 360_000  # seconds, as for every clock


class _RefusedError(Exception):
    """A command fails; the message is the answer."""


class _Command(NamedTuple):
    """A command: its handler, and the fewest and the most arguments that it takes."""

    answer: Callable[[GtpServer, tuple[str, ...]], str]
    least: int = 0
    most: int = 0


class GtpServer(Server):
    """An engine that speaks GTP, version 2.

    Args:
        thinker: the engine.
        say: writes a text, and flushes it.
        rules: the rules of its games; ``boardsize`` changes their board.
        now: a source of seconds that never runs backwards.

    Raises:
        InputError: the board of the rules is not square, which GTP cannot express.
    """

    def _prepare(self) -> None:
        board = self._rules.board
        if board.rows != board.columns:
            raise InputError(f"GTP has square boards only, not {board}")
        self._settings: GtpClock | None = None
        self._clocks: dict[Color, GtpClock] = {}
        self._cancel = Cancel()
        self._id = ""
        self._begin(self._game)

    def search_of(self, line: str) -> Search:
        """Return what a line may search for."""
        command = parse_command(line)
        return Search.NONE if command is None else _SEARCHES.get(command.name, Search.NONE)

    def stops(self, line: str, search: Search) -> bool:
        """Return whether a line stops a search that an earlier line asked for.

        The comment ``# interrupt`` stops every search (GoGui's convention). Every command stops
        ``reversi-analyze`` and waits for the end of other searches, as GTP demands.
        """
        if line.strip().casefold() == "# interrupt":
            return True
        return search is Search.OPEN and bool(clean_line(line))

    def _receive(self, line: str, cancel: Cancel) -> None:
        """Answer one line; blank lines and comments have no answer."""
        command = parse_command(line)
        if command is None:
            return
        self._cancel = cancel
        self._id = command.id
        try:
            answer = self._answer(command)
        except (_RefusedError, ReversiError) as error:  # the machine may lack memory for the search
            self._say(format_answer(str(error), command.id, failed=True))
        else:
            if answer is not None:
                self._say(format_answer(answer, command.id))

    def _refuse_length(self, line: str) -> None:
        self._say(format_answer(f"line too long: more than {MAX_LINE} characters", failed=True))

    def _answer(self, command: GtpCommand) -> str | None:
        entry = _COMMANDS.get(command.name)
        if entry is None:
            raise _RefusedError("unknown command")
        given = len(command.arguments)
        if not entry.least <= given <= entry.most:
            takes = f"{entry.least}" if entry.least == entry.most else f"{entry.least} to {entry.most}"
            plural = "" if takes == "1" else "s"
            raise _RefusedError(f"syntax error: {command.name} takes {takes} argument{plural}, not {given}")
        if command.name == "reversi-analyze":
            self._analyze(command.arguments)
            return None
        return entry.answer(self, command.arguments)

    # --- about the program

    def _known_command(self, arguments: tuple[str, ...]) -> str:
        return "true" if arguments[0] in _COMMANDS else "false"

    def _quit(self, _: tuple[str, ...]) -> str:
        self._finished = True
        return ""

    # --- the game

    def _begin(self, game: Game) -> None:
        self._game = game
        self._mine = None
        self._implied: set[int] = set()  # plies that are passes which no command made

    def _set_game(self, arguments: tuple[str, ...]) -> str:
        if arguments[0].casefold() not in _GAMES:
            raise _RefusedError("unsupported game")
        self._begin(Game(self._game.rules))
        return ""

    def _boardsize(self, arguments: tuple[str, ...]) -> str:
        size = _whole(arguments[0])
        if size not in _SIZES:
            raise _RefusedError("unacceptable size")
        self._begin(Game(replace(self._game.rules, board=BoardSize(size, size))))
        return ""

    def _clear_board(self, _: tuple[str, ...]) -> str:
        self._begin(Game(self._game.rules))
        self._clocks = self._set_clocks()
        return ""

    def _komi(self, arguments: tuple[str, ...]) -> str:
        if number_in(arguments[0], -_LONGEST, _LONGEST) is None:
            raise _RefusedError("syntax error: komi must be a number")
        return ""

    def _play(self, arguments: tuple[str, ...]) -> str:
        color, move = parse_color(arguments[0]), parse_vertex(arguments[1])
        if color is None or move is None:
            raise _RefusedError("invalid color or coordinate")
        if self._game.is_over:
            raise _RefusedError("illegal move: the game is over")
        try:
            self._take_turn(color, move)
            self._game.play(move)
        except IllegalMoveError as error:
            raise _RefusedError(f"illegal move: {error.reason}") from None
        return ""

    def _take_turn(self, color: Color, move: Move | None = None) -> None:
        """Play the pass that a move of ``color`` implies.

        Raises:
            IllegalMoveError: the opponent does not have to pass, or the move is not legal after the pass.
        """
        game = self._game
        if game.to_move is color:
            return
        if not game.must_pass:
            raise IllegalMoveError("", reason=f"{game.to_move} is to move")
        if move is not None:
            game.position.play(PASS).play(move)
        game.play(PASS)
        self._implied.add(len(game))

    def _undo(self, _: tuple[str, ...]) -> str:
        if not self._game.can_undo:
            raise _RefusedError("cannot undo")
        self._take_back(1)
        while len(self._game) in self._implied:
            self._take_back(1)
        return ""

    def _take_back(self, plies: int) -> None:
        self._game.undo(plies)
        self._implied = {ply for ply in self._implied if ply <= len(self._game)}

    def _loadsgf(self, arguments: tuple[str, ...]) -> str:
        from reversi.inputs.input import load_game

        number = _whole(arguments[1]) if len(arguments) > 1 else None
        if number is not None and number < 1:
            raise _RefusedError("syntax error: a move number begins with 1")
        try:
            if not is_file(arguments[0]):
                raise _RefusedError("cannot load file: no such file")
            game = load_game(arguments[0], self._game.rules)
        except (OSError, ValueError) as error:
            why = (error.strerror or "cannot read") if isinstance(error, OSError) else one_line(error)
            raise _RefusedError(f"cannot load file: {why}") from None
        board = game.rules.board
        if board.rows != board.columns:
            raise _RefusedError(f"cannot load file: GTP has square boards only, not {board}")
        game.undo(0)
        if number is not None:
            game.undo(max(len(game) - number + 1, 0))
        self._begin(game)
        return ""

    def _showboard(self, _: tuple[str, ...]) -> str:
        position = self._game.position
        turn = "game over" if self._game.is_over else f"{position.to_move} ({position.to_move.symbol}) to move"
        return f"\n{format_diagram(position)}\n{turn}{pass_words(position)}"

    def _final_score(self, _: tuple[str, ...]) -> str:
        result = self._game.position.result
        if result is None:
            raise _RefusedError("cannot score: the game is not over")
        if result.score == 0:
            return "0"
        return f"{'B' if result.score > 0 else 'W'}+{abs(result.score)}"

    # --- GoGui

    def _rules_board(self, _: tuple[str, ...]) -> str:
        # GoGui counts rows from the bottom and shows the first line on top
        position = self._game.position
        cells, size = position.cells.replace("-", "."), position.rules.board.columns
        rows = [" ".join(cells[at : at + size]) for at in range(0, len(cells), size)]
        return "\n".join(reversed(rows))

    def _rules_moves(self, _: tuple[str, ...]) -> str:
        return " ".join(map(format_vertex, self._game.position.legal_moves))

    def _rules_result(self, _: tuple[str, ...]) -> str:
        result = self._game.position.result
        return "the game is not over" if result is None else str(result)

    # --- time

    def _time_settings(self, arguments: tuple[str, ...]) -> str:
        main, period = (_seconds(text) for text in arguments[:2])
        stones = _stones(arguments[2])
        # a period without stones means that there is no limit; no time at all would end every game
        self._settings = None
        if (stones or not period) and (main or period):
            self._settings = (
                GtpClock(main, 0, period, stones) if main else GtpClock(period, stones, period, stones)
            )
        self._clocks = self._set_clocks()
        return ""

    def _set_clocks(self) -> dict[Color, GtpClock]:
        return {} if self._settings is None else {color: replace(self._settings) for color in Color}

    def _time_left(self, arguments: tuple[str, ...]) -> str:
        color, left, stones = _color(arguments[0]), _seconds(arguments[1]), _stones(arguments[2])
        settings = self._settings
        self._clocks[color] = GtpClock(
            left, stones, settings.period if settings else left, settings.moves if settings else stones
        )
        return ""

    def _reading(self, color: Color) -> ClockReading | None:
        return self._clocks[color].reading() if color in self._clocks else None

    # --- thinking

    def _genmove(self, arguments: tuple[str, ...], *, play: bool = True) -> str:
        color = _color(arguments[0])
        began = self._now()
        game = self._game
        if game.is_over:
            return "pass"
        before = len(game)
        try:
            self._take_turn(color)
        except IllegalMoveError as error:
            raise _RefusedError(f"wrong color: {error.reason}") from None
        move: Move = PASS
        try:
            if not game.is_over and not game.must_pass:
                move = self._thinker.choose(game.position, self._reading(color), self._cancel).move
        except BaseException:
            self._take_back(len(game) - before)
            raise
        if not play:
            self._take_back(len(game) - before)
            return format_vertex(move)
        if color in self._clocks:
            self._clocks[color].spend(self._now() - began)
        if game.is_over:  # the pass that the move of ``color`` implies has ended it
            return format_vertex(move)
        game.play(move)
        self._mine = color
        return format_vertex(move)

    def _analyze(self, arguments: tuple[str, ...]) -> None:
        words = list(arguments)
        color = self._game.to_move
        if words and (given := parse_color(words[0])) is not None:
            color = given
            words.pop(0)
        count = _whole(words[0]) if words else 1
        if len(words) > 1 or not 1 <= count <= 64:
            raise _RefusedError("syntax error: reversi-analyze takes a color and a number of moves from 1 to 64")
        if self._game.is_over:
            raise _RefusedError("the game is over")
        position = self._game.position
        if color is not position.to_move:
            raise _RefusedError(f"wrong color: {position.to_move} is to move")
        self._say(f"={self._id}\n")
        live = Live(lambda moves, nodes, time_s: self._line(_infos(moves)), _infos)
        try:
            live.show(self._thinker.hint(position, count, self._cancel, live.progress), 0, 0.0)
        except ReversiError as error:
            self._line(f"info error {one_line(error)}")
        finally:
            self._say("\n")


def _infos(moves: list[MoveScore]) -> str:
    return " ".join(map(_info, moves))


def _info(scored: MoveScore) -> str:
    """Return a move with its score, from the view of the player to move, as ``reversi-analyze`` writes it."""
    score = scored.score
    sure = f" confidence {score.confidence}" if score.confidence is not None else ""
    line = " ".join(map(format_vertex, scored.pv))
    return (
        f"info move {format_vertex(scored.move)} score {format_score(score.value)} kind {score.kind}{sure}"
        f" depth {score.depth} nodes {score.nodes} time {score.time_s:.2f} pv {line}"
    )


def _whole(text: str) -> int:
    if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) <= 10):
        raise _RefusedError(f"syntax error: {text[:40]} is not a whole number")
    return int(text)


def _stones(text: str) -> int:
    stones = _whole(text)
    if not 0 <= stones <= 1000:
        raise _RefusedError("syntax error: the stones of a period must be between 0 and 1000")
    return stones


def _color(text: str) -> Color:
    color = parse_color(text)
    if color is None:
        raise _RefusedError("syntax error: invalid color")
    return color


def _seconds(text: str) -> float:
    seconds = number_in(text, 0, _LONGEST)
    if seconds is None:
        raise _RefusedError(f"syntax error: {text[:40]} is not a number of seconds from 0 to {_LONGEST}")
    return seconds


def _constant(text: str) -> _Command:
    return _Command(lambda server, arguments: text)


_COMMANDS: Final[dict[str, _Command]] = {
    "protocol_version": _constant("2"),
    "name": _constant("reversi"),
    "version": _constant(__version__),
    "known_command": _Command(GtpServer._known_command, 1, 1),
    "list_commands": _Command(lambda server, arguments: "\n".join(_COMMANDS)),
    "quit": _Command(GtpServer._quit),
    "list_games": _constant("Othello"),
    "set_game": _Command(GtpServer._set_game, 1, 1),
    "boardsize": _Command(GtpServer._boardsize, 1, 1),
    "clear_board": _Command(GtpServer._clear_board),
    "komi": _Command(GtpServer._komi, 1, 1),
    "play": _Command(GtpServer._play, 2, 2),
    "genmove": _Command(GtpServer._genmove, 1, 1),
    "reg_genmove": _Command(partial(GtpServer._genmove, play=False), 1, 1),
    "undo": _Command(GtpServer._undo),
    "showboard": _Command(GtpServer._showboard),
    "loadsgf": _Command(GtpServer._loadsgf, 1, 2),
    "final_score": _Command(GtpServer._final_score),
    "time_settings": _Command(GtpServer._time_settings, 3, 3),
    "time_left": _Command(GtpServer._time_left, 3, 3),
    "gogui-interrupt": _constant(""),
    "gogui-rules_game_id": _constant("Othello"),
    "gogui-rules_board": _Command(GtpServer._rules_board),
    "gogui-rules_board_size": _Command(lambda server, arguments: str(server.game.rules.board.rows)),
    "gogui-rules_legal_moves": _Command(GtpServer._rules_moves),
    "gogui-rules_side_to_move": _Command(lambda server, arguments: str(server.game.to_move).lower()),
    "gogui-rules_final_result": _Command(GtpServer._rules_result),
    "reversi-analyze": _Command(lambda server, arguments: "", 0, 2),
}

_SEARCHES: Final = {"genmove": Search.MOVE, "reg_genmove": Search.MOVE, "reversi-analyze": Search.OPEN}

GTP_COMMANDS: Final = tuple(_COMMANDS)
"""Every command that `GtpServer` knows, in the order of ``list_commands``."""
