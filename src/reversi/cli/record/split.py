"""``reversi record split``: the games of files divided among others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reversi._system.files import KeptError
from reversi.cli.console import StatusCollector, command, err, fail, out, reason, rules_option
from reversi.cli.options import GameRulesOption
from reversi.cli.outputs import Inputs, check_output
from reversi.cli.record.game_files import FormatOption
from reversi.cli.record.streams import PathsArgument, games_of
from reversi.cli.status import Status
from reversi.errors import RecordError
from reversi.records.collection.splitting import SplitBy, Splitter
from reversi.text.counting import counted


@command
def split(
    paths: PathsArgument,
    into: Annotated[str, typer.Option("--into", metavar="FOLDER", help="Write the files to FOLDER.")],
    by: Annotated[
        SplitBy | None, typer.Option("--by", help="Put games with the same value into one file.")
    ] = None,
    every: Annotated[
        int, typer.Option(metavar="N", min=1, help="Put N games into each file; not with --by.")
    ] = 1000,
    force: Annotated[bool, typer.Option("--force", help="Overwrite existing files.")] = False,
    format_: FormatOption = None,
    rules: GameRulesOption = "othello",
) -> None:
    """Split games into PGN files; list each file with its number of games.

    Example: reversi record split archive.pgn --by year --into years/

    Example: reversi record split big.pgn --every 500 --into parts/
    """
    outcome = StatusCollector()
    games = games_of(paths, rules_option(rules), outcome, format_)
    inputs = Inputs(*paths)

    def check(path: Path) -> None:
        check_output(path, inputs, force=force)
        if path.is_symlink() and not force:  # even one that leads nowhere
            fail(Status.CANNOT_WRITE, f"{path} exists; --force overwrites it")

    try:
        with Splitter(Path(into), by, every=every, replace=force, check=check) as splitter:
            for entry in games:
                try:
                    splitter.add(entry.record)
                except RecordError as error:
                    outcome.add(Status.FINDING, f"reversi: game {entry.number}: {error}; left out")
            done = splitter.finish()
    except (FileExistsError, NotADirectoryError):
        fail(Status.CANNOT_WRITE, f"{into}: not a folder; --into needs a folder")
    except KeptError as error:
        fail(Status.CANNOT_WRITE, str(error.strerror))
    except OSError as error:
        fail(Status.CANNOT_WRITE, f"{into}: cannot write: {reason(error)}")
    for file, count in done.items():
        out(f"{file}: {counted(count, 'game')}")
    err(f"reversi: {counted(sum(done.values()), 'game')} in {counted(len(done), 'file')}")
    outcome.finish()
