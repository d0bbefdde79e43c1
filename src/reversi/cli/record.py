"""``reversi record``: replay records, check them, convert them."""

from __future__ import annotations

import typer

from reversi.cli import record_convert, record_show, record_validate


def register(app: typer.Typer) -> None:
    """Add the command group to ``app``."""
    group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    group.command("show")(record_show.show)
    group.command("validate")(record_validate.validate)
    group.command("convert")(record_convert.convert)
    app.add_typer(group, name="record", help="Replay records of games, check them, or convert them.")
