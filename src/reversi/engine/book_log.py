"""The searches for an opening book in a file, one line each, so that making it can stop and continue."""

from __future__ import annotations

from pathlib import Path
from typing import Final, TextIO

from reversi.engine.book_making import Searched
from reversi.errors import InputError

__all__ = ["BookLog"]

_HEAD: Final = "reversi book searches 1 depth "


class BookLog:
    """The searches so far. Every search is in the file as soon as it is added.

    Args:
        path: the file; a new one begins where there is none.
        depth: the depth of the searches.

    Raises:
        InputError: the file is not a log of searches, or its searches have another depth.
        OSError: the file cannot be read or written.
    """

    def __init__(self, path: Path, depth: int) -> None:
        self.searched: dict[int, Searched] = {}
        text = path.read_text("ascii", "replace") if path.exists() else ""
        *lines, rest = text.split("\n")
        if lines and not lines[0].startswith(_HEAD):
            raise InputError(
                "holds no searches for a book; remove it or choose another --output", source=str(path)
            )
        if lines and lines[0] != f"{_HEAD}{depth}":
            was = lines[0].removeprefix(_HEAD)
            raise InputError(
                f"holds searches of depth {was}, not {depth}; remove it to start again", source=str(path)
            )
        for number, line in enumerate(lines[1:], 2):
            words = line.split()
            try:
                key, square, value, reached = (int(word) for word in words)
            except ValueError:
                raise InputError(
                    f"line {number} is damaged; remove the file to start again", source=str(path)
                ) from None
            self.searched[key] = Searched(square, value, reached)
        # a line without its end was cut off when the program was killed
        with path.open("r+b" if path.exists() else "w+b") as stream:
            stream.truncate(len(text) - len(rest))
        self._stream: TextIO = path.open("a", encoding="ascii")
        if not lines:
            self._write(f"{_HEAD}{depth}")

    def add(self, key: int, found: Searched) -> None:
        """Add a search.

        Raises:
            OSError: the file cannot be written.
        """
        self.searched[key] = found
        self._write(f"{key} {found.square} {found.value} {found.depth}")

    def close(self) -> None:
        self._stream.close()

    def _write(self, line: str) -> None:
        self._stream.write(f"{line}\n")
        self._stream.flush()
