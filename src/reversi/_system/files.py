"""Write files whole or not at all: aside, and named at the end, where a file that has appeared meanwhile stays."""

from __future__ import annotations

import contextlib
import errno
import functools
import itertools
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, NoReturn

import reversi._regex as re
from reversi._system.locks import lock_descriptor
from reversi._system.paths import exists, real_path
from reversi.errors import InputError

# The lock on a file without a number says that the program lives which writes it and those with its digits.
_TEMPORARY: Final = re.compile(r"(\.reversi-[0-9a-f]{16})(?:-[0-9]+)?\.tmp")
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_TRIES: Final = 100
_STEM_BYTES: Final = 200  # names have 255 at most: room for a number and the suffix


class KeptError(OSError):
    """A file is complete but could not take its name; it is kept under a new one in the same folder.

    Attributes:
        kept: the files under their new names.
    """

    kept: tuple[Path, ...] = ()

    @classmethod
    def of(cls, number: int, reason: str, path: Path, kept: tuple[Path, ...]) -> KeptError:
        error = cls(number, reason, str(path))
        error.kept = kept
        return error


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turn errors of writing within the block into one line that names the file.

    Raises:
        InputError: no file can have that name.
        OSError: the system refuses it.
    """
    try:
        yield
    except OSError as error:
        raise type(error)(f"{path}: cannot write: {error.strerror or error}") from None
    except ValueError as error:
        raise InputError(f"{path}: cannot write: {error}") from None


def write_atomically(file: Path | Target, text: str) -> None:
    """Write ``text`` to a file as UTF-8, with its line ends as they are, as `atomic_stream` does.

    Raises:
        KeptError: the file could not take its name.
        OSError: the file cannot be written; the temporary file is gone then.
    """
    data = text.encode("utf-8", "surrogateescape")
    with atomic_stream(file) as stream:
        stream.write(data)


@contextlib.contextmanager
def atomic_stream(file: Path | Target) -> Iterator[BinaryIO]:
    """Open a stream to write a file with; the file appears as a whole at the end of the ``with`` statement.

    A path replaces what has its name; a `Target` says whether it may.
    The bytes go to a temporary file beside it, are brought to the disk, and take the name over; until then, and
    when an error ends the statement, the file stays as it was. Links are followed and permissions kept. A device
    or a pipe is written to directly. The first write in a folder removes what killed programs left there.

    Raises:
        KeptError: the file could not take its name.
        OSError: the file cannot be written; the temporary file is gone then.
    """
    target = file if isinstance(file, Target) else Target.of(file)
    if not target.is_regular:
        with target.path.open("wb") as stream:
            yield stream
        return
    _remove_stale(target.path.parent)
    temporary, descriptor = _temporary_in(target.path.parent, target.mode)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            if sys.platform != "win32":  # while it is open it is locked, and nobody takes it for a stale one
                target.take(temporary)
        if sys.platform == "win32":  # an open file cannot be renamed there
            target.take(temporary)
    except BaseException:  # an interrupt too
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


class AtomicFiles:
    """Many files that are written aside, piece by piece, and appear together at the end of a ``with`` statement.

    They are written as `atomic_stream` writes one; an error within the statement leaves all of them as they were.
    Only the renaming at the end is one file after the other. The files are open only while a piece is written.
    Links are not followed but replaced: the names come from data, and a link would lead out of the folder.

    Args:
        replace: whether files of these names may be replaced.
    """

    def __init__(self, *, replace: bool = True) -> None:
        self._replace = replace
        self._owners: dict[Path, tuple[Path, int]] = {}  # for each folder the locked file, and its descriptor
        self._files: dict[Path, tuple[Target, Path]] = {}

    def __enter__(self) -> AtomicFiles:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.commit()
        else:
            self.discard()

    def commit(self) -> None:
        """Give the files their names. Files may be appended to afterwards: they are written anew.

        Raises:
            KeptError: files could not take their names; the others have theirs.
            OSError: they cannot be written; those without their names are gone then.
        """
        errors: list[KeptError] = []
        try:
            for _, temporary in self._files.values():
                with temporary.open("rb+") as stream:
                    os.fsync(stream.fileno())
            for target, temporary in self._files.values():
                try:
                    target.take(temporary)
                except KeptError as error:
                    errors.append(error)
        finally:
            self.discard()
        if errors:
            reasons = "; ".join(f"{error.filename}: {error.strerror}" for error in errors)
            kept = tuple(path for error in errors for path in error.kept)
            raise KeptError.of(errno.EEXIST, reasons, kept[0].parent, kept)

    def discard(self) -> None:
        """Leave the files as they were."""
        for _, temporary in self._files.values():
            with contextlib.suppress(OSError):
                temporary.unlink()  # after `commit` it has another name
        for owner, descriptor in self._owners.values():
            os.close(descriptor)
            with contextlib.suppress(OSError):
                owner.unlink()
        self._files, self._owners = {}, {}

    def append(self, path: Path, data: bytes) -> None:
        """Write a piece to the end of a file; the first one begins it anew.

        Raises:
            OSError: the file cannot be written, or is not a regular file.
        """
        if path not in self._files:
            self._files[path] = self._begun(Target.of(path, replace=self._replace, follow=False))
        with self._files[path][1].open("ab") as stream:
            stream.write(data)

    def _begun(self, target: Target) -> tuple[Target, Path]:
        if not target.is_regular:
            raise OSError(errno.EINVAL, "not a regular file", str(target.path))
        folder = target.path.parent
        if folder not in self._owners:
            _remove_stale(folder)
            self._owners[folder] = _temporary_in(folder)
        owner, _ = self._owners[folder]
        temporary = owner.with_name(f"{owner.stem}-{len(self._files)}.tmp")
        os.close(os.open(temporary, _NEW, target.mode))
        return target, temporary


class Target(NamedTuple):
    """A file to write, as it was when the work for it began.

    Attributes:
        given: the path as given.
        path: where it is, links followed.
        found: what was there; ``None`` for a new file.
        replace: whether a file of the name may be replaced; if not, an empty one that was there counts as new.
    """

    given: Path
    path: Path
    found: os.stat_result | None
    replace: bool

    @classmethod
    def of(cls, path: Path, *, replace: bool = True, follow: bool = True) -> Target:
        """Return the file that a path stands for.

        Args:
            path: the path.
            replace: whether a file of the name may be replaced at the end.
            follow: whether a link stands for the file that it leads to, or is replaced itself.

        Raises:
            OSError: it cannot be written.
            ValueError: no file can have this name.
        """
        target = real_path(path) if follow else real_path(path.parent) / path.name
        try:
            status = target.stat() if follow else target.lstat()
        except FileNotFoundError:
            if not exists(target.parent):
                folder = target.parent if exists(path.parent) else path.parent
                why = f"folder {folder} does not exist; create it first"
                raise FileNotFoundError(errno.ENOENT, why, str(path)) from None
            status = None
        if status is not None and stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if status is not None and stat.S_ISLNK(status.st_mode):
            status = None  # a link has no mode to keep
        made = cls(path, target, status, replace)
        writes = target if status is not None else target.parent
        if made.is_regular and not (os.access(writes, os.W_OK) and os.access(target.parent, os.W_OK)):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return made

    @property
    def is_regular(self) -> bool:
        """Whether it is a regular file, or becomes one."""
        return self.found is None or stat.S_ISREG(self.found.st_mode)

    @property
    def mode(self) -> int:
        """The mode to create the file with: nobody may read it who could not read the one that it replaces."""
        return 0o666 if self.found is None else 0o600 | stat.S_IMODE(self.found.st_mode)

    def take(self, temporary: Path) -> None:
        """Give a temporary file the name, and the mode that the file had.

        Raises:
            KeptError: that is not possible; the file has another name.
        """
        if self.found is not None:
            temporary.chmod(stat.S_IMODE(self.found.st_mode))
        if self.replace:
            try:
                temporary.replace(self.path)
            except OSError as error:
                self._keep(temporary, error.errno or errno.EIO, error.strerror or str(error))
        elif not (_take_free_name(temporary, self.path) or self._replace_empty(temporary)):
            self._keep(temporary, errno.EEXIST, "another program wrote this file during the run")

    def _replace_empty(self, temporary: Path) -> bool:
        """Replace the empty file that was there at the beginning; return false when another one is there now.

        The lock keeps another run that also found it empty from doing the same.
        """
        if self.found is None or self.found.st_size:
            return False
        try:
            descriptor = os.open(self.path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            return False
        try:
            if not lock_descriptor(descriptor):
                return False
            now = os.fstat(descriptor)
            same = os.path.samestat(now, self.found) and os.path.samestat(now, self.path.lstat())
            if now.st_size or not same:
                return False
            if sys.platform != "win32":
                temporary.replace(self.path)
        except OSError:
            return False
        finally:
            os.close(descriptor)
        if sys.platform == "win32":  # an open file cannot be replaced there
            temporary.replace(self.path)
        return True

    def _keep(self, temporary: Path, number: int, reason: str) -> NoReturn:
        """Give a temporary file a new name beside the one that it could not have, and raise the error."""
        stem = self.path.stem.encode("utf-8", "surrogateescape")[:_STEM_BYTES].decode("utf-8", "ignore")
        for suffix in itertools.count(2):
            kept = self.path.with_name(f"{stem}-{suffix}{self.path.suffix}")
            if _take_free_name(temporary, kept):
                break
        beside = real_path(self.given.parent) == kept.parent
        shown = self.given.with_name(kept.name) if beside else kept
        raise KeptError.of(number, f"{reason}; the result is in {shown}", self.given, (kept,))


def _take_free_name(temporary: Path, path: Path) -> bool:
    """Give a file a name that nothing has; return false when something has it. Nothing is ever replaced."""
    try:
        if sys.platform == "win32":
            temporary.rename(path)  # fails where something has the name
            return True
        path.hardlink_to(temporary)
    except FileExistsError:
        return False
    except OSError:  # a file system without links: claim the name with an empty file, and replace that
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            return False
        try:
            lock_descriptor(descriptor)  # so that nobody takes it for an empty file of no one
            temporary.replace(path)
        except OSError:
            path.unlink()
            raise
        finally:
            os.close(descriptor)
        return True
    temporary.unlink()
    return True


def _temporary_in(folder: Path, mode: int = 0o600) -> tuple[Path, int]:
    """Return a new file to write, open and locked: the lock says that its program lives."""
    for _ in range(_TRIES):
        path = folder / f".reversi-{os.urandom(8).hex()}.tmp"
        descriptor = os.open(path, _NEW, mode)
        if lock_descriptor(descriptor) and os.fstat(descriptor).st_nlink:
            return path, descriptor
        os.close(descriptor)  # another program has just taken it for a stale one
        with contextlib.suppress(OSError):
            path.unlink()
    raise FileExistsError(errno.EEXIST, "another program removes the temporary files beside it", str(folder))


@functools.cache
def _remove_stale(folder: Path) -> None:
    """Remove the temporary files of programs that were killed, once for each folder."""
    if sys.platform == "win32":  # a file is closed before it is renamed there: a lock cannot mark a stale one
        return
    with contextlib.suppress(OSError):
        names = {path.name: match[1] for path in folder.iterdir() if (match := _TEMPORARY.fullmatch(path.name))}
        for owner in set(names.values()):
            with contextlib.suppress(OSError), _owned(folder / f"{owner}.tmp") as is_stale:
                for name in (name for name, holder in names.items() if is_stale and holder == owner):
                    (folder / name).unlink()


@contextlib.contextmanager
def _owned(path: Path) -> Iterator[bool]:
    """Hold the lock of a temporary file where its program has ended; say whether it has."""
    try:
        descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        yield True
        return
    try:
        yield lock_descriptor(descriptor, without=False)
    finally:
        os.close(descriptor)
