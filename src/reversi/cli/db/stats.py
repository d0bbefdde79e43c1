"""`reversi db stats`: statistics of the games of a database."""

from __future__ import annotations

from typing import Annotated

import typer

from reversi.cli.console import command, rules_option
from reversi.cli.db.file import FileOption, MemoryOption, opened_database
from reversi.cli.options import ToMoveOption
from reversi.cli.outputs import ForceOption, Inputs, SpreadsheetOption
from reversi.cli.selection import (
    AliasesOption,
    BlackOption,
    EventOption,
    OpeningOption,
    PlayerOption,
    PositionOption,
    ResultOption,
    TagOption,
    WhiteOption,
    YearOption,
    aliases_of,
    select,
)
from reversi.cli.state import database_path
from reversi.cli.statistics import (
    TIE_BREAKS_DEFAULT,
    CsvOption,
    HtmlTablesOption,
    MinGamesOption,
    StatisticsOutput,
    TableOption,
    TablesFileOption,
    TieBreaksOption,
    TopOption,
)
from reversi.games.statistics.overview import Statistics
from reversi.text.counting import counted


@command
def stats(
    db: FileOption = "",
    memory: MemoryOption = None,
    table: TableOption = None,
    tag: TagOption = None,
    player: PlayerOption = None,
    black: BlackOption = None,
    white: WhiteOption = None,
    event: EventOption = None,
    year: YearOption = None,
    opening: OpeningOption = None,
    result: ResultOption = None,
    position: PositionOption = None,
    to_move: ToMoveOption = "",
    rules: Annotated[str, typer.Option(metavar="RULES", help="Use this rule set for the positions.")] = "othello",
    aliases: AliasesOption = "",
    top: TopOption = None,
    min_games: MinGamesOption = 1,
    tie_breaks: TieBreaksOption = TIE_BREAKS_DEFAULT,
    output: TablesFileOption = "",
    html: HtmlTablesOption = "",
    json: Annotated[bool, typer.Option("--json", help="Write one JSON object for each table.")] = False,
    as_csv: CsvOption = False,
    spreadsheet: SpreadsheetOption = False,
    force: ForceOption = False,
) -> None:
    """Count results, lengths, passes, openings, players and years; or write a table of events, players or ratings.

    Conditions select the games that count, as in 'reversi db games'. standings and crosstable are of each event;
    --table profile shows the player that --player names. docs/statistics.md describes the tables.

    Example: reversi db stats --year 1997

    Example: reversi db stats --table crosstable --event "Cambridge" --year 1997

    Example: reversi db stats --table profile --player "tastet" --html tastet.html
    """
    path = database_path(db)
    out = StatisticsOutput(
        table,
        player,
        top,
        min_games,
        tie_breaks,
        output,
        html,
        Inputs(path, f"{path}.wal"),
        json=json,
        as_csv=as_csv,
        spreadsheet=spreadsheet,
        force=force,
    )
    selection = select(
        rules_option(rules),
        tag=tag,
        player=player if out.player_selects else None,
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
    with opened_database(db, memory) as database:
        results = database.results(selection)
        if out.needs_results:
            out.write_tables(results, selection.aliases)
            return
        statistics = Statistics()
        for game in results:
            statistics.add(game)
    if statistics.all.games:
        what = f"{counted(statistics.all.games, 'game')} in {path}"
        out.write_overview(statistics, what, {"database": str(path)}, 0)
    else:
        out.write_nothing()
