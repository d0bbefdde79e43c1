"""The INPUT of commands that take positions: a pasted text, a file, or ``-`` for standard input."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from reversi.cli.console import fail, is_terminal_err, is_terminal_in, read_bytes
from reversi.cli.status import Status
from reversi.color import Color
from reversi.errors import InputError, SideToMoveError
from reversi.records.file_kinds import HEAD_BYTES, recognise_file
from reversi.records.formats.pgn.writer import write_records
from reversi.records.formats.registry import recognise
from reversi.records.limits import MAX_STRANGE
from reversi.records.places import Place, parse_place, read_positions
from reversi.rules import Rules
from reversi.text.cells import read_turn
from reversi.text.decoding import decode_text, excerpt
from reversi.text.pasted import PositionEntry
from reversi.text.terminal import safe

MAX_INPUT: Final = 64 << 20
"""Bytes that a file or standard input may have."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """A text and where it came from.

    Attributes:
        text: the decoded text.
        name: how messages call its source; empty for a pasted argument.
        may_ask: whether questions about it can be put to a person at the terminal.
        game: the number of the one game or entry that is meant, ``None`` for all.
        ply: how many plies of each game are played, ``None`` for all.
    """

    text: str
    name: str
    may_ask: bool
    game: int | None = None
    ply: int | None = None

    def place(self, line: int) -> str:
        """What a message about a line begins with."""
        if self.name:
            return f"{self.name}:{line}"
        return f"reversi: line {line}" if "\n" in self.text else "reversi"


def to_move_option(text: str) -> Color | None:
    """The colour that ``--to-move TEXT`` names, ``None`` when it is not given; a wrong one is wrong usage."""
    if not text:
        return None
    turn = read_turn(text)
    if turn is None:
        fail(Status.USAGE, f"--to-move {excerpt(text)}: give black or white (X or O)")
    return turn.to_move


def read_input(argument: str) -> Pasted:
    """The text that an INPUT argument stands for: a pasted one, or a file, of which ``FILE#3@20`` is a part.

    A file of that literal name wins over both.

    Ends the command when there is no such file and the argument is no pasted position either.

    Raises:
        InputError: binary data.
    """
    person = is_terminal_in() and is_terminal_err()
    place = _place(argument)
    if place.path == "-":
        name = "standard input"
        text = _decoded(read_bytes("-", MAX_INPUT), name)
        return Pasted(text, name, may_ask=False, game=place.game, ply=place.ply)
    if not _is_file(place.path):
        text = decode_text(os.fsencode(argument), "the argument")  # arguments need not be valid UTF-8
        if recognise(text) is not None:
            return Pasted(text, "", person)
        if not text.strip():
            fail(Status.BAD_DATA, "there is no position in an empty text")
        if len(text) > 80 or "\n" in text:
            fail(Status.BAD_DATA, f"{excerpt(text)} is neither a board, nor a line of OBF, nor a game")
        if not Path(place.path).is_dir():
            fail(Status.NO_INPUT, f"{text}: no such file, and neither a board, nor a line of OBF, nor a game")
    text = _decoded(read_bytes(place.path, MAX_INPUT), place.path)
    return Pasted(text, place.path, person, place.game, place.ply)


def _place(argument: str) -> Place:
    try:
        return parse_place(argument, _is_file)
    except InputError as error:
        fail(Status.USAGE, str(error))


def _is_file(argument: str) -> bool:
    try:
        path = Path(argument)
        return path.exists() and not path.is_dir()
    except (OSError, ValueError):  # a name too long, or with characters no name has
        return False


def _decoded(data: bytes, name: str) -> str:
    if len(data) > MAX_INPUT:
        fail(Status.BAD_DATA, f"{name}: more than {MAX_INPUT >> 20} MB; split it")
    form = recognise_file(data[:HEAD_BYTES], len(data)).form
    if form is not None:
        return "".join(write_records(entry.record for entry in form.read(io.BytesIO(data), None, [])))
    return decode_text(data, name)


def entries(pasted: Pasted, rules: Rules, to_move: Color | None) -> Iterator[PositionEntry]:
    """The positions of an input, a person at the terminal asked for sides to move that are not known.

    Raises:
        InputError: nothing among the first :data:`~reversi.records.limits.MAX_STRANGE` entries is a position.
    """
    held: list[PositionEntry] = []
    any_yet = False
    for entry in read_positions(pasted.text, rules, to_move, game=pasted.game, ply=pasted.ply):
        ask = pasted.may_ask and to_move is None and isinstance(entry.error, SideToMoveError)
        if not ask:
            held.append(entry)
        if any_yet or ask or entry.position is not None:
            any_yet = True
            yield from held
            held.clear()
            if ask:
                yield from _asked(entry, pasted, rules)
        elif len(held) == MAX_STRANGE:
            place = pasted.place(held[0].line).removeprefix("reversi: ")
            message = (
                f"{place}: {held[0].error}; {MAX_STRANGE} such entries up to line {entry.line} and not a position"
            )
            raise InputError(message)
    yield from held


def _asked(entry: PositionEntry, pasted: Pasted, rules: Rules) -> Iterator[PositionEntry]:
    sys.stderr.write(safe(f"{pasted.place(entry.line)}: the side to move is not known\n"))
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
