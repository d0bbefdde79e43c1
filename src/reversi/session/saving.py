"""Saving a session after every move: to a record, and to a folder of unfinished sessions.

`RecordKeeper` and `SessionFolder` are keepers of a `Session`: it calls them after every change, and each writes
its file whole or not at all. In the folder every session has a file, named by the time of its start. A window
holds the lock beside the file while it plays the session; a killed program holds none. Finished games stay too,
as ``.done``; the folder drops the oldest of many files.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import reversi._regex as re
from reversi._core import Position
from reversi._system.files import atomic_stream, naming, write_atomically
from reversi._system.locks import Lock, beside
from reversi._system.paths import exists, expanded, may_exist, real_path
from reversi.arguments import FilePath, open_file, read_up_to
from reversi.errors import InputError, RecordError
from reversi.openings.book import BookError, Books
from reversi.session.places import RecordPlace, readable
from reversi.session.session import Session

if TYPE_CHECKING:
    from reversi.records.entry import Entry
    from reversi.rules import Rules

FINISHED_KEPT: Final = 50
UNFINISHED_KEPT: Final = 500
_OPEN: Final = ".session"
_DONE: Final = ".done"
_ENDINGS: Final = (_OPEN, _DONE)
_WAIT_S: Final = 3.0  # for another program that writes the same file
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_BLANK_LINE: Final = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)\Z")
_NO_DATE: Final = "????.??.??"


def save_game(session: Session, name: str) -> str:
    """Save the record of a session's game to a named file, and return a sentence for the player.

    A game keeps its place (`GameState.places`): in the file that it was opened from, or saved to before, its
    record replaces the one there. In any other file that exists it follows the games of the file. The other games
    stay as they are, byte for byte.

    Raises:
        InputError: the file exists without PGN-like records, or another game stands at the place of this one.
        OSError: the file cannot be read or written; the message names it.
        ValueError: the name is not possible for a file.
    """
    from reversi.records.formats.pgn.reader import read_records
    from reversi.records.record import format_record

    path = expanded(name)
    with naming(path):
        file = real_path(path)
    for keeper in session.keepers:
        if isinstance(keeper, RecordKeeper) and keeper.keeps(session, file):
            keeper(session)
            return f"Saved {path}."
    record = format_record(session.record())
    with _locked(path):
        text = _records_in(path, None) if _is_regular(path) else ""
        place = session.state.place_in(file) if text else None
        if place is None:
            text = _ready_for_more(text) + record
            number = max(entry.number for entry in read_records(text))
        else:
            number = place.number
            span = place.span_in(text, session.rules)
            if span is None:
                raise InputError(
                    f"{path}: game {number} there is another one by now, or shares a line with one; nothing"
                    " was written. Save to another file"
                )
            text = text[: span[0]] + record.rstrip() + text[span[1] :]
        _write(path, text)
    session.keep_place(RecordPlace(file, number, record))
    return f"Saved {'' if number == 1 else f'as game {number} of '}{path}."


def suggested_name(session: Session, suffix: str = ".pgn") -> str:
    """Return a name for a file of the game: for its record the file where it stands, else a new one beside that.

    Args:
        suffix: the end of the name; ``.pgn`` is that of records as the program writes them.
    """
    places = session.state.places
    if suffix == ".pgn" and places and places[-1].path.suffix.lower() == suffix:
        return str(places[-1].path)
    name = f"reversi-{datetime.datetime.now().astimezone():%Y-%m-%d}"
    if suffix != ".pgn":
        keepers = (keeper.path for keeper in session.keepers if isinstance(keeper, RecordKeeper))
        beside = places[-1].path if places else next(keepers, None)
        name = name if beside is None else str(beside.with_suffix(""))
        name += f"-{places[-1].number}" if places and places[-1].number > 1 else ""
    names = (f"{name}{f'-{number}' if number > 1 else ''}{suffix}" for number in range(1, 1000))
    return next((name for name in names if not may_exist(name)), f"reversi{suffix}")


class RecordKeeper:
    """Keeps the record of the current game in one file, after the games that the file already holds.

    The content of the file stays, byte for byte; the record follows after a blank line, and so does the record of
    every further game of the session. Other programs may write games to the file at the same time: the keeper
    locks the file while it reads and replaces it, and changes only its own record. A game that was opened from the
    file, or saved there by name, has its record there already. The keeper does not write a game in progress
    without a ply, nor a loaded record that nobody has continued.

    Args:
        path: the file.
        finished: keep a game only when it is over, and only one that began at the start of its rules: the file is
            the journal of a book.
    """

    def __init__(self, path: FilePath, *, finished: bool = False) -> None:
        path = Path(path)
        self.path = path
        self._finished = finished
        self._games: int | None = None
        self._known: str | None = None  # the text of the file at the last look, if its records can be read
        self._written = ""  # the record of the current game in the file; "" without one
        self._text = ""  # the record that the file should have
        self._late: list[tuple[str, str]] = []  # the same two texts of earlier games that could not be saved
        self._lasting = False  # whether the game stays in the file when another one begins

    def prepare(self, resumed: Session | None = None) -> None:
        """Read the file, and check that it can be written; this writes nothing yet.

        Without this call the first save does the same.

        Args:
            resumed: a resumed session; if its game is the last game of the file, or stands where it was opened,
                the keeper replaces that record instead of adding another.

        Raises:
            InputError: the file exists without PGN-like records; the message names it.
            OSError: the file cannot be read or written; the message names it.
            ValueError: the name is not possible for a file; the message names it.
        """
        with naming(self.path):
            if _is_regular(self.path) is not False:  # devices and pipes are not tried
                with contextlib.suppress(_Enough), beside(self.path, wait_s=_WAIT_S), atomic_stream(self.path):
                    raise _Enough  # removes the new file beside it and keeps the old one
        text = self._read()
        if resumed is not None and not self._finished:
            self._written = _own_game_in(text, resumed, resumed.state.place_in(real_path(self.path)))

    def __call__(self, session: Session) -> None:
        """Save the record.

        Raises:
            InputError: as for `prepare`.
            OSError: as for `prepare`.
            ValueError: as for `prepare`, or the tags are not possible for a record.
        """
        from reversi.records.record import format_record

        if self._finished and not (session.is_over and session.game.start == Position(session.rules)):
            return
        if self._known is None:
            self.prepare()
        if self._games != session.games:
            if self._games is not None and self._lasting:
                if self._text != self._written:
                    self._late.append((self._written, self._text))
                self._written = ""
            self._written = self._written or self._standing_in_file(session)
            self._games = session.games
        self._lasting = (bool(len(session.game)) or session.is_over) and not session.is_untouched
        if not self._lasting and (not self._written or session.is_untouched):
            return
        self._text = format_record(session.record())
        if not (self._finished and self._text == self._written):  # whoever took it out of the file has it
            self._write()

    def _write(self) -> None:
        """Put the records of this session into the file, which other programs may have changed."""
        with _locked(self.path):
            text = self._read()
            for old, new in [*self._late, (self._written, self._text)]:
                text = _with_record(text, old, new)
            _write(self.path, text)
        self._known = text
        self._written = self._text
        self._late.clear()

    def keeps(self, session: Session, file: Path) -> bool:
        """Return whether it keeps the present game of a session in that file, given as `real_path` gives it."""
        return bool(self._written) and self._games == session.games and real_path(self.path) == file

    def sentence(self, session: Session) -> str:
        """Return that the finished game of a session is in the journal of a book, "" where it is not."""
        kept = self._finished and session.is_over and self._games == session.games and self._text == self._written
        return f"The game is in {self.path.name}, from which 'reversi book grow' takes it." if kept else ""

    def _standing_in_file(self, session: Session) -> str:
        """Return the text of the game in the file, if it was opened from there or saved there by name."""
        place = session.state.place_in(real_path(self.path))
        return "" if place is None else _game_in(self._read(), place, session.rules)

    def _read(self) -> str:
        self._known = _records_in(self.path, self._known) if _is_regular(self.path) else ""
        return self._known


def _with_record(text: str, old: str, new: str) -> str:
    """Return a text of records with ``new`` in place of ``old``, or at the end where ``old`` is missing."""
    at = text.find(old) if old else -1
    while at >= 0:
        before, after = text[:at], text[at + len(old) :]
        alone = not before.strip("\ufeff") or _BLANK_LINE.search(before[-80:])
        if alone and (not after or after[0] in "\r\n"):
            return before + new + after
        at = text.find(old, at + 1)
    return _ready_for_more(text) + new


def _is_regular(path: Path) -> bool | None:
    """Return whether it is a file or folder, not a device or pipe; ``None`` if it does not exist."""
    try:
        kind = path.stat().st_mode
    except (OSError, ValueError):
        return None
    return stat.S_ISREG(kind) or stat.S_ISDIR(kind)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other programs that write records from a file."""
    with contextlib.ExitStack() as stack:
        if _is_regular(path) is not False:
            with naming(path):
                stack.enter_context(beside(path, wait_s=_WAIT_S))
        yield


