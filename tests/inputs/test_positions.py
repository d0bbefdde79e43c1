"""Pasted text without a word about its format: what it is, and the positions in it."""

import re
import time
import tracemalloc
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from patience import SOON_S
from reversi import (
    Color,
    IllegalMoveError,
    InputError,
    InvalidMoveError,
    Position,
    RecordError,
    ReversiError,
    Rules,
    Square,
    parse_rules,
)
from reversi.errors import SideToMoveError
from reversi.inputs.input import positions_in
from reversi.inputs.positions import PositionEntry
from reversi.text.board_drawing import format_diagram
from reversi.text.boards import format_board
from reversi.text.kinds import TextKind, text_kind
from reversi.text.obf import ObfEntry, format_obf
from rule_sets import positions

START = "---------------------------OX------XO---------------------------"
ROWS = "\n".join(START[at : at + 8] for at in range(0, 64, 8))
OPENING = Position().play("f5").play("d6").play("c3")


def only(text: str, rules: Rules | None = None, to_move: Color | None = None) -> PositionEntry:
    entries = list(positions_in(text, rules, to_move))
    assert len(entries) == 1, entries
    return entries[0]


def boards(text: str, rules: Rules | None = None) -> list[str]:
    return [
        format_board(entry.position) if entry.position else type(entry.error).__name__
        for entry in positions_in(text, rules)
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (START, TextKind.BOARD),
        (f"{START} X", TextKind.BOARD),
        (" ".join(START), TextKind.BOARD),
        (START.replace("O", "0"), TextKind.BOARD),  # with a wrong cell, and with one too few
        (START[1:], TextKind.BOARD),
        ("----XO----OX---- b", TextKind.BOARD),
        ("---- -OX- -XO- ---- *", TextKind.BOARD),
        (f"% comment\n\n{START} X\n", TextKind.BOARD),
        (ROWS, TextKind.DIAGRAM),
        (f"Black to move\n{ROWS}", TextKind.DIAGRAM),
        (format_diagram(Position()), TextKind.DIAGRAM),
        (f"{START} X; F5:+0; D3:+0;", TextKind.OBF),
        (f"{START} X; % only a board", TextKind.OBF),
        (f"{START} X; rubbish", TextKind.OBF),
        (f"{START} X; f5d6", TextKind.TRANSCRIPT),
        ("f5d6c3", TextKind.TRANSCRIPT),
        ("1. F5 d6", TextKind.TRANSCRIPT),
        ("f5 rubbish", TextKind.TRANSCRIPT),
        ("--", TextKind.TRANSCRIPT),
        ("pass f4", TextKind.TRANSCRIPT),
    ],
)
def test_recognize(text: str, kind: TextKind) -> None:
    assert text_kind(text) is kind


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "% comment",
        "hello",
        "bob",
        "Wow",
        "x9",
        "games.pgn",
        "suite.obf",
        "i5",
        "2020-01-01",
        "2020-01-01,Ann,Bob,40-24",
        "01.02.2020;Ann",
        "2020-01-02T10:21:00Z",
        '[Event "?"]',
        "(;GM[Othello]",
    ],
)
def test_recognize_knows_nothing_of_other_texts(text: str) -> None:
    assert text_kind(text) is None


def test_recognize_looks_at_the_first_entry_only() -> None:
    assert text_kind(f"f5d6\n{START} X") is TextKind.TRANSCRIPT
    assert text_kind("x" * 100_000 + "\nf5") is None


