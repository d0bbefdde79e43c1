"""`reversi db aliases`: give the players and events of a database the names that a file gives."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from reversi.cli.console import command, out, out_json
from reversi.cli.database import DryRunOption, FileOption, JsonOption, MemoryOption, opened_database
from reversi.cli.selection import aliases_of
from reversi.text.counting import counted


@command
def aliases(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file: lines Alias = Name.")],
    db: FileOption = "",
    memory: MemoryOption = None,
    dry_run: DryRunOption = False,
    json: JsonOption = False,
) -> None:
    """Give players and events the names that a file gives, in all games and their records.

    A line of the file is Alias = Name. Lines below a line [events] name events, those above it players. Games of
    different files that are then the same become one.

    Example: reversi db aliases names.txt --dry-run
    """
    names = aliases_of(file, option="")
    with opened_database(db, memory, change=True) as database:
        done = database.apply_aliases(names, dry_run=dry_run)
    if json:
        out_json({**asdict(done), "dry_run": dry_run})
        return
    would = "would be " if dry_run else ""
    what = f"{counted(done.players, 'name')} of players and {counted(done.events, 'name')} of events"
    out(f"{what}: {counted(done.games, 'game')} {would}renamed")
    if done.repeated:
        out(f"{counted(done.repeated, 'game')} of several files {would}removed; the first of each stays")
