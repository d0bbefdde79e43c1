"""Where the game of a session stands in a file of records, so that saving it again replaces it there."""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import reversi._regex as re
from reversi._system.paths import STANDARD_INPUT, real_path
from reversi.errors import RecordError

if TYPE_CHECKING:
    from reversi.inputs.input import Input
    from reversi.records.record import Record
    from reversi.rules import Rules

_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_AFTER_LINE_END: Final = re.compile(r"(?<=[\r\n])")


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """A game of a file of records.

    Attributes:
        path: the file, absolute and with its links followed.
        number: which game of the file, from 1.
        text: the record as it stood there when it was last read or written, as `format_record` writes it.
    """

    path: Path
    number: int
    text: str

    def span_in(self, text: str, rules: Rules) -> tuple[int, int] | None:
        """Return where the game begins and ends in the text of the file; ``None`` if another one stands there.

        Args:
            text: the text; bytes outside UTF-8 are lone surrogates.
            rules: the rules of games that do not name their own.
        """
        from reversi.records.formats.pgn.reader import parse_record, read_records
        from reversi.records.record import format_record

        found = list(itertools.islice(read_records(readable(text), rules=rules), self.number - 1, self.number + 1))
        if not found or found[0].findings:
            return None
        begins = [0, *(end.end() for end in _LINE_END.finditer(text))]
        end = begins[found[1].line - 1] if len(found) > 1 else len(text)
        candidates = [
            begins[found[0].line - 1],
            *([0] if self.number == 1 else []),
        ]  # a comment may stand before it
        for begin in candidates:
            alone = _game_in(text[begin:end])
            with contextlib.suppress(RecordError):  # a line that two games share
                if format_record(parse_record(readable(alone), rules=rules)) == self.text:
                    at = text.index(alone, begin)
                    return at, at + len(alone)
        return None


def place_in(given: Input, record: Record) -> RecordPlace | None:
    """Return where a game was read; ``None`` for one of a pasted text, or of standard input.

    Args:
        given: what a person gave; without the number of a game it is the first.
    """
    from reversi.records.record import format_record

    if given.path in ("", STANDARD_INPUT):
        return None
    return RecordPlace(real_path(Path(given.path)), given.place.game or 1, format_record(record))


def _game_in(text: str) -> str:
    """Return a text of one game without what is no part of it: blank lines around it, lines with % after it."""
    lines = _AFTER_LINE_END.split(text.removeprefix("\ufeff"))
    while lines and (not lines[-1].strip() or lines[-1].startswith("%")):
        lines.pop()
    return "".join(lines).strip()


def readable(text: str) -> str:
    """Return the text of a file with its bytes outside UTF-8, lone surrogates before, as they are read."""
    from reversi.text.decoding import decode_text

    return decode_text(text.encode("utf-8", "surrogateescape"), "")
