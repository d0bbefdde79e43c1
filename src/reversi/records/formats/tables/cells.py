"""What a cell of a table says: a text, moves, a date, a result."""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Iterator
from typing import Any, Final

from reversi._core import Position
from reversi.errors import RecordError
from reversi.text.transcripts import TranscriptToken, tokenize_transcript

__all__ = [
    "MAX_CELL",
    "MAX_RECORD",
    "begins_as_moves",
    "cell_text",
    "checked_row",
    "date_text",
    "is_moves",
    "move_tokens",
    "too_long",
]

MAX_CELL: Final = 65_536
"""The most characters of a cell that is read."""

MAX_RECORD: Final = 1 << 20
"""The most characters of a cell that has a whole record, or its tags."""

_LONG: Final = ("record", "tags")
_HEAD: Final = 400  # characters that show whether a text is moves
_LIST: Final = str.maketrans("[]()'\"", "      ")
_DAY: Final = re.compile(
    r"([12][0-9]{3})([-/.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12][0-9]|3[01])(?:[T ]+([0-9:.]{4,}\S*(?: \S+)?))?"
)


def too_long(column: str, value: object, title: str = "") -> str:
    """Return why a cell is not read for its length; empty for one that is.

    Args:
        column: what the column says.
        value: the cell.
        title: what messages call the column.
    """
    limit = MAX_RECORD if column in _LONG else MAX_CELL
    if not isinstance(value, str) or len(value) <= limit:
        return ""
    return f"column {title or column} has {len(value)} characters; the limit is {limit}"


def checked_row(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row to write, unless it is too long to be read.

    Raises:
        RecordError: it is.
    """
    for column, value in row.items():
        if why := too_long(column, value):
            raise RecordError(why)
    return row


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


def move_tokens(value: object) -> Iterator[TranscriptToken]:
    """Yield the moves of a cell: a transcript, or a list of moves as such or as text."""
    if isinstance(value, list | tuple):
        value = " ".join(cell_text(item) for item in value)
    text = cell_text(value)
    yield from tokenize_transcript(text.translate(_LIST) if text[:1] in {"[", "("} else text)


def begins_as_moves(value: object) -> bool:
    """Return whether a cell begins with a move."""
    token = next(move_tokens(value[:_HEAD] if isinstance(value, str | list) else value), None)
    return token is not None and token.move is not None


def is_moves(value: object, start: Position) -> int:
    """Return how many moves a cell has that is nothing but moves and begins as a game can; 0 for any other."""
    if isinstance(value, str) and (len(value) > MAX_CELL or not value):
        return 0
    count = 0
    for token in move_tokens(value):
        if token.move is None or (not count and not start.is_legal(token.move)):
            return 0
        count += 1
    return count


def date_text(value: object) -> tuple[str, str]:
    """Return the date of a cell as a record has it, and the time of day; a text that is no date as it is."""
    text = cell_text(value)
    if found := _DAY.fullmatch(text):
        return (f"{found[1]}.{found[3]}.{found[4]}", found[5] or "")
    if re.fullmatch("[12][0-9]{3}", text):
        return (f"{text}.??.??", "")
    return (text, "")
