"""Every command, with arguments that let it run: for tests of what all of them have in common."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from books import write_book
from reversi import Color, Position, parse_rules
from reversi.analysis.exercises import Judge, from_position, write_deck
from reversi.cli.app import build_app
from reversi.openings.book import BookEntry, book_key
from reversi.person.history import History
from reversi.person.history_keeper import HistoryKeeper
from reversi.session.players import Side
from reversi.session.session import Session
from reversi.solver import prove
from reversi.solver.proofs.certificate import certificate_lines
from reversi.text import parse_board

ENDGAME = "OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX X"
EXERCISE = "OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX O"
GAME = "1. f5 d6 2. c3 d3 3. c4 *\n"

# {folder} has games.pgn, names.txt, start.proof, suite.obf, deck.json and games.duckdb
RUNS = {
    "analyze": ["{folder}/games.pgn", "--level", "1"],
    "bench perft": ["--depth", "3", "--repeat", "1"],
    "bench solve": ["{folder}/suite.obf"],
    "book make": [
        "{folder}/games.pgn",
        "--output",
        "{folder}/made.book",
        "--games",
        "1",
        "--depth",
        "1",
        "--force",
    ],
    "book convert": ["{folder}/one.book", "{folder}/one.dat", "--force"],
    "book grow": ["{folder}/one.book", "--add-games", "{folder}/games.pgn", "--depth", "1"],
    "book info": ["{folder}/one.book"],
    "book prune": [
        *("{folder}/one.book", "--repertoire", "{folder}/games.pgn"),
        *("--output", "{folder}/small.book", "--force"),
    ],
    "book merge": ["{folder}/one.book", "{folder}/one.book", "--output", "{folder}/merged.book", "--force"],
    "book show": ["f5d6"],
    "db import": ["{folder}/games.pgn", "--db", "{folder}/games.duckdb"],
    "db update": ["{folder}/games.pgn", "--db", "{folder}/updated.duckdb"],
    "db info": ["--db", "{folder}/games.duckdb"],
    "db players list": ["--db", "{folder}/games.duckdb"],
    "db players merge": ["Ada", "Bob", "--dry-run", "--db", "{folder}/games.duckdb"],
    "db players rename": ["Ada", "Eve", "--dry-run", "--db", "{folder}/games.duckdb"],
    "db aliases": ["{folder}/names.txt", "--dry-run", "--db", "{folder}/games.duckdb"],
    "db sources list": ["--db", "{folder}/games.duckdb"],
    "db sources remove": ["1", "--dry-run", "--db", "{folder}/games.duckdb"],
    "db sql": ["select * from games", "--db", "{folder}/games.duckdb"],
    "diagram": ["f5d6"],
    "doctor": [],
    "engine gtp": [],
    "engine json": [],
    "engine nboard": [],
    "engine xboard": [],
    "explore": ["f5d6", "{folder}/games.pgn", "--level", "1"],
    "hint": ["f5d6", "--level", "1"],
    "history delete": ["--state", "{folder}/nobody"],
    "history export": ["-", "--state", "{folder}"],
    "history off": ["--state", "{folder}"],
    "history on": ["--state", "{folder}"],
    "history show": ["--state", "{folder}"],
    "learn": [],
    "match": ["1", "2", "--games", "2"],
    "openings draw": [],
    "openings list": [],
    "openings name": ["f5d6"],
    "openings repertoire check": ["{folder}/games.pgn", "--color", "black", "--level", "1"],
    "openings repertoire make": ["--color", "black", "--at", "Tiger", "--plies", "6", "--level", "1"],
    "openings review": ["{folder}/games.pgn", "--repertoire", "f5d6c4", "--color", "black"],
    "openings show": ["tiger"],
    "perft": ["3"],
    "play": ["--black", "engine:1", "--white", "engine:1", "--rules", "othello,board=4x4", "--state", "{folder}"],
    "position convert": ["f5d6", "--to", "board"],
    "position show": ["f5d6"],
    "proof check": ["{folder}/start.proof"],
    "prove": [ENDGAME, "--proof", "-"],
    "record convert": ["{folder}/games.pgn", "-", "--to", "pgn"],
    "record dedupe": ["{folder}/games.pgn"],
    "record filter": ["{folder}/games.pgn"],
    "record merge": ["{folder}/games.pgn"],
    "record show": ["{folder}/games.pgn"],
    "record split": ["{folder}/games.pgn", "--into", "{folder}/parts", "--force"],
    "record stats": ["{folder}/games.pgn"],
    "record tidy": ["{folder}/games.pgn"],
    "record validate": ["{folder}/games.pgn"],
    "rules list": [],
    "rules show": ["othello"],
    "solve": [ENDGAME],
    "train list": ["{folder}/deck.json", "--state", "{folder}"],
    "train make": ["{folder}/suite.obf", "-o", "-"],
    "train openings": ["{folder}/games.pgn", "--color", "black", "--state", "{folder}"],
    "train play": ["{folder}/deck.json", "--state", "{folder}"],
    "train stats": ["{folder}/deck.json", "--state", "{folder}"],
}

# what commands answer that write nothing by themselves
INPUTS = {
    "engine gtp": "name\n",
    "engine json": '{"id": 1, "ask": "info"}\n',
    "engine nboard": "ping 1\n",
    "engine xboard": "ping 1\n",
}


def commands() -> dict[str, Any]:
    """Every command by its name, ``record show`` for instance."""
    return dict(_below(typer.main.get_command(build_app()), ""))


def _below(group: Any, path: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _below(command, f"{path}{name} ")
        else:
            yield f"{path}{name}", command


def arguments_of(command: str, folder: Path) -> list[str]:
    """Arguments with which a command does something small."""
    return [*command.split(), *(word.replace("{folder}", str(folder)) for word in RUNS[command])]


def prepare(folder: Path) -> None:
    """Make the files that these arguments name, the library aside."""
    (folder / "games.pgn").write_text(f'[Black "Ada"]\n[White "Bob"]\n\n{GAME}')
    (folder / "names.txt").write_text("Oh J. = Oh, Joung-Mok\n")
    (folder / "suite.obf").write_text(f"{ENDGAME}; f3:+0\n{EXERCISE}\n")
    (folder / "start.proof").write_bytes(b"".join(certificate_lines(prove(parse_board(ENDGAME)))))
    write_book(folder / "one.book", {book_key(Position()): BookEntry(0, 1)})
    session = Session(parse_rules("othello,board=4x4"), sides={Color.WHITE: Side.engine(1)})
    HistoryKeeper(session, History(folder / "history.json"))
    session.resign(Color.BLACK)
    exercise = from_position(parse_board(EXERCISE), Judge())
    assert exercise is not None
    write_deck(folder / "deck.json", [exercise])
