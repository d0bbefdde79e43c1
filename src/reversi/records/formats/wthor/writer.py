"""Games written in WTHOR (``.wtb``), with the names they refer to (``.JOU``, ``.TRN``).

Numbers, dates and theoretical scores come from the tags that :mod:`reversi.records.formats.wthor.reader` gives the
games of such a file. The moves of other games are written as they are, not turned so that f5 is the first.
"""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reversi._core import PASS, Position
from reversi.errors import IllegalMoveError, RecordError
from reversi.records.formats.wthor.header import WthorHeader, WthorKind
from reversi.records.formats.wthor.names import NameTable, WthorNames, stored_name
from reversi.records.formats.wthor.reader import MOVES, SIZE, with_empties
from reversi.records.record import Record, Tags
from reversi.records.replay import rule_flips
from reversi.rules import OTHELLO

__all__ = ["WthorFiles", "write_wthor", "wthor_losses", "wthor_refusal"]

_CODES: Final = bytes(11 + square % 8 + 10 * (square // 8) for square in range(64))
_START: Final = Position()
_DEPTH: Final = 24  # the usual one
_DECIDED: Final = {"1-0": 64, "0-1": 0, "1/2-1/2": 32}
_HELD: Final = frozenset(("Event", "Date", "Black", "White", "Termination"))
_COUNT = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")
_DATE = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")


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


def wthor_losses(record: Record) -> list[str]:
    """What of a record WTHOR does not hold, as words for people; nothing for one that cannot be written at all."""
    try:
        return _losses(record, _end(record))
    except RecordError:
        return []


def wthor_refusal(record: Record) -> str | None:
    """Why WTHOR cannot hold a game at all, ``None`` when it can."""
    try:
        _end(record)
    except RecordError as error:
        return str(error)
    return None


def _losses(record: Record, end: Position) -> list[str]:
    nodes = record.line.nodes
    bare = Tags({"Date": f"{_year(record):04d}.??.??"} if _year(record) else {})
    dropped = {
        "days and months": record.tags["Date"] != bare["Date"],
        "names in full": any(
            stored_name(name, kind) != name
            for name, kind in (
                (record.black, WthorKind.PLAYERS),
                (record.white, WthorKind.PLAYERS),
                (record.tags["Event"], WthorKind.TOURNAMENTS),
            )
        ),
        "terminations": record.tags.get("Termination", "adjudication") != "adjudication",
        "other tags": any(
            name not in _HELD and not name.startswith("Wthor") and value != bare.get(name)
            for name, value in record.tags.pairs
        ),
        "results": _score(record, end)[1],
        "dates of files and sizes of boards that WTHOR does not have": _board(record) is None
        or ("WthorDate" in record.tags and _date(record) is None),
        "passes": PASS in record.moves,
        "comments": bool(record.line.comments) or any(node.comments for node in nodes),
        "glyphs": any(node.nags for node in nodes),
        "clocks": any(node.clock is not None for node in nodes),
        "times of turns": any(node.elapsed is not None for node in nodes),
        "evaluations": any(node.evaluation is not None for node in nodes),
        "variations": any(node.variations for node in nodes),
    }
    return [name for name, lost in dropped.items() if lost]


def _end(record: Record) -> Position:
    """The position at the end of a game that can be written.

    Raises:
        RecordError: WTHOR has no such games.
    """
    if record.rules != OTHELLO:
        raise RecordError(f"WTHOR holds games of othello, not of {record.rules}")
    position = record.start
    if position != _START:
        raise RecordError("WTHOR holds games from the standard start only")
    for ply, node in enumerate(record.line.nodes, 1):
        try:
            if not rule_flips(position, node):
                raise RecordError(f"ply {ply}: discs were turned by hand, which WTHOR cannot tell")
            position = position.play(node.move)
        except IllegalMoveError as error:
            raise RecordError(f"ply {ply}: {error}") from None
    return position


def _score(record: Record, end: Position) -> tuple[int, bool]:
    """Black's score as WTHOR writes it, and whether it says less than the result of the record."""
    text = record.result
    discs = end.count
    match = _COUNT.fullmatch(text)
    if text == discs.discs and end.is_over:
        return with_empties(discs.black, discs.white), False
    if text in _DECIDED:
        return _DECIDED[text], True
    if match is not None and int(match[1]) + int(match[2]) == 64:
        return int(match[1]), False
    if text.isdecimal() and text.isascii() and len(text) < 4 and 64 < int(text) < 256:
        return int(text), False  # a byte that is no score
    if match is not None and int(match[1]) + int(match[2]) < 64:
        return with_empties(int(match[1]), int(match[2])), True
    return with_empties(discs.black, discs.white), True


def _year(record: Record) -> int:
    text = record.tags["Date"].partition(".")[0]
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 6 and int(text) < 1 << 16 else 0


def _byte(record: Record, name: str, default: int, limit: int = 256) -> int:
    text = record.tags.get(name, "")
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 6 and int(text) < limit else default


def _board(record: Record) -> int | None:
    """The size of the board that the header names, 0 for 8; ``None`` for one that no file of these games has."""
    size = _byte(record, "WthorBoard", -1) if "WthorBoard" in record.tags else 8
    return size if size in (0, 8) else None


def _date(record: Record) -> tuple[int, int, int, int] | None:
    """Century, year, month and day of the file; ``None`` where a game tells none that a file can have."""
    match = _DATE.fullmatch(record.tags.get("WthorDate", ""))
    if match is None:
        return None
    year, month, day = map(int, match.groups())
    date = (year // 100, year % 100, month, day)
    return date if WthorHeader(*date, board=8).kind is WthorKind.GAMES else None


def write_wthor(
    records: Iterable[Record],
    *,
    players: Sequence[str] = (),
    tournaments: Sequence[str] = (),
    date: datetime.date | None = None,
) -> WthorFiles:
    """A file of games, and the names it refers to.

    Names keep the numbers that the tags of the games give them; the others are found among ``players`` and
    ``tournaments``, or added to them. Games that do not come from a WTHOR file have their score for the
    theoretical one. The year, the date and the depth of the file are those of the first game; where others differ,
    that is lost.

    Args:
        records: the games, in the order of the file.
        players: names by number that are there already.
        tournaments: names by number that are there already.
        date: the date of the file where the first game does not tell it; today when not given.

    Raises:
        RecordError: a game that WTHOR cannot hold (other rules or another start, wrong moves, discs turned by
        hand),
            with its number; or too many names.
    """
    writer = _Writer(players, tournaments, date or datetime.date.today())
    for number, record in enumerate(records, 1):
        try:
            writer.add(record)
        except RecordError as error:
            raise RecordError(f"game {number}: {error}") from None
    return writer.finish()


class _Writer:
    """Games on their way into a file."""

    def __init__(self, players: Sequence[str], tournaments: Sequence[str], date: datetime.date) -> None:
        self._players = NameTable(WthorKind.PLAYERS, players)
        self._tournaments = NameTable(WthorKind.TOURNAMENTS, tournaments)
        self._date = date
        self._games = bytearray()
        self._nameless: list[tuple[int, NameTable, str]] = []
        self._header: WthorHeader | None = None
        self._lost: Counter[str] = Counter()

    def add(self, record: Record) -> None:
        """Add one game."""
        end = _end(record)
        lost = _losses(record, end)
        header = self._header_of(record)
        if self._header is None:
            self._header = header
        elif header.played != self._header.played:
            lost.append("years other than the first game's")
        elif header != self._header:
            lost.append("file dates and depths other than the first game's")
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
        self._lost.update(lost)

    def _header_of(self, record: Record) -> WthorHeader:
        day = self._date
        board = _board(record)
        return WthorHeader(
            *(_date(record) or (day.year // 100, day.year % 100, day.month, day.day)),
            played=_year(record),
            board=8 if board is None else board,
            depth=_byte(record, "WthorDepth", _DEPTH),
            reserved=_byte(record, "WthorReserved", 0),
        )

    def finish(self) -> WthorFiles:
        """The files. Nothing can be added any more."""
        for at, table, name in self._nameless:
            self._games[at : at + 2] = table.add(name).to_bytes(2, "little")
        header = self._header or WthorHeader(
            self._date.year // 100, self._date.year % 100, self._date.month, self._date.day, board=8, depth=_DEPTH
        )
        games = replace(header, games=len(self._games) // SIZE).pack() + bytes(self._games)
        date = self._date
        players = WthorNames.of(WthorKind.PLAYERS, self._players.names, date)
        tournaments = WthorNames.of(WthorKind.TOURNAMENTS, self._tournaments.names, date)
        return WthorFiles(games, players, tournaments, self._lost)