class _Enough(Exception):  # noqa: N818 - no error
    """Ends a trial write."""


def _records_in(path: Path, known: str | None) -> str:
    """Return the text of a file that takes further records; bytes outside UTF-8 become lone surrogates.

    Args:
        path: the file.
        known: an earlier text of the file, known to be readable.
    """
    from reversi.records.findings import Code
    from reversi.records.formats.pgn.pgn_format import FORMAT as PGN
    from reversi.records.formats.pgn.reader import read_records
    from reversi.records.formats.registry import recognize
    from reversi.records.sources.decoding import decode_records
    from reversi.records.sources.encodings import likelier_reading

    try:
        data = path.read_bytes()
    except OSError as error:
        what = "write" if isinstance(error, IsADirectoryError) else "read"
        raise type(error)(f"{path}: cannot {what}: {error.strerror or error}") from None
    if not data.removeprefix(b"\xef\xbb\xbf").strip():
        return ""
    text = data.decode("utf-8", "surrogateescape")
    if text == known:
        return text
    decode_records(data, str(path))  # refuses data that is not text
    if doubt := likelier_reading(data):
        raise InputError(f"{path}: {doubt.partition(';')[0]}, left unchanged; choose another file")
    broken = {Code.SYNTAX, Code.INVALID_MOVE}
    try:
        readable = recognize(text.removeprefix("\ufeff")) is PGN and any(
            broken.isdisjoint(finding.code for finding in entry.findings) for entry in read_records(text)
        )
    except RecordError:
        readable = False
    if not readable:
        raise InputError(f"{path}: not a file of PGN-like records, left unchanged; choose another file")
    return text


