from __future__ import annotations

from pathlib import Path

import pytest

from record_samples import final, playok, random_record, seed_with_pass
from reversi import IllegalMoveError, InputError, Position, RecordError, Square, parse_rules
from reversi.records import Code, Line, Node, Record, write_record, write_records, write_transcript
from reversi.records.formats.format import TextFormat
from reversi.records.formats.registry import POSITIONS, read_games, recognize, text_format_named
from reversi.records.places import Place, parse_place, position_after, read_positions

RECORD = random_record(seed_with_pass(1))
PGN = "".join(write_records([random_record(1), RECORD, random_record(3, plies=10)]))
BOARD = "---------------------------OX------XO--------------------------- X"
GGF = "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6];)\n"
SHARED = Path(__file__).parents[3] / "shared" / "data"


@pytest.mark.parametrize(
    ("text", "path", "game", "ply"),
    [
        ("a.pgn", "a.pgn", None, None),
        ("a.pgn#3", "a.pgn", 3, None),
        ("a.pgn#3@20", "a.pgn", 3, 20),
        ("a.pgn@0", "a.pgn", None, 0),
        ("-#2@5", "-", 2, 5),
        ("dir#1/a.pgn#3", "dir#1/a.pgn", 3, None),
        ("a#b.pgn", "a#b.pgn", None, None),
        ("a.pgn#x", "a.pgn#x", None, None),
        ("a.pgn@20#3", "a.pgn@20", 3, None),
        ("", "", None, None),
    ],
)
def test_places(text: str, path: str, game: int | None, ply: int | None) -> None:
    assert parse_place(text, lambda name: False) == Place(path, game, ply)


def test_a_file_of_the_literal_name_wins(tmp_path: Path) -> None:
    name = str(tmp_path / "a.pgn#3@20")
    assert parse_place(name) == Place(str(tmp_path / "a.pgn"), 3, 20)
    Path(name).write_text("")
    assert parse_place(name) == Place(name)


def test_games_count_from_1() -> None:
    with pytest.raises(InputError, match="a#0: games count from 1"):
        parse_place("a#0", lambda name: False)


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
    assert [entry.record.moves for entry in read_games(write_transcript(RECORD))] == [RECORD.moves]
    rules = parse_rules("adjacent,board=4x4")
    small = random_record(1, rules)
    assert [entry.record.moves for entry in read_games(write_transcript(small), rules=rules)] == [small.moves]


def test_games_in_ggf() -> None:
    wrong = "(;GM[Chess];)\n"
    bad, good = read_games(wrong + GGF)
    assert ([found.code for found in bad.findings], bad.line) == ([Code.BAD_TAG], 1)
    assert (good.record.moves, good.number, good.line) == ((Square("f5"), Square("d6")), 2, 2)
    first, second = read_positions(wrong + GGF)
    assert (str(first.error), second.position) == (
        "GM: a game of 'Chess', not of Othello",
        Position().play("f5").play("d6"),
    )


@pytest.mark.parametrize(("text", "message"), [(BOARD, "positions, not games"), ("hello", "no game")])
def test_texts_without_games(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        list(read_games(text))


def test_positions_of_records() -> None:
    ends = [entry.position for entry in read_positions(PGN)]
    assert ends == [final(record) for record in (random_record(1), RECORD, random_record(3, plies=10))]
    (start,) = read_positions(PGN, game=2, ply=0)
    assert (start.position, start.index) == (Position(), 2)
    (later,) = read_positions(PGN, game=2, ply=20)
    assert later.position == position_after(RECORD, 20)


def test_positions_of_transcripts_boards_and_ggf() -> None:
    assert [entry.position for entry in read_positions("f5d6\nf5f6", ply=1)] == [Position().play("f5")] * 2
    assert [entry.position for entry in read_positions(f"{BOARD}\n{BOARD}", game=2)] == [Position()]
    assert [entry.position for entry in read_positions(GGF + GGF)] == [Position().play("f5").play("d6")] * 2
    assert [entry.position for entry in read_positions(GGF, ply=1)] == [Position().play("f5")]


def test_bad_games_do_not_hide_the_next() -> None:
    text = PGN.replace("1. ", "1. e9 ", 1)
    first, second, _ = read_positions(text)
    assert isinstance(first.error, RecordError)
    assert second.position is not None
    short, *_ = read_positions(PGN, game=3, ply=11)
    assert str(short.error) == "ply 11 does not exist: the game has 10 plies"


def test_missing_places() -> None:
    with pytest.raises(RecordError, match="game 4 does not exist: the input has 3 games"):
        list(read_positions(PGN, game=4))
    with pytest.raises(RecordError, match="@3: only a game has plies"):
        list(read_positions(BOARD, ply=3))


def test_a_position_before_a_mistake_is_found() -> None:
    record = Record(line=Line([*RECORD.line.nodes[:5], Node(RECORD.moves[0])]))
    assert position_after(record, 5) == position_after(RECORD, 5)
    with pytest.raises(IllegalMoveError, match=r"^ply 6: "):
        position_after(record)
    (entry,) = read_positions(write_record(record))
    assert isinstance(entry.error, IllegalMoveError)


@pytest.mark.parametrize("folder", ["ggf", "pgn", "suites", "xot"])
def test_real_files(folder: str) -> None:
    files = sorted((SHARED / folder).glob("*")) if (SHARED / folder).is_dir() else []
    if not files:
        pytest.skip(f"no files in {SHARED / folder}")
    for path in files:
        entries = list(read_positions(path.read_text(encoding="latin-1")))
        good = [entry for entry in entries if entry.position is not None]
        assert len(good) >= len(entries) * (0.6 if folder == "ggf" else 0.8), path.name  # some are broken
