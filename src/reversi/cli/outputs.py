"""Files that commands write: when one may be overwritten, and how it is written."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from reversi._system.files import atomic_stream
from reversi.cli.console import fail
from reversi.cli.status import Status
from reversi.records.sources import STANDARD_INPUT, find_files
from reversi.text.terminal import safe

__all__ = ["ForceOption", "Inputs", "check_output", "write_pieces"]

ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]


class Inputs:
    """The files that a command reads, whatever they are called.

    Args:
        paths: files, folders, patterns, ``-`` for standard input; names without a file do not count.
    """

    def __init__(self, *paths: str | Path) -> None:
        self._paths = [str(path) for path in paths if str(path)]
        self._known: set[tuple[int, int]] | None = None

    def __contains__(self, file: os.stat_result) -> bool:
        if self._known is None:
            self._known = {(found.st_dev, found.st_ino) for found in self._files()}
        return (file.st_dev, file.st_ino) in self._known

    def _files(self) -> Iterator[os.stat_result]:
        for file in find_files(self._paths):
            try:
                yield os.fstat(sys.stdin.fileno()) if file.path == STANDARD_INPUT else Path(file.path).stat()
            except (AttributeError, OSError, ValueError):  # closed, missing, or no name of a file
                continue


def check_output(
    path: str | Path, inputs: Inputs, *, force: bool, else_: str = "", makes_folder: bool = False
) -> None:
    """End the command where a file may not be written: it is an input, or it exists and ``force`` is not set.

    It also ends where the folder does not exist, unless the command makes it (``makes_folder``): now, not after
    the work. An empty file counts as new. Devices and pipes hold nothing to lose, nor does standard output, unless
    it is appended to an input, which would then be read without end. ``else_`` names another way out.
    """
    if str(path) == "-":
        if (file := _standard_output()) is not None and file in inputs:
            fail(Status.CANNOT_WRITE, "standard output is also an input; write to another file")
        return
    try:
        known = Path(path).stat()
    except OSError as error:
        if not (makes_folder or Path(path).parent.is_dir()):
            fail(Status.CANNOT_WRITE, f"{path}: cannot write: {error.strerror}")
        return
    except ValueError:  # writing it says what is wrong with the name
        return
    if not stat.S_ISREG(known.st_mode):
        return
    if known in inputs:
        fail(Status.CANNOT_WRITE, f"{path} is also an input; write to another file")
    if known.st_size and not force:
        fail(Status.CANNOT_WRITE, f"{path} exists; {else_}--force overwrites it")


def _standard_output() -> os.stat_result | None:
    """Return the plain file that standard output is; ``None`` for anything else."""
    try:
        file = os.fstat(sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):  # closed, or not a file of the system
        return None
    return file if stat.S_ISREG(file.st_mode) else None


def write_pieces(path: str, pieces: Iterable[bytes]) -> None:
    """Write pieces to a file, which takes its name when it is whole, or to standard output for ``-``.

    Without a piece nothing is written.
    """
    rest = iter(pieces)
    first = next(rest, None)
    if first is None:
        return
    if path == "-":
        _show(chain((first,), rest))
        return
    try:
        with atomic_stream(Path(path)) as stream:
            for piece in chain((first,), rest):
                stream.write(piece)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        fail(Status.CANNOT_WRITE, f"{path}: cannot write: {why or error}")


def _show(pieces: Iterable[bytes]) -> None:
    """Write pieces to standard output: as they are, or made safe where that is a terminal."""
    if sys.stdout.isatty():
        for piece in pieces:
            sys.stdout.write(safe(piece.decode("utf-8", "surrogateescape")))
        return
    sys.stdout.flush()
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()
