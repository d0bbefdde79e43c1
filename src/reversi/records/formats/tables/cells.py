"""What a cell of a table says: a text, or moves."""

from __future__ import annotations

import datetime
import json
import math
from typing import Final

import reversi._regex as re
from reversi._core import PASS, Position, replay_line
from reversi.records.formats.game_columns import MAX_CELL
from reversi.text.kinds import TextKind, line_kind
from reversi.text.transcripts import ReadMoves, read_transcript_moves

_MOST_CELLS: Final = 64
_BITBOARD: Final = re.compile(r"0x|[0-9a-f]{16}\b", re.IGNORECASE)  # of one side: no board yet
_NUMBERED_CELLS: Final = {"1": "X", "-1": "O", "2": "O", "0": "-"}
_HEAD: Final = 400  # characters that show whether a text is moves
_NUMBERS: Final = re.compile(r"[0-9]{1,2}(?:(?:\s+|\s*,\s*)[0-9]{1,2})*+\s*")
_WAYS: Final = (
    {number: number for number in range(65)},
    {11 + square % 8 + 10 * (square // 8): square for square in range(64)},
)
_START: Final = Position()
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, default=str)
_LIST: Final = str.maketrans("[]()'\"", "      ")


def cell_text(value: object) -> str:
    """Return the text of a cell, without blanks around it; empty for none."""
    if isinstance(value, str):
        return value.strip()
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").strip()
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat(" ") if isinstance(value, datetime.datetime) else value.isoformat()
    if isinstance(value, dict | list | tuple):
        return _ENCODER.encode(value)
    return str(value)


def read_cell_moves(value: object, start: Position = _START) -> ReadMoves:
    """Read the moves of a cell: a transcript, or a list of moves as such or as text.

    Numbers count the squares from a1, row by row, from 0 with 64 for a pass, or are those of WTHOR, the column and
    ten times the row: whichever plays on from the start.
    """
    if not isinstance(value, str) and isinstance(value, list | tuple):
        value = " ".join(map(cell_text, value))
    text = cell_text(value)
    if text[:1] in {"[", "("}:
        text = text.translate(_LIST).strip()
    if text[:1].isdecimal() and _NUMBERS.fullmatch(text):
        numbers = [int(word) for word in text.replace(",", " ").split()]
        ways = [bytes(way[number] for number in numbers) for way in _WAYS if way.keys() >= {*numbers}]
        played = [(len(replay_line(start, way, put_in=PASS.index not in way)[0]), way) for way in ways]
        if most := max(played, default=None):
            return ReadMoves(most[1] if most[0] else b"", None)
    return read_transcript_moves(text)


def board_text(value: object) -> str:
    """Return the text of a cell that is a board or a line of OBF, empty for any other.

    A list has the cells, or the rows; of numbers, 1 is Black, and -1 or 2 White.
    """
    if isinstance(value, list | tuple):
        cells = [cell for row in value for cell in (row if isinstance(row, list | tuple) else (row,))]
        words = list(map(cell_text, cells[: _MOST_CELLS + 1]))
        value = "".join(_NUMBERED_CELLS.get(word, word) for word in words)
    text = " ".join(cell_text(value)[:MAX_CELL].split())
    is_board = line_kind(text) in (TextKind.BOARD, TextKind.OBF) and not _BITBOARD.match(text)
    return text if is_board else ""


def begins_as_moves(value: object) -> bool:
    """Return whether a cell begins with a move."""
    return bool(read_cell_moves(value[:_HEAD] if isinstance(value, str | list) else value).moves)


def count_moves(value: object, start: Position) -> int:
    """Return how many moves a cell has that is nothing but moves and begins as a game can; 0 for any other."""
    if isinstance(value, str) and (len(value) > MAX_CELL or not value):
        return 0
    if isinstance(value, list) and len(value) > 1:
        is_flat = not any(isinstance(item, list | dict) for item in value)
        if not is_flat or all(count_moves(item, start) > 1 for item in value):
            return 0  # of several games
    moves, strange = read_cell_moves(value, start)
    return len(moves) if strange is None and replay_line(start, moves[:1], put_in=False)[2] else 0
