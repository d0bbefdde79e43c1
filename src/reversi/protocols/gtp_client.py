"""Driving engines that speak GTP, the Go Text Protocol of version 2 as Othello engines use it."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import reversi._regex as re
from reversi._core import PASS, Move, Position
from reversi.arguments import excerpt
from reversi.color import Color
from reversi.errors import InputError, PlayerError, ResignationError
from reversi.protocols.client import Deadline, ExternalEngine, Info, Limits, Listener
from reversi.protocols.process import EngineProcess
from reversi.rules import OTHELLO, Rules
from reversi.score import Kind, MoveValue
from reversi.solver.solution import MoveScore

# with a blank before the id, as Edax has it; a log may draw lines of = or ask ???
_RESPONSE = re.compile(r"([=?])(?![=?])\s*(?:([0-9]+)(?=\s|$))?\s*(.*)")
_MOVE = re.compile(r"(?:[a-h][1-8]|pass)", re.IGNORECASE)
_ANALYZE: Final = "reversi-analyze"  # a command of this program; who has it takes decimals in time_left


class GtpEngine(ExternalEngine):
    """An engine that speaks GTP; see `ExternalEngine`.

    An option is a command of the engine with one argument, such as ``level``. A GTP engine cannot be stopped while
    it chooses a move: `cancel` ends the program, and the next question starts it again. Lines that belong to no
    answer, as engines write them for a log, are skipped and counted in `noise`.
    """

    def _forget(self) -> None:
        self._known: frozenset[str] = frozenset()
        self._played: list[Move] = []
        self._from: Position | None = None
        self._size = 0  # of the board that the engine has set up
        self._limit = ""  # the time_settings that hold: "clock" for those of a clock, "" for none
        self._answered = False
        self._number = 0
        self._no_pass = False

    def _greet(self, process: EngineProcess) -> str:
        self._known = frozenset(self._ask(process, "list_commands").split())
        missing = [name for name in ("play", "genmove", "clear_board") if name not in self._known]
        if missing:
            raise process.failure(f"is not a GTP engine that plays: it lacks the command {missing[0]}")
        if "set_game" in self._known:
            self._ask(process, "set_game Othello")
        return self._ask(process, "name") if "name" in self._known else ""

    def _check_rules(self, position: Position) -> None:
        board = position.rules.board
        if not position.rules.same_play(OTHELLO) and (
            board.rows != board.columns or not position.rules.same_play(_standard(position))
        ):
            raise PlayerError(self.label, f"GTP engines play othello on square boards, not {position.rules}")

    def _sync(self, process: EngineProcess) -> None:
        assert self._start is not None
        wanted = list(self._moves)
        behind = self._from == self._start and self._played == wanted[: len(self._played)]
        if not behind:
            self._set_up(process, self._start)
        position = self._start
        for number, move in enumerate(wanted):
            if number >= len(self._played):
                self._play(process, position.to_move, move)
            position = position.play(move)

    def _set_up(self, process: EngineProcess, start: Position) -> None:
        size = start.rules.board.rows
        self._from = None
        if size != self._size:
            self._ask(process, f"boardsize {size}")
            self._size = size
        self._ask(process, "clear_board")
        if start != Position(_standard(start)):
            if "loadsgf" not in self._known:
                raise PlayerError(
                    self.label, "this GTP engine cannot set up a position; start with moves of a game"
                )
            with tempfile.TemporaryDirectory(prefix="reversi-") as folder:
                path = Path(folder) / "position.sgf"
                path.write_text(_sgf(start), encoding="ascii")
                self._ask(process, f"loadsgf {path}")
        self._from, self._played = start, []

    def _play(self, process: EngineProcess, color: Color, move: Move) -> None:
        if not (move is PASS and self._no_pass):
            text = "pass" if move is PASS else str(move)
            refused = self._try(process, f"play {str(color).lower()} {text}")
            if refused is not None and move is PASS:
                self._no_pass = True  # it passes by itself: GRhino has no pass
            elif refused is not None:
                raise process.failure(f"refused the legal move {move} of {color}: {refused}")
        self._played.append(move)

    def _go(
        self, process: EngineProcess, limits: Limits, deadline: Deadline, on_info: Listener | None
    ) -> tuple[str, MoveValue | None]:
        position = self._asked()
        color = str(position.to_move).lower()
        self._set_limits(process, color, limits)
        text, *others = self._ask(process, f"genmove {color}", deadline).splitlines() or [""]
        for line in others:
            self._note_noise(line)
        if text.lower() == "resign":
            raise ResignationError(self.label)
        if position.legal_moves.placements and text.lower() == "pass" and not position.legal_moves.can_pass:
            raise process.failure(f"passed as {position.to_move}, who has legal moves")
        move = "--" if text.lower() == "pass" else text
        if _MOVE.fullmatch(text) or move == "--":
            self._played.append(Move.parse(move))  # genmove plays it on the engine's board
        return move, None

    def _set_limits(self, process: EngineProcess, color: str, limits: Limits) -> None:
        clock, time_s = limits.clock, limits.time_s
        if limits.level is not None:
            self._option(process, "level", str(limits.level))
        exact = _ANALYZE in self._known
        if clock is not None:
            if self._limit != "clock" and "time_settings" in self._known:
                period = _setting(clock.byo_yomi_s if clock.periods else 0.0, exact=exact)
                main = _setting(clock.main_s, exact=exact)
                self._ask(process, f"time_settings {main} {period} {1 if clock.periods else 0}")
                self._limit = "clock"
            if "time_left" in self._known:
                in_main = clock.main_s > 0 or not clock.periods
                left = clock.main_s if in_main else clock.byo_yomi_s
                self._ask(process, f"time_left {color} {_left(left, exact=exact)} {0 if in_main else 1}")
            return
        if time_s is not None and "time_settings" not in self._known:
            raise InputError(f"{self.label}: the engine has no time_settings; give it no time")
        # 0 1 0 is GTP's way to say that there is no limit
        limit = "" if time_s is None else f"0 {_setting(time_s, exact=exact)} 1"
        if limit != self._limit:
            self._ask(process, f"time_settings {limit or '0 1 0'}")
            self._limit = limit

    @property
    def gives_scores(self) -> bool:
        """Whether `hint` works: engines with ``reversi-analyze`` give scored moves. Starts the engine."""
        self._running()
        return _ANALYZE in self._known

    def _hint(
        self, process: EngineProcess, count: int, time_s: float | None, on_info: Listener | None
    ) -> list[MoveScore]:
        if _ANALYZE not in self._known:
            raise InputError(f"{self.label}: this GTP engine gives moves without scores; ask for one with go")
        self._skip_waiting(process)
        self._number += 1
        process.send(f"{self._number} {_ANALYZE} {count}")
        search_s = self.move_s if time_s is None else time_s
        searched, answered = Deadline.after(search_s), Deadline.after(search_s + self.answer_s)
        hints: list[MoveScore] = []
        begun = False  # whether the answer has begun
        ended = False  # whether the next command, which ends the analysis, is sent
        while True:
            line = self._read_line(process, answered)
            self._check_cancelled()
            if line is None:
                self._check_deadline(process, answered, _ANALYZE)
                if not ended and searched.passed:
                    process.send("name")
                    ended = True
                continue
            if not begun:
                match = _RESPONSE.match(line)
                if match is None:
                    self._note_noise(line)
                    continue
                self._check_number(process, _ANALYZE, *match.groups())
                if match[1] == "?":
                    raise process.failure(f"refused {_ANALYZE}: {match[3].strip()}")
                begun, line = True, match[3]
            elif not line.strip():
                break
            if infos := list(self._infos(line)):
                hints = [MoveScore(info.pv[0], info.score, info.pv) for info in infos if info.pv and info.score]
                if on_info is not None:
                    for info in infos:
                        on_info(info)
            else:
                self._note_noise(line)
        if ended:
            self._response(process, answered, "name")
            while self._next(process, answered, "name").strip():
                pass
        if not hints:
            raise process.failure("gave no hint")
        return hints

    def _infos(self, line: str) -> Iterator[Info]:
        """Read a line of ``reversi-analyze``: ``info move f5 score +2 kind … pv f5 d6``, repeated."""
        for piece in re.split(r"(?:^|\s)info\s", line)[1:]:
            words = piece.split()
            head, _, rest = piece.partition(" pv ")
            fields = dict(zip(words[::2], words[1::2], strict=False)) if head else {}
            try:
                score = _score(fields, self._asked())
            except (KeyError, ValueError):
                continue
            pv = self._line("".join("--" if word == "pass" else word for word in rest.split()))
            yield Info(pv, score, f"info {piece.strip()}")

    def _option(self, process: EngineProcess, name: str, value: str) -> None:
        if name not in self._known:
            raise InputError(f"{self.label}: the engine has no option {excerpt(name)}")
        refused = self._try(process, f"{name} {value}")
        if refused is not None:
            raise process.failure(f"refused {name} {value}: {refused}")

    # --- one command

    def _ask(self, process: EngineProcess, command: str, deadline: Deadline | None = None) -> str:
        refused, text = self._exchange(process, command, deadline)
        if refused:
            raise process.failure(f"refused {command!r:.80}: {text}")
        return text

    def _try(self, process: EngineProcess, command: str) -> str | None:
        """Send a command; return the engine's reason when it refuses, else ``None``."""
        refused, text = self._exchange(process, command, None)
        if not refused and _MOVE.fullmatch(text):
            raise process.failure(f"answered twice: {text} came as an answer to {excerpt(command)}")
        return text if refused else None

    def _exchange(self, process: EngineProcess, command: str, deadline: Deadline | None) -> tuple[bool, str]:
        self._skip_waiting(process)
        self._number += 1
        process.send(f"{self._number} {command}")
        if deadline is None:
            deadline = Deadline.after(self.answer_s)
        match = self._response(process, deadline, command)
        self._check_number(process, command, *match.groups())
        lines = [match[3].strip()]
        while line := self._next(process, deadline, command).strip():
            lines.append(line)
        self._answered = True
        return match[1] == "?", "\n".join(lines).strip()

    def _skip_waiting(self, process: EngineProcess) -> None:
        """Read what the engine wrote since its latest answer: noise, but no second answer."""
        if self._answered:
            for line in process.waiting():
                if _RESPONSE.match(line):
                    raise process.failure(f"answered twice: {line!r:.80} came without a command")
                self._note_noise(line)

    def _response(self, process: EngineProcess, deadline: Deadline, command: str) -> re.Match[str]:
        """Return the first line of the answer; lines before it are noise."""
        while True:
            line = self._next(process, deadline, command)
            match = _RESPONSE.match(line)
            if match is not None:
                return match
            self._note_noise(line)

    def _note_noise(self, line: str) -> None:
        if self._answered and line.strip():
            self.noise.add(line)

    def _check_number(
        self, process: EngineProcess, command: str, sign: str, number: str | None, text: str
    ) -> None:
        """Refuse the answer to another command. Errors may have a wrong number: Edax mixes them up."""
        if sign == "?" or number is None or int(number) == self._number:
            return
        if 0 < int(number) < self._number:
            raise process.failure(f"answered twice: {text!r:.80} came as another answer to an earlier command")
        raise process.failure(f"answered {command!r:.80} with the number of another command, {number}")


