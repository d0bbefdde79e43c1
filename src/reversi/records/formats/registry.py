"""The registry of record formats: which there are, which one a text is in, and its games.

A new format is a module here with a `FORMAT`, and its line in `FORMATS`.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterator
from typing import Any, Final

from reversi.errors import RecordError
from reversi.records.capabilities import Capabilities
from reversi.records.entry import Entry
from reversi.records.formats import eothello, logbook, obf, quest, transcript
from reversi.records.formats.format import BinaryFormat, Format, TextFormat
from reversi.records.formats.ggf.form import FORMAT as GGF
from reversi.records.formats.parquet import FORMAT as PARQUET, TableFormat
from reversi.records.formats.pgn.form import FORMAT as PGN
from reversi.records.formats.sgf.form import FORMAT as SGF
from reversi.records.formats.wthor.form import FORMAT as WTHOR
from reversi.records.limits import give_up
from reversi.records.record import Record
from reversi.rules import OTHELLO, Rules
from reversi.text.kinds import text_kind

__all__ = [
    "BINARY_FORMATS",
    "FORMATS",
    "POSITIONS",
    "TARGETS",
    "TEXT_FORMATS",
    "format_named",
    "game_form",
    "read_games",
    "recognize",
    "target_form",
    "text_format_named",
]

FORMATS: Final[tuple[Format, ...]] = (
    GGF,
    SGF,
    eothello.FORMAT,
    WTHOR,
    quest.FORMAT,
    logbook.FORMAT,
    PGN,
    obf.FORMAT,
    transcript.FORMAT,
)
"""Every format. A text or file is in the first one that recognizes it."""

TEXT_FORMATS: Final = tuple(form for form in FORMATS if isinstance(form, TextFormat))
"""The formats that are text."""

BINARY_FORMATS: Final = tuple(form for form in FORMATS if isinstance(form, BinaryFormat))
"""The formats that are not text."""

TARGETS: Final[tuple[Format, ...]] = (*FORMATS, PARQUET)
"""Every format that games are written in: one of them is not read."""

_NAMES: Final = {form.name: form for form in TARGETS}
_SUFFIXES: Final = {suffix: form for form in TARGETS for suffix in form.suffixes}


def _no_games(text: str, rules: Rules) -> Iterator[Entry]:
    raise RecordError("positions, not games")


def _no_writing(record: Record, number: int) -> str:
    raise RecordError("positions, not games")


POSITIONS: Final = TextFormat(
    name="positions",
    title="positions",
    suffixes=(),
    holds=Capabilities({}),
    recognize=lambda text: text_kind(text) is not None,
    read=_no_games,
    write=_no_writing,
)
"""What `recognize` calls a text of positions, which is in no format of games."""


def format_named(name: str) -> Format:
    """Return the format of a name, as ``ggf``.

    Raises:
        ValueError: no format has that name.
    """
    if name == POSITIONS.name:
        return POSITIONS
    if name not in _NAMES:
        raise ValueError(f"{name!r} is not a format; the formats are {', '.join(_NAMES)}")
    return _NAMES[name]


def text_format_named(name: str) -> TextFormat:
    """Return the text format of a name, as ``ggf``.

    Raises:
        ValueError: no text format has that name.
    """
    form = format_named(name)
    if not isinstance(form, TextFormat):
        raise ValueError(f"{form.title} is not a text format")
    return form


def _reduced(form: Format) -> tuple[Callable[[str], Any], tuple[str]]:
    return format_named, (form.name,)


copyreg.pickle(TextFormat, _reduced)
copyreg.pickle(BinaryFormat, _reduced)
copyreg.pickle(TableFormat, _reduced)


def target_form(suffix: str) -> Format | None:
    """Return the format that the suffix of a file's name stands for, ``None`` for an unknown one."""
    return _SUFFIXES.get(suffix.lower())


def recognize(text: str) -> TextFormat | None:
    """Return the format that a text is in, `POSITIONS` for positions, ``None`` for anything else."""
    return next((form for form in (*TEXT_FORMATS, POSITIONS) if form.recognize(text)), None)


def game_form(text: str, ply: int | None = None) -> TextFormat | None:
    """Return the format of a text whose games are meant, ``None`` for one whose positions are.

    Boards, lines of OBF and transcripts stand for positions, which `reversi.inputs.positions` reads. With a ply, a
    transcript is a game.
    """
    form = recognize(text)
    if form is None or form.name in ("positions", "obf") or (form.name == "transcript" and ply is None):
        return None
    return form


def read_games(text: str, *, rules: Rules = OTHELLO, form: TextFormat | None = None) -> Iterator[Entry]:
    """Read the games of a text in any format, one at a time; of OBF, the positions with the values of their moves.

    Args:
        text: the whole text.
        rules: the rules of games that do not name their own.
        form: the format of the text; recognized by its content when not given.

    Raises:
        RecordError: the text holds no game or only positions, or the first
            `reversi.records.limits.MAX_STRANGE` games have nothing of a game.
    """
    form = form or recognize(text)
    return give_up(_unrecognized(text, rules) if form is None else form.read(text, rules))


def _unrecognized(text: str, rules: Rules) -> Iterator[Entry]:
    """Yield the games of a text that no format recognizes, should it have any after all."""
    try:
        yield from text_format_named("pgn").read(text, rules)
    except RecordError as error:
        why = str(error).removesuffix("; the text contains no games")
        message = (
            f"{why}; the text contains no game in a known format ({', '.join(form.name for form in FORMATS)})"
        )
        raise RecordError(message, error.line, error.column) from None
