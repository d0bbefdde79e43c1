"""``reversi record split``: the games of files divided among others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from reversi.cli.console import StatusCollector, command, err, fail, out, rules_option
from reversi.cli.options import GameRulesOption
from reversi.cli.outputs import Inputs
from reversi.cli.record.game_files import FormatOption, TargetFormat
from reversi.cli.record.output import FolderWriter
from reversi.cli.record.streams import PathsArgument, games_of
from reversi.cli.status import Status
from reversi.cli.tables import ColumnsOption
from reversi.errors import InputError
from reversi.games.splitting import SplitBy
from reversi.records.formats.pgn.pgn_format import FORMAT as PGN
from reversi.text.counting import counted

_EVERY: Final = 1000


@command
def split(
    paths: PathsArgument,
    into: Annotated[str, typer.Option("--into", metavar="FOLDER", help="Write the files to FOLDER.")],
    by: Annotated[
        SplitBy | None, typer.Option("--by", help="Put games with the same value into one file.")
    ] = None,
    every: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, show_default=str(_EVERY), help="Put N games into each file; not with --by."
        ),
    ] = None,
    to: Annotated[TargetFormat | None, typer.Option("--to", show_default="pgn", help="Write this format.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
    format_: FormatOption = None,
    columns: ColumnsOption = None,
    rules: GameRulesOption = "othello",
) -> None:
    """Split games into files; list each file with its number of games.

    Example: reversi record split archive.pgn --by year --into years/

    Example: reversi record split archive.pgn --by year --to wthor --into years/

    Example: reversi record split big.pgn --every 500 --into parts/
    """
    outcome = StatusCollector()
    games = games_of(paths, rules_option(rules), outcome, format_, columns)
    format_to = to.format if to else PGN
    writer = FolderWriter(
        Path(into), format_to, outcome, Inputs(*paths), by=by, every=every or _EVERY, force=force, option="--into"
    )
    try:
        writer.write(games, lambda: games.at, as_they_are=format_to is PGN)
    except InputError as error:
        fail(Status.BAD_DATA, f"{into}: {error}")
    done = writer.files
    for file, count in done.items():
        out(f"{file}: {counted(count, 'game')}")
    err(f"reversi: {counted(sum(done.values()), 'game')} in {counted(len(done), 'file')}")
    outcome.finish()
