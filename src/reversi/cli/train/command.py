"""The commands of ``reversi train`` that ask: exercises, and the moves of a repertoire."""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence
from functools import partial
from itertools import count as count_up
from pathlib import Path
from typing import Annotated

import typer

from reversi import tui
from reversi.analysis.exercises.deck import read_deck, standard_deck
from reversi.analysis.exercises.drill import Drill, interval_text
from reversi.analysis.exercises.planning import Exercises, next_due, plan
from reversi.analysis.exercises.progress import ProgressFile
from reversi.analysis.exercises.schedule import Schedule
from reversi.analysis.exercises.school import Card, RepertoireCard, School, cards
from reversi.cli.console import Exit, command, err, fail, out, rules_option, writing
from reversi.cli.engine_options import BookOptions
from reversi.cli.line_reader import at_terminal, line_reader
from reversi.cli.options import EncodingOption, GameRulesOption, QuietOption, option
from reversi.cli.play.dialogue_lines import say_wrapped
from reversi.cli.play.screen import Ui, on_screen, ui_option, use_screen
from reversi.cli.progress import ProgressLine
from reversi.cli.state import StateOption, state_folder
from reversi.cli.status import Status
from reversi.cli.train.dialogue import Training, candidates
from reversi.cli.train.store import (
    DeckArgument,
    RepertoireArgument,
    Wanted,
    answered,
    decks,
    progress_file,
    read_colored_repertoire,
    training_folder,
)
from reversi.text.counting import counted


@command
def play(
    deck: DeckArgument = None,
    count: Annotated[int, option("N", "Ask at most N exercises.", "-n", "--count", min=1, max=10_000)] = 10,
    *,
    wanted: Wanted,
    everything: Annotated[
        bool, typer.Option("--all", help="Also ask exercises that are not due yet, after the others.")
    ] = False,
    ui: Annotated[Ui, ui_option("Ask")] = Ui.AUTO,
    quiet: QuietOption = False,
    state: StateOption = None,
) -> None:
    """Solve exercises: those that are due, missed ones first, then new ones at your level.

    Where you have no exercises of your own to answer, the command asks built-in ones. Your exercise rating follows
    your first answers, and new exercises follow the rating.

    On the full screen, click a square. Line by line, answer with a move, or type hint, solution, skip, help or
    quit. The program saves each answer, then explains why it is right or wrong. An exercise comes back after
    minutes, days or months, depending on your answers (spaced repetition).

    Example: reversi train play

    Example: reversi train play endgames.json --count 5

    Example: reversi train play standard --theme sacrifice --difficulty 4-
    """
    folder = state_folder(state)
    schedule = Schedule()
    exercises = wanted.select(decks(deck, folder, read_deck))
    progress = _prepared(folder)
    now = datetime.datetime.now(datetime.UTC)
    if not deck:
        to_ask = plan(exercises, progress.of, now, everything=everything)
        exercises += wanted.select(answered(progress) if to_ask else list(standard_deck()))
    course = Exercises(exercises, progress, now, count=count, everything=everything)
    _ask(Drill(course, progress, schedule), exercises, progress, now, ui, folder, quiet=quiet)


@command
def openings(
    repertoire: RepertoireArgument,
    color: Annotated[
        str, option("black|white", "Train the moves of this color; by default the tag Repertoire says it.")
    ] = "",
    count: Annotated[int, option("N", "Ask at most N moves.", "-n", "--count", min=1, max=10_000)] = 20,
    everything: Annotated[
        bool, typer.Option("--all", help="Also ask moves that are not due yet, after the others.")
    ] = False,
    *,
    books: BookOptions,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Draw the same moves of the other side; by default they vary.")
    ] = None,
    rules: GameRulesOption = "othello",
    encoding: EncodingOption = "",
    ui: Annotated[Ui, ui_option("Ask")] = Ui.AUTO,
    quiet: QuietOption = False,
    state: StateOption = None,
) -> None:
    """Learn your openings: play the moves of a repertoire against moves that people play.

    The program plays the other side, each move as often as its weight in the file says, else as often as games
    play it. It asks the moves that you missed, then others that are due, then new ones, and plays the known ones
    for you. New ones that are easy come last: the only sound move, which a search of one ply finds, too. After
    each answer it says why your move is the move. As exercises do, a move comes back after minutes, days or
    months; the progress of a position stays when you change the file around it.

    Example: reversi train openings mine.pgn

    Example: reversi train openings tiger.sgf --color black --count 40
    """
    from reversi.explorer.repertoires import OpeningAdviser

    folder = state_folder(state)
    schedule = Schedule()
    mine = read_colored_repertoire(repertoire, color, rules_option(rules), encoding)
    every, line = list(cards(mine)), ProgressLine()
    if not every:
        fail(Status.BAD_DATA, f"{mine.source or repertoire}: {mine.color} has no move in it")
    progress = _prepared(folder)
    now = datetime.datetime.now(datetime.UTC)
    book = books.open(mine.begins[0].rules)
    adviser, shares = OpeningAdviser(book), count_up(step=1 / len(every))

    def is_hard(card: RepertoireCard) -> bool:
        line.show(lambda: counted(len(every), "position"), next(shares))
        return adviser.is_hard(card.position, card.choices[0].move)

    school = School(
        mine,
        progress.of,
        now,
        book=book,
        seed=int.from_bytes(os.urandom(7), "big") if seed is None else seed,
        count=count,
        everything=everything,
        is_hard=is_hard,
    )
    line.clear()
    _ask(Drill(school, progress, schedule), every, progress, now, ui, folder, quiet=quiet)


def _prepared(folder: Path) -> ProgressFile:
    progress = progress_file(folder)
    with writing(str(progress.path)):
        progress.prepare()
    return progress


def _ask(
    drill: Drill,
    every: Sequence[Card],
    progress: ProgressFile,
    now: datetime.datetime,
    ui: Ui,
    folder: Path,
    *,
    quiet: bool,
) -> None:
    """Ask the cards of a drill on the screen or line by line."""
    noun = drill.course.noun
    if not every:
        out(f"No {noun} has this difficulty and theme.")
        return
    if not drill.course.count:
        due = next_due(every, progress.of)
        when = "" if due is None else f": the next one {interval_text(due - now)}"
        out(f"No {noun} is due{when}; --all asks {noun}s before they are due.")
        return
    if use_screen(ui):
        on_screen(partial(tui.train, drill), folder / "screen.json")
        out(drill.summary)
        return
    status = Status.DONE

    def warn(text: str) -> None:
        nonlocal status
        status = Status.CANNOT_WRITE
        err(f"reversi: {text}")

    complete = partial(candidates, [move for card in every for move in card.position.legal_moves])
    with line_reader(complete, training_folder(folder) / "history") as read:
        say = say_wrapped if at_terminal() else out
        Training(drill, read=read, say=say, warn=warn, quiet=quiet).run()
    if status is not Status.DONE:
        raise Exit(status)
