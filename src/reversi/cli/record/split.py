"""``reversi record split``: the games of files divided among others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from reversi.cli.console import command, out
from reversi.cli.option_groups import excludes
from reversi.cli.options import option
from reversi.cli.outputs import Inputs
from reversi.cli.record.game_files import format_option
from reversi.cli.record.output import Division, WritingOptions
from reversi.cli.record.streams import PathsArgument, ReadingOptions
from reversi.games.splitting import SplitBy
from reversi.records.formats.pgn.pgn_format import FORMAT as PGN
from reversi.records.formats.registry import format_named
from reversi.text.counting import counted

_EVERY: Final = 1000


@dataclass(frozen=True)
class _Writing(WritingOptions):
    to: Annotated[str, format_option(("--to",), "Write this format.", "pgn")] = ""


@command(*excludes("--by", "--every"))
def split(
    paths: PathsArgument,
    into: Annotated[str, option("FOLDER", "Write the files to FOLDER.")],
    by: Annotated[SplitBy | None, typer.Option(help="Put games with the same value into one file.")] = None,
    every: Annotated[
        int | None, option("N", "Put N games into each file; not with --by.", min=1, show_default=str(_EVERY))
    ] = None,
    *,
    writing: _Writing,
    reading: ReadingOptions,
) -> None:
    """Split games into files; list each file with its number of games.

    Example: reversi record split archive.pgn --by year --into years/

    Example: reversi record split archive.pgn --by year --to wthor --into years/

    Example: reversi record split big.pgn --every 500 --into parts/
    """
    form = format_named(writing.to) if writing.to else PGN
    division = Division(Path(into), form, by, every or _EVERY, option="--into")
    with writing.writer(into, Inputs(*paths), division=division) as writer:
        games = reading.games(paths, writer.outcome)
        writer.write((games.at, entry) for entry in games)
        for file, count in writer.files.items():
            out(f"{file}: {counted(count, 'game')}")
        writer.report(games.count, games.broken)
