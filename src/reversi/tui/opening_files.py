"""File names for saving, and opening a record, moves or a board from a file or pasted text."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from reversi._core import Position
from reversi.inputs.input import resolve
from reversi.records.record import Record
from reversi.rules import Rules
from reversi.session.session import Session

__all__ = ["open_game", "read_start", "suggested_name"]


def suggested_name(session: Session) -> str:
    day = datetime.now().astimezone().strftime("%Y-%m-%d")
    for number in range(1, 1000):
        name = f"reversi-{day}{f'-{number}' if number > 1 else ''}.pgn"
        if not Path(name).exists():
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
    start, ply = read_start(text, session.rules)
    if isinstance(start, Position):
        session.set_position(start)
        return "The position is set up."
    session.load(start, ply)
    names = f": {start.black} - {start.white}" if start.black != "?" or start.white != "?" else ""
    return f"Opened a recorded game{names}."


def read_start(text: str, rules: Rules) -> tuple[Record | Position, int | None]:
    """Return the game or position at a place or in pasted text, and the number of plies to play.

    Raises:
        InputError: the text names no game or position, or the record is damaged.
        OSError: the file cannot be read.
    """
    return resolve(str(Path(text).expanduser()) if text.startswith("~") else text).start(rules)
