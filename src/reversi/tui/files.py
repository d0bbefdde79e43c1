"""Saving a game to a file, and opening one: a record, moves or a board, from a file or pasted."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from reversi._core import Position
from reversi.errors import InputError, RecordError
from reversi.reading import TextFormat, parse_place, read_games, read_positions, recognise
from reversi.records.entry import Entry
from reversi.records.record import Record
from reversi.rules import Rules
from reversi.session import Session

__all__ = ["open_game", "read_start", "save_game", "suggested_name"]


def suggested_name(session: Session) -> str:
    """A file name that is not taken, from the day."""
    day = datetime.now().astimezone().strftime("%Y-%m-%d")
    for number in range(1, 1000):
        name = f"reversi-{day}{f'-{number}' if number > 1 else ''}.pgn"
        if not Path(name).exists():
            return name
    return "reversi.pgn"


def save_game(session: Session, name: str) -> str:
    """Write the record of the game, and return what to say about that.

    Raises:
        OSError: the file cannot be written; the message names it.
        ValueError: no file can have such a name.
    """
    from reversi.saving import save_record

    path = Path(name).expanduser()
    before = path.exists()
    save_record(session, path)
    return f"Saved {path}{', which was there before' if before else ''}."


def open_game(session: Session, text: str) -> str:
    """Put a game or a position on the board, and return what to say about that.

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
    count = len(session.game)
    names = f"{start.black} – {start.white}: " if start.black != "?" or start.white != "?" else ""
    return f"{names}{count} plies played, {session.game.can_redo} to play again (r)."


def read_start(text: str, rules: Rules) -> tuple[Record | Position, int | None]:
    """The game or position that a place names or a pasted text is, and after how many plies.

    Raises:
        InputError: there is none, or more than one, or it is damaged.
        OSError: the file cannot be read.
    """
    place = parse_place(text)
    path = Path(place.path).expanduser()
    if _is_file(path):
        from reversi.records.recognise import FileKind
        from reversi.sources import open_source

        with open_source(str(path)) as source:
            if source.kind is not FileKind.TEXT:
                return _one(list(source.entries(rules=rules)), place.game, place.path), place.ply
            content = source.text()
        return _from_text(content, rules, place.game, place.ply, place.path)
    if recognise(text) is None:
        raise InputError(f"{text}: no such file, and neither moves nor a board")
    return _from_text(text, rules, None, None, "the text")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _from_text(
    text: str, rules: Rules, game: int | None, ply: int | None, name: str
) -> tuple[Record | Position, int | None]:
    if recognise(text) not in {TextFormat.POSITIONS, None}:
        return _one(list(read_games(text, rules=rules)), game, name), ply
    found = list(read_positions(text, rules, game=game, ply=ply))
    if len(found) != 1:
        raise InputError(f"{name}: {len(found)} positions; name one as in FILE#1")
    if found[0].position is None:
        raise InputError(f"{name}: {found[0].error}")
    return found[0].position, None


def _one(entries: list[Entry], game: int | None, name: str) -> Record:
    if game is None and len(entries) != 1:
        raise RecordError(f"{name}: {len(entries)} games; name one as in FILE#1")
    if game is not None and game > len(entries):
        raise RecordError(f"{name}: there is no game {game}: there are {len(entries)}")
    entry = entries[(game or 1) - 1]
    if entry.findings:
        finding = entry.findings[0]
        where = f" line {finding.line}:" if finding.line else ""
        raise RecordError(f"{name}:{where} {finding.message}")
    return entry.record
