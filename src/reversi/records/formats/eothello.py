"""Games as the eOthello collection lists them: ``id,winner,moves``, a game on a line.

The winner is 1 for Black, -1 for White and 0 for a draw, by the discs. Moves have no separators, passes are left
out. The number of a game becomes the tag ``GameId``; the winner becomes the disc count where the game ended on the
board and it is right. Source: the collection "Othello games" of eOthello, by its first lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from reversi._core import Position
from reversi.errors import InputError, RecordError
from reversi.records.counts import black_score
from reversi.records.dialects import complete_entry, outcome_of
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.formats.transcript import passes_follow, turned_by_hand
from reversi.records.record import Node, Record, Tags, is_result
from reversi.rules import OTHELLO
from reversi.text.decoding import excerpt, iter_lines
from reversi.text.transcripts import tokenize_transcript

__all__ = ["HEADER", "is_eothello", "is_identity", "read_eothello", "winner_of", "write_eothello"]

HEADER: Final = "eOthello_game_id,winner,game_moves"
"""The first line of a file."""

_WINNERS: Final = {"1": "1-0", "-1": "0-1", "0": "1/2-1/2"}
_NUMBERS: Final = {result: number for number, result in _WINNERS.items()}
_HEADER = re.compile(r"\w+,\s*winner\s*,\s*\w*moves\w*\s*", re.IGNORECASE)
_UNFIT = re.compile(r'[,"]')
_LINE = re.compile(r"[^,]{0,100},\s*(?:-1|0|1)\s*,\s*(?:[a-h][1-8])+\s*", re.IGNORECASE)


def is_eothello(text: str) -> bool:
    """Whether a text begins as such a list does."""
    for _, line in iter_lines(text):
        if isinstance(line, str) and line.strip():
            return _HEADER.fullmatch(line) is not None or _LINE.fullmatch(line) is not None
    return False


def read_eothello(text: str) -> Iterator[Entry]:
    """The games of a list, one at a time. A line that is none has a finding, and the next ones follow.

    Args:
        text: the whole text.

    Raises:
        RecordError: there is no game in the text.
    """
    number = 0
    for at, line in iter_lines(text.removeprefix("\ufeff")):
        if isinstance(line, str) and (not line.strip() or (number == 0 and _HEADER.fullmatch(line))):
            continue
        number += 1
        entry = Entry(number, at, Record(), ours=False, result_line=at)
        if isinstance(line, InputError):
            entry.findings.append(Finding(Code.SYNTAX, str(line), None, at, 1))
        else:
            _read_line(entry, line, at)
        yield entry
    if not number:
        raise RecordError("there is no game in the text")


def _read_line(entry: Entry, line: str, at: int) -> None:
    fields = [part.strip().strip('"') for part in line.split(",")]
    if len(fields) != 3:
        entry.findings.append(Finding(Code.SYNTAX, f"{excerpt(line)} is not id,winner,moves", None, at, 1))
        return
    identity, winner, _ = fields
    record = Record(Tags({"GameId": identity} if identity else {}), Position())
    entry.record = record
    if winner not in _WINNERS:
        column = line.index(",") + 2
        message = f"{excerpt(winner)} is no winner: 1 for Black, -1 for White, 0 for a draw"
        entry.findings.append(Finding(Code.SYNTAX, message, None, at, column))
    else:
        record.result = _WINNERS[winner]
    before = line.rindex(",") + 1
    for token in tokenize_transcript(line[before:].replace('"', " ")):
        if token.move is None:
            ply, message = len(record.line.nodes) + 1, f"{excerpt(token.text)} is not a move"
            entry.findings.append(Finding(Code.INVALID_MOVE, message, ply, at, before + token.column))
            break
        record.line.nodes.append(Node(token.move, source_line=at))
    complete_entry(entry)


def write_eothello(record: Record, number: int = 1) -> str:
    """A game as a line of such a list, without its end.

    Args:
        record: the game.
        number: the number of the game where it has no tag ``GameId``.

    Raises:
        RecordError: other rules or another start, a skip, discs turned by hand, or no winner: no such line can be.
    """
    if not record.rules.same_play(OTHELLO) or record.start != Position(record.rules):
        raise RecordError("other rules or another start, which a list of eOthello does not have")
    if turned_by_hand(record):
        raise RecordError("discs were turned by hand, which a list of eOthello cannot tell")
    if not passes_follow(record):
        raise RecordError("passes that do not follow from the moves, which a list of eOthello cannot tell")
    winner = winner_of(record)
    if winner is None:
        raise RecordError("no winner is recorded, and a line of eOthello needs one")
    identity = _UNFIT.sub(" ", record.tags.get("GameId", "")).strip() or str(number)
    return f"{identity},{_NUMBERS[winner]},{''.join(str(move) for move in record.moves if not move.is_pass)}"


def is_identity(text: str) -> bool:
    """Whether a text can be the number of a game in a line."""
    return bool(text) and _UNFIT.search(text) is None and text == text.strip()


def winner_of(record: Record) -> str | None:
    """The result of a record without the discs: ``1-0``, ``0-1`` or ``1/2-1/2``, ``None`` for none."""
    if not is_result(record.result) or record.result == "*":
        return None
    if outcome_of(record.result)[0]:
        return record.result
    score = black_score(record)
    return None if score is None else "1/2-1/2" if score == 0 else "1-0" if score > 0 else "0-1"
