"""Games as the eOthello collection lists them: ``id,winner,moves``, a game on a line.

The winner is 1 for Black, -1 for White and 0 for a draw, by the discs. Moves have no separators, passes are left
out. The number of a game becomes the tag ``GameId``; the winner becomes the disc count where the game ended on the
board and it is right. Source: the collection "Othello games" of eOthello, by its first lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import reversi._regex as re
from reversi._core import PASS
from reversi.arguments import excerpt
from reversi.errors import RecordError
from reversi.records.dialects import complete_entry
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.formats.format import TextFormat
from reversi.records.formats.game_per_line import first_line, read_game_lines, refuse_unless_plain
from reversi.records.formats.results import read_result
from reversi.records.holding import capabilities
from reversi.records.outcome import Outcome
from reversi.records.record import Line, Record, Tags
from reversi.records.replay import board_result
from reversi.rules import OTHELLO
from reversi.text.transcripts import read_transcript_moves

HEADER: Final = "eOthello_game_id,winner,game_moves"
"""The first line of a file."""

_NUMBERS: Final = {"1-0": "1", "0-1": "-1", "1/2-1/2": "0"}
_WINNERS: Final = {number: Outcome(result) for result, number in _NUMBERS.items()}
_HEADER = re.compile(r"\w+,\s*winner\s*,\s*\w*moves\w*\s*", re.IGNORECASE)
_UNFIT = re.compile(r'[,"]')
_LINE = re.compile(r"[^,]{0,100},\s*(?:-1|0|1)\s*,\s*(?:[a-h][1-8])+\s*", re.IGNORECASE)


def is_eothello(text: str) -> bool:
    line = first_line(text)
    return _HEADER.fullmatch(line) is not None or _LINE.fullmatch(line) is not None


def read_eothello(text: str) -> Iterator[Entry]:
    """Read the games of a list, one at a time."""
    yield from read_game_lines(text, _read_line, is_heading=lambda line: _HEADER.fullmatch(line) is not None)


def _read_line(entry: Entry, line: str, at: int) -> None:
    fields = [part.strip().strip('"') for part in line.split(",")]
    if len(fields) != 3:
        entry.findings.append(Finding(Code.SYNTAX, f"{excerpt(line)} is not id,winner,moves", None, at, 1))
        return
    identity, winner, _ = fields
    before = line.rindex(",") + 1
    moves, strange = read_transcript_moves(line[before:].replace('"', " "))
    tags = Tags.named(("GameId",), (identity,)) if identity else Tags()
    record = entry.record = Record(tags, line=Line.of_numbers(moves, at))
    outcome = _WINNERS.get(winner) or (read_result(winner, "winner", OTHELLO) if winner else None)
    if outcome is None:
        column = line.index(",") + 2
        message = f"{excerpt(winner)} is not a winner: 1 for Black, -1 for White, 0 for a draw"
        entry.findings.append(Finding(Code.SYNTAX, message, None, at, column))
    else:
        outcome.give_to(record)
    if strange is not None:
        message = f"{excerpt(strange.text)} is not a move"
        entry.findings.append(Finding(Code.INVALID_MOVE, message, len(moves) + 1, at, before + strange.column))
    complete_entry(entry)


def format_eothello(record: Record, number: int = 1) -> str:
    """Return a game as a line of such a list, without its end; it has the number where no ``GameId`` names it."""
    refuse_unless_plain(record, "a list of eOthello")
    winner = Outcome.of(record).word
    if winner is None:
        raise RecordError("no winner is recorded, and a line of eOthello needs one")
    identity = _UNFIT.sub(" ", record.tags.get("GameId", "")).strip() or str(number)
    return f"{identity},{_NUMBERS[winner]},{record.line.transcript.replace(str(PASS), '')}"


def is_identity(text: str) -> bool:
    return bool(text) and _UNFIT.search(text) is None and text == text.strip()


def _loses_result(record: Record) -> bool:
    """Return whether the result says more than the winner and the board."""
    return record.result != Outcome(Outcome.of(record).word or "*").settled(board_result(record))


FORMAT: Final = TextFormat(
    name="eothello",
    title="a list of eOthello",
    suffixes=(),
    holds=capabilities(
        "rules",
        "starts",
        partly={"results": _loses_result},
        keeps_tag=lambda record, name, value, times: name == "GameId" and times == 1 and is_identity(value),
    ),
    recognize=is_eothello,
    read=lambda text, rules: read_eothello(text),
    write=lambda record, number: format_eothello(record, number) + "\n",
    before=f"{HEADER}\n",
    cut=re.compile(r"\n(?=[^,\r\n]{0,100},(?:-1|0|1),)"),
)
