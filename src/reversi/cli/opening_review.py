"""``reversi openings review``: where games leave a repertoire or the book, and what that costs."""

from __future__ import annotations

import enum
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Final

import typer

from reversi._system.paths import source_name
from reversi.analysis.exercises.exercise import Exercise
from reversi.analysis.exercises.judge import Judge
from reversi.analysis.exercises.making import MIN_LOSS
from reversi.analysis.opening_review import Leaving, OpeningReview
from reversi.arguments import excerpt
from reversi.cli.console import StatusCollector, command, err, fail
from reversi.cli.engine_options import BookOptions, level_option, level_value
from reversi.cli.given_games import GivenGames
from reversi.cli.option_groups import Flag, needs
from reversi.cli.options import PositionThreadsOption, argument, option
from reversi.cli.outputs import Inputs
from reversi.cli.progress import ProgressLine
from reversi.cli.record.streams import ReadingOptions
from reversi.cli.reports import check_page, source_label
from reversi.cli.selection import SelectionOptions
from reversi.cli.state import StateOption, state_folder
from reversi.cli.status import Status
from reversi.cli.table_output import LISTED, TableOptions, TableOutput, table_text
from reversi.cli.train.store import collect, miss, read_colored_repertoire
from reversi.color import Color
from reversi.games.repertoire import Repertoire
from reversi.text.counting import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from reversi.render import ReportGame

_LEVEL: Final = 16


class _Table(enum.Enum):
    OPENINGS = "openings"
    DEPARTURES = "departures"
    GAMES = "games"


@command(*needs("--color", "--repertoire"), *needs("--min-loss", "--exercises"), *needs("--state", "--exercises"))
def review(
    games: Annotated[
        list[str],
        argument("GAMES", "Files of games, databases, folders, FILE#3, patterns, or moves; - is standard input."),
    ],
    *,
    repertoire: Annotated[
        list[str] | None,
        option("FILE", "Compare with the repertoire in FILE; give two for both colors.", show_default="the book"),
    ] = None,
    color: Annotated[
        str, option("black|white", "Set whose moves a repertoire has, where its file does not say it.")
    ] = "",
    conditions: SelectionOptions,
    books: BookOptions,
    level: Annotated[
        str | None,
        level_option("Search at this level what the book does not know.", show_default=str(_LEVEL)),
    ] = None,
    threads: PositionThreadsOption = 1,
    reading: ReadingOptions,
    table: Annotated[_Table | None, typer.Option(show_default="all", help="Write only this table.")] = None,
    tables: TableOptions,
    exercises: Annotated[
        bool,
        Flag("Let 'reversi train' ask the positions where the player left, lost discs or had no answer."),
    ] = False,
    min_loss: Annotated[
        int,
        option("DISCS", "Make exercises where a move lost at least DISCS, or the outcome.", min=1, max=64),
    ] = MIN_LOSS,
    state: StateOption = None,
) -> None:
    """Show where games leave your repertoire: who left, at which ply, what it cost, and what has no answer.

    A repertoire is a file of games with variations. Moves in another order do not leave it. Without one, games
    are compared with the sound moves of the opening book, which lose fewer than three discs. The tables count the
    games, points and losses by opening, list what to play next time, and list the games.

    Example: reversi openings review my-games.pgn --player ada --repertoire mine.pgn

    Example: reversi openings review games.duckdb --player ada --year 2024- --output openings.html

    Example: reversi openings review my-games.pgn --player ada --repertoire mine.pgn --exercises
    """
    player = conditions.one_player
    if not player and (conditions.player or not repertoire):
        fail(Status.USAGE, "whose openings are reviewed is not clear; give --player NAME once")
    selection = conditions.read(reading.rule_set, reading.encoding)
    output = TableOutput(tables, Inputs(*games, *(repertoire or ())))
    outcome = StatusCollector(complete=tables.json)
    judge = Judge(level_value(level, _LEVEL), threads=threads)
    repertoires, book = _repertoires(repertoire or [], color, reading), books.open(reading.rule_set)
    if book is None and not repertoires:
        fail(Status.USAGE, "without a book there is nothing to compare with; give --repertoire FILE")
    found = OpeningReview(repertoires, book=book, judge=judge)
    aliases, taken, others = selection.aliases, [], 0
    for file, entry in GivenGames(games, reading, outcome, selection=selection):
        if selection.takes(entry.record):
            names = {Color.BLACK: entry.record.black, Color.WHITE: entry.record.white}
            sides = [side for side in Color if not player or aliases.has_words(names[side], player)]
            reviewed = [side for side in sides if found.takes(side)]
            others += not reviewed
            taken += [(source_name(file) if file else "", entry, side) for side in reviewed]
    if not taken:
        if outcome.status is Status.DONE:
            outcome.add(Status.BAD_DATA, f"reversi: no game{f' of {excerpt(player)}' if player else ''} to review")
        outcome.finish()
    if output.is_page:
        check_page(len(taken), "--output")
    progress = ProgressLine()
    for number, (file, entry, side) in enumerate(taken):
        found.add(entry.record, side, aliases=aliases, file=file, number=entry.number)
        progress.show(lambda: f"{counted(len(taken), 'game')}", number / len(taken))
    what = "repertoire" if repertoire else "book"
    heading = _heading(found, what)
    shown = [each.first(output.top()) for each in found.tables() if table is None or each.name == table.value]
    if table is None and not output.is_data:  # nobody reads a table without rows
        shown = [each for each in shown if each.rows]
    texts = None if table else [heading, *(f"\n{table_text(each, output.width)}" for each in shown)]
    title = f"{player}, {heading}" if player else heading
    output.write(shown, title=title, texts=texts, first=LISTED, games=_pages(found, what))
    if others:
        err(f"reversi: {counted(others, 'game')} with the other color left out")
    if exercises:
        _keep(found, min_loss, state, progress)
    outcome.finish()


