"""A table of games: its rows, which of its columns are read, and the game on each row."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice
from typing import Any, BinaryIO, Final, TypeAlias

from reversi._core import Position, Square
from reversi.arguments import excerpt
from reversi.errors import InputError, RecordError
from reversi.records.dates import read_date
from reversi.records.dialects import complete_entry
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.formats.format import BinaryFormat, TextFormat
from reversi.records.formats.game_columns import MAX_CELL, too_long
from reversi.records.formats.pgn.reader import read_records
from reversi.records.formats.results import Start, numbers_mean, read_result
from reversi.records.formats.tables.cells import cell_text, read_cell_moves
from reversi.records.formats.tables.columns import (
    Columns,
    ColumnsError,
    Grid,
    Guess,
    Row,
    after_first_moves,
    are_positions,
    first_moves,
    games_by_move,
    guess,
    is_by_move,
    start_of,
)
from reversi.records.limits import MAX_PARTS
from reversi.records.outcome import Outcome
from reversi.records.record import Line, Record, Tags
from reversi.rules import OTHELLO, Rules

SHOWN: Final = 100
"""The rows at the top of a table that show what its columns say."""

NOT_GAMES: Final = "positions, not games; read_positions reads them, and so do 'reversi solve', hint and position"
"""What a reader of games says of positions."""

Confirm: TypeAlias = Callable[[str, Guess], Columns | None]
"""Asks somebody about the columns of a file, given its name and a guess; ``None`` where they are not known."""

_NOTHING: Final = Record()
_DECODER: Final = json.JSONDecoder()
_SEVERAL: Final = (dict, list, tuple)
_STR: Final = frozenset([str])
_TAGS_OF: Final = {
    "date": "Date",
    "year": "Date",
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
        encoding: the encoding of texts, tables or not, that do not say it themselves; empty for none.
    """

    columns: Columns = field(default_factory=dict)
    confirm: Confirm | None = None
    encoding: str = ""


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
    grid = Grid(top, options.columns)
    layout = _layout(grid, rules, options, notes, name)
    number = 0
    body: Iterable[Row] = chain(top, rows)
    if grid.header is not None:  # which may come again
        body = (row for row in body if row.error or row.cells != grid.header)
    for number, row in enumerate(layout.games(body), 1):
        yield layout.entry(number, row)
    if not number:
        raise RecordError("the table has a header and no games", source=name)


def _layout(grid: Grid, rules: Rules, options: TableOptions, notes: list[str] | None, name: str) -> _Layout:
    columns, ours = options.columns, False
    if not columns:
        if are_positions(grid.names):
            raise RecordError(NOT_GAMES, source=name)
        guessed = guess(grid, rules)
        ours, columns = guessed.ours, guessed.columns
        if ours:
            pass
        elif options.confirm is not None:
            columns = options.confirm(name, guessed) or {}
            if not columns:
                raise uncertain(guessed, "the columns are not confirmed", name)
        elif not grid.rows and grid.wrong is None:
            raise RecordError("the table has a header and no games", source=name)
        elif "moves" not in guessed.columns and 2 * grid.boards > len(grid.rows):
            raise RecordError(NOT_GAMES, source=name)
        elif guessed.doubt:
            raise uncertain(guessed, guessed.doubt, name)
        elif notes is not None:
            notes.append(f"{name}: {guessed}" if name else str(guessed))
    try:
        return _Layout(grid, columns, rules, ours=ours)
    except ColumnsError as error:
        raise ColumnsError(str(error), source=name) from None


def uncertain(guessed: Guess, why: str, name: str = "") -> ColumnsError:
    """Return the error of a table whose columns are not known."""
    if "moves" in guessed.columns:
        return ColumnsError(f"{why}; give --columns {guessed.option}", guessed, source=name)
    others = "; not read: ".join(filter(None, (guessed.option, ", ".join(guessed.unread[:12]))))
    why += f" (the columns: {others})"
    return ColumnsError(f"{why}; give --columns moves=NAME or NUMBER", guessed, source=name)


class _RowError(Exception):
    """A row of which no game is made."""

    def __init__(self, message: str, code: Code = Code.SYNTAX) -> None:
        super().__init__(message)
        self.code = code


