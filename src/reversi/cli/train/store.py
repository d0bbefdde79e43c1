"""Where `reversi train` keeps exercises and progress, and the options that several of its commands have."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Final

from reversi.analysis.exercises.deck import add_to_deck, read_deck
from reversi.analysis.exercises.exercise import Exercise
from reversi.analysis.exercises.progress import ProgressFile
from reversi.cli.console import fail, reading, reason, writing
from reversi.cli.options import argument, option
from reversi.cli.status import Status
from reversi.errors import InputError

DeckArgument = Annotated[
    list[str] | None,
    argument(
        "DECK",
        "Decks from 'reversi train make -o FILE'; by default your own collection of exercises.",
        show_default=False,
    ),
]
GradeOption = Annotated[str, option("GRADES", "Take exercises of these grades: 5, 3-8, 6- or -4.")]
_SPAN: Final = re.compile(r"(?P<first>\d{1,2})?(?P<to>-)?(?P<last>\d{1,2})?", re.ASCII)


def training_folder(state: Path) -> Path:
    return state / "training"


def own_deck(state: Path) -> Path:
    """Return the deck that collects the exercises made without a file."""
    return training_folder(state) / "exercises.json"


def collect(exercises: list[Exercise], state: Path) -> int:
    """Add exercises to the own deck; return how many are new."""
    deck = own_deck(state)
    with writing(str(deck)):
        deck.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return add_to_deck(deck, exercises)


def decks(paths: list[str] | None, state: Path) -> list[Exercise]:
    """Read the exercises of decks, by default those of the own deck; end the command where there are none."""
    exercises: dict[str, Exercise] = {}
    for path in paths or [str(own_deck(state))]:
        try:
            for exercise in read_deck(Path(path)):
                exercises.setdefault(exercise.id, exercise)
        except FileNotFoundError:
            if paths:
                fail(Status.NO_INPUT, f"{path}: no such file")
            fail(Status.NO_INPUT, "there are no exercises yet; 'reversi train make FILE' makes them from games")
        except OSError as error:
            fail(Status.NO_INPUT, f"{path}: cannot read: {reason(error)}")
        except InputError:
            raise
        except ValueError:  # a name that no file can have
            fail(Status.NO_INPUT, f"{path!a}: no such file")
    return list(exercises.values())


def progress_file(state: Path) -> ProgressFile:
    """Read the progress; end the command where the file is damaged."""
    path = training_folder(state) / "progress.json"
    with reading(str(path)):
        return ProgressFile(path)


def parse_span(option: str, text: str) -> range:
    """Return the numbers of ``5``, ``3-8``, ``6-`` or ``-4``; end the command for anything else."""
    match = _SPAN.fullmatch(text)
    if match is None or not (match["first"] or match["last"]) or (match["last"] and not match["to"]):
        fail(Status.USAGE, f"{option} {text!r}: give a number or a span, as 5, 3-8, 6- or -4")
    first = int(match["first"] or 0)
    last = int(match["last"] or 64) if match["to"] else first
    if last < first:
        fail(Status.USAGE, f"{option} {text!r}: the first number is above the last")
    return range(first, last + 1)


def in_grades(exercises: list[Exercise], text: str) -> list[Exercise]:
    """Return the exercises of the grades that an option gives; all where it is empty."""
    if not text:
        return exercises
    span = parse_span("--grade", text)
    return [exercise for exercise in exercises if exercise.grade in span]
