"""The argument PATH of commands that read many games, and the reports about these games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from reversi.cli.console import StatusCollector, stdin_buffer
from reversi.cli.record.game_files import SourceFormat, text_format
from reversi.cli.status import Status
from reversi.cli.tables import table_options
from reversi.games.files import FileGames, Report, ReportKind
from reversi.records.sources.finding import STANDARD_INPUT
from reversi.rules import Rules

PathsArgument = Annotated[
    list[str],
    typer.Argument(metavar="PATH", help="Files of games, databases, folders, or patterns; - is standard input."),
]
WorkersOption = Annotated[
    int, typer.Option("--workers", metavar="N", min=0, help="Use N processes; 0 uses one per CPU.")
]

_STATUSES = {
    ReportKind.MISSING: Status.NO_INPUT,
    ReportKind.DAMAGED: Status.BAD_DATA,
    ReportKind.MALFORMED: Status.FINDING,
    ReportKind.WARNING: Status.DONE,
}


def games_of(
    paths: list[str],
    rules: Rules,
    outcome: StatusCollector,
    format_: SourceFormat | None = None,
    columns: list[str] | None = None,
    *,
    beside: Path | None = None,
    before_question: Callable[[], None] = lambda: None,
) -> FileGames:
    """Return the games of files, folders and patterns; ``outcome`` collects what cannot be read."""

    def report(event: Report) -> None:
        name = "" if event.kind is ReportKind.MALFORMED else "reversi: "
        outcome.add(_STATUSES[event.kind], f"{name}{event.text}")

    stdin = stdin_buffer() if STANDARD_INPUT in paths else None
    tables = table_options(columns, before_question)
    return FileGames(paths, report, rules, text_format(format_), tables=tables, beside=beside, stdin=stdin)
