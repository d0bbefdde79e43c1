"""`reversi db info`: what a database contains."""

from __future__ import annotations

from reversi.cli.console import command, out, out_json
from reversi.cli.db.file import FileOption, JsonOption, opened_database
from reversi.cli.record.streams import years_between
from reversi.text.counting import counted


@command
def info(db: FileOption = "", json: JsonOption = False) -> None:
    """Show what a database contains.

    Example: reversi db info --db games.duckdb
    """
    with opened_database(db) as database:
        found = database.info()
        path = database.path
    if json:
        out_json(
            {
                "file": str(path),
                "games": found.games,
                "positions": found.positions,
                "players": found.players,
                "sources": found.sources,
                "first": found.first,
                "last": found.last,
                "bytes": path.stat().st_size,
            }
        )
        return
    years = "" if found.first is None else f" of {years_between(found.first, found.last)}"
    out(
        f"{path}: {counted(found.games, 'game')}{years} by {counted(found.players, 'player')}, from"
        f" {counted(found.sources, 'file')}; {found.positions} positions, {path.stat().st_size / 1e6:.1f} MB"
    )
