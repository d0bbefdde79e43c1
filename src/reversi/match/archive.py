"""The file of a match: every game as it ends, so that a killed match loses no finished game.

A game is one piece of text with an empty line at its end, brought to the disk before the next one. What a killed
program leaves after the last such piece is an unfinished game: it is cut off when the match continues.
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path
from typing import BinaryIO, Final

from reversi._system.locks import Lock
from reversi._system.paths import exists, is_file, is_folder, real_path
from reversi.errors import InputError, RecordError
from reversi.match.games import MatchGame, match_game
from reversi.records.formats.pgn.reader import parse_record

_END: Final = b"\n\n"
_BEGIN: Final = b"[Event "
_FIRST: Final = b'[Event "reversi match"]\n'


class MatchFile:
    """The file of a match, open for writing; one program at a time.

    Args:
        match: the name of the match, as in the tag ``Match`` of its games.
        resume: whether the file may hold games of this match.
        overwrite: whether what the file holds is dropped.

    Raises:
        FileExistsError: the file holds something, and neither ``resume`` nor ``overwrite`` is given.
        InputError: the file is not that of this match.
        OSError: the file cannot be read or written, or another match writes to it.
    """

    def __init__(self, path: Path, match: str, *, resume: bool = True, overwrite: bool = False) -> None:
        self._path = path
        # a pipe waits for ever, and a device such as /dev/full has no end
        if exists(path) and not (is_file(path) or is_folder(path)):
            raise OSError(errno.EINVAL, "not a regular file, which a match can read back")
        target = real_path(path)
        lock = Lock.take(target.with_name(f".{target.name}.lock"), wait_s=0.2)
        if lock is None:
            raise BlockingIOError(errno.EAGAIN, "another match writes to it", str(path))
        self._lock = lock
        self._stream: BinaryIO | None = None
        try:
            if overwrite and exists(path):
                path.write_bytes(b"")
            self.games: list[MatchGame] = self._read(match, resume)
            """The games that the file had."""
            self._stream = path.open("ab")
        except BaseException:
            lock.release()
            raise

    def _read(self, match: str, resume: bool) -> list[MatchGame]:
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return []
        if data and not resume:
            raise FileExistsError(errno.EEXIST, "it already contains games")
        whole = _whole(data)
        if not (data[whole:] + _FIRST).startswith(_FIRST[: len(data) - whole]):
            raise InputError(f"{self._path}: not the file of a match, left unchanged; choose another file")
        games: list[MatchGame] = []
        for number, text in enumerate(_games(data[:whole]), 1):
            try:
                record = parse_record(text, ours=True)
                game = match_game(record, text)
            except (RecordError, ValueError, KeyError) as error:
                raise InputError(
                    f"{self._path}: game {number}: {error}; this is not the file of a match"
                ) from None
            if record.tags["Match"] != match:
                raise InputError(
                    f"{self._path}: game {number} belongs to a match with other players, openings, clocks or"
                    " limits; repeat the command that began it, or choose another file"
                )
            games.append(game)
        if whole < len(data):
            with self._path.open("r+b") as stream:
                stream.truncate(whole)
        return games

    def add(self, text: str) -> None:
        """Write a game.

        Raises:
            OSError: the file cannot be written.
        """
        assert self._stream is not None
        self._stream.write(text.encode("utf-8", "surrogateescape") + b"\n")
        self._stream.flush()
        with contextlib.suppress(OSError):  # a pipe or a device
            os.fsync(self._stream.fileno())

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
        self._lock.release()


def _whole(data: bytes) -> int:
    """Return how many bytes hold finished games."""
    end = len(data)
    while True:
        end = data.rfind(_END, 0, end) + len(_END)
        if end < len(_END):
            return 0
        begin = data.rfind(_BEGIN, 0, end)
        # a game has two such ends: that of its tags, and its own
        if data.count(_END, max(begin, 0), end) == 2:
            return end
        end -= 1


def _games(data: bytes) -> list[str]:
    text = data.decode("utf-8", "surrogateescape")
    pieces = text.split(_END.decode())
    if len(pieces) % 2 != 1 or pieces[-1]:
        raise RecordError("not a list of games")
    return [f"{pieces[at]}\n\n{pieces[at + 1]}\n" for at in range(0, len(pieces) - 1, 2)]
