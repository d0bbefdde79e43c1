"""What saves a sitting after every move: to the record that was asked for, and to a folder of unfinished sittings.

Both are keepers of a :class:`~reversi.session.Session`: called after every change, and each writes its file whole
or not at all. In the folder every sitting has a file of its own, named by when it began; a lock beside it tells a
sitting that goes on in another window from one whose program was killed. Finished games stay too, as ``.done``;
the oldest files go when there are very many.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import re
import stat
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reversi._system.files import atomic_stream, write_atomically
from reversi._system.locks import Lock, beside
from reversi.errors import InputError, RecordError
from reversi.session.session import Session

if TYPE_CHECKING:
    from reversi.records.entry import Entry

__all__ = ["GameSaver", "RecordKeeper", "Sittings", "save_record"]

FINISHED_KEPT: Final = 50
UNFINISHED_KEPT: Final = 500
_OPEN: Final = ".sitting"
_DONE: Final = ".done"
_WAIT_S: Final = 3.0  # for another program that writes the same file
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_BLANK_LINE: Final = re.compile(r"(?:\r\n|\n|\r)(?:\r\n|\n|\r)\Z")
_NO_DATE: Final = "????.??.??"


def save_record(session: Session, path: Path) -> None:
    """Write the record of a session's game.

    Raises:
        OSError: the file cannot be written; the message names it.
        ValueError: no file can have such a name, or no record such tags; the message names the file.
    """
    from reversi.records.formats.pgn.writer import write_record

    _write(path, write_record(session.record()))


class GameSaver:
    """Writes the record of a game to the file that is named; over one that is there only when it is named again.

    A file that it has written itself, with the same game, is written over at once.

    Args:
        session: the sitting.
        again: how a file is named again, for the message.
    """

    def __init__(self, session: Session, again: str = "Enter again") -> None:
        self._session = session
        self._again = again
        self._refused = ""
        self._own: dict[Path, int] = {}

    def __call__(self, name: str) -> str:
        """Write it, and return what to say about that.

        Raises:
            InputError: there is such a file, and it was not named before.
            OSError: the file cannot be written; the message names it.
            ValueError: no file can have such a name.
        """
        path = Path(name).expanduser()
        own = self._own.get(path) == self._session.games
        taken = False
        with contextlib.suppress(OSError, ValueError):  # what is wrong with the name is told when it is written
            taken = not own and name != self._refused and path.is_file()
        if taken:
            self._refused = name
            raise InputError(f"{path} exists: {self._again} writes over it")
        save_record(self._session, path)
        self._refused = ""
        self._own[path] = self._session.games
        return f"Saved {path}."


class RecordKeeper:
    """Keeps the record of the game that is played in one file, after the games that the file has already.

    What the file holds stays as it is, byte for byte; the record follows after a blank line, and so does that of
    every further game of the session. Other programs may write games to the file at the same time: the file is
    locked while it is read and replaced, and only the record of the own game changes. A game without a ply that
    has not ended is not written, and neither is a loaded record before somebody plays on.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._games: int | None = None
        self._known: str | None = (
            None  # what the file held when it was last looked at, in records that can be read
        )
        self._written = ""  # the record of the game that is played, as it is in the file; "" when it is not there
        self._text = ""  # the same as it ought to be
        self._late: list[tuple[str, str]] = []  # the same two of earlier games that could not be written
        self._lasting = False  # whether the game stays when another one is begun

    def prepare(self, resumed: Session | None = None) -> None:
        """Read what the file holds, and see that it can be written; nothing is written yet.

        The first saving does this by itself where nobody did.

        Args:
            resumed: a session that goes on with a game; when that is the last game of the file, its record is
                replaced and not repeated.

        Raises:
            InputError: the file is there and holds no PGN-like records; the message names it.
            OSError: the file cannot be read or written; the message names it.
            ValueError: no file can have such a name; the message names it.
        """
        with _naming(self.path):
            if self._is_regular() is not False:  # devices and pipes are not tried out
                with contextlib.suppress(_Enough), beside(self.path, wait_s=_WAIT_S), atomic_stream(self.path):
                    raise _Enough  # the file that was begun beside it goes, what is there stays
        text = self._read()
        if resumed is not None:
            self._written = text[len(_without_game(text, resumed)) :]

    def __call__(self, session: Session) -> None:
        """Write it.

        Raises:
            InputError: as :meth:`prepare`.
            OSError: as :func:`save_record`.
            ValueError: as :func:`save_record`.
        """
        from reversi.records.formats.pgn.writer import write_record

        if self._known is None:
            self.prepare()
        if self._games not in (None, session.games) and self._lasting:
            if self._text != self._written:
                self._late.append((self._written, self._text))
            self._written = ""
        self._games = session.games
        self._lasting = (bool(len(session.game)) or session.is_over) and not session.is_untouched
        if not self._lasting and (not self._written or session.is_untouched):
            return
        self._text = write_record(session.record())
        self._write()

    def _write(self) -> None:
        """Put the records of our games into the file, which others may have changed."""
        with contextlib.ExitStack() as stack:
            if self._is_regular() is not False:
                with _naming(self.path):
                    stack.enter_context(beside(self.path, wait_s=_WAIT_S))
            text = self._read()
            for old, new in [*self._late, (self._written, self._text)]:
                text = _with_record(text, old, new)
            _write(self.path, text)
        self._known = text
        self._written = self._text
        self._late.clear()

    def _is_regular(self) -> bool | None:
        """Whether it is a file, or a folder, which no record replaces; ``None`` when there is none yet."""
        try:
            kind = self.path.stat().st_mode
        except (OSError, ValueError):
            return None
        return stat.S_ISREG(kind) or stat.S_ISDIR(kind)

    def _read(self) -> str:
        """What the file holds now."""
        if not self._is_regular():
            self._known = ""
        else:
            self._known = _records_in(self.path, self._known)
        return self._known


