"""The protocol of NBoard, version 2: what NBoard and programs like it speak with Othello engines.

`NBoardServer` answers lines, without streams or processes:

>>> from reversi.protocols import EngineSettings, NBoardServer, Thinker
>>> server = NBoardServer(Thinker(EngineSettings(level=1)), say=lambda text: print(text, end=""))
>>> server.receive("ping 3")
pong 3

Source: Chris Welty, "NBoard Protocol" (NBoard's manual, and instructions/Protocol.htm in weltyc/ntest). The server
ignores unknown lines, as the protocol demands, and reports a command that cannot be carried out as ``status``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import reversi._regex as re
from reversi._core import PASS, Move, Position
from reversi.color import Color
from reversi.errors import ReversiError
from reversi.game.clocks import ClockReading, GameClock, TimeControl
from reversi.protocols.serving import MAX_LINE, Live, Search, Server, one_line, split_line
from reversi.records.formats.ggf.reader import read_ggf
from reversi.records.formats.ggf.values import parse_move
from reversi.records.from_game import game_from_record
from reversi.records.record import Record
from reversi.score import Kind, MoveValue
from reversi.solver.solution import MoveScore
from reversi.work.cancel import Cancel

_VERSIONS: Final = (1, 2)
_DEPTHS: Final = (1, 60)
_MOVE = re.compile(r"(?:[a-h][1-8]|pa(?:ss)?|--)(?:/[^/\s]*){0,2}", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_COMMANDS: Final = frozenset(("nboard", "set", "move", "hint", "go", "ping", "learn", "analyze", "quit"))
_SEARCHES: Final = frozenset(("go", "hint", "analyze"))


class NBoardServer(Server):
    """An engine that speaks the protocol of NBoard.

    Args:
        thinker: the engine.
        say: writes a text, and flushes it.
        rules: the rules of its games; ``set game`` gives their board and whether the fewest discs win.
        now: a source of seconds that never runs backwards.
    """

    name = "reversi"
    """The engine's name, one word."""

    def _prepare(self) -> None:
        self._clock: GameClock | None = None

    def search_of(self, line: str) -> Search:
        """Return what a line may search for."""
        return Search.OPEN if _name_of(line) in _SEARCHES else Search.NONE

    def stops(self, line: str, search: Search) -> bool:
        """Return whether a line stops a search that an earlier line asked for: every command does."""
        return _name_of(line) in _COMMANDS or _is_bare_move(line)

    def _receive(self, line: str, cancel: Cancel) -> None:
        name, arguments = split_line(line)
        if _is_bare_move(line):  # as version 1 writes it
            self._move(name)
        elif name in _COMMANDS:
            try:
                self._obey(name, arguments, cancel)
            except ReversiError as error:
                self._line(f"status {one_line(error)}")

    def _refuse_length(self, line: str) -> None:
        self._line(f"status the line is too long: more than {MAX_LINE} characters")

    def _obey(self, name: str, arguments: str, cancel: Cancel) -> None:
        match name:
            case "nboard":
                self._hello(arguments)
            case "set":
                self._set(*split_line(arguments))
            case "move":
                self._move(arguments)
            case "ping":
                number = _number(arguments)
                if number is None:
                    self._line(f"status ping needs a whole number, not {arguments[:40]!a}")
                else:
                    self._line(f"pong {number}")
            case "hint":
                self._hint(arguments, cancel)
            case "go":
                self._go(cancel)
            case "analyze":
                self._analyze(cancel)
            case "learn":
                self._line("learned")
            case "quit":
                self._finished = True

    # --- settings

    def _hello(self, version: str) -> None:
        if _number(version) not in _VERSIONS:
            self._line(f"status the protocol has versions 1 and 2, not {version[:40]!a}")
            return
        self._line(f"set myname {self.name}")

    def _set(self, name: str, value: str) -> None:
        if name == "depth":
            depth = _number(value)
            if depth is None or not _DEPTHS[0] <= depth <= _DEPTHS[1]:
                self._line(f"status depth must be between {_DEPTHS[0]} and {_DEPTHS[1]}, not {value[:40]!a}")
                return
            if self._thinker.settings.time_s is None:  # a time that the user gave counts instead
                self._change(depth=depth, level=None)
            self._line(f"set myname {self.name}{depth}")
        elif name == "game":
            self._set_game(value)
        elif name == "contempt":  # optional in the protocol; the search counts a draw as a draw
            contempt = _number(value)
            if contempt is None or not -100 <= contempt <= 100:
                self._line(f"status contempt must be between -100 and 100, not {value[:40]!a}")

    def _set_game(self, text: str) -> None:
        try:
            entry = next(read_ggf(text))
            if entry.findings:
                raise ValueError(entry.findings[0].message)
            record = entry.record
            # GGF says the board and the objective; the other rules are those of the engine
            rules = replace(self._rules, board=record.rules.board, objective=record.rules.objective)
            record.start = record.start.with_rules(rules)
            game = game_from_record(record)
        except ValueError as error:
            self._line(f"status cannot read the game: {one_line(error)}")
            return
        game.undo(0)
        self._game = game
        self._mine = None
        self._clock = _clock_of(record)

    # --- the game

    def _move(self, text: str) -> None:
        if not _MOVE.fullmatch(text):
            self._line(f"status {text[:40]!a} is not a move")
            return
        node = parse_move(text)
        mover = self._game.to_move
        try:
            self._game.play(node.move)
        except ReversiError as error:
            self._line(f"status {one_line(error)}")
            return
        if self._clock is not None and node.elapsed:
            _spend(self._clock, mover, node.elapsed)

    # --- thinking

    def _hint(self, arguments: str, cancel: Cancel) -> None:
        count = _number(arguments) if arguments else 1
        if count is None or count < 1:
            self._line(f"status hint needs a number of moves from 1, not {arguments[:40]!a}")
            return
        position = self._game.position
        if self._game.is_over:
            self._line("status the game is over")
            return
        self._line("status Analyzing")
        try:
            count = min(count, 64)
            live = self._live(count)
            found = self._thinker.hint(position, count, cancel, live.progress)
            if found:
                live.show(found, found[0].score.nodes, found[0].score.time_s)
        finally:
            self._line("status")

    def _go(self, cancel: Cancel) -> None:
        position = self._game.position
        if self._game.is_over:
            self._line("status the game is over")
            return
        self._mine = position.to_move
        if not position.legal_moves.placements:
            self._line("=== PA")
            return
        began = self._now()
        self._line("status Thinking")
        try:
            live = self._live(1)
            chosen = self._thinker.choose(position, self._reading(position.to_move), cancel, live.progress)
            live.show([chosen], chosen.score.nodes, chosen.score.time_s)
            self._line(f"=== {_move_text(chosen.move)}/{_value(chosen.score)}/{self._now() - began:.2f}")
        finally:
            self._line("status")

    def _reading(self, color: Color) -> ClockReading | None:
        return None if self._clock is None else self._clock.reading(color)

    def _analyze(self, cancel: Cancel) -> None:
        self._line("status Analyzing the game")
        try:
            for ply, position in reversed(list(enumerate(self._game.positions))):
                if cancel.cancelled:
                    return
                value = self._value_of(position, cancel)
                if value is not None:
                    self._line(f"analysis {ply} {value}")
        finally:
            self._line("status")

    def _value_of(self, position: Position, cancel: Cancel) -> str | None:
        """Return the value of a position for its player to move; ``None`` when the search is stopped."""
        if position.is_over:
            return f"{position.score:+d}.00"
        best = self._thinker.hint(position, 1, cancel)
        return None if cancel.cancelled or not best else _value(best[0].score)

    def _live(self, count: int) -> Live:
        """Return what shows the best moves that a search finds, and its nodes and seconds."""

        def lines(moves: list[MoveScore]) -> str:
            return "\n".join(map(_search_line, moves[:count]))

        def show(moves: list[MoveScore], nodes: int, time_s: float) -> None:
            for line in lines(moves).split("\n"):
                self._line(line)
            self._line(f"nodestats {nodes} {time_s:.2f}")

        return Live(show, lines)


