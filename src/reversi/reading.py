"""Anything pasted or named, understood: games in every form, boards and OBF, and places like ``FILE#3@20``.

What a text is, it tells by itself: GGF and SGF begin with ``(;`` and say which game they are of; a list of
eOthello begins with its header or a line of it; a text with a line that begins with a tag is PGN-like, and so are
moves with comments, variations or a result, unless most lines are games of their own; everything else is what
:mod:`reversi.text.pasted` reads, and a text with a line that is a game holds transcripts.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from reversi._core import Position
from reversi.color import Color
from reversi.errors import IllegalMoveError, InputError, RecordError
from reversi.records.entry import Entry
from reversi.records.eothello import is_eothello, read_eothello
from reversi.records.ggf import is_ggf, read_ggf
from reversi.records.limits import give_up
from reversi.records.obf import read_obf_records
from reversi.records.pgn_reader import read_records
from reversi.records.record import Record
from reversi.records.replay import positions
from reversi.records.sgf import is_sgf, read_sgf
from reversi.records.syntax import TAG_LINE, begins_moves
from reversi.records.transcript import game_lines, read_transcripts
from reversi.rules import OTHELLO, Rules
from reversi.text import pasted
from reversi.text.pasted import PositionEntry, TextKind

__all__ = [
    "Place",
    "TextFormat",
    "parse_place",
    "position_after",
    "read_games",
    "read_positions",
    "recognise",
]

_RECORD_WORDS = re.compile(r"[{}()$]|(?:^|\s)(?:1/2-1/2|[0-9]{1,2}-[0-9]{1,2}|\*)\s*(?:$|\n\s*\n)")
_PLACE = re.compile(r"(?P<path>.+?)(?:#(?P<game>[0-9]{1,9}))?(?:@(?P<ply>[0-9]{1,4}))?", re.DOTALL)
_HEAD = 100_000  # characters that show what a text is


class TextFormat(enum.Enum):
    """What a text holds."""

    PGN = "pgn"
    TRANSCRIPT = "transcript"
    GGF = "ggf"
    SGF = "sgf"
    EOTHELLO = "eothello"
    OBF = "obf"
    POSITIONS = "positions"


_GAMES = (TextFormat.PGN, TextFormat.GGF, TextFormat.SGF, TextFormat.EOTHELLO)
_FORMS = ", ".join(form.value for form in TextFormat if form is not TextFormat.POSITIONS)


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


def recognise(text: str) -> TextFormat | None:
    """What a text holds, ``None`` when it is nothing that is read here."""
    if is_ggf(text):
        return TextFormat.GGF
    if is_sgf(text):
        return TextFormat.SGF
    if is_eothello(text):
        return TextFormat.EOTHELLO
    if TAG_LINE.search(text):
        return TextFormat.PGN
    kind = pasted.recognise(text)
    if kind is not TextKind.TRANSCRIPT:
        words = text[:_HEAD].split(None, 1)
        if kind is None and words and (words[0][0] in "{;[" or begins_moves(words[0][:50])):
            return TextFormat.PGN
        if kind is None:  # perhaps a heading
            return TextFormat.TRANSCRIPT if game_lines(text[:_HEAD])[0] else None
        return TextFormat.OBF if kind is TextKind.OBF else TextFormat.POSITIONS
    head = "\n".join(
        line.partition("%")[0] for line in text[:_HEAD].splitlines() if not line.startswith(("%", "#"))
    )
    words = head.split(None, 1)
    if words and begins_moves(words[0][:50]) and _RECORD_WORDS.search(head):
        games, lines = game_lines(head)
        return TextFormat.TRANSCRIPT if 2 * games > lines > 1 else TextFormat.PGN
    return TextFormat.TRANSCRIPT


def read_games(text: str, *, rules: Rules = OTHELLO, form: TextFormat | None = None) -> Iterator[Entry]:
    """The games of a text in any form, one at a time; of OBF, the positions with the values of their moves.

    Args:
        text: the whole text.
        rules: the rules of games that do not name their own.
        form: what the text is; found out when not given.

    Raises:
        RecordError: there is no game in the text, or it is of a form that holds none. That is so, too, where the
            first :data:`~reversi.records.limits.MAX_STRANGE` games have nothing of a game: the rest is not read.
    """
    return give_up(_entries(text, rules, form or recognise(text)))


def _entries(text: str, rules: Rules, form: TextFormat | None) -> Iterator[Entry]:
    match form:
        case TextFormat.TRANSCRIPT:
            return read_transcripts(text, rules=rules)
        case TextFormat.GGF:
            return read_ggf(text)
        case TextFormat.SGF:
            return read_sgf(text, rules=rules)
        case TextFormat.EOTHELLO:
            return read_eothello(text)
        case TextFormat.OBF:
            return read_obf_records(text, rules=rules)
        case TextFormat.POSITIONS:
            raise RecordError("positions, not games")
        case TextFormat.PGN:
            return read_records(text, rules=rules)
        case _:
            return _unrecognised(text, rules)


def _unrecognised(text: str, rules: Rules) -> Iterator[Entry]:
    """The games of a text that shows no form, should there be any after all."""
    try:
        yield from read_records(text, rules=rules)
    except RecordError as error:
        message = f"{error}; games are read in the forms {_FORMS} and WTHOR"
        raise RecordError(message, error.line, error.column) from None


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
    form = recognise(text)
    if form in _GAMES or (form is TextFormat.TRANSCRIPT and ply is not None):
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
