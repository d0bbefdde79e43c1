from __future__ import annotations

import pytest

from record_samples import playok, random_record, seed_with_pass
from reversi import Position, RecordError, Square, parse_rules
from reversi.inputs.input import positions_in
from reversi.records import Code, format_records
from reversi.records.formats.format import TextFormat
from reversi.records.formats.registry import POSITIONS, read_games, recognize, text_format_named
from reversi.records.formats.transcript import format_record_moves

RECORD = random_record(seed_with_pass(1))
PGN = "".join(format_records([random_record(1), RECORD, random_record(3, plies=10)]))
BOARD = "---------------------------OX------XO--------------------------- X"
GGF = "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6];)\n"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (PGN, text_format_named("pgn")),
        (playok(RECORD), text_format_named("pgn")),
        ("Some words\n" + PGN, text_format_named("pgn")),
        ("1. f5 {good} d6", text_format_named("pgn")),
        ("1. f5 d6 *", text_format_named("pgn")),
        ("f5 d6 37-27", text_format_named("pgn")),
        ("1. f5 d6 2. c3", text_format_named("transcript")),
        ("F5D6C3", text_format_named("transcript")),
        ("% comment\nf5d6", text_format_named("transcript")),
        (f"{BOARD}; f5d6", text_format_named("transcript")),
        ("f5d6c3 % (x)", text_format_named("transcript")),
        ("f5d6c3\nf5f6e6 (x)\nf5d6c5\n", text_format_named("transcript")),
        (f"{BOARD}; d6\nf5f6e6 *\n{BOARD}; c4\n", text_format_named("transcript")),
        ("Our club games\nplayed in May\nf5d6c3\nf5f6e6", text_format_named("transcript")),
        ("1. f5 d6 2. c3\n(2. c4)\n", text_format_named("pgn")),
        ("1. f5 d6\n2. c3 d3\n3. c4 (3. c5) *\n", text_format_named("pgn")),
        ("f5 d6 c3\nd3 37-27\n\nf5 f6 e6\nf4 37-27\n", text_format_named("pgn")),
        (BOARD, POSITIONS),
        (BOARD + "\n" + BOARD[:-1] + "*", POSITIONS),
        (BOARD + "; F5:0;", text_format_named("obf")),
        (GGF, text_format_named("ggf")),
        ("2 (;PC[x]GM[Othello];)(;GM[Othello];)", text_format_named("ggf")),
        ("(;BO[8 x];)", text_format_named("ggf")),
        ("(;FF[4]GM[2]SZ[8];B[f5])", text_format_named("sgf")),
        ("\n( ;GM[2])", text_format_named("sgf")),
        ("(;AB[d5];B[fe])", text_format_named("sgf")),
        ("(;;B[f5])", text_format_named("sgf")),
        ("eOthello_game_id,winner,game_moves\n1,1,f5\n", text_format_named("eothello")),
        ("17,-1,f5d6c3\n", text_format_named("eothello")),
        ("hello", None),
        ("", None),
    ],
)
def test_recognizing(text: str, form: TextFormat | None) -> None:
    assert recognize(text) is form


def test_games_of_any_form() -> None:
    assert [entry.record for entry in read_games(PGN)][1] == RECORD
    assert [entry.record.moves for entry in read_games(format_record_moves(RECORD))] == [RECORD.moves]
    rules = parse_rules("adjacent,board=4x4")
    small = random_record(1, rules)
    assert [entry.record.moves for entry in read_games(format_record_moves(small), rules=rules)] == [small.moves]


def test_games_in_ggf() -> None:
    wrong = "(;GM[Chess];)\n"
    bad, good = read_games(wrong + GGF)
    assert ([found.code for found in bad.findings], bad.line) == ([Code.BAD_TAG], 1)
    assert (good.record.moves, good.number, good.line) == ((Square("f5"), Square("d6")), 2, 2)
    first, second = positions_in(wrong + GGF)
    assert (str(first.error), second.position) == (
        "GM: a game of 'Chess', not of Othello",
        Position().play("f5").play("d6"),
    )


_RESULTS = r"^a table without a column of moves \(the columns: black=Black,white=White,result=Score,date=Date"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOARD, "positions, not games"),
        ("hello", "no game"),
        ("Date,Black,White,Score\n2020-01-01,Ann,Bob,40-24\n", _RESULTS + r"\); give --columns moves=NAME"),
        ("Date\tBlack\tWhite\tScore\n1997.05.01\tAnn\tBob\t33\n", _RESULTS + r"\); give"),
        ("Date;Black;White;Score;Hall\n01.02.2020;Ann;Bob;40-24;3\n", _RESULTS + "; not read: Hall"),
        ('{"date":"2020-01-01","black":"Ann","score":"40-24"}\n', "JSON, and its first object has no moves"),
        ("Name,City\n2020-01-01,Bonn\n", "no game in a known format"),
        ("Black to move,White\nAnn\n", "no game in a known format"),
    ],
)
def test_texts_without_games(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        list(read_games(text))
