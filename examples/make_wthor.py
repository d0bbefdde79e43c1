"""Make example.wtb, example.jou and example.trn: games in WTHOR, with their names.

    python examples/make_wthor.py examples

The greedy player takes the move that leaves the opponent the fewest replies. One game stops early, one has
players without a name, and two players have the same name. The files are the same every time.
"""

from __future__ import annotations

import datetime
import sys
from pathlib import Path

from make_endgames import greedy
from reversi import Color, Random
from reversi.game import Game
from reversi.records import Record
from reversi.records.formats.wthor import pack_wthor
from reversi.records.from_game import record_from_game

PLAYERS = ("???", "Greedy", "Random Rita", "Random Rémi", "Random Rita")
TOURNAMENTS = ("Diverses parties", "Example Games", "Été des exemples")
DATE = datetime.date(2026, 11, 20)


def games() -> list[Record]:
    """The games."""
    random = Random(11)
    records = []
    for number in range(8):
        game = Game()
        greedy_side = Color.BLACK if number % 2 else Color.WHITE
        game.play("f5")
        while (moves := game.position.legal_moves) and not (number == 5 and len(game.moves) == 30):
            greedy_turn = game.to_move is greedy_side
            game.play(greedy(game.position, random) if greedy_turn else moves.choice(random))
        record = record_from_game(game, {"Date": "2026.??.??"})
        if number == 5:
            record.result = "40-24"  # as somebody decided
        if number == 6:
            record.tags["WthorBlack"], record.tags["WthorWhite"] = "400", "401"
        else:
            names = PLAYERS[1], PLAYERS[2 + number % 3]
            record.tags["Black"], record.tags["White"] = names if number % 2 else names[::-1]
            if number == 2:
                record.tags["WthorBlack"] = "4"  # the other player of that name
        record.tags["Event"] = TOURNAMENTS[1 + number % 2]
        records.append(record)
    return records


def main(folder: Path) -> None:
    """Write the files into a folder."""
    files = pack_wthor(games(), players=PLAYERS, tournaments=TOURNAMENTS, date=DATE)
    (folder / "example.wtb").write_bytes(files.games)
    (folder / "example.jou").write_bytes(files.players.pack())
    (folder / "example.trn").write_bytes(files.tournaments.pack())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
