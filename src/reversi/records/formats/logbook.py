"""Games as the logbook of Logistello lists them (``.gam``): ``+d3-c5+e6: +4 1``, a game on a line.

A sign is the color of a move (``+`` Black, ``-`` White); passes are left out. After the colon come Black's score
in discs and a flag, whose meaning is not known: other than 0 it becomes the tag ``Flag``. The score becomes the
disc count that makes it, with the empty squares for the winner, or the winner and the tag ``Score``. Source: a
description of the logbook, not the file itself: without a real file to compare.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import reversi._regex as re
from reversi.arguments import excerpt
from reversi.errors import RecordError
from reversi.records.dialects import check_sides_of_all, complete_entry
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.formats.format import TextFormat
from reversi.records.formats.game_per_line import first_line, read_game_lines, refuse_unless_plain
from reversi.records.holding import capabilities
from reversi.records.outcome import Outcome, counts_for
from reversi.records.record import Line, Record, framed_moves, is_result, read_spelling
from reversi.records.replay import board_result
from reversi.rules import OTHELLO
from reversi.text.transcripts import read_transcript_moves

_MOVE = re.compile(r"([+-])[a-h][1-8]", re.IGNORECASE)
_MOVES = re.compile(r"(?:\s*+[+-][a-h][1-8])*+", re.IGNORECASE)
_END = re.compile(r"\s*([+-]?[0-9]{1,2})(?:\s+([0-9]{1,9}))?\s*", re.ASCII)
_SHOWN = re.compile(r"\s*(?:[+-][a-h][1-8])+\s*:\s*[+(-]?[0-9½]", re.IGNORECASE | re.ASCII)
_SCORE = re.compile(r"[+-]?[0-9]{1,2}", re.ASCII)
_FLAG = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)


def is_logbook(text: str) -> bool:
    return _SHOWN.match(first_line(text)) is not None


def read_logbook(text: str) -> Iterator[Entry]:
    """Read the games of a logbook, one at a time."""
    yield from read_game_lines(text, _read_line)


def _read_line(entry: Entry, line: str, at: int) -> None:
    moves, colon, ending = line.partition(":")
    found = _MOVES.match(moves)
    end = found.end() if found else 0
    turns = "".join(moves[:end].split())
    numbers, _ = read_transcript_moves(turns.replace("+", " ").replace("-", " "))
    entry.record = Record(line=Line.of_numbers(numbers, at))
    outcome = Outcome("*")
    if rest := moves[end:].strip():
        column = moves.index(rest, end) + 1
        ply, message = len(turns) // 3 + 1, f"{excerpt(rest[:40])} is not a move with its sign"
        entry.findings.append(Finding(Code.INVALID_MOVE, message, ply, at, column))
    elif not colon:
        entry.findings.append(Finding(Code.TRUNCATED, "the line ends before the result", None, at, len(line)))
    elif (said := _read_ending(ending)) is None:
        message = f"{excerpt(ending.strip()[:40])} is not a score and a flag"
        entry.findings.append(Finding(Code.SYNTAX, message, None, at, len(moves) + 2))
    else:
        outcome, flag = said
        outcome.give_to(entry.record)
        if flag:
            entry.record.tags["Flag"] = flag
    on_board = complete_entry(entry)
    check_sides_of_all(
        entry,
        turns[::3].replace("+", "B").replace("-", "W").encode(),
        lambda: [found.start(1) + 1 for found in _MOVE.finditer(moves, 0, end)],
        lambda code, message, column, ply: Finding(code, message, ply, at, column),
    )
    if not entry.findings and (message := outcome.mismatch(on_board)):
        entry.findings.append(Finding(Code.RESULT_MISMATCH, message, None, at, len(moves) + 2))


@lru_cache(1 << 10)
def _read_ending(text: str) -> tuple[Outcome, str] | None:
    """Return the result and the flag, if any, that a line ends with; ``None`` where it has no result."""
    if is_result(word := read_spelling(text.strip())):
        return Outcome(word), ""
    if (found := _END.fullmatch(text)) is None:
        return None
    return Outcome.by_score(int(found[1]), found[1], OTHELLO), (found[2] or "").lstrip("0")


def format_logbook(record: Record) -> str:
    """Return a game as a line of a logbook, without its end."""
    refuse_unless_plain(record, "a logbook of Logistello")
    if not record.line.numbers:
        raise RecordError("the game has no moves, and a line of a logbook needs one")
    score = _score(record)
    if score is None:
        raise RecordError("the game has no disc count, and a line of a logbook needs a score")
    moves = framed_moves(record.line.numbers, "+--", "---", "  ").replace("+  ", "").replace("-  ", "")
    flag = record.tags.get("Flag", "")
    return f"{moves}: {score} {flag if _FLAG.fullmatch(flag) else 0}"


def _score(record: Record) -> str | None:
    """Black's score as a line has it, ``None`` where the record has none."""
    outcome = Outcome.of(record)
    if outcome.discs is not None:
        score = outcome.score_on(board_result(record)) or 0
        return f"{score:+d}" if counts_for(score, OTHELLO) else None
    text = record.tags.get("Score", "")
    if not _SCORE.fullmatch(text):
        return None
    read = Outcome.by_score(int(text), text, OTHELLO)
    return text if (read.text, read.written) == (record.result, text) else None


def _loses_result(record: Record) -> bool:
    score = _score(record)
    if score is None:
        return record.result != "*"
    return record.result != Outcome.by_score(int(score), score, OTHELLO).settled(board_result(record))


def _keeps_tag(record: Record, name: str, value: str, times: int) -> bool:
    if times > 1:
        return False
    return (name == "Flag" and _FLAG.fullmatch(value) is not None) or (
        name == "Score" and Outcome.of(record).discs is None and _score(record) == value
    )


FORMAT: Final = TextFormat(
    name="logbook",
    title="a logbook of Logistello",
    suffixes=(".gam",),
    holds=capabilities("rules", "starts", partly={"results": _loses_result}, keeps_tag=_keeps_tag),
    recognize=is_logbook,
    read=lambda text, rules: read_logbook(text),
    write=lambda record, number: format_logbook(record) + "\n",
    cut=re.compile(r"\n(?=[+-][A-Ha-h][1-8])"),
)
