"""Boards as text: plain, and ready to be put into Markdown and LaTeX.

Text has no colors: what a picture marks stands in lines under the board.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import reversi._regex as re
from reversi._core import SQUARES
from reversi.color import Color
from reversi.text import format_diagram
from reversi.text.boards import rules_lines, state_mark
from reversi.text.cells import is_cells
from reversi.text.picture.board import heat
from reversi.text.picture.colors import ink_on
from reversi.text.picture.describe import notes, status
from reversi.text.picture.options import Options, with_changes
from reversi.text.picture.plan import Plan, plan_of
from reversi.text.picture.scene import Drawable, Scene, bits, scene_of
from reversi.text.terminal import safe
from reversi.text.widths import filled, width_of

_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': "''",
}
_SIGN: Final = re.compile(r"(?<!\w)[+-](?=\d)")
_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>()#+!|~$&-])")


def plain_text(what: Drawable, options: Options | None = None, **changes: Any) -> str:
    """Return a position or a game as plain text.

    ``X`` is Black, ``O`` White, ``-`` empty and ``.`` a legal move. Numbers of moves and texts on squares stand on
    the board, texts on discs under it; everything else that options mark is listed there, too, in lines that begin
    with ``%``. The text reads back as the same position, with numbers as the same game.

    Args:
        what: a position, a game or a record of one.
        options: what to show; the defaults when not given. Colors and sizes have no effect.
        changes: options by name, instead of those in ``options``.

    Raises:
        InputError: as `reversi.render.svg`.
        IllegalMoveError: as `reversi.render.svg`.
    """
    options = with_changes(options, changes)
    plan = plan_of(scene_of(what, options.ply), options)
    lines = [f"% {_one_line(options.caption)}"] if options.caption else []
    position = plan.scene.position
    lines += [_board(plan), f"{position.to_move} to move{state_mark(position)}", *rules_lines(position)]
    lines += [
        f"% {note}"
        for note in (
            ([status(plan.scene)] if position.is_over or plan.scene.outcome else []) + notes(plan) + _values(plan)
        )
    ]
    return "\n".join(lines) + "\n"


def markdown(what: Drawable, options: Options | None = None, **changes: Any) -> str:
    """Return a position or a game as Markdown: the board as a block of code, and what is marked as a list under
    it.

    Args:
        what: as in `plain_text`.
        options: as in `plain_text`.
        changes: as in `plain_text`.

    Raises:
        InputError: as `reversi.render.svg`.
        IllegalMoveError: as `reversi.render.svg`.
    """
    options = with_changes(options, changes)
    plan = plan_of(scene_of(what, options.ply), options)
    head = _MARKDOWN.sub(r"\\\1", _one_line(options.caption or options.title))
    blocks = [f"**{head}**"] if head else []
    turn = "\n".join([_board(plan), *rules_lines(plan.scene.position)])
    blocks += [f"```text\n{turn}\n```", f"{_status(plan.scene)}."]
    if listed := notes(plan) + _values(plan):
        blocks.append("\n".join(f"- {note}" for note in listed))
    return "\n\n".join(blocks) + "\n"


def _status(scene: Scene) -> str:
    line = status(scene)
    return line[0].upper() + line[1:]


def _one_line(line: str) -> str:
    return " ".join(safe(line).split())


def _board(plan: Plan) -> str:
    """Return the board on lines, with wide cells where texts stand on squares."""
    values, shown = plan.marks.values, plan.discs
    if not plan.numbered and not values:
        return format_diagram(shown, [SQUARES[square] for square in plan.legal])
    cells = dict.fromkeys(bits(shown.black), "X") | dict.fromkeys(bits(shown.white), "O")
    cells |= dict.fromkeys(plan.legal, ".")
    cells |= {square: str(turn.number) for square, turn in plan.numbered.items()}
    cells |= {square: _one_line(value) for square, value in values.items() if _is_on_board(plan, square, value)}
    rows, columns = shown.rules.board
    width = 1 + max(map(width_of, cells.values()), default=1)
    lines = [" " + "".join(filled(letter, width, right=True) for letter in "abcdefgh"[:columns])]
    for row in range(rows):
        line = "".join(filled(cells.get(8 * row + column, "-"), width, right=True) for column in range(columns))
        lines.append(f"{row + 1}{line}")
    return "\n".join(lines)


def _is_on_board(plan: Plan, square: int, value: str) -> bool:
    """Return whether a text can stand on its square: no disc is there, and it does not look like one."""
    is_free = not (plan.discs.black | plan.discs.white) >> square & 1 and square not in plan.numbered
    return is_free and len(_one_line(value).split()) == 1 and not is_cells(value) and not value.isdecimal()


def _values(plan: Plan) -> list[str]:
    """Return the texts that do not stand on the board, in a line."""
    beside = [
        f"{SQUARES[square]} {_one_line(value)}"
        for square, value in plan.marks.values.items()
        if not _is_on_board(plan, square, value)
    ]
    return ["Values: " + ", ".join(beside)] if beside else []


def latex(what: Drawable, options: Options | None = None, **changes: Any) -> str:
    r"""Return a position or a game as a ``tikzpicture``, black on white, for ``\input``; it needs
    ``\usepackage{tikz}``.

    Args:
        what: a position, a game or a record of one.
        options: what to show; the defaults when not given. The width of the picture is ``size`` in tenths of a
            millimetre; theme and disc colors have no effect.
        changes: options by name, instead of those in ``options``.

    Raises:
        InputError: as `reversi.render.svg`.
        IllegalMoveError: as `reversi.render.svg`.
    """
    options = with_changes(options, changes)
    plan = plan_of(scene_of(what, options.ply), options)
    marks = plan.marks
    rows, columns = plan.discs.rules.board
    cell = f"{options.size / 10 / (columns + (1 if options.coordinates else 0)):.2f}mm"
    lines = [
        r"% needs \usepackage{tikz}",
        f"% {_status(plan.scene)}",
        rf"\begin{{tikzpicture}}[x={cell},y=-{cell},line width=0.4pt,every node/.style={{inner sep=0pt}}]",
        *(_square_fill(square, loss) for square, loss in marks.losses.items()),
        rf"\foreach \i in {{0,...,{rows}}} \draw (0,\i) -- ({columns},\i);",
        rf"\foreach \i in {{0,...,{columns}}} \draw (\i,0) -- (\i,{rows});",
        rf"\draw[line width=0.8pt] (0,0) rectangle ({columns},{rows});",
    ]
    if options.coordinates:
        lines += [rf"\node at ({column}.5,-0.45) {{\small {'abcdefgh'[column]}}};" for column in range(columns)]
        lines += [rf"\node at (-0.45,{row}.5) {{\small {row + 1}}};" for row in range(rows)]
    lines += [
        rf"\draw[line width=1.2pt] ({x}.08,{y}.08) rectangle ({x}.92,{y}.92);"
        for y, x in _places(marks.highlights)
    ]
    lines += _latex_discs(plan)
    lines += [
        rf"\draw[-latex,line width=1.2pt,gray] ({tail % 8}.5,{tail // 8}.5) -- ({head % 8}.5,{head // 8}.5);"
        for tail, head in marks.arrows
    ]
    if options.caption:
        place = rf"({columns / 2:g},{rows}.6)"
        lines.append(rf"\node at {place} {{\small {_latex_text(options.caption)}}};")
    return "\n".join([*lines, r"\end{tikzpicture}"]) + "\n"


def _places(squares: Iterable[int]) -> list[tuple[int, int]]:
    return [divmod(square, 8) for square in squares]


def _square_fill(square: int, loss: float) -> str:
    row, column = divmod(square, 8)
    red, green, blue = (int(heat(loss)[at : at + 2], 16) for at in (1, 3, 5))
    color = rf"{{rgb,255:red,{red};green,{green};blue,{blue}}}"
    return rf"\fill[fill={color}] ({column},{row}) rectangle ({column + 1},{row + 1});"


def _latex_discs(plan: Plan) -> list[str]:
    marks = plan.marks
    occupied = [*bits(plan.discs.black | plan.discs.white), *plan.numbered]
    black = {square for square in occupied if plan.color_at(square) is Color.BLACK}
    white = {*occupied} - black
    lines = [rf"\fill ({x}.5,{y}.5) circle (0.42);" for y, x in _places(sorted(black))]
    lines += [rf"\filldraw[fill=white] ({x}.5,{y}.5) circle (0.42);" for y, x in _places(sorted(white))]
    texts = {square: str(turn.number) for square, turn in plan.numbered.items()} | marks.values
    free = [square for square in plan.legal if square not in texts]
    lines += [rf"\fill[gray] ({x}.5,{y}.5) circle (0.1);" for y, x in _places(free)]
    lines += [rf"\draw[gray,line width=1pt] ({x}.5,{y}.5) circle (0.18);" for y, x in _places(plan.flips)]
    last = [plan.last] if plan.last is not None and plan.last not in texts else []
    lines += [rf"\fill[gray] ({x}.5,{y}.5) circle (0.13);" for y, x in _places(last)]
    for square in sorted(texts):
        row, column = divmod(square, 8)
        on_dark = square in black or (
            square not in white and square in marks.losses and ink_on(heat(marks.losses[square])) == "#ffffff"
        )
        color = "[white]" if on_dark else ""
        shown_text = rf"\scriptsize {_latex_text(texts[square])}"
        lines.append(rf"\node{color} at ({column}.5,{row}.5) {{{shown_text}}};")
    return lines


def _latex_text(text: str) -> str:
    escaped = "".join(_LATEX.get(character, character) for character in _one_line(text))
    return _SIGN.sub(r"$\g<0>$", escaped)
