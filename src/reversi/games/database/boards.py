"""The tables of a database as people get them: with boards, and with what the columns mean.

The table `positions` of the file has the keys of the positions only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from reversi._core import Position
from reversi._system.arrow import load_arrow
from reversi.color import Color
from reversi.records.formats.database.file import DatabaseFile
from reversi.records.formats.database.reader import MOVES, PARTS, record_of
from reversi.records.formats.game_columns import GAMES, IN_DATABASE, POSITIONS, described
from reversi.records.replay import positions
from reversi.rules import OTHELLO

if TYPE_CHECKING:
    import pyarrow as pa

_OTHELLO: Final = str(OTHELLO)
_MOVERS: Final = {Color.BLACK: "black", Color.WHITE: "white"}


def completed_table(database: DatabaseFile, name: str) -> Callable[[pa.RecordBatch], pa.RecordBatch]:
    """Return what completes rows of a table: boards, and what the columns mean."""
    columns = POSITIONS if name == "positions" else GAMES | IN_DATABASE

    def completed(batch: pa.RecordBatch) -> pa.RecordBatch:
        if name == "positions":
            batch = with_boards(database, batch)
        arrow = load_arrow()
        schema = described(arrow, batch.schema, columns, database.path.name)
        return arrow.RecordBatch.from_arrays(batch.columns, schema=schema)

    return completed


def _positions(database: DatabaseFile, row: tuple[Any, ...]) -> Iterable[Position]:
    """Return the positions of a game, given the columns `PARTS`; from its moves alone where these say it."""
    _, record, _, rules, start, moves, _ = row
    if "[%flips" in record or start or rules != _OTHELLO:
        return positions(record_of(database, row))
    position = Position()
    found = [position]
    for at in range(0, len(moves), 2):
        position = position.play(MOVES[moves[at : at + 2]])
        found.append(position)
    return found


def with_boards(database: DatabaseFile, batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows of the table `positions` with the columns `board`, `mover` and `empties`.

    Args:
        database: the database.
        batch: some rows, in the order of the games.
    """
    arrow = load_arrow()
    games, plies = batch.column("game").to_pylist(), batch.column("ply").to_pylist()
    boards: list[str] = []
    movers: list[str] = []
    begins: dict[int, int] = {}
    wanted = [min(games, default=0), max(games, default=-1), list(dict.fromkeys(games))]
    query = (
        f"select {PARTS} from games g"
        " where g.id between ? and ? and g.id in (select unnest(?::integer[])) and g.legal"
    )
    for row in database.stream(query, wanted):
        begins[row[0]] = len(boards)
        for position in _positions(database, row):
            boards.append(position.cells)
            movers.append(_MOVERS[position.to_move])
    at = arrow.array([begins[game] + ply for game, ply in zip(games, plies, strict=True)], arrow.int64())
    board = arrow.array(boards, arrow.string()).take(at)
    mover = arrow.array(movers, arrow.string()).take(at)
    empties = arrow.array([cells.count("-") for cells in boards], arrow.uint8()).take(at)
    names = [*batch.schema.names, "board", "mover", "empties"]
    return arrow.RecordBatch.from_arrays([*batch.columns, board, mover, empties], names=names)
