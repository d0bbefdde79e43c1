"""``reversi record merge``: the games of many files in one."""

from __future__ import annotations

from reversi.cli.console import command
from reversi.cli.outputs import Inputs
from reversi.cli.record.output import OutputOptions
from reversi.cli.record.streams import PathsArgument, ReadingOptions, WorkersOption
from reversi.cli.selection import ChangesOptions


@command
def merge(
    paths: PathsArgument,
    output: OutputOptions,
    changes: ChangesOptions,
    reading: ReadingOptions,
    workers: WorkersOption = 0,
) -> None:
    """Write the games of many files to one file, in the order of the files. The files may have different formats.

    Example: reversi record merge club/*.pgn ggs.ggf -o all.pgn
    """
    with output.writer(output.output, Inputs(*paths)) as writer:
        writer.write_all(reading.games(paths, writer.outcome), changes.read(reading.encoding), workers)
