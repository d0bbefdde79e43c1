"""OBF, the format of the endgame suites: one position per line, with the known score of each move.

``BOARD side; MOVE:score; MOVE:score; … % comment``. Scores are from the mover's view, ``PS:`` is a pass, and
``--:-127`` ends a list. Edax writes a score without a move (``; +12;``) where no move exists. A line with a board
alone is valid, and so are the position lines of Zebra's scripts (``.scr``): what those say in comments is left
alone. Source: the suites and the reader of Edax.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from reversi._core import Move, Position
from reversi.color import Color
from reversi.errors import InputError, ReversiError
from reversi.rules import Rules
from reversi.score import format_score
from reversi.text.boards import format_board, read_board_line
from reversi.text.decoding import excerpt, is_comment, iter_lines

__all__ = ["ObfEntry", "format_obf", "parse_obf", "read_obf"]

_FIELD = re.compile(r"(?:(?P<move>[^\s:]{1,4})\s*:\s*)?(?P<score>[+-]?\d{1,3})", re.ASCII)
_NO_MORE: Final = ("--", -127)


@dataclass(frozen=True, slots=True)
class ObfEntry:
    """One line of OBF.

    Attributes:
        position: the position.
        annotated: each listed move with its score in discs from the mover's view, in the order of the line.
            They are squares of the board or a pass; whether they are legal here is for a check to find.
        score: the score written without a move, where no move exists.
        comment: the text after ``%``, without the blanks around it.
    """

    position: Position
    annotated: tuple[tuple[Move, int], ...] = ()
    score: int | None = None
    comment: str = ""

    @property
    def best(self) -> int | None:
        """The score the line states for the position: its best move's, or ``None`` when it states none."""
        return max((score for _, score in self.annotated), default=self.score)


def parse_obf(line: str, rules: Rules | None = None, to_move: Color | None = None) -> ObfEntry:
    """Read one line of OBF.

    Args:
        line: the line.
        rules: the rules to read it under; ``othello`` when not given.
        to_move: the side to move where the line states none and its moves do not prove it.

    Raises:
        InputError: not a line of OBF; :class:`BoardError`, :class:`InvalidMoveError` and
            :class:`SideToMoveError` say which part is wrong.
    """
    body, _, comment = line.partition("%")
    head, *fields = body.split(";")
    board = read_board_line(head, rules)
    annotated: dict[Move, int] = {}
    score: int | None = None
    ended = False
    for field in filter(None, map(str.strip, fields)):
        if ended:
            raise InputError(f"{excerpt(field)} after --:-127, which ends the list")
        match = _FIELD.fullmatch(field)
        if match is None:
            raise InputError(f"{excerpt(field)} is not MOVE:score (a score is a whole number of discs)")
        value = int(match["score"])
        if (match["move"], value) == _NO_MORE:
            ended = True
            continue
        if abs(value) > board.rules.board.cells:
            raise InputError(f"{excerpt(field)}: no score of {value:+d} on {board.rules.board.cells} squares")
        if match["move"] is None:
            if score is not None:
                raise InputError(f"{excerpt(field)}: a second score without a move")
            score = value
            continue
        move = _move_on(match["move"], board.rules)
        if move in annotated:
            raise InputError(f"{excerpt(field)}: {move} is listed twice")
        annotated[move] = value
    position = board.position(to_move, annotated)
    return ObfEntry(position, tuple(annotated.items()), score, comment.strip())


def _move_on(text: str, rules: Rules) -> Move:
    move = Move.parse(text)
    rows, columns = rules.board
    if not move.is_pass and (move.index >> 3 >= rows or move.index & 7 >= columns):
        raise InputError(f"{excerpt(text)} is outside the {rules.board} board")
    return move


def read_obf(
    text: str, rules: Rules | None = None, to_move: Color | None = None
) -> Iterator[tuple[int, ObfEntry | ReversiError]]:
    """Each line of an OBF file, with its number from 1: the entry, or the error that the line is.

    Blank lines and lines of comment alone are skipped; a bad line does not hide the next ones.
    """
    for number, line in iter_lines(text):
        if isinstance(line, InputError):
            yield number, line
        elif line.strip() and not is_comment(line):
            try:
                yield number, parse_obf(line, rules, to_move)
            except ReversiError as error:
                yield number, error


def format_obf(
    position: Position, annotated: Sequence[tuple[Move, int]] = (), score: int | None = None, comment: str = ""
) -> str:
    """One line of OBF, without its end: moves in capitals, a pass as ``PS``, as the suites have them.

    :func:`parse_obf` reads it back as it was; line ends in the comment become blanks.
    """
    fields = [format_board(position)]
    fields += [f"{'PS' if move.is_pass else str(move).upper()}:{format_score(value)}" for move, value in annotated]
    if score is not None:
        fields.append(format_score(score))
    line = fields[0] if len(fields) == 1 else "; ".join(fields) + ";"
    remark = " ".join(comment.split())
    return f"{line} % {remark}" if remark else line
