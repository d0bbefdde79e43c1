"""Long texts of games, cut between games: in memory, or while a file is read, so that no text is held whole.

A piece has some of the text that follows it. Where the next game does not begin exactly at the cut, the cut is
wrong, and the rest of the text must be read from the beginning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO, Final, NamedTuple

import reversi._regex as re
from reversi.records.entry import Entry
from reversi.records.formats.format import TextFormat
from reversi.records.formats.registry import read_games, recognize
from reversi.records.record import Line
from reversi.records.sources.decoding import text_chunks
from reversi.rules import OTHELLO, Rules

PIECE_CHARS: Final = 1 << 18
"""The characters of a piece, about: less than a second's work."""

_OVERLAP: Final = 2000  # characters of the next piece that show how it begins
_OLD_LINE_END: Final = re.compile(r"\r(?!\n)")  # readers count it as a line end, cutting does not
_BEGINNING: Final = 1 << 22  # bytes of a file that show its format


class CutError(Exception):
    """A text that cannot be cut: it must be read whole."""


class Piece(NamedTuple):
    """A part of a text.

    Attributes:
        text: the part, and some of what follows.
        line: the number of lines of the text before it.
        end: the line of its own text that the next part begins on, from 1; 0 for the last part.
    """

    text: str
    line: int = 0
    end: int = 0


def cut_text(text: str, format_: TextFormat | None, size: int = PIECE_CHARS) -> Iterator[Piece]:
    """Cut a text into pieces of about ``size`` characters; into one piece where its format allows no cut."""
    begins = _begins(text, format_)
    if begins is None or len(text) < 2 * size or _OLD_LINE_END.search(text):
        yield Piece(text)
        return
    at = lines = 0
    while (match := begins.search(text, at + size)) is not None:
        end = match.end()
        own = text.count("\n", at, end)
        yield Piece(text[at : end + _OVERLAP], lines, own + 1)
        lines += own
        at = end
    yield Piece(text[at:], lines)


def _begins(text: str, format_: TextFormat | None) -> re.Pattern[str] | None:
    """Return where a text may be cut, given its beginning."""
    begins = format_.cut if format_ is not None else None
    return begins(text) if callable(begins) else begins


def cut_file(stream: BinaryIO, name: str, format_: TextFormat | None = None) -> Iterator[tuple[TextFormat, Piece]]:
    """Read a file and cut its text into pieces of about `PIECE_CHARS` characters; yield its format with each.

    Args:
        stream: the file, from its beginning.
        name: what messages call it.
        format_: the format; recognized by the beginning of the text when not given.

    Raises:
        CutError: the text cannot be cut, from here on or at all.
        InputError: it is not text, or has a line that is too long.
    """
    chunks = _chunks(stream, name)
    held = next(chunks, "")
    format_ = format_ or recognize(held)
    begins = _begins(held, format_)
    if format_ is None or begins is None:
        raise CutError
    lines, searched, ended = 0, PIECE_CHARS, False
    while True:
        match = begins.search(held, searched)
        if match is None or match.end() + _OVERLAP > len(held):
            chunk = "" if ended else next(chunks, "")
            ended = not chunk
            if match is None and ended:
                break
            if not ended:
                searched = max(searched, len(held) - _OVERLAP) if match is None else match.start()
                held += chunk
                continue
        assert match is not None
        end = match.end()
        own = held.count("\n", 0, end)
        yield format_, Piece(held[: end + _OVERLAP], lines, own + 1)
        lines += own
        held, searched = held[end:], PIECE_CHARS
    yield format_, Piece(held, lines)


def _chunks(stream: BinaryIO, name: str) -> Iterator[str]:
    """Yield the text of a file in chunks of whole lines, the first one longer."""
    for chunk in text_chunks(stream, name, _BEGINNING):
        if _OLD_LINE_END.search(chunk):
            raise CutError
        yield chunk


def read_pieces(pieces: Iterator[tuple[TextFormat, Piece]], rules: Rules = OTHELLO) -> Iterator[Entry]:
    """Read the games of a text that is cut, one at a time.

    Raises:
        CutError: a cut is wrong; the games so far are right.
        InputError: a piece has no game.
    """
    count = 0
    for format_, piece in pieces:
        for entry in read_piece(piece, format_, rules):
            count += entry.is_game
            entry.number = count
            yield entry


def read_piece(piece: Piece, format_: TextFormat | None, rules: Rules) -> Iterator[Entry]:
    """Read the games of a piece, with their lines in the whole text, each once the next one begins.

    Raises:
        CutError: the cut is wrong: it may have damaged the last game, which is left out.
        InputError: the piece has no game.
    """
    held: Entry | None = None
    for entry in read_games(piece.text, rules=rules, format_=format_):
        if held is not None:
            yield _moved(held, piece.line)
        held = entry
        if piece.end and entry.line >= piece.end:
            break
    if piece.end and (held is None or held.line != piece.end):
        raise CutError
    if held is not None and not piece.end:
        yield _moved(held, piece.line)


def _moved(entry: Entry, lines: int) -> Entry:
    """Give an entry of a piece its lines in the whole text."""
    if lines:
        entry.line += lines
        entry.result_line += lines if entry.result_line else 0
        entry.findings = [
            finding if finding.line is None else replace(finding, line=finding.line + lines)
            for finding in entry.findings
        ]
        _move_line(entry.record.line, lines)
    return entry


def _move_line(line: Line, lines: int) -> None:
    if line.packed is not None:
        line.packed = line.packed._replace(line=line.packed.line + lines)
        return
    for node in line.nodes:
        if node.source_line:
            node.source_line += lines
        for variation in node.variations:
            _move_line(variation, lines)
