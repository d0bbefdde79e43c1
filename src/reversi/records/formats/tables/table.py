"""A table of games: its rows, which of its columns are read, and the game on each row."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import BinaryIO, Final, NamedTuple, TypeAlias

from reversi._core import Position, Square
from reversi.errors import InputError, RecordError
from reversi.records.dialects import complete_entry
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.formats.format import BinaryFormat, TextFormat
from reversi.records.formats.game_columns import MAX_CELL, too_long
from reversi.records.formats.pgn.reader import read_records
from reversi.records.formats.results import numbers_mean, read_result
from reversi.records.formats.tables.cells import (
    begins_as_moves,
    cell_text,
    date_text,
    read_cell_moves,
)
from reversi.records.formats.tables.columns import Columns, ColumnsError, Grid, Guess, Key, Row, guess, is_known
from reversi.records.limits import MAX_PARTS
from reversi.records.notes import clean
from reversi.records.record import Line, Record, Tags
from reversi.records.replay import board_result
from reversi.rules import OTHELLO, Rules, parse_rules
from reversi.text.boards import parse_board
from reversi.text.counting import counted
from reversi.text.decoding import excerpt

SHOWN: Final = 100
"""The rows at the top of a table that show what its columns say."""

Confirm: TypeAlias = Callable[[str, Guess], Columns | None]
"""Asks somebody about the columns of a file, given its name and a guess; ``None`` where they are not known."""

_TAGS_OF: Final = {
    "black": "Black",
    "white": "White",
    "event": "Event",
    "site": "Site",
    "round": "Round",
    "id": "GameId",
}


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How tables are read.

    Attributes:
        columns: what the columns say, as `parse_columns` returns it; guessed where it is empty.
        confirm: asks about a guess. Without it, a guess is taken only where it is certain.
    """

    columns: Columns = field(default_factory=dict)
    confirm: Confirm | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class TableFormat(TextFormat):
    """A table as text.

    Attributes:
        table: gives the rows of a text, which comes in chunks of whole lines.
    """

    table: Callable[[Iterator[str]], Iterator[Row]]


@dataclass(frozen=True, kw_only=True, eq=False)
class BinaryTableFormat(BinaryFormat):
    """A table that is not text.

    Attributes:
        table: gives the rows of a stream.
    """

    table: Callable[[BinaryIO], Iterator[Row]]


class _Layout(NamedTuple):
    """What is read of each row: the columns, what messages call them, and how."""

    keys: Mapping[str, Key]
    titles: Mapping[Key, str]
    number_is: str
    ours: bool


def read_table(
    rows: Iterator[Row],
    rules: Rules = OTHELLO,
    *,
    options: TableOptions | None = None,
    notes: list[str] | None = None,
    name: str = "",
) -> Iterator[Entry]:
    """Read the games of a table, one at a time. A row that cannot be read has a finding, and the next ones follow.

    Args:
        rows: the rows. Where their cells have no names, the first may be the names of the columns.
        rules: the rules of games that do not name their own.
        options: what the columns say; guessed when not given.
        notes: collects what was guessed.
        name: what messages call the table.

    Raises:
        ColumnsError: there is no such column, or a guess is not certain.
        RecordError: there is no game.
    """
    options = options or TableOptions()
    top = list(islice(rows, SHOWN + 1))
    if not top:
        raise RecordError("the table has no rows", source=name)
    wanted = list(dict.fromkeys(key for row in top for key in row.cells))
    is_named = any(isinstance(key, str) for key in wanted)
    header = None if is_named else _header(top, options.columns, wanted)
    names = [clean(cell_text(top[0].cells.get(key)) if header else str(key)) for key in wanted]
    if not is_named and not header:
        names = [""] * len(wanted)
    body = [row for row in top[1:] if row.cells != header] if header else top[:SHOWN]
    grid = Grid(wanted, names, body)
    layout = _layout(grid, rules, options, notes, name, has_rows=bool(body))
    rest = chain(top[1:] if header else top, rows)
    number = 0
    for row in rest:
        if header is not None and row.cells == header:  # several files one after another
            continue
        number += 1
        yield _entry(number, row, layout, rules)
    if not number:
        raise RecordError("the table has a header and no games", source=name)


