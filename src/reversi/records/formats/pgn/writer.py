r"""Writing records as PGN-like text, in one form: what is written again after reading is the same, byte for byte.

Tags come first, one per line: Event, Site, Date, Round, Black, White, Result; then Rules, unless ``othello``;
SetUp and Board for a start that is not that of the rules; TimeControl, Termination and the others. In their values
``\`` stands before ``"`` and ``\``. Moves follow after a blank line, in lines of up to 79 columns unless a word is
longer, one slot per turn, a pass as ``--``; then the result. One blank line separates games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from reversi._core import Position
from reversi.color import Color
from reversi.errors import RecordError
from reversi.records.formats.pgn.movetext import MAX_DEPTH
from reversi.records.formats.pgn.notes import comment_pieces, note_pieces
from reversi.records.record import ROSTER, Line, Node, Record, clean, is_result
from reversi.rules import OTHELLO
from reversi.text.boards import format_board

__all__ = ["COLUMNS", "write_record", "write_records"]

COLUMNS: Final = 79
"""The length of a line of moves, unless one word is longer."""


def write_record(record: Record) -> str:
    """Return the text of one game; `reversi.records.read_records` gives the same record back.

    Raises:
        RecordError: variations are nested more than `MAX_DEPTH` deep.
    """
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in _tags(record)]
    number = 1 if record.start.to_move is Color.WHITE else 0  # turns before the first, counted from Black's
    pieces = [*_line_pieces(record.line, number, 0), record.result if is_result(record.result) else "*"]
    return "\n".join([*lines, "", *_wrapped(pieces), ""])


def write_records(records: Iterable[Record]) -> Iterator[str]:
    """Yield the text of many games, piece by piece; the pieces one after the other are the file.

    Raises:
        RecordError: as for `write_record`.
    """
    for number, record in enumerate(records):
        yield ("\n" if number else "") + write_record(record)


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    pairs = record.tags.pairs
    known = len(ROSTER) - 1  # all but Result are always there, and first
    yield from pairs[:known]
    yield "Result", clean(record.result)
    if record.rules != OTHELLO:
        yield "Rules", str(record.rules)
    if record.start != Position(record.rules):
        yield "SetUp", "1"
        yield "Board", format_board(record.start)
    yield from pairs[known:]


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _line_pieces(line: Line, number: int, depth: int) -> list[str]:
    """Return a line of play, cut where a text line may end. ``number`` counts the turns before it from Black's
    first.
    """
    pieces = comment_pieces(line.comments)
    numbered = True  # a move has its number at first, after a comment or variation, and when it is Black's
    for at, node in enumerate(line.nodes, number):
        if at % 2 == 0:
            pieces.append(f"{at // 2 + 1}. {node.move}")
        else:
            pieces.append(f"{at // 2 + 1}... {node.move}" if numbered else str(node.move))
        notes = _node_pieces(node, at, depth)
        numbered = bool(notes)
        pieces += [f"${nag}" for nag in node.nags]
        pieces += notes
    return pieces


def _node_pieces(node: Node, number: int, depth: int) -> list[str]:
    """Return the comments and variations of a turn."""
    pieces = note_pieces(node)
    for variation in node.variations:
        if depth == MAX_DEPTH:
            raise RecordError(f"variations nested more than {MAX_DEPTH} deep cannot be written")
        inner = _line_pieces(variation, number, depth + 1) or [""]
        inner[0] = "(" + inner[0]
        inner[-1] += ")"
        pieces += inner
    return pieces


def _wrapped(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the pieces with blanks between them, in lines of up to `COLUMNS` characters."""
    line = ""
    for piece in pieces:
        if not line:
            line = piece
        elif len(line) + 1 + len(piece) <= COLUMNS:
            line += " " + piece
        else:
            yield line
            line = piece
    yield line