def test_entries_of_every_kind_mixed() -> None:
    text = f"""% a made-up list
{START} X
# a remark
f5d6c3 % after three moves
{START} X; F5:+0; D3:-2; % annotated
{START}; f4
rubbish
{START[1:]} X
f5 f5
{START}
"""
    entries = list(positions_in(text))
    assert [entry.index for entry in entries] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [entry.line for entry in entries] == [2, 4, 5, 6, 7, 8, 9, 10]
    assert [entry.position for entry in entries[:3]] == [Position(), OPENING, Position()]
    assert entries[1].comment == "after three moves"
    assert entries[2].annotated == ((Square("f5"), 0), (Square("d3"), -2))
    assert entries[2].comment == "annotated"
    assert entries[2].best == 0
    assert entries[1].best is None
    assert entries[3].position == Position().with_to_move(Color.WHITE).play("f4")
    errors = [str(entry.error) for entry in entries[4:]]
    assert errors[0] == "'rubbish' is neither a board, nor a line of OBF, nor a transcript"
    assert errors[1] == "63 cells where the 8x8 board has 64"
    assert errors[2].startswith("ply 2 (White): f5 is not allowed: ")
    assert "--to-move" in errors[3]
    assert isinstance(entries[7].error, SideToMoveError)
    assert [entry.text for entry in entries[4:]] == ["rubbish", f"{START[1:]} X", "f5 f5", START]


def test_nothing_in_nothing() -> None:
    assert list(positions_in("")) == []
    assert list(positions_in("\n \n% comment\n")) == []


@pytest.mark.parametrize(
    "text",
    [
        f"{ROWS}\nX",
        f"{ROWS} X".replace("\n", "\r\n"),
        ROWS.replace("\n", "\n\n") + "\n\nBlack to move\n",
        f"% comment\n{format_diagram(Position())}\nX to move",
        f"{START}\nX",
    ],
)
def test_one_board_on_many_lines(text: str) -> None:
    assert only(text).position == Position()


def test_many_boards_on_many_lines() -> None:
    entries = list(positions_in(f"{ROWS}\nX\n\n{ROWS}\nO --\n\n\n{ROWS[9:]}\n\nf5\n{ROWS}\nX"))
    assert [entry.line for entry in entries] == [1, 11, 22, 30, 31]
    assert boards("\n\n".join(entry.text for entry in entries)) == [
        f"{START} X",
        f"{START} O",
        "BoardError",
        format_board(Position().play("f5")),
        f"{START} X",
    ]
    assert "56 cells where the 8x8 board has 64" in str(entries[2].error)


def test_lines_of_small_boards_are_not_rows_of_one_large_board() -> None:
    line = "-----OX--XO-----"
    assert boards(f"{line}\n" * 4) == ["BoardError"] * 4
    assert boards(f"{line} X\n" * 4, parse_rules("othello,board=4x4")) == [f"{line} X"] * 4


@pytest.mark.parametrize(
    "text",
    [
        "f5 d6\nc3",
        "f5\nd6\nc3\n",
        "1. f5 d6\n2. c3",
        "1. f5\n\n2. d6\n3. c3",
        "f5d6\r\nc3",
        f"{format_board(Position().play('f5'))};\nd6 c3",
    ],
)
def test_one_transcript_over_several_lines(text: str) -> None:
    assert only(text).position == OPENING


def test_each_line_a_transcript() -> None:
    assert boards("f5d6c3\nf5f6") == [format_board(OPENING), format_board(Position().play("f5").play("f6"))]
    assert boards("f5d6\nd6f5\nf5d6c3") == [
        format_board(Position().play("f5").play("d6")),
        "IllegalMoveError",
        format_board(OPENING),
    ]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("f5\nd6\nx9", InvalidMoveError, "ply 3: 'x9'"),
        ("f5\nd6\ne4\nf4", IllegalMoveError, "ply 3 (Black): e4"),
        ("1. f5 d6\n2. c3 e4", IllegalMoveError, "ply 4 (White): e4"),
        ("1. f5 f5\n2. c3 e4", IllegalMoveError, "ply 2 (White): f5"),
    ],
)
def test_a_wrong_move_in_one_of_several_lines(text: str, error: type, message: str) -> None:
    entry = only(text)
    assert isinstance(entry.error, error)
    assert str(entry.error).startswith(message)
    assert (entry.index, entry.line, entry.text) == (1, 1, text)


def test_the_side_to_move_given_apart() -> None:
    assert only(START, to_move=Color.WHITE).position == Position().with_to_move(Color.WHITE)
    assert only(ROWS, to_move=Color.WHITE).position == Position().with_to_move(Color.WHITE)
    assert isinstance(only(ROWS).error, SideToMoveError)
    assert isinstance(only(f"{START} X", to_move=Color.WHITE).error, SideToMoveError)


