"""`reversi db`: a database of games: import files, change what it has, ask in SQL."""

from __future__ import annotations

from reversi.cli.db import (
    aliases as db_aliases,
    import_games as db_import,
    info as db_info,
    players as db_players,
    sources as db_sources,
    sql as db_sql,
)
from reversi.cli.tree import Commands


def register(app: Commands) -> None:
    """Add the command group to `app`."""
    group = Commands()
    group.command("import")(db_import.import_games)
    group.command("sql")(db_sql.sql)
    group.command("info")(db_info.info)
    group.command("aliases")(db_aliases.aliases)
    db_sources.register(group)
    db_players.register(group)
    app.add_typer(group, name="db", help="Keep games in a database, and query it in SQL.")
