"""Find the files that paths name: files, standard input, everything below folders and in zips, and patterns."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import reversi._regex as re
from reversi._system.paths import STANDARD_INPUT, is_folder, is_link
from reversi._system.zip_files import INSIDE, damage_of_zip, is_zip, place_in_zip, zipped_names
from reversi.arguments import FilePath
from reversi.errors import ArgumentError, InputError

_MAGIC: Final = re.compile(r"[*?\[]")
_SLASH: Final = r"[/\\]" if os.sep == "\\" else "/"
_ANY_FOLDERS: Final = re.compile(rf"(?:(?:^|(?<={_SLASH}))\*\*(?:{_SLASH}+|$))+")


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file that a path names.

    Attributes:
        path: the file, ``-`` for standard input; the path as it was given where it names none.
        named: whether it was named itself, not only the folder or the pattern that it was found by.
        error: why the path names no file; empty when it names one.
        missing: whether that is because no file has the name, or it may not be read.
        in_folder: whether it was found below a folder that was named.
        skipped: whether it is a file in a folder, but not one of games; the error names it and says what it is.
    """

    path: str
    named: bool = True
    error: str = ""
    missing: bool = False
    in_folder: bool = False
    skipped: bool = False


def find_files(paths: Iterable[FilePath]) -> Iterator[FoundFile]:
    """Find the files that paths name: files, standard input (``-``), files below folders, files of patterns.

    A zip is a folder, and what is in it is named so: ``a.zip/x.pgn``. It may be in a folder, but not in a zip.
    In folders, names that begin with a dot are skipped, and links to folders are not followed. A folder that may
    not be read is among the files, with its error. A pattern has ``*``, ``?`` or ``[``; ``**`` stands for any
    folders except links and those that begin with a dot. A file of that literal name wins. Pipes, devices and
    sockets are read only where they are named themselves. Files come in the order of their names.
    """
    if isinstance(paths, str | os.PathLike):
        raise ArgumentError("paths must be several paths, not one text; put it into a list")
    for given in paths:
        path = os.fspath(given)
        if path == STANDARD_INPUT:
            yield FoundFile(path)
        elif is_folder(path):
            yield from _or_none(_below(path, in_folder=True), path, "no file in this folder", missing=False)
        elif place_in_zip(path) is not None:
            yield from _in_zip(path, in_folder=True, named=True)
        elif not _MAGIC.search(path) or os.path.lexists(path):
            yield FoundFile(path)
        else:
            files = (file for name in sorted(_matching(path)) for file in _files(name))
            yield from _or_none(dict.fromkeys(files), path, "no such file", missing=True)


def _matching(pattern: str) -> Iterator[str]:
    if inside := INSIDE.search(pattern):
        for file in _matching(pattern[: inside.end() - 1]):
            yield from (f"{file}/{pattern[inside.end() :]}",) if is_zip(file) else ()
    deep = _ANY_FOLDERS.search(pattern)
    if deep is None:
        yield from glob.iglob(pattern)  # noqa: PTH207 - the pattern may be absolute
        return
    head, rest = pattern[: deep.start()], pattern[deep.end() :]
    for base in glob.iglob(head) if _MAGIC.search(head) else (head,):  # noqa: PTH207
        if not rest:
            yield from (base or os.curdir,) if is_folder(base or os.curdir) else ()
            continue
        # not by "**" of glob, which follows links to folders, and so does not end where they lead back
        for place, folders, _ in os.walk(base or os.curdir):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for found in _matching(os.path.join(glob.escape(place), rest)):  # noqa: PTH118
                if not (is_link(found) and is_folder(found)):
                    yield found


def _files(name: str) -> Iterator[FoundFile]:
    """Yield the files of a name that was found: all below it where it is a folder."""
    if is_folder(name):
        yield from _below(name)
    elif place_in_zip(name) is not None:
        yield from _in_zip(name)
    elif _is_regular(name):
        yield FoundFile(_path(name), named=False)


def _path(name: str) -> str:
    """Return a path of a file that was found, which is never taken for standard input."""
    path = str(Path(name))
    return path if path != STANDARD_INPUT else os.path.join(os.curdir, path)  # noqa: PTH118


def _or_none(files: Iterable[FoundFile], path: str, why: str, *, missing: bool) -> Iterator[FoundFile]:
    """Yield the files; where there are none, what is wrong with the path."""
    any_file = False
    for file in files:
        any_file = True
        yield file
    if not any_file:
        yield FoundFile(path, error=why, missing=missing)


def _below(folder: str, *, in_folder: bool = False) -> Iterator[FoundFile]:
    """Yield the files below a folder, and the folders that cannot be read."""
    closed: list[OSError] = []
    for place, folders, files in os.walk(folder, onerror=closed.append):
        yield from _unread(closed)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = _path(str(Path(place, name)))
            if name.startswith("."):
                continue
            if is_zip(path):
                yield from _in_zip(path, in_folder=in_folder)
            elif _is_regular(path):
                yield FoundFile(path, named=False, in_folder=in_folder)
    yield from _unread(closed)


def _in_zip(path: str, *, in_folder: bool = False, named: bool = False) -> Iterator[FoundFile]:
    """Yield the files of a path that leads into a zip: one, or all below it, or those of a pattern."""
    place = place_in_zip(path)
    assert place is not None
    file, inside = place
    try:
        names = list(zipped_names(file, inside))
    except InputError as error:
        yield FoundFile(path, named, str(error).removeprefix(f"{file}: "))
        return
    alone = False
    for name, wrong in names:
        alone = name == inside
        yield FoundFile(f"{file}/{name}", named and alone, wrong, in_folder=in_folder and not alone)
    if (damage := damage_of_zip(file)) and not alone:
        yield FoundFile(file, named, damage)
    if not names and (named or not inside):  # a pattern need not find a file in each zip
        yield FoundFile(path, named, "no such file" if inside else "no file in this zip", missing=bool(inside))


def _unread(errors: list[OSError]) -> Iterator[FoundFile]:
    while errors:
        error = errors.pop(0)
        why = f"cannot read: {error.strerror or error}"
        yield FoundFile(_path(os.fsdecode(error.filename)), named=False, error=why, missing=True)


def _is_regular(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116 - millions of files
    except OSError:
        return True  # opening it says why not
