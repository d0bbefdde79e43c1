"""Tables with a position on each row: a board, perhaps the side to move, and perhaps a score.

The board is the column whose cells are boards or lines of OBF. Columns are found by their names, and by what their
cells say: a side to move is a word for one, and a score is a number that counts neither discs nor empty squares.
Where a row has a score and nothing states the side to move, it is Black, as in the data of Egaroucid, if Black can
play in all rows at the top; the note says so. Scores are from the mover's view.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final

from reversi._core import Position, State
from reversi.color import Color
from reversi.errors import BoardError, InputError
from reversi.inputs.positions import PositionEntry, text_positions
from reversi.records.formats.registry import POSITIONS, recognize, table_format
from reversi.records.formats.tables.cells import board_text, cell_text
from reversi.records.formats.tables.columns import Grid, Key, Row, plain_name, start_of
from reversi.records.formats.tables.csv_table import FORMAT as CSV
from reversi.records.formats.tables.table import TableFormat
from reversi.rules import OTHELLO, Rules
from reversi.text.boards import BoardText, read_board_line
from reversi.text.cells import Turn, is_cells, read_turn
from reversi.text.decoding import excerpt
from reversi.text.kinds import TextKind, text_kind

SHOWN: Final = 100
"""The rows at the top of a table that show what its columns say."""

_SCORE: Final = re.compile(r"[+-]?[0-9]{1,2}(?:\.0*)?", re.ASCII)
_SCORES: Final = frozenset(
    ("score", "value", "eval", "evaluation", "result", "discdiff", "discdifference", "diff", "best", "結果")
)
_OF_GAMES: Final = "canonicalmove"
_OF_OURS: Final = frozenset(("board", "to_move", "after_pass", "rules"))  # of every JSON of a position
_TURNS: Final = frozenset(["tomove", "turn", "mover", "side", "player", "color", "colour", "sidetomove", "手番"])


def is_table(head: str) -> bool:
    """Return whether a text, or its beginning, is a table of positions, and not one that is read line by line."""
    if text_kind(head) is TextKind.DIAGRAM:
        return False  # on a board of another size than the rules say, too
    table = table_format(head)
    least = 2 if table is CSV else 1  # a single line, or column, is read as it is
    first = next(text_positions(head), None) if len(head.splitlines()) >= least else None
    if first is None or first.error is None:
        return False
    format_ = recognize(head)
    is_one = format_ in (None, POSITIONS) or isinstance(format_, TableFormat)
    return is_one and has_boards(table.table(iter([head])), least)


def has_boards(rows: Iterator[Row], least: int = 1) -> bool:
    """Return whether the rows at the top of a table have boards, and no games.

    Args:
        rows: the rows.
        least: the fewest rows and columns.
    """
    grid = Grid(list(islice(rows, SHOWN)))
    is_large = min(len(grid.rows), len(grid.keys)) >= least
    return is_large and 2 * grid.boards > len(grid.rows) > 2 * grid.games


@dataclass(frozen=True, slots=True)
class _Layout:
    """What is read of each row."""

    board: Key
    turn: Key | None
    score: Key | None
    to_move: Color | None
    at: Position
    rules: Key | None
    after_pass: Key | None

    def entry(self, index: int, row: Row) -> PositionEntry:
        """Return the position of a row."""
        cell, line = row.cells.get(self.board), row.line
        text = cell.strip() if isinstance(cell, str) else board_text(cell)
        try:
            if row.error:
                raise InputError(row.error)
            turn, rules = self._turn(row), self.at.rules
            if self.rules is not None:
                rules = start_of("rules", cell_text(row.cells.get(self.rules)), self.at).rules
            if len(text) == rules.board.cells and is_cells(text):
                entry = PositionEntry(index, line, text, BoardText(text, rules, turn).position(self.to_move))
            else:
                side = turn.to_move if turn else self.to_move
                entry = replace(next(text_positions(text or "-", rules, side)), index=index, line=line)
        except InputError as error:
            return PositionEntry(index, line, text, error=error)
        score = "" if self.score is None else cell_text(row.cells.get(self.score))
        return replace(entry, score=int(float(score))) if _SCORE.fullmatch(score) else entry

    def _turn(self, row: Row) -> Turn | None:
        if self.turn is None:
            return None
        text = cell_text(row.cells.get(self.turn))
        if (turn := read_turn(text)) is None:
            raise BoardError(f"{excerpt(text)} is not a side to move: X or O")
        passed = cell_text(row.cells.get("" if self.after_pass is None else self.after_pass)).casefold() == "true"
        return Turn(turn.to_move, State.AFTER_PASS) if passed else turn


def read_table(
    rows: Iterator[Row], rules: Rules | None, to_move: Color | None, notes: list[str]
) -> Iterator[PositionEntry]:
    """Yield the positions of a table, one at a time.

    Args:
        rows: the rows; those at the top have boards.
        rules: the rules, ``othello`` when not given.
        to_move: the side to move where the rows do not state it.
        notes: gets how the columns are read.
    """
    top = list(islice(rows, SHOWN + 1))
    grid = Grid(top)
    layout, note = _layout(grid, rules or OTHELLO, to_move)
    if not {*grid.names} >= _OF_OURS:
        notes.append(note)
    body = (row for row in chain(_popped(top), rows) if row.error or row.cells != grid.header)
    for index, row in enumerate(body, 1):
        yield layout.entry(index, row)


def _popped(rows: list[Row]) -> Iterator[Row]:
    yield from rows
    rows.clear()


def _layout(grid: Grid, rules: Rules, to_move: Color | None) -> tuple[_Layout, str]:
    """Return what the columns of a table of positions say, and in words."""
    board = max(grid.keys, key=lambda key: sum(map(bool, map(board_text, grid.cells(key)))))
    read = [(row, _board(row.cells.get(board), rules)) for row in grid.rows]
    grid.rows = [row for row, one in read if one is not None]
    boards = [one for _, one in read if one is not None]
    names = {key: plain_name(name) for key, name in zip(grid.keys, grid.names, strict=True)}
    texts = {key: grid.texts(key) for key in grid.keys if key != board}
    turns = [key for key, cells in texts.items() if all(map(read_turn, cells))]
    turn = next((key for key in turns if names[key] in _TURNS), turns[0] if turns else None)
    scores = [key for key, cells in texts.items() if all(map(_SCORE.fullmatch, cells))]
    nameless = [key for key in scores if not names[key] and not _is_count(texts[key], boards)]
    if _OF_GAMES in names.values():  # a table of this program: the score is Black's, of the whole game
        scores = nameless = []
    score = next((key for key in scores if names[key] in _SCORES), nameless[0] if len(nameless) == 1 else None)
    ruled = next((key for key, name in names.items() if name == "rules" and key != board), None)
    passed = next((key for key, name in names.items() if name == "afterpass"), None)
    is_black = turn is None and to_move is None and score is not None and all(map(_is_black, boards))
    found = {"board": board, "to_move": turn, "score": score, "rules": ruled, "after_pass": passed}
    said = ",".join(f"{what}={grid.titles[key]}" for what, key in found.items() if key is not None)
    unread = ", ".join(grid.titles[key] for key in texts if key not in found.values())
    note = f"columns guessed: {said}{'; Black is to move in every row' if is_black else ''}"
    layout = _Layout(board, turn, score, Color.BLACK if is_black else to_move, Position(rules), ruled, passed)
    return layout, note + (f"; not read: {unread}" if unread else "")


def _board(cell: object, rules: Rules) -> BoardText | None:
    try:
        return read_board_line(board_text(cell).partition(";")[0], rules)
    except InputError:
        return None


def _is_count(texts: Iterable[str], boards: list[BoardText]) -> bool:
    """Return whether numbers count the discs or the empty squares."""
    empty = [len(re.findall("[-.]", board.cells)) for board in boards]
    numbers = [float(text) for text in texts]
    return numbers in (empty, [len(board.cells) - count for board, count in zip(boards, empty, strict=True)])


def _is_black(board: BoardText) -> bool:
    """Return whether a board does not state the side to move, and Black can play."""
    return board.turn is None and bool(board.position(Color.BLACK).legal_moves.placements)
