"""`reversi train make`: exercises from the mistakes of games, and from positions with one best move."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from reversi.cli.console import StatusCollector, command, err, fail, rules_option
from reversi.cli.options import GameRulesOption
from reversi.cli.outputs import ForceOption, Inputs, check_output, write_pieces
from reversi.cli.progress import ProgressLine
from reversi.cli.record.files import FormOption
from reversi.cli.record.streams import PathsArgument, games_of
from reversi.cli.state import StateOption, state_folder
from reversi.cli.status import Status
from reversi.cli.train.store import own_deck, parse_span
from reversi.engine.engine import HINT_LEVEL, MAX_LEVEL
from reversi.errors import InputError
from reversi.text.counting import counted

if TYPE_CHECKING:
    from reversi.exercises.exercise import Exercise
    from reversi.exercises.grading import Judge
    from reversi.records.entry import Entry

__all__ = ["make_exercises"]

_EMPTIES: Final = "6-16"


@command
def make_exercises(
    paths: PathsArgument,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            show_default=False,
            help="Write a deck to FILE instead of adding to your exercises; - is standard output.",
        ),
    ] = "",
    force: ForceOption = False,
    margin: Annotated[
        int,
        typer.Option(metavar="DISCS", min=1, max=64, help="Take positions whose second best move loses DISCS."),
    ] = 2,
    empties: Annotated[
        str, typer.Option(metavar="SPAN", help="Take positions of games with this many empty squares.")
    ] = _EMPTIES,
    per_game: Annotated[
        int, typer.Option("--per-game", metavar="N", min=0, help="Take the N hardest positions of a game; 0 all.")
    ] = 1,
    grade: Annotated[
        str, typer.Option(metavar="GRADES", help="Keep exercises of these grades: 5, 3-8, 6- or -4.")
    ] = "",
    count: Annotated[
        int, typer.Option("-n", "--count", metavar="N", min=0, help="Stop after N exercises; 0 makes all.")
    ] = 0,
    level: Annotated[
        int,
        typer.Option(metavar="N", min=1, max=MAX_LEVEL, help="Search at this level where values are not exact."),
    ] = HINT_LEVEL,
    threads: Annotated[int, typer.Option(metavar="N", min=1, max=1024, help="Use N threads per position.")] = 1,
    form: FormOption = None,
    rules: GameRulesOption = "othello",
    state: StateOption = None,
) -> None:
    """Make exercises from games and positions.

    An exercise is a position with one best move. Its grade says how deep a search must look to find the move.

    Example: reversi train make endgames.obf

    Example: reversi train make archive/ --empties 8-12 --grade 4- --count 100 -o deck.json
    """
    from reversi.exercises.grading import Judge
    from reversi.exercises.making import is_position

    outcome = StatusCollector()
    folder = state_folder(state)
    if output:
        check_output(output, Inputs(*paths), force=force)
    spans = parse_span("--empties", empties), parse_span("--grade", grade) if grade else range(65)
    games = games_of(paths, rules_option(rules), outcome, form)
    judge = Judge(level, threads=threads)
    made: dict[str, Exercise] = {}
    read = {"game": 0, "position": 0}
    progress = ProgressLine()
    try:
        for entry in games:
            progress.show(lambda: f"{games.at}: {_counted(read)}, {counted(len(made), 'exercise')}")
            read["position" if is_position(entry.record) else "game"] += 1
            for exercise in _best_moves(entry, games.at, judge, spans[0], margin, per_game):
                if exercise.grade in spans[1]:
                    made.setdefault(exercise.id, exercise)
            if count and len(made) >= count:
                break
    except KeyboardInterrupt:
        progress.clear()
        err("reversi: interrupted; the exercises so far are kept")
        _keep(list(made.values())[: count or None], output, folder, _counted(read))
        raise
    finally:
        progress.clear()
    _keep(list(made.values())[: count or None], output, folder, _counted(read))
    outcome.finish()


def _best_moves(
    entry: Entry, file: str, judge: Judge, empties: range, margin: int, per_game: int
) -> Iterator[Exercise]:
    """Make the exercises of a game, or of a position with the scores of its moves."""
    from reversi.exercises.making import annotated_moves, from_game, from_position, is_position, origin_of

    record, origin = entry.record, origin_of(entry.record, file, entry.number)
    if not is_position(record):
        yield from from_game(record, judge, empties=empties, margin=margin, count=per_game or None, origin=origin)
        return
    exercise = from_position(record.start, judge, annotated=annotated_moves(record), margin=margin, origin=origin)
    if exercise is not None:
        yield exercise


def _counted(read: dict[str, int]) -> str:
    """What was read, in words: `2 games and 1 position`."""
    return " and ".join(counted(number, what) for what, number in read.items() if number) or "0 games"


def _keep(exercises: list[Exercise], output: str, folder: Path, read: str) -> None:
    """Write a deck, or add to the own one, and report it."""
    from reversi.exercises.deck import add_to_deck, deck_text

    found = f"{counted(len(exercises), 'exercise')} from {read}"
    if output:
        if not exercises:
            err(f"reversi: {found}; nothing is written")
            return
        write_pieces(output, [deck_text(exercises).encode()])
        err(f"reversi: {found}")
        return
    deck = own_deck(folder)
    try:
        deck.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = add_to_deck(deck, exercises)
    except InputError as error:
        fail(Status.BAD_DATA, str(error))
    except OSError as error:
        fail(Status.CANNOT_WRITE, f"{deck}: cannot write: {error.strerror or error}")
    err(f"reversi: {found}, {new} of them new; 'reversi train' asks them")
