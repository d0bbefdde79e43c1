"""``reversi record filter``: the games that meet some conditions."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from reversi.cli.console import StatusCollector, command, rules_option
from reversi.cli.options import GameRulesOption, ToMoveOption
from reversi.cli.outputs import ForceOption, Inputs
from reversi.cli.record.game_files import FormatOption
from reversi.cli.record.output import GamesWriter, OutputOption, ToOption
from reversi.cli.record.streams import PathsArgument, WorkersOption, games_of
from reversi.cli.selection import (
    AliasesOption,
    BlackOption,
    OpeningOption,
    OpeningTagsOption,
    PlayerOption,
    PositionOption,
    ResultOption,
    WhiteOption,
    YearOption,
    aliases_of,
    select,
)
from reversi.cli.tables import ColumnsOption
from reversi.records.collection.changes import Changes
from reversi.records.collection.texts import selected_texts
from reversi.records.collection.workers import each_made


@command
def filter_games(
    paths: PathsArgument,
    output: OutputOption = "-",
    to: ToOption = None,
    force: ForceOption = False,
    tag: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=TEXT",
            help="Select games whose tag NAME contains TEXT; NAME alone selects games with that tag.",
        ),
    ] = None,
    player: PlayerOption = None,
    black: BlackOption = None,
    white: WhiteOption = None,
    year: YearOption = None,
    opening: OpeningOption = None,
    result: ResultOption = None,
    position: PositionOption = None,
    to_move: ToMoveOption = "",
    aliases: AliasesOption = "",
    opening_tags: OpeningTagsOption = False,
    format_: FormatOption = None,
    columns: ColumnsOption = None,
    rules: GameRulesOption = "othello",
    workers: WorkersOption = 0,
) -> None:
    """Write the games that meet every condition.

    A repeated option selects games that fit any of its values; --player twice selects games between two players.
    Tags of different names must all fit. With --aliases, the conditions find any name of a player, and the games
    written have the one that the file gives.

    Example: reversi record filter archive/ --player "tastet" --year 1990-1999 --opening Tiger -o tiger.pgn

    Example: reversi record filter games.pgn --result draw --tag Event=Cambridge

    Example: reversi record filter games.pgn --position "f5d6c3d3c4"
    """
    rule_set = rules_option(rules)
    selection = select(
        rule_set,
        tags=tag,
        player=player,
        black=black,
        white=white,
        year=year,
        result=result,
        opening=opening,
        position=position,
        to_move=to_move,
        aliases=aliases_of(aliases),
    )
    changes = Changes(selection.aliases, opening_tags)
    outcome = StatusCollector()
    games = games_of(paths, rule_set, outcome, format_, columns)
    writer = GamesWriter(output, to, outcome, Inputs(*paths), force=force)
    if writer.takes_texts:
        writer.write_texts(each_made(games, partial(selected_texts, selection, changes), workers))
    else:
        writer.write(changes.of(selection.of(games)), lambda: games.at)
    writer.report(games.count)
    outcome.finish()
