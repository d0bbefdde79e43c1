"""The commands of ``reversi train``: make, solve and list exercises, and show the progress."""

from __future__ import annotations

import datetime
from functools import partial
from typing import Annotated

import typer

from reversi import tui
from reversi.analysis.exercises.drill import Drill, interval_text
from reversi.analysis.exercises.planning import next_due, plan
from reversi.analysis.exercises.schedule import Schedule
from reversi.cli.console import Exit, command, err, out, writing
from reversi.cli.line_reader import at_terminal, line_reader
from reversi.cli.options import option
from reversi.cli.play.dialogue_lines import say_wrapped
from reversi.cli.play.screen import Ui, on_screen, ui_option, use_screen
from reversi.cli.state import StateOption, state_folder
from reversi.cli.status import Status
from reversi.cli.train.dialogue import Training, candidates
from reversi.cli.train.store import DeckArgument, GradeOption, decks, in_grades, progress_file, training_folder


@command
def play(
    deck: DeckArgument = None,
    count: Annotated[int, option("N", "Ask at most N exercises.", "-n", "--count", min=1, max=10_000)] = 10,
    grade: GradeOption = "",
    everything: Annotated[
        bool, typer.Option("--all", help="Also ask exercises that are not due yet, after the others.")
    ] = False,
    ui: Annotated[Ui, ui_option("Ask")] = Ui.AUTO,
    state: StateOption = None,
) -> None:
    """Solve exercises: those that are due, then new ones, easy ones first.

    On the full screen, click a square. Line by line, answer with a move, or type hint, solution, skip, help or
    quit. The program saves each answer, then explains why it is right or wrong. An exercise comes back after
    minutes, days or months, depending on your answers (spaced repetition).

    Example: reversi train play

    Example: reversi train play endgames.json --count 5

    Example: reversi train play --grade 6- --all
    """
    folder = state_folder(state)
    schedule = Schedule()
    exercises = in_grades(decks(deck, folder), grade)
    progress = progress_file(folder)
    with writing(str(progress.path)):
        progress.prepare()
    now = datetime.datetime.now(datetime.UTC)
    chosen = plan(exercises, progress.of, now, count=count, everything=everything)
    if not chosen:
        due = next_due(exercises, progress.of)
        when = "" if due is None else f": the next one {interval_text(due - now)}"
        out(f"No exercise is due{when}; --all asks exercises before they are due.")
        return
    if use_screen(ui):
        drill = Drill(chosen, progress, schedule)
        on_screen(partial(tui.train, drill), folder / "screen.json")
        out(drill.summary)
        return
    status = Status.DONE

    def warn(text: str) -> None:
        nonlocal status
        status = Status.CANNOT_WRITE
        err(f"reversi: {text}")

    complete = partial(candidates, [move for exercise in chosen for move in exercise.position.legal_moves])
    with line_reader(complete, training_folder(folder) / "history") as read:
        say = say_wrapped if at_terminal() else out
        Training(chosen, progress, schedule, read=read, say=say, warn=warn).run()
    if status is not Status.DONE:
        raise Exit(status)
