"""What the program knows of a record format: one object per format, registered in `registry`."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol, TypeAlias

from reversi.errors import RecordError
from reversi.records.entry import Entry
from reversi.records.holding import Capabilities
from reversi.records.record import Record
from reversi.rules import Rules

KnownNames: TypeAlias = tuple[Sequence[str], Sequence[str]]
"""Names of players and of tournaments by number, for a format that refers to them."""

Cut: TypeAlias = re.Pattern[str] | Callable[[str], re.Pattern[str] | None]
"""Where a text may be cut between games: at the ends of what a pattern finds, which may depend on the text."""


class OtherFileError(RecordError):
    """A game that the format holds, but not in one file with the games before it."""


class NameFile(Protocol):
    """Names by number, which games refer to and another file keeps."""

    @property
    def names(self) -> tuple[str, ...]: ...

    def pack(self) -> bytes: ...


class Writer(Protocol):
    """Games on their way into one file.

    Attributes:
        lost: what the file does not hold of the games that were added, with the number of games.
        lost_tags: the names of the tags among that, other than the players.
    """

    lost: Counter[str]
    lost_tags: Counter[str]

    @property
    def names(self) -> tuple[NameFile, NameFile] | None:
        """The names of players and of tournaments, after `finish`; ``None`` for a format that keeps none apart."""

    def add(self, record: Record) -> bytes:
        """Add a game and return the bytes that are ready.

        Raises:
            OtherFileError: the game needs a file of its own.
            RecordError: the format cannot hold the game, which is left out.
        """

    def finish(self) -> bytes:
        """Return the rest of the file. No game can be added afterwards.

        Raises:
            RecordError: the games do not fit into one file.
        """


@dataclass(frozen=True, kw_only=True, eq=False)
class Format(ABC):
    """A format that games are read from and written in.

    Attributes:
        name: what options call it, as ``ggf``.
        title: the format in words.
        suffixes: the suffixes of its files, the usual one first.
        holds: what it holds of a record.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    holds: Capabilities

    @abstractmethod
    def writer(self, names: KnownNames = ((), ())) -> Writer:
        """Return a writer for one file.

        Args:
            names: names of players and tournaments that have numbers already.
        """


@dataclass(frozen=True, kw_only=True, eq=False)
class TextFormat(Format):
    """A format that is text.

    Attributes:
        recognize: whether a text is in the format, by its content.
        read: gives the games of a text, one at a time, given the rules of games that do not name their own.
        write: the text of a game with its end, given its number in the file; it raises `RecordError` for a game
            that the format cannot hold.
        before: what a file has before its first game.
        between: what a file has between two games.
        cut: where a long text may be cut between games; ``None`` where it may not.
    """

    recognize: Callable[[str], bool]
    read: Callable[[str, Rules], Iterator[Entry]]
    write: Callable[[Record, int], str]
    before: str = ""
    between: str = ""
    cut: Cut | None = None

    def writer(self, names: KnownNames = ((), ())) -> Writer:
        """Return a writer for one file, which has no use for `known`."""
        return _TextWriter(self)


@dataclass(frozen=True, kw_only=True, eq=False)
class BinaryFormat(Format):
    """A format that is not text; its content always shows it.

    Attributes:
        recognize: whether a file is in the format, given its first bytes and its size.
        read: gives the games of a stream, one at a time, given the file's path (``None`` for a stream without
            one), a list that collects what is wrong beside the games, and the encoding that somebody names, or "".
        write: makes a writer, given names that have numbers already.
    """

    recognize: Callable[[bytes, int], bool]
    read: Callable[[BinaryIO, Path | None, list[str], str], Iterator[Entry]]
    write: Callable[[KnownNames], Writer]

    def writer(self, names: KnownNames = ((), ())) -> Writer:
        """Return a writer for one file."""
        return self.write(names)


class _TextWriter:
    def __init__(self, format_: TextFormat) -> None:
        self.names: tuple[NameFile, NameFile] | None = None
        self.lost: Counter[str] = Counter()
        self.lost_tags: Counter[str] = Counter()
        self._format = format_
        self._written = 0

    def add(self, record: Record) -> bytes:
        format_ = self._format
        text = format_.write(record, self._written + 1)
        losses, tags = format_.holds.both_losses(record)
        self.lost.update(losses)
        self.lost_tags.update(tags)
        before = format_.between if self._written else format_.before
        self._written += 1
        return (before + text).encode("utf-8", "surrogateescape")

    def finish(self) -> bytes:
        return b""
