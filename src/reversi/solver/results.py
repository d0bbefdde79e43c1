"""Results of solving as JSON, and files of them: one object per line, in order of completion.

A file can be continued. A line is known by its position (board, side to move, after a pass or not, rules) and by
the question that the file answers. A run that ends early, even by ``kill -9``, leaves whole lines and perhaps the
beginning of one more, which is dropped. A result that a limit cut short does not count as done: the position is
solved again, and the old line removed once there is a new one.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from reversi._core import ISA, Move, Position
from reversi._system.files import write_atomically
from reversi._system.locks import lock_descriptor
from reversi.errors import InputError
from reversi.score import Kind, Score
from reversi.solver.annotations import Comparison
from reversi.solver.question import Question
from reversi.solver.solution import MoveScore, Solution
from reversi.text.json_fields import position_fields

__all__ = ["Earlier", "ResultsError", "ResultsFile", "solution_fields"]

_SYNC_SECONDS = 1.0
_KEY = ("board", "to_move", "after_pass", "rules")
_LONGEST = 1 << 20  # bytes of a line; ours are far shorter
_BEGINNING = b'{"index":'
_NO_RESULT = (ValueError, KeyError, TypeError, AttributeError, RecursionError)  # of a line that is something else
_Key = tuple[object, ...]


class _Asked(NamedTuple):
    moves: bool
    multi: int | None
    wld: bool
    window: list[int] | None
    checked: bool


class ResultsError(InputError):
    """A file of results that cannot be continued: it is something else, or answers something else."""


def solution_fields(
    solution: Solution,
    question: Question,
    *,
    index: int,
    line: int,
    threads: int,
    check: Comparison | None = None,
) -> dict[str, object]:
    """A result as JSON values.

    ``index``, ``line``, the fields of the position, ``score``, ``kind``, ``lower``, ``upper``, ``depth``,
    ``confidence``, ``best``, ``pv``, ``nodes``, ``time_s``, ``threads``, ``isa``; ``multi``, ``wld`` or ``window``
    when that was asked; ``likely`` when ``best`` is empty in a game that is not over; ``moves`` when every move or
    several were asked for; ``expected`` and ``ok`` when checked.

    Args:
        solution: the answer.
        question: what was asked.
        index: number of the position in the input, from 1.
        line: its line, from 1.
        threads: how many threads worked on it.
        check: how it compares with the annotated scores.
    """
    score = solution.score
    fields: dict[str, object] = {
        "index": index,
        "line": line,
        **position_fields(solution.position),
        "score": score.value,
        "kind": str(score.kind),
        "lower": score.lower,
        "upper": score.upper,
        "depth": score.depth,
        "confidence": score.confidence,
        "best": [str(move) for move in solution.best],
        "pv": [str(move) for move in solution.pv],
        "nodes": score.nodes,
        "time_s": round(score.time_s, 6),
        "threads": threads,
        "isa": ISA,
        **_question_fields(question),
    }
    if solution.likely is not None:
        fields["likely"] = str(solution.likely)
    if question.all_moves or question.multi is not None:
        fields["moves"] = [
            {
                "move": str(scored.move),
                "score": scored.score.value,
                "kind": str(scored.score.kind),
                "pv": [str(move) for move in scored.pv],
            }
            for scored in solution.moves
        ]
    if check is not None:
        fields["expected"] = check.expected
        fields["ok"] = check.ok
    return fields


def _question_fields(question: Question) -> dict[str, object]:
    if question.multi is not None:
        return {"multi": question.multi}
    if question.wld:
        return {"wld": True}
    if question.window is not None:
        return {"window": list(question.window)}
    return {}


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a file held when it was continued; only results that need not be repeated.

    Attributes:
        count: how many.
        right: that were checked and right.
        wrong: that were checked and wrong.
        bare: that were to be checked but are not annotated.
    """

    count: int = 0
    right: int = 0
    wrong: int = 0
    bare: int = 0


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    start: int
    end: int
    key: _Key
    index: int
    done: bool
    expected: int | None
    ok: bool | None


