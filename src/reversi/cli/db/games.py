"""`reversi db games`: list games, or write their records."""

from __future__ import annotations

from typing import Annotated

import typer

from reversi.cli.console import command, err, fail, out, out_json, rules_option
from reversi.cli.db.file import (
    FileOption,
    JsonOption,
    LimitOption,
    MemoryOption,
    most_rows,
    opened_database,
)
from reversi.cli.options import ToMoveOption
from reversi.cli.outputs import ForceOption, Inputs, check_force
from reversi.cli.record.output import ToOption, WritingOptions
from reversi.cli.selection import (
    AliasesOption,
    BlackOption,
    EventOption,
    OpeningOption,
    OpeningTagsOption,
    PlayerOption,
    PositionOption,
    ResultOption,
    SortOption,
    TagOption,
    WhiteOption,
    YearOption,
    aliases_of,
    select,
    sorts_of,
)
from reversi.cli.state import database_path
from reversi.cli.status import Status
from reversi.games import DatabaseGame
from reversi.games.changes import Changes
from reversi.records.entry import Entry
from reversi.records.formats.tables.json_table import json_row
from reversi.text.counting import counted
from reversi.text.terminal import safe
from reversi.text.widths import filled


@command
def games(
    db: FileOption = "",
    memory: MemoryOption = None,
    player: PlayerOption = None,
    black: BlackOption = None,
    white: WhiteOption = None,
    event: EventOption = None,
    tag: TagOption = None,
    year: YearOption = None,
    opening: OpeningOption = None,
    result: ResultOption = None,
    position: PositionOption = None,
    to_move: ToMoveOption = "",
    rules: Annotated[str, typer.Option(metavar="RULES", help="Use this rule set for the positions.")] = "othello",
    twins: Annotated[
        bool,
        typer.Option(
            "--twins", help="List only games that match another game in moves and year, but not in names."
        ),
    ] = False,
    aliases: AliasesOption = "",
    sort: SortOption = None,
    limit: LimitOption = None,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the complete records to FILE; - is standard output."
        ),
    ] = "",
    to: ToOption = None,
    force: ForceOption = False,
    opening_tags: OpeningTagsOption = False,
    json: JsonOption = False,
) -> None:
    """List the games that meet every condition, or write their records.

    A repeated option selects games that fit any of its values; --player twice selects games between two players.
    Tags of different names must all fit.

    Example: reversi db games --player "tastet" --year 1997 --opening Tiger

    Example: reversi db games --position f5d6c3d3c4f4 -o games.pgn

    Example: reversi db games --twins --limit 0
    """
    if not output and opening_tags:
        fail(Status.USAGE, "--opening-tags: name the file to write with --output")
    if not output and to is not None:
        fail(Status.USAGE, "--to: name the file to write with --output")
    check_force(force, {"--output": output})
    rule_set = rules_option(rules)
    sorts = sorts_of(sort)
    if sorts and twins:
        fail(Status.USAGE, "--twins keeps games of the same moves together; leave out --sort")
    chosen = select(
        rule_set,
        tag=tag,
        player=player,
        black=black,
        white=white,
        event=event,
        year=year,
        result=result,
        opening=opening,
        position=position,
        to_move=to_move,
        aliases=aliases_of(aliases),
    )
    most = most_rows(limit, whole=bool(output) or json)
    inputs = Inputs(database_path(db), f"{database_path(db)}.wal")
    with (
        WritingOptions(to, force=force).writer(output or "-", inputs) as writer,
        opened_database(db, memory, low_memory=bool(output) or json) as database,
    ):
        count = database.count(chosen, twins=twins)
        shown = count if most is None else min(count, most)
        listed = database.each_game(chosen, sort=sorts, limit=most, twins=twins)
        records = database.records(chosen, sort=sorts, limit=most, twins=twins)
        if output:
            entries = (Entry(number, 0, record) for number, record in enumerate(records, 1))
            writer.write(Changes(openings=opening_tags).of(entries), lambda: str(database_path(db)))
            if output != "-":
                writer.report(shown)
        elif json:
            for game, record in zip(listed, records, strict=True):
                out_json({"id": game.id, **json_row(record), "file": game.source, "game": game.number})
        else:
            for game in listed:
                out(_line(game))
    more = f"; these are the first {shown} (--limit)" if shown < count else ""
    err(f"reversi: {counted(count, 'game')}{more}")


def _line(game: DatabaseGame) -> str:
    players = f"{game.black or '?'} – {game.white or '?'}"
    about = ", ".join(part for part in (game.event, game.opening) if part)
    place = f"{safe(game.source)}#{game.number}"
    return f"{game.year or '????'}  {game.result:>7}  {filled(players, 44)}  {about}  [{place}]"
