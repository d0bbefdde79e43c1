"""``reversi record merge``: the games of many files in one."""

from __future__ import annotations

from functools import partial

from reversi.cli.console import StatusCollector, command, rules_option
from reversi.cli.options import GameRulesOption
from reversi.cli.outputs import ForceOption, Inputs
from reversi.cli.record.game_files import FormatOption
from reversi.cli.record.output import GamesWriter, OutputOption, ToOption
from reversi.cli.record.streams import PathsArgument, WorkersOption, games_of
from reversi.cli.selection import AliasesOption, OpeningTagsOption, aliases_of
from reversi.cli.tables import ColumnsOption
from reversi.games.changes import Changes
from reversi.games.texts import changed_texts
from reversi.games.workers import each_made


@command
def merge(
    paths: PathsArgument,
    output: OutputOption = "-",
    to: ToOption = None,
    force: ForceOption = False,
    aliases: AliasesOption = "",
    opening_tags: OpeningTagsOption = False,
    format_: FormatOption = None,
    columns: ColumnsOption = None,
    rules: GameRulesOption = "othello",
    workers: WorkersOption = 0,
) -> None:
    """Write the games of many files to one file, in the order of the files. The files may have different formats.

    Example: reversi record merge club/*.pgn ggs.ggf -o all.pgn
    """
    outcome = StatusCollector()
    changes = Changes(aliases_of(aliases), opening_tags)
    games = games_of(paths, rules_option(rules), outcome, format_, columns)
    writer = GamesWriter(output, to, outcome, Inputs(*paths), force=force)
    if writer.takes_texts:
        writer.write_texts(each_made(games, partial(changed_texts, changes), workers))
    else:
        writer.write(changes.of(games), lambda: games.at)
    writer.report(games.count)
    outcome.finish()
