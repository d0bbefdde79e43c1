"""Tables in JSON: an object for each game, on a line of its own (JSON lines), one after another or in an array.

JSON lines are read a line at a time. Anything else is read whole; an object that has no moves and one array of
objects stands for these.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any, Final

from reversi._core import Position
from reversi.records.formats.game_columns import checked_row, row_of
from reversi.records.formats.json_objects import DECODER, GAMES_ARRAY, begins_json, read_objects
from reversi.records.formats.source import Source
from reversi.records.formats.tables.cells import count_moves
from reversi.records.formats.tables.columns import Key, Row, are_positions, named_moves
from reversi.records.formats.tables.table import TableFormat, read_table
from reversi.records.holding import Capabilities
from reversi.records.record import Record
from reversi.rules import OTHELLO

_HEAD: Final = 100_000  # characters that show what a text is
_START: Final = Position(OTHELLO)
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def json_table(chunks: Iterator[str]) -> Iterator[Row]:
    """Return the rows of a text that comes in chunks of whole lines."""
    first = next(chunks, "")
    if GAMES_ARRAY.match(first):
        yield from _array("".join([first, *chunks]))
        return
    are_lines, before = _begins_lines(first), 0
    for text in chain([first], chunks) if are_lines else ["".join([first, *chunks])]:
        source = Source(text)
        for one in read_objects(source):
            if one.members is None:
                finding = one.finding
                line, why = (finding.line, finding.message) if finding else (None, "")
                yield Row(before + (line or one.line), {}, why)
            else:
                for members in [one.members] if are_lines else _inside(one.members):
                    cells: dict[Any, Any] = _ours(members) if "turns" in members else members
                    yield Row(before + one.line, cells, size=one.end - one.at)
        before += source.line_at(len(source.text)) - 1


def _array(text: str) -> Iterator[Row]:
    """Yield a row for each item of an array, a text or a list of moves; one for all where each is a move."""
    try:
        items = [DECODER.decode(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        items = []
    try:
        if len(items) < 2:  # not one on each line
            (items,) = items or [DECODER.decode(text)]
            items = items if any(count_moves(item, _START) > 1 for item in items) else [items]
    except (ValueError, RecursionError) as error:
        yield Row(1, {}, f"not JSON: {error}")
        return
    for number, item in enumerate(items, 1):
        yield Row(number, {0: item})


def _begins_lines(text: str) -> bool:
    """Return whether the first line of a text is an object that stands for itself, as in JSON lines."""
    objects = islice(read_objects(Source(text.lstrip().partition("\n")[0])), 2)
    members = [one.members for one in objects]
    return len(members) == 1 and members[0] is not None and _inside(members[0]) == members


def _inside(members: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the objects that an object stands for: itself, or those of its only array of objects."""
    if _stands_alone(members):
        return [members]
    arrays = [(name, value) for name, value in members.items() if isinstance(value, list) and value]
    games = [value for _, value in arrays if all(isinstance(item, dict) for item in value)]
    games += [[{name: item} for item in value] for name, value in arrays if _are_games(value)]
    return games[0] if len(games) == 1 else [members]


def _ours(members: dict[Any, Any]) -> dict[Key, object]:
    """Return the members of an object with turns; one of `analyze --json` gets its start as one text."""
    if {"board", "to_move", "after_pass"} <= members.keys():
        after = " --" if members["after_pass"] is True else ""
        members = {**members, "start": f"{members['board']} {members['to_move']}{after}"}
    return members


def _has_moves(members: Mapping[str, object]) -> bool:
    return any(
        count_moves(value, _START) > 1 or (named_moves(name) and not _are_games(value))
        for name, value in members.items()
    )


def _stands_alone(members: Mapping[str, object]) -> bool:
    return _has_moves(members) or are_positions(members)


def _are_games(value: object) -> bool:
    """Return whether a member is a list of games."""
    return isinstance(value, list) and bool(value) and all(count_moves(item, _START) > 1 for item in value)


def is_json_table(text: str) -> bool:
    """Return whether a text is JSON whose first object, or first item, has moves, or a position of ours."""
    if array := GAMES_ARRAY.match(text):
        return count_moves(array[1].strip('"'), _START) > 0
    if not begins_json(text):
        return False
    one = next(read_objects(Source(text[:_HEAD])), None)
    return one is not None and one.members is not None and any(map(_stands_alone, _inside(one.members)[:1]))


def json_row(record: Record) -> dict[str, Any]:
    """Return the row of a game as JSON has it: a date is text."""
    row = row_of(record)
    return {**row, "date": row["date"] and str(row["date"])}


def _written(record: Record, number: int) -> str:
    return _ENCODER.encode(checked_row(json_row(record))) + "\n"


FORMAT: Final = TableFormat(
    name="jsonl",
    title="JSON lines",
    suffixes=(".jsonl", ".ndjson"),
    holds=Capabilities({}),
    recognize=is_json_table,
    read=lambda text, rules: read_table(json_table(iter([text])), rules),
    write=_written,
    table=json_table,
)
