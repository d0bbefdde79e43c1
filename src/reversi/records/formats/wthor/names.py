"""The names that WTHOR games refer to by number: players (``.JOU``) and tournaments (``.TRN``).

A header, then names of a fixed length, each closed by a zero byte, in Windows-1252. Record 0 is the unknown
player, or the tournaments without a name of their own. The files lie beside those of the games, in any case:
``WTHOR.JOU``, ``WTH.JOU``, ``wthor.trn``.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, overload

from reversi._system.zip_files import files_beside, open_path
from reversi.arguments import FilePath, check_type
from reversi.errors import RecordError
from reversi.records.formats.wthor.header import HEADER_BYTES, NAME_BYTES, WthorHeader, WthorKind, wthor_kind
from reversi.records.notes import clean
from reversi.text.letters import windows_1252

UNKNOWN_PLAYER: Final = "???"
"""The name with the number 0 among players."""
UNKNOWN_TOURNAMENT: Final = "Diverses parties"
"""The name with the number 0 among tournaments."""

MAX_NAMES: Final = 1 << 16
"""How many names there can be: numbers have 16 bits."""

_SUFFIXES: Final = {".jou": WthorKind.PLAYERS, ".trn": WthorKind.TOURNAMENTS}
_FAVORED: Final = ("wthor", "wth")


@dataclass(frozen=True, slots=True)
class WthorNames:
    """A file of names.

    Attributes:
        kind: ``PLAYERS`` or ``TOURNAMENTS``.
        names: the names, by number.
        header: as it is in the file. Its count of names is that of `names` when it is written.
    """

    kind: WthorKind
    names: tuple[str, ...]
    header: WthorHeader

    @classmethod
    def of(cls, kind: WthorKind, names: Iterable[str], date: datetime.date) -> WthorNames:
        """Return a new file of names, made on ``date``."""
        kept = tuple(names)
        return cls(kind, kept, WthorHeader.made_on(date, names=min(len(kept), 0xFFFF)))

    def pack(self) -> bytes:
        """Return the bytes of the file. What Windows-1252 lacks becomes a plain letter or a question mark, and
        long names are cut.

        Raises:
            RecordError: more names than numbers.
        """
        if len(self.names) >= MAX_NAMES:
            raise RecordError(f"{len(self.names)} names; WTHOR numbers at most {MAX_NAMES - 1}")
        size = NAME_BYTES[self.kind]
        header = replace(self.header, names=len(self.names))
        return header.pack() + b"".join(_stored(name, size - 1).ljust(size, b"\0") for name in self.names)


def _stored(name: str, length: int) -> bytes:
    return windows_1252(name.replace("\0", " "))[:length]


def _read(data: bytes, encoding: str = "") -> str:
    return data.decode(encoding or "cp1252", "replace")


def stored_name(name: str, kind: WthorKind) -> str:
    """Return a name as a file of this kind stores it."""
    check_type("name", name, str)
    return _read(_stored(name, NAME_BYTES[kind] - 1))


def parse_wthor_names(data: bytes, kind: WthorKind | None = None, encoding: str = "") -> WthorNames:
    """Return the names of a ``.JOU`` or ``.TRN`` file.

    Args:
        data: the whole file.
        kind: which of the two; found by its length when not given.
        encoding: the encoding of the names; Windows-1252 when not given.

    Raises:
        RecordError: it is not such a file, or cut off.
    """
    actual = wthor_kind(data[:84], len(data)) if kind is None else kind
    if actual not in NAME_BYTES:
        raise RecordError("not a WTHOR file of names (.JOU, .TRN), or cut off")
    header = WthorHeader.parse(data)
    size = NAME_BYTES[actual]
    there = (len(data) - HEADER_BYTES) / size
    if header.kind is not WthorKind.PLAYERS or there != header.names:
        raise RecordError(f"the header announces {header.names} names, and {there:g} follow; the file is damaged")
    names = (data[at : at + size - 1].partition(b"\0")[0] for at in range(HEADER_BYTES, len(data), size))
    return WthorNames(actual, tuple(_read(name, encoding) for name in names), header)


def read_wthor_names(path: FilePath, encoding: str = "") -> WthorNames:
    """Return the names of a file, whose kind its suffix may tell, in Windows-1252 or another encoding.

    Raises:
        RecordError: it is not such a file, or damaged; the message names it.
        OSError: it cannot be read.
    """
    path = Path(path)
    limit = HEADER_BYTES + MAX_NAMES * max(NAME_BYTES.values())
    with open_path(path) as stream:
        data = stream.read(limit + 1)
    try:
        return parse_wthor_names(data, _SUFFIXES.get(path.suffix.lower()), encoding)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None


def find_wthor_names(games: FilePath) -> tuple[Path | None, Path | None]:
    """Return the files of names (players, tournaments) that belong to a file of games, ``None`` for one that is
    not there.

    They lie in the same folder. Of several, the one called like the games is taken, then ``WTHOR`` and ``WTH``,
    then the first in the order of the alphabet; case never counts.
    """
    games = Path(games)
    paths: dict[WthorKind, list[Path]] = {kind: [] for kind in _SUFFIXES.values()}
    for path in files_beside(games):
        kind = _SUFFIXES.get(path.suffix.lower())
        if kind is not None:
            paths[kind].append(path)
    order = (games.stem.lower(), *_FAVORED)

    def rank(path: Path) -> int:
        stem = path.stem.lower()
        return order.index(stem) if stem in order else len(order)

    players, tournaments = (min(paths[kind], key=rank, default=None) for kind in _SUFFIXES.values())
    return players, tournaments


def load_wthor_names(games: FilePath, encoding: str = "") -> tuple[tuple[str, ...], tuple[str, ...], list[str]]:
    """Return the names that belong to a file of games: those of players and of tournaments by number, none where
    there is no file; and what kept them from being read, a line each.
    """
    games = Path(games)
    names: list[tuple[str, ...]] = []
    problems: list[str] = []
    for path in find_wthor_names(games):
        try:
            names.append(() if path is None else read_wthor_names(path, encoding).names)
        except RecordError as error:
            names.append(())
            problems.append(str(error))
        except OSError as error:
            names.append(())
            problems.append(f"{path}: cannot read: {error.strerror or error}")
    return names[0], names[1], problems


class NameTable(Sequence[str]):
    """Names by number while files are written: some given, others claimed by games, the rest added at the end.

    Args:
        kind: of which names.
        names: the existing names.
    """

    def __init__(self, kind: WthorKind, names: Sequence[str]) -> None:
        self._kind = kind
        self._unknown = UNKNOWN_PLAYER if kind is WthorKind.PLAYERS else UNKNOWN_TOURNAMENT
        # numbers that stand for nobody may be claimed: they fill the gaps between numbers that somebody has
        self._names: dict[int, str] = {
            number: name
            for number, name in enumerate(names or (self._unknown,))
            if number == 0 or name not in ("", self._unknown)
        }
        self._count = len(names)
        self._numbers: dict[str, int] = {}
        for number, name in self._names.items():
            self._numbers.setdefault(clean(name), number)
        self._next = 0

    def claim(self, name: str, number: int | None) -> int | None:
        """Return the number of a name that a game says has the number ``number``; ``None`` where it must be a new
        one.
        """
        if number is not None:
            named = self._names.get(number)
            if name == "?" or (named is not None and clean(named) == name):
                return number
            if named is None:
                self._names[number] = name
                self._numbers.setdefault(name, number)
                return number
        if name == "?":
            return 0
        held = self._numbers.get(name)
        return self._numbers.get(clean(stored_name(name, self._kind))) if held is None else held

    def add(self, name: str) -> int:
        """Return the number of a name, a new one if need be. No game may claim a number any more.

        Raises:
            RecordError: there are no numbers left.
        """
        stored = stored_name(name, self._kind)
        number = self._numbers.get(clean(stored))
        if number is not None:
            return number
        self._next = self._next + 1 if self._next else max(self._count, max(self._names) + 1)
        if self._next >= MAX_NAMES - 1:
            raise RecordError(f"too many names: WTHOR numbers at most {MAX_NAMES - 1}")
        self._names[self._next] = stored
        self._numbers[clean(stored)] = self._next
        return self._next

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...

    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return self.names[index]

    @property
    def names(self) -> tuple[str, ...]:
        count = max(self._count, max(self._names) + 1)
        return tuple(self._names.get(number, self._unknown) for number in range(count))
