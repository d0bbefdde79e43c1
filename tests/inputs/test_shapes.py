"""What people paste, in many shapes, and what each says."""

from __future__ import annotations

import json
import re

import pytest

from reversi import Position, parse_rules
from reversi.errors import InputError
from reversi.inputs import read_position
from reversi.inputs.input import Input, positions_in
from reversi.inputs.place import Place
from reversi.inputs.shapes import known_shape
from reversi.text.boards import format_board

B = "------------------X--------XX------OXX-----O--------------------"  # after f5d6c3
ROWS = [B[at : at + 8] for at in range(0, 64, 8)]
GRID = ["--------", "--------", "--3-----", "---OX---", "---XO1--", "---2----", "--------", "--------"]
GAME = Position().play("f5").play("d6").play("c3")
START = f"{'-' * 27}O*{'-' * 6}*O{'-' * 27}"
SHEET = "\n".join(" ".join(row) for row in GRID)


def drawn(black: str, white: str, empty: str, between: str = "") -> str:
    return "\n".join(between.join(row.translate(str.maketrans("XO-", black + white + empty))) for row in ROWS)


def own_json(**others: object) -> str:
    return json.dumps({"board": B, "to_move": "O", "after_pass": False, "rules": "othello", **others})


@pytest.mark.parametrize(
    "text",
    [
        "f5d6c3",
        "F5D6C3",
        "f5 d6 c3",
        "f5-d6-c3",
        "f5, d6, c3",
        "f5;d6;c3",
        "1. f5 d6 2. c3",
        "1.f5 d6 2.c3",
        "1. f5 2. d6 3. c3",
        "1) f5 d6 2) c3",
        "1 f5 d6\n2 c3\n",
        "f5\nd6\nc3\n",
        "Ｆ５Ｄ６Ｃ３",
        "Ｆ５ Ｄ６ Ｃ３",
        "・f5\n・d6\n・c3",
        "・f5 ・d6 ・c3",
        "• f5\n• d6\n• c3",
        "> f5 d6 c3",
        "* f5\n* d6\n* c3",
        "f5 → d6 → c3",
        "f5 -> d6 -> c3",
        "f5 => d6 => c3",
        '"f5d6c3"',
        "“f5d6c3”",
        "'f5 d6 c3'",
        "`f5d6c3`",
        "「f5d6c3」",
        "Black: Ann\nWhite: Bob\nf5 d6 c3",
        "Date: 2024.05.01\n\n1. f5 d6 2. c3",
        "f5d6c3 40-24",
        "f5d6c3 (40:24)",
        "f5d6c3 % a comment",
        "% a comment\nf5d6c3",
        '[Black "Ann"]\n\n1. f5 d6 2. c3 *\n',
        "(;GM[Othello]BO[8 " + START + " *]B[f5]W[d6]B[c3];)",
        "(;FF[4]GM[2]SZ[8];B[f5];W[d6];B[c3])",
        '{"position":{"startPos":"f5d6","moves":[{"m":"c3"}]}}',
        SHEET,
        "  a b c d e f g h\n" + "\n".join(f"{at} {line}" for at, line in enumerate(SHEET.splitlines(), 1)),
        "  a b c d e f g h\n"
        + "\n".join(f"{at} {line}" for at, line in enumerate(SHEET.splitlines(), 1))
        + "\nWhite to move\n% Last move: c3\n% Moves: f5d6c3\n",
        f"{B} O",
        f"{B} O;",
        f"{B.lower()} w",
        drawn("X", "O", ".") + "\nO",
        drawn("*", "O", "-") + "\nWhite to move",
        drawn("X", "O", "-", " ") + "\nWhite to move. Discs: Black 5, White 2.",
        drawn("B", "W", ".", " ") + "\nwhite",
        drawn("●", "○", "・") + "\nWhite to move",
        drawn("●", "○", "-", " ") + "\nWhite to move",
        drawn("黒", "白", "・") + "\nwhite",
        drawn("Ｘ", "Ｏ", "－") + "\nwhite",
        drawn("1", "2", "0").replace("\n", "") + " 2",
        "[8 " + " ".join(row.replace("X", "*") for row in ROWS) + " O]",
        "8/8/2P5/3PP3/3pPP2/3p4/8/8[PPPPpppp] b - - 0 3",
        f"{'-' * 27}OX{'-' * 6}XO{'-' * 27} X f5d6c3",
        f"{'-' * 27}OX{'-' * 6}XO{'-' * 27} X; f5d6c3",
        own_json(),
        own_json(index=1, legal_moves=["d3", "f3", "f4", "g5"], over=False, discs="5-2", black=5, white=2),
        own_json(score=2, kind="exact", best=["f4"], pv=["f4", "d3"], moves=[{"move": "f4", "score": 2}]),
        "\n".join(["  a b c d e f g h", *(f"{at} {' '.join(row)}" for at, row in enumerate(ROWS, 1))])
        + "\nWhite (O) to move: d3 f3 f4 g5\nDiscs 5-2 (Black-White), 57 empty\n",
    ],
)
def test_a_shape(text: str) -> None:
    entries = list(Input(Place(""), text).positions())
    assert [(entry.error and str(entry.error), entry.position) for entry in entries] == [(None, GAME)]


