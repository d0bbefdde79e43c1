"""No text crashes the readers, hides a following game, or is silently half-read."""

from __future__ import annotations

import contextlib
import re

from hypothesis import example, given, strategies as st

from record_samples import RECORDS, edax, flyordie, from_wthor, playok, random_record
from reversi import InputError
from reversi.inputs.input import positions_in
from reversi.records import Record, format_record, validate_entry
from reversi.records.formats.eothello import read_eothello
from reversi.records.formats.ggf.reader import read_ggf
from reversi.records.formats.obf import read_obf_records
from reversi.records.formats.pgn.reader import read_records
from reversi.records.formats.registry import recognize
from reversi.records.formats.sgf.reader import read_sgf
from reversi.records.formats.transcript import format_record_moves, read_transcripts
from reversi.records.sources.decoding import decode_records

GAME = random_record(5)
SEEDS = [
    format_record(GAME),
    playok(GAME),
    edax(GAME),
    flyordie(GAME, "0-1"),
    from_wthor(GAME, GAME.result),
    format_record_moves(GAME),
    "(;GM[Othello]PB[a]PW[b]BO[8 " + "-" * 27 + "O*------*O" + "-" * 27 + " *]B[f5//1]W[d6/2.5];)\n",
]
PIECES = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    "%",
    "\\",
    '"',
    "$",
    "\n",
    "\n\n",
    "\r",
    " ",
    "*",
    "1-0",
    "37-27",
    "--",
]
LAST = '[Event "last"]\n[Site "?"]\n[Date "?"]\n[Round "?"]\n[Black "?"]\n[White "?"]\n[Result "*"]\n\n1. f5 *\n'


def shows_safely(message: str) -> bool:
    return not re.search(r"[\x00-\x1f\x7f-\x9f]", message)


def read_everything(text: str) -> int:
    """Read a text as everything there is; how many games it had."""
    games, refused = 0, ""
    try:
        for entry in read_records(text):
            games += 1
            verdict = validate_entry(entry)
            assert entry.number == games
            assert 1 <= entry.line <= text.count("\n") + text.count("\r") + 1
            for found in (*entry.findings, *verdict.findings):
                assert shows_safely(found.message)
            (again,) = read_records(format_record(entry.record))
            assert again.record == entry.record
    except InputError as error:
        refused = str(error)
        assert games == 0
    assert shows_safely(refused)
    for reader in (read_transcripts, positions_in, read_ggf, read_sgf, read_eothello, read_obf_records):
        with contextlib.suppress(InputError):
            list(reader(text))
    recognize(text)
    return games


@given(st.text(max_size=200) | st.lists(st.sampled_from([*PIECES, "f5", "1.", '[A "b"]', "word"])).map(" ".join))
@example("{")
@example("[")
@example("$")
@example("(;")
@example("f5 * {")
def test_any_text(text: str) -> None:
    read_everything(text)


@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    try:
        text = decode_records(data, "x")
    except InputError:
        return
    read_everything(text)


@given(
    st.sampled_from(SEEDS),
    st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 5), st.sampled_from(PIECES) | st.text(max_size=4)), max_size=4
    ),
)
def test_spoiled_files(text: str, changes: list[tuple[float, int, str]]) -> None:
    for share, dropped, inserted in changes:
        at = int(share * len(text))
        text = text[:at] + inserted + text[at + dropped :]
    read_everything(text)


@example(Record(), 1.0, 0, "[")
@given(RECORDS, st.floats(0, 1), st.integers(0, 3), st.sampled_from(PIECES) | st.text(max_size=4))
def test_the_next_game_is_always_found(record: Record, share: float, dropped: int, inserted: str) -> None:
    text = format_record(record)
    at = int(share * len(text))
    spoiled = text[:at] + inserted + text[at + dropped :]
    *_, last = read_records(spoiled + "\n\n" + LAST)
    assert last.record.tags["Event"] == "last"
    assert [str(move) for move in last.record.moves] == ["f5"]
    assert last.findings == []
