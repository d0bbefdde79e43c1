"""Transcripts: spellings, separators, passes written and inferred, errors, round trips."""

import random

import pytest
from hypothesis import given, strategies as st

from reversi import (
    OTHELLO,
    PASS,
    Color,
    IllegalMoveError,
    InputError,
    InvalidMoveError,
    Move,
    Position,
    ReversiError,
    Rules,
    Square,
    parse_rules,
)
from reversi.errors import SideToMoveError
from reversi.text.boards import format_board
from reversi.text.transcripts import (
    TranscriptToken,
    format_transcript,
    parse_transcript,
    read_transcript,
    tokenize_transcript,
)
from rule_sets import rules as rule_sets

START = "---------------------------OX------XO---------------------------"
OPENING = [Square("f5"), Square("d6"), Square("c3")]
SKIP = parse_rules("othello,optional-skip")


def game(rules: Rules, seed: int, plies: int) -> tuple[Position, list[Move]]:
    chance = random.Random(seed)
    position, moves = Position(rules), list[Move]()
    while len(moves) < plies and position.legal_moves:
        moves.append(chance.choice(list(position.legal_moves)))
        position = position.play(moves[-1])
    return position, moves


def game_with_pass(after: int) -> list[Move]:
    """An ordinary game with a forced pass and at least ``after`` plies behind it."""
    for seed in range(1000):
        _, moves = game(OTHELLO, seed, 130)
        if PASS in moves and moves.index(PASS) + after < len(moves):
            return moves
    raise AssertionError("no such game")


@pytest.mark.parametrize(
    "text",
    [
        "f5d6c3",
        "F5D6C3",
        "F5d6C3",
        "f5 d6 c3",
        " f5\td6\r\nc3\n",
        "f5-d6-c3",
        "f5 - d6 - c3",
        "f5,d6,c3",
        "f5, d6; c3;",
        "1. f5 d6 2. c3",
        "1.f5 d6 2.c3",
        "1. f5 1... d6 2. c3",
        "1) f5 2) d6 3) c3",
        "1.f52.d63.c3",
        "f5|d6|c3",
        "f5\xa0d6\xa0c3",
    ],
)
def test_spellings_and_separators(text: str) -> None:
    assert parse_transcript(text, Position()) == OPENING


@pytest.mark.parametrize("word", ["--", "PA", "pa", "ps", "PS", "pp", "PP", "pass", "Pass", "PASS", "@@", "@@@@"])
@pytest.mark.parametrize("form", ["{}f4", "{} f4", "{},f4", "1. {} f4", "{}\nF4", " {} f4 "])
def test_spellings_of_a_pass(word: str, form: str) -> None:
    assert parse_transcript(form.format(word), Position(SKIP)) == [PASS, Square("f4")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("f5--d6", "f5 -- d6"),
        ("f5 -- d6", "f5 -- d6"),
        ("f5----d6", "f5 -- -- d6"),
        ("f5-d6----c3", "f5 d6 -- c3"),
        ("f5-d6-------c3", "f5 d6 -- -- c3"),
        ("f5-d6---", "f5 d6 --"),
        ("f5-d6 -- c3", "f5 d6 -- c3"),
        ("f5-d6--c3", "f5 d6 -- c3"),
        ("f5-d6-pass-c3", "f5 d6 pass c3"),
        ("--f5", "-- f5"),
        ("f5---d6", "f5 ?--- d6"),
        ("f5-d6---c3", "f5 d6 ?--- c3"),
        ("passpassPA@@@@@@", "pass pass PA @@@@ @@"),
        ("paa3", "pa a3"),
        ("parallel", "?parallel"),
        ("pasta f5", "?pasta f5"),
        ("d9e5", "?d9 e5"),
        ("f5 37-27", "f5 ?37 ?27"),
        ("1234. f5", "?1234. f5"),
        ("f5\u2013d6", "f5 ?\u2013d6"),
        ("\u212af5", "?\u212af5"),
        ("", ""),
    ],
)
def test_tokens(text: str, words: str) -> None:
    tokens = tokenize_transcript(text)
    assert [("" if token.move else "?") + token.text for token in tokens] == words.split()