def _game_in(text: str, place: RecordPlace, rules: Rules) -> str:
    """Return the game at a place of a text of records, with its line end; "" if another one stands there."""
    span = place.span_in(text, rules)
    if span is None:
        return ""
    end = _LINE_END.match(text, span[1])
    return text[span[0] : span[1] if end is None else end.end()]


def _own_game_in(text: str, session: Session, place: RecordPlace | None) -> str:
    """Return the game of a resumed session, or an earlier state of it, from a text of records; "" without one.

    It stands at its place, or it is the last one.
    """
    from reversi.records.formats.pgn.reader import read_records
    from reversi.records.record import format_record

    at_place: Entry | None = None
    last: Entry | None = None
    for last in read_records(readable(text), rules=session.rules):
        if place is not None and last.number == place.number:
            at_place = last
    for entry in (at_place, last):
        if entry is not None and not entry.findings and _is_state_of(entry, session):
            stands = RecordPlace(Path(), entry.number, format_record(entry.record))
            return _game_in(text, stands, session.rules)
    return ""


def _is_state_of(entry: Entry, session: Session) -> bool:
    """Return whether a record shows the session's game or an earlier state of it; plies to redo count."""
    record, now = entry.record, session.record()
    dates = {record.tags["Date"], now.tags["Date"]} - {_NO_DATE}
    if record.start != now.start or len(dates) > 1:
        return False
    if record.result != "*":  # another game may end where this one continues
        return (record.result, record.moves) == (now.result, now.moves)
    plies = len(record.moves)
    return record.moves in (now.moves[:plies], session.game.whole().moves[:plies])


def _ready_for_more(text: str) -> str:
    """Return a text of records with a blank line at its end."""
    if not text:
        return ""
    tail = text[-4:].replace("\r\n", "\n").replace("\r", "\n")
    missing = 2 - len(tail) + len(tail.rstrip("\n"))
    if missing > 0 and text.endswith("\r"):
        missing += 1  # the first one completes the existing line end
    return text + "\n" * missing


