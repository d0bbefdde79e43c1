"""``reversi record convert``: games from one form to another."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from reversi.atomic import atomic_stream
from reversi.cli.console import Outcome, command, err, fail, rules_option
from reversi.cli.record_files import FormOption, RulesOption, counted, opened, text_format
from reversi.cli.status import Status
from reversi.cli.wthor_names import WthorNamesCheck
from reversi.conversion import Conversion, TargetForm, Trouble, target_form
from reversi.errors import InputError
from reversi.records.entry import Entry
from reversi.records.record import Record
from reversi.records.validate import finding_line
from reversi.records.wthor_names import load_wthor_names
from reversi.sources import source_name
from reversi.text.decoding import excerpt


@command
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file of games; - for standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write; - for standard output.")],
    source_form: FormOption = None,
    target_to: Annotated[
        TargetForm | None, typer.Option("--to", help="What OUT shall be; told from its name when not given.")
    ] = None,
    rules: RulesOption = "othello",
) -> None:
    """Convert games from any form to any other; what the new form cannot hold is told.

    What IN is, it tells by its content. To WTHOR, the names of players and tournaments go into files beside OUT.

    Example: reversi record convert playok.pgn games.pgn

    Example: reversi record convert WTH_1984.wtb games.sgf

    Example: reversi record convert ggs.ggf - --to transcript
    """
    to = target_to or target_form(Path(target).suffix)
    if to is None:
        known = ", ".join(form.value for form in TargetForm)
        fail(
            Status.USAGE,
            f"{target}: give --to with one of {known}, or a name that ends in .pgn, .sgf or .ggf, say",
        )
    outcome = Outcome()
    name = source_name(source)
    players, tournaments, problems = _names(target, to)
    for problem in problems:
        outcome.add(Status.BAD_DATA, f"reversi: {problem}")
    conversion = Conversion(
        to, lambda trouble: _tell(outcome, name, trouble), players=players, tournaments=tournaments
    )
    with opened(source) as games:
        try:
            names = WthorNamesCheck().of(games)
            read = games.entries(rules=rules_option(rules), form=text_format(source_form))
            pieces = conversion.pieces(read if names is None else _looked_at(read, names.look_at))
            _write(target, _read(name, pieces))
        except InputError as error:
            fail(Status.BAD_DATA, str(error) if str(error).startswith(name) else f"{name}: {error}")
        for problem in games.problems:
            outcome.add(Status.BAD_DATA, f"reversi: {problem}")
        if names is not None:
            names.warn()
    if not conversion.games:
        fail(Status.BAD_DATA, f"{name}: there is no game in it")
    _finish(conversion, outcome, target, len(players), len(tournaments))


def _looked_at(entries: Iterator[Entry], look_at: Callable[[Record], None]) -> Iterator[Entry]:
    for entry in entries:
        look_at(entry.record)
        yield entry


def _names(target: str, to: TargetForm) -> tuple[tuple[str, ...], tuple[str, ...], list[str]]:
    """The names beside a file that is to be written in WTHOR."""
    return load_wthor_names(Path(target)) if to is TargetForm.WTHOR and target != "-" else ((), (), [])


def _tell(outcome: Outcome, name: str, trouble: Trouble) -> None:
    what = f"{name}:game {trouble.entry.number}: {trouble.reason}"
    if trouble.finding is not None:
        what = finding_line(name, trouble.entry, trouble.finding)
    outcome.add(Status.FINDING, f"{what}{'; left out' if trouble.left_out else ''}")


def _read(name: str, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces; what cannot be read of the source on the way ends the command, and is not OUT's trouble."""
    try:
        yield from pieces
    except OSError as error:
        fail(Status.NO_INPUT, f"{name}: cannot read: {error.strerror or error}")


def _write(target: str, pieces: Iterator[bytes]) -> None:
    """Write the pieces, unless there are none."""
    first = next(pieces, None)
    if first is None:
        return
    if target == "-":
        sys.stdout.flush()
        for piece in (first, *pieces):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return
    try:
        with atomic_stream(Path(target)) as stream:
            stream.write(first)
            for piece in pieces:
                stream.write(piece)
    except OSError as error:
        fail(Status.CANNOT_WRITE, f"{target}: cannot write: {error.strerror or error}")


def _finish(conversion: Conversion, outcome: Outcome, target: str, players: int, tournaments: int) -> None:
    """Write the names that games in WTHOR refer to, tell what was written and what was lost, and end."""
    shown = "standard output" if target == "-" else target
    if conversion.names is not None:
        for names, known, suffix in zip(conversion.names, (players, tournaments), (".JOU", ".TRN"), strict=True):
            if len(names.names) <= max(known, 1):
                continue
            if target == "-":
                conversion.lost[f"names ({suffix}), which standard output has no place for"] = conversion.written
            else:
                path = Path(target).with_suffix(suffix)
                _write(str(path), iter((names.pack(),)))
                err(f"reversi: {path}: {len(names.names)} names written")
    if conversion.lost:
        lost = ", ".join(f"{what} ({counted(number, 'game')})" for what, number in conversion.lost.items())
        err(f"reversi: {shown}: {conversion.form_name} does not hold: {lost}")
    if conversion.lost_tags:
        err(f"reversi: {shown}: tags not held: {', '.join(excerpt(tag)[1:-1] for tag in conversion.lost_tags)}")
    if conversion.as_recorded:
        what = f"{counted(conversion.as_recorded, 'game')} not ended on the board"
        err(f"reversi: {shown}: {what}, with the result as recorded")
    err(f"reversi: {shown}: {counted(conversion.written, 'game')} written")
    outcome.finish()