def test_a_huge_line_of_rubbish_is_one_error_soon() -> None:
    text = "ab1" * 3_000_000 + "\nf5d6c3\n"
    tracemalloc.start()
    began = time.perf_counter()
    entries = list(positions_in(text))
    seconds, peak = time.perf_counter() - began, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [entry.position for entry in entries] == [None, OPENING]
    assert str(entries[0].error) == "the line has 9000000 characters; the limit is 65536"
    assert peak < 2_000_000
    assert seconds < SOON_S


@pytest.mark.parametrize("unit", ["f5", "--", "-", "X ", "| ", "1.", "pa", "@", "+-", "a b c d", "X;", "f5-"])
def test_long_lines_of_anything_are_refused_soon(unit: str) -> None:
    line = (unit * 65_536)[:65_000]
    began = time.perf_counter()
    entry = next(positions_in(f"{line}\n{line}\n{line}"))
    assert isinstance(entry.error, ReversiError)
    assert len(str(entry.error)) < 400
    assert time.perf_counter() - began < SOON_S


@given(
    st.lists(positions(st.just(Rules()), 60), min_size=1, max_size=6), st.sampled_from(["board", "obf", "diagram"])
)
def test_a_list_of_positions_is_read_as_written(found: list[Position], form: str) -> None:
    if form == "diagram":
        text = "\n\n".join(f"{format_diagram(position)}\n{position.to_move} to move" for position in found)
    elif form == "obf":
        text = "\n".join(format_obf(ObfEntry(position)) for position in found)
    else:
        text = "\n".join(map(format_board, found))
    entries = list(positions_in(text))
    assert [entry.position for entry in entries] == found
    assert [entry.index for entry in entries] == list(range(1, len(found) + 1))


PIECES = [
    "f5",
    "d6",
    "c3",
    "--",
    " ",
    "\n",
    "\n\n",
    "\r",
    "%",
    ";",
    ":+2",
    "X",
    "O",
    "1.",
    "2.",
    "a b c d e f g h",
    "rubbish",
]
PIECES += [START, START[:8], START[:16], "\n".join([START[24:32]] * 8), "+---+", "|", "8", "-127", "Black to move"]


@given(
    st.one_of(st.lists(st.sampled_from(PIECES), max_size=25).map("".join), st.text(max_size=80)),
    st.sampled_from([None, "othello,board=4x4", "adjacent,optional-skip", "adjacent,optional-skip,no-moves"]),
    st.sampled_from([None, *Color]),
)
def test_any_text_gives_positions_or_errors_in_order(text: str, rules: str | None, to_move: Color | None) -> None:
    text_kind(text)
    previous = 0
    entries = positions_in(text, parse_rules(rules) if rules else None, to_move)
    refused = "contains no game"
    try:
        first = next(entries, None)
    except RecordError as error:  # a form of games, without a game
        refused = str(error)
        first = None
    assert re.search("contains no game|a header and no games", refused)
    for number, entry in enumerate(() if first is None else chain((first,), entries), 1):
        assert entry.index == number
        assert entry.line > previous
        previous = entry.line
        assert (entry.position is None) == (entry.error is not None)
        if entry.error is not None:
            assert isinstance(entry.error, (InputError, IllegalMoveError))
            assert "\n" not in str(entry.error)
            assert "--to-move" in str(entry.error) or not isinstance(entry.error, SideToMoveError) or to_move


def test_the_suites_are_read_as_obf(suites: Path) -> None:
    for path in sorted(suites.glob("*.obf")):
        text = path.read_text()
        assert text_kind(text) is TextKind.OBF
        entries = list(positions_in(text))
        lines = text.split("\n")
        for entry in entries:
            assert entry.position is not None, f"{path.name}:{entry.line}: {entry.error}"
            assert lines[entry.line - 1].startswith(entry.position.cells)
            assert entry.best == entry.annotated[0][1]
        assert len(entries) == sum(1 for line in lines if line.strip())
