"""Places like ``FILE#3@20``, and the games and positions in anything pasted or named."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from reversi._core import Position
from reversi.color import Color
from reversi.errors import IllegalMoveError, InputError, RecordError
from reversi.records.formats.format import TextFormat
from reversi.records.formats.registry import game_form, read_games
from reversi.records.record import Record
from reversi.records.replay import positions
from reversi.records.sources import open_source
from reversi.rules import OTHELLO, Rules
from reversi.text import pasted
from reversi.text.pasted import PositionEntry

__all__ = ["Place", "load_game", "parse_place", "parse_position", "position_after", "read_positions"]

_PLACE = re.compile(r"(?P<path>.+?)(?:#(?P<game>[0-9]{1,9}))?(?:@(?P<ply>[0-9]{1,4}))?", re.DOTALL)


class Place(NamedTuple):
    """A file, and perhaps which game of it, and after which ply.

    Attributes:
        path: the file, or ``-``.
        game: the number of the game, from 1, or ``None`` for any.
        ply: how many turns of it have been played, or ``None`` for all.
    """

    path: str
    game: int | None = None
    ply: int | None = None


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long, or with characters that no name has
        return False


def parse_place(text: str, exists: Callable[[str], bool] = _exists) -> Place:
    """The place that ``FILE#3@20`` names: third game, after ply 20. ``@0`` is the start, no ``@`` the end.

    An existing file of that literal name wins.

    Args:
        text: the place.
        exists: tells whether there is a file of a name.

    Raises:
        InputError: the game is number 0.
    """
    match = _PLACE.fullmatch(text)
    if match is None or (match["game"] is None and match["ply"] is None) or exists(text):
        return Place(text)
    game = None if match["game"] is None else int(match["game"])
    if game == 0:
        raise InputError(f"{text}: games count from 1")
    return Place(match["path"], game, None if match["ply"] is None else int(match["ply"]))


def position_after(record: Record, ply: int | None = None) -> Position:
    """The position of a game after ``ply`` turns, at its end for ``None``. Later turns may be wrong.

    Raises:
        RecordError: the game has fewer turns.
        IllegalMoveError: a move up to there is not allowed.
    """
    count = len(record.line.nodes)
    wanted = count if ply is None else ply
    if wanted > count:
        raise RecordError(f"there is no ply {wanted}: the game has {count}")
    *_, position = positions(record.line.nodes[:wanted], record.start)
    return position


def read_positions(
    text: str,
    rules: Rules | None = None,
    to_move: Color | None = None,
    *,
    game: int | None = None,
    ply: int | None = None,
) -> Iterator[PositionEntry]:
    """The positions in anything pasted: one per board, line of OBF, transcript or game, in order.

    A bad entry is an entry with an error; the ones after it follow.

    Args:
        text: what was pasted, or the contents of a file.
        rules: the rules to read it under where it names none; ``othello`` when not given.
        to_move: the side to move where the text neither states nor proves it.
        game: only the entry of this number.
        ply: after how many turns of each game; at its end when not given.

    Raises:
        RecordError: there is no entry of that number, or no game in the text.
    """
    form = game_form(text, ply)
    if form is not None:
        entries = _game_positions(text, rules or OTHELLO, form, ply)
    elif ply is not None:
        raise RecordError(f"@{ply}: a position has no plies, only a game has")
    else:
        entries = pasted.read_positions(text, rules, to_move)
    if game is None:
        yield from entries
        return
    count = 0
    for entry in entries:
        count = entry.index
        if count == game:
            yield entry
            return
    raise RecordError(f"there is no game {game}: there {'is' if count == 1 else 'are'} {count}")


def _game_positions(text: str, rules: Rules, form: TextFormat | None, ply: int | None) -> Iterator[PositionEntry]:
    for entry in read_games(text, rules=rules, form=form):
        try:
            if entry.findings:
                first = entry.findings[0]
                raise RecordError(first.message, first.line or 0, first.column or 0)
            yield PositionEntry(entry.number, entry.line, "", position_after(entry.record, ply))
        except (InputError, IllegalMoveError) as error:
            yield PositionEntry(entry.number, entry.line, "", error=error)


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
