"""Games in WTHOR, the format of the French federation's database (``.wtb``): read and written, nothing lost.

A file has the games of one year: a header (:mod:`reversi.records.wthor_header`) and 68 bytes for each game: the
numbers of tournament, Black and White (:mod:`reversi.records.wthor_names`), Black's score with the empty squares
given to the winner, the theoretical score, and up to 60 placements. Passes are not written. A game that stops
early has a score that was decided otherwise.

What a record has no field for is in its tags, so that a file read and written again is the same, byte for byte:

- ``WthorDate``, ``WthorDepth``: the date of the file, and the empty squares of its theoretical scores;
- ``WthorTournament``, ``WthorBlack``, ``WthorWhite``: the numbers, whatever the names;
- ``WthorTheoretical``: Black's score by best play from the position with that many empty squares;
- ``WthorBoard``, ``WthorReserved``: bytes of the header that are not what they always are.

Sources: the federation's format note (Quin and Nicolet), and its files.
"""

from __future__ import annotations

import datetime
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Final

from reversi._core import PASS, Move, Position, Square
from reversi.errors import IllegalMoveError, RecordError
from reversi.records.batch_replay import END, NO_MOVE, Replay, Replays, Stop, replay_games
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.record import Line, Node, Record, Tags, clean
from reversi.records.replay import rule_flips
from reversi.records.wthor_header import GAME_BYTES, HEADER_BYTES, WthorHeader, WthorKind
from reversi.records.wthor_names import NameTable, WthorNames, load_wthor_names, stored_name
from reversi.rules import OTHELLO

__all__ = [
    "WthorFiles",
    "WthorGames",
    "read_wthor",
    "read_wthor_file",
    "write_wthor",
    "wthor_losses",
    "wthor_refusal",
]

SIZE: Final = GAME_BYTES[WthorKind.GAMES]
MOVES_AT: Final = 8
MOVES: Final = 60
CHUNK: Final = 1024
"""Games that are read and replayed at once."""

