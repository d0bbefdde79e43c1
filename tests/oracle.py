"""The rules once more: slow, plain, and written from the specification alone.

Nothing of the package is imported here, and nothing is clever: a board is a string of cells, a question about
it is a loop over its squares. The tests hold the package against this module, so it has to be easy to believe
rather than fast. A square is named as in a record ("a1", "d3"), a pass is "--".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

BLACK, WHITE, EMPTY = "X", "O", "-"
FRESH, AFTER_PASS, ENDED = "fresh", "after-pass", "ended"
NO_MOVES, FULL_BOARD = "no-moves", "full-board"
PASS = "--"
DIRECTIONS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


@dataclass(frozen=True)
class Variant:
    """A rule set, as the table of the specification has it."""

    mandatory_capture: bool = True
    adjacent_only: bool = False
    optional_skip: bool = False
    ending: str = NO_MOVES
    rows: int = 8
    columns: int = 8
    start: str = "diagonal"
    misere: bool = False
    empties_to_winner: bool = True


@dataclass(frozen=True)
class Table:
    """What lies on the table: the cells row by row, whose turn it is, and what is known of the plies before."""

    variant: Variant
    cells: str
    to_move: str
    state: str = FRESH

    def at(self, row: int, column: int) -> str | None:
        """What is on a square; None outside the board."""
        if 0 <= row < self.variant.rows and 0 <= column < self.variant.columns:
            return self.cells[row * self.variant.columns + column]
        return None


def name(row: int, column: int) -> str:
    return "abcdefgh"[column] + str(row + 1)


def row_and_column(square: str) -> tuple[int, int]:
    return int(square[1]) - 1, "abcdefgh".index(square[0])


def all_squares(variant: Variant) -> list[str]:
    """Every square of the board: a1, b1, ..., row by row."""
    return [name(row, column) for row in range(variant.rows) for column in range(variant.columns)]


def other(side: str) -> str:
    return WHITE if side == BLACK else BLACK


def initial(variant: Variant) -> Table:
    """The start: on 8x8 White d4 e5 and Black d5 e4, or (parallel) White d4 e4 and Black d5 e5."""
    upper, lower = variant.rows // 2 - 1, variant.rows // 2
    left, right = variant.columns // 2 - 1, variant.columns // 2
    discs = {(upper, left): WHITE, (lower, left): BLACK}
    if variant.start == "parallel":
        discs |= {(upper, right): WHITE, (lower, right): BLACK}
    else:
        discs |= {(upper, right): BLACK, (lower, right): WHITE}
    cells = "".join(
        discs.get((row, column), EMPTY) for row in range(variant.rows) for column in range(variant.columns)
    )
    return Table(variant, cells, BLACK)


def flips(table: Table, square: str) -> list[str]:
    """The opposing discs that the mover's disc on ``square`` would turn, in a1, b1, ... order."""
    row, column = row_and_column(square)
    turned = []
    for down, right in DIRECTIONS:
        line = []
        r, c = row + down, column + right
        while table.at(r, c) == other(table.to_move):
            line.append((r, c))
            r, c = r + down, c + right
        if table.at(r, c) == table.to_move:
            turned += line
    return [name(r, c) for r, c in sorted(turned)]


def touches_a_disc(table: Table, square: str) -> bool:
    row, column = row_and_column(square)
    return any(table.at(row + down, column + right) in (BLACK, WHITE) for down, right in DIRECTIONS)


def may_place(table: Table, square: str) -> bool:
    """Whether the rules let the mover put a disc there (leaving aside whether the game is over)."""
    row, column = row_and_column(square)
    if table.at(row, column) != EMPTY:
        return False
    if table.variant.mandatory_capture and not flips(table, square):
        return False
    return not table.variant.adjacent_only or touches_a_disc(table, square)


@lru_cache(maxsize=4096)
def placements(table: Table) -> tuple[str, ...]:
    """The squares on which the mover may put a disc, in a1, b1, ... order; none once the game is over."""
    if table.state == ENDED:
        return ()
    return tuple(square for square in all_squares(table.variant) if may_place(table, square))


def is_over(table: Table) -> bool:
    """Ended by two passes, or neither side has a placement."""
    if table.state == ENDED:
        return True
    return not placements(table) and not placements(replace(table, to_move=other(table.to_move)))


def may_pass(table: Table) -> bool:
    if is_over(table):
        return False
    if not placements(table):
        return True
    if not table.variant.optional_skip:
        return False
    return table.variant.ending == NO_MOVES or table.state == FRESH


def legal_moves(table: Table) -> list[str]:
    """The placements in a1, b1, ... order, then the pass if it is allowed."""
    return [*placements(table), *([PASS] if may_pass(table) else [])]


def play(table: Table, move: str) -> Table:
    """The table after a legal move of the mover."""
    if move not in legal_moves(table):
        raise ValueError(f"{move} is not legal")
    opponent = other(table.to_move)
    if move == PASS:
        state = FRESH
        if table.variant.optional_skip:
            second = table.state == AFTER_PASS and table.variant.ending == NO_MOVES
            state = ENDED if second else AFTER_PASS
        return replace(table, to_move=opponent, state=state)
    taken = [move, *flips(table, move)]
    cells = "".join(
        table.to_move if square in taken else cell
        for square, cell in zip(all_squares(table.variant), table.cells, strict=True)
    )
    return replace(table, cells=cells, to_move=opponent, state=FRESH)


def final_score(table: Table, side: str) -> int:
    """The score as ``side`` sees it if the game ends with the discs as they lie."""
    mine, theirs = table.cells.count(side), table.cells.count(other(side))
    empties = table.cells.count(EMPTY)
    if not table.variant.empties_to_winner:
        score = mine - theirs
    elif mine > theirs:
        score = (mine + empties) - theirs
    elif mine < theirs:
        score = mine - (theirs + empties)
    else:
        score = (mine + empties // 2) - (theirs + empties // 2)
    return -score if table.variant.misere else score


def perft(table: Table, depth: int, *, count_passes: bool = True) -> int:
    """Leaves at ``depth`` plies; a finished game is one leaf at every deeper depth.

    Without ``count_passes`` a pass is no ply: it does not use up any depth.
    """
    if depth == 0 or is_over(table):
        return 1
    leaves = 0
    for move in legal_moves(table):
        free = move == PASS and not count_passes
        leaves += perft(play(table, move), depth if free else depth - 1, count_passes=count_passes)
    return leaves


Memo = dict[Table, int]


def value(table: Table, memo: Memo | None = None) -> int:
    """The exact score for the mover with best play by both, by looking at every line of play."""
    if memo is not None and table in memo:
        return memo[table]
    if is_over(table):
        best = final_score(table, table.to_move)
    else:
        best = max(-value(play(table, move), memo) for move in legal_moves(table))
    if memo is not None:
        memo[table] = best
    return best


def move_values(table: Table, memo: Memo | None = None) -> dict[str, int]:
    """Every legal move with its exact score for the mover, in the order of ``legal_moves``."""
    return {move: -value(play(table, move), memo) for move in legal_moves(table)}


def best_moves(table: Table, memo: Memo | None = None) -> list[str]:
    """All moves that reach the value, in the order of ``legal_moves``."""
    values = move_values(table, memo)
    return [move for move in values if values[move] == max(values.values())]
