"""`reversi db sources`: the files that the games of a database came from."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from reversi.cli.console import command, fail, out, out_json
from reversi.cli.database import ChangeOptions, DatabaseOptions, JsonOption
from reversi.cli.options import argument
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.games import Database
from reversi.text.counting import counted


@command
def list_(db: DatabaseOptions, json: JsonOption = False) -> None:
    """List the imported files with their numbers and games. A game counts for the file that brought it first.

    Example: reversi db sources list --db games.duckdb
    """
    with db.opened() as database:
        for source, path, games, imported in database.rows(
            "select id, path, games, imported from sources order by id"
        ):
            if json:
                out_json({"source": source, "file": path, "games": games, "imported": imported.isoformat()})
            else:
                out(f"{source:5}{games:9}  {imported:%Y-%m-%d}  {path}")


@command
def remove(
    source: Annotated[str, argument("SOURCE", "The number of the file, or its name.")],
    options: ChangeOptions,
) -> None:
    """Remove an imported file: its games, their positions, and players without another game.

    A game that another file has, too, stays.

    Example: reversi db sources remove archive/WTH_1984.wtb --dry-run

    Example: reversi db sources remove 3
    """
    with options.opened(change=True) as database:
        try:
            removed = database.remove_source(_number(database, source), dry_run=options.dry_run)
        except InputError as error:
            fail(Status.USAGE, f"{error}; 'reversi db sources list' lists them")
    with_it = f"{counted(removed.positions, 'position')} and {counted(removed.players, 'player')}"
    fields = asdict(removed)
    options.report(
        {"file": fields.pop("path"), **fields},
        f"{removed.path}: {counted(removed.games, 'game')} {options.would}removed, with {with_it}",
    )


def _number(database: Database, source: str) -> int:
    """Return the number of a source, given that or its name."""
    rows = database.rows("select id from sources where path = ? order by id", [source])
    if len(rows) > 1:
        numbers = ", ".join(str(number) for (number,) in rows)
        fail(Status.USAGE, f"{source}: {len(rows)} sources have that name; give a number: {numbers}")
    if rows:
        return int(rows[0][0])
    if source.isdecimal() and source.isascii() and len(source) < 10:
        return int(source)
    raise InputError(f"source {source} does not exist")
