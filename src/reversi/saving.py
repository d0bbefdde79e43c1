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
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from reversi.atomic import write_atomically
from reversi.errors import InputError
from reversi.session import Session

__all__ = ["RecordKeeper", "Sittings", "save_record"]

FINISHED_KEPT: Final = 50
UNFINISHED_KEPT: Final = 500
_OPEN: Final = ".sitting"
_DONE: Final = ".done"


def save_record(session: Session, path: Path) -> None:
    """Write the record of a session's game.

    Raises:
        OSError: the file cannot be written; the message names it.
        ValueError: no file can have such a name, or no record such tags; the message names the file.
    """
    from reversi.records.pgn_writer import write_record

    _write(path, write_record(session.record()))


class RecordKeeper:
    """Keeps the record of the game that is played in one file, after those of earlier games of the sitting.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._earlier = ""
        self._text = ""
        self._games = 0

    def __call__(self, session: Session) -> None:
        """Write it.

        Raises:
            OSError: as :func:`save_record`.
            ValueError: as :func:`save_record`.
        """
        from reversi.records.pgn_writer import write_record

        if session.games != self._games:
            self._earlier += self._text
            self._games = session.games
        text = write_record(session.record())
        self._text = text + "\n" if len(session.game) else ""  # a game without a move is not kept for good
        _write(self.path, self._earlier + text)


class Sittings:
    """A folder of sittings, and the keeper of the one that is played.

    A game without a ply is not kept: there is nothing to lose.

    Args:
        folder: where; made when it is needed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._stem: Path | None = None
        self._lock: _Lock | None = None
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
        if self._stem is None or session.games != self._games:
            if not len(session.game) and not session.is_turning:
                return
            self.close()
            self._open(self.folder / _new_name())
            self._games = session.games
            self._prune()
        from reversi.session_state import session_to_text  # not before there is something to save

        assert self._stem is not None
        ending, other = (_DONE, _OPEN) if session.is_over else (_OPEN, _DONE)
        _write(_named(self._stem, ending), session_to_text(session))
        with contextlib.suppress(OSError):
            _named(self._stem, other).unlink(missing_ok=True)

    def unfinished(self) -> list[Path]:
        """The files of unfinished sittings, the latest first, those that another program plays left out."""
        return [path for path in self._files(_OPEN) if not _Lock.is_held(path.with_suffix(".lock"))]

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
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise InputError(f"{path}: not a saved sitting") from None
        from reversi.session_state import session_from_text

        try:
            session = session_from_text(text) if now is None else session_from_text(text, now=now)
        except InputError as failure:
            raise InputError(f"{path}: {failure}") from None
        self._open(path.with_suffix(""))
        if self._lock is None:
            raise InputError(f"{path}: this game goes on in another window")
        self._games = session.games
        session.keepers.append(self)
        return session

    def close(self) -> None:
        """Let go of the sitting; it stays in the folder."""
        if self._lock is not None:
            self._lock.release()
        self._stem = self._lock = None

    def _open(self, stem: Path) -> None:
        with _naming(self.folder):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._stem = stem
        self._lock = _Lock.take(stem.with_suffix(".lock"))

    def _files(self, ending: str) -> list[Path]:
        try:
            return sorted(self.folder.glob(f"*{ending}"), reverse=True)
        except OSError:
            return []

    def _prune(self) -> None:
        old = [*self._files(_DONE)[FINISHED_KEPT:], *self._files(_OPEN)[UNFINISHED_KEPT:]]
        locks = [path for path in self._files(".lock") if not _Lock.is_held(path)]
        for path in [*old, *locks]:
            with contextlib.suppress(OSError):
                path.unlink()


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


class _Lock:
    """A lock on a file that ends with the process, however that ends."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    @classmethod
    def take(cls, path: Path) -> _Lock | None:
        """Take the lock; ``None`` when somebody has it."""
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return cls(path, -1)  # a folder that cannot be written: saving says so
        if _lock(descriptor):
            return cls(path, descriptor)
        os.close(descriptor)
        return None

    @staticmethod
    def is_held(path: Path) -> bool:
        """Whether somebody has the lock."""
        try:
            descriptor = os.open(path, os.O_RDWR)
        except OSError:
            return False
        try:
            return not _lock(descriptor)
        finally:
            os.close(descriptor)  # gives the lock back too

    def release(self) -> None:
        """Give it back."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
            with contextlib.suppress(OSError):
                self._path.unlink()


if sys.platform == "win32":

    def _lock(descriptor: int) -> bool:
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def _lock(descriptor: int) -> bool:
        import errno
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            # a file system without locks: nobody can have it
            return error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EAGAIN)
        return True
