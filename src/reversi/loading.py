"""A game or a position to go on with, out of anything that holds games: ``FILE#3@20`` of every form."""

from __future__ import annotations

from reversi._core import Position
from reversi.errors import InputError, RecordError
from reversi.reading import parse_place, read_positions
from reversi.records.record import Record
from reversi.rules import OTHELLO, Rules
from reversi.sources import open_source

__all__ = ["load_game", "parse_position"]


def load_game(place: str, rules: Rules = OTHELLO) -> tuple[Record, int | None]:
    """The recorded game that ``FILE#3@20`` names, and after how many of its turns to go on.

    Without ``#`` it is the first game of the file, without ``@`` the whole of it (``None``).

    Args:
        place: the file, and perhaps which game of it and after which ply.
        rules: the rules of games that do not name their own.

    Raises:
        InputError: the file holds no such game or ply, or something is wrong with the game; the message names the
            place.
        OSError: the file cannot be read.
        ValueError: no file can have such a name.
    """
    where = parse_place(place)
    if where.path == "-":
        raise InputError("standard input is no file to open")
    wanted, count = where.game or 1, 0
    with open_source(where.path) as source:
        for count, entry in enumerate(source.entries(rules=rules), 1):
            if count < wanted:
                continue
            if entry.findings:
                finding = entry.findings[0]
                line = f":{finding.line}" if finding.line else ""
                raise InputError(f"{where.path}{line}: game {count}: {finding.message}")
            if where.ply is not None and where.ply > len(entry.record.moves):
                raise RecordError(
                    f"{where.path}: there is no ply {where.ply}: game {count} has {len(entry.record.moves)}"
                )
            return entry.record, where.ply
    raise RecordError(f"{where.path}: there is no game {wanted}: there {'is' if count == 1 else 'are'} {count}")


def parse_position(text: str, rules: Rules = OTHELLO) -> Position:
    """The one position of a pasted text: a board, a line of OBF, a transcript.

    Raises:
        InputError: there is none, more than one, or it cannot be read.
    """
    found = list(read_positions(text, rules))
    if len(found) != 1:
        raise InputError(f"{len(found)} positions; give one")
    entry = found[0]
    if entry.position is None:
        raise InputError(str(entry.error))
    return entry.position
