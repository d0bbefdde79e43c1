"""Saving a game to a file, and opening one: a record, moves or a board, from a file or pasted."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from reversi._core import Position
from reversi.errors import InputError, RecordError
from reversi.records.file_kinds import FileKind
from reversi.records.formats.registry import POSITIONS, read_games, recognise
from reversi.records.places import load_game, parse_place, parse_position, read_positions
from reversi.records.record import Record
from reversi.records.sources import open_source
from reversi.rules import Rules
from reversi.session.session import Session

__all__ = ["open_game", "read_start", "suggested_name"]


def suggested_name(session: Session) -> str:
    """A file name that is not taken, from the day."""
    day = datetime.now().astimezone().strftime("%Y-%m-%d")
    for number in range(1, 1000):
        name = f"reversi-{day}{f'-{number}' if number > 1 else ''}.pgn"
        if not Path(name).exists():
            return name
    return "reversi.pgn"


def open_game(session: Session, text: str) -> str:
    """Put a game, to look at, or a position, to play, on the board, and return what to say about that.

    Args:
        session: the sitting.
        text: ``FILE``, ``FILE#3``, ``FILE#3@20``, or the moves or the board themselves.

    Raises:
        InputError: there is nothing that can be played on; the message says why.
        IllegalMoveError: a move of the record is not allowed.
        GameError: moves after the end of a game.
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
    """The game or position that a place names or a pasted text is, and after how many plies.

    Raises:
        InputError: there is none, or it is damaged.
        OSError: the file cannot be read.
    """
    place = parse_place(str(Path(text).expanduser()) if text.startswith("~") else text)
    if not _is_file(place.path):
        if recognise(text) is None:
            raise InputError(f"{text}: no such file, and neither moves nor a board")
        return _pasted(text, rules), None
    positions = _positions_in(place.path)
    if positions is None:
        named = place._replace(game=place.game or 1)
        return load_game(f"{named.path}#{named.game}{'' if named.ply is None else f'@{named.ply}'}", rules)
    entry = next(read_positions(positions, rules, game=place.game, ply=place.ply))
    if entry.position is None:
        raise InputError(f"{place.path}:{entry.line}: {entry.error}")
    return entry.position, None


def _positions_in(path: str) -> str | None:
    """The text of a file of positions, ``None`` for a file of games."""
    with open_source(path) as source:
        if source.kind is FileKind.TEXT:
            text = source.text()
            if recognise(text) is POSITIONS:
                return text
    return None


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def _pasted(text: str, rules: Rules) -> Record | Position:
    if recognise(text) is POSITIONS:
        return parse_position(text, rules)
    entry = next(iter(read_games(text, rules=rules)))
    if entry.findings:
        raise RecordError(entry.findings[0].message)
    return entry.record
