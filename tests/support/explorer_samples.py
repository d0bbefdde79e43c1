"""A small database of games that share openings, for tests of the explorer."""

from __future__ import annotations

from pathlib import Path

import pytest

from random_games import random_game
from record_samples import saved
from reversi import Game, Position
from reversi.openings.names import opening_named
from reversi.records import Record, record_from_game

OPENINGS = ("f5d6c3d3c4f4", "f5d6c3d3c4b3", "e6f4c3c4d3d6", "f5f6e6f4", "f5d6c3d3c4f4c5b3")


def whole_game() -> Game:
    """A random game to its end, with a forced pass."""
    for seed in range(100):
        game = random_game("othello", seed)
        if any(move.is_pass for move in game.moves):
            return game
    raise AssertionError("no such game")


def archive() -> list[Record]:
    """Games of two players in several years; the first is `whole_game`."""
    games = [whole_game(), *(Game().play_all(moves) for moves in OPENINGS)]
    players = [("Ada", "Bob"), ("Bob", "Ada"), ("Ada", "Cy")]
    return [
        record_from_game(game, {"Black": black, "White": white, "Date": str(1990 + at)})
        for at, game in enumerate(games)
        for black, white in [players[at % 3]]
    ]


def positions() -> list[Position]:
    """Ten positions: the start, an opening, one with a forced pass, and others up to the end of a game."""
    found = whole_game().positions
    passes = next(each for each in found if not each.is_over and not each.legal_moves.placements)
    return [Position(), opening_named("Tiger").position, *found[3:52:8], passes]


def make_database(folder: Path) -> Path:
    """Write the archive, and a database of it; return the database."""
    pytest.importorskip("duckdb", reason="the database needs DuckDB")
    pytest.importorskip("numpy", reason="the database needs NumPy")
    from reversi.games import Database

    games, path = folder / "games.pgn", folder / "games.duckdb"
    saved(games, *archive())
    with Database(path, create=True) as made:
        made.add(games)
    return path
