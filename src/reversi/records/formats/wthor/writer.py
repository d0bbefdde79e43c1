"""Games written in WTHOR (``.wtb``), with the names they refer to (``.JOU``, ``.TRN``).

Numbers, dates and theoretical scores come from the tags that `reversi.records.formats.wthor.reader` gives the
games of such a file. The moves of other games are written as they are, not rotated so that f5 is the first.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import reversi._regex as re
from reversi._core import PASS, Position
from reversi.arguments import check_type
from reversi.errors import IllegalMoveError, RecordError
from reversi.records.dates import year_in
from reversi.records.formats.format import OtherFileError
from reversi.records.formats.wthor.header import WthorHeader, WthorKind
from reversi.records.formats.wthor.names import NameTable, WthorNames, stored_name
from reversi.records.formats.wthor.reader import MOVES, SIZE, with_empties
from reversi.records.formats.wthor.wthor_format import FORMAT
from reversi.records.outcome import Outcome
from reversi.records.record import Record
from reversi.records.replay import rule_flips
from reversi.rules import OTHELLO

_CODES: Final = bytes(11 + square % 8 + 10 * (square // 8) for square in range(64))
_START: Final = Position()
_DEPTH: Final = 24  # the usual one
_DECIDED: Final = {"1-0": 64, "0-1": 0, "1/2-1/2": 32}
_HELD: Final = frozenset(("Event", "Date", "Black", "White", "Termination"))
_COUNT = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")
_OURS = re.compile(r"([0-9]{4,5})\.\?\?\.\?\?")  # as the reader writes the year of a file
_DATE = re.compile(r"([0-9]{2})([0-9]{2})\.([0-9]{2})\.([0-9]{2})")


@dataclass(frozen=True, slots=True)
class WthorFiles:
    """Games in WTHOR, with the names that they refer to.

    Attributes:
        games: the file of the games (``.wtb``).
        players: the names of the players (``.JOU``), those that were given first.
        tournaments: the names of the tournaments (``.TRN``), those that were given first.
        lost: what the games had that the file does not hold, as words for people, with the number of games.
    """

    games: bytes
    players: WthorNames
    tournaments: WthorNames
    lost: Counter[str]


def loses_days(record: Record) -> bool:
    """Return whether the date of a record says more than a year that WTHOR has."""
    check_type("record", record, Record)
    year = _year(record)
    return record.tags["Date"] != (f"{year:04d}.??.??" if year else "????.??.??")


def loses_names(record: Record) -> bool:
    """Return whether WTHOR shortens a name of a record, or changes its characters."""
    check_type("record", record, Record)
    return any(
        stored_name(name, kind) != name
        for name, kind in (
            (record.black, WthorKind.PLAYERS),
            (record.white, WthorKind.PLAYERS),
            (record.tags["Event"], WthorKind.TOURNAMENTS),
        )
    )


def loses_result(record: Record) -> bool:
    """Return whether the score that WTHOR has for a record says less than its result."""
    check_type("record", record, Record)
    try:
        return _score(record, _end(record))[1]
    except RecordError:
        return False


def loses_header(record: Record) -> bool:
    """Return whether the tags of a record give a file date or a board that no file of games has."""
    check_type("record", record, Record)
    return _board(record) is None or ("WthorDate" in record.tags and _dated(record) is None)


def wthor_keeps_tag(record: Record, name: str, value: str, times: int) -> bool:
    """Return whether WTHOR has a place for a tag, or counts its loss under another name."""
    check_type("record", record, Record)
    return name in _HELD or name.startswith("Wthor")


def _end(record: Record) -> Position:
    """Return the position at the end of a game that can be written.

    Raises:
        RecordError: WTHOR cannot hold the game.
    """
    if record.rules != OTHELLO:
        raise RecordError(f"WTHOR holds games of othello, not of {record.rules}")
    position = record.start
    if position != _START:
        raise RecordError("WTHOR holds games from the standard start only")
    for ply, node in enumerate(record.line.nodes, 1):
        try:
            if not rule_flips(position, node):
                raise RecordError(f"ply {ply}: discs were flipped by hand, which WTHOR cannot hold")
            position = position.play(node.move)
        except IllegalMoveError as error:
            raise RecordError(f"ply {ply}: {error}") from None
    return position


def _score(record: Record, end: Position) -> tuple[int, bool]:
    """Black's score as WTHOR writes it, and whether it says less than the result of the record."""
    text, recorded = record.result, Outcome.of(record).discs
    discs = end.count
    if text == discs.discs and end.is_over:
        return with_empties(discs.black, discs.white), False
    if text in _DECIDED:
        return _DECIDED[text], True
    if recorded is not None:
        return with_empties(*recorded), sum(recorded) < 64
    if text.isdecimal() and text.isascii() and len(text) < 4 and 64 < int(text) < 256:
        return int(text), False  # a byte that is not a score
    return with_empties(discs.black, discs.white), True


def _year(record: Record) -> int:
    date = record.tags["Date"]
    ours = _OURS.fullmatch(date)
    year = int(ours[1]) if ours else year_in(date) or 0
    return year if year < 1 << 16 else 0


def _byte(record: Record, name: str, default: int, limit: int = 256) -> int:
    text = record.tags.get(name, "")
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 6 and int(text) < limit else default


def _board(record: Record) -> int | None:
    """Return the size of the board that the header names, 0 for 8; ``None`` for one that no file of these games
    has.
    """
    size = _byte(record, "WthorBoard", -1) if "WthorBoard" in record.tags else 8
    return size if size in (0, 8) else None


