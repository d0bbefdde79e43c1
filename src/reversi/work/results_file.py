"""Files of results, one JSON object per line in order of completion, that a later run continues.

A run that ends early, even by ``kill -9``, leaves whole lines and perhaps the beginning of one more, which is
dropped. A result that a limit cut short does not count as done: it is found again, and the old line removed once
there is a new one.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
import sys
import time
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Generic, Protocol, TypeVar

from reversi._system.closing import ClosedAtEnd
from reversi._system.files import write_atomically
from reversi._system.locks import is_at, lock_descriptor
from reversi._system.plain_json import loads
from reversi.errors import InputError

_SYNC_SECONDS = 1.0
LONGEST: Final = 1 << 20
"""The most bytes of a line; ours are far shorter."""

_BEGINNING = b'{"index":'

# of a line that is something else
_NO_RESULT = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


class ResultsError(InputError):
    """A file of results that cannot be continued: it is something else, or answers something else."""


class LineForm(Protocol[T_contra]):
    """What the lines of a file say. Its methods may raise lookup, type and value errors for other fields.

    Attributes:
        title: what one line is: ``result of reversi solve``.
        noun: what a result is about: ``position``.
        kept: the fields that are kept of the lines of a continued file.
    """

    title: str
    noun: str
    kept: tuple[str, ...]

    def key_of(self, item: T_contra) -> Hashable:
        """Return what a thing of the input is known by."""

    def key(self, fields: Mapping[str, Any]) -> Hashable:
        """Return what the thing is known by that a line is about."""

    def conflict(self, fields: Mapping[str, Any]) -> str:
        """Return why a line does not belong to this run; empty where it does."""

    def described(self, fields: Mapping[str, Any]) -> str:
        """Return the thing that a line is about, in words."""

    def is_done(self, fields: Mapping[str, Any], item: T_contra) -> bool:
        """Return whether a line says all that was asked about the thing."""


@dataclass(frozen=True, slots=True)
class HeldLine:
    """A line that a continued file holds.

    Attributes:
        number: its number in the file, from 1.
        start: the byte where it begins.
        end: the byte after it.
        key: what its thing is known by.
        index: the number of the thing in the input of that run.
        done: whether it says all that was asked.
        fields: those of its fields that the form keeps.
    """

    number: int
    start: int
    end: int
    key: Hashable
    index: int
    done: bool
    fields: Mapping[str, object]


class ResumableFile(ClosedAtEnd, Generic[T]):
    """A file that results are appended to: each line given to the system at once, and to the disk once a second.

    Args:
        path: the file. It is made when it does not exist; an empty one is used.
        form: what its lines say.
        resume: continue a file that holds results of an earlier run.
        overwrite: drop what the file holds.
        inputs: when continuing, all things of the input with their indices.

    Attributes:
        done: indices of the things whose results are in the file already.
        held: the lines that say all that was asked, when continuing.

    Raises:
        FileExistsError: it holds something, and neither ``resume`` nor ``overwrite`` is given.
        ResultsError: it cannot be continued; it is left as it was.
        OSError: it cannot be read or written, or another run is writing to it.
    """

    def __init__(
        self,
        path: Path,
        form: LineForm[T],
        *,
        resume: bool = False,
        overwrite: bool = False,
        inputs: Iterable[tuple[int, T]] = (),
    ) -> None:
        self.path = path
        self.done: set[int] = set()
        self.held: list[HeldLine] = []
        self._form = form
        self._inputs: dict[Hashable, tuple[T, list[int]]] = {}
        self._partial: set[Hashable] = set()  # of these the file holds results that a limit cut short
        self._replaced = False  # some of those have new lines
        self._synced = time.monotonic()
        self._stream, self._regular = _opened(path, resume, overwrite)
        try:
            if resume and self._regular:
                held = self._keys()
                for index, item in inputs:
                    if (key := form.key_of(item)) in held:
                        self._inputs.setdefault(key, (item, []))[1].append(index)
                self._continue()
        except BaseException:
            self._stream.close()
            raise

    def write(self, fields: Mapping[str, object]) -> None:
        """Append one result; ``index`` is its first field.

        Raises:
            OSError: it cannot be written.
        """
        self._stream.write(json.dumps(fields, separators=(",", ":")).encode() + b"\n")
        self._stream.flush()
        self._replaced = self._replaced or (bool(self._partial) and self._form.key(fields) in self._partial)
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
            if self._replaced and is_at(self._stream.fileno(), self.path):  # not moved away meanwhile
                lines, _ = self._lines()
                kept = self._kept(lines)
                if len(kept) < len(lines):
                    self._rewrite(kept)
        finally:
            self._stream.close()

    def _sync(self) -> None:
        self._synced = time.monotonic()
        if self._regular:
            os.fsync(self._stream.fileno())

    # --- continuing

    def _continue(self) -> None:
        lines, end = self._lines()
        kept = self._kept(lines)
        complete: dict[Hashable, list[HeldLine]] = {}
        for line in kept:
            if line.done:
                complete.setdefault(line.key, []).append(line)
            else:
                self._partial.add(line.key)
        for key, same in complete.items():
            self.done |= _claimed(self._inputs[key][1], same)
        self.held = [line for same in complete.values() for line in same]
        if len(kept) < len(lines):
            self._rewrite(kept)
            self._stream.close()
            self._stream, _ = _opened(self.path, resume=True)
        elif end < self._stream.seek(0, os.SEEK_END):
            self._stream.truncate(end)

    def _keys(self) -> set[Hashable]:
        """Return the things that the file has results of: of a long input, only these are kept."""
        keys = set()
        self._stream.seek(0)
        for raw in iter(lambda: self._stream.readline(LONGEST), b""):
            with contextlib.suppress(*_NO_RESULT):  # reported later
                keys.add(self._form.key(loads(raw)))
        return keys

    def _lines(self) -> tuple[list[HeldLine], int]:
        """Return the whole lines of the file, checked, and where they end."""
        lines: list[HeldLine] = []
        end = 0
        self._stream.seek(0)
        for number, raw in enumerate(iter(lambda: self._stream.readline(LONGEST), b""), 1):
            if raw.endswith(b"\n"):
                lines.append(self._line(number, end, raw))
                end += len(raw)
            elif not (raw.startswith(_BEGINNING) or _BEGINNING.startswith(raw)):
                raise ResultsError(f"{self.path}:{number}: not a {self._form.title}")
        return lines, end

    def _line(self, number: int, start: int, raw: bytes) -> HeldLine:
        form = self._form
        wrong = f"not a {form.title}"
        try:
            fields = loads(raw)
            conflict = form.conflict(fields)
            key = form.key(fields)
            if conflict:
                wrong = conflict
            elif key not in self._inputs:
                wrong = f"{form.noun} is not in the input: {form.described(fields)}"
            else:
                done = form.is_done(fields, self._inputs[key][0])
                kept = {name: fields.get(name) for name in form.kept}
                return HeldLine(number, start, start + len(raw), key, int(fields["index"]), done, kept)
        except _NO_RESULT:
            pass
        raise ResultsError(f"{self.path}:{number}: {wrong}")

    def _kept(self, lines: list[HeldLine]) -> list[HeldLine]:
        """Return the lines without those that a limit cut short and newer ones replace."""
        room = {key: len(indices) for key, (_, indices) in self._inputs.items()}
        for line in lines:
            room[line.key] -= line.done
            if room[line.key] < 0:
                noun = self._form.noun
                raise ResultsError(f"{self.path}:{line.number}: more results of a {noun} than the input has")
        kept = []
        for line in reversed(lines):
            if not line.done:
                if not room[line.key]:
                    continue
                room[line.key] -= 1
            kept.append(line)
        return kept[::-1]

    def _rewrite(self, kept: list[HeldLine]) -> None:
        parts = []
        for line in kept:
            self._stream.seek(line.start)
            parts.append(self._stream.read(line.end - line.start))
        if sys.platform == "win32":
            self._stream.close()  # a file in use cannot be replaced there
        write_atomically(self.path, b"".join(parts).decode("utf-8", "surrogateescape"))


def _opened(path: Path, resume: bool, overwrite: bool = False) -> tuple[BinaryIO, bool]:
    """Return the file, open for reading and appending and locked, and whether it is a regular one."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(path.stat().st_mode):
            return path.open("wb"), False
    stream = path.open("a+b")
    try:
        if not lock_descriptor(stream.fileno()):  # where the system has such locks
            raise BlockingIOError(errno.EAGAIN, "another run writes to it")
        if overwrite and not resume:
            stream.truncate(0)
        if not resume and stream.seek(0, os.SEEK_END):
            raise FileExistsError(errno.EEXIST, "it already contains results")
    except BaseException:
        stream.close()
        raise
    return stream, True


def _claimed(indices: list[int], lines: list[HeldLine]) -> set[int]:
    """Return the indices that done lines of one thing stand for: their own where the input is as it was."""
    own = {line.index for line in lines} & set(indices)
    others = [index for index in indices if index not in own]
    return own | set(others[: len(lines) - len(own)])
