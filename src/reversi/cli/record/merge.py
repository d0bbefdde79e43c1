"""``reversi record merge`` and ``reversi record dedupe``: the games of many files in one, each game once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Annotated

import typer

from reversi.cli.console import StatusCollector, command, err, rules_option
from reversi.cli.options import GameRulesOption
from reversi.cli.outputs import ForceOption, Inputs
from reversi.cli.record.game_files import FormatOption
from reversi.cli.record.output import GamesWriter, OutputOption, ToOption
from reversi.cli.record.streams import PathsArgument, WorkersOption, games_of
from reversi.records.collection.identity import Duplicates
from reversi.records.collection.texts import (
    GameText,
    IdentifiedText,
    game_texts,
    identified_texts,
    players_and_date,
)
from reversi.records.collection.workers import each_made
from reversi.records.entry import Entry
from reversi.text.counting import counted

_MovesOnly = Annotated[bool, typer.Option("--moves-only", help="Compare only the moves, not players and years.")]


@command
def merge(
    paths: PathsArgument,
    output: OutputOption = "-",
    to: ToOption = None,
    force: ForceOption = False,
    format_: FormatOption = None,
    rules: GameRulesOption = "othello",
    workers: WorkersOption = 0,
) -> None:
    """Write the games of many files to one file, in the order of the files. The files may have different formats.

    Example: reversi record merge club/*.pgn ggs.ggf -o all.pgn
    """
    outcome = StatusCollector()
    games = games_of(paths, rules_option(rules), outcome, format_)
    writer = GamesWriter(output, to, outcome, Inputs(*paths), force=force)
    if writer.takes_texts:
        writer.write_texts(each_made(games, game_texts, workers))
    else:
        writer.write(games, lambda: games.at)
    writer.report(games.count)
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
            "--twins", help="Report games that match an earlier game in moves and year, but not in names."
        ),
    ] = False,
    format_: FormatOption = None,
    rules: GameRulesOption = "othello",
    workers: WorkersOption = 0,
) -> None:
    """Write each game once: of games with the same moves, players and year, keep the first.

    Games that are mirror images or rotations of each other have the same moves. In names, case, accents, spaces,
    hyphens, apostrophes and the order of the words make no difference.

    Example: reversi record dedupe all.pgn -o games.pgn
    """
    outcome = StatusCollector()
    games = games_of(paths, rules_option(rules), outcome, format_)
    duplicates = Duplicates(moves_only=moves_only)
    writer = GamesWriter(output, to, outcome, Inputs(*paths), force=force)

    def is_twin(who: str) -> None:
        err(f"reversi: {who}: same moves and year as an earlier game; game {writer.count} written")

    report = is_twin if twins else None
    if writer.takes_texts:
        work = partial(identified_texts, moves_only)
        writer.write_texts(_new_texts(each_made(games, work, workers), duplicates, report))
    else:
        writer.write(_new_games(games, duplicates, report), lambda: games.at)
    writer.report(games.count)
    if duplicates.count:
        err(f"reversi: {counted(duplicates.count, 'game')} left out that came before")
    if duplicates.twins:
        how = "" if twins else "; --twins lists them, --moves-only leaves them out"
        err(f"reversi: same moves and year as an earlier game, other names: {duplicates.twins}{how}")
    outcome.finish()


def _new_texts(
    games: Iterable[tuple[str, IdentifiedText]], duplicates: Duplicates, report: Callable[[str], None] | None
) -> Iterator[tuple[str, GameText]]:
    """Yield the games that did not come before, and a report of those that are twins, after they are written."""
    for name, game in games:
        if duplicates.is_first(game.identity) and game.text is not None:
            is_twin = duplicates.is_twin
            yield name, game.text
            if report is not None and is_twin:
                report(game.who)


def _new_games(
    games: Iterable[Entry], duplicates: Duplicates, report: Callable[[str], None] | None
) -> Iterator[Entry]:
    for entry in duplicates.new_ones(games):
        is_twin = duplicates.is_twin
        yield entry
        if report is not None and is_twin:
            report(players_and_date(entry))
