"""Tables as text with a separator between cells: CSV, whatever the separator, with or without a header.

The separator is the character that gives the rows the same number of cells and one column moves. A cell may be in
quotes; then it may hold the separator, line ends, and doubled quotes. A quote that is not closed makes its line a
finding, and the next line that is a whole row follows. Blank lines are skipped, and at the top those that
begin with ``#``.
"""

from __future__ import annotations

import functools
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final, NamedTuple

from reversi._core import Position
from reversi.records.capabilities import Capabilities
from reversi.records.formats.game_columns import GAMES, MAX_RECORD, checked_row, row_of
from reversi.records.formats.json_objects import begins_json
from reversi.records.formats.tables.cells import cell_text, is_moves
from reversi.records.formats.tables.columns import Row, columns_of_ours, is_known, named_moves
from reversi.records.formats.tables.table import TableFormat, ragged, read_table
from reversi.records.formats.transcript import HEAD, game_lines
from reversi.records.record import Record
from reversi.rules import OTHELLO
from reversi.text.kinds import TextKind, text_kind

_USUAL: Final = "\t,;|"
_ODD: Final = ":^~"
_LOOKED_AT: Final = 20  # lines that show the separator
_MOST_COLUMNS: Final = 500  # that are looked at
_MOST_CHARS: Final = 6 * MAX_RECORD  # of one row: its record and its tags, with every quote twice, and the others
_MOST_TRIES: Final = 16  # to find the end of a row in quotes
_OPEN: Final = "a quote is not closed; lines after it that are not whole rows are part of it"
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_QUOTED: Final = re.compile(r'[",\r\n]|^[\s#]|\s$|^$')
_TAG: Final = re.compile(r'\s*\[\s*\w+\s+"')
_START: Final = Position(OTHELLO)


