"""Positions near the end of a game: of random games, the same ones every time, and starts of small boards."""

from __future__ import annotations

from reversi import OTHELLO, Position, Random, Rules

SMALL_BOARDS = (
    "othello,board=4x4",
    "othello,board=4x4,optional-skip,misere",
    "othello,board=4x4,optional-skip,full-board,discs-only",
    "othello,board=4x6,start=parallel",
    "adjacent,board=4x4",
    "adjacent,board=4x4,optional-skip,no-moves",
)
"""Rule sets whose starts are proved in a second: all kinds of captures, skips, ends and scores."""


def random_ending(empties: int, seed: int, rules: Rules = OTHELLO) -> Position:
    """A position with so many empty squares and a choice of moves, from a random game."""
    random = Random(1000 * empties + seed)
    while True:
        position = Position(rules)
        while position.empties > empties and not position.is_over:
            position = position.play(position.legal_moves.choice(random))
        if position.empties == empties and len(position.legal_moves) > 1:
            return position


def random_endings(empties: int, count: int, rules: Rules = OTHELLO) -> list[Position]:
    """Different ones."""
    found: list[Position] = []
    seed = 0
    while len(found) < count:
        position = random_ending(empties, seed, rules)
        seed += 1
        if position not in found:
            found.append(position)
    return found
