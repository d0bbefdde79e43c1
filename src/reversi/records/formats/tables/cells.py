"""What a cell of a table says: a text, or moves."""

from __future__ import annotations

import datetime
import json
import math
from typing import Final

from reversi._core import Position, replay_line
from reversi.records.formats.game_columns import MAX_CELL
from reversi.text.transcripts import ReadMoves, read_transcript_moves

_HEAD: Final = 400  # characters that show whether a text is moves
_LIST: Final = str.maketrans("[]()'\"", "      ")


def cell_text(value: object) -> str:
    """Return the text of a cell, without blanks around it; empty for none."""
    if isinstance(value, str):
        return value.strip()
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").strip()
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat(" ") if isinstance(value, datetime.datetime) else value.isoformat()
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def read_cell_moves(value: object) -> ReadMoves:
    """Read the moves of a cell: a transcript, or a list of moves as such or as text."""
    if isinstance(value, list | tuple):
        value = " ".join(map(cell_text, value))
    text = cell_text(value)
    return read_transcript_moves(text.translate(_LIST) if text[:1] in {"[", "("} else text)


def begins_as_moves(value: object) -> bool:
    """Return whether a cell begins with a move."""
    return bool(read_cell_moves(value[:_HEAD] if isinstance(value, str | list) else value).moves)


def count_moves(value: object, start: Position) -> int:
    """Return how many moves a cell has that is nothing but moves and begins as a game can; 0 for any other."""
    if isinstance(value, str) and (len(value) > MAX_CELL or not value):
        return 0
    moves, strange = read_cell_moves(value)
    return len(moves) if strange is None and replay_line(start, moves[:1], put_in=False)[2] else 0
