"""Scores that no board has, in every format that writes scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from reversi import OTHELLO, Position
from reversi.records import Code, Entry
from reversi.records.facts import facts_of
from reversi.records.formats.ggf import read_ggf
from reversi.records.formats.logbook import read_logbook
from reversi.records.formats.pgn.reader import read_records
from reversi.records.formats.sgf import read_sgf
from reversi.records.outcome import Outcome
from reversi.records.validation.game import validate_entry
from reversi.text.transcripts import parse_transcript

WIPE_OUT = [str(move) for move in parse_transcript("e6f4e3f6g5d6e7f5c5", Position())]  # ends the game, 13-0
BOARD = "---------------------------O*------*O--------------------------- *"


def ggf(moves: list[str], score: str) -> str:
    turns = "".join(f"{'BW'[at % 2]}[{move}]" for at, move in enumerate(moves))
    return f"(;GM[Othello]PB[a]PW[b]RE[{score}]TY[8]BO[8 {BOARD}]{turns};)"


def sgf(moves: list[str], score: str) -> str:
    turns = "".join(f";{'BW'[at % 2]}[{move}]" for at, move in enumerate(moves))
    return f"(;GM[2]SZ[8]RE[{'W' if score[0] == '-' else 'B'}+{score[1:]}]{turns})"


def logbook(moves: list[str], score: str) -> str:
    return "".join(f"{'+-'[at % 2]}{move}" for at, move in enumerate(moves)) + f": {score} 0\n"


def pgn(moves: list[str], score: str) -> str:
    black = 64 + abs(int(float(score)))
    return f'[Black "a"]\n[White "b"]\n[Result "{black}-0"]\n\n{" ".join(moves)} {black}-0\n'


@pytest.mark.parametrize(
    ("write", "read", "score"),
    [
        (ggf, read_ggf, "-127.000"),
        (ggf, read_ggf, "+66.000"),
        (sgf, read_sgf, "-127"),
        (logbook, read_logbook, "-99"),
        (pgn, read_records, "+66"),
    ],
    ids=["Edax", "ggf", "sgf", "logbook", "pgn"],
)
def test_a_score_beyond_the_board(
    write: Callable[[list[str], str], str], read: Callable[[str], Iterable[Entry]], score: str
) -> None:
    """A game that is not over has no result, and one that is over a wrong one."""
    (entry,) = read(write(["f5", "d6"], score))
    facts = facts_of(entry.record)
    assert (facts.decided, facts.winner, facts.score, Outcome.of(entry.record).discs) == (False, None, None, None)
    assert "Score" not in entry.record.tags
    assert entry.findings == []
    written = write is pgn  # our own format keeps what a file says; validation reports it
    assert entry.record.result == ("130-0" if written else "*")
    assert [found.code for found in validate_entry(entry).findings] == [Code.RESULT_MISMATCH] * written
    (entry,) = read(write(WIPE_OUT, score))
    assert facts_of(entry.record).score == 64
    assert [found.code for found in validate_entry(entry).findings] == [Code.RESULT_MISMATCH]


@pytest.mark.parametrize(("score", "result"), [(64, "64-0"), (-64, "0-64"), (63, "1-0"), (65, "*"), (-65, "*")])
def test_the_largest_score(score: int, result: str) -> None:
    assert Outcome.by_score(score, str(score), OTHELLO).text == result