class SessionFolder:
    """A folder of saved sessions, and the keeper of the current one.

    The folder keeps no untouched game (`Session.is_untouched`), except a live loaded one, so that it survives a
    crash.

    Args:
        folder: the folder; the first save makes it.
    """

    def __init__(self, folder: FilePath) -> None:
        self.folder: Path = Path(folder)
        self._stem: Path | None = None
        self._lock: Lock | None = None
        self._games = -1

    def __repr__(self) -> str:
        return f"SessionFolder({str(self.folder)!r})"

    @property
    def path(self) -> Path | None:
        """The file of the current session, ``None`` before the first save."""
        if self._stem is None:
            return None
        files = (_named(self._stem, ending) for ending in _ENDINGS)
        return next((file for file in files if exists(file)), None)

    def prepare(self) -> None:
        """Make the folder, and check that files can be written there; no file stays.

        The first saving does this by itself where nobody did.

        Raises:
            OSError: the folder cannot be made or written; the message names it.
        """
        self._make_folder()
        with naming(self.folder), contextlib.suppress(_Enough), atomic_stream(self.folder / _new_name()):
            raise _Enough

    def __call__(self, session: Session) -> None:
        """Save the state of the session; another game of the same session goes to another file.

        Raises:
            OSError: the folder or the file cannot be written; the message names it.
        """
        same = self._stem is not None and session.games == self._games
        if session.is_untouched and (session.is_paused or not len(session.game)):
            if same:
                self._drop()
            return
        if not same:
            self.close()
            self._open(self.folder / _new_name())
            self._games = session.games
            self._prune()
        from reversi.session.text import session_to_text  # imported late: the first save needs it

        assert self._stem is not None
        ending = _DONE if session.is_over else _OPEN
        _write(_named(self._stem, ending), session_to_text(session))
        self._remove(*(other for other in _ENDINGS if other != ending))

    def unfinished(self) -> list[Path]:
        """Return the files of unfinished sessions, the latest first, without those that another program plays."""
        return [path for path in self._files(_OPEN) if not Lock.is_held(path.with_suffix(".lock"))]

    def resume(
        self,
        path: FilePath | None = None,
        *,
        book: Books | bool = True,
        now: Callable[[], float] | None = None,
    ) -> Session:
        """Read a session, and keep it in the same file from now on.

        Args:
            path: its file; by default the latest unfinished one that can be read.
            book: a book in place of the one that the session has; ``False`` for none.
            now: the source of seconds for its clocks; by default that of `Session`.

        Raises:
            BookError: the book of the session is missing or damaged.
            InputError: no unfinished session exists, another window plays it, or the file is damaged.
            OSError: the file cannot be read.
        """
        if path is None:
            error: Exception | None = None
            for candidate in self.unfinished():
                try:
                    return self.resume(candidate, book=book, now=now)
                except BookError:
                    raise
                except (InputError, OSError) as failure:
                    error = error or failure
            raise InputError(f"{self.folder}: no unfinished game to resume" if error is None else str(error))
        path = Path(path)
        with path.open("rb"):
            pass  # a missing file gets no lock beside it
        stem = path.with_suffix("")
        lock = _lock_of(stem)
        if lock is None:
            raise InputError(f"{path}: another window plays this game")
        try:  # only under the lock: before it another window may write
            session = _read(path, book, now)
            self._check_programs(path, session)
        except BaseException:
            lock.release()
            raise
        self.close()
        self._stem, self._lock = stem, lock
        self._games = session.games
        session.keepers.append(self)
        return session

    def _check_programs(self, path: Path, session: Session) -> None:
        """Refuse a game from elsewhere that would run a program: a file that somebody sends runs nothing."""
        programs = [side.program for side in session.sides.values() if side.program]
        if programs and real_path(path).parent != real_path(self.folder):
            raise InputError(
                f"{path}: this game would run {programs[0]}, and it is not one of your own in {self.folder};"
                " begin a game with that player instead"
            )

    def close(self) -> None:
        """Release the session; it stays in the folder."""
        if self._lock is not None:
            self._lock.release()
        self._stem = self._lock = None

    def _drop(self) -> None:
        self._remove(*_ENDINGS)
        self.close()

    def _remove(self, *endings: str) -> None:
        assert self._stem is not None
        for ending in endings:
            with contextlib.suppress(OSError):
                _named(self._stem, ending).unlink(missing_ok=True)

    def _open(self, stem: Path) -> None:
        self._make_folder()
        with naming(self.folder):
            self._lock = _lock_of(stem)
        self._stem = stem

    def _make_folder(self) -> None:
        with naming(self.folder):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def _files(self, *endings: str) -> list[Path]:
        """Return the files with one of these endings, the latest first."""
        try:
            return sorted((path for path in self.folder.iterdir() if path.suffix in endings), reverse=True)
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


def _read(path: Path, book: Books | bool, now: Callable[[], float] | None) -> Session:
    from reversi.session.text import session_from_text

    with open_file(path) as stream:
        text = read_up_to(stream, str(path)).decode("utf-8", "surrogateescape")  # as written
    try:
        return session_from_text(text, book=book, now=now or time.monotonic)
    except InputError as failure:
        raise failure.located(str(path)) from None


def _lock_of(stem: Path) -> Lock | None:
    """Take the lock of a session; return ``None`` if another program plays it."""
    path = stem.with_name(stem.name + ".lock")
    return Lock.take(path, wait_s=0.1)  # another program may test the lock for a moment


def _new_name() -> str:
    now = datetime.datetime.now(datetime.UTC)
    return f"{now:%Y-%m-%dT%H-%M-%S}-{now.microsecond:06}-{os.getpid()}"


def _named(stem: Path, ending: str) -> Path:
    return stem.with_name(stem.name + ending)


def _write(path: Path, text: str) -> None:
    with naming(path):
        write_atomically(path, text)
