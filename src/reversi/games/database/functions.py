"""What SQL asks Python: the key of a position in any spelling, and the board after some turns of a game."""

from __future__ import annotations

import threading
from typing import Final

from reversi._core import canonical_key, read_moves
from reversi.games.database.rows import rules_salt
from reversi.inputs.input import parse_position
from reversi.records.formats.database.connection import Connection
from reversi.records.formats.database.reader import start_of
from reversi.records.formats.pgn.reader import parse_record
from reversi.records.record import Line
from reversi.records.replay import play_line, position_after
from reversi.rules import parse_rules
from reversi.text.boards import format_board

_FUNCTIONS: Final = "select function_name from duckdb_functions() where function_name like 'reversi%'"
_MACRO: Final = "create or replace temp macro position_key(text, rules := 'othello') as reversi_key(text, rules)"
_BOARD_OF: Final = ("varchar", "varchar", "varchar", "varchar", "integer")
_adding: Final = threading.Lock()  # connections to one file have their functions together


def add_functions(connection: Connection) -> None:
    """Add `position_key` for people, and `reversi_board` for the table `positions`."""
    with _adding:
        if not connection.rows(_FUNCTIONS):
            connection.add_function("reversi_key", _key, ("varchar", "varchar"), "ubigint")
            connection.add_function("reversi_board", _board, _BOARD_OF, "varchar")
    connection.execute(_MACRO)


def _key(text: str, rules_text: str) -> int:
    """Return the key of a position in the table `positions`."""
    rules = parse_rules(rules_text)
    return canonical_key(parse_position(text, rules), rules_salt(rules))


def _board(rules: str, start: str, record: str, moves: str, ply: int) -> str:
    """Return the board of a game after some turns, and the side to move.

    Args:
        rules: the rule set.
        start: the first position, empty for that of the rules.
        record: the whole record of a game whose discs were flipped by hand; else empty.
        moves: its moves.
        ply: the number of turns.
    """
    if record:
        return format_board(position_after(parse_record(record), ply))
    numbers = read_moves(moves[: 2 * ply])[0]
    return format_board(play_line(Line.of_numbers(numbers), start_of(rules, start)).end)
