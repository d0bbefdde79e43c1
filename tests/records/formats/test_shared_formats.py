"""Real files in GGF, of eOthello and in OBF, where a checkout has them beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from reversi import PASS, Color, Position, Square
from reversi.records import Code, Entry, Record, format_record, losses, parse_record, positions, validate_entry
from reversi.records.formats.eothello import format_eothello, read_eothello
from reversi.records.formats.ggf.reader import read_ggf
from reversi.records.formats.ggf.writer import format_ggf
from reversi.records.formats.obf import format_obf_record, read_obf_records
from reversi.records.formats.sgf.reader import read_sgf
from reversi.records.formats.sgf.writer import format_sgf
from reversi.records.sources.decoding import decode_records

DATA = Path(__file__).parents[4] / "shared" / "data"


def text_of(name: str) -> str:
    path = DATA / name
    if not path.is_file():
        pytest.skip(f"no {name} in {DATA}")
    return decode_records(path.read_bytes(), name)


def only(entries: list[Entry]) -> Record:
    (entry,) = entries
    assert entry.findings == []
    return entry.record


@pytest.mark.parametrize(
    ("name", "games", "plies", "passes"),
    [
        ("ggs_4x4_with_pass.ggf", 1, 13, 1),
        ("ggs_8_standard_with_pass.ggf", 1, 61, 1),
        ("ggs_8kr20_komi.ggf", 1, 44, 0),
        ("ggs_s8r18_synchro_pair.ggf", 2, 46 + 47, 1),
        ("nboard_test.ggf", 1, 60, 0),
        ("nboard_test2.ggf", 3, 13 + 44 + 60, 1),
        ("ntest_TestGames.ggf", 12, 725, 5),
    ],
)
def test_games_of_the_server_are_valid_and_written_back_equal(
    name: str, games: int, plies: int, passes: int
) -> None:
    entries = list(read_ggf(text_of(f"ggf/{name}")))
    assert all(validate_entry(entry).valid and not validate_entry(entry).unfinished for entry in entries)
    records = [entry.record for entry in entries]
    assert len(records) == games
    assert sum(len(record.moves) for record in records) == plies
    assert sum(record.moves.count(PASS) for record in records) == passes
    for record in records:
        assert losses(record, "ggf") == losses(record, "sgf") == losses(record, "pgn") == []
        assert only(list(read_ggf(format_ggf(record)))) == record
        assert only(list(read_sgf(format_sgf(record)))) == record
        assert parse_record(format_record(record)) == record


def test_the_komi_game_ends_26_discs_down() -> None:
    record = only(list(read_ggf(text_of("ggf/ggs_8kr20_komi.ggf"))))
    *_, end = positions(record)
    assert end.result is not None
    assert (record.result, end.result.discs, record.tags["Komi"]) == ("19-45", "19-45", "-3.133")
    assert "RE[-22.867]" in format_ggf(record)  # 19 - 45 + 3.133; the file has it as -22.87


def test_the_two_games_of_a_match_have_one_start() -> None:
    first, second = (entry.record for entry in read_ggf(text_of("ggf/ggs_s8r18_synchro_pair.ggf")))
    assert first.start == second.start
    assert (first.black, first.white) == (second.white, second.black)
    assert (first.start.black | first.start.white).bit_count() == 18


def test_broken_records_of_the_collection() -> None:
    """Seven of the nineteen games of the file are broken, each in one way.

    Confirmed by hand, by reading the file and replaying the games:

    * game 11 has the type ``s8r5``, a start drawn by lot, and no ``BO`` at all: no board to play on;
    * game 12 is the same game with ``O[8 ...`` that is never closed in place of the board;
    * game 14 has a board of 10 rows and columns;
    * game 15 is two broken texts: ``PB[...`` is not closed before the next line begins a game;
    * game 16 is followed by the two characters ``\\n``, where only the next game or nothing can be;
    * game 17 says ``RE[18.0]``; replayed, it ends 23-41, so Black has lost by 18;
    * game 18 ends after its ``GM``, in the text of a program.

    Game 13 has the type ``s8r5`` and five discs, of which c4 is Black's beside the usual four. Its ``f5`` is
    legal: e5 is White's and d5 is Black's, so it turns e5; so is White's ``d6``, which turns d5 with d4.
    """
    entries = list(read_ggf(text_of("ggf/othello_java_testgames.ggf")))
    found = {
        entry.number: [(finding.code, finding.line) for finding in validate_entry(entry).findings]
        for entry in entries
    }
    assert {number: codes for number, codes in found.items() if codes} == {
        11: [(Code.BAD_TAG, 10)],
        12: [(Code.SYNTAX, 11)],
        14: [(Code.BAD_TAG, 13)],
        15: [(Code.SYNTAX, 18)],
        16: [(Code.SYNTAX, 19)],
        17: [(Code.RESULT_MISMATCH, 19)],
        18: [(Code.SYNTAX, 20)],
    }
    assert len(entries) == 19
    drawn = entries[12].record
    assert drawn.start[Square("c4")] is Color.BLACK
    assert drawn.start.flips(Square("f5")) == (Square("e5"),)
    assert drawn.start.play("f5").flips(Square("d6")) == (Square("d5"),)
    *_, end = positions(entries[16].record)
    assert (end.result is not None and end.result.discs, entries[16].record.result) == ("23-41", "41-23")


def test_a_spoiled_move_is_reported_with_its_ply() -> None:
    text = text_of("ggf/ggs_s8r18_synchro_pair.ggf").replace("B[d6/-8.00/9.00]", "B[c5/-8.00/9.00]", 1)
    first, second = read_ggf(text)
    (found,) = validate_entry(first).findings
    assert (found.code, found.ply, found.line) == (Code.DUPLICATE_SQUARE, 3, 1)  # White has just moved there
    assert validate_entry(second).valid


@pytest.mark.slow
def test_the_collection_of_eothello() -> None:
    text = text_of("eothello/othello_dataset_first_12000.csv")
    lines = text.split("\n")
    games = unfinished = 0
    for entry in read_eothello(text):
        verdict = validate_entry(entry)
        assert verdict.findings == ()
        games += 1
        unfinished += verdict.unfinished
        assert format_eothello(entry.record) == lines[entry.line - 1].strip()
    assert (games, unfinished) == (12_000, 1)


def test_suites_are_read_as_records_and_written_back() -> None:
    for name, count in (("fforum-1-19.obf", 19), ("fforum-40-59.obf", 20), ("hard-20.obf", 276)):
        entries = list(read_obf_records(text_of(f"suites/{name}")))
        assert len(entries) == count
        for entry in entries:
            assert validate_entry(entry).valid
            assert not {"evaluations", "variations", "comments"} & set(losses(entry.record, "obf"))
            assert only(list(read_obf_records(format_obf_record(entry.record)))) == entry.record


def test_positions_of_suites_keep_their_side() -> None:
    record = next(read_obf_records(text_of("suites/fforum-40-59.obf"))).record
    assert record.start != Position()
    assert parse_record(format_record(record)) == record
