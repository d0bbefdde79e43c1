"""What a cell of a table says: a text, moves, a date, a result."""

from __future__ import annotations

import datetime
import json
import math
import re
from typing import Final

from reversi._core import Position, replay_line
from reversi.records.formats.game_columns import MAX_CELL
from reversi.text.transcripts import ReadMoves, read_transcript_moves

_HEAD: Final = 400  # characters that show whether a text is moves
_LIST: Final = str.maketrans("[]()'\"", "      ")
_DAY: Final = re.compile(
    r"([12][0-9]{3})([-/.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12][0-9]|3[01])(?:[T ]+([0-9:.]{4,}\S*(?: \S+)?))?"
)


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
        value = " ".join(cell_text(item) for item in value)
    text = cell_text(value)
    return read_transcript_moves(text.translate(_LIST) if text[:1] in {"[", "("} else text)


def begins_as_moves(value: object) -> bool:
    """Return whether a cell begins with a move."""
    return bool(read_cell_moves(value[:_HEAD] if isinstance(value, str | list) else value).moves)


def is_moves(value: object, start: Position) -> int:
    """Return how many moves a cell has that is nothing but moves and begins as a game can; 0 for any other."""
    if isinstance(value, str) and (len(value) > MAX_CELL or not value):
        return 0
    moves, strange = read_cell_moves(value)
    return len(moves) if strange is None and replay_line(start, moves[:1], put_in=False)[2] else 0


def date_text(value: object) -> tuple[str, str]:
    """Return the date of a cell as a record has it, and the time of day; a text that is no date as it is."""
    text = cell_text(value)
    if found := _DAY.fullmatch(text):
        return (f"{found[1]}.{found[3]}.{found[4]}", found[5] or "")
    if re.fullmatch("[12][0-9]{3}", text):
        return (f"{text}.??.??", "")
    return (text, "")
