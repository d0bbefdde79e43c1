"""The opening book as a mapped, sorted file and as a table in SQLite: opening, look-ups, size.

    python benchmarks/book.py

Times are CPU times of this process.
"""

from __future__ import annotations

import random
import sqlite3
import tempfile
import time
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path

from reversi import Position
from reversi._core import canonical_key
from reversi.openings.book import FILE_NAME, Book, default_book

LOOKUPS = 20_000
OPENINGS = 200


def measured(call: Callable[[], object], times: int) -> float:
    """Microseconds of one call."""
    began = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - began) / times * 1e6


def signed(key: int) -> int:
    return key - (1 << 64) if key >> 63 else key


def main() -> None:
    book = default_book()
    positions = list(book.walk())
    chance = random.Random(1)
    known = [chance.choice(positions) for _ in range(LOOKUPS)]
    keys = [canonical_key(position) for position in known]
    with tempfile.TemporaryDirectory() as folder, as_file(files("reversi.openings") / FILE_NAME) as path:
        table = Path(folder) / "book.sqlite"
        database = sqlite3.connect(table)
        database.execute("create table book (key integer primary key, games, value, square, beside, depth)")
        for position in positions:
            entry = book.get(position)
            assert entry is not None
            row = (
                signed(canonical_key(position)),
                entry.games,
                entry.value,
                entry.beside_square,
                entry.beside_value,
                entry.depth,
            )
            database.execute("insert into book values (?, ?, ?, ?, ?, ?)", row)
        database.commit()
        question = "select value, games, square, beside, depth from book where key = ?"
        flat, sql = iter(keys * 2), iter(keys * 2)
        print(f"{len(book)} positions; {path.stat().st_size} bytes as a file, {table.stat().st_size} in SQLite")
        print(f"open, file         {measured(lambda: Book(path), OPENINGS):8.1f} us")

        def open_table() -> None:
            other = sqlite3.connect(table)
            other.execute(question, (0,)).fetchone()
            other.close()

        print(f"open, SQLite       {measured(open_table, OPENINGS):8.1f} us")
        print(f"look up, file      {measured(lambda: book._entry(next(flat)), LOOKUPS):8.2f} us")

        def ask() -> object:
            return database.execute(question, (signed(next(sql)),)).fetchone()

        print(f"look up, SQLite    {measured(ask, LOOKUPS):8.2f} us")
        all_positions = iter(known)
        print(f"moves of a position{measured(lambda: book.moves(next(all_positions)), 2000):8.1f} us")
        start = Position()
        print(f"key of a position  {measured(lambda: canonical_key(start), LOOKUPS):8.2f} us")
        database.close()


if __name__ == "__main__":
    main()
