"""Tables with a position on each row: a board, perhaps the side to move, and perhaps a score.

The board is the column whose cells are boards or lines of OBF. Columns are found by their names, and by what their
cells say: a side to move is a word for one, and a score is a number that counts neither discs nor empty squares.
Where a row has a score and nothing states the side to move, it is Black, as in the data of Egaroucid, if Black can
play in all rows at the top; the note says so. Scores are from the mover's view.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from types import MappingProxyType
from typing import Final

import reversi._regex as re
from reversi._core import State
from reversi.arguments import excerpt
from reversi.color import Color
from reversi.errors import BoardError, InputError
from reversi.inputs.positions import PositionEntry, text_positions
from reversi.records.formats.registry import POSITIONS, recognize, table_format
from reversi.records.formats.tables.cells import board_text, cell_text
from reversi.records.formats.tables.columns import (
    Columns,
    Grid,
    Key,
    Row,
    are_positions,
    parse_columns,
    plain_name,
)
from reversi.records.formats.tables.csv_table import FORMAT as CSV
from reversi.records.formats.tables.table import TableFormat
from reversi.rules import OTHELLO, Rules
from reversi.text.boards import BoardText, read_board_line, stated_rules
from reversi.text.cells import Turn, is_cells, read_turn
from reversi.text.kinds import TextKind, text_kind

SHOWN: Final = 100
"""The rows at the top of a table that show what its columns say."""

COLUMNS: Final = ("board", "to_move", "score", "rules", "after_pass", "ended")
"""What the columns of a table of positions can say."""

_SCORE: Final = re.compile(r"[+-]?[0-9]{1,2}(?:\.0*)?", re.ASCII)
_SCORES: Final = frozenset(
    ("score", "value", "eval", "evaluation", "result", "discdiff", "discdifference", "diff", "best", "結果")
)
_OF_GAMES: Final = "canonicalmove"
_STATES: Final = (("ended", State.ENDED), ("after_pass", State.AFTER_PASS))
_TURNS: Final = frozenset(["tomove", "turn", "mover", "side", "player", "color", "colour", "sidetomove", "手番"])


def position_columns(texts: Iterable[str]) -> dict[str, str]:
    """Return what the columns of a table of positions say, as in ``board=2,score=eval``; each one of `COLUMNS`.

    Raises:
        ColumnsError: a text is not of this form, or none names the boards.
    """
    return parse_columns(texts, COLUMNS, ("board",))


def is_table(head: str) -> bool:
    """Return whether a text, or its beginning, is a table of positions, and not one that is read line by line."""
    if head.startswith('{"reversi_proof":'):
        raise InputError("a certificate; 'reversi proof check' reads it")
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
    if are_positions(grid.names):
        return True
    is_large = min(len(grid.rows), len(grid.keys)) >= least
    return is_large and 2 * grid.boards > len(grid.rows) > 2 * grid.games


@dataclass(frozen=True, slots=True)
class _Layout:
    """What is read of each row."""

    keys: dict[str, Key]
    side: Color | None
    rules: Rules | None

    def entry(self, index: int, row: Row) -> PositionEntry:
        """Return the position of a row."""
        cell, line = row.cells.get(self.keys["board"]), row.line
        text = cell.strip() if isinstance(cell, str) else board_text(cell)
        try:
            if row.error:
                raise InputError(row.error)
            turn, rules = self._turn(row), self.rules or OTHELLO
            if name := self._text(row, "rules"):
                rules = stated_rules(name, self.rules)
            if len(text) == rules.board.cells and is_cells(text):
                entry = PositionEntry(index, line, text, BoardText(text, rules, turn).position(self.side))
            else:
                side = turn.to_move if turn else self.side
                entry = replace(next(text_positions(text or "-", rules, side)), index=index, line=line)
        except InputError as error:
            return PositionEntry(index, line, text, error=error)
        score = self._text(row, "score")
        return replace(entry, score=int(float(score))) if _SCORE.fullmatch(score) else entry

    def _text(self, row: Row, role: str) -> str:
        key = self.keys.get(role)
        return "" if key is None else cell_text(row.cells.get(key))

    def _turn(self, row: Row) -> Turn | None:
        if "to_move" not in self.keys:
            return None
        text = self._text(row, "to_move")
        if (turn := read_turn(text)) is None:
            raise BoardError(f"{excerpt(text)} is not a side to move: X or O")
        states = (state for role, state in _STATES if self._text(row, role).casefold() == "true")
        return Turn(turn.to_move, next(states, turn.state))


def read_table(
    rows: Iterator[Row],
    rules: Rules | None,
    to_move: Color | None,
    notes: list[str],
    columns: Columns = MappingProxyType({}),
) -> Iterator[PositionEntry]:
    """Yield the positions of a table, one at a time.

    Args:
        rows: the rows; those at the top have boards.
        rules: the rules, ``othello`` when not given.
        to_move: the side to move where the rows do not state it.
        notes: gets how the columns are read.
        columns: what columns say, each one of `COLUMNS`; guessed where it is empty.

    Raises:
        ColumnsError: there is no such column.
    """
    top = list(islice(rows, SHOWN + 1))
    grid = Grid(top, columns)
    if columns:
        found = {role: grid.key_of(column) for role, column in columns.items()}
    else:
        found = _guessed(grid, rules or OTHELLO)
    if are_positions(grid.names):
        found["ended"] = "ended"  # which is there in the rows where it is true
    boards = [one for cell in grid.cells(found["board"]) if (one := _board(cell, rules or OTHELLO)) is not None]
    is_black = not {"to_move", "rules"} & found.keys() and "score" in found and to_move is None
    is_black = is_black and all(map(_is_black, boards))
    if not columns and not are_positions(grid.names):
        said = ",".join(f"{role}={grid.titles[key]}" for role, key in found.items())
        unread = ", ".join(grid.titles[key] for key in grid.keys if key not in found.values())
        note = f"columns guessed: {said}{'; Black is to move in every row' if is_black else ''}"
        notes.append(note + (f"; not read: {unread}" if unread else ""))
    layout = _Layout(found, Color.BLACK if is_black else to_move, rules)
    body = (row for row in chain(_popped(top), rows) if row.error or row.cells != grid.header)
    for index, row in enumerate(body, 1):
        yield layout.entry(index, row)


def _popped(rows: list[Row]) -> Iterator[Row]:
    yield from rows
    rows.clear()


def _guessed(grid: Grid, rules: Rules) -> dict[str, Key]:
    """Return what the columns of a table of positions say."""
    board = max(grid.keys, key=lambda key: sum(map(bool, map(board_text, grid.cells(key)))))
    read = [(row, _board(row.cells.get(board), rules)) for row in grid.rows]
    grid.rows = [row for row, one in read if one is not None]
    boards = [one for _, one in read if one is not None]
    names = {key: plain_name(name) for key, name in zip(grid.keys, grid.names, strict=True) if key != board}
    texts = {key: grid.texts(key) for key in names}
    turns = [key for key, cells in texts.items() if all(map(read_turn, cells))]
    scores = [key for key, cells in texts.items() if all(map(_SCORE.fullmatch, cells))]
    nameless = [key for key in scores if not names[key] and not _is_count(texts[key], boards)]
    if _OF_GAMES in names.values():  # a table of this program: the score is Black's, of the whole game
        scores = nameless = []
    found = {
        "board": board,
        "to_move": next((key for key in turns if names[key] in _TURNS), turns[0] if turns else None),
        "score": next(
            (key for key in scores if names[key] in _SCORES), nameless[0] if len(nameless) == 1 else None
        ),
        **{role: next((key for key in names if names[key] == plain_name(role)), None) for role in COLUMNS[3:]},
    }
    return {role: key for role, key in found.items() if key is not None}


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