NUMBERS = [["1" if cell == "X" else "2" if cell == "O" else "0" for cell in row] for row in ROWS]
CELLS = {"-": "--", "O": "()", "X": "##", "1": "01", "2": "02", "3": "03"}
HAMLET = [
    f'<PARAM name="Line{at}" value="{" ".join(CELLS[cell] for cell in row)}">' for at, row in enumerate(GRID, 1)
]


@pytest.mark.parametrize(
    "text",
    [
        "> 1. f5 d6\n> 2. c3\n",
        ">> f5 d6\n>> c3\n",
        "Hi Bob,\n\nhere is my game:\n\n1. f5 d6 2. c3\n\nbye, Ann\n",
        "From: ann@example.org\nSubject: game\nDate: Tue, 12 Mar 2024 10:00:00 +0100\n\nf5d6c3\n",
        "Ann - Bob\nf5d6c3",
        "Ann (Black) vs. Bob (White), 12.03.2024\n1. f5 d6 2. c3",
        "Ann (●) - Bob (○)\n\nf5d6c3",
        "Paris, 12.3.2024\nBlack: Ann\nWhite: Bob\nResult: 40-24\n\nf5 d6 c3",
        "2024-05-01\nf5d6c3",
        "黒番 Ann\n白番 Bob\nf5d6c3",
        "棋譜：f5d6c3",
        "**f5 d6 c3**",
        "f5<br>d6<br>c3",
        "f5&nbsp;d6&nbsp;c3",
        "<pre>f5 d6 c3</pre>",
        "https://example.org/board?moves=f5d6c3",
        "https://example.org/board#f5-d6-c3",
        "http://example.org/?m=F5D6C3&x=1",
        "https://example.org/?kifu=F5+D6+C3",
        "https://example.org/?kifu=F5%20D6%20C3",
        "see https://example.org/?m=f5d6c3 for it",
        "&kifu=f5d6c3&ai=off",
        "BLACK, f5\nWHITE, d6\nBLACK, c3",
        "Black: f5\nWhite: d6\nBlack: c3",
        "B f5\nW d6\nB c3",
        "black f5 white d6 black c3",
        "●f5○d6●c3",
        "▲f5△d6▲c3",
        "黒:f5 白:d6 黒:c3",
        "play black f5\nplay white d6\nplay b c3",
        "F5/0.1/1 D6//2 C3",
        "P@f5 P@d6 P@c3",
        "P@f4 P@d3 P@c6",
        "5f 6d 3c",
        "(f5)(d6)(c3)",
        "['f5', 'd6', 'c3']",
        "+f5-d6+c3",
        "f5 d6! c3?",
        "f5 d6 c3…",
        "f5(+1) d6(-1) c3(+0)",
        "f5 (0:12) d6 (0:30) c3",
        "f5, d6 and c3",
        "f5d6c3 Black wins 40-24",
        "\n".join(HAMLET),
        "8/8/2P5/3PP3/3pPP2/3p4/8/8 b - - 0 3",
        "8/8/3P4/3Ppp2/3pp3/2p5/8/8 w - - 0 1",
    ],
)
def test_a_shape_that_is_a_guess(text: str) -> None:
    given = Input(Place(""), text)
    entries = list(given.positions())
    assert [(entry.error and str(entry.error), entry.position) for entry in entries] == [(None, GAME)]
    (note,) = given.notes
    assert "read as" in note


@pytest.mark.parametrize(
    ("above", "tags"),
    [
        ("Ann - Bob", {"Black": "Ann", "White": "Bob"}),
        ("> Ann van der Berg – O'Neill", {"Black": "Ann van der Berg", "White": "O'Neill"}),
        ("Tastet M. vs. 王伟", {"Black": "Tastet M.", "White": "王伟"}),
        ("Ann (Black) vs. Bob (White), 2024-03-12", {"Black": "Ann", "White": "Bob", "Date": "2024.03.12"}),
        ("Ann (W) - Bob (B)", {"Black": "Bob", "White": "Ann"}),
        ("Ann (●) - Bob (○)", {"Black": "Ann", "White": "Bob"}),
        ("黒番 Ann\n白番：Bob", {"Black": "Ann", "White": "Bob"}),
        (
            "Paris, 28.3.2024\nBlack: Ann\nWhite: Bob\nResult: 40-24",
            {"Black": "Ann", "White": "Bob", "Date": "2024.03.28"},
        ),
        ("Paris, 12.3.2024\nAnn - Bob", {"Black": "Ann", "White": "Bob", "Date": "12.3.2024"}),  # has two readings
        (
            "Hi,\nour game of 2024/05/01:\nEvent: Open, Round: 3\n",
            {"Event": "Open", "Round": "3", "Date": "2024.05.01"},
        ),
        # what says nothing, or could say several things
        (
            "From: ann@example.org\nDate: Tue, 12 Mar 2024 10:00:00 +0100\n\nAnn - Bob",
            {"Black": "Ann", "White": "Bob"},
        ),
        ("Hello - this is it", {}),
        ("Ann - Bob\nBob - Cy", {}),
        ("2024-05-01 or 2024-05-02", {}),
        ("Ann - Bob - Cy", {}),
        ("12:30 - 14:00", {}),
        ("Black wins", {}),
    ],
)
def test_names_and_dates_above_moves_are_tags(above: str, tags: dict[str, str]) -> None:
    given = Input(Place(""), f"{above}\n\n1. f5 d6 2. c3\n\nregards - Ann\n")
    (entry,) = given.entries()
    known = {name: value for name, value in entry.record.tags.pairs if value not in ("?", "????.??.??")}
    assert known == tags
    (note,) = given.notes
    assert note == "; ".join(
        [
            "moves among other words: read as f5 d6 c3",
            *(f"{name} {tags[name]}" for name in sorted(tags, key=note.index)),
        ]
    )
    assert [entry.position for entry in Input(Place(""), f"{above}\n\n1. f5 d6 2. c3\nregards").positions()] == [
        GAME
    ]


