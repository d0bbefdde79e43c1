"""Read a database of games as any file of games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from reversi._core import PASS, SQUARES, Position, read_moves
from reversi.arguments import excerpt
from reversi.errors import InputError, MissingExtraError, RecordError
from reversi.records.entry import Entry
from reversi.records.formats.database.file import DatabaseError, DatabaseFile
from reversi.records.formats.database.layout import MAGIC, MAGIC_AT
from reversi.records.formats.database.opening import opened_file
from reversi.records.formats.format import BinaryFormat, KnownNames, Writer
from reversi.records.formats.pgn.reader import parse_record
from reversi.records.holding import Capabilities
from reversi.records.record import Line, Record, Tags
from reversi.rules import OTHELLO, parse_rules
from reversi.text.boards import parse_board

PARTS: Final = "g.id, g.record, g.tags, g.rules, g.start, g.moves, g.result"
MOVES: Final = {str(move): move for move in (*SQUARES, PASS)}
_START: Final = Position()
_OTHELLO: Final = str(OTHELLO)


def start_of(rules_text: str, start_text: str) -> Position:
    if not start_text and rules_text == _OTHELLO:
        return _START
    rules = parse_rules(rules_text)
    return parse_board(start_text, rules) if start_text else Position(rules)


def record_of(database: DatabaseFile, row: tuple[Any, ...]) -> Record:
    """Return the record of a row with the columns of `PARTS`."""
    game, whole, tags, rules_text, start_text, moves, result = row
    try:
        if whole:
            return parse_record(whole)
        start = start_of(rules_text, start_text)
        numbers, *_, end = read_moves(moves)
        if end < len(moves):
            raise InputError(f"its moves end at {excerpt(moves[end:])}")
        line = Line.of_numbers(numbers)
        pairs = [(str(name), str(value)) for name, value in json.loads(tags)]
        return Record(Tags(pairs), start, line, result)
    except (InputError, ValueError) as error:
        raise DatabaseError(f"{database.path}: game {game} is damaged: {error}") from None


def entry_of(database: DatabaseFile, row: tuple[Any, ...]) -> Entry:
    """Return the game of a row as a game of a file; its number is the one that it has in the database."""
    return Entry(row[0], 0, record_of(database, row), ours=False)


def _read(stream: BinaryIO, path: Path | None, problems: list[str], encoding: str) -> Iterator[Entry]:
    """Yield the games of a database, in the order of their numbers."""
    if path is None:
        raise RecordError("a database is a file; give its name")
    try:
        with opened_file(path) as database:
            for row in database.stream(f"select {PARTS} from games g order by g.id"):
                yield entry_of(database, row)
    except (OSError, MemoryError, MissingExtraError):
        raise
    except DatabaseError as error:
        raise RecordError(str(error).removeprefix(f"{path}: "), source=str(path)) from error


def _write(names: KnownNames) -> Writer:
    raise RecordError("'reversi db import' writes databases")


DATABASE: Final = BinaryFormat(
    name="database",
    title="a database of games",
    suffixes=(".duckdb",),
    holds=Capabilities({}),
    recognize=lambda head, size: head[MAGIC_AT : MAGIC_AT + len(MAGIC)] == MAGIC and b"\0" in head,
    read=_read,
    write=_write,
)
"""A database of games. It is read as a file of games, and no format to write: `reversi.games` adds games to it."""
