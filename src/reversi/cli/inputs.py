"""The INPUT of commands that take positions: a pasted text, a file, or ``-`` for standard input."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, NoReturn, TypeVar

from reversi._core import Move, Position
from reversi._system.paths import STANDARD_INPUT
from reversi.arguments import excerpt
from reversi.cli.console import (
    StatusCollector,
    asked,
    err,
    fail,
    is_terminal_err,
    is_terminal_in,
    reading,
    refused,
    rules_option,
    stdin_buffer,
)
from reversi.cli.options import EncodingOption, InputArgument, PositionColumnsOption, RulesOption, ToMoveOption
from reversi.cli.outputs import Inputs, check_output
from reversi.cli.status import Status
from reversi.color import Color
from reversi.inputs.input import Input, MissingInputError, moves_or_text, resolve
from reversi.inputs.place import PlaceError
from reversi.inputs.positions import PositionEntry
from reversi.rules import Rules
from reversi.text.cells import read_turn

if TYPE_CHECKING:
    from reversi.games.repertoire import Repertoire

_T = TypeVar("_T")


def place_of(given: Input, line: int) -> str:
    if given.name:
        return f"{given.name}:{line}"
    return f"reversi: line {line}" if "\n" in given.text else "reversi"


def may_ask(given: Input) -> bool:
    return given.path != STANDARD_INPUT and is_terminal_in() and is_terminal_err()


def to_move_option(text: str, option: str = "--to-move") -> Color | None:
    """Return the color that the option names, ``None`` when it is not given; else end the command."""
    if not text:
        return None
    turn = read_turn(text)
    if turn is None:
        fail(Status.USAGE, f"{option} {excerpt(text)}: give black or white (X or O)")
    return turn.to_move


def resolved(argument: str) -> Input:
    """Return the content of an argument; end the command where there is none."""
    try:
        return resolve(argument, stdin=stdin_buffer)
    except PlaceError as error:
        fail(Status.USAGE, str(error))
    except MissingInputError as error:
        fail(Status.NO_INPUT, str(error))


def opening_moves(argument: str) -> str:
    """Return the moves of the opening of this name; another argument as it is. A file of the name wins."""
    try:
        return moves_or_text(argument)
    except MissingInputError as error:
        fail(Status.NO_INPUT, str(error))


def read_input(argument: str, encoding: str = "", columns: list[str] | None = None) -> Input:
    """Read the text that an INPUT argument stands for: a pasted one, or a file, of which ``FILE#3@20`` is a part.

    Ends the command when that is nothing, cannot be read, or is the file that standard output is appended to.

    Raises:
        InputError: binary data, or too much.
    """
    given = resolved(argument)
    with refused("--columns"):
        given.read_as(encoding, columns or ())
    check_output("-", Inputs(given.path), force=False)
    with reading(given.name):
        given.has_board_rows or given.text  # noqa: B018 - what is wrong with it is said before anything else
    return given


def beginning(text: str, encoding: str, rules: Rules) -> tuple[Position, tuple[Move, ...]]:
    """Return where the line that ``--at TEXT`` gives starts, and its moves; the start of the rules without one."""
    if not text:
        return Position(rules), ()
    given = read_input(opening_moves(text), encoding)
    with reading(given.name):
        found, ply = given.start(rules)
    return (found, ()) if isinstance(found, Position) else (found.start, found.moves[:ply])


def read_repertoire(argument: str, rules: Rules, encoding: str, color: Color | None = None) -> Repertoire:
    """Read the repertoire in a file, or moves, or a named opening; end the command where there is none."""
    from reversi.games.repertoire import repertoire_of

    given = read_input(opening_moves(argument), encoding)
    with reading(given.name):
        return repertoire_of(given, color, rules)


@dataclass(frozen=True)
class PositionInput:
    """INPUT, ``--rules``, ``--to-move`` and others: positions, and what their text does not say."""

    text: InputArgument
    rules: RulesOption = "othello"
    to_move: ToMoveOption = ""
    encoding: EncodingOption = ""
    columns: PositionColumnsOption = None

    @cached_property
    def rule_set(self) -> Rules:
        return rules_option(self.rules)

    @cached_property
    def side(self) -> Color | None:
        return to_move_option(self.to_move)

    @cached_property
    def given(self) -> Input:
        """The text; see `read_input`. Wrong options are refused before it is read."""
        _ = self.rule_set, self.side
        return read_input(self.text, self.encoding, self.columns)

    @property
    def name(self) -> str:
        return self.given.name or "the text"

    def entries(self) -> Iterator[PositionEntry]:
        """Read the entries; see `entries`."""
        return entries(self.given, self.rule_set, self.side)

    def positions(self, outcome: StatusCollector) -> Iterator[tuple[PositionEntry, Position]]:
        """Yield each position, and report the entries without one; an input without entries ends the command."""
        entry = None
        for entry in self.entries():
            if entry.position is None:
                self.report(entry, outcome)
            else:
                yield entry, entry.position
        if entry is None:
            self.fail_empty()

    def report(self, entry: PositionEntry, outcome: StatusCollector) -> None:
        """Report an entry without a position."""
        outcome.add(Status.BAD_DATA, f"{place_of(self.given, entry.line)}: {entry.error}")

    def fail_empty(self) -> NoReturn:
        """End the command because the input contains nothing."""
        fail(Status.BAD_DATA, f"{self.name} contains no positions")


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
    err(f"{place_of(given, entry.line)}: the side to move is unknown")
    while answer := asked("Side to move, X (Black) or O (White)? "):
        turn = read_turn(answer)
        if turn is not None:
            return turn.to_move
    return None
