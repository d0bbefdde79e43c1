"""OBF: lines, files, round trips, the public suites."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from reversi import (
    PASS,
    SQUARES,
    ArgumentError,
    Color,
    InputError,
    InvalidMoveError,
    Move,
    Position,
    ReversiError,
    Square,
    parse_rules,
)
from reversi.errors import BoardError, SideToMoveError
from reversi.text.obf import ObfEntry, format_obf, parse_obf, read_obf
from rule_sets import endgames, positions

START = "---------------------------OX------XO---------------------------"
# a made-up position in which Black must pass
PASSING = "XXXXXXXX" * 7 + "XXXXXXO-"


def test_a_line_with_everything() -> None:
    entry = parse_obf(f"{START} X; F5:+2; d3:0; c4 : -4; --:-127; % from a book ")
    assert entry.position == Position()
    assert entry.annotated == ((Square("f5"), 2), (Square("d3"), 0), (Square("c4"), -4))
    assert entry.comment == "from a book"
    assert entry.score is None
    assert entry.best == 2


@pytest.mark.parametrize("line", [f"{START} X", f"{START} X;", f" {START} X ; ", f"{START.replace('X', '*')} *;;"])
def test_a_board_alone(line: str) -> None:
    assert parse_obf(line) == ObfEntry(Position())
    assert parse_obf(line).best is None


@pytest.mark.parametrize("word", ["PS", "--", "pass", "PA"])
def test_a_pass(word: str) -> None:
    entry = parse_obf(f"{PASSING} O; {word}:-62;")
    assert entry.annotated == ((PASS, -62),)


def test_a_score_without_a_move_as_edax_writes_it() -> None:
    entry = parse_obf("X" * 64 + " O; -64;")
    assert (entry.annotated, entry.score, entry.best) == ((), -64, -64)


def test_the_best_score_is_the_highest_not_the_first() -> None:
    assert parse_obf(f"{START} X; F5:-2; D3:+4; C4:+0;").best == 4


def test_annotated_moves_prove_the_side_to_move() -> None:
    assert parse_obf(f"{START}; F4:+0; D6:+0;").position.to_move is Color.WHITE
    assert parse_obf(START, to_move=Color.WHITE).position.to_move is Color.WHITE
    with pytest.raises(SideToMoveError):
        parse_obf(START)


def test_whether_a_listed_move_is_legal_is_not_judged_here() -> None:
    assert parse_obf(f"{START} X; A1:+0;").annotated == ((Square("a1"), 0),)


@pytest.mark.parametrize(
    ("line", "error", "message"),
    [
        (f"{START} X; F5", InputError, "'F5' is not MOVE:score"),
        (f"{START} X; F5:1.5", InputError, "whole number of discs"),
        (f"{START} X; F5:+", InputError, "'F5:[+]' is not MOVE:score"),
        (f"{START} X; F9:+2", InvalidMoveError, "'F9' is not a move"),
        (f"{START} X; F5:+66", InputError, "[+]66 is not a score on 64 squares"),
        (f"{START} X; F5:+2; f5:+4", InputError, "f5 is listed twice"),
        (f"{START} X; +2; +4", InputError, "a second score without a move"),
        (f"{START} X; --:-127; F5:+2", InputError, "after --:-127"),
        (f"{START[1:]} X; F5:+2", BoardError, "63 cells where the 8x8 board has 64"),
        ("; F5:+2", BoardError, "the text is empty"),
        (f"{START} X; \u0661:+2", InvalidMoveError, "is not a move"),
        (f"{START} X; F5:\u0662", InputError, "is not MOVE:score"),
    ],
)
def test_a_bad_line_is_refused_with_the_part_that_is_wrong(line: str, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        parse_obf(line)


def test_a_move_outside_a_small_board_is_refused() -> None:
    with pytest.raises(InputError, match="'E1' is outside the 4x4 board"):
        parse_obf("-----OX--XO----- X; E1:+2", parse_rules("othello,board=4x4"))


def test_a_bad_line_does_not_hide_the_others() -> None:
    text = (
        f"% suite\r\n\r\n{START} X; F5:+0;\r\nrubbish\r\n  % indented\r\n{START} O\r\n{'X' * 70_000}\r\n{START} X"
    )
    found = list(read_obf(text))
    assert [number for number, _ in found] == [3, 4, 6, 7, 8]
    assert [isinstance(entry, ObfEntry) for _, entry in found] == [True, False, True, False, True]
    assert list(read_obf("")) == []


def test_format() -> None:
    assert format_obf(ObfEntry(Position())) == f"{START} X"
    moves = ((Square("f5"), 2), (PASS, -4))
    whole = ObfEntry(Position(), moves, comment=" two\nlines ")
    assert format_obf(whole) == f"{START} X; F5:+2; PS:-4; % two lines"
    assert format_obf(ObfEntry(Position(), score=0)) == f"{START} X; +0;"


def test_only_an_entry_is_written() -> None:
    with pytest.raises(
        ArgumentError, match=r"entry must be an ObfEntry, not Position; ObfEntry\(position\) is one"
    ):
        format_obf(Position())  # type: ignore[arg-type]
    with pytest.raises(InputError, match="score must be"):
        format_obf(ObfEntry(Position(), ((Square("f5"), 65),)))


comments = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20).map(lambda s: " ".join(s.split()))


@given(st.one_of(positions(), endgames()), st.data(), comments)
def test_round_trip(position: Position, data: st.DataObject, comment: str) -> None:
    legal: list[Move] = list(position.legal_moves)
    limit = position.rules.board.cells
    scores = st.integers(-limit, limit)
    annotated = tuple((move, data.draw(scores)) for move in legal)
    score = data.draw(st.none() | scores)
    entry = ObfEntry(position, annotated, score, comment)
    line = format_obf(entry)
    assert parse_obf(line, position.rules) == entry
    assert [entry for _, entry in read_obf(f"\n{line}\n", position.rules)] == [entry]


@given(
    st.lists(
        st.sampled_from([*"XO-;:%+ 127", START, " X", "; ", *map(str, SQUARES[:9]), "PS", ":+2"]), max_size=40
    ),
    st.text(max_size=10),
)
def test_any_text_is_an_entry_or_an_error(parts: list[str], noise: str) -> None:
    text = "".join(parts) + noise
    message = ""
    try:
        parse_obf(text)
    except ReversiError as error:
        message = str(error)
    assert "\n" not in message
    for number, entry in read_obf(text):
        assert number >= 1
        assert isinstance(entry, (ObfEntry, ReversiError))


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("fforum-1-19.obf", 19),
        ("fforum-20-39.obf", 20),
        ("fforum-40-59.obf", 20),
        ("fforum-60-79.obf", 20),
        ("hard-20.obf", 276),
    ],
)
def test_every_line_of_the_suites_lists_exactly_the_legal_moves(suites: Path, name: str, count: int) -> None:
    text = (suites / name).read_text()
    lines = text.split("\n")
    found = list(read_obf(text))
    assert len(found) == count
    for number, entry in found:
        assert isinstance(entry, ObfEntry), f"{name}:{number}: {entry}"
        assert sorted(move for move, _ in entry.annotated) == list(entry.position.legal_moves)
        assert entry.best is not None
        written = format_obf(entry)
        assert written == lines[number - 1].removesuffix(" --:-127;").strip()


def test_zebra_scripts_are_boards_between_comments(suites: Path) -> None:
    found = [entry for _, entry in read_obf((suites / "zebra_ffotest.scr").read_text())]
    assert len(found) == 21
    # FFO #40 to #59, the first of them a warm-up with #47
    text = (suites / "fforum-40-59.obf").read_text()
    known = [entry.position for _, entry in read_obf(text) if isinstance(entry, ObfEntry)]
    assert [entry.position for entry in found if isinstance(entry, ObfEntry)] == [known[7], *known]
