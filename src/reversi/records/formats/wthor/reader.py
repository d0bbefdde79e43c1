"""Games in WTHOR, the format of the French federation's database (``.wtb``), as records: nothing is lost.

A file has the games of one year: a header (`reversi.records.formats.wthor.header`) and 68 bytes for each
game: the numbers of tournament, Black and White (`reversi.records.formats.wthor.names`), Black's score with
the empty squares given to the winner, the theoretical score, and up to 60 placements. Passes are not written. A
game that stops early has a score that was decided otherwise.

What a record has no field for is in its tags, so that a file read, and written again by
`reversi.records.formats.wthor.writer`, is the same, byte for byte:

- ``WthorDate``, ``WthorDepth``: the date of the file, and the empty squares of its theoretical scores;
- ``WthorTournament``, ``WthorBlack``, ``WthorWhite``: the numbers, whatever the names;
- ``WthorTheoretical``: Black's score by best play from the position with that many empty squares;
- ``WthorBoard``, ``WthorReserved``: bytes of the header that are not what they always are.

Sources: the federation's format note (Quin and Nicolet), and its files.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

from reversi._core import Position, Square
from reversi._system.zip_files import open_path
from reversi.arguments import FilePath
from reversi.errors import RecordError
from reversi.records.batch_replay import END, NO_MOVE, Replay, Replays, Stop, replay_games
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.formats.wthor.header import GAME_BYTES, HEADER_BYTES, WthorHeader, WthorKind
from reversi.records.formats.wthor.names import load_wthor_names
from reversi.records.notes import clean
from reversi.records.record import Line, Node, Record, Tags

SIZE: Final = GAME_BYTES[WthorKind.GAMES]
SCORE_AT: Final = 6
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
"""What the bytes of moves mean, for `replay_games`."""

_START: Final = Position()


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
        self.header: WthorHeader = WthorHeader.parse(stream.read(HEADER_BYTES))
        kind = self.header.kind
        if kind is None:
            raise RecordError("not a WTHOR file")
        if kind is not WthorKind.GAMES:
            raise RecordError(f"{kind.value}; only games on 8x8 boards are read")

    def chunks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the number, from 1, of a chunk's first game, and the bytes of its games.

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
        """Return the damage of a chunk as a whole: part of a game, or bytes after the end of the file."""
        announced = self.header.games
        if is_hole(data):
            message = f"nothing but zero bytes from this game on, of {announced} that its header announces"
            return Entry(number, 0, Record(), [Finding(Code.TRUNCATED, message)], ours=False)
        if number > announced:
            message = (
                f"the file goes on behind its end: its header announces {announced} game{'s'[: announced != 1]}"
            )
            return Entry(number, 0, Record(), [Finding(Code.SYNTAX, message)], ours=False, is_game=False)
        whole = number - 1 + len(data) // SIZE
        if len(data) % SIZE:
            message = f"the file ends inside this game, of {announced} that its header announces"
        elif whole < min(announced, number - 1 + CHUNK):
            message = f"the file ends before this game, of {announced} that its header announces"
        else:
            return None
        return Entry(whole + 1, 0, Record(), [Finding(Code.TRUNCATED, message)], ours=False)


def is_hole(data: bytes) -> bool:
    """Return whether a chunk is nothing but zero bytes, as where a file was never written."""
    return len(data) == CHUNK * SIZE and not data.strip(b"\0")


def replay_chunk(data: bytes, *, lines: bool = False) -> Replays:
    count = len(data) // SIZE
    if not count:
        return Replays([], b"")
    return replay_games(
        data, count, first=MOVES_AT, step=SIZE, length=MOVES, encoding=ENCODING, start=_START, lines=lines
    )


def board_score(replay: Replay) -> int | None:
    """Black's score with the empty squares given to the winner, ``None`` in a game that is not over."""
    if not replay.over:
        return None
    return with_empties(replay.black.bit_count(), replay.white.bit_count())


def with_empties(black: int, white: int) -> int:
    """Black's score where the winner has the empty squares too."""
    return 64 - white if black > white else black if black < white else 32


def recorded_result(replay: Replay, score: int) -> str:
    """Return the result of a record: the discs where the score is theirs, else the score as recorded."""
    if score == board_score(replay):
        return f"{replay.black.bit_count()}-{replay.white.bit_count()}"
    return f"{score}-{64 - score}" if score <= 64 else str(score)


def read_wthor(
    source: bytes | BinaryIO, players: Sequence[str] = (), tournaments: Sequence[str] = ()
) -> Iterator[Entry]:
    """Return the games of a file, one at a time, forced passes put in.

    A number without a name gives an unknown name. A game whose moves are wrong keeps those up to the wrong one,
    and what cannot be a move is a finding; a file that is cut off ends with an entry that says so.

    Args:
        source: the file's bytes, or the file open at its beginning.
        players: names of the players by number, as in `WthorNames`.
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
            for index, replay in enumerate(replays.games):
                game = data[index * SIZE : (index + 1) * SIZE]
                yield makers.entry(number + index, game, replay, replays.numbers(index))
        if (damage := games.damage(number, data)) is not None:
            yield damage


def read_wthor_file(path: FilePath) -> Iterator[Entry]:
    """Yield the games of a file with the names that lie beside it, one at a time; damaged names are left out.

    Raises:
        RecordError: not a file of games on 8x8 boards.
        OSError: it cannot be read.
    """
    path = Path(path)
    players, tournaments, _ = load_wthor_names(path)
    with open_path(path) as stream:
        yield from read_wthor(stream, players, tournaments)


class _EntryMaker:
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

    def entry(self, number: int, game: bytes, replay: Replay, moves: bytes) -> Entry:
        line = Line.of_numbers(moves)
        findings = []
        if replay.stop:
            codes = game[MOVES_AT:]
            if (finding := stop_finding(replay, codes)) is not None:
                findings.append(finding)
            else:
                rest = codes[replay.at :]
                line.nodes += [Node(Square(ENCODING[code])) for code in rest if ENCODING[code] < 64]
        record = Record(self.tags(game, replay), _START, line, recorded_result(replay, game[SCORE_AT]))
        return Entry(number, 0, record, findings, ours=False)


def stop_finding(replay: Replay, codes: bytes) -> Finding | None:
    """Return the finding for malformed moves of a game; ``None`` when they are well-formed but illegal."""
    if replay.stop == Stop.NO_MOVE:
        return Finding(Code.INVALID_MOVE, f"{codes[replay.at]} is not the number of a square", replay.plies + 1)
    if replay.stop == Stop.AFTER_END:
        return Finding(Code.SYNTAX, f"a move after the end of the moves, in byte {replay.at + 1} of 60")
    return None


def _numbers(game: bytes) -> tuple[int, ...]:
    return tuple(int.from_bytes(game[at : at + 2], "little") for at in (0, 2, 4))


def player_names(game: bytes, players: Sequence[str]) -> tuple[str, str]:
    """Return the names of Black and White, given the bytes of a game or the first six of them."""
    _, black, white = _numbers(game)
    return clean(_name(players, black)), clean(_name(players, white))


def _name(names: Sequence[str], number: int) -> str:
    return names[number] if number < len(names) else "?"
