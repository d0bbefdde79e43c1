"""Brute force for the solver tests: the oracle's negamax again, in a form that gets through many endgames.

Still the specification alone, and still no pruning: every line of play is looked at. What makes it quicker than
``oracle.value`` is that the cells are bytes, that the rays from each square are cut out of the board by slices
prepared once, and that what was seen is remembered. ``test_oracle.py`` holds it against the oracle.
"""

from __future__ import annotations

from oracle import AFTER_PASS, DIRECTIONS, ENDED, FRESH, FULL_BOARD, PASS, Table, Variant, all_squares

Cells = bytes
Placement = tuple[int, Cells]
Ray = tuple[slice, tuple[int, ...]]

_EMPTY = ord("-")
_OTHER = {b"X": b"O", b"O": b"X"}


def _rays(variant: Variant, row: int, column: int) -> tuple[Ray, ...]:
    """For each direction: the slice that cuts the squares beyond (row, column), and their numbers."""
    rays = []
    for down, right in DIRECTIONS:
        numbers = []
        r, c = row + down, column + right
        while 0 <= r < variant.rows and 0 <= c < variant.columns:
            numbers.append(r * variant.columns + c)
            r, c = r + down, c + right
        if numbers:
            step = down * variant.columns + right
            stop = numbers[-1] + step
            rays.append((slice(numbers[0], stop if stop >= 0 else None, step), tuple(numbers)))
    return tuple(rays)


class BruteForce:
    """Exact values under one rule set. Remembers what it has seen until `forget`.

    Attributes:
        forced_passes: how many of the positions looked at since the last `forget` were a forced pass.
        positions: how many positions have been looked at since the last `forget`.
    """

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.names = all_squares(variant)
        self.rays = tuple(
            _rays(variant, row, column) for row in range(variant.rows) for column in range(variant.columns)
        )
        self.forget()

    def forget(self) -> None:
        self._values: dict[tuple[Cells, bytes, str], int] = {}
        self._placements: dict[tuple[Cells, bytes], list[Placement]] = {}
        self.forced_passes = 0
        self.positions = 0

    def placements(self, cells: Cells, side: bytes) -> list[Placement]:
        """Each square on which ``side`` may put a disc, with the cells after it; squares ascending."""
        known = self._placements.get((cells, side))
        if known is not None:
            return known
        capture, adjacent = self.variant.mandatory_capture, self.variant.adjacent_only
        opponent, disc = _OTHER[side], side[0]
        found = []
        square = cells.find(_EMPTY)
        while square >= 0:
            turned: list[int] = []
            touched = False
            for ray, numbers in self.rays[square]:
                line = cells[ray]
                touched = touched or line[0] != _EMPTY
                rest = line.lstrip(opponent)
                if rest.startswith(side):
                    turned += numbers[: len(line) - len(rest)]
            if (turned or not capture) and (touched or not adjacent):
                after = bytearray(cells)
                for number in (square, *turned):
                    after[number] = disc
                found.append((square, bytes(after)))
            square = cells.find(_EMPTY, square + 1)
        self._placements[cells, side] = found
        return found

    def _after_pass(self, state: str) -> str:
        if not self.variant.optional_skip:
            return FRESH
        return ENDED if state == AFTER_PASS and self.variant.ending != FULL_BOARD else AFTER_PASS

    def children(self, table: Table) -> dict[str, Table]:
        """Every legal move with the table after it; empty when the game is over."""
        side = table.to_move.encode()
        after = self._children(table.cells.encode(), side, table.state)
        opponent = _OTHER[side].decode()
        return {
            PASS if square is None else self.names[square]: Table(self.variant, cells.decode(), opponent, state)
            for square, cells, state in after
        }

    def _children(self, cells: Cells, side: bytes, state: str) -> list[tuple[int | None, Cells, str]]:
        if state == ENDED:
            return []
        placements = self.placements(cells, side)
        children: list[tuple[int | None, Cells, str]] = [(square, after, FRESH) for square, after in placements]
        if placements:
            skip = self.variant.optional_skip and (state == FRESH or self.variant.ending != FULL_BOARD)
        else:
            skip = bool(self.placements(cells, _OTHER[side]))
        if skip:
            children.append((None, cells, self._after_pass(state)))
        return children

    def _final(self, cells: Cells, side: bytes) -> int:
        mine, theirs, empties = cells.count(side), cells.count(_OTHER[side]), cells.count(b"-")
        if self.variant.empties_to_winner and mine != theirs:
            if mine > theirs:
                mine += empties
            else:
                theirs += empties
        return theirs - mine if self.variant.misere else mine - theirs

    def _value(self, cells: Cells, side: bytes, state: str) -> int:
        key = (cells, side, state)
        known = self._values.get(key)
        if known is not None:
            return known
        self.positions += 1
        children = self._children(cells, side, state)
        if children:
            if len(children) == 1 and children[0][0] is None:
                self.forced_passes += 1
            opponent = _OTHER[side]
            best = max([-self._value(after, opponent, next_state) for _, after, next_state in children])
        else:
            best = self._final(cells, side)
        self._values[key] = best
        return best

    def value(self, table: Table) -> int:
        """The exact score for the mover."""
        return self._value(table.cells.encode(), table.to_move.encode(), table.state)

    def move_values(self, table: Table) -> dict[str, int]:
        """Every legal move with its exact score for the mover: placements in a1, b1, ... order, the pass last."""
        return {move: -self.value(after) for move, after in self.children(table).items()}

    def best_line(self, table: Table) -> list[str]:
        """One line of best play to the end, the first of equal moves at every ply."""
        line = []
        while values := self.move_values(table):
            move = max(values, key=values.__getitem__)
            line.append(move)
            table = self.children(table)[move]
        return line