def _value(score: MoveValue) -> str:
    return f"{score.value:+d}.00"


def _search_line(scored: MoveScore) -> str:
    line = "".join(
        _move_text(move) if at % 2 == 0 else _move_text(move).lower() for at, move in enumerate(scored.pv)
    )
    word = "book" if scored.score.kind is Kind.BOOK else "search"
    return f"{word} {line} {_value(scored.score)} 0 {depth_text(scored.score)}"


def depth_text(score: MoveValue) -> str:
    """Return the depth of a score as NBoard shows it: ``100%`` exact, ``100%W`` who wins, ``22@87%``, ``12``."""
    if score.kind is Kind.EXACT:
        return "100%"
    if score.kind is Kind.WLD:
        return "100%W"
    if score.kind is Kind.SELECTIVE:
        return f"{score.depth}@{score.confidence}%"
    return str(score.depth)


def _move_text(move: Move) -> str:
    return "PA" if move is PASS else str(move).upper()


def _name_of(line: str) -> str:
    return split_line(line)[0]


def _is_bare_move(line: str) -> bool:
    return len(line.strip()) == 2 and _MOVE.fullmatch(line.strip()) is not None


def _number(text: str) -> int | None:
    return int(text) if _NUMBER.fullmatch(text) else None


def _clock_of(record: Record) -> GameClock | None:
    """Return the clocks at the end of a game, from its time control and the time that each turn took."""
    tags = record.tags
    both = tags.get("TimeControl", "")
    controls = {
        Color.BLACK: _control(tags.get("BlackTimeControl", both)),
        Color.WHITE: _control(tags.get("WhiteTimeControl", both)),
    }
    if not any(controls.values()):
        return None
    clock = GameClock(controls)
    mover = record.start.to_move
    for node in record.line.nodes:
        _spend(clock, mover, node.elapsed or 0.0)
        mover = mover.opponent
    return clock


def _control(text: str) -> TimeControl | None:
    """Read a time control of GGF; its grace time is left as a reserve. ``None`` where it gives none."""
    main, _, rest = text.replace("+", "/").partition("/")
    increment = rest.partition("/")[0]
    try:
        return TimeControl.parse(f"{main}+{increment}" if increment else main)
    except ValueError:
        return None


def _spend(clock: GameClock, color: Color, seconds: float) -> None:
    control = clock.controls[color]
    if control is not None:
        state = clock.state(color)
        clock.restore(color, state._replace(main_s=max(state.main_s - seconds, 0.0) + control.increment_s))
