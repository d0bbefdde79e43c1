"""Boards as text: alphabets, layouts, counts, the side to move, round trips."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from reversi import Color, InputError, Position, Rules, Square, State, parse_rules
from reversi.errors import BoardError, SideToMoveError
from reversi.rules import BoardSize
from reversi.text.board_drawing import format_diagram, is_diagram_line
from reversi.text.boards import format_board, parse_board, read_board, read_board_line
from reversi.text.cells import read_turn
from rule_sets import SIZES, endgames, positions

START = "---------------------------OX------XO---------------------------"
SMALL = parse_rules("othello,board=4x4")
SKIP = parse_rules("adjacent,optional-skip")


def rows_of(cells: str, columns: int = 8) -> list[str]:
    return [cells[at : at + columns] for at in range(0, len(cells), columns)]


@pytest.mark.parametrize("black", "Xx*bB")
@pytest.mark.parametrize("white", "OowW")
@pytest.mark.parametrize("empty", "-.")
def test_every_alphabet(black: str, white: str, empty: str) -> None:
    cells = START.replace("X", black).replace("O", white).replace("-", empty)
    assert parse_board(f"{cells} {black}") == Position()
    assert parse_board(f"{cells} {white}") == Position().with_to_move(Color.WHITE)


@pytest.mark.parametrize(
    "text",
    [
        START + "X",
        f"  {START}   X  ",
        f"{START} X;",
        f"{START} black",
        f"{START} Black to move",
        f"{START} side to move: X",
        " ".join(rows_of(START)) + " X",
        "/".join(rows_of(START)) + " b",
        "|".join(rows_of(START)) + "| X",
        " ".join(START) + " X",
        "|" + "|".join(START) + "| X",
        f"{START}\nX",
        "\n".join(rows_of(START)) + "\nX",
        "\r\n".join(rows_of(START)) + " X\r\n",
        "X to move\n\n" + "\n\n".join(" ".join(row) for row in rows_of(START)),
        "\n".join(f"{n}|{'|'.join(row)}|{n}" for n, row in enumerate(rows_of(START), 1)) + "\nto move: X",
    ],
)
def test_layouts(text: str) -> None:
    assert parse_board(text) == Position()


EDAX = """\
  A B C D E F G H
1 - - - - - - - - 1
2 - - - - - - - - 2 * to move
3 - - - . - - - - 3
4 - - . O * - - - 4 *: discs =  2    moves =  4
5 - - - * O . - - 5 O: discs =  2    moves =  4
6 - - - - . - - - 6   empties = 60      ply =  1
7 - - - - - - - - 7
8 - - - - - - - - 8
  A B C D E F G H
"""

FRAMED = """\
    a   b   c   d
  +---+---+---+---+
1 |   | X |   |   |
  +---+---+---+---+
2 |   | O | X |   |
  +---+---+---+---+
3 |   | X | O |   |
  +---+---+---+---+
4 |   |   |   |   |
  +---+---+---+---+
