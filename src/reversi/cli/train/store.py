"""Where `reversi train` keeps exercises and progress, and the options that several of its commands have."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import typer

import reversi._regex as re
from reversi._core import Move
from reversi.analysis.exercises.deck import STANDARD, add_to_deck, read_deck, standard_deck
from reversi.analysis.exercises.exercise import Exercise
from reversi.analysis.exercises.progress import ProgressFile, Rating, Review
from reversi.analysis.exercises.ratings import CLASSES
from reversi.analysis.exercises.schedule import Schedule
from reversi.analysis.exercises.school import Card, cards
from reversi.analysis.exercises.themes import ExerciseTheme
from reversi.arguments import excerpt
from reversi.cli.console import fail, reading, reason, refused, writing
from reversi.cli.inputs import read_repertoire, to_move_option
from reversi.cli.options import argument, option
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.games.repertoire import Repertoire
from reversi.inputs.place import parse_place
from reversi.person.history import own_deck
from reversi.rules import OTHELLO, Rules


def _decks(what: str = "", also: str = "built-in ones where none of yours is due") -> Any:
    found = f"Decks from 'reversi train make -o FILE', {STANDARD} for the built-in one{what}"
    return argument("DECK", f"{found}; by default your own exercises, and {also}.", show_default=False)


DeckArgument = Annotated[list[str] | None, _decks()]
RepertoireArgument = Annotated[
    str,
    argument(
        "REPERTOIRE",
        "A file of games with variations, your moves and the other side's; FILE#3; an opening; or moves.",
    ),
]
CardsArgument = Annotated[
    list[str] | None,
    _decks(", or repertoires, as FILE#3 for one game of a file", "the built-in ones that you have answered"),
]
_BEFORE: Final = datetime.timedelta(hours=1)
"""How long ago the moves of games were missed, so that they are due at once."""
_SPAN: Final = re.compile(r"(?P<first>\d{1,2})?(?P<to>-)?(?P<last>\d{1,2})?", re.ASCII)
_Card = TypeVar("_Card", Exercise, Card)


@dataclass(frozen=True)
class Wanted:
    """Which exercises a person wants."""

    difficulty: Annotated[
        str,
        option("CLASSES", f"Take exercises of these classes of difficulty, 1 to {CLASSES[-1]}: 2, 2-4, 3- or -2."),
    ] = ""
    theme: Annotated[
        list[ExerciseTheme] | None, typer.Option(help="Take exercises with this theme; repeat it for several.")
    ] = None

    @cached_property
    def classes(self) -> range | None:
        """The classes of difficulty; ``None`` for all."""
        if not self.difficulty:
            return None
        span = parse_span("--difficulty", self.difficulty)
        if span[0] > CLASSES.stop:
            fail(
                Status.USAGE,
                f"--difficulty {excerpt(self.difficulty)}: the last class is {CLASSES.stop}, hopeless",
            )
        return span

    def select(self, cards: list[_Card]) -> list[_Card]:
        """Return the exercises that are wanted; all cards where nothing is asked."""
        if self.classes is None and not self.theme:
            return cards
        return [card for card in cards if isinstance(card, Exercise) and self.takes(card)]

    def takes(self, exercise: Exercise) -> bool:
        """Return whether an exercise is wanted."""
        hard = self.classes is None or exercise.difficulty_class in self.classes
        return hard and (not self.theme or exercise.theme in self.theme)


def training_folder(state: Path) -> Path:
    return state / "training"


def collect(exercises: list[Exercise], state: Path) -> int:
    """Add exercises to the own deck; return how many are new."""
    deck = own_deck(state)
    with writing(str(deck)):
        return add_to_deck(deck, exercises)


def decks(paths: list[str] | None, state: Path, read: Callable[[str], Iterable[_Card]]) -> list[_Card]:
    """Read the cards of files, by default those of the own deck; end the command where a file is missing."""
    found: dict[str, _Card] = {}
    for path in paths or [str(own_deck(state))]:
        try:
            for card in standard_deck() if paths and path == STANDARD else read(path):
                found.setdefault(card.id, card)
        except FileNotFoundError:
            if paths:
                fail(Status.NO_INPUT, f"{path}: no such file")
        except OSError as error:
            fail(Status.NO_INPUT, f"{path}: cannot read: {reason(error)}")
        except InputError:
            raise
        except ValueError:  # a name that no file can have
            fail(Status.NO_INPUT, f"{path!a}: no such file")
    return list(found.values())


def answered(progress: ProgressFile) -> list[Exercise]:
    """Return the built-in exercises that were answered before."""
    return [exercise for exercise in standard_deck() if exercise.id in progress.progress]


def read_cards(path: str) -> Iterable[Card]:
    """Read the cards of a deck, or of a repertoire or some of its games."""
    with refused():
        place = parse_place(path)
    with Path(place.path).open("rb") as stream:
        is_deck = stream.read(1) == b"{"
    return read_deck(path) if is_deck else cards(read_colored_repertoire(path))


def read_colored_repertoire(
    text: str, color: str | None = None, rules: Rules = OTHELLO, encoding: str = ""
) -> Repertoire:
    """Read a repertoire that asks for the moves of a color; end the command where there is none.

    Without ``--color`` the color is ``None``, and the repertoire has to say it.
    """
    repertoire = read_repertoire(text, rules, encoding, to_move_option(color or "", "--color"))
    if repertoire.color is None and color is not None:
        what = "it does not say whose moves it teaches; give --color black or --color white"
        where = f"{repertoire.source}: " if repertoire.source else ""
        fail(Status.BAD_DATA, f'{where}{what}, or put the tag [Repertoire "Black"] in front of each game')
    _ = repertoire.side
    return repertoire


def progress_file(state: Path) -> ProgressFile:
    """Read the progress; end the command where the file is damaged."""
    path = training_folder(state) / "progress.json"
    with reading(str(path)):
        return ProgressFile(path)


def miss(moves: Mapping[str, Move], state: Path) -> int:
    """Count moves of games as wrong answers to cards that nobody has answered yet; return how many these are."""
    progress, schedule = progress_file(state), Schedule()
    at = datetime.datetime.now(datetime.UTC) - _BEFORE
    new = {card: move for card, move in moves.items() if not progress.of(card).reviews}
    with writing(str(progress.path)):
        for card, move in new.items():
            progress.add(card, Review(at, Rating.AGAIN, str(move)), schedule.due)
    return len(new)


def parse_span(option: str, text: str) -> range:
    """Return the numbers of ``5``, ``3-8``, ``6-`` or ``-4``; end the command for anything else."""
    match = _SPAN.fullmatch(text)
    if match is None or not (match["first"] or match["last"]) or (match["last"] and not match["to"]):
        fail(Status.USAGE, f"{option} {excerpt(text)}: give a number or a span, as 5, 3-8, 6- or -4")
    first = int(match["first"] or 0)
    last = int(match["last"] or 64) if match["to"] else first
    if last < first:
        fail(Status.USAGE, f"{option} {excerpt(text)}: the first number is above the last")
    return range(first, last + 1)