def _with_record(text: str, old: str, new: str) -> str:
    """A text of records with ``new`` in the place of ``old``, or after all the others when that is not there."""
    at = text.find(old) if old else -1
    while at >= 0:
        before, after = text[:at], text[at + len(old) :]
        alone = not before.strip("\ufeff") or _BLANK_LINE.search(before[-4:])
        if alone and (not after or after[0] in "\r\n"):
            return before + new + after
        at = text.find(old, at + 1)
    return _ready_for_more(text) + new


class _Enough(Exception):  # noqa: N818 - no error
    """Ends the writing of a file that was only tried out."""


def _records_in(path: Path, known: str | None) -> str:
    """The text of a file that records can be added to; bytes that are not UTF-8 are kept as lone surrogates.

    Args:
        path: the file.
        known: a text in which records can be read, which it may still hold.
    """
    from reversi.records.files import decode_records
    from reversi.records.findings import Code
    from reversi.records.formats.pgn.form import FORMAT as PGN
    from reversi.records.formats.pgn.reader import read_records
    from reversi.records.formats.registry import recognise

    try:
        data = path.read_bytes()
    except OSError as error:
        raise type(error)(f"{path}: cannot read: {error.strerror or error}") from None
    if not data.removeprefix(b"\xef\xbb\xbf").strip():
        return ""
    text = data.decode("utf-8", "surrogateescape")
    if text == known:
        return text
    decode_records(data, str(path))  # refuses what is no text
    broken = {Code.SYNTAX, Code.INVALID_MOVE}
    try:
        readable = recognise(text.removeprefix("\ufeff")) is PGN and any(
            broken.isdisjoint(finding.code for finding in entry.findings) for entry in read_records(text)
        )
    except RecordError:
        readable = False
    if not readable:
        raise InputError(f"{path}: not a file of PGN-like records: it stays as it is; give another file")
    return text


def _without_game(text: str, session: Session) -> str:
    """A file of records without its last one, when that is the game of ``session`` or an earlier state of it."""
    from reversi.records.formats.pgn.reader import parse_record, read_records

    last = next(iter(deque(read_records(text), maxlen=1)), None)
    if last is None or last.findings or not _is_state_of(last, session):
        return text
    ends = _LINE_END.finditer(text)
    begin = 0
    for _ in range(last.line - 1):
        begin = next(ends).end()
    try:
        alone = parse_record(text[begin:]) == last.record
    except RecordError:  # the line begins with the end of another game
        alone = False
    return text[:begin] if alone else text


def _is_state_of(entry: Entry, session: Session) -> bool:
    """Whether a record is that of the session's game, or was before it went on; plies taken back count."""
    from reversi.records.from_game import record_from_game

    record, now = entry.record, session.record()
    dates = {record.tags["Date"], now.tags["Date"]} - {_NO_DATE}
    if record.start != now.start or len(dates) > 1:
        return False
    if record.result != "*":  # another game may have ended where this one went on
        return (record.result, record.moves) == (now.result, now.moves)
    whole = session.game.copy()
    whole.undo(0)
    whole.redo(whole.can_redo)
    return record_from_game(whole).moves[: len(record.moves)] == record.moves


def _ready_for_more(text: str) -> str:
    """A text of records with the blank line that another one follows."""
    if not text:
        return ""
    tail = text[-4:].replace("\r\n", "\n").replace("\r", "\n")
    missing = 2 - len(tail) + len(tail.rstrip("\n"))
    if missing > 0 and text.endswith("\r"):
        missing += 1  # the first one is part of the line end that is there
    return text + "\n" * missing


