"""Dividing games into files: by year, player, event, opening or rules, or by number."""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final

from reversi._system.files import AtomicFiles
from reversi.errors import InputError
from reversi.openings.names import name_of_game
from reversi.records.collection.facts import known, year_of
from reversi.records.record import Record, write_record

__all__ = ["SplitBy", "SplitError", "Splitter", "file_stem"]

_HELD: Final = 16 << 20  # characters of games that wait to be written
_OTHER: Final = re.compile(r"[^\w.+-]+")
_STEM_BYTES: Final = 200  # names have 255 at most: room for the suffix
# names that no file can have on Windows
_RESERVED: Final = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10)))
)


class SplitBy(enum.Enum):
    """What the games of a file have in common."""

    YEAR = "year"
    BLACK = "black"
    WHITE = "white"
    EVENT = "event"
    OPENING = "opening"
    RULES = "rules"


class SplitError(InputError):
    """Games that cannot be divided so: a file is in the way."""


def file_stem(text: str) -> str:
    """Return a name as that of a file on any system, without a suffix; ``unknown`` for none."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    stem = _OTHER.sub("_", plain.replace("'", "")).strip("._")[:100]
    stem = stem.encode("utf-8", "replace")[:_STEM_BYTES].decode("utf-8", "ignore").rstrip("._")
    return f"{stem}_" if stem.casefold() in _RESERVED else stem or "unknown"


def _is_taken(path: Path) -> bool:
    """Return whether something has the name, other than an empty file."""
    return path.is_symlink() or (path.exists() and (path.stat().st_size > 0 or not path.is_file()))


def _value(record: Record, by: SplitBy) -> str:
    """Return the value that a game shares with the others of its file."""
    match by:
        case SplitBy.YEAR:
            return str(year_of(record) or "")
        case SplitBy.RULES:
            return str(record.rules)
        case SplitBy.OPENING:
            named = name_of_game(record.moves, record.start)
            return named.opening.name if named else ""
        case _:
            return known(record.tags[by.value.capitalize()])


class Splitter:
    """Games on their way into files of this project's format in a folder.

    The files are written beside their places and take their names at the end, by `finish` or the end of a
    ``with`` statement; an error before leaves none.

    Args:
        folder: where the files go; made when it is not there.
        by: what the games of a file have in common; ``None``: their number.
        every: the number of games to a file, where ``by`` is ``None``.
        replace: whether files that exist are replaced.
        check: called with the path of each file before it is begun; what it raises ends the splitting.
    """

    def __init__(
        self,
        folder: Path,
        by: SplitBy | None = None,
        *,
        every: int = 1000,
        replace: bool = False,
        check: Callable[[Path], None] = lambda _: None,
    ) -> None:
        if every < 1:
            raise SplitError(f"a file takes at least 1 game, not {every}")
        self._folder = folder
        self._by = by
        self._every = every
        self._replace = replace
        self._check = check
        self._count = 0
        self._files: dict[str, _File] = {}
        self._held = 0
        self._aside = AtomicFiles(replace=replace)

    def __enter__(self) -> Splitter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.finish()
        else:
            self._aside.discard()

    def add(self, record: Record) -> None:
        """Add a game to the file that it belongs to.

        Raises:
            RecordError: it cannot be written.
            SplitError: a file of that name exists and must not be replaced.
            OSError: the folder cannot be written to.
        """
        part = f"{self._count // self._every + 1:04}"
        stem = part if self._by is None else file_stem(_value(record, self._by))
        text = write_record(record)
        file = self._files.get(stem.casefold())  # names that differ in capitals only are one on some systems
        if file is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            file = self._files[stem.casefold()] = _File(self._folder / f"{stem}.pgn")
            self._check(file.path)
            if not self._replace and _is_taken(file.path):
                raise SplitError(f"{file.path} already exists; give another folder, or overwrite it")
        file.add(text)
        self._count += 1
        self._held += len(text)
        if self._held > _HELD:
            self._flush()

    def finish(self) -> dict[Path, int]:
        """Put the files in their places.

        Returns:
            The files, and how many games each has.

        Raises:
            OSError: they cannot be written.
        """
        try:
            self._flush()
            self._aside.commit()
        except BaseException:
            self._aside.discard()
            raise
        finally:
            files, self._files = self._files, {}
        return {file.path: file.games for file in files.values()}

    def _flush(self) -> None:
        for file in self._files.values():
            if file.pieces:
                self._aside.append(file.path, "".join(file.pieces).encode("utf-8", "surrogateescape"))
                file.pieces = []
        self._held = 0


class _File:
    """One of the files: its games, and those that wait to be written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.games = 0
        self.pieces: list[str] = []

    def add(self, text: str) -> None:
        self.pieces.append(("\n" if self.games else "") + text)
        self.games += 1
