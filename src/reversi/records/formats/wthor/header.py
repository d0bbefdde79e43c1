"""The sixteen bytes that every WTHOR file begins with, and what kind of file they announce.

Sources: the format note of the French federation (Quin and Nicolet), and the files it publishes. Numbers are
little-endian, nothing is padded: date of the file (century, year, month, day), games, names, year of the games,
board size, kind, depth of the theoretical scores, and a reserved byte.
"""

from __future__ import annotations

import datetime
import enum
import struct
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Final

from reversi.errors import RecordError

HEADER_BYTES: Final = 16
_LAYOUT: Final = struct.Struct("<4BIHH4B")


class WthorKind(enum.Enum):
    """The files of the family. The values are how messages call them."""

    GAMES = "WTHOR games"
    LARGE_GAMES = "WTHOR games on 10x10 boards"
    SOLITAIRES = "WTHOR solitaires"
    PLAYERS = "WTHOR names of players"
    TOURNAMENTS = "WTHOR names of tournaments"


GAME_BYTES: Final = {WthorKind.GAMES: 68, WthorKind.LARGE_GAMES: 104, WthorKind.SOLITAIRES: 36}
"""Bytes of a game of each kind of file."""

NAME_BYTES: Final = {WthorKind.PLAYERS: 20, WthorKind.TOURNAMENTS: 26}
"""Bytes of a name of each kind of file, its closing zero included."""

_SOLITAIRE_TABLE: Final = 512  # bytes between the header of a solitaire file and its positions


@dataclass(frozen=True, slots=True)
class WthorHeader:
    """A header as it is written in the file.

    Attributes:
        century: of the file's date, the first two digits of the year.
        year: the last two.
        month: from 1; 0 is unknown.
        day: from 1; 0 is unknown.
        games: how many games follow; 0 in files of names.
        names: how many names follow; 0 in files of games.
        played: the year the games were played; 0 in files of names.
        board: 8, or 0 for 8; 10 for 10x10.
        solitaires: 1 in a file of solitaires.
        depth: how many squares are empty in the positions of the theoretical scores; 0 stands for 22.
        reserved: the last byte.

    Raises:
        RecordError: a number that its bytes cannot hold.
    """

    century: int
    year: int
    month: int
    day: int
    games: int = 0
    names: int = 0
    played: int = 0
    board: int = 0
    solitaires: int = 0
    depth: int = 0
    reserved: int = 0

    def __post_init__(self) -> None:
        self.pack()

    @classmethod
    def made_on(cls, date: datetime.date, **numbers: int) -> WthorHeader:
        """Return the header of a file of a date."""
        return cls(date.year // 100, date.year % 100, date.month, date.day, **numbers)

    @classmethod
    def parse(cls, data: bytes) -> WthorHeader:
        """Return the header at the beginning of ``data``.

        Raises:
            RecordError: there are not enough bytes.
        """
        if len(data) < HEADER_BYTES:
            raise RecordError(f"{len(data)} bytes are not a WTHOR header, which has {HEADER_BYTES}")
        return cls(*_LAYOUT.unpack_from(data))

    def pack(self) -> bytes:
        """Return the bytes of the header.

        Raises:
            RecordError: a number does not fit.
        """
        try:
            return _LAYOUT.pack(*_NUMBERS(self))
        except struct.error:
            raise RecordError(f"a WTHOR header cannot hold these numbers: {self}") from None

    @property
    def date(self) -> str:
        """The date of the file, as ``2016.02.12``."""
        return f"{self.century:02d}{self.year:02d}.{self.month:02d}.{self.day:02d}"

    @property
    def kind(self) -> WthorKind | None:
        """The kind of file that the header announces; ``None`` when it is no header of such a file.

        A file of names does not say which; it is one of players here.
        """
        dated = 18 <= self.century <= 30 and self.year <= 99 and self.month <= 12 and self.day <= 31
        if not dated and (self.century, self.year, self.month, self.day) != (0, 0, 0, 0):
            return None
        if self.names and not (self.games or self.played):
            return WthorKind.PLAYERS
        if self.solitaires == 1 and self.board in (0, 8):
            return WthorKind.SOLITAIRES
        if self.solitaires or self.names:
            return None
        return {0: WthorKind.GAMES, 8: WthorKind.GAMES, 10: WthorKind.LARGE_GAMES}.get(self.board)


_NUMBERS: Final = attrgetter(*(part.name for part in fields(WthorHeader)))


def wthor_kind(head: bytes, size: int) -> WthorKind | None:
    """Recognize the kind of a WTHOR file by its first bytes and its size.

    A file that is cut off, or has more bytes than its header says, is recognized by its first game.

    Args:
        head: the first bytes; 84 are enough.
        size: the bytes of the whole file.
    """
    if len(head) < HEADER_BYTES:
        return None
    header = WthorHeader.parse(head)
    kind = header.kind
    body_bytes = size - HEADER_BYTES
    if kind is WthorKind.PLAYERS:
        if body_bytes == header.names * NAME_BYTES[WthorKind.TOURNAMENTS]:
            return WthorKind.TOURNAMENTS
        return kind if body_bytes == header.names * NAME_BYTES[kind] else None
    if kind is WthorKind.SOLITAIRES:
        return kind if body_bytes == _SOLITAIRE_TABLE + header.games * GAME_BYTES[kind] else None
    if kind is None or (header.games == 0 and (body_bytes or not header.played)):
        return None
    if body_bytes == header.games * GAME_BYTES[kind]:
        return kind
    first = head[HEADER_BYTES + 8 : HEADER_BYTES + 12]  # the first moves, where the file has them
    return kind if first and all(_is_square(code) for code in first) else None


def _is_square(code: int) -> bool:
    return 1 <= code // 10 <= 8 and 1 <= code % 10 <= 8
