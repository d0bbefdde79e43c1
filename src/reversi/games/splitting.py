"""Dividing games into files: by year, player, event, opening or rules, or by number."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final

import reversi._regex as re
from reversi._system.files import AtomicFiles
from reversi._system.paths import is_file, is_link, may_exist
from reversi.errors import InputError
from reversi.records.facts import known, opening_of, year_of
from reversi.records.formats.format import Format, KnownNames, NameFile, OtherFileError, Writer
from reversi.records.formats.pgn.pgn_format import FORMAT as PGN
from reversi.records.formats.wthor.wthor_format import FORMAT as WTHOR
from reversi.records.record import Record
from reversi.text.letters import without_accents

_HELD: Final = 16 << 20  # bytes of games that wait to be written
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


YEARS: Final = "WTH_{}"
"""The names of files of WTHOR, as its archive calls them, with ``{}`` for the year."""


class SplitError(InputError):
    """Games that cannot be divided so: a file is in the way."""


def file_stem(text: str) -> str:
    """Return a name as that of a file on any system, without a suffix; ``unknown`` for none.

    It begins with no hyphen, so that no command takes it for options.
    """
    stem = _OTHER.sub("_", without_accents(text).replace("'", "")).lstrip("._-").rstrip("._")[:100]
    stem = stem.encode("utf-8", "replace")[:_STEM_BYTES].decode("utf-8", "ignore").rstrip("._")
    return f"{stem}_" if stem.casefold() in _RESERVED else stem or "unknown"


def _is_taken(path: Path) -> bool:
    """Return whether something has the name, other than an empty file."""
    return is_link(path) or (may_exist(path) and not (is_file(path) and path.stat().st_size == 0))


def _value(record: Record, by: SplitBy) -> str:
    """Return the value that a game shares with the others of its file."""
    match by:
        case SplitBy.YEAR:
            return str(year_of(record) or "")
        case SplitBy.RULES:
            return str(record.rules)
        case SplitBy.OPENING:
            named = opening_of(record)
            return named.opening.name if named else ""
        case _:
            return known(record.tags[by.value.capitalize()])


class Splitter:
    """Games on their way into files in a folder: a `reversi.records.formats.format.Writer` of several files.

    The files are written beside their places and take their names at the end, by `finish` or the end of a
    ``with`` statement; an error before leaves none.

    Args:
        folder: where the files go; made when it is not there.
        by: what the games of a file have in common; ``None``: their number.
        every: the number of games to a file, where ``by`` is ``None``.
        to: the format of the files.
        names: names of players and tournaments that have numbers already, for a format that refers to them; to
            share them among the files, give a `reversi.records.formats.wthor.names.NameTable` of each.
        file_name: the name of a file, with ``{}`` where the value goes that its games share; the value and the
            suffix of the format where not given, and `YEARS` for WTHOR by years.
        replace: whether files that exist are replaced.
        check: called with the path of each file before it is begun; what it raises ends the splitting.
        keep_names: called with the names that the games refer to before the files take their places; what it
            raises ends the splitting.

    Attributes:
        files: the files, and the number of games in each.
        lost: what the files do not hold of the games, with the number of games.
        lost_tags: the names of the tags among that.
        names: the names that the games refer to, after `finish`.
    """

    def __init__(
        self,
        folder: Path,
        by: SplitBy | None = None,
        *,
        every: int = 1000,
        to: Format = PGN,
        names: KnownNames = ((), ()),
        file_name: str | None = None,
        replace: bool = False,
        check: Callable[[Path], None] = lambda _: None,
        keep_names: Callable[[tuple[NameFile, NameFile]], None] = lambda _: None,
    ) -> None:
        if every < 1:
            raise SplitError(f"a file takes at least 1 game, not {every}")
        self.files: dict[Path, int] = {}
        self.lost: Counter[str] = Counter()
        self.lost_tags: Counter[str] = Counter()
        self.names: tuple[NameFile, NameFile] | None = None
        stem = YEARS if to is WTHOR and by is SplitBy.YEAR else "{}"
        self._file_name = stem + to.suffixes[0] if file_name is None else file_name
        self._folder = folder
        self._by = by
        self._every = every
        self._to = to
        self._known = names
        self._replace = replace
        self._check = check
        self._keep_names = keep_names
        self._count = 0
        self._open: dict[str, _File] = {}
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

    def add(self, record: Record) -> bytes:
        """Add a game to the file that it belongs to; nothing is ready for another one.

        Raises:
            OtherFileError: the format does not hold the game in one file with those before it.
            RecordError: it cannot be written.
            SplitError: a file of that name exists and must not be replaced.
            OSError: the folder cannot be written to.
        """
        part = f"{self._count // self._every + 1:04}"
        stem = part if self._by is None else file_stem(_value(record, self._by))
        file = self._open.get(stem.casefold())  # names that differ in capitals only are one on some systems
        if file is None:
            file = _File(self._folder / self._file_name.replace("{}", stem), self._to.writer(self._known))
            held = file.add(record)
            self._folder.mkdir(parents=True, exist_ok=True)
            self._check(file.path)
            if not self._replace and _is_taken(file.path):
                raise SplitError(f"{file.path} already exists; give another folder, or overwrite it")
            self._open[stem.casefold()] = file
        else:
            held = file.add(record)
        self._held += held
        self._count += 1
        if self._held > _HELD:
            self._flush()
        return b""

    def finish(self) -> bytes:
        """Put the files in their places.

        Raises:
            RecordError: too many names for WTHOR.
            OSError: they cannot be written.
        """
        try:
            for file in self._open.values():
                file.finish()
                self._write(file)
                self.names = file.writer.names
                self.lost.update(file.writer.lost)
                self.lost_tags.update(file.writer.lost_tags)
            if self._open and self.names is not None:
                self._keep_names(self.names)
            self._aside.commit()
            self.files.update((file.path, file.games) for file in self._open.values())
        except BaseException:
            self._aside.discard()
            raise
        finally:
            self._open = {}
        return b""

    def _flush(self) -> None:
        for file in self._open.values():
            self._write(file)
        self._held = 0

    def _write(self, file: _File) -> None:
        if file.pieces:
            self._aside.append(file.path, b"".join(file.pieces))
            file.pieces = []


class _File:
    """One of the files: its games, and those that wait to be written."""

    def __init__(self, path: Path, writer: Writer) -> None:
        self.path = path
        self.writer = writer
        self.games = 0
        self.pieces: list[bytes] = []

    def add(self, record: Record) -> int:
        """Add a game, and return how many bytes are ready now that were not."""
        try:
            piece = self.writer.add(record)
        except OtherFileError as error:
            raise OtherFileError(f"{self.path}: {error}") from None
        self.games += 1
        return self._keep(piece)

    def finish(self) -> None:
        self._keep(self.writer.finish())

    def _keep(self, piece: bytes) -> int:
        if piece:
            self.pieces.append(piece)
        return len(piece)
