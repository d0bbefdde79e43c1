"""Pasted text: recognize its format and read the positions in it.

A text has one entry per line (a line of OBF, a board, or a transcript, which stands for the position after its
last move, in any mixture), or boards on many lines, or one transcript over several lines. Blank lines and comments
(``%``, ``#``) do not matter. A name and a tab may come before a board or a transcript. A score from the mover's
view may follow a board with its side to move (``… X +4``) or, after a tab, a transcript.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, NamedTuple

from reversi._core import Move, Position
from reversi.color import Color
from reversi.errors import InputError, ReversiError
from reversi.rules import Rules
from reversi.text.boards import read_board
from reversi.text.cells import is_cells, read_turn
from reversi.text.decoding import MAX_ENTRY, excerpt, is_comment, iter_lines
from reversi.text.diagrams import is_diagram_line
from reversi.text.obf import parse_obf
from reversi.text.transcripts import read_transcript, tokenize_transcript

__all__ = ["PositionEntry", "TextKind", "read_positions", "text_kind"]

_MOST_LINES: Final = 130  # lines of one transcript, or of a board with its decoration
_ENOUGH: Final = 500  # characters that decide whether a line is a board
_FIRST_NUMBER = re.compile(r"\s*1(?:\.+|\))", re.ASCII)
_PASSES = re.compile(r"--(?:\s+--)*")  # cells do not come in groups of two
_SQUARE_FIRST = re.compile(r"(?:1\.+\s*)?[a-h][1-8]", re.IGNORECASE | re.ASCII)
_BETWEEN_CELLS: Final = str.maketrans("|/,[](){}", " " * 9)
_BITBOARD = re.compile(r"0x[0-9a-f]{1,16}|[0-9a-f]{16}", re.IGNORECASE | re.ASCII)
_SCORE = re.compile(r"[+-]?\d{1,2}", re.ASCII)
_OTHERS: Final = (
    (re.compile(r"\s*\(;\s*GM\[Othello", re.IGNORECASE), "a game in GGF"),
    (re.compile(r"\s*\(;"), "a game in SGF"),
    (re.compile(r"\s*\[\w+ +\""), "a game record with tags"),
    (re.compile(r"\s*\{\s*\""), "JSON"),
    (re.compile(r"\s*[rnbqkpRNBQKP1-8]{1,8}(?:/[rnbqkpRNBQKP1-8]{1,8}){7}\s"), "a chess position"),
)
_NUMBERED = re.compile(r"\s*(?:[2-9]|\d\d+)(?:\.+|\))", re.ASCII)


class TextKind(enum.Enum):
    """The format of a pasted text."""

    BOARD = "board"
    DIAGRAM = "diagram"
    OBF = "obf"
    TRANSCRIPT = "transcript"


@dataclass(frozen=True, slots=True)
class PositionEntry:
    """A position of a text, or the error in its place.

    Attributes:
        index: the number of the entry from 1; blank and comment lines have none.
        line: the number of its first line from 1.
        text: the entry as written.
        position: the position, or ``None`` with an error.
        annotated: the moves of an OBF line, with their scores in discs from the mover's view.
        score: the score of an OBF line without a move, or at the end of the line.
        comment: the comment of the line, after the name that a tab separates from the moves or the board.
        error: the reason why the entry has no position.
    """

    index: int
    line: int
    text: str
    position: Position | None = None
    annotated: tuple[tuple[Move, int], ...] = ()
    score: int | None = None
    comment: str = ""
    error: ReversiError | None = None

    @property
    def best(self) -> int | None:
        """The score that the text states for the position (that of its best move), or ``None``."""
        return max((score for _, score in self.annotated), default=self.score)


def text_kind(text: str) -> TextKind | None:
    """Recognize the format of a pasted text by its beginning; return ``None`` for an unknown one.

    The first entry decides for a text with one entry per line. A recognized text may have errors: a board with a
    wrong number of cells is still a board.
    """
    lines = [line for _, line in islice(_entry_lines(text), 2)]
    if not lines or isinstance(lines[0], InputError):
        return None
    kind = _kind_of(lines[0])
    if kind is TextKind.DIAGRAM and len(lines) == 1:
        return None
    return kind


def read_positions(text: str, rules: Rules | None = None, to_move: Color | None = None) -> Iterator[PositionEntry]:
    """Yield the positions in a text, in order.

    A malformed entry yields an entry with an error; the next ones follow. The function keeps only the text and one
    entry in memory, whose lines have at most `reversi.text.decoding.MAX_LINE` characters.

    Args:
        text: the pasted text, or the content of a file.
        rules: the rules; ``othello`` by default.
        to_move: the side to move if the text neither states nor proves it.
    """
    whole = _whole(text, rules, to_move)
    if whole is not None:
        yield whole
        return
    for index, block in enumerate(_blocks(text), 1):
        yield _entry(index, block, rules, to_move)


def _entry_lines(text: str) -> Iterator[tuple[int, str | InputError]]:
    """Yield the lines that are neither blank nor a comment."""
    for number, line in iter_lines(text):
        if isinstance(line, InputError) or (line.strip() and not is_comment(line)):
            yield number, line


class _Block(NamedTuple):
    line: int  # of its first line
    kind: TextKind | None
    text: str | InputError


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the entries: single lines, and boards on many lines as one entry."""
    first, previous = 0, 0
    block: list[str] = []
    for number, line in _entry_lines(text):
        kind = None if isinstance(line, InputError) else _kind_of(line)
        if block and (kind is not TextKind.DIAGRAM or number != previous + 1 or len(block) == _MOST_LINES):
            yield _Block(first, TextKind.DIAGRAM, "\n".join(block))
            block = []
        if kind is TextKind.DIAGRAM and isinstance(line, str):
            first = first if block else number
            block.append(line)
        else:
            yield _Block(number, kind, line)
        previous = number
    if block:
        yield _Block(first, TextKind.DIAGRAM, "\n".join(block))


