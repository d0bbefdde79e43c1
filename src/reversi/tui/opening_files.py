"""File names for saving, and opening a record, moves or a board from a file or pasted text."""

from __future__ import annotations

import itertools
from datetime import datetime
from typing import Final

from reversi._core import Position
from reversi._system.paths import expanded, may_exist
from reversi.errors import InputError
from reversi.inputs.input import resolve
from reversi.records.entry import Entry
from reversi.records.record import Record
from reversi.rules import Rules
from reversi.session.places import place_in
from reversi.session.session import Session

MOST_LISTED: Final = 5000
"""Games of a file that a list shows; ``FILE#6000`` opens a later one."""


def suggested_name(session: Session) -> str:
    """Return the file where the game stands, if its records are text as the program writes them, or a new one."""
    places = session.state.places
    if places and places[-1].path.suffix.lower() == ".pgn":
        return str(places[-1].path)
    day = datetime.now().astimezone().strftime("%Y-%m-%d")
    for number in range(1, 1000):
        name = f"reversi-{day}{f'-{number}' if number > 1 else ''}.pgn"
        if not may_exist(name):
            return name
    return "reversi.pgn"


def open_game(session: Session, text: str) -> str:
    """Put a game to look at, or a position to play, on the board, and return a sentence for the player.

    Args:
        session: the session.
        text: ``FILE``, ``FILE#3``, ``FILE#3@20``, or the moves or the board themselves.

    Raises:
        InputError: the text names no game or position; the message says why.
        IllegalMoveError: a move of the record is not legal.
        GameError: a move follows the end of the game.
        OSError: the file cannot be read.
    """
    given = resolve(_expanded(text))
    start, ply = given.start(session.rules)
    if isinstance(start, Position):
        session.set_position(start)
        return "The position is set up."
    session.load(start, ply, place=place_in(given, start))
    names = f": {start.black} - {start.white}" if start.black != "?" or start.white != "?" else ""
    return f"Opened a recorded game{names}."


def listed_games(text: str, rules: Rules) -> list[Entry]:
    """Return the games of a file that has several, the first `MOST_LISTED`; none for any other text.

    Args:
        text: the name of a file, without a game or a ply.
        rules: the rules of games that do not name their own.

    Raises:
        InputError: the text names no game or position.
        OSError: the file cannot be read.
    """
    given = resolve(_expanded(text))
    if not given.path or given.place.game is not None or given.place.ply is not None:
        return []
    try:
        found = list(itertools.islice(given.entries(rules), MOST_LISTED))
    except InputError:  # positions, or nothing: opening it says what is wrong
        return []
    return found if len(found) > 1 else []


def _expanded(text: str) -> str:
    return str(expanded(text)) if text.startswith("~") else text


def read_start(text: str, rules: Rules) -> tuple[Record | Position, int | None]:
    """Return the game or position at a place or in pasted text, and the number of plies to play.

    Raises:
        InputError: the text names no game or position, or the record is damaged.
        OSError: the file cannot be read.
    """
    return resolve(_expanded(text)).start(rules)
