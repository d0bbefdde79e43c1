"""``reversi record``: replay records, check them, convert them, look through them, sort them."""

from __future__ import annotations

from reversi.cli.option_groups import excludes
from reversi.cli.record import (
    convert as record_convert,
    dedupe as record_dedupe,
    filter as record_filter,
    merge as record_merge,
    show as record_show,
    split as record_split,
    stats as record_stats,
    tidy as record_tidy,
    validate as record_validate,
)
from reversi.cli.tree import Commands


def register(app: Commands) -> None:
    """Add the command group to ``app``."""
    group = Commands()
    group.command("show", table=record_show.TABLE)(record_show.show)
    group.command("validate")(record_validate.validate)
    group.command("convert", table=record_convert.TABLE)(record_convert.convert)
    group.command("stats")(record_stats.stats)
    group.command("filter", table=record_filter.TABLE)(record_filter.filter_games)
    group.command("merge")(record_merge.merge)
    group.command("split", table=excludes("--by", "--every"))(record_split.split)
    group.command("dedupe")(record_dedupe.dedupe)
    group.command("tidy")(record_tidy.tidy)
    app.add_typer(group, name="record", help="Show, check, convert, count, filter, merge and split games.")