class ResultsFile:
    """A file that results are appended to: each line given to the system at once, and to the disk once a second.

    Args:
        path: the file. It is made when it does not exist; an empty one is used.
        question: what all its results answer.
        checked: whether they are compared with annotated scores.
        resume: continue a file that holds results of an earlier run.
        overwrite: drop what the file holds.
        inputs: when continuing, all positions of the input with their indices.

    Attributes:
        done: indices of the positions whose results are in the file already.
        earlier: those results, counted.

    Raises:
        FileExistsError: it holds something, and neither ``resume`` nor ``overwrite`` is given.
        ResultsError: it cannot be continued; it is left as it was.
        OSError: it cannot be read or written, or another run is writing to it.
    """

    def __init__(
        self,
        path: Path,
        question: Question,
        *,
        checked: bool = False,
        resume: bool = False,
        overwrite: bool = False,
        inputs: Iterable[tuple[int, Position]] = (),
    ) -> None:
        self.path = path
        self.done: set[int] = set()
        self.earlier = Earlier()
        self._asked = _asked(_question_fields(question), question.all_moves or question.multi is not None, checked)
        self._question = question
        self._inputs: dict[_Key, tuple[Position, list[int]]] = {}
        self._partial: set[_Key] = set()  # of these the file holds results that a limit cut short
        self._replaced = False  # some of those have new lines
        self._synced = time.monotonic()
        self._stream, self._regular = _opened(path, resume, overwrite)
        try:
            if resume and self._regular:
                held = self._keys()
                for index, position in inputs:
                    if (key := _key_of(position)) in held:
                        self._inputs.setdefault(key, (position, []))[1].append(index)
                self._continue()
        except BaseException:
            self._stream.close()
            raise

    def write(self, fields: Mapping[str, object]) -> None:
        """Append one result, as `solution_fields` gives it.

        Raises:
            OSError: it cannot be written.
        """
        self._stream.write(json.dumps(fields, separators=(",", ":")).encode() + b"\n")
        self._stream.flush()
        self._replaced = self._replaced or _key(fields) in self._partial
        if time.monotonic() - self._synced >= _SYNC_SECONDS:
            self._sync()

    def close(self) -> None:
        """Bring everything to the disk; lines that newer ones replace are removed.

        Raises:
            OSError: that was not possible.
        """
        if self._stream.closed:
            return
        try:
            self._sync()
            if self._replaced:
                lines, _ = self._lines()
                kept = self._kept(lines)
                if len(kept) < len(lines):
                    self._rewrite(kept)
        finally:
            self._stream.close()

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            with contextlib.suppress(OSError):  # the error under way says more
                self.close()

    def _sync(self) -> None:
        self._synced = time.monotonic()
        if self._regular:
            os.fsync(self._stream.fileno())

    # --- continuing

    def _continue(self) -> None:
        lines, end = self._lines()
        kept = self._kept(lines)
        done: dict[_Key, list[_Line]] = {}
        for line in kept:
            if line.done:
                done.setdefault(line.key, []).append(line)
            else:
                self._partial.add(line.key)
        for key, found in done.items():
            self.done |= _claimed(self._inputs[key][1], found)
        counted = [line for found in done.values() for line in found]
        self.earlier = Earlier(
            len(counted),
            sum(line.ok is True for line in counted),
            sum(line.ok is False for line in counted),
            sum(line.expected is None for line in counted),
        )
        if len(kept) < len(lines):
            self._rewrite(kept)
            self._stream.close()
            self._stream, _ = _opened(self.path, resume=True)
        elif end < self._stream.seek(0, os.SEEK_END):
            self._stream.truncate(end)

    def _keys(self) -> set[_Key]:
        """The positions that the file has results of: of a long input, only these are kept."""
        keys = set()
        self._stream.seek(0)
        for raw in iter(lambda: self._stream.readline(_LONGEST), b""):
            with contextlib.suppress(*_NO_RESULT):  # reported later
                keys.add(_key(json.loads(raw)))
        return keys

    def _lines(self) -> tuple[list[_Line], int]:
        """The whole lines of the file, checked, and where they end."""
        lines: list[_Line] = []
        end = 0
        self._stream.seek(0)
        for number, raw in enumerate(iter(lambda: self._stream.readline(_LONGEST), b""), 1):
            if raw.endswith(b"\n"):
                lines.append(self._line(number, end, raw))
                end += len(raw)
            elif not (raw.startswith(_BEGINNING) or _BEGINNING.startswith(raw)):
                raise ResultsError(f"{self.path}:{number}: not a result of reversi solve")
        return lines, end

    def _line(self, number: int, start: int, raw: bytes) -> _Line:
        wrong = "not a result of reversi solve"
        try:
            fields = json.loads(raw)
            asked = _asked(fields, "moves" in fields, "ok" in fields)
            key = _key(fields)
            if asked != self._asked:
                wrong = f"answers another question: {_in_words(asked)}, not {_in_words(self._asked)}"
            elif key not in self._inputs:
                after = " after a pass" if fields["after_pass"] else ""
                where = f"{fields['board']} {fields['to_move']}{after}, {fields['rules']}"
                wrong = f"position is not in the input: {where}"
            else:
                done = _is_answered(fields, self._question, self._inputs[key][0])
                expected, ok = fields.get("expected"), fields.get("ok")
                return _Line(number, start, start + len(raw), key, int(fields["index"]), done, expected, ok)
        except _NO_RESULT:
            pass
        raise ResultsError(f"{self.path}:{number}: {wrong}")

    def _kept(self, lines: list[_Line]) -> list[_Line]:
        """The lines without those that a limit cut short and newer ones replace."""
        room = {key: len(indices) for key, (_, indices) in self._inputs.items()}
        for line in lines:
            room[line.key] -= line.done
            if room[line.key] < 0:
                raise ResultsError(f"{self.path}:{line.number}: more results of a position than the input has")
        kept = []
        for line in reversed(lines):
            if not line.done:
                if not room[line.key]:
                    continue
                room[line.key] -= 1
            kept.append(line)
        return kept[::-1]

    def _rewrite(self, kept: list[_Line]) -> None:
        parts = []
        for line in kept:
            self._stream.seek(line.start)
            parts.append(self._stream.read(line.end - line.start))
        if sys.platform == "win32":
            self._stream.close()  # a file in use cannot be replaced there
        write_atomically(self.path, b"".join(parts).decode("utf-8", "surrogateescape"))


