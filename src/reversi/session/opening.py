"""Opening what a person gives: a game or a position of a file or a pasted text goes on the board."""

from __future__ import annotations

import itertools
from typing import Final

from reversi._core import Position
from reversi._system.paths import expanded
from reversi.errors import InputError
from reversi.inputs.input import Input, resolve
from reversi.inputs.place import Place
from reversi.records.entry import Entry
from reversi.rules import Rules
from reversi.session.places import place_in
from reversi.session.session import Session

MOST_LISTED: Final = 5000
"""Games of a file that a list shows; ``FILE#6000`` opens a later one."""


def given(text: str, encoding: str = "") -> Input:
    """Return what a text stands for: ``FILE``, ``FILE#3``, ``FILE#3@20``, or moves, boards and games.

    Args:
        text: what a person gives.
        encoding: the encoding of a file, as in `reversi.open_records`.

    Raises:
        InputError: the text names no game or position; the message says why.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")  # a terminal pastes \r for the end of a line
    return resolve(str(expanded(lines)) if lines.startswith("~") else lines).read_as(encoding)


def open_given(session: Session, what: Input) -> str:
    """Put a game to look at, or a position to play, on the board, and return a sentence for the player.

    Raises:
        InputError: it has neither, or the ply does not exist.
        IllegalMoveError: a move of the game is not legal.
        GameError: a move follows the end of the game.
        OSError: it cannot be read.
    """
    start, ply = what.start(session.rules)
    if isinstance(start, Position):
        session.set_position(start)
        return "The position is set up."
    session.load(start, ply, place=place_in(what, start))
    names = f": {start.black} - {start.white}" if start.black != "?" or start.white != "?" else ""
    return f"Opened a recorded game{names}."


def several_games(what: Input, rules: Rules) -> list[Entry]:
    """Return the games where there are several to choose from, the first `MOST_LISTED`; else none.

    Args:
        what: what a person gave; with the number of a game or a ply nothing is left to choose.
        rules: the rules of games that do not name their own.

    Raises:
        OSError: it cannot be read.
    """
    if what.place.game is not None or what.place.ply is not None or not (what.path or what.means_games):
        return []
    try:
        found = list(itertools.islice(what.entries(rules), MOST_LISTED))
    except InputError:  # positions, or nothing: opening it says what is wrong
        return []
    return found if len(found) > 1 else []


def one_of(what: Input, number: int) -> Input:
    """Return the game of that number, from 1."""
    return Input(Place(what.place.path, number), None if what.path else what.text)