def _standard(position: Position) -> Rules:
    return Rules(board=position.rules.board)


def _left(seconds: float, *, exact: bool) -> str:
    """Return the seconds of a clock, never more than there are: whole ones, as GTP has them, or with decimals."""
    return f"{max(0, math.floor(100 * seconds)) / 100:g}" if exact else str(max(0, math.floor(seconds)))


def _setting(seconds: float, *, exact: bool) -> str:
    """A time of ``time_settings``: as `_left`, but not rounded to 0, which is no time at all."""
    return _left(seconds, exact=exact) if exact or seconds >= 1 else str(math.ceil(seconds))


def _score(fields: dict[str, str], position: Position) -> MoveValue:
    kind, value = Kind(fields["kind"]), int(fields["score"])
    confidence = int(fields["confidence"]) if "confidence" in fields else None
    return MoveValue.stated(
        value,
        kind,
        position.to_move,
        position.rules.board.cells,
        depth=int(fields.get("depth", "0")),
        confidence=confidence,
        nodes=int(fields.get("nodes", "0")),
        time_s=float(fields.get("time", "0")),
    )


def _sgf(position: Position) -> str:
    from reversi.records.formats.sgf.writer import format_sgf
    from reversi.records.record import Line, Record, Tags

    return format_sgf(Record(Tags(), position, Line(), "*"))
