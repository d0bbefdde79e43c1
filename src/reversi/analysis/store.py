"""What analyses have found, kept for the next one: by position and rules, so that nothing is searched twice.

A finding is the answer to one question about one position. Its key has the rules, the position, the digest of the
evaluation's weights, and the question with the level of its search; its value says of which kind each score is.
Positions that are the same by symmetry share their findings, and a search of one level never answers for another.

>>> store = AnalysisStore()
>>> store.put(Position(), "moves 18", {"grade": 3})
>>> store.get(Position(), "moves 18"), store.get(Position(), "moves 10")
({'grade': 3}, None)
"""

from __future__ import annotations

import functools
import json
import os
import threading
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from reversi._core import Position
from reversi._system.files import write_atomically
from reversi._system.locks import beside
from reversi._system.plain_json import loads
from reversi.arguments import FilePath, open_file
from reversi.engine.search import seen_from
from reversi.evaluation.weights import weights_version
from reversi.rules import OTHELLO
from reversi.solver.solution import Solution
from reversi.solver.symmetry import Image
from reversi.text.boards import format_board

LIMIT: Final = 16 << 20
"""The most bytes of a file: some 100 games; then the older half of it goes."""
_WAIT_S: Final = 5.0  # for another program that writes to it
_FORMAT: Final = 1
_CHECK: Final = 9  # characters of the checksum and the space after it

S = TypeVar("S", bound=Solution)


class AnalysisStore:
    """Findings, in memory, and in a file where one is given. Several threads and programs may share it.

    In the file each finding is a line with a checksum, appended as soon as it is found: a program that is killed
    loses the line that it writes at most. A damaged line is no finding; it is found again.

    Args:
        path: the file; the first finding creates it, and its folder. It is read when something is first asked.
        limit: the most bytes of the file.

    Attributes:
        failure: why findings no longer go to the file, "" while they do. Those in memory stay.
    """

    def __init__(self, path: FilePath | None = None, *, limit: int = LIMIT) -> None:
        self.failure: str = ""
        self._path = None if path is None else Path(path)
        self._limit = limit
        self._lock = threading.Lock()
        self._found: dict[bytes, bytes] | None = None

    def __repr__(self) -> str:
        return f"<AnalysisStore {'in memory' if self._path is None else self._path}>"

    def get(self, position: Position, question: str) -> dict[str, Any] | None:
        """Return what was found about a position as it lies; ``None`` if nothing was."""
        with self._lock:
            found = self._read().get(_key(position, question))
        return None if found is None else loads(found)

    def put(self, position: Position, question: str, found: Mapping[str, object]) -> None:
        """Keep what was found about a position, as JSON values."""
        key, value = _key(position, question), json.dumps(found, separators=(",", ":")).encode()
        with self._lock:
            self._read()[key] = value
            if self._path is not None and not self.failure:
                try:
                    self._append(self._path, key + b"\t" + value)
                except OSError as error:
                    self.failure = f"{self._path}: {error.strerror or error}"

    def solution(
        self, position: Position, question: str, read: Callable[[Mapping[str, Any]], S], find: Callable[[], S]
    ) -> S:
        """Return the solution that was found, or find it and keep it.

        Args:
            position: the position; the file has its canonical image.
            question: the question.
            read: makes the solution of its JSON values.
            find: finds it.
        """
        image = Image.canonical(position)
        if (known := self.get(image.position, question)) is not None:
            return seen_from(position, image, read(known))
        found = find()
        kept = seen_from(image.position, Image.like(image.position, position), found)
        self.put(image.position, question, kept.fields())
        return found

    def _read(self) -> dict[bytes, bytes]:
        if self._found is None:
            self._found = {}
            if self._path is not None:
                try:
                    with open_file(self._path) as stream:
                        data = stream.read(2 * self._limit)
                except FileNotFoundError:
                    data = b""
                except OSError as error:
                    self.failure, data = f"{self._path}: {error.strerror or error}", b""
                for line in data.splitlines():
                    if _is_whole(line):
                        key, _, value = line[_CHECK:].partition(b"\t")
                        self._found[key] = value
        return self._found

    def _append(self, path: Path, line: bytes) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with beside(path, wait_s=_WAIT_S):
            with path.open("a+b") as stream:
                size = stream.seek(0, os.SEEK_END)
                if size and stream.seek(size - 1) >= 0 and stream.read(1) != b"\n":
                    line = b"\n" + _checked(line)  # after the part of a line that a killed program has left
                else:
                    line = _checked(line)
                stream.write(line + b"\n")
            if size + len(line) > self._limit:
                lines = path.read_bytes()[-self._limit // 2 :].partition(b"\n")[2]
                write_atomically(path, lines.decode("utf-8", "surrogateescape"))


def _checked(line: bytes) -> bytes:
    return f"{zlib.crc32(line):08x} ".encode() + line


def _is_whole(line: bytes) -> bool:
    return line[:_CHECK] == _checked(line[_CHECK:])[:_CHECK]


def _key(position: Position, question: str) -> bytes:
    weights = _digest() if position.rules.same_play(OTHELLO) else "plain"
    return f"{_FORMAT} {position.rules} {format_board(position)} {weights} {question}".encode()


@functools.cache
def _digest() -> str:
    return weights_version()
