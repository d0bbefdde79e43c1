"""Boards as plain text, Markdown and LaTeX."""

from __future__ import annotations

import re

import pytest

from pictures import RULES, some_game, some_options
from random_games import random_game
from reversi import Game, Position, State, parse_rules
from reversi.inputs.input import positions_in
from reversi.render import latex, markdown, plain_text, svg

GAME = Game()
GAME.play_all(["f5", "d6", "c3"])


@pytest.mark.parametrize("seed", range(60))
def test_a_board_reads_back(seed: int) -> None:
    position = (some_game(seed) if seed % 3 else random_game(RULES[seed % len(RULES)], seed)).position
    written = plain_text(position, legal_moves=bool(seed % 2), highlights=["a1"], caption="one % two\nthree")
    found = list(positions_in(written, position.rules))
    assert [entry.position for entry in found] == [position]


def test_plain_text_with_everything() -> None:
    written = plain_text(
        GAME,
        caption="After three plies",
        legal_moves=True,
        flips=True,
        values={"d3": "+4", "c4": "-10"},
        losses={"d3": 0, "c4": 14.5},
        arrows=["c3-c4"],
        highlights=["a1", "h8"],
    )
    assert (
        written
        == """\
% After three plies
    a   b   c   d   e   f   g   h
1   -   -   -   -   -   -   -   -
2   -   -   -   -   -   -   -   -
3   -   -   X  +4   -   .   -   -
4   -   - -10   X   X   .   -   -
5   -   -   -   O   X   X   .   -
6   -   -   -   O   -   -   -   -
7   -   -   -   -   -   -   -   -
8   -   -   -   -   -   -   -   -
White to move
% Last move: c3
% Flipped: d4
% Legal moves: d3 f3 f4 g5
% Losses: d3 0, c4 14.5
% Highlighted: a1 h8
% Arrows: c3-c4
"""
    )


def test_a_transcript_diagram_as_text() -> None:
    assert plain_text(GAME, numbers=True).splitlines()[:7] == [
        "  a b c d e f g h",
        "1 - - - - - - - -",
        "2 - - - - - - - -",
        "3 - - 3 - - - - -",
        "4 - - - O X - - -",
        "5 - - - X O 1 - -",
        "6 - - - 2 - - - -",
    ]
    assert "% Moves: f5d6c3" in plain_text(GAME, numbers=True)


def test_small_boards_and_wide_characters() -> None:
    written = plain_text(Position(parse_rules("othello,board=4x6")), values={"a1": "日"})
    assert written.splitlines() == [
        "   a  b  c  d  e  f",
        "1 日  -  -  -  -  -",
        "2  -  -  O  X  -  -",
        "3  -  -  X  O  -  -",
        "4  -  -  -  -  -  -",
        "Black to move",
        "Rules othello,board=4x6",
    ]


def test_markdown() -> None:
    written = markdown(GAME, caption="*Tamenori* <b> `x`", highlights=["a1"])
    assert written.startswith("**\\*Tamenori\\* \\<b\\> \\`x\\`**\n\n```text\n  a b c d e f g h\n1 ")
    assert written.endswith("\n```\n\nWhite to move.\n\n- Last move: c3\n- Highlighted: a1\n")
    assert markdown(Position()).startswith("```text\n")


def test_text_of_files_does_not_leave_its_place() -> None:
    caption = "one\n```\n# two \x1b[31m \u202e"
    assert markdown(GAME, caption=caption).count("```") == 2  # those of the block
    assert "\\`\\`\\`" in markdown(GAME, caption=caption)
    for writer in (plain_text, markdown, latex):
        written = writer(GAME, caption=caption, values={"a1": "\x1b\n"})
        assert "\x1b" not in written
        assert "\u202e" not in written


def test_latex() -> None:
    written = latex(GAME, size=450, caption=r"50% of {x_1} & \input{y} ~ $#^<>", legal_moves=True, numbers_from=2)
    lines = written.splitlines()
    assert lines[0] == r"% needs \usepackage{tikz}"
    assert lines[1] == "% White to move"
    assert lines[2].startswith(r"\begin{tikzpicture}[x=5.00mm,y=-5.00mm,")
    assert lines[-1] == r"\end{tikzpicture}"
    assert r"50\% of \{x\_1\} \& \textbackslash{}input\{y\} \textasciitilde{} \$\#\textasciicircum{}" in written
    assert written.count(r"\filldraw[fill=white]") == 2
    assert len(re.findall(r"^\\fill \(", written, re.MULTILINE)) == 5
    assert r"\node at (-0.45,7.5) {\small 8};" in lines
    assert r"\draw (0,\i) -- (8,\i);" in written


def test_signs_of_scores_in_latex() -> None:
    written = latex(Position(), values={"d3": "-10", "c4": "~+4", "f5": "a-1"}, caption='won 33-31 "easily"')
    assert r"\scriptsize $-$10}" in written
    assert r"\scriptsize \textasciitilde{}$+$4}" in written
    assert r"\scriptsize a-1}" in written
    assert "won 33-31 ''easily''" in written


def test_latex_of_a_transcript_diagram() -> None:
    written = latex(GAME, numbers=True, coordinates=False)
    assert r"\node[white] at (5.5,4.5) {\scriptsize 1};" in written
    assert r"\node at (3.5,5.5) {\scriptsize 2};" in written
    assert r"\small" not in written


@pytest.mark.parametrize("seed", range(60))
def test_random_latex_is_balanced(seed: int) -> None:
    game = some_game(seed)
    written = latex(game, **some_options(seed, game.position))
    bare = re.sub(r"\\[{}]", "", written)
    assert bare.count("{") == bare.count("}")
    assert all(line.startswith(("\\", "%")) for line in written.splitlines())
    assert all(line.endswith((";", "]", "}")) or line.startswith("%") for line in written.splitlines())


def test_pictures_say_that_the_ply_before_was_a_pass() -> None:
    rules = parse_rules("othello,board=4x4,optional-skip")
    start = Position(rules)
    for state, words in (
        (State.FRESH, "Black to move"),
        (State.AFTER_PASS, "Black to move, after a pass"),
        (State.ENDED, "Draw 2-2, after two passes"),
    ):
        position = start.with_state(state)
        assert f"\n\n{words}.\n" in markdown(position)
        assert f'aria-label="{words}, ' in svg(position)
        assert f"\n% {words}\n" in latex(position)
