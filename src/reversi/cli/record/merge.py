"""``reversi record merge`` and ``reversi record dedupe``: the games of many files in one, each game once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from reversi.cli.console import StatusCollector, command, err, rules_option
from reversi.cli.outputs import ForceOption, Inputs
from reversi.cli.record.files import FormOption, RulesOption, counted
from reversi.cli.record.output import GamesWriter, OutputOption, ToOption
from reversi.cli.record.streams import Games, PathsArgument
from reversi.records.collection.identity import Duplicates
from reversi.records.entry import Entry

_MovesOnly = Annotated[
    bool, typer.Option("--moves-only", help="Compare the moves only, whoever played the games when.")
]


@command
def merge(
    paths: PathsArgument,
    output: OutputOption = "-",
    to: ToOption = None,
    force: ForceOption = False,
    form: FormOption = None,
    rules: RulesOption = "othello",
) -> None:
    """Write the games of many files, of whatever forms, to one file, in their order.

    Example: reversi record merge club/*.pgn ggs.ggf -o all.pgn
    """
    outcome = StatusCollector()
    games = Games(paths, rules_option(rules), outcome, form)
    writer = GamesWriter(output, to, outcome, Inputs(*paths), force=force)
    writer.write(games, lambda: games.at)
    writer.tell(games.count)
    outcome.finish()


@command
def dedupe(
    paths: PathsArgument,
    output: OutputOption = "-",
    to: ToOption = None,
    force: ForceOption = False,
    moves_only: _MovesOnly = False,
    twins: Annotated[
        bool,
        typer.Option(
            "--twins", help="List the games with the moves and the year of an earlier one under other names."
        ),
    ] = False,
    form: FormOption = None,
    rules: RulesOption = "othello",
) -> None:
    """Write each game once: the first of those with the same moves, mirrored or turned, players and year.

    Capitals, accents, blanks, hyphens, apostrophes and the order of the words of a name do not count.

    Example: reversi record dedupe all.pgn -o games.pgn
    """
    outcome = StatusCollector()
    games = Games(paths, rules_option(rules), outcome, form)
    duplicates = Duplicates(moves_only=moves_only)
    writer = GamesWriter(output, to, outcome, Inputs(*paths), force=force)

    def new_ones() -> Iterator[Entry]:
        for entry in duplicates.new_ones(games):
            is_twin = duplicates.is_twin
            yield entry
            if twins and is_twin:
                tags = entry.record.tags
                who = f"{tags['Black']} – {tags['White']}, {tags['Date']}"
                err(f"reversi: {who}: same moves and year as an earlier game; game {writer.count} written")

    writer.write(new_ones(), lambda: games.at)
    writer.tell(games.count)
    if duplicates.count:
        err(f"reversi: {counted(duplicates.count, 'game')} left out that came before")
    if duplicates.twins:
        how = "" if twins else "; --twins lists them, --moves-only leaves them out"
        err(f"reversi: same moves and year as an earlier game, other names: {duplicates.twins}{how}")
    outcome.finish()