def _opened(path: Path, resume: bool, overwrite: bool = False) -> tuple[BinaryIO, bool]:
    """The file, to be read and appended to, and whether it is a regular one; it is ours until it is closed."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(path.stat().st_mode):
            return path.open("wb"), False
    stream = path.open("a+b")
    try:
        _lock(stream)
        if overwrite and not resume:
            stream.truncate(0)
        if not resume and stream.seek(0, os.SEEK_END):
            raise FileExistsError(errno.EEXIST, "it already contains results")
    except BaseException:
        stream.close()
        raise
    return stream, True


def _lock(stream: BinaryIO) -> None:
    """Keep other runs from writing to the file (where the system has such locks)."""
    if not lock_descriptor(stream.fileno()):
        raise BlockingIOError(errno.EAGAIN, "another run writes to it")


def _key_of(position: Position) -> _Key:
    return _key(position_fields(position))


def _key(fields: Mapping[str, Any]) -> _Key:
    return tuple(fields[name] for name in _KEY)


def _asked(fields: Mapping[str, Any], moves: bool, checked: bool) -> _Asked:
    """What tells questions apart, from the fields that a line has."""
    return _Asked(bool(moves), fields.get("multi"), fields.get("wld", False), fields.get("window"), checked)


def _in_words(asked: _Asked) -> str:
    window = None if asked.window is None else (asked.window[0], asked.window[1])
    question = Question(asked.moves and asked.multi is None, asked.multi, asked.wld, window)
    return f"{question}, {'checked' if asked.checked else 'not checked'}"


def _is_answered(fields: Mapping[str, Any], question: Question, position: Position) -> bool:
    """Whether a line says all that was asked: `Question.is_answered` of a written result."""
    lower, upper, kind = int(fields["lower"]), int(fields["upper"]), Kind(fields["kind"])
    moves = tuple(
        MoveScore(
            Move.parse(move["move"]), Score(move["score"], Kind(move["kind"]), move["score"], move["score"]), ()
        )
        for move in fields.get("moves", ())
    )
    score = Score(int(fields["score"]), kind, lower, upper)
    return question.is_answered(Solution(position, score, (), (), moves))


def _claimed(indices: list[int], lines: list[_Line]) -> set[int]:
    """The indices that done lines of one position stand for: their own where the input is as it was."""
    own = {line.index for line in lines} & set(indices)
    others = [index for index in indices if index not in own]
    return own | set(others[: len(lines) - len(own)])
