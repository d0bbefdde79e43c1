"""The INPUT of commands that take positions: a pasted text, a file, or ``-`` for standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import partial
from typing import TypeVar

from reversi.cli.console import err, fail, is_terminal_err, is_terminal_in, reading, stdin_buffer
from reversi.cli.outputs import Inputs, check_output
from reversi.cli.status import Status
from reversi.color import Color
from reversi.errors import InputError
from reversi.inputs.input import Input, MissingInputError, resolve
from reversi.inputs.place import PlaceError
from reversi.inputs.positions import PositionEntry
from reversi.openings.names import OpeningError, opening_named
from reversi.records.sources.finding import STANDARD_INPUT
from reversi.rules import Rules
from reversi.text.cells import read_turn
from reversi.text.decoding import excerpt
from reversi.text.terminal import safe

_T = TypeVar("_T")


def place_of(given: Input, line: int) -> str:
    if given.name:
        return f"{given.name}:{line}"
    return f"reversi: line {line}" if "\n" in given.text else "reversi"


def may_ask(given: Input) -> bool:
    return given.path != STANDARD_INPUT and is_terminal_in() and is_terminal_err()


def to_move_option(text: str) -> Color | None:
    """Return the color that ``--to-move TEXT`` names, ``None`` when it is not given; else end the command."""
    if not text:
        return None
    turn = read_turn(text)
    if turn is None:
        fail(Status.USAGE, f"--to-move {excerpt(text)}: give black or white (X or O)")
    return turn.to_move


def resolved(argument: str) -> Input:
    """Return the content of an argument; end the command where there is none."""
    try:
        return resolve(argument, stdin=stdin_buffer)
    except PlaceError as error:
        fail(Status.USAGE, str(error))
    except MissingInputError as error:
        fail(Status.NO_INPUT, str(error))
    except InputError as error:
        fail(Status.BAD_DATA, str(error))


def opening_moves(argument: str) -> str:
    """Return the moves of the opening of this name; another argument as it is. A file of the name wins."""
    try:
        if not os.path.lexists(argument):
            return opening_named(argument).transcript
    except (OpeningError, ValueError):
        pass
    return argument


def read_input(argument: str) -> Input:
    """Read the text that an INPUT argument stands for: a pasted one, or a file, of which ``FILE#3@20`` is a part.

    Ends the command when that is nothing, cannot be read, or is the file that standard output is appended to.

    Raises:
        InputError: binary data, or too much.
    """
    given = resolved(argument)
    check_output("-", Inputs(given.path), force=False)
    with reading(given.name):
        given.text  # noqa: B018 - so that what is wrong with it is said before anything else
    return given


def entries(given: Input, rules: Rules, to_move: Color | None) -> Iterator[PositionEntry]:
    """Read the positions of an input; ask a person at the terminal for sides to move that are not known.

    Raises:
        InputError: the first entries, too many to go on, are not positions.
    """
    asks = may_ask(given) and to_move is None
    return noted(given, given.positions(rules, to_move, partial(_asked, given) if asks else None))


def noted(given: Input, items: Iterator[_T]) -> Iterator[_T]:
    """Yield what is read of an input; write how it is read before the first of it."""
    for item in items:
        while given.notes:
            note = given.notes.pop(0)
            err(f"reversi: {note}" if note.startswith(given.name) else f"reversi: {given.name}: {note}")
        yield item


def _asked(given: Input, entry: PositionEntry) -> Color | None:
    """Ask for the side to move of an entry; return ``None`` where the input ends without an answer."""
    sys.stderr.write(safe(f"{place_of(given, entry.line)}: the side to move is unknown\n"))
    while True:
        sys.stderr.write("Side to move, X (Black) or O (White)? ")
        sys.stderr.flush()
        answer = sys.stdin.readline()
        turn = read_turn(answer)
        if turn is not None:
            return turn.to_move
        if not answer:
            sys.stderr.write("\n")
            return None
