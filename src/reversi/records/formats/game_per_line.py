"""Games on lines of their own: reading them, and refusing what such a line cannot hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reversi._core import Position
from reversi.arguments import check_type
from reversi.errors import InputError, InvalidMoveError, RecordError
from reversi.records.dialects import passes_follow
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.record import Record
from reversi.records.replay import flipped_by_hand
from reversi.rules import OTHELLO
from reversi.text.decoding import iter_lines


def first_line(text: str) -> str:
    """Return the first line that is not blank, empty where there is none or it is too long."""
    for _, line in iter_lines(text):
        if isinstance(line, InputError):
            return ""
        if line.strip():
            return line
    return ""


def refuse_unless_plain(record: Record, what: str, *, with_passes: bool = False) -> None:
    """Refuse a game that is more than the moves of an ordinary one, which is all that a format holds.

    One that holds passes (``with_passes``) takes those that do not follow from the moves.

    Raises:
        RecordError: other rules or another start, discs flipped by hand, or a skip.
    """
    if not record.rules.same_play(OTHELLO) or record.start != Position(record.rules):
        why = "other rules or another start"
    elif flipped_by_hand(record):
        why = "discs were flipped by hand"
    elif not with_passes and not passes_follow(record):
        why = "the passes do not follow from the moves"
    else:
        return
    raise RecordError(f"{why}, which {what} cannot hold")


def read_game_lines(
    text: str, read_line: Callable[[Entry, str, int], None], *, is_heading: Callable[[str], bool] = lambda _: False
) -> Iterator[Entry]:
    """Read the games, one at a time. A malformed line has a finding, and the next ones follow.

    Args:
        text: the whole text.
        read_line: reads a line, which has the number given, into an entry with an empty record. An `InputError`
            that it raises becomes a finding of the entry.
        is_heading: whether the first line is a heading.

    Raises:
        RecordError: the text has no games.
    """
    check_type("text", text, str)
    number = 0
    for at, line in iter_lines(text):
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