def _repertoires(files: list[str], color: str, reading: ReadingOptions) -> dict[Color, Repertoire]:
    """Read the repertoires; end the command for two of one color."""
    found: dict[Color, Repertoire] = {}
    for file in files:
        repertoire = read_colored_repertoire(file, color, reading.rule_set, reading.encoding)
        if found.setdefault(repertoire.side, repertoire) is not repertoire:
            fail(Status.USAGE, f"--repertoire {file}: another one is for {repertoire.side}, too; give one of them")
    return found


def _heading(review: OpeningReview, what: str) -> str:
    """Return how many games there are, and how they leave: by the words of `Leaving`."""
    counts = Counter(game.leaving for game in review.games)
    words = {
        Leaving.PLAYER: "left by the player",
        Leaving.OPPONENT: "by the opponent",
        Leaving.END: f"past the end of the {what}",
        Leaving.INSIDE: "inside to their end",
        Leaving.OUTSIDE: "of other openings",
    }
    parts = (f"{counts[leaving]} {text}" for leaving, text in words.items() if counts[leaving])
    return f"{counted(len(review.games), 'game')}: {', '.join(parts)}"


def _pages(review: OpeningReview, what: str) -> Iterator[ReportGame]:
    from reversi.render import ReportGame

    for game in review.costliest():
        source = source_label(game.file, game.number)
        yield ReportGame(record=game.annotated(what), source=source, ply=game.ply)


def _keep(review: OpeningReview, min_loss: int, state: Path | None, progress: ProgressLine) -> None:
    """Add the exercises of the games to those of the player; those so far, too, where the work is interrupted."""
    made: dict[str, Exercise] = {}
    folder = state_folder(state)
    try:
        for exercise in review.exercises(min_loss):
            made.setdefault(exercise.id, exercise)
            progress.show(lambda: counted(len(made), "exercise"))
    finally:
        more = f", {collect(list(made.values()), folder)} of them new; 'reversi train' asks them" if made else ""
        err(f"reversi: {counted(len(made), 'exercise')} from {counted(len(review.games), 'game')}{more}")
    if missed := review.missed():
        more = f"{miss(missed, folder)} of them new; 'reversi train openings' asks them"
        err(f"reversi: {counted(len(missed), 'move')} of the repertoire missed, {more}")
