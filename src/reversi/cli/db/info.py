"""`reversi db info`: what a database contains."""

from __future__ import annotations

from dataclasses import asdict

from reversi.cli.console import command, out, out_json
from reversi.cli.database import DatabaseOptions, JsonOption
from reversi.text.counting import counted, years_between


@command
def info(db: DatabaseOptions, json: JsonOption = False) -> None:
    """Show what a database contains.

    Example: reversi db info --db games.duckdb
    """
    with db.opened() as database:
        content = database.info()
        path = database.path
    if json:
        out_json({"file": str(path), **asdict(content), "bytes": path.stat().st_size})
        return
    years = "" if content.first is None else f" of {years_between(content.first, content.last)}"
    out(
        f"{path}: {counted(content.games, 'game')}{years} by {counted(content.players, 'player')}, from"
        f" {counted(content.sources, 'file')}; {content.positions} positions, {path.stat().st_size / 1e6:.1f} MB"
    )