def _header(top: list[Row], columns: Columns, keys: list[Key]) -> Mapping[Key, object] | None:
    """Return the cells of the first row if they are the names of the columns."""
    first = top[0]
    texts = [cell_text(first.cells.get(key)) for key in keys]
    if first.error or not any(texts) or any(map(begins_as_moves, texts)):
        return None
    folded = {text.casefold() for text in texts if text}
    if any(not column.isdecimal() and column.casefold() in folded for column in columns.values()):
        return first.cells
    if any(map(is_known, texts)):
        return first.cells
    numbers = any(text.lstrip("+-").replace(".", "", 1).isdecimal() for text in texts)
    return None if numbers else first.cells


def _layout(
    grid: Grid, rules: Rules, options: TableOptions, notes: list[str] | None, name: str, *, has_rows: bool
) -> _Layout:
    columns, ours = options.columns, False
    if not columns:
        guessed = guess(grid, rules)
        ours, columns = guessed.ours, guessed.columns
        if not ours and options.confirm is not None:
            columns = options.confirm(name, guessed) or {}
            if not columns:
                raise _uncertain(guessed, "the columns are not confirmed", name)
        elif not ours and not has_rows:
            raise RecordError("the table has a header and no games", source=name)
        elif not ours and guessed.doubt:
            raise _uncertain(guessed, guessed.doubt, name)
        elif not ours and notes is not None:
            notes.append(f"{name}: {guessed}" if name else str(guessed))
    try:
        keys = {role: grid.key_of(column) for role, column in columns.items()}
    except ColumnsError as error:
        raise ColumnsError(str(error), source=name) from None
    number_is = "lead"
    if "result" in keys and "white_discs" not in keys:
        number_is = _meaning(grid, keys, rules)
    return _Layout(keys, grid.titles, number_is, ours)


def _uncertain(guessed: Guess, why: str, name: str) -> ColumnsError:
    if "moves" in guessed.columns:
        return ColumnsError(f"{why}; give --columns {guessed.option}", guessed, source=name)
    others = f" (the columns: {', '.join(guessed.unread[:12])})" if guessed.unread else ""
    return ColumnsError(f"{why}{others}; give --columns moves=NAME or NUMBER", guessed, source=name)


def _meaning(grid: Grid, keys: Mapping[str, Key], rules: Rules) -> str:
    """Return what the numbers of the results say, by the games at the top that ended on the board."""
    layout = _Layout({"moves": keys["moves"]} if "moves" in keys else {}, grid.titles, "lead", False)
    cells = []
    for row in grid.rows:
        record = _entry(1, row, layout, rules).record
        cells.append((cell_text(row.cells.get(keys["result"])), board_result(record)))
    return numbers_mean(cells, rules)


def _entry(number: int, row: Row, layout: _Layout, rules: Rules) -> Entry:
    """Return the game of a row."""
    entry = Entry(number, row.line, Record(start=Position(rules)), ours=False, result_line=row.line)
    if row.error:
        entry.findings.append(Finding(Code.SYNTAX, row.error, None, row.line))
        return entry
    cells = {role: row.cells.get(key) for role, key in layout.keys.items()}
    for role, value in cells.items():
        if why := too_long(role, value, layout.titles[layout.keys[role]]):
            entry.findings.append(Finding(Code.SYNTAX, why, None, row.line))
            return entry
    if "record" in cells and (text := cell_text(cells["record"])):
        return _whole(entry, text, rules)
    entry.ours = layout.ours
    entry.record = Record(_tags(entry, cells), _start(entry, cells, rules))
    if entry.findings:
        return entry
    _read_result(entry, cells, layout)
    _read_moves(entry, cells.get("moves"), layout)
    _read_flips(entry, cells.get("flips"))
    if not layout.ours:  # which has every pass, and the result as it was recorded
        complete_entry(entry)
    return entry


def _whole(entry: Entry, text: str, rules: Rules) -> Entry:
    """Return the game of a cell that has the whole of it, in this program's own format."""
    try:
        games = list(islice(read_records(text, rules=rules), 2))
    except RecordError as error:
        entry.findings.append(_wrong(entry, f"the record cannot be read: {error}"))
        return entry
    if len(games) != 1:
        entry.findings.append(_wrong(entry, "the record has more than one game"))
        return entry
    (game,) = games
    findings = [Finding(finding.code, finding.message, finding.ply, entry.line) for finding in game.findings]
    return Entry(entry.number, entry.line, game.record, findings, game.ours, entry.line)


def _wrong(entry: Entry, message: str, code: Code = Code.SYNTAX, ply: int | None = None) -> Finding:
    return Finding(code, message, ply, entry.line)


