"""The plain evaluation again, slow and from its description: a statement to test the kernel's against."""

from __future__ import annotations

import functools

from reversi import Color, Position


@functools.cache
def stable_on_edge(line: str) -> frozenset[int]:
    """The places of an edge's discs (X, O, - for empty) that no placements on it ever flip."""
    stable = {place for place, disc in enumerate(line) if disc != "-"}
    for place, disc in enumerate(line):
        if disc != "-":
            continue
        for player, opponent in ("XO", "OX"):
            after = list(line)
            after[place] = player
            for step in (-1, 1):
                run, at = [], place + step
                while 0 <= at < len(line) and line[at] == opponent:
                    run.append(at)
                    at += step
                if 0 <= at < len(line) and line[at] == player:
                    for flipped in run:
                        after[flipped] = player
                        stable.discard(flipped)
            stable &= stable_on_edge("".join(after))
    return frozenset(stable)


def plain(position: Position) -> int:
    """What an unfinished position looks worth to its mover, in discs (C division, towards zero)."""
    rules = position.rules
    rows, columns, cells = rules.board.rows, rules.board.columns, rules.board.cells
    capture = rules.mandatory_capture

    def at(row: int, column: int, flip_row: bool, flip_column: bool) -> int:
        row = rows - 1 - row if flip_row else row
        column = columns - 1 - column if flip_column else column
        return 1 << 8 * row + column

    def balance(squares: int) -> int:
        return (position.player & squares).bit_count() - (position.opponent & squares).bit_count()

    def around(discs: int) -> int:
        result = 0
        for index in range(64):
            if discs >> index & 1:
                for row in (index // 8 - 1, index // 8, index // 8 + 1):
                    for column in (index % 8 - 1, index % 8, index % 8 + 1):
                        if 0 <= row < rows and 0 <= column < columns:
                            result |= 1 << 8 * row + column
        return result

    misere = rules.misere and capture  # else misère is the sign of the other objective
    corner, x, c = (-380, -30, 110) if misere else (600, -500, -500) if capture else (500, -200, -60)
    owned = 0
    for flip_row in (False, True):
        for flip_column in (False, True):
            here = at(0, 0, flip_row, flip_column)
            if here & position.empty:
                owned += x * balance(at(1, 1, flip_row, flip_column))
                owned += c * balance(at(0, 1, flip_row, flip_column) | at(1, 0, flip_row, flip_column))
            else:
                owned += corner * balance(here)
    difference = balance((1 << 64) - 1)
    frontier = (around(position.opponent) & position.empty).bit_count()
    frontier -= (around(position.player) & position.empty).bit_count()
    if capture:
        other = position.with_to_move(position.to_move.opponent)
        moves = position.legal_moves.placements.bit_count() - other.legal_moves.placements.bit_count()
        good = (160 if misere else 250) * moves
        owned -= (10 if misere else 50) * difference
        firm = 0
        for edge in (
            [8 * row for row in range(rows)],
            [8 * row + columns - 1 for row in range(rows)],
            list(range(columns)),
            [8 * (rows - 1) + column for column in range(columns)],
        ):
            line = "".join(
                "X" if position.player >> at & 1 else "O" if position.opponent >> at & 1 else "-" for at in edge
            )
            for place in stable_on_edge(line):
                firm |= 1 << edge[place]
        owned += (-100 if misere else 400) * balance(firm)
    else:
        edges = sum(
            1 << 8 * row + column
            for row in range(rows)
            for column in range(columns)
            if row in (0, rows - 1) or column in (0, columns - 1)
        )
        good = -15 * frontier
        owned += 60 * balance(edges) + 40 * difference
    sign = -1 if rules.misere else 1
    share = (cells - position.empties) ** 2
    total = (good + (1 if misere else sign) * owned) * (cells**2 - share) + sign * 100 * difference * share
    value = abs(total) // (100 * cells**2)
    value = value if total >= 0 else -value
    return max(-cells, min(cells, value))


def plain_search(position: Position, depth: int) -> int:
    """The value so many placements deep, by plain negamax."""
    if position.is_over:
        assert position.result is not None
        score = position.result.score
        return score if position.to_move is Color.BLACK else -score
    if depth == 0 and position.empties:
        return plain(position)
    return max(-plain_search(position.play(m), depth - (not m.is_pass)) for m in position.legal_moves)