White's turn
"""

BOXED = """\
┌─┬─┬─┬─┐
│-│X│-│-│
├─┼─┼─┼─┤
│-│O│X│-│
├─┼─┼─┼─┤
│-│X│O│-│
├─┼─┼─┼─┤
│-│-│-│-│
└─┴─┴─┴─┘
O --
"""


def test_a_board_as_edax_prints_it() -> None:
    assert parse_board(EDAX) == Position()


@pytest.mark.parametrize("text", [FRAMED, BOXED])
def test_a_board_in_a_frame(text: str) -> None:
    assert format_board(parse_board(text, SMALL)) == "-X---OX--XO----- O"


def test_coordinate_letters_are_not_cells() -> None:
    # b is a black disc elsewhere
    position = parse_board("abcd\n" + "\n".join(rows_of("-----OX--XO-----", 4)) + "\nABCD\nB", SMALL)
    assert position == Position(SMALL)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_bits_of_every_board_size(size: BoardSize) -> None:
    rules = Rules(board=size)
    for square in (0, 8 * (size.rows - 1) + size.columns - 1, size.columns - 1, 8 * (size.rows - 1)):
        cells = ["-"] * size.cells
        cells[square // 8 * size.columns + square % 8] = "X"
        assert parse_board("".join(cells) + " X", rules).black == 1 << square


@pytest.mark.parametrize("count", [2, 15, 17, 60, 62, 63, 66, 128])
def test_a_wrong_count_is_refused_with_both_numbers(count: int) -> None:
    with pytest.raises(BoardError, match=rf"^{count} cells where the 8x8 board has 64$"):
        parse_board("-" * count + " X")


@pytest.mark.parametrize(
    ("count", "boards"),
    [(16, ["4x4"]), (24, ["4x6", "6x4"]), (32, ["4x8", "8x4"]), (36, ["6x6"]), (48, ["6x8", "8x6"])],
)
@pytest.mark.parametrize("side", ["", " X", "X"])
def test_a_count_that_fits_another_board_names_it(count: int, boards: list[str], side: str) -> None:
    with pytest.raises(BoardError) as caught:
        parse_board("-" * (count - 1) + "O" + side, parse_rules("misere"))
    assert f"{count} cells where the 8x8 board has 64" in str(caught.value)
    assert [f"--rules othello,board={board},misere" in str(caught.value) for board in boards] == [True] * len(
        boards
    )


@pytest.mark.parametrize("gap", ["\n", " "])
@pytest.mark.parametrize("lines", [7, 9])
def test_a_row_too_few_or_too_many(lines: int, gap: str) -> None:
    with pytest.raises(BoardError, match=f"{8 * lines} cells where the 8x8 board has 64"):
        parse_board(gap.join(["-" * 8] * lines))


def test_rows_show_which_board_it_is() -> None:
    with pytest.raises(BoardError, match=r"24 cells.*board=4x6") as caught:
        parse_board("\n".join(["-" * 6] * 4))
    assert "board=6x4" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text is empty; give a board"),
        (START.replace("O", "0") + " X", r"column 28: '0' is not a cell \(a zero is not the letter O\)"),
        (START[:-1] + "\u2028" + " X", "63 cells where"),
        (START[:-1] + "\xe9 X", r"column 64: '\\xe9' is not a cell"),
        (f"{START} Z", "'Z' after the 64 cells is not a side to move"),
        (f"{START} X X", "'X X' after the 64 cells"),
        (f"{START} --", "'--' after the 64 cells"),
        (f"{START} X ended", "two passes do not end a game under othello"),
        ("\n".join([*rows_of(START)[:7], "hello"]), "'hello' is not a row"),
        ("\n".join([*rows_of(START), "X", "O"]), "stated more than once"),
        ("\n".join(["-" * 7, "-" * 9] * 4), "rows of 7, 9, 7, 9, 7, 9, 7, 9 cells"),
        ("\n".join(f"{8 - n} {row}" for n, row in enumerate(rows_of(START))), "row 8 where row 1 should be"),
        ("X" * 5000, "the board has 5000 characters"),
    ],
)
def test_what_is_no_board_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_board(text)


@pytest.mark.parametrize(
    ("text", "rules", "state"),
    [
        (f"{START} O --", "adjacent,optional-skip", State.AFTER_PASS),
        (f"{START} O", "adjacent,optional-skip", State.FRESH),
        (f"{START} O ended", "adjacent,optional-skip,no-moves", State.ENDED),
        (f"{START} O --", "othello", State.FRESH),
        ("X" * 64 + " O ended", "othello", State.FRESH),  # over anyway
    ],
)
def test_states(text: str, rules: str, state: State) -> None:
    assert parse_board(text, parse_rules(rules)).state is state


@pytest.mark.parametrize(
    ("text", "given_side", "side"),
    [
        (START, Color.WHITE, Color.WHITE),
        (f"{START} X", Color.BLACK, Color.BLACK),
        ("XO" + "-" * 62, None, Color.BLACK),  # it alone has a placement
        ("OX" + "-" * 62, None, Color.WHITE),
    ],
)
def test_a_side_that_is_given_or_proved(text: str, given_side: Color | None, side: Color) -> None:
    assert parse_board(text, to_move=given_side).to_move is side


@pytest.mark.parametrize(
    ("cells", "rules"),
    [
        *((cells, "othello") for cells in (START, "-" * 64, "X" * 64, START.replace("X", "O"))),
        (Position().play("f5").cells, "othello"),  # 4-1, so White, were there no passes
        ("XO" + "-" * 62, "othello,optional-skip"),
    ],
)
def test_a_side_that_nothing_proves_is_refused(cells: str, rules: str) -> None:
    with pytest.raises(SideToMoveError, match="--to-move"):
        parse_board(cells, parse_rules(rules))


def test_a_side_that_contradicts_the_text_is_refused() -> None:
    with pytest.raises(
        SideToMoveError, match=r"the text says that Black is to move, to_move \(--to-move\) says White"
    ):
        parse_board(f"{START} X", to_move=Color.WHITE)


def test_annotated_moves_prove_the_side_they_are_legal_for() -> None:
    board = read_board(START)
    assert board.position(annotated=[Square("f5"), Square("d3")]).to_move is Color.BLACK
    assert board.position(annotated=[Square("f4")]).to_move is Color.WHITE
    for unproving in ([Square("f5"), Square("f4")], [Square("a1")], []):
        with pytest.raises(SideToMoveError):
            board.position(annotated=unproving)


@pytest.mark.parametrize(
    ("text", "side"),
    [("X", "X"), ("*", "X"), ("b", "X"), ("WHITE", "O"), ("Black (X) to move", "X"), ("to play: o", "O")],
)
def test_words_for_the_side_to_move(text: str, side: str) -> None:
    turn = read_turn(text)
    assert turn is not None
    assert turn.to_move.symbol == side


@pytest.mark.parametrize("text", ["", "0", "XO", "Blackish", "to move", "-- X", "X" * 200])
def test_what_is_no_side_to_move(text: str) -> None:
    assert read_turn(text) is None


def test_format_board() -> None:
    assert format_board(Position()) == f"{START} X"
    assert format_board(Position(SKIP).play("--")) == f"{START} O --"
    assert Position().cells == START


def test_format_diagram_marks_moves() -> None:
    position = Position(SMALL)
    assert format_diagram(position, position.legal_moves) == "\n".join(
        ["  a b c d", "1 - . - -", "2 . O X -", "3 - X O .", "4 - - . -"]
    )
    assert "." not in format_diagram(position)


@given(st.one_of(positions(), endgames()))
def test_one_line_round_trip(position: Position) -> None:
    assert parse_board(format_board(position), position.rules) == position


@given(st.one_of(positions(), endgames()), st.booleans())
def test_diagram_round_trip(position: Position, marked: bool) -> None:
    text = format_diagram(position, position.legal_moves if marked else ())
    assert all(map(is_diagram_line, text.split("\n")))
    again = parse_board(text, position.rules, position.to_move)
    assert again == position.with_state(State.FRESH)


@given(endgames())
def test_a_proved_side_is_the_only_possible_one(position: Position) -> None:
    rules = replace(position.rules, optional_skip=False)
    try:
        proved = parse_board(position.cells, rules).to_move
    except SideToMoveError:
        proved = None
    able = [side for side in Color if parse_board(position.cells, rules, side).legal_moves.placements]
    assert proved == (able[0] if len(able) == 1 else None)


@given(
    st.text(alphabet="XOxo*bBwW-.0 \n|/+abcdefgh12345678;%", max_size=300), st.sampled_from([None, SMALL, SKIP])
)
def test_any_text_is_a_board_or_an_error(text: str, rules: Rules | None) -> None:
    for read in (parse_board, read_board_line):
        message = ""
        try:
            read(text, rules)
        except InputError as error:
            message = str(error)
        assert "\n" not in message


@given(st.integers(0, 200), st.sampled_from(["X", "O", "-"]), st.sampled_from(["", " X", " O --"]))
def test_only_the_right_count_is_a_board(count: int, cell: str, side: str) -> None:
    cells = cell * count
    try:
        position = parse_board(cells + side, to_move=None if side else Color.BLACK)
    except InputError:
        assert count != 64
    else:
        assert count == 64 or (count == 65 and not side and cell != "-")
        assert position.cells == cell * 64