def test_long_words_above_moves_cost_no_more() -> None:
    for word in ("A" * 900, "A-" * 450, "A " * 450, "A (" * 300):
        known_shape(f"{word} - {word}\nf5d6c3\nregards")


@pytest.mark.parametrize(
    "text",
    [
        "```\nf5d6c3\n```",
        "\n".join(map("".join, NUMBERS)) + "\n2",
        "\n".join(" ".join(row).replace("2", "-1") for row in NUMBERS) + "\nwhite",
        "[[" + "]\n [".join(" ".join(row) for row in NUMBERS) + "]]\nO",
        "[[" + "],[".join(",".join(row) for row in NUMBERS) + "]] 2",
        drawn("⚫", "⚪", "🟩") + "\nwhite to move",
        drawn("●", "○", "・") + "\n白番",
        "白番\n" + drawn("●", "○", "・"),
    ],
)
def test_boards_of_other_programs(text: str) -> None:
    assert [entry.position for entry in positions_in(text)] == [GAME]


@pytest.mark.parametrize(
    "text",
    [
        "f5 d6 c9",
        "f5 d6 c",
        "1. f5 d6 2. x3",
        "f5 d6 c3 d3d3",
        "black d6 white f5",
        "lorem ipsum",
        "f5d6c3.pgn",
        "games-f5d6c3.txt#2",
        '{"best": "f5", "line": ["f5", "d6", "c3"]}',
        "+4 exact, Black wins: f5 d6 c3",
        "Ann\nf5d6c3\nBob\nf5f6e6\n",
    ],
)
def test_words_that_are_no_game(text: str) -> None:
    assert not known_shape(text).note


def test_fen_that_may_be_either() -> None:
    text = "PPPPPPPP/8/8/3pP3/3Pp3/8/8/8 w - - 0 1"
    with pytest.raises(InputError, match="does not say who is Black") as caught:
        read_position(text)
    one, other = (read_position(board) for board in re.findall("'([^']*)'", str(caught.value)))
    assert {one.count.discs, other.count.discs} == {"2-10", "10-2"}
    assert read_position(text.replace(" w", "[PPpp] w")) == other
    assert read_position("8/8/8/3pP3/3Pp3/8/8/8[PPpp] w - - 0 1") == Position()
    with pytest.raises(InputError, match="does not say who is Black"):
        read_position("8/8/8/3pP3/3Pp3/8/8/8[PPpp] b - - 0 1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SHEET.replace("2", "7"), "a grid of move numbers without the number 2"),
        ("BLACK, f5\nBLACK, d6", "is neither a board"),
        ("https://example.org/", "write moves as f5d6c3, or a board"),
        ("hello", "write moves as f5d6c3, or a board"),
        (
            own_json(rules="adjacent"),
            "a position of adjacent, not of othello,optional-skip; give --rules adjacent",
        ),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_position(text, parse_rules("othello,optional-skip"))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (SHEET, "a grid: read as the moves f5 d6 c3"),
    ],
)
def test_a_guess_is_said(text: str, note: str) -> None:
    given = Input(Place(""), text)
    list(given.positions())
    assert given.notes == [note]


def test_moves_beside_a_board_of_one_line_are_wrong_lines() -> None:
    given = Input(Place("x"), f"Position 1 (line 1)\n{B} O\n1. Black: f5\n")
    position, move = given.positions()
    assert position.position == GAME
    assert str(move.error).startswith("'1. Black: f5' is neither a board")


def test_own_positions_keep_their_rules_and_passes() -> None:
    rules = parse_rules("adjacent,optional-skip")
    position = Position(rules).play("--")
    text = own_json(board=position.cells, to_move=position.to_move.symbol, after_pass=True, rules=str(rules))
    (entry,) = positions_in(text)
    assert (entry.position, format_board(position)[-2:]) == (position, "--")
