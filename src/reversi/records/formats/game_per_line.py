"""Read texts that have a game on each line."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reversi.arguments import check_type
from reversi.errors import InputError, InvalidMoveError, RecordError
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.record import Record
from reversi.text.decoding import iter_lines


def first_line(text: str) -> str:
    """Return the first line that is not blank, empty where there is none or it is too long."""
    for _, line in iter_lines(text.removeprefix("\ufeff")):
        if isinstance(line, InputError):
            return ""
        if line.strip():
            return line
    return ""


def read_game_lines(
    text: str, read_line: Callable[[Entry, str, int], None], *, is_heading: Callable[[str], bool] = lambda _: False
) -> Iterator[Entry]:
    """Read the games, one at a time. A malformed line has a finding, and the next ones follow.

    Args:
        text: the whole text.
        read_line: reads a line, which has the number given, into an entry. An `InputError` that it raises becomes
            a finding of the entry.
        is_heading: whether the first line is a heading.

    Raises:
        RecordError: the text has no games.
    """
    check_type("text", text, str)
    number = 0
    for at, line in iter_lines(text.removeprefix("\ufeff")):
        if isinstance(line, str) and (not line.strip() or (number == 0 and is_heading(line))):
            continue
        number += 1
        entry = Entry(number, at, Record(), ours=False, result_line=at)
        if isinstance(line, InputError):
            entry.findings.append(Finding(Code.SYNTAX, str(line), None, at, 1))
        else:
            try:
                read_line(entry, line, at)
            except InvalidMoveError as error:
                ply = len(entry.record.line.nodes) + 1
                entry.findings.append(Finding(Code.INVALID_MOVE, str(error), ply, at))
            except InputError as error:
                entry.findings.append(Finding(Code.SYNTAX, str(error), None, at))
        yield entry
    if not number:
        raise RecordError("the text contains no games")