def _entry(index: int, block: _Block, rules: Rules | None, to_move: Color | None) -> PositionEntry:
    number, kind, text = block
    if isinstance(text, InputError):
        return PositionEntry(index, number, "", error=text)
    if kind is None and "\t" in text:
        name, _, rest = text.partition("\t")
        if (named := _kind_of(rest)) is not None:
            found = _entry(index, _Block(number, named, rest), rules, to_move)
            return replace(found, text=text, comment=" ".join(filter(None, (name.strip(), found.comment))))
    try:
        match kind:
            case TextKind.OBF:
                obf = parse_obf(text, rules, to_move)
                return PositionEntry(index, number, text, obf.position, obf.annotated, obf.score, obf.comment)
            case TextKind.TRANSCRIPT:
                moves, _, comment = text.partition("%")
                moves, score = _score_after(moves, "\t")
                end = read_transcript(moves, rules, to_move).end
                return PositionEntry(index, number, text, end, score=score, comment=comment.strip())
            case TextKind.BOARD:
                board, _, comment = text.partition("%")
                board, score = _score_after(board, None)
                position = read_board(board, rules).position(to_move)
                return PositionEntry(index, number, text, position, score=score, comment=comment.strip())
            case TextKind.DIAGRAM:
                return PositionEntry(index, number, text, read_board(text, rules).position(to_move))
    except ReversiError as error:
        return PositionEntry(index, number, text, error=error)
    what = next((f"is {name}, not an Othello position" for form, name in _OTHERS if form.match(text)), None)
    what = what or "is neither a board, nor a line of OBF, nor a transcript"
    return PositionEntry(index, number, text, error=InputError(f"{excerpt(text.strip())} {what}"))