class _Layout:
    """What is read of each row of a table, and how.

    Raises:
        ColumnsError: there is no such column.
    """

    def __init__(self, grid: Grid, columns: Columns, rules: Rules, *, ours: bool) -> None:
        self._keys = {role: grid.key_of(column) for role, column in columns.items()}
        self._titles = grid.titles
        tags = {role: tag for role in columns if (tag := _TAGS_OF.get(role, role))[:1].isupper()}
        self._tags = [(tag, role, self._keys[role]) for role, tag in tags.items()]
        self._play = [(role, key) for role, key in self._keys.items() if role not in tags]
        self._at = Position(rules)
        self._start_of = lru_cache(64)(self._find_start)
        self._ours = ours
        self._number_is = "lead"
        self._is_by_move = not ours and "moves" in columns and is_by_move(grid, self._keys, self._at)
        if "result" in columns and "white_discs" not in columns:
            shown = grid.by_move(self._keys) if self._is_by_move else grid
            starts = [self._shown_start(row) for row in shown.rows]
            ends = shown.ends(self._keys.get("moves"), starts)
            texts = shown.texts(self._keys["result"])
            self._number_is = numbers_mean(list(zip(texts, ends, strict=True)), rules)

    def games(self, rows: Iterable[Row]) -> Iterable[Row]:
        """Return a row for each game, where each move has one."""
        return games_by_move(rows, self._keys) if self._is_by_move else rows

    def _shown_start(self, row: Row) -> Position:
        try:
            cells = self._of(row)
            return after_first_moves(cell_text(cells.get("start")), self._start(cells).position)
        except _RowError:
            return self._at

    def _of(self, row: Row) -> dict[str, object]:
        """Return the cells of a row that are no tags each, by what they say."""
        get = row.cells.get
        return {role: get(key) for role, key in self._play}

    def entry(self, number: int, row: Row) -> Entry:
        """Return the game of a row."""
        cells = self._of(row)
        entry = Entry(number, row.line, _NOTHING, [], self._ours, row.line)
        try:
            if row.error:
                raise _RowError(row.error)
            for role, key in () if 0 < row.size <= MAX_CELL else self._keys.items():
                if why := too_long(role, row.cells.get(key), self._titles[key]):
                    raise _RowError(why)
            if text := cell_text(cells.get("record")):
                return _whole(entry, text, self._at.rules)
            tags, start = self._read_tags(cells.get("tags"), row), self._start(cells)
        except _RowError as error:
            entry.record, entry.ours = Record(start=self._at), False
            entry.findings.append(Finding(error.code, str(error), None, row.line))
            return entry
        outcome = self._read_result(entry, cells, tags, start)
        line = self._read_moves(entry, cells, start.position)
        entry.record = Record(tags, start.position, line, outcome.text)
        outcome.give_to(entry.record)
        if (flips := cells.get("flips")) is not None:
            _read_flips(entry, flips)
        if not self._ours:  # which has every pass, and the result as it was recorded
            complete_entry(entry)
        return entry

    def _read_tags(self, more: object, row: Row) -> Tags:
        recorded, texts = _more_tags(more)
        pairs: list[tuple[str, str]] = []
        for tag, role, key in self._tags:
            if tag in recorded or not (text := cell_text(row.cells.get(key))):  # the tags have it as recorded
                continue
            if role == "year" and "date" in self._keys and cell_text(row.cells.get(self._keys["date"])):
                continue
            if tag == "Date":
                text, time = read_date(text.removesuffix(".0"))
                pairs += [("Time", time)] if time else []
            pairs.append((tag, text))
        try:
            if not pairs:
                return Tags.named(recorded, texts)
            return Tags([*pairs, *zip(recorded, texts, strict=True)])
        except RecordError as error:
            raise _RowError(str(error), Code.BAD_TAG) from None

    def _start(self, cells: Mapping[str, object]) -> Start:
        try:
            return self._start_of(cell_text(cells.get("rules")), cell_text(cells.get("start")))
        except InputError as error:
            raise _RowError(str(error), Code.BAD_TAG) from None

    def _find_start(self, rules: str, start: str) -> Start:
        position = start_of("start", start, start_of("rules", rules, self._at))
        return Start(position, lru_cache(256)(lambda text: read_result(text, self._number_is, position.rules)))

    def _read_result(self, entry: Entry, cells: Mapping[str, object], tags: Tags, start: Start) -> Outcome:
        text = cell_text(cells.get("result"))
        if "white_discs" in cells:
            sides = [cell.removesuffix(".0") for cell in (text, cell_text(cells["white_discs"]))]
            text = "-".join(sides) if all(sides) else ""
        rules = start.position.rules
        outcome = start.outcome_of(text)
        if outcome is None:
            outcome = read_result(text, self._number_is, rules, (tags["Black"], tags["White"]))
        if outcome is None:
            entry.findings.append(Finding(Code.SYNTAX, f"{excerpt(text)} is not a result", None, entry.line))
        return outcome or Outcome("*", rules)

    def _read_moves(self, entry: Entry, cells: Mapping[str, object], begin: Position) -> Line:
        before = b""
        if not self._ours and (start := cell_text(cells.get("start"))):
            before, begin = first_moves(start, begin), after_first_moves(start, begin)
        moves, strange = read_cell_moves(cells.get("moves"), begin)
        moves = before + moves
        if strange is not None:
            why, ply = f"{excerpt(strange.text)} is not a move", len(moves) + 1
            entry.findings.append(Finding(Code.INVALID_MOVE, why, ply, entry.line))
        elif not moves and not self._ours and not entry.findings:
            where = self._titles.get(self._keys.get("moves", ""), "")
            entry.findings.append(Finding(Code.SYNTAX, f"column {where} has no moves", None, entry.line))
        return Line.of_numbers(moves[:MAX_CELL], entry.line)


