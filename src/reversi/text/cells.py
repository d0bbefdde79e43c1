"""Parts of board texts: the cell characters, the error for a wrong number of cells, words for the side to move."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

import reversi._regex as re
from reversi._core import State
from reversi.color import Color
from reversi.errors import BoardError
from reversi.rules import BoardSize, Rules
from reversi.text.counting import counted

CELL_CHARACTERS: Final = "black X x * b B, white O o w W, empty - ."
"""The cell characters, in words, for messages."""

_BLACK, _WHITE, _EMPTY = "Xx*bB", "OowW", "-."
_CELLS: Final = frozenset(_BLACK + _WHITE + _EMPTY)
_DISCS: Final = frozenset(_BLACK + _WHITE)
_BLACK_BITS: Final = str.maketrans(_BLACK + _WHITE + _EMPTY, "1" * len(_BLACK) + "0" * len(_WHITE + _EMPTY))
_WHITE_BITS: Final = str.maketrans(_WHITE + _BLACK + _EMPTY, "1" * len(_WHITE) + "0" * len(_BLACK + _EMPTY))


def is_cells(text: str) -> bool:
    """Return whether ``text`` has only cell characters."""
    return _CELLS.issuperset(text)


def is_disc(character: str) -> bool:
    """Return whether a cell character is a disc of either color."""
    return character in _DISCS


def discs_of(cells: str, columns: int) -> tuple[int, int]:
    """Return the sets of black and white discs of cells in row order, as bits 8*row + column."""
    rows = [cells[at : at + columns].ljust(8, "-") for at in range(0, len(cells), columns)]
    highest_first = "".join(rows)[::-1]
    return int(highest_first.translate(_BLACK_BITS), 2), int(highest_first.translate(_WHITE_BITS), 2)


def bad_cell(character: str, column: int) -> BoardError:
    """Return the error for a character that is not a cell, at a column counted from 1."""
    zero = " (a zero is not the letter O)" if character == "0" else ""
    return BoardError(f"column {column}: {character!a} is not a cell{zero}: {CELL_CHARACTERS}")


def wrong_count(count: int, rules: Rules, shape: tuple[int, int] | None = None) -> BoardError:
    """Return the error for a wrong number of cells, with both numbers and any board that would fit.

    Args:
        count: the number of cells in the text.
        rules: the rules, whose board has another number.
        shape: the rows and columns of the text, if it shows them.
    """
    board = rules.board
    sizes = [BoardSize(rows, columns) for rows in (4, 6, 8) for columns in (4, 6, 8) if rows * columns == count]
    if shape in sizes:
        sizes = [BoardSize(*shape)] if shape else []
    ways = " or ".join(
        f"--rules {replace(rules, board=size)} for a {size} board" for size in sizes if size != board
    )
    what = f"{counted(count, 'cell')} where the {board} board has {board.cells}"
    return BoardError(f"{what}; give {ways}" if ways else what)


class Turn(NamedTuple):
    """The side to move and the state that a text states."""

    to_move: Color
    state: State


_TURN = re.compile(
    r"(?:(?:side\s+)?to\s+(?:move|play)\s*[:=]?\s*|(?:turn|player)\s*[:=]\s*)?"
    r"(?P<side>black|white|[xo*bw])(?:\s*\(\s*[xo*bw]\s*\))?"
    r"(?:\s*'s\s+(?:turn|move)|\s+to\s+(?:move|play))?(?:\s*\(\s*[xo*bw]\s*\))?\s*[.;]?"
    r"(?:\s+(?P<state>--|ended)|,\s*after (?:a|two) (?P<passes>pass(?:es)?))?"
    r"(?:\s*:[\sa-h1-8-]*|\s*discs:.*)?",
    re.IGNORECASE | re.ASCII,
)
_SIDES: Final = {
    **dict.fromkeys(("x", "*", "b", "black"), Color.BLACK),
    **dict.fromkeys(("o", "w", "white"), Color.WHITE),
}
_STATES: Final = {None: State.FRESH, "--": State.AFTER_PASS, "ended": State.ENDED}


def read_turn(text: str) -> Turn | None:
    """Read the side to move that a text states (``X``, ``white``, ``Black to move``, ``O --``), or return
    ``None``.

    ``--`` after the side means after a pass, ``ended`` that two passes ended the game.
    """
    match = _TURN.fullmatch(text.strip()) if len(text) < 100 else None
    if match is None:
        return None
    state = match["state"] or {"pass": "--", "passes": "ended"}.get(match["passes"] or "")
    return Turn(_SIDES[match["side"].lower()], _STATES[state.lower() if state else None])