class Sittings:
    """A folder of sittings, and the keeper of the one that is played.

    A game that loses nothing when it is left is not kept (:attr:`~reversi.session.Session.is_untouched`); while
    it is live a loaded one is, so that it survives a crash.

    Args:
        folder: where; made when it is needed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._stem: Path | None = None
        self._lock: Lock | None = None
        self._games = -1

    @property
    def path(self) -> Path | None:
        """The file of the sitting that is played, ``None`` while there is none."""
        if self._stem is None:
            return None
        files = (_named(self._stem, ending) for ending in (_OPEN, _DONE))
        return next((file for file in files if file.exists()), None)

    def __call__(self, session: Session) -> None:
        """Write the state of the sitting; another game of the same session goes to another file.

        Raises:
            OSError: the folder or the file cannot be written; the message names it.
        """
        same = self._stem is not None and session.games == self._games
        if session.is_untouched and not (session.is_live and len(session.game)):
            if same:
                self._drop()
            return
        if not same:
            self.close()
            self._open(self.folder / _new_name())
            self._games = session.games
            self._prune()
        from reversi.session.text import session_to_text  # not before there is something to save

        assert self._stem is not None
        ending, other = (_DONE, _OPEN) if session.is_over else (_OPEN, _DONE)
        _write(_named(self._stem, ending), session_to_text(session))
        with contextlib.suppress(OSError):
            _named(self._stem, other).unlink(missing_ok=True)

    def unfinished(self) -> list[Path]:
        """The files of unfinished sittings, the latest first, those that another program plays left out."""
        return [path for path in self._files(_OPEN) if not Lock.is_held(path.with_suffix(".lock"))]

    def resume(self, path: Path | None = None, *, now: Callable[[], float] | None = None) -> Session:
        """Read a sitting and keep it from now on in the same file.

        Args:
            path: its file; by default the latest that is unfinished and can be read.
            now: the source of seconds for its clocks, by default that of the session.

        Raises:
            InputError: there is none, it goes on in another window, or it cannot be read.
            OSError: the file cannot be read.
        """
        if path is None:
            error: Exception | None = None
            for candidate in self.unfinished():
                try:
                    return self.resume(candidate, now=now)
                except (InputError, OSError) as failure:
                    error = error or failure
            raise InputError(f"{self.folder}: there is no unfinished game" if error is None else str(error))
        with path.open("rb"):
            pass  # without the file nothing is made beside it
        stem = path.with_suffix("")
        lock = _lock_of(stem)
        if lock is None:
            raise InputError(f"{path}: another window plays this game")
        try:  # not before it is locked: until then another window may have written on
            session = _read(path, now)
        except BaseException:
            lock.release()
            raise
        self.close()
        self._stem, self._lock = stem, lock
        self._games = session.games
        session.keepers.append(self)
        return session

    def close(self) -> None:
        """Let go of the sitting; it stays in the folder."""
        if self._lock is not None:
            self._lock.release()
        self._stem = self._lock = None

    def _drop(self) -> None:
        """Remove the file of the game and let go of it."""
        assert self._stem is not None
        for ending in (_OPEN, _DONE):
            with contextlib.suppress(OSError):
                _named(self._stem, ending).unlink(missing_ok=True)
        self.close()

    def _open(self, stem: Path) -> None:
        with _naming(self.folder):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._stem = stem
        self._lock = _lock_of(stem)

    def _files(self, ending: str) -> list[Path]:
        try:
            return sorted(self.folder.glob(f"*{ending}"), reverse=True)
        except OSError:
            return []

    def _prune(self) -> None:
        old = [*self._files(_DONE)[FINISHED_KEPT:], *self._files(_OPEN)[UNFINISHED_KEPT:]]
        for path in old:
            with contextlib.suppress(OSError):
                path.unlink()
        for path in self._files(".lock"):
            lock = Lock.take(path, create=False)
            if lock is not None:
                lock.release()


def _read(path: Path, now: Callable[[], float] | None) -> Session:
    """The sitting of a file."""
    from reversi.session.text import session_from_text

    text = path.read_bytes().decode("utf-8", "surrogateescape")  # as it is written
    try:
        return session_from_text(text) if now is None else session_from_text(text, now=now)
    except InputError as failure:
        raise InputError(f"{path}: {failure}") from None


def _lock_of(stem: Path) -> Lock | None:
    """The lock of a sitting; ``None`` when another program plays it."""
    path = stem.with_name(stem.name + ".lock")
    return Lock.take(path, wait_s=0.1)  # somebody may only be looking whether it is held


def _new_name() -> str:
    now = datetime.datetime.now(datetime.UTC)
    return f"{now:%Y-%m-%dT%H-%M-%S}-{now.microsecond:06}-{os.getpid()}"


def _named(stem: Path, ending: str) -> Path:
    return stem.with_name(stem.name + ending)


def _write(path: Path, text: str) -> None:
    with _naming(path):
        write_atomically(path, text)


@contextlib.contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Make the messages of errors one line that names the file."""
    try:
        yield
    except OSError as error:
        raise type(error)(f"{path}: cannot write: {error.strerror or error}") from None
    except ValueError as error:  # a name that no file can have
        raise ValueError(f"{path}: cannot write: {error}") from None
