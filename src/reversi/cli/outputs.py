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

from reversi._system.files import KeptError, Target, atomic_stream
from reversi._system.paths import STANDARD_INPUT
from reversi._system.zip_files import place_in_zip
from reversi.cli.console import StatusCollector, fail, reason, take_lines_away
from reversi.cli.status import Status
from reversi.text.terminal import safe

ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
SpreadsheetOption = Annotated[
    bool,
    typer.Option(
        "--spreadsheet",
        help="Put an apostrophe before texts in CSV that a spreadsheet would run as formulas (=, +, -, @).",
    ),
]


class Inputs:
    """The files that a command reads, whatever they are called.

    Args:
        paths: files, ``FILE#3``, folders, patterns, ``-`` for standard input; names without a file do not count.
    """

    def __init__(self, *paths: str | Path) -> None:
        self._paths = [str(path) for path in paths if str(path)]
        self._known: set[tuple[int, int]] | None = None

    def __contains__(self, file: os.stat_result) -> bool:
        if self._known is None:
            self._known = {(found.st_dev, found.st_ino) for found in self._files()}
        return (file.st_dev, file.st_ino) in self._known

    def _files(self) -> Iterator[os.stat_result]:
        from reversi.inputs.place import parse_place
        from reversi.records.sources.finding import find_files

        for file in find_files([parse_place(path).path for path in self._paths]):
            try:
                if file.path == STANDARD_INPUT:
                    yield os.fstat(sys.stdin.fileno())
                else:
                    place = place_in_zip(file.path)
                    yield Path(file.path if place is None else place[0]).stat()
            except (AttributeError, OSError, ValueError):  # closed, missing, or no name of a file
                continue


def check_force(force: bool, files: dict[str, str | Path | None]) -> None:
    """End the command where ``force`` is set but no file is named; ``files`` has those of each option."""
    if force and not any(file and str(file) != "-" for file in files.values()):
        fail(Status.USAGE, f"--force: name the file to write with {' or '.join(files)}")


def check_output(path: str | Path, inputs: Inputs, *, force: bool, else_: str = "") -> Target | None:
    """Return the file to write, ``None`` for standard output; end the command where it may not be written.

    It is an input, it exists and ``force`` is not set, or the system refuses it: the command ends now, not after
    the work. An empty file counts as new. Devices and pipes hold nothing to lose, nor does standard output, unless
    it is appended to an input, which would then be read without end. ``else_`` names another way out.
    """
    if str(path) == "-":
        if (file := _standard_output()) is not None and file in inputs:
            fail(Status.CANNOT_WRITE, "standard output is also an input; write to another file")
        return None
    try:
        target = Target.of(Path(path), replace=force)
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else error
        fail(Status.CANNOT_WRITE, f"{path}: cannot write: {why}")
    known = target.found
    if known is None or not target.is_regular:
        return target
    if known in inputs:
        fail(Status.CANNOT_WRITE, f"{path} is also an input; write to another file")
    if known.st_size and not force:
        fail(Status.CANNOT_WRITE, f"{path} exists; {else_}--force overwrites it")
    return target


def _standard_output() -> os.stat_result | None:
    """Return the plain file that standard output is; ``None`` for anything else."""
    try:
        file = os.fstat(sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):  # closed, or not a file of the system
        return None
    return file if stat.S_ISREG(file.st_mode) else None


def write_pieces(
    target: Target | None, pieces: Iterable[bytes], outcome: StatusCollector | None = None
) -> Path | None:
    """Write pieces to a file, which takes its name when it is whole, or to standard output for ``None``.

    Without a piece nothing is written. A file whose name something else has taken meanwhile is kept under a new
    one. That ends the command, or with ``outcome`` is reported there, so that the command can write the rest.

    Returns:
        The file; ``None`` for standard output, or when nothing is written.
    """
    rest = iter(pieces)
    first = next(rest, None)
    if first is None:
        return None
    if target is None:
        _show(chain((first,), rest))
        return None
    try:
        with atomic_stream(target) as stream:
            for piece in chain((first,), rest):
                stream.write(piece)
    except BrokenPipeError:
        raise
    except OSError as error:
        message = f"{target.given}: cannot write: {reason(error)}"
        if outcome is None or not isinstance(error, KeptError):
            fail(Status.CANNOT_WRITE, message)
        outcome.add(Status.CANNOT_WRITE, f"reversi: {message}")
        return error.kept[0]
    return target.path


def write_report(target: Target | None, lines: Iterable[bytes]) -> None:
    """Write a report, which is empty where there is nothing to report: an older one would be taken for it."""
    write_pieces(target, chain((b"",), lines))


def _show(pieces: Iterable[bytes]) -> None:
    """Write pieces to standard output: as they are, or made safe where that is a terminal."""
    if sys.stdout.isatty():
        for piece in pieces:
            take_lines_away()
            sys.stdout.write(safe(piece.decode("utf-8", "surrogateescape")))
        return
    sys.stdout.flush()
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()
