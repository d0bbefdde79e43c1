"""`reversi train list` and `stats`: the exercises and the answers to them."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable
from typing import Annotated

from reversi.analysis.exercises.deck import exercise_fields
from reversi.analysis.exercises.drill import interval_text
from reversi.analysis.exercises.exercise import Exercise
from reversi.analysis.exercises.planning import next_due
from reversi.analysis.exercises.progress import ProgressFile
from reversi.cli.console import command, out, out_json
from reversi.cli.option_groups import Flag
from reversi.cli.state import StateOption, state_folder
from reversi.cli.train.store import DeckArgument, GradeOption, decks, in_grades, progress_file
from reversi.text.counting import counted


@command
def list_(
    deck: DeckArgument = None,
    grade: GradeOption = "",
    json: Annotated[bool, Flag("Write one JSON object per exercise.")] = False,
    state: StateOption = None,
) -> None:
    """List exercises with grade, theme, right answers, due time and origin.

    Example: reversi train list

    Example: reversi train list endgames.json --grade 8-
    """
    folder = state_folder(state)
    now = datetime.datetime.now(datetime.UTC)
    progress = progress_file(folder)
    for exercise in in_grades(decks(deck, folder), grade):
        history = progress.of(exercise.id)
        if json:
            fields = {"answers": len(history.reviews), "right": history.right, "due": _time(history.due)}
            out_json({**exercise_fields(exercise), **fields})
            continue
        when = "new" if history.due is None else "due" if history.due <= now else interval_text(history.due - now)
        score = f"{history.right}/{len(history.reviews)}" if history.reviews else "-"
        theme, origin = exercise.theme.value, str(exercise.origin)
        out(f"{exercise.id}  grade {exercise.grade:2}  {theme:9}  {score:>5}  {when:13}  {origin}".rstrip())


@command
def stats(
    deck: DeckArgument = None,
    grade: GradeOption = "",
    json: Annotated[bool, Flag("Write one JSON object.")] = False,
    state: StateOption = None,
) -> None:
    """Count the exercises that are new, due now or due later, and the right answers.

    Example: reversi train stats

    Example: reversi train stats --json
    """
    folder = state_folder(state)
    now = datetime.datetime.now(datetime.UTC)
    exercises = in_grades(decks(deck, folder), grade)
    progress = progress_file(folder)
    due = next_due(exercises, progress.of)
    groups: dict[str, dict[str, list[Exercise]]] = {"themes": defaultdict(list), "grades": defaultdict(list)}
    for exercise in sorted(exercises, key=lambda exercise: exercise.grade):
        groups["themes"][exercise.theme.value].append(exercise)
        groups["grades"][str(exercise.grade)].append(exercise)
    whole = _counts(exercises, progress, now)
    if json:
        parts = {
            name: {key: _counts(group, progress, now) for key, group in groups[name].items()} for name in groups
        }
        out_json({**whole, "next_due": _time(due), **parts})
        return
    out(f"{counted(len(exercises), 'exercise')}: {whole['new']} new, {whole['due']} due, {whole['later']} later")
    share = f" ({100 * whole['right'] / whole['answers']:.0f} %)" if whole["answers"] else ""
    out(f"{counted(whole['answers'], 'answer')}, {whole['right']} right{share}")
    if due is not None and due > now:
        out(f"Next due: {interval_text(due - now)}")
    for title, name in (("Grade", "grades"), ("Theme", "themes")):
        out(f"\n{title:10} {'exercises':>9} {'new':>6} {'due':>6} {'answers':>8} {'right':>6}")
        for key, group in groups[name].items():
            counts = _counts(group, progress, now)
            row = f"{key:10} {counts['exercises']:9} {counts['new']:6} {counts['due']:6}"
            out(f"{row} {counts['answers']:8} {counts['right']:6}")


def _counts(exercises: Iterable[Exercise], progress: ProgressFile, now: datetime.datetime) -> dict[str, int]:
    counts = dict.fromkeys(("exercises", "new", "due", "later", "answers", "right"), 0)
    for exercise in exercises:
        history = progress.of(exercise.id)
        counts["exercises"] += 1
        counts["new" if not history.reviews else "due" if history.is_due(now) else "later"] += 1
        counts["answers"] += len(history.reviews)
        counts["right"] += history.right
    return counts


def _time(time: datetime.datetime | None) -> str | None:
    return None if time is None else time.isoformat().replace("+00:00", "Z")