def _dated(record: Record) -> WthorHeader | None:
    """Return a header with the date of the file; ``None`` where a game gives none that a file can have."""
    match = _DATE.fullmatch(record.tags.get("WthorDate", ""))
    if match is None:
        return None
    century, year, month, day = map(int, match.groups())
    header = WthorHeader(century, year, month, day, board=8)
    return header if header.kind is WthorKind.GAMES else None


def pack_wthor(
    records: Iterable[Record],
    *,
    players: Sequence[str] = (),
    tournaments: Sequence[str] = (),
    date: datetime.date | None = None,
) -> WthorFiles:
    """Write a file of games, and the names it refers to.

    Names keep the numbers that the tags of the games give them; the others are found among ``players`` and
    ``tournaments``, or added to them. Games that do not come from a WTHOR file have their score for the
    theoretical one. A file has the games of one year. Its date and depth are those of the first game; where others
    differ, that is lost.

    Args:
        records: the games, in the order of the file.
        players: existing names by number.
        tournaments: existing names by number.
        date: the date of the file where the first game does not give it; today when not given.

    Raises:
        RecordError: a game that WTHOR cannot hold (other rules or another start, wrong moves, discs flipped by
            hand), or of another year than the first, with its number; or too many names.
    """
    writer = WthorWriter(players, tournaments, date)
    for number, record in enumerate(records, 1):
        try:
            writer.add(record)
        except RecordError as error:
            raise RecordError(f"game {number}: {error}") from None
    games = writer.finish()
    assert writer.names is not None
    return WthorFiles(games, *writer.names, writer.lost)


def _table(kind: WthorKind, names: Sequence[str]) -> NameTable:
    return names if isinstance(names, NameTable) else NameTable(kind, names)


class WthorWriter:
    """Games on their way into a file: a `reversi.records.formats.format.Writer`.

    Args:
        players: names of players that have numbers already. A `NameTable` is shared: give the same one to the
            writers of several files, and finish none before all have their games.
        tournaments: the same for names of tournaments.
        date: the date of the file where the first game does not give it; today when not given.

    Attributes:
        lost: what the games have that the file does not hold, as words for people, with the number of games.
        lost_tags: the names of the tags among that.
        names: the names that the games refer to, after `finish`.
    """

    def __init__(
        self, players: Sequence[str], tournaments: Sequence[str], date: datetime.date | None = None
    ) -> None:
        self.lost: Counter[str] = Counter()
        self.lost_tags: Counter[str] = Counter()
        self.names: tuple[WthorNames, WthorNames] | None = None
        self._players = _table(WthorKind.PLAYERS, players)
        self._tournaments = _table(WthorKind.TOURNAMENTS, tournaments)
        self._date = date or datetime.date.today()
        self._games = bytearray()
        self._nameless: list[tuple[int, NameTable, str]] = []
        self._header: WthorHeader | None = None

    def add(self, record: Record) -> bytes:
        """Add one game; the bytes come at the end.

        Raises:
            OtherFileError: the game is of another year than the first.
            RecordError: WTHOR cannot hold the game.
        """
        end = _end(record)
        header = self._header_of(record)
        if self._header is not None and header.played != self._header.played:
            years = " and ".join(
                str(year) if year else "an unknown year" for year in (self._header.played, header.played)
            )
            raise OtherFileError(f"games of {years}; a WTHOR file has the games of one year")
        losses, tags = FORMAT.holds.both_losses(record)
        self.lost.update(losses)
        self.lost_tags.update(tags)
        if self._header is None:
            self._header = header
        elif header != self._header:
            self.lost["file dates and depths other than the first game's"] += 1
        at = len(self._games)
        for offset, table, name, tag in (
            (0, self._tournaments, record.tags["Event"], "WthorTournament"),
            (2, self._players, record.black, "WthorBlack"),
            (4, self._players, record.white, "WthorWhite"),
        ):
            given = _byte(record, tag, -1, 1 << 16)
            number = table.claim(name, given if given >= 0 else None)
            if number is None:
                self._nameless.append((at + offset, table, name))
                number = 0
            self._games += number.to_bytes(2, "little")
        score, _ = _score(record, end)
        codes = bytes(_CODES[move.index] for move in record.moves if move is not PASS)
        self._games += bytes((score, _byte(record, "WthorTheoretical", min(score, 64))))
        self._games += codes.ljust(MOVES, b"\0")
        return b""

    def _header_of(self, record: Record) -> WthorHeader:
        board = _board(record)
        return replace(
            _dated(record) or WthorHeader.made_on(self._date),
            played=_year(record),
            board=8 if board is None else board,
            depth=_byte(record, "WthorDepth", _DEPTH),
            reserved=_byte(record, "WthorReserved", 0),
        )

    def finish(self) -> bytes:
        """Return the file of the games. No game can be added afterwards.

        Raises:
            RecordError: too many names.
        """
        for at, table, name in self._nameless:
            self._games[at : at + 2] = table.add(name).to_bytes(2, "little")
        header = self._header or WthorHeader.made_on(self._date, board=8, depth=_DEPTH)
        self.names = (
            WthorNames.of(WthorKind.PLAYERS, self._players.names, self._date),
            WthorNames.of(WthorKind.TOURNAMENTS, self._tournaments.names, self._date),
        )
        return replace(header, games=len(self._games) // SIZE).pack() + bytes(self._games)
