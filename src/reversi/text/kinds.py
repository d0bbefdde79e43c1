"""What a pasted text or one of its lines is: a board, a line of OBF, a transcript, or none of these."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from itertools import islice
from typing import Final

import reversi._regex as re
from reversi.errors import InputError
from reversi.text.board_drawing import is_diagram_line
from reversi.text.cells import is_cells
from reversi.text.decoding import is_comment, iter_lines
from reversi.text.transcripts import first_move

_ENOUGH: Final = 500  # characters that decide whether a line is a board
_PASSES = re.compile(r"--(?:\s+--)*")  # cells do not come in groups of two
_SQUARE_FIRST = re.compile(r"(?:1\.+\s*|[0-9]{1,9}(?:\t\s*|[ ]*:[ ]*|[ ]+))?[a-h][1-8]", re.IGNORECASE | re.ASCII)
_COUNT = re.compile("[0-9]{1,7}", re.ASCII)
_BETWEEN_CELLS: Final = str.maketrans("|/,[](){}", " " * 9)
_BITBOARD = re.compile(r"0x[0-9a-f]{1,16}|[0-9a-f]{16}", re.IGNORECASE | re.ASCII)
_DATE = re.compile(r"(?:[0-9]{4}([-.])[0-9]{2}\1[0-9]{2}|[0-9]{2}([-.])[0-9]{2}\2[0-9]{4})(?:T.*)?", re.ASCII)
_PLAIN = re.compile(r"\s*(?:(?:[a-h][1-8])+|[-xo]{64}[ \t]+[xo])\s*", re.IGNORECASE | re.ASCII)


class TextKind(enum.Enum):
    """The kinds of text that positions come in."""

    BOARD = "board"
    DIAGRAM = "diagram"
    OBF = "obf"
    TRANSCRIPT = "transcript"


def is_plain(text: str) -> bool:
    """Return whether a text is squares alone, or cells and their side: nothing else looks like it."""
    return _PLAIN.fullmatch(text) is not None


def text_kind(text: str) -> TextKind | None:
    """Recognize the kind of a pasted text by its beginning; return ``None`` for an unknown one.

    The first entry decides for a text with one entry per line. A recognized text may have errors: a board with a
    wrong number of cells is still a board.
    """
    lines = [line for _, line in islice(entry_lines(text), 2)]
    if not lines or isinstance(lines[0], InputError):
        return None
    if _COUNT.fullmatch(lines[0].strip()) and len(lines) > 1 and not isinstance(lines[1], InputError):
        return TextKind.TRANSCRIPT if line_kind(lines[1]) is TextKind.TRANSCRIPT else None  # a count of the games
    _, tab, named = lines[0].partition("\t")
    kind = line_kind(lines[0]) or (line_kind(named) if tab else None)
    if kind is TextKind.DIAGRAM and len(lines) == 1:
        return None
    return kind


def entry_lines(text: str) -> Iterator[tuple[int, str | InputError]]:
    """Yield the lines that are neither blank nor a comment."""
    for number, line in iter_lines(text):
        if isinstance(line, InputError) or (line.strip() and not is_comment(line)):
            yield number, line


def line_kind(text: str) -> TextKind | None:
    """Recognize the kind of a line; return ``None`` for an unknown one."""
    line = text.partition("%")[0].strip()
    if _SQUARE_FIRST.match(line):
        return TextKind.TRANSCRIPT
    head, semicolon, tail = line.partition(";")
    if semicolon and _is_board(head):
        moves = ":" not in tail and begins_with_move(tail)
        return TextKind.TRANSCRIPT if moves else TextKind.OBF
    if _PASSES.fullmatch(line):
        return TextKind.TRANSCRIPT
    if is_diagram_line(line):
        return TextKind.DIAGRAM
    if _is_board(line):
        return TextKind.BOARD
    return TextKind.TRANSCRIPT if begins_with_move(line) else None


def _is_board(text: str) -> bool:
    """Return whether a line is meant as a board: it begins with more cells than a row has."""
    words = text[:_ENOUGH].translate(_BETWEEN_CELLS).split()
    if not words or _DATE.fullmatch(first := words[0]):
        return False
    if len(first) > 9:  # a board with a wrong character is still a board; half of a transcript is not cells
        return _BITBOARD.fullmatch(first) is not None or sum(map(_is_cell, first)) * 4 >= len(first) * 3
    return sum(len(word) for word in words if len(word) == len(first) and all(map(_is_cell, word))) > 9


def _is_cell(character: str) -> bool:
    return is_cells(character) or character in "012"


def begins_with_move(line: str) -> bool:
    """Return whether a line begins with a move or a pass."""
    return first_move(line[:_ENOUGH]) is not None
