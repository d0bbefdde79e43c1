"""Make endgames.obf: endgames from games of the library, with the exact score of every legal move.

    python examples/make_endgames.py > examples/endgames.obf

One player plays at random, the other takes the move that leaves the opponent the fewest replies; they change
colors from game to game. The result is the same every time.
"""

from __future__ import annotations

from reversi import Color, Move, Position, Random
from reversi.solver import Solver
from reversi.text.obf import ObfEntry, format_obf

EMPTIES = (10, 10, 10, 11, 11, 12, 12, 12, 13, 13, 14, 14)
FEWEST_MOVES = 4


def greedy(position: Position, random: Random) -> Move:
    """A move that leaves the opponent the fewest replies; among equal ones, any."""
    replies = {move: len(position.play(move).legal_moves) for move in position.legal_moves}
    fewest = min(replies.values())
    best = [move for move, count in replies.items() if count == fewest]
    return best[random.below(len(best))]


def endgame(empties: int, random: Random, greedy_side: Color) -> Position | None:
    """Return a position with ``empties`` empty squares from one game, or ``None`` when it has few moves."""
    position = Position()
    while position.empties > empties:
        moves = position.legal_moves
        if not moves:
            return None
        greedy_turn = position.to_move is greedy_side
        position = position.play(greedy(position, random) if greedy_turn else moves.choice(random))
    return position if position.legal_moves.placements.bit_count() >= FEWEST_MOVES else None


def main() -> None:
    """Write the file to standard output."""
    print("% Endgames from games between a random and a greedy player, made by examples/make_endgames.py.")
    print("% The board from a1 to h8 row by row, the side to move, every legal move with its exact score.")
    solver = Solver()
    random = Random(2026)
    number = 0
    game = 0
    while number < len(EMPTIES):
        game += 1
        position = endgame(EMPTIES[number], random, Color.BLACK if game % 2 else Color.WHITE)
        if position is None:
            continue
        solution = solver.solve(position, all_moves=True)
        if abs(solution.score.value) > 30:  # won by a mile: nothing to learn from
            continue
        number += 1
        scored = [(entry.move, entry.score.value) for entry in solution.moves]
        print(format_obf(ObfEntry(position, tuple(scored), comment=f"#{number}, {position.empties} empties")))


if __name__ == "__main__":
    main()
