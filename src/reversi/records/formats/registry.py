"""The formats of records as text: which one a text is in, and its games.

A text shows its format itself: GGF and SGF begin with ``(;`` and name their game; a list of eOthello
begins with its header or a line of it; a text with a line that begins with a tag is PGN-like, and so
are moves with comments, variations or a result, unless most lines are games of their own; everything
else is what :mod:`reversi.text.pasted` reads, and a text with a line that is a game holds transcripts.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator

from reversi.errors import RecordError
from reversi.records.entry import Entry
from reversi.records.formats.eothello import is_eothello, read_eothello
from reversi.records.formats.ggf.reader import is_ggf, read_ggf
from reversi.records.formats.obf import read_obf_records
from reversi.records.formats.pgn.reader import read_records
from reversi.records.formats.pgn.syntax import begins_moves
from reversi.records.formats.sgf.reader import is_sgf, read_sgf
from reversi.records.formats.source import TAG_LINE
from reversi.records.formats.transcript import game_lines, read_transcripts
from reversi.records.limits import give_up
from reversi.rules import OTHELLO, Rules
from reversi.text import pasted
from reversi.text.pasted import TextKind

__all__ = ["TextFormat", "read_games", "recognise"]

_RECORD_WORDS = re.compile(r"[{}()$]|(?:^|\s)(?:1/2-1/2|[0-9]{1,2}-[0-9]{1,2}|\*)\s*(?:$|\n\s*\n)")
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


GAMES = (TextFormat.PGN, TextFormat.GGF, TextFormat.SGF, TextFormat.EOTHELLO)
_FORMS = ", ".join(form.value for form in TextFormat if form is not TextFormat.POSITIONS)


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
    kind = pasted.text_kind(text)
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
