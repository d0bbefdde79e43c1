"""OBF, the format of the endgame suites: one position per line, with the known score of each move.

``BOARD side; MOVE:score; MOVE:score; … % comment``. Scores are from the mover's view, ``PS:`` is a pass, and
``--:-127`` ends a list. Edax writes a score without a move (``; +12;``) when the position has no move. A board
alone is a valid line, and so are the position lines of Zebra's scripts (``.scr``), whose comments are not
interpreted. Source: the suites, and the way Edax reads them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import NoneType
from typing import Final

import reversi._regex as re
from reversi._core import Move, Position, as_move
from reversi.arguments import TEXT_TO_POSITION, check_count, check_type, excerpt
from reversi.color import Color
from reversi.errors import InputError, ReversiError
from reversi.rules import Rules
from reversi.score import format_score
from reversi.text.boards import format_board, read_board_line
from reversi.text.decoding import is_comment, iter_lines

_FIELD = re.compile(r"(?:(?P<move>[^\s:]{1,4})\s*:\s*)?(?P<score>[+-]?\d{1,3})", re.ASCII)
_NO_MORE: Final = ("--", -127)


@dataclass(frozen=True, slots=True)
class ObfEntry:
    """One line of OBF.

    Attributes:
        position: the position.
        annotated: each listed move with its score in discs from the mover's view, in the order of the line. A move
            is a square of the board or a pass; it may be illegal.
        score: the score without a move, for a position that has none.
        comment: the text after ``%``, without the blanks around it.
    """

    position: Position
    annotated: tuple[tuple[Move, int], ...] = ()
    score: int | None = None
    comment: str = ""

    @property
    def best(self) -> int | None:
        """The score that the line states for the position (that of its best move), or ``None``."""
        return max((score for _, score in self.annotated), default=self.score)


def parse_obf(line: str, rules: Rules | None = None, to_move: Color | None = None) -> ObfEntry:
    """Read one line of OBF.

    Args:
        line: the line.
        rules: the rules; ``othello`` by default.
        to_move: the side to move if the line neither states nor proves it.

    Raises:
        InputError: the line is not OBF; `reversi.errors.BoardError`, `reversi.errors.InvalidMoveError` and
            `reversi.errors.SideToMoveError` name the wrong part.
    """
    check_type("line", line, str)
    check_type("rules", rules, Rules, NoneType, advice="parse_rules reads text")
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
            raise InputError(f"{excerpt(field)}: {value:+d} is not a score on {board.rules.board.cells} squares")
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


def read_obf(text: str, rules: Rules | None = None) -> Iterator[tuple[int, ObfEntry | ReversiError]]:
    """Yield each line of an OBF file with its number from 1: the entry, or the error in its place.

    Blank lines and comments are skipped. The lines after an error follow.
    """
    for number, line in iter_lines(text):
        if isinstance(line, InputError):
            yield number, line
        elif line.strip() and not is_comment(line):
            try:
                yield number, parse_obf(line, rules)
            except ReversiError as error:
                yield number, error


def format_obf(entry: ObfEntry) -> str:
    """Write one line of OBF, without its end: moves in capitals and a pass as ``PS``, as in the suites.

    `parse_obf` reads the same entry; line ends in the comment become blanks. `format_board` writes a position
    alone.
    """
    check_type("entry", entry, ObfEntry, advice="ObfEntry(position) is one")
    check_type("position", entry.position, Position, advice=TEXT_TO_POSITION)
    fields = [format_board(entry.position)]
    for move, value in entry.annotated:
        check_count("score", value, 64, least=-64)
        name = "PS" if as_move(move).is_pass else str(move).upper()
        fields.append(f"{name}:{format_score(value)}")
    if entry.score is not None:
        check_count("score", entry.score, 64, least=-64)
        fields.append(format_score(entry.score))
    line = fields[0] if len(fields) == 1 else "; ".join(fields) + ";"
    remark = " ".join(entry.comment.split())
    return f"{line} % {remark}" if remark else line
