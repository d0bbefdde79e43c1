"""`reversi db aliases`: give the players and events of a database the names that a file gives."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from reversi.cli.console import command, out, out_json
from reversi.cli.database import ChangeOptions
from reversi.cli.options import EncodingOption, argument
from reversi.cli.selection import aliases_of
from reversi.text.counting import counted


@command
def aliases(
    file: Annotated[str, argument("[FILE]", "The file: lines Alias = Name.")] = "",
    *,
    options: ChangeOptions,
    encoding: EncodingOption = "",
) -> None:
    """Give players and events the names that a file gives, in all games and their records.

    A line of the file is Alias = Name. Lines below a line [events] name events, those above it players. Games of
    different files that are then the same become one. The database keeps the names, and those of 'reversi db
    players' rename and merge: later imports get them, too. Without FILE, the command lists them as such lines.

    Example: reversi db aliases names.txt --dry-run

    Example: reversi db aliases > names.txt
    """
    if not file:
        with options.opened() as database:
            kept = database.aliases()
        for heading, pairs in (("", kept.pairs), ("[events]", kept.events.pairs)):
            if heading and pairs and not options.json:
                out(heading)
            for alias, name in pairs:
                if options.json:
                    out_json({"alias": alias, "name": name, "event": bool(heading)})
                else:
                    out(f"{alias} = {name}")
        return
    names = aliases_of(file, encoding, option="")
    with options.opened(change=True) as database:
        done = database.apply_aliases(names, dry_run=options.dry_run)
    what = f"{counted(done.players, 'name')} of players and {counted(done.events, 'name')} of events"
    renamed = f"{what}: {counted(done.games, 'game')} {options.would}renamed"
    options.report(asdict(done), renamed, options.repeated(done.repeated))
