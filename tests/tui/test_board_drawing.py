"""The board as characters: sizes, squares, discs and marks, in every theme."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from rich.color import Color as RichColor, ColorSystem

from reversi import SQUARES, Color, Position, parse_rules
from reversi.rules import BoardSize
from reversi.tui.board_drawing import SQUARE_SIZES, Cell, Layout, View, best_layout, draw
from reversi.tui.themes import COLORLESS, SIXTEEN, THEMES, BoardTheme, Drawing, first_theme

BOARDS = [BoardSize(8, 8), BoardSize(4, 4), BoardSize(4, 8), BoardSize(8, 6)]


def layouts(theme: BoardTheme) -> list[Layout]:
    found = {best_layout(board, theme.drawing, *room) for board in BOARDS for room in ROOMS}
    seen = [(turned, mirrored) for turned in (False, True) for mirrored in (False, True)]
    return [
        replace(layout, turned=turned, mirrored=mirrored)
        for layout, (turned, mirrored) in zip(found, itertools.cycle(seen), strict=False)
        if layout is not None
    ]


ROOMS = [(18, 9), (36, 19), (52, 26), (70, 36), (200, 60)]


def squares(layout: Layout) -> list[int]:
    return [8 * row + column for row in range(layout.board.rows) for column in range(layout.board.columns)]


def text(line: list[Cell]) -> str:
    return "".join(cell.text for cell in line)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_line_has_the_width_of_the_layout(theme: BoardTheme) -> None:
    assert len(layouts(theme)) > 10
    for layout in layouts(theme):
        for board in squares(layout):
            view = View(1 << board, 0, ~0 & ~(1 << board), last=board, cursor=board, labels={0: "~-12", 9: "+64"})
            lines = draw(view, layout, theme)
            width, height = layout.size
            assert len(lines) == height
            assert {len(text(line)) for line in lines} == {width}
            break


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_squares_are_found_where_they_are_drawn(theme: BoardTheme) -> None:
    for layout in layouts(theme):
        for square in squares(layout):
            assert layout.square_at(*layout.center_of(square)) == square
        width, height = layout.size
        found = {layout.square_at(x, y) for x, y in itertools.product(range(width), range(height))}
        assert found == {None, *squares(layout)}
        assert layout.square_at(0, height - 1) is None
        assert layout.square_at(width - 1, 0) is None
        assert layout.square_at(width + 5, 2) is None
        assert layout.square_at(3, height + 5) is None


@pytest.mark.parametrize("theme", [theme for theme in THEMES.values() if theme.drawing is Drawing.BLOCKS])
def test_discs_have_their_colors_and_nothing_else_has(theme: BoardTheme) -> None:
    for layout in layouts(theme):
        view = View(black=1 << 9, white=1 << 18)
        lines = draw(view, layout, theme)
        for color, square in ((Color.BLACK, 9), (Color.WHITE, 18)):
            places = set()
            for y, line in enumerate(lines):
                x = 0
                for cell in line:
                    if theme.disc_of(color) in (cell.color, cell.background):
                        places |= {layout.square_at(x + at, y) for at in range(len(cell.text))}
                    x += len(cell.text)
            assert places == {square}


@pytest.mark.parametrize("size", SQUARE_SIZES[:-1])
def test_discs_are_round(size: tuple[int, int]) -> None:
    """As high as wide where a character is twice as high as wide, and the same on every side."""
    layout = Layout(BoardSize(8, 8), *size)
    theme = THEMES["classic"]
    lines = draw(View(black=1), layout, theme)[1:]
    width, height = size
    eighths, quarters = " ▁▂▃▄▅▆▇█", " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
    filled = []
    for line in lines[:height]:
        cells = [cell._replace(text=sign) for cell in line for sign in cell.text][2 : 2 + width]
        for half in range(8):
            row = []
            for cell in cells:
                black = cell.background if cell.text == " " else cell.color
                at = eighths.find(cell.text)
                if at >= 0:
                    lower = [at >= 8 - half] * 2
                else:
                    bits = quarters.index(cell.text) >> (0 if half < 4 else 2) & 3
                    lower = [bool(bits & 1), bool(bits & 2)]
                ink = black == theme.discs[0]
                row += [
                    part if ink else (not part if cell.background == theme.discs[0] else False) for part in lower
                ]
            filled.append(row)
    across = max(sum(row) for row in filled) / 2  # in characters
    down = max(sum(column) for column in zip(*filled, strict=True)) / 8 * 2
    assert across == pytest.approx(down, abs=1)
    assert across >= 0.7 * width
    assert filled == [row[::-1] for row in filled]


def test_letters_tell_discs_marks_and_the_last_move() -> None:
    position = Position().play("f5")
    view = View(position.black, position.white, position.legal_moves.placements, last=37, cursor=0)
    small = ["  a b c d e f g h ", "1 -]- - - - - - - ", "4 - - - O X . - - ", "5 - - - X X X<- - "]
    lines = [text(line) for line in draw(view, Layout(BoardSize(8, 8), 2, 1), THEMES["ascii"])]
    assert [lines[0], lines[1], lines[4], lines[5]] == small
    lines = [text(line) for line in draw(view, Layout(BoardSize(8, 8), 4, 2, lined=True), THEMES["plain"])]
    assert lines[2] == "1 │[ ]│   │   │   │   │   │   │   │"
    assert lines[8] == "4 │   │   │   │ O │ X │ . │   │   │"
    assert lines[10] == "5 │   │   │   │ X │ X │(X)│   │   │"
    assert lines[12] == "6 │   │   │   │ . │   │ . │   │   │"


def test_coordinates_stand_over_the_middle_of_their_column() -> None:
    for theme in THEMES.values():
        for layout in layouts(theme):
            letters = text(draw(View(), layout, theme)[0])
            for column in range(layout.board.columns):
                at = letters.index("abcdefgh"[column])
                upper = layout.square_at(at, 1 + layout.lined)
                assert upper is not None
                assert upper % 8 == column
                place = layout.seen_at(column) % 8
                middle = 2 + layout.lined + layout.width * place + (layout.width - layout.lined - 1) / 2
                assert abs(at - middle) <= 1
            numbers = [text(line)[:2].strip() for line in draw(View(), layout, theme)]
            rows = [str(row + 1) for row in range(layout.board.rows)]
            assert [number for number in numbers if number] == (rows[::-1] if layout.turned else rows)


def test_labels_stay_in_their_squares() -> None:
    theme = THEMES["classic"]
    labels = {square.index: "~-12" for square in SQUARES}
    lines = draw(View(labels=labels), Layout(BoardSize(8, 8), 4, 2), theme)
    assert text(lines[1]) == "1 " + "~-12" * 8  # each on its own ground
    assert len({cell.background for cell in lines[1][1:3]}) == 2
    lines = draw(View(labels={0: "+12", 1: "~+3", 2: "~-9"}), Layout(BoardSize(8, 8), 4, 2), theme)
    assert text(lines[1]).split() == ["1", "+12", "~+3", "~-9"]
    lines = draw(View(labels=labels), Layout(BoardSize(8, 8), 6, 3), theme)
    assert text(lines[2]).split() == ["1", *["~-12"] * 8]


@pytest.mark.parametrize(("name", "bar"), [("plain", "│"), ("ascii", "|")])
def test_a_label_as_wide_as_its_square_begins_on_the_line(name: str, bar: str) -> None:
    labels = {1: "~-12", 2: "+64", 3: "~+3", 4: "~+12", 5: "~+12"}
    lines = draw(View(1, labels=labels, cursor=4), Layout(BoardSize(8, 8), 4, 2, lined=True), THEMES[name])
    assert text(lines[2]) == f"1 {bar} X ~-12{bar}+64{bar}~+3~+12~+12{bar}   {bar}   {bar}"
    assert [cell.text for cell in lines[2] if cell.reverse] == ["+12"]
    lines = draw(View(labels=labels), Layout(BoardSize(8, 8), 8, 4, lined=True), THEMES[name])
    assert text(lines[3])[2:18] == f"{bar}       {bar}  ~-12 "


def test_no_room() -> None:
    assert best_layout(BoardSize(8, 8), Drawing.BLOCKS, 17, 100) is None
    assert best_layout(BoardSize(8, 8), Drawing.BLOCKS, 100, 8) is None
    assert best_layout(BoardSize(4, 4), Drawing.LINES, 10, 5) == Layout(BoardSize(4, 4), 2, 1)


def test_the_ascii_theme_draws_ascii() -> None:
    theme = THEMES["ascii"]
    for layout in layouts(theme):
        position = Position(parse_rules(f"othello,board={layout.board}"))
        view = View(position.black, position.white, position.legal_moves.placements, labels={0: "+0"}, outlined=1)
        assert all(text(line).isascii() for line in draw(view, layout, theme))


@pytest.mark.parametrize("name", ["classic", "plain", "ascii"])
def test_an_outline_changes_its_discs_only(name: str) -> None:
    """The corners of their squares have the other color; letters stand between < and >."""
    theme = THEMES[name]
    for layout in layouts(theme):
        view = View(black=1, white=1 << 9, last=9)
        bare, lines = (draw(replace(view, outlined=bits), layout, theme) for bits in (0, 1 | 1 << 9))
        changed = set()
        for y, (before, after) in enumerate(zip(bare, lines, strict=True)):
            cells = [[cell._replace(text=sign) for cell in line for sign in cell.text] for line in (before, after)]
            for x, (one, other) in enumerate(zip(*cells, strict=True)):
                if one != other:
                    changed.add(layout.square_at(x, y))
                    assert (
                        theme.colorless or layout.height == 1 or theme.discs[1] in (other.color, other.background)
                    )
        assert changed == {0}, layout
    small = [text(line) for line in draw(View(black=1, outlined=1), Layout(BoardSize(4, 4), 2, 1), theme)]
    assert small[1].startswith("1 ◎ " if name == "classic" else "1 X'")


@pytest.mark.parametrize(
    ("wanted", "more", "theme"),
    [
        ("", {}, "classic"),
        ("safe", {}, "safe"),
        ("", {"light": True}, "light"),
        ("safe", {"no_color": True}, "plain"),
        ("", {"colors": False}, "plain"),
        ("safe", {"colors": False}, "safe"),
        ("ascii", {"no_color": True}, "ascii"),
        ("", {"unicode": False}, "ascii"),
        ("classic", {"unicode": False}, "ascii"),
        ("none such", {}, "classic"),
    ],
)
def test_the_theme_that_suits_a_terminal(wanted: str, more: dict[str, bool], theme: str) -> None:
    assert first_theme(wanted, **more) == theme
    assert set(COLORLESS) == {"plain", "ascii"}


def test_sixteen_colors_are_those_of_the_terminal() -> None:
    """Rich writes each as one of the sixteen; squares take the first eight, and nothing looks like another."""

    def number(color: str) -> int | None:
        return RichColor.parse(color).downgrade(ColorSystem.STANDARD).number

    for theme in (look for look in SIXTEEN.values() if not look.colorless):
        names = (theme.mark, theme.last, theme.cursor, theme.background, theme.panel, theme.text, theme.accent)
        colors = {color: number(color) for color in (*theme.discs, *theme.squares, *names)}
        assert len(set(colors.values())) == len(colors)
        assert len({*theme.discs, *theme.squares, theme.cursor, theme.mark}) == 6
        for color in (*theme.squares, theme.cursor, theme.background, theme.panel):
            assert colors[color] in range(8)


def _luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of the Web Content Accessibility Guidelines 2.1."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


COLORED = {
    f"{name}{of}": look
    for of, looks in (("", THEMES), (" of 16", SIXTEEN))
    for name, look in looks.items()
    if not look.colorless
}


@pytest.mark.parametrize("name", COLORED)
def test_what_must_be_seen_stands_out(name: str) -> None:
    theme = COLORED[name]
    black, white = theme.discs
    for ground in (theme.background, theme.panel):
        assert contrast(theme.last, ground) > 2.5  # errors have its color
        assert contrast(theme.accent, ground) > 4
    for disc in theme.discs:
        assert contrast(theme.last, disc) > 1.4
    for square in theme.squares:
        assert contrast(black, square) > 2.5
        assert contrast(white, square) > 1.8  # an outline has the color of the other side
        assert contrast(theme.discs[0], theme.cursor) > 1.5
        assert contrast(square, theme.mark) > 1.4
    assert contrast(theme.text, theme.background) > 7
    assert contrast(theme.text, theme.panel) > 7
    if theme.name == "safe":  # without any difference of hue
        assert contrast(black, white) > 5
        assert min(contrast(white, square) for square in theme.squares) > 1.1