def test_tokens_know_their_place() -> None:
    assert list(tokenize_transcript("1. f5 d6\r\n 2. x9--")) == [
        TranscriptToken("f5", Square("f5"), 1, 4),
        TranscriptToken("d6", Square("d6"), 1, 7),
        TranscriptToken("x9", None, 2, 5),
        TranscriptToken("--", PASS, 2, 7),
    ]


def test_a_forced_pass_is_inferred_when_none_is_written() -> None:
    moves = game_with_pass(after=2)
    text = format_transcript(moves, passes=False)
    assert "--" not in text
    while moves[-1] is PASS:
        moves.pop()
    assert parse_transcript(text, Position()) == moves


def test_a_forced_pass_left_out_is_an_error_when_another_is_written() -> None:
    for seed in range(1000):
        _, moves = game(OTHELLO, seed, 130)
        if moves.count(PASS) >= 2:
            break
    first = moves.index(PASS)
    missing = moves[:first] + moves[first + 1 :]
    with pytest.raises(IllegalMoveError, match=rf"^ply {first + 1} .*; legal: --$"):
        parse_transcript(format_transcript(missing), Position())


@pytest.mark.parametrize(
    ("text", "rules", "error", "message"),
    [
        ("f5 i9", "othello", InvalidMoveError, "^ply 2: 'i9' is not a move$"),
        ("f5 hello", "othello", InvalidMoveError, "^ply 2: 'hello' is not a move$"),
        (
            "f5f5",
            "othello",
            IllegalMoveError,
            r"^ply 2 \(White\): f5 .* is occupied; legal: f4 d6 f6$",
        ),
        ("A1", "othello", IllegalMoveError, r"^ply 1 \(Black\): a1 .*: flips nothing; legal: d3 c4 f5 e6$"),
        ("f5 --", "othello", IllegalMoveError, r"^ply 2 \(White\): -- is not allowed"),
        ("f4", "othello,optional-skip", IllegalMoveError, r"^ply 1 \(Black\): f4"),  # a skip is never inferred
        ("h8", "othello,board=4x4", IllegalMoveError, r"^ply 1 \(Black\): h8 .* outside the 4x4 board"),
        ("f5" * 3000, "othello", InputError, "6000 characters"),
    ],
)
def test_errors_name_the_ply_and_the_text(text: str, rules: str, error: type, message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        parse_transcript(text, Position(parse_rules(rules)))
    if isinstance(caught.value, (InvalidMoveError, IllegalMoveError)):
        assert caught.value.text in text


def test_a_pass_is_not_inferred_after_the_last_move() -> None:
    moves = game_with_pass(after=2)
    before = moves[: moves.index(PASS)]
    assert parse_transcript(format_transcript(before), Position()) == before


def test_a_move_after_the_end() -> None:
    end, moves = game(OTHELLO, 7, 130)
    assert end.is_over
    with pytest.raises(IllegalMoveError, match=f"ply {len(moves) + 1} .*the game is over; legal: none"):
        parse_transcript(format_transcript(moves) + "a1", Position())


def test_another_start_is_written_before_the_moves() -> None:
    start = Position().play("f5")
    transcript = read_transcript(f"{format_board(start)};d6c3")
    assert transcript.start == start
    assert transcript.moves == (Square("d6"), Square("c3"))
    assert transcript.end == Position().play("f5").play("d6").play("c3")
    assert read_transcript("f5d6").start == Position()
    assert read_transcript("").moves == ()


def test_the_moves_prove_the_side_of_a_start() -> None:
    assert read_transcript(f"{START}; f5 d6").start.to_move is Color.BLACK
    assert read_transcript(f"{START}; f4 f3").start.to_move is Color.WHITE
    with pytest.raises(SideToMoveError, match="--to-move"):
        read_transcript(f"{START};")
    with pytest.raises(SideToMoveError):
        read_transcript(f"{START}; a1")
    assert read_transcript(f"{START};", to_move=Color.WHITE).start.to_move is Color.WHITE
    with pytest.raises(IllegalMoveError, match=r"ply 1 \(White\): f5"):
        read_transcript(f"{START}; f5", to_move=Color.WHITE)
    with pytest.raises(InvalidMoveError, match="ply 2: 'xyz'"):
        read_transcript(f"{START}; f5 xyz")


def test_a_side_that_contradicts_the_moves_is_refused() -> None:
    assert read_transcript("f5", to_move=Color.WHITE).end.to_move is Color.WHITE
    with pytest.raises(SideToMoveError, match="after these moves White is to move, not Black"):
        read_transcript("f5", to_move=Color.BLACK)


def test_format() -> None:
    assert format_transcript([]) == ""
    assert format_transcript([Square("f5"), PASS, Square("d6")]) == "f5--d6"
    assert format_transcript([Square("f5"), PASS, Square("d6")], passes=False) == "f5d6"


@given(rule_sets(), st.integers(0, 2**32 - 1), st.integers(0, 130))
def test_round_trip(rules: Rules, seed: int, plies: int) -> None:
    end, moves = game(rules, seed, plies)
    assert parse_transcript(format_transcript(moves), Position(rules)) == moves
    assert read_transcript(format_transcript(moves), rules).end == end


@given(st.integers(0, 2**32 - 1), st.data())
def test_any_writing_of_a_game_is_read(seed: int, data: st.DataObject) -> None:
    _, moves = game(OTHELLO, seed, 130)
    gap = data.draw(st.sampled_from(["", " ", ", ", "\n", "-"]))
    passes = st.sampled_from(["pass", "PA", "ps", "Pp", "@@"] + ["--"] * (gap != "-"))
    numbered = data.draw(st.booleans()) and gap == " "
    words: list[str] = []
    for ply, move in enumerate(moves):
        word = data.draw(passes) if move.is_pass else str(move)
        word = word.upper() if data.draw(st.booleans()) else word
        words.append(f"{ply // 2 + 1}. {word}" if numbered and ply % 2 == 0 else word)
    assert parse_transcript(gap.join(words), Position()) == moves


@given(st.integers(0, 2**32 - 1), st.integers(1, 130))
def test_passes_left_out_are_put_in(seed: int, plies: int) -> None:
    _, moves = game(OTHELLO, seed, plies)
    while moves and moves[-1] is PASS:
        moves.pop()
    assert parse_transcript(format_transcript(moves, passes=False), Position()) == moves


words = st.lists(
    st.sampled_from(
        ["f5", "d6", "C3", "--", "-", "pass", "pa", "@@", "@", "1.", "1)", " ", "\n", "x", "9", ";", START]
    ),
    max_size=30,
).map("".join)


@given(st.one_of(st.text(max_size=60), words), rule_sets())
def test_any_text_is_a_transcript_or_an_error(text: str, rules: Rules) -> None:
    start = Position(rules)
    position, message = start, ""
    try:
        for move in parse_transcript(text, start):
            position = position.play(move)
    except ReversiError as error:
        message = str(error)
    assert "\n" not in message


@given(st.one_of(st.text(max_size=60), words), rule_sets())
def test_any_text_is_a_game_or_an_error(text: str, rules: Rules) -> None:
    message = ""
    try:
        transcript = read_transcript(text, rules)
        assert transcript.start.rules == transcript.end.rules == rules
    except ReversiError as error:
        message = str(error)
    assert "\n" not in message


@given(st.one_of(st.text(max_size=60), words))
def test_tokens_leave_nothing_out_but_separators_and_numbers(text: str) -> None:
    lines = text.split("\n")
    for token in tokenize_transcript(text):
        assert lines[token.line - 1][token.column - 1 :].startswith(token.text)
    kept = "".join(token.text for token in tokenize_transcript(text))
    assert not (set(text) - set(kept)) - set(" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\xa0,;|-.)0123456789")
