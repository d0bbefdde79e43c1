"""A game or a position to go on with, out of anything that holds games: ``FILE#3@20`` of every form."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from reversi._core import Move, Position
from reversi.errors import IllegalMoveError, InputError, RecordError
from reversi.game import Game
from reversi.reading import parse_place, read_positions
from reversi.records.record import Record
from reversi.rules import OTHELLO, Rules
from reversi.sources import open_source

__all__ = ["drawn_game", "load_game", "opening_game", "parse_position"]


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


def opening_game(start: Position, name: str) -> tuple[Game, str]:
    """A game in which a named opening has been played, and the opening's proper name.

    Raises:
        InputError: there is no opening of that name, or the rules do not allow it.
    """
    from reversi.openings import opening_named

    opening = opening_named(name)
    return _played(start, opening.moves), opening.name


def drawn_game(start: Position, seed: int, lines: Path | None = None) -> Game:
    """A game in which a balanced opening has been played, drawn by a seed.

    Args:
        start: where the game starts: the start of rules that open as the standard game does.
        seed: draws the opening; below 2**64.
        lines: a file of openings to draw from, one transcript per line; by default the project's own list.

    Raises:
        InputError: the seed is too large, the list is none, or the rules do not allow the opening.
        OSError: the file cannot be read.
    """
    from reversi.openings import draw_line, read_xot

    if not 0 <= seed < 1 << 64:
        raise InputError(f"no opening of seed {seed}: it is from 0 to 2**64 - 1")
    return _played(start, draw_line(seed, None if lines is None else read_xot(lines)).moves)


def _played(start: Position, moves: Iterable[Move]) -> Game:
    game = Game(start)
    try:
        game.play_all(moves)
    except IllegalMoveError:
        raise InputError(f"this opening cannot be played under the rules {start.rules}") from None
    return game