def lines_of(chunks: Iterator[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text in chunks of whole lines, each with its number from 1."""
    number = 0
    for chunk in chunks:
        lines = _LINE_END.split(chunk)
        if not lines[-1]:
            lines.pop()
        for number, line in enumerate(lines, number + 1):  # noqa: B020 - it goes on
            yield number, line


@functools.cache
def _cell(separator: str) -> re.Pattern[str]:
    """Return the pattern of a cell and what ends it: a text in quotes with what follows it, or any other."""
    plain, end = f"([^{re.escape(separator)}]*+)", f"({re.escape(separator)}|\\Z)"
    return re.compile(f'(?: *"((?:[^"]|"")*+)"{plain}|{plain}){end}')


def _cells(text: str, separator: str) -> list[str] | None:
    """Return the cells of a row, ``None`` where a quote is not closed."""
    if '"' not in text:
        return text.split(separator)
    cells: list[str] = []
    for quoted, after, plain, end in _cell(separator).findall(text):
        if plain.lstrip(" ").startswith('"'):
            return None
        cells.append(quoted.replace('""', '"') + after.rstrip(" ") + plain)
        if not end:
            break
    return cells


class _Lines:
    """Lines that may be given back."""

    def __init__(self, lines: Iterator[tuple[int, str]]) -> None:
        self._lines = lines
        self._waiting: deque[tuple[int, str]] = deque()

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> tuple[int, str]:
        return self._waiting.popleft() if self._waiting else next(self._lines)

    def give_back(self, lines: list[tuple[int, str]]) -> None:
        self._waiting.extendleft(reversed(lines))


def _rows(source: Iterator[tuple[int, str]], separator: str) -> Iterator[Row]:
    """Yield the rows. The first decides about the number of cells."""
    lines = _Lines(source)
    width = alone = 0  # up to the line `alone` each is a row by itself
    for number, line in lines:
        if not line.strip() or (not width and line.lstrip().startswith("#")):
            continue
        cells = _cells(line, separator)
        if cells is None and number > alone:
            taken, cells = _in_quotes(line, lines, separator)
            if cells is None:
                lines.give_back(taken)
                alone = taken[-1][0] if taken else number
                yield Row(number, {}, _OPEN)
        while cells and len(cells) > width > 0 and not cells[-1].strip():
            cells.pop()
        if cells is None or (number <= alone and len(cells) != width):
            continue
        width = width or len(cells)
        if len(cells) == width:
            yield Row(number, dict(enumerate(cells)))
        else:
            yield ragged(number, len(cells), width)


def _in_quotes(line: str, lines: _Lines, separator: str) -> tuple[list[tuple[int, str]], list[str] | None]:
    """Read a row that goes on in the next lines; return these lines, and the cells unless there is no end."""
    taken: list[tuple[int, str]] = []
    parts, quotes, size, tries = [line], line.count('"'), len(line), 0
    for number, text in lines:
        taken.append((number, text))
        parts.append(text)
        size += len(text) + 1
        quotes += (found := text.count('"'))
        if found and not quotes % 2:
            if (cells := _cells("\n".join(parts), separator)) is not None:
                return taken, cells
            tries += 1
        if size > _MOST_CHARS or tries == _MOST_TRIES:
            break
    return taken, None


class _Sight(NamedTuple):
    """What a separator makes of the first lines.

    Attributes:
        games: how many rows have moves in the column that has the most.
        named: whether the first row names a column of moves.
        rows: how many rows have as many cells as most.
        columns: how many cells these have.
    """

    games: int
    named: int
    rows: int
    columns: int


def _seen(lines: list[tuple[int, str]], separator: str) -> _Sight:
    rows = [list(row.cells.values()) for row in _rows(iter(lines), separator) if not row.error]
    if not rows:
        return _Sight(0, 0, 0, 0)
    games = Counter(
        at for row in rows for at, cell in enumerate(row[:_MOST_COLUMNS]) if is_moves(cell, _START) > 1
    )
    named = any(named_moves(str(name)) for name in rows[0])
    return _Sight(max(games.values(), default=0), int(named), len(rows), len(rows[0]))


def _separator(lines: list[tuple[int, str]]) -> tuple[str, _Sight]:
    """Return the character that separates the cells of some lines, and what it makes of them."""
    first = lines[0][1] if lines else ""
    if _is_ours(first):
        return ",", _seen(lines, ",")
    odd = [character for character in dict.fromkeys(first) if character in _ODD]
    blank = [" "] if " " in first else []
    sights = [(separator, _seen(lines, separator)) for separator in (*_USUAL, *odd, *blank)]
    several = [(separator, sight) for separator, sight in sights if sight.columns > 1]
    if not several:
        return ",", _seen(lines, ",")
    best = max(several, key=lambda one: (one[1].games, one[1].named, one[0] in _USUAL, *one[1][2:]))
    single = _seen(lines, "\0")  # one column
    return best if (best[1].games, best[1].named) >= (single.games, single.named) else ("\0", single)


def _is_ours(line: str) -> bool:
    """Return whether a line is the header of a table that this program writes: then there is nothing to guess."""
    return bool(columns_of_ours(_cells(line, ",") or ()))


def csv_table(chunks: Iterator[str]) -> Iterator[Row]:
    """Return the rows of a text that comes in chunks of whole lines."""
    lines = lines_of(chunks)
    top = list(islice(lines, _LOOKED_AT))
    separator, _ = _separator([(number, line) for number, line in top if line.strip()])
    return _rows(chain(top, lines), separator)


def is_csv(text: str) -> bool:
    """Return whether a text is a table of games: rows with as many cells each, and moves in one column of most."""
    head = text[:HEAD].removeprefix("\ufeff")
    lines = [
        (number, line)
        for number, line in islice(lines_of(iter([head])), _LOOKED_AT)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if lines and _is_ours(lines[0][1]):
        return True
    kind = text_kind(head)
    if _TAG.match(head) or begins_json(head) or kind not in (None, TextKind.TRANSCRIPT):
        return False
    if len(text) > HEAD and len(lines) > 1:
        lines.pop()  # it may be cut
    if kind is TextKind.TRANSCRIPT:
        games, count = game_lines("\n".join(line for _, line in lines))
        if 2 * games >= count:
            return False
    separator, sight = _separator(lines)
    if not sight.rows or separator == " ":
        return False
    first = _cells(lines[0][1], separator) or []
    known = sum(map(is_known, first))
    if sight.columns == 1:
        return sight.named == 1 and (sight.games > 0 or sight.rows == 1 == len(lines))
    return 0 < sight.games >= (sight.rows - 1) / 2 or (sight.named == 1 and known > 1)


def _line(texts: Iterable[str]) -> str:
    return ",".join('"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text for text in texts) + "\n"


def _written(record: Record, number: int) -> str:
    row = row_of(record)
    return _line(checked_row({name: cell_text(row[name]) for name in GAMES}).values())


FORMAT: Final = TableFormat(
    name="csv",
    title="a table in CSV",
    suffixes=(".csv",),
    holds=Capabilities({}),
    recognize=is_csv,
    read=lambda text, rules: read_table(csv_table(iter([text])), rules),
    write=_written,
    before=_line(GAMES),
    table=csv_table,
)
