"""`reversi db aliases`: give the players and events of a database the names that a file gives."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from reversi.cli.console import command
from reversi.cli.database import ChangeOptions
from reversi.cli.options import EncodingOption, argument
from reversi.cli.selection import aliases_of
from reversi.text.counting import counted


@command
def aliases(
    file: Annotated[str, argument("FILE", "The file: lines Alias = Name.")],
    options: ChangeOptions,
    encoding: EncodingOption = "",
) -> None:
    """Give players and events the names that a file gives, in all games and their records.

    A line of the file is Alias = Name. Lines below a line [events] name events, those above it players. Games of
    different files that are then the same become one.

    Example: reversi db aliases names.txt --dry-run
    """
    names = aliases_of(file, encoding, option="")
    with options.opened(change=True) as database:
        done = database.apply_aliases(names, dry_run=options.dry_run)
    what = f"{counted(done.players, 'name')} of players and {counted(done.events, 'name')} of events"
    renamed = f"{what}: {counted(done.games, 'game')} {options.would}renamed"
    options.report(asdict(done), renamed, options.repeated(done.repeated))
