"""``reversi record tidy``: the games of a messy folder as one clean file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from reversi.cli.console import command
from reversi.cli.option_groups import Flag
from reversi.cli.record.dedupe import write_once
from reversi.cli.record.output import Invalid, InvalidOption, OutputOptions
from reversi.cli.record.same import SameOption
from reversi.cli.record.streams import PathsArgument, ReadingOptions, WorkersOption
from reversi.cli.selection import ChangesOptions
from reversi.games.changes import Dates


@dataclass(frozen=True)
class _Output(OutputOptions):
    """The options, with another default: a clean file has no wrong games."""

    invalid: InvalidOption = Invalid.DROP


@command
def tidy(
    paths: PathsArgument,
    output: _Output,
    changes: ChangesOptions,
    cut: Annotated[bool, Flag("Keep a broken game up to its first wrong move, as an unfinished one.")] = False,
    same: SameOption = "",
    *,
    reading: ReadingOptions,
    workers: WorkersOption = 0,
) -> None:
    """Write the games of messy files as one clean file: each game once, with dates spelt alike.

    The files may be packed, and have any format and encoding; the output is UTF-8. Dates become 2004.05.28; one
    with two readings, such as 05.04.2004, needs --dates. --aliases gives players and events one name each. Games
    with a wrong move or result are left out, unless --cut or --invalid keep says otherwise. --report lists each
    game that is left out and each tag that is changed.

    Example: reversi record tidy downloads/ -o clean.pgn --report report.json

    Example: reversi record tidy club/ -o clean.pgn --aliases names.txt --dates dmy --cut
    """
    made = changes.read(reading.encoding)
    made = replace(made, dates=made.dates or Dates.KEEP, cut=cut)
    write_once(paths, output, made, same, reading, workers)