def _score_after(text: str, separator: str | None) -> tuple[str, int | None]:
    """Split off a score at the end of a line: a signed one, or any after a separator or the side to move."""
    head, *last = text.replace(",", " " if separator is None else ",").rstrip().rsplit(separator, 1)
    if not last or not _SCORE.fullmatch(last[0].strip()):
        return text, None
    score = last[0].strip()
    if separator is None and score[0] not in "+-" and read_turn(head.split()[-1]) is None:
        return text, None
    return head, int(score)


def _kind_of(text: str) -> TextKind | None:
    """Recognize the format of a line."""
    line = text.partition("%")[0].strip()
    if _SQUARE_FIRST.match(line):
        return TextKind.TRANSCRIPT
    head, semicolon, tail = line.partition(";")
    if semicolon and _is_board(head):
        moves = ":" not in tail and _begins_with_move(tail)
        return TextKind.TRANSCRIPT if moves else TextKind.OBF
    if _PASSES.fullmatch(line):
        return TextKind.TRANSCRIPT
    if is_diagram_line(line):
        return TextKind.DIAGRAM
    if _is_board(line):
        return TextKind.BOARD
    return TextKind.TRANSCRIPT if _begins_with_move(line) else None


def _is_board(text: str) -> bool:
    """Return whether a line is meant as a board: it begins with more cells than a row has."""
    words = text[:_ENOUGH].translate(_BETWEEN_CELLS).split()
    if not words:
        return False
    first = words[0]
    if len(first) > 9:  # a board with a wrong character is still a board; half of a transcript is not cells
        return _BITBOARD.fullmatch(first) is not None or sum(map(_is_cell, first)) * 4 >= len(first) * 3
    return sum(len(word) for word in words if len(word) == len(first) and all(map(_is_cell, word))) > 9


def _is_cell(character: str) -> bool:
    return is_cells(character) or character in "012"


def _begins_with_move(line: str) -> bool:
    token = next(tokenize_transcript(line[:_ENOUGH]), None)
    return token is not None and token.move is not None


def _whole(text: str, rules: Rules | None, to_move: Color | None) -> PositionEntry | None:
    """Read a text that is one board, or one transcript over several lines; return ``None`` for any other."""
    if len(text) > MAX_ENTRY:
        return None
    lines = list(islice(_entry_lines(text), _MOST_LINES + 1))
    if not 1 < len(lines) <= _MOST_LINES or any(isinstance(line, InputError) for _, line in lines):
        return None
    number, first = lines[0]
    rest = [str(line) for _, line in lines[1:]]
    kind = _kind_of(str(first))
    if kind in (TextKind.BOARD, TextKind.DIAGRAM):
        if not all(is_diagram_line(line) for line in rest):
            return None
        try:
            board = read_board(text, rules)
        except InputError:
            return None
        try:
            return PositionEntry(1, number, text, board.position(to_move))
        except InputError as error:
            return PositionEntry(1, number, text, error=error)
    if kind is TextKind.TRANSCRIPT or (kind is TextKind.OBF and str(first).rstrip().endswith(";")):
        return _long_transcript([str(first), *rest], number, rules, to_move)
    return None


def _long_transcript(
    lines: list[str], number: int, rules: Rules | None, to_move: Color | None
) -> PositionEntry | None:
    """Read one transcript over several lines: its move numbers continue, or only the whole text is a game."""
    text = "\n".join(lines)
    if len(text) > MAX_ENTRY or not _begins_with_move(lines[1]):
        return None
    numbered = _FIRST_NUMBER.match(lines[0]) is not None and all(map(_NUMBERED.match, lines[1:]))
    games = [_is_game(line, rules) for line in lines[1:]]
    try:
        end = read_transcript(text, rules, to_move).end
    except ReversiError as error:
        # a wrong move must not make each line a game of its own
        one = numbered or (not any(games) and _is_game("\n".join(lines[:2]), rules))
        return PositionEntry(1, number, text, error=error) if one else None
    return PositionEntry(1, number, text, end) if numbered or not all(games) else None


def _is_game(line: str, rules: Rules | None) -> bool:
    try:
        read_transcript(line, rules)
    except ReversiError:
        return False
    return True
