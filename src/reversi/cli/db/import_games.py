"""`reversi db import`: add games to a database."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator
from typing import Annotated

import typer

from reversi.cli.console import StatusCollector, command, err, out, out_json, rules_option
from reversi.cli.db.file import FileOption, database_path, opened_database
from reversi.cli.options import GameRulesOption
from reversi.cli.progress import ProgressLine
from reversi.cli.record.game_files import FormatOption
from reversi.cli.record.streams import PathsArgument, WorkersOption, games_of
from reversi.cli.status import Status
from reversi.database import Illegal, Imported
from reversi.database.rows import Block, blocks
from reversi.records.collection.games import Games
from reversi.records.collection.workers import made_of
from reversi.records.findings import game_finding_line
from reversi.text.counting import counted


@command
def import_games(
    paths: PathsArgument,
    db: FileOption = "",
    json: Annotated[
        bool, typer.Option("--json", help="Write one JSON object per file, then the summary.")
    ] = False,
    format_: FormatOption = None,
    rules: GameRulesOption = "othello",
    workers: WorkersOption = 0,
) -> None:
    """Add games to a database; create it if it does not exist. Skip games that it already has.

    An interrupted import adds no games. Games with an illegal move are reported; the database keeps them without
    their positions. A later import can add missing names to WTHOR games.

    Example: reversi db import archive/ --db games.duckdb
    """
    outcome = StatusCollector(complete=json)
    games = games_of(paths, rules_option(rules), outcome, format_, beside=database_path(db))
    begin = time.perf_counter()
    progress = ProgressLine()
    total = Imported("", 0, 0, 0)
    with opened_database(db, write=True) as database:
        importing = database.importing()
        try:
            with importing:
                for name, made in made_of(games, blocks, workers):
                    report = functools.partial(_report, outcome, name, progress)
                    imported = importing.add_blocks(name, _shown(made, games, progress), report)
                    progress.clear()
                    if imported.games:
                        total += imported
                        if json:
                            out_json({"file": name, **_counts(imported)})
        except KeyboardInterrupt:
            state = "has the games already" if importing.committed else "is unchanged"
            progress.clear()
            err(f"reversi: interrupted; {database.path} {state}")
            raise
        finally:
            progress.clear()
        path = database.path
    games.check()
    seconds = time.perf_counter() - begin
    counts = {"files": games.files, **_counts(total), "games": games.count, "broken": games.broken}
    if json:
        out_json({"summary": {**counts, "twins": importing.twins, "time_s": round(seconds, 3)}})
    elif games.count:
        named = f" ({total.named} of them get their names)" if total.named else ""
        out(f"{games}: {total.added} added to {path}, {total.known} already there{named}; {seconds:.1f} s")
    if total.illegal:
        err(
            f"reversi: {counted(total.illegal, 'game')} with an illegal move; {path} does not have their positions"
        )
    if importing.twins:
        listed = "'reversi db games --twins' lists them"
        err(f"reversi: same moves and year as an earlier game, other names: {importing.twins}; {listed}")
    outcome.finish()


def _report(outcome: StatusCollector, name: str, progress: ProgressLine, game: Illegal) -> None:
    progress.clear()
    outcome.add(Status.FINDING, game_finding_line(name, game.game, game.black, game.white, game.finding))


def _counts(imported: Imported) -> dict[str, object]:
    names = ("games", "added", "known", "named", "illegal")
    return {name: getattr(imported, name) for name in names}


def _shown(made: Iterator[Block], games: Games, progress: ProgressLine) -> Iterator[Block]:
    for block in made:
        progress.show(lambda: counted(games.count, "game"))
        yield block
