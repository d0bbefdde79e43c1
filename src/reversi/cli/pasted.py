"""The INPUT of commands that take positions: a pasted text, a file, or ``-`` for standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

from reversi.cli.console import fail, is_terminal_err, is_terminal_in, stdin_buffer
from reversi.cli.outputs import Inputs, check_output
from reversi.cli.status import Status
from reversi.color import Color
from reversi.errors import InputError, SideToMoveError
from reversi.records.places import Input, MissingInputError, PlaceError, read_positions, resolve
from reversi.rules import Rules
from reversi.text.cells import read_turn
from reversi.text.decoding import excerpt
from reversi.text.pasted import PositionEntry
from reversi.text.terminal import safe


@dataclass(frozen=True, slots=True)
class Pasted:
    """An input that was read.

    Attributes:
        found: the input.
        may_ask: whether a person at the terminal can be asked about it.
    """

    found: Input
    may_ask: bool

    @property
    def text(self) -> str:
        """Its text."""
        return self.found.text

    @property
    def name(self) -> str:
        """What messages call its source; empty for a pasted argument."""
        return self.found.name

    @property
    def path(self) -> str:
        """The file that it is read from, ``-`` for standard input; empty for a pasted argument."""
        return self.found.path

    @property
    def game(self) -> int | None:
        """The number of the one game or entry that is meant, ``None`` for all."""
        return self.found.place.game

    @property
    def ply(self) -> int | None:
        """The plies of each game to play, ``None`` for all."""
        return self.found.place.ply

    def place(self, line: int) -> str:
        """Return what a message about a line begins with."""
        if self.name:
            return f"{self.name}:{line}"
        return f"reversi: line {line}" if "\n" in self.text else "reversi"


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


def read_input(argument: str) -> Pasted:
    """Read the text that an INPUT argument stands for: a pasted one, or a file, of which ``FILE#3@20`` is a part.

    Ends the command when that is nothing, cannot be read, or is the file that standard output is appended to.

    Raises:
        InputError: binary data, or too much.
    """
    found = resolved(argument)
    check_output("-", Inputs(found.path), force=False)
    try:
        found.text  # noqa: B018 - so that what is wrong with it is said before anything else
    except OSError as error:
        fail(Status.NO_INPUT, f"{found.name}: cannot read: {error.strerror or error}")
    return Pasted(found, found.place.path != "-" and is_terminal_in() and is_terminal_err())


def entries(pasted: Pasted, rules: Rules, to_move: Color | None) -> Iterator[PositionEntry]:
    """Read the positions of an input; ask a person at the terminal for sides to move that are not known.

    Raises:
        InputError: the first entries, too many to go on, are not positions.
    """
    asking = pasted.may_ask and to_move is None
    for entry in pasted.found.positions(rules, to_move, asking=asking):
        if asking and isinstance(entry.error, SideToMoveError):
            yield from _asked(entry, pasted, rules)
        else:
            yield entry


def _asked(entry: PositionEntry, pasted: Pasted, rules: Rules) -> Iterator[PositionEntry]:
    sys.stderr.write(safe(f"{pasted.place(entry.line)}: the side to move is unknown\n"))
    while True:
        sys.stderr.write("Side to move, X (Black) or O (White)? ")
        sys.stderr.flush()
        answer = sys.stdin.readline()
        turn = read_turn(answer)
        if turn is not None:
            break
        if not answer:  # end of input: no answer
            sys.stderr.write("\n")
            yield entry
            return
    for again in read_positions(entry.text, rules, turn.to_move):
        yield replace(again, index=entry.index, line=entry.line)
