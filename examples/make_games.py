"""Make games.pgn: games between a greedy and a random player under several rule sets.

    python examples/make_games.py > examples/games.pgn

The greedy player takes the move that leaves the opponent the fewest replies. The result is the same every time.
"""

from __future__ import annotations

import sys

from make_endgames import greedy
from reversi import Color, Random, parse_rules
from reversi.game import Game
from reversi.records import format_records
from reversi.records.from_game import record_from_game

RULES = ("othello", "othello", "othello,board=6x6", "adjacent,board=4x6", "adjacent,optional-skip,board=4x4")


def main() -> None:
    """Write the file to standard output."""
    random = Random(7)
    records = []
    for number, text in enumerate(RULES, start=1):
        game = Game(parse_rules(text))
        greedy_side = Color.BLACK if number % 2 else Color.WHITE
        while moves := game.position.legal_moves:
            greedy_turn = game.to_move is greedy_side
            game.play(greedy(game.position, random) if greedy_turn else moves.choice(random))
        names = ("greedy", "random") if greedy_side is Color.BLACK else ("random", "greedy")
        tags = {"Event": "Example games", "Round": str(number), "Black": names[0], "White": names[1]}
        records.append(record_from_game(game, tags))
    sys.stdout.writelines(format_records(records))


if __name__ == "__main__":
    main()