def _whole(entry: Entry, text: str, rules: Rules) -> Entry:
    """Return the game of a cell that has the whole of it, in this program's own format."""
    try:
        games = list(islice(read_records(text, rules=rules), 2))
    except RecordError as error:
        raise _RowError(f"the record cannot be read: {error}") from None
    if len(games) != 1:
        raise _RowError("the record has more than one game")
    (game,) = games
    findings = [Finding(finding.code, finding.message, finding.ply, entry.line) for finding in game.findings]
    return Entry(entry.number, entry.line, game.record, findings, game.ours, entry.line)


def _more_tags(value: object) -> tuple[tuple[str, ...], list[str]]:
    """Return the names and values of the tags of a cell: a mapping, or pairs, as such or as JSON."""
    if isinstance(value, str) and value.strip():
        try:
            found, end = _DECODER.raw_decode(value) if value[0] == "{" else (None, -1)
            value = found if end == len(value) else json.loads(value)
        except (ValueError, RecursionError):
            raise _RowError(f"the tags {excerpt(str(value))} are not JSON", Code.BAD_TAG) from None
    if not value or not isinstance(value, _SEVERAL):
        return (), []
    if len(value) > MAX_PARTS:
        raise _RowError(f"the game has more than {MAX_PARTS} tags", Code.BAD_TAG)
    names: Iterable[Any] = (None,)
    texts: Iterable[Any] = ()
    if isinstance(value, dict):
        names, texts = value, value.values()
    elif all(isinstance(item, dict) and len(item) == 2 for item in value):
        names, texts = zip(*[item.values() for item in value], strict=True)
    elif all(isinstance(item, list | tuple) and len(item) == 2 for item in value):
        names, texts = zip(*value, strict=True)
    if not _STR.issuperset(map(type, names)):
        raise _RowError("the tags are not names with values", Code.BAD_TAG)
    if _STR.issuperset(map(type, texts)):
        return tuple(names), [*texts]
    return tuple(names), [text if isinstance(text, str) else cell_text(text) for text in texts]


def _read_flips(entry: Entry, value: object) -> None:
    """Read the flips by hand of an analysis: the discs, by the number of the ply."""
    if not isinstance(value, Mapping):
        return
    nodes = {str(ply): node for ply, node in enumerate(entry.record.line.nodes, 1)}
    try:
        for ply, squares in value.items():
            nodes[ply].flips = tuple(sorted(set(map(Square, squares))))
    except (KeyError, TypeError, ValueError):
        why = f"the flips {excerpt(cell_text(value))} are not squares of its plies"
        entry.findings.append(Finding(Code.SYNTAX, why, None, entry.line))
