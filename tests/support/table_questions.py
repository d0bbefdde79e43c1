"""What was played in a position: asked of a database, and of its exported table."""

from __future__ import annotations

from pathlib import Path

from reversi import Color, Position, canonical_key
from reversi._core import canonical_square
from reversi.games import Database, MoveTally


def explored(database: Database, position: Position) -> set[tuple[object, ...]]:
    """What `explore` finds, by the moves of the canonical position."""
    found = database.explore(position)
    sign = 1 if position.to_move is Color.BLACK else -1

    def black(tally: MoveTally) -> float | None:
        return None if tally.score is None else sign * tally.score

    rows: set[tuple[object, ...]] = {
        (canonical_square(position, tally.move), tally.games, tally.black, tally.draws, tally.white, black(tally))
        for tally in found.moves
        if tally.move is not None
    }
    if found.stopped is not None:
        stopped = found.stopped
        rows.add((None, stopped.games, stopped.black, stopped.draws, stopped.white, black(stopped)))
    return rows


def square_of(move: str | None) -> int | None:
    return None if move is None else 64 if move == "--" else "abcdefgh".index(move[0]) + 8 * int(move[1]) - 8


def asked_in_polars(file: Path, position: Position) -> set[tuple[object, ...]]:
    import polars as pl

    winner = pl.col("winner")
    frame = (
        pl.scan_parquet(file)
        .filter(pl.col("key") == canonical_key(position))
        .group_by("canonical_move")
        .agg(
            pl.len(),
            *((winner == word).sum().alias(word) for word in ("black", "draw", "white")),
            pl.col("score").mean(),
        )
    )
    return {(square_of(row[0]), *row[1:]) for row in frame.collect().rows()}


def asked_in_duckdb(file: Path, position: Position) -> set[tuple[object, ...]]:
    import duckdb

    rows = duckdb.execute(
        "select canonical_move, count(*), count(*) filter (winner = 'black'), count(*) filter (winner = 'draw'),"
        f" count(*) filter (winner = 'white'), avg(score) from '{file}' where key = ? group by 1",
        [canonical_key(position)],
    ).fetchall()
    return {(square_of(row[0]), *row[1:]) for row in rows}
