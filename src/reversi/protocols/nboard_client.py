"""Driving engines that speak NBoard, the protocol of the program of that name (version 2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import reversi._regex as re
from reversi._core import Move, Position
from reversi.arguments import excerpt
from reversi.errors import InputError, PlayerError
from reversi.game.clocks import ClockReading, TimeControl
from reversi.protocols.client import Deadline, ExternalEngine, Info, Limits, Listener
from reversi.protocols.process import EngineProcess
from reversi.records.formats.ggf.writer import format_ggf
from reversi.records.record import Line, Node, Record, Tags
from reversi.rules import OTHELLO
from reversi.score import Kind, MoveValue
from reversi.solver.solution import MoveScore

_HINT_S: Final = 5.0
_LEAST_S: Final = 0.01
_DEEPEST: Final = "60"
# what engines say; other lines are noise
_WORDS: Final = frozenset({"===", "book", "learned", "nodestats", "pong", "search", "set", "status"})
_DEPTH = re.compile(r"([0-9]+)(?:@([0-9]+))?(%W?)?.*")


class NBoardEngine(ExternalEngine):
    """An engine that speaks NBoard; see `ExternalEngine`.

    The options are ``depth`` (the depth of the midgame search, which ``level`` sets too) and ``contempt``. NBoard
    has no time per move: ``time_s`` of `go` is all that the engine's clock shows, so it may use much less, and
    `hint` stops after ``time_s``, or earlier at its depth. NBoard cannot unset a depth: after a ``level``, a
    later question with a time has the depth of the option, or 60 without one.
    """

    def _forget(self) -> None:
        self._number = 0
        self._depth = ""

    def _greet(self, process: EngineProcess) -> str:
        process.send("nboard 2")
        self._engine_name = ""
        self._ping(process)
        return self._engine_name

    def _check_rules(self, position: Position) -> None:
        if not position.rules.same_play(OTHELLO):
            raise PlayerError(self.label, f"NBoard engines play othello on 8x8, not {position.rules}")

    def _sync(self, process: EngineProcess) -> None:
        self._ping(process)  # what it was doing ends, and what it wrote is read
        self._send_game(process, None)

    def _send_game(self, process: EngineProcess, clock: ClockReading | None) -> None:
        assert self._start is not None
        tags = Tags({"Site": "reversi"})
        if clock is not None:
            main = max(clock.main_s + clock.byo_yomi_s * (clock.periods > 0), _LEAST_S)
            tags["TimeControl"] = str(TimeControl(round(main, 3)))  # what is left, whatever was played
        line = Line([Node(move) for move in self._moves])
        process.send(f"set game {format_ggf(Record(tags, self._start, line, '*'))}")

    def _go(
        self, process: EngineProcess, limits: Limits, deadline: Deadline, on_info: Listener | None
    ) -> tuple[str, MoveValue | None]:
        if limits.level is not None:
            self._option(process, "depth", str(limits.level))
        elif limits.clock is not None or limits.time_s is not None:
            self._forget_level(process)
        if limits.clock is not None or limits.time_s is not None:
            self._send_game(process, limits.clock or ClockReading(limits.time_s or 0.0, 0.0))
        process.send("go")
        score: MoveValue | None = None
        while True:
            line = self._next(process, deadline, "go")
            self._note_noise(line)
            word, _, rest = line.strip().partition(" ")
            if word == "===":
                break
            info = self._info(line)
            if info is not None:
                score = info.score or score
                if on_info is not None:
                    on_info(info)
        fields = re.split(r"[/\s]+", rest.strip())
        text = fields[0]
        if not text:
            raise process.failure("answered go without a move")
        value = _number(fields[1]) if len(fields) > 1 else None
        if value is not None and (score is None or round(value) != score.value):
            score = self._heuristic(value)
        return ("--" if text.lower() in ("pa", "pass", "--") else text), score

    def _hint(
        self, process: EngineProcess, count: int, time_s: float | None, on_info: Listener | None
    ) -> list[MoveScore]:
        if time_s is not None:
            self._forget_level(process)
        searched = Deadline.after(_HINT_S if time_s is None else time_s)
        process.send(f"hint {count}")
        named: list[MoveScore] = []
        while True:
            over = searched.passed
            line = None if over else self._read_line(process, searched)
            self._check_cancelled()
            if over:
                break
            if line is None:
                continue
            self._note_noise(line)
            if line.strip() == "status" and named:
                break
            info = self._info(line)
            if info is not None and info.pv and info.score is not None:
                named.append(MoveScore(info.pv[0], info.score, info.pv))
                if on_info is not None:
                    on_info(info)
        self._ping(process)
        if not named:
            raise process.failure("gave no hint", late=True)
        return sorted(_named_last(named, count), key=lambda each: -each.score.value)  # equal ones as they come

    def _forget_level(self, process: EngineProcess) -> None:
        """Let a time end the next search, where an earlier question gave a level."""
        if self._depth:
            self._option(process, "depth", self._options.get("depth", _DEEPEST))

    def _option(self, process: EngineProcess, name: str, value: str) -> None:
        if name not in ("depth", "contempt"):
            raise InputError(f"{self.label}: NBoard has the options depth and contempt, not {excerpt(name)}")
        if name == "depth" and value == self._depth:
            return
        process.send(f"set {name} {value}")
        if name == "depth":
            self._depth = value

    # --- lines

    def _ping(self, process: EngineProcess) -> None:
        """Wait until the engine has read everything; what it thought about ends."""
        self._number += 1
        wanted = f"pong {self._number}"
        process.send(f"ping {self._number}")
        deadline = Deadline.after(self.answer_s)
        while True:
            line = self._next(process, deadline, f"ping {self._number}").strip()
            if line == wanted:
                return
            if self._number > 1:  # a banner comes before the first answer
                self._note_noise(line)
            if line.startswith("set myname "):
                self._engine_name = line.removeprefix("set myname ").strip()
            elif line.partition(" ")[0] == "===":
                raise process.failure(f"moved without being asked: {line!r:.80}")

    def _note_noise(self, line: str) -> None:
        words = line.split(maxsplit=1)
        if words and words[0] not in _WORDS:
            self.noise.add(line)

    def _info(self, line: str) -> Info | None:
        """Read a line of search or book; a malformed one says nothing."""
        fields = line.split()
        if len(fields) < 5 or fields[0] not in ("search", "book"):
            return None
        pv = self._line(fields[1])
        value = _number(fields[2])
        score = None if value is None else self._heuristic(value)
        depth = _DEPTH.fullmatch(fields[4])
        if score is not None and fields[0] == "book":
            score = replace(score, kind=Kind.BOOK, confidence=100)
        elif score is not None and depth is not None:
            score = _with_depth(score, int(depth[1]), depth[2], depth[3] or "")
        return Info(pv, score, line.strip())


def _named_last(named: list[MoveScore], count: int) -> list[MoveScore]:
    """Return what an engine that looks deeper and deeper says of its moves last, of ``count`` moves or more.

    A move that it names only at an earlier depth is none of its best any more.
    """
    newest = named[-1].score
    found: dict[Move, MoveScore] = {}
    for each in reversed(named):
        again = each.move in found
        if len(found) >= count and (again or (each.score.depth, each.score.kind) != (newest.depth, newest.kind)):
            break
        if not again:
            found[each.move] = each
    return list(reversed(found.values()))


def _with_depth(score: MoveValue, number: int, confidence: str | None, end: str) -> MoveValue:
    if end == "%" and confidence is None and number == 100:
        return MoveValue.exact(score.value, score.view)
    if end == "%" and confidence is not None:
        return replace(score, kind=Kind.SELECTIVE, depth=number, confidence=min(int(confidence), 100))
    return replace(score, depth=number)


def _number(text: str) -> float | None:
    """Return a value in discs; of ``high,low`` (a draw won and lost) the middle."""
    try:
        parts = [float(part) for part in text.split(",")]
    except ValueError:
        return None
    return sum(parts) / len(parts)