def _tags(entry: Entry, cells: Mapping[str, object]) -> Tags:
    pairs: list[tuple[str, str]] = []
    more = list(_more_tags(entry, cells.get("tags")))
    recorded = {name for name, _ in more}
    for role, value in cells.items():
        text = cell_text(value)
        tag = "Date" if role in ("date", "year") else _TAGS_OF.get(role, role)
        if not text or tag in recorded:  # which has it as recorded
            continue
        if role == "date":
            date, time = date_text(value)
            pairs += [("Date", date), *([("Time", time)] if time else [])]
        elif role == "year" and not cell_text(cells.get("date")):
            pairs.append(("Date", date_text(text.removesuffix(".0"))[0]))
        elif role in _TAGS_OF or role[:1].isupper():
            pairs.append((tag, text))
    try:
        return Tags([*pairs, *more])
    except RecordError as error:
        entry.findings.append(_wrong(entry, str(error), Code.BAD_TAG))
        return Tags()


def _more_tags(entry: Entry, value: object) -> Iterable[tuple[str, str]]:
    """Return the tags of a cell: a mapping, or pairs, as such or as JSON."""
    if isinstance(value, str) and value.strip():
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            entry.findings.append(_wrong(entry, f"the tags {excerpt(str(value))} are not JSON", Code.BAD_TAG))
            return []
    if isinstance(value, Mapping):
        value = list(value.items())
    if not isinstance(value, list | tuple):
        return []
    if len(value) > MAX_PARTS:
        entry.findings.append(_wrong(entry, f"the game has more than {MAX_PARTS} tags", Code.BAD_TAG))
        return []
    pairs = []
    for item in value:
        pair = list(item.values()) if isinstance(item, Mapping) else item
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not isinstance(pair[0], str):
            entry.findings.append(_wrong(entry, "the tags are not names with values", Code.BAD_TAG))
            return []
        pairs.append((pair[0], pair[1] if isinstance(pair[1], str) else cell_text(pair[1])))
    return pairs


def _start(entry: Entry, cells: Mapping[str, object], rules: Rules) -> Position:
    try:
        if text := cell_text(cells.get("rules")):
            rules = parse_rules(text)
        if text := cell_text(cells.get("start")):
            return parse_board(text, rules)
    except InputError as error:
        entry.findings.append(_wrong(entry, str(error), Code.BAD_TAG))
    return Position(rules)


def _read_result(entry: Entry, cells: Mapping[str, object], layout: _Layout) -> None:
    record = entry.record
    value: object = cells.get("result")
    if "white_discs" in cells:
        sides = [cell_text(value).removesuffix(".0"), cell_text(cells["white_discs"]).removesuffix(".0")]
        value = "-".join(sides) if all(sides) else ""
    result = read_result(cell_text(value), layout.number_is, record.rules, (record.black, record.white))
    if result is None:
        entry.findings.append(_wrong(entry, f"{excerpt(cell_text(value))} is not a result"))
        return
    result.give_to(record)


def _read_moves(entry: Entry, value: object, layout: _Layout) -> None:
    moves, strange = read_cell_moves(value)
    entry.record.line = Line.of_numbers(moves[:MAX_CELL], entry.line)
    if strange is not None:
        message = f"{excerpt(strange.text)} is not a move"
        entry.findings.append(_wrong(entry, message, Code.INVALID_MOVE, len(moves) + 1))
        return
    if not moves and not layout.ours and not entry.findings:
        where = layout.titles.get(layout.keys.get("moves", ""), "")
        entry.findings.append(_wrong(entry, f"column {where} has no moves"))


def _read_flips(entry: Entry, value: object) -> None:
    """Read the flips by hand of an analysis: the discs, by the number of the ply."""
    if not isinstance(value, Mapping):
        return
    nodes = {str(ply): node for ply, node in enumerate(entry.record.line.nodes, 1)}
    try:
        for ply, squares in value.items():
            nodes[ply].flips = tuple(sorted(set(map(Square, squares))))
    except (KeyError, TypeError, ValueError):
        entry.findings.append(_wrong(entry, f"the flips {excerpt(cell_text(value))} are not squares of its plies"))


def ragged(line: int, cells: int, width: int) -> Row:
    """Return a row that has another number of cells than the table has columns."""
    return Row(line, {}, f"the row has {counted(cells, 'cell')}; the table has {counted(width, 'column')}")