ENCODING: Final = bytes(
    END
    if code == 0
    else 8 * (code // 10 - 1) + code % 10 - 1
    if code // 10 in range(1, 9) and code % 10 in range(1, 9)
    else NO_MOVE
    for code in range(256)
)
"""What the bytes of moves mean, for :func:`~reversi.records.batch_replay.replay_games`."""
_CODES: Final = bytes(11 + square % 8 + 10 * (square // 8) for square in range(64))

_START: Final = Position()
_DEPTH: Final = 24  # the usual one
_DECIDED: Final = {"1-0": 64, "0-1": 0, "1/2-1/2": 32}
_HELD: Final = frozenset(("Event", "Date", "Black", "White", "Termination"))
_COUNT = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")
_DATE = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")


class WthorGames:
    """A file of WTHOR games being read: its header, then its games in chunks. Memory does not grow with the file.

    Args:
        stream: the file, at its beginning.

    Raises:
        RecordError: not a file of games on 8x8 boards; the message says what it is instead.
        OSError: it cannot be read.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.header = WthorHeader.parse(stream.read(HEADER_BYTES))
        kind = self.header.kind
        if kind is None:
            raise RecordError("not a WTHOR file")
        if kind is not WthorKind.GAMES:
            raise RecordError(f"{kind.value}; only games on 8x8 boards are read")

    def chunks(self) -> Iterator[tuple[int, bytes]]:
        """The number, from 1, of a chunk's first game, and the bytes of its games.

        The last chunk ends inside a game where the file does, or is nothing but zero bytes where the file has a
        hole; what lies behind the announced games is the last one.
        """
        number, left = 1, self.header.games
        while left:
            wanted = min(left, CHUNK)
            data = self._stream.read(wanted * SIZE)
            yield number, data
            if len(data) < wanted * SIZE or is_hole(data):
                return
            number += wanted
            left -= wanted
        if behind := self._stream.read(SIZE):
            yield number, behind

    def damage(self, number: int, data: bytes) -> Entry | None:
        """What is wrong with a chunk as a whole: it has a part of a game, or the file goes on behind its end."""
        announced = self.header.games
        if is_hole(data):
            message = f"nothing but zero bytes from this game on, of {announced} that its header announces"
            return Entry(number, 0, Record(), [Finding(Code.TRUNCATED, message)], ours=False)
        if number > announced:
            message = (
                f"the file goes on behind its end: its header announces {announced} game{'s'[: announced != 1]}"
            )
            return Entry(number, 0, Record(), [Finding(Code.SYNTAX, message)], ours=False)
        whole = number - 1 + len(data) // SIZE
        if len(data) % SIZE:
            message = f"the file ends inside this game, of {announced} that its header announces"
        elif whole < min(announced, number - 1 + CHUNK):
            message = f"the file ends before this game, of {announced} that its header announces"
        else:
            return None
        return Entry(whole + 1, 0, Record(), [Finding(Code.TRUNCATED, message)], ours=False)


def is_hole(data: bytes) -> bool:
    """Whether a chunk is nothing but zero bytes, as where a file was never written."""
    return len(data) == CHUNK * SIZE and not data.strip(b"\0")


def replay_chunk(data: bytes, *, lines: bool = False) -> Replays:
    """What becomes of the whole games of a chunk."""
    count = len(data) // SIZE
    if not count:
        return Replays(_START, MOVES, b"", b"")
    return replay_games(
        data, count, first=MOVES_AT, step=SIZE, length=MOVES, encoding=ENCODING, start=_START, lines=lines
    )


def board_score(replay: Replay) -> int | None:
    """Black's score with the empty squares given to the winner, ``None`` in a game that is not over."""
    if not replay.over:
        return None
    return _with_empties(replay.black.bit_count(), replay.white.bit_count())


def _with_empties(black: int, white: int) -> int:
    return 64 - white if black > white else black if black < white else 32


def recorded_result(replay: Replay, score: int) -> str:
    """The result of a record: the discs where the score is theirs, else the score as recorded."""
    if score == board_score(replay):
        return f"{replay.black.bit_count()}-{replay.white.bit_count()}"
    return f"{score}-{64 - score}" if score <= 64 else str(score)


def read_wthor(
    source: bytes | BinaryIO, players: Sequence[str] = (), tournaments: Sequence[str] = ()
) -> Iterator[Entry]:
    """The games of a file, one at a time, forced passes put in.

    A number without a name gives an unknown name. A game whose moves are wrong keeps those up to the wrong one,
    and what cannot be a move is a finding; a file that is cut off ends with an entry that says so.

    Args:
        source: the file's bytes, or the file open at its beginning.
        players: names of the players by number, as in :class:`~reversi.records.wthor_names.WthorNames`.
        tournaments: names of the tournaments by number.

    Raises:
        RecordError: not a file of games on 8x8 boards.
        OSError: it cannot be read.
    """
    games = WthorGames(io.BytesIO(source) if isinstance(source, bytes) else source)
    return _entries(games, players, tournaments)


def _entries(games: WthorGames, players: Sequence[str], tournaments: Sequence[str]) -> Iterator[Entry]:
    makers = _EntryMaker(games.header, players, tournaments)
    for number, data in games.chunks():
        if number <= games.header.games and not is_hole(data):
            replays = replay_chunk(data, lines=True)
            for index, replay in enumerate(replays):
                game = data[index * SIZE : (index + 1) * SIZE]
                yield makers.entry(number + index, game, replay, replays.moves(index))
        if (damage := games.damage(number, data)) is not None:
            yield damage


def read_wthor_file(path: Path) -> Iterator[Entry]:
    """The games of a file with the names that lie beside it, one at a time; damaged names are left out.

    Raises:
        RecordError: not a file of games on 8x8 boards.
        OSError: it cannot be read.
    """
    players, tournaments, _ = load_wthor_names(path)
    with path.open("rb") as stream:
        yield from read_wthor(stream, players, tournaments)


class _EntryMaker:
    """Makes entries of the games of one file."""

    def __init__(self, header: WthorHeader, players: Sequence[str], tournaments: Sequence[str]) -> None:
        self._players = players
        self._tournaments = tournaments
        self._date = f"{header.played:04d}.??.??" if header.played else "????.??.??"
        self._later = [("WthorDate", header.date), ("WthorDepth", str(header.depth))]
        if header.board != 8:
            self._later.append(("WthorBoard", str(header.board)))
        if header.reserved:
            self._later.append(("WthorReserved", str(header.reserved)))

    def tags(self, game: bytes, replay: Replay) -> Tags:
        """The tags of a game."""
        tournament, black, white = _numbers(game)
        pairs = [
            ("Event", _name(self._tournaments, tournament)),
            ("Date", self._date),
            ("Black", _name(self._players, black)),
            ("White", _name(self._players, white)),
            ("WthorTournament", str(tournament)),
            ("WthorBlack", str(black)),
            ("WthorWhite", str(white)),
            ("WthorTheoretical", str(game[7])),
            *self._later,
        ]
        if not replay.over and not replay.stop:
            pairs.append(("Termination", "adjudication"))
        return Tags(pairs)

    def entry(self, number: int, game: bytes, replay: Replay, moves: Sequence[Move]) -> Entry:
        """One game."""
        nodes = [Node(move) for move in moves]
        findings = []
        if replay.stop:
            codes = game[MOVES_AT:]
            if (finding := stop_finding(replay, codes)) is not None:
                findings.append(finding)
            else:
                rest = codes[replay.at :]
                nodes += [Node(Square(ENCODING[code])) for code in rest if ENCODING[code] < 64]
        record = Record(self.tags(game, replay), _START, Line(nodes), recorded_result(replay, game[6]))
        return Entry(number, 0, record, findings, ours=False)


def stop_finding(replay: Replay, codes: bytes) -> Finding | None:
    """What is wrong with the writing of a game's moves; ``None`` when it is the play."""
    if replay.stop == Stop.NO_MOVE:
        return Finding(Code.INVALID_MOVE, f"{codes[replay.at]} is not the number of a square", replay.plies + 1)
    if replay.stop == Stop.AFTER_END:
        return Finding(Code.SYNTAX, f"a move after the end of the moves, in byte {replay.at + 1} of 60")
    return None


def _numbers(game: bytes) -> tuple[int, ...]:
    return tuple(int.from_bytes(game[at : at + 2], "little") for at in (0, 2, 4))


def player_names(game: bytes, players: Sequence[str]) -> tuple[str, str]:
    """The names of Black and White, given the bytes of a game or the first six of them."""
    _, black, white = _numbers(game)
    return clean(_name(players, black)), clean(_name(players, white))


def _name(names: Sequence[str], number: int) -> str:
    return names[number] if number < len(names) else "?"


# --- writing


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
        return _with_empties(discs.black, discs.white), False
    if text in _DECIDED:
        return _DECIDED[text], True
    if match is not None and int(match[1]) + int(match[2]) == 64:
        return int(match[1]), False
    if text.isdecimal() and text.isascii() and len(text) < 4 and 64 < int(text) < 256:
        return int(text), False  # a byte that is no score
    if match is not None and int(match[1]) + int(match[2]) < 64:
        return _with_empties(int(match[1]), int(match[2])), True
    return _with_empties(discs.black, discs.white), True


def _year(record: Record) -> int:
    text = record.tags["Date"].partition(".")[0]
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 6 and int(text) < 1 << 16 else 0


def _byte(record: Record, name: str, default: int, limit: int = 256) -> int:
    text = record.tags.get(name, "")
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 6 and int(text) < limit else default


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
        match = _DATE.fullmatch(record.tags.get("WthorDate", ""))
        day = self._date
        numbers = map(int, match.groups()) if match else (day.year, day.month, day.day)
        year, month, day_number = numbers
        return WthorHeader(
            year // 100,
            year % 100,
            min(month, 12),
            min(day_number, 31),
            played=_year(record),
            board=_byte(record, "WthorBoard", 8),
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
