"""Boards as text, on one line or many, with the side to move stated or proved.

A board on one line has rows x columns cells in row order from a1, then optionally the side to move, then
optionally ``--`` (after a pass) or ``ended`` (by two passes)::

    ---------------------------OX------XO--------------------------- X

Black is ``X x * b B``, White ``O o w W``, an empty square ``- .``. The cells may be in groups of equal length
(rows, or one by one) with blanks, ``|``, ``/`` or commas between them. `reversi.text.numbers` reads bitboards and
digits, `reversi.text.board_drawing` boards on many lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import NoneType
from typing import Final

import reversi._regex as re
from reversi._core import Move, Position, State
from reversi.arguments import TEXT_TO_POSITION, check_type, excerpt
from reversi.color import Color
from reversi.errors import BoardError, SideToMoveError
from reversi.rules import OTHELLO, Ending, Rules, parse_rules
from reversi.text.board_drawing import RULES, diagram_cells
from reversi.text.cells import Turn, bad_cell, discs_of, is_cells, is_disc, read_turn, wrong_count
from reversi.text.decoding import MAX_ENTRY, is_comment, split_lines
from reversi.text.numbers import as_cells

_WORD = re.compile(r"\S+")
_STATE_MARKS: Final = {State.FRESH: "", State.AFTER_PASS: " --", State.ENDED: " ended"}
_PASS_WORDS: Final = {State.FRESH: "", State.AFTER_PASS: ", after a pass", State.ENDED: ", after two passes"}
_SEPARATORS: Final = str.maketrans("|/,", "   ")
_UNKNOWN_SIDE: Final = "give X or O after the board, or to_move (--to-move black|white)"


@dataclass(frozen=True, slots=True)
class BoardText:
    """A board as a text shows it, with or without the side to move.

    Attributes:
        cells: the cells of the board, row by row.
        rules: the rules under which it was read.
        turn: the side to move and the state, if the text states them.
    """

    cells: str
    rules: Rules
    turn: Turn | None = None

    def position(self, to_move: Color | None = None, annotated: Iterable[Move] = ()) -> Position:
        """Return the position; the text states the side to move, or the caller does, or the moves prove it.

        A proof is that the annotated moves are legal for one side only or, without optional skips, that only one
        side has a placement. The number of discs proves nothing, because of passes.

        Args:
            to_move: the side to move if the text states none.
            annotated: moves that the text lists as possible here.

        Raises:
            SideToMoveError: nothing states or proves the side to move, or ``to_move`` contradicts the text.
            BoardError: the text says that two passes ended the game, but under the rules they do not.
        """
        if self.turn is None:
            return self._for(to_move or self._proved(tuple(annotated)))
        side, state = self.turn
        if to_move not in (None, side):
            raise SideToMoveError(
                f"the text says that {side} is to move, to_move (--to-move) says {to_move}; leave one out"
            )
        if state is State.AFTER_PASS and self.rules.optional_skip:
            return self._for(side, state)
        if state is State.ENDED:
            if self.rules.optional_skip and self.rules.ending is Ending.NO_MOVES:
                return self._for(side, state)
            if not self._for(side).is_over:
                raise BoardError(f"'ended': two passes do not end a game under {self.rules}")
        return self._for(side)

    def _for(self, side: Color, state: State = State.FRESH) -> Position:
        black, white = discs_of(self.cells, self.rules.board.columns)
        return Position.from_discs(black, white, side, self.rules, state)

    def _proved(self, annotated: tuple[Move, ...]) -> Color:
        if annotated:
            able = [side for side in Color if all(map(self._for(side).is_legal, annotated))]
            if len(able) == 1:
                return able[0]
        if not self.rules.optional_skip:
            able = [side for side in Color if self._for(side).legal_moves.placements]
            if len(able) == 1:
                return able[0]
        raise SideToMoveError(f"the side to move is neither given nor provable; {_UNKNOWN_SIDE}")


def parse_board(text: str, rules: Rules | None = None, to_move: Color | None = None) -> Position:
    """Read a board on one line or many and return its position.

    Args:
        text: the board.
        rules: the rules, which set the size of the board; ``othello`` by default.
        to_move: the side to move if the text states none.

    Raises:
        BoardError: the text is not a board, or has a wrong number of cells.
        SideToMoveError: nothing states or proves the side to move.
    """
    check_type("rules", rules, Rules, NoneType, advice="parse_rules reads text")
    return read_board(text, rules).position(to_move)


def stated_rules(text: str, given: Rules | None) -> Rules:
    """Return the rules that a text states.

    Raises:
        InputError: it states none, or others than are given.
    """
    rules = parse_rules(text)
    if given not in (None, OTHELLO, rules):
        raise BoardError(f"a position of {rules}, not of {given}; give --rules {rules}")
    return rules


def read_board(text: str, rules: Rules | None = None) -> BoardText:
    """Read a board on one line or many; the side to move stays open if the text does not state it.

    Raises:
        BoardError: the text is not a board, or has a wrong number of cells.
    """
    if len(text) > MAX_ENTRY:
        raise BoardError(f"the board has {len(text)} characters; the limit is {MAX_ENTRY}")
    lines = [line for line in split_lines(text) if line.strip() and not is_comment(line)]
    if len(lines) < 2:
        return read_board_line(lines[0] if lines else "", rules)
    named = next((line for line in lines if line.startswith(RULES)), "")
    rules = stated_rules(named.removeprefix(RULES), rules) if named else rules or OTHELLO
    cells, turn = diagram_cells(lines, rules)
    return BoardText(cells, rules, turn)


def read_board_line(text: str, rules: Rules | None = None) -> BoardText:
    """Read a board on one line; the side to move stays open if the text does not state it.

    The line may end in a semicolon, as Edax writes it.

    Raises:
        BoardError: the line is not a board, or has a wrong number of cells.
    """
    if len(text) > MAX_ENTRY:
        raise BoardError(f"the board has {len(text)} characters; the limit is {MAX_ENTRY}")
    rules = rules or OTHELLO
    needed = rules.board.cells
    text = text.rstrip().removesuffix(";")
    text = as_cells(text, *rules.board) or text.translate(_SEPARATORS).rstrip()
    words = list(_WORD.finditer(text))
    if not words:
        raise BoardError("the text is empty; give a board")
    width = len(words[0][0])
    groups = 0
    for word in words:
        if len(word[0]) != width or not is_cells(word[0]):
            break
        groups += 1
    cells = "".join(word[0] for word in words[:groups])
    side = text[words[groups].start() :] if groups < len(words) else ""
    if len(cells) != needed:
        if groups < len(words) and len(words[groups][0]) == width:  # as long as the others: cells
            raise _first_bad_cell(words[groups])
        cells, side = _attached_side(cells, side, rules)
    if not side:
        return BoardText(cells, rules)
    turn = read_turn(side)
    if turn is None:
        raise BoardError(
            f"{excerpt(side)} after the {needed} cells is not a side to move: X or O, then -- after a pass"
        )
    return BoardText(cells, rules, turn)


def _attached_side(cells: str, side: str, rules: Rules) -> tuple[str, str]:
    """Split off the side to move from cells of which there is one too many."""
    count = len(cells)
    if cells and is_disc(cells[-1]) and read_turn(side) is None:
        fits = {4 * 4, 4 * 6, 6 * 6, 4 * 8, 6 * 8, 8 * 8}
        if count - 1 == rules.board.cells:
            return cells[:-1], f"{cells[-1]} {side}"
        if count not in fits and count - 1 in fits:
            count -= 1  # the message then names the board that fits
    raise wrong_count(count, rules)


def _first_bad_cell(word: re.Match[str]) -> BoardError:
    at = next(at for at, character in enumerate(word[0]) if not is_cells(character))
    return bad_cell(word[0][at], word.start() + at + 1)


def format_board(position: Position) -> str:
    """Return the position on one line: cells, a blank, ``X`` or ``O``, and `` --`` after a pass.

    A game that two passes ended has `` ended`` instead. `parse_board` under the same rules returns the same
    position.
    """
    check_type("position", position, Position, advice=TEXT_TO_POSITION)
    return f"{position.cells} {position.to_move.symbol}{state_mark(position)}"


def state_mark(position: Position) -> str:
    """Return what follows the side to move: `` --`` after a pass, `` ended`` by two passes, or nothing."""
    return _STATE_MARKS[position.state]


def rules_lines(position: Position) -> list[str]:
    """Return the line under a board on many lines that names its rules, none for ``othello``."""
    return [] if position.rules == OTHELLO else [f"{RULES}{position.rules}"]


def pass_words(position: Position) -> str:
    """Return what a text adds about passes: ``, after a pass``, ``, after two passes`` at the end, or nothing."""
    return _PASS_WORDS[position.state]
