"""Tables as text with a separator between cells: CSV, whatever the separator, with or without a header.

The separator is the character that gives the rows the same number of cells and one column moves. A cell may be in
quotes; then it may hold the separator, line ends, and doubled quotes. A quote that is not closed makes its line a
finding, and the next line that is a whole row follows. Blank lines and those that draw a frame (``|---|---|``) are
skipped, and at the top those that begin with ``#``, unless that is a cell, Excel's ``sep=;``, and up to three
titles: rows with one cell that is not moves, above rows with several.
"""

from __future__ import annotations

import csv
import functools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Final

import reversi._regex as re
from reversi.records.formats.game_columns import GAMES, MAX_RECORD, checked_row, row_of
from reversi.records.formats.json_objects import GAMES_ARRAY, begins_json
from reversi.records.formats.tables.cells import begins_as_moves, cell_text
from reversi.records.formats.tables.columns import Grid, Row, columns_of_ours, named_moves
from reversi.records.formats.tables.table import TableFormat, read_table
from reversi.records.formats.transcript import HEAD, game_lines
from reversi.records.holding import Capabilities
from reversi.records.record import Record
from reversi.text.counting import counted
from reversi.text.decoding import without_marks
from reversi.text.kinds import TextKind, text_kind

_USUAL: Final = "\t,;|"
_ODD: Final = ":^~ "
_NOTHING: Final = "\0"  # separates nothing: one column
_LOOKED_AT: Final = 20  # lines that show the separator
_MOST_CHARS: Final = 6 * MAX_RECORD  # of one row: its record and its tags, with every quote twice, and the others
_MOST_TITLES: Final = 3
_MOST_TRIES: Final = 16  # to find the end of a row in quotes
_OPEN: Final = "a quote is not closed; lines after it that are not whole rows are part of it"
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_QUOTED: Final = re.compile(r'[",\r\n]|^[\s#]|\s$')
_FRAME: Final = re.compile(r"[\s|+:=-]*-{3}[\s|+:=-]*")
_FRAME_BEGINS: Final = frozenset("|+:-")
_COMMENT: Final = re.compile(r"\s*#(?!\s*[\t,;|])")
_SEPARATOR: Final = re.compile(r'"?sep=[^\s"]"?', re.IGNORECASE)
_TAG: Final = re.compile(r'\s*\[\s*\w+\s+"')


def lines_of(chunks: Iterator[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text in chunks of whole lines, each with its number from 1."""
    number = 0
    for chunk in chunks:
        lines = _LINE_END.split(chunk) if "\r" in chunk else chunk.split("\n")
        if not lines[-1]:
            lines.pop()
        for number, line in enumerate(lines, number + 1):  # noqa: B020 - it goes on
            yield number, line


@functools.cache
def _cell(separator: str) -> re.Pattern[str]:
    """Return the pattern of a cell and what ends it: a text in quotes with what follows it, or any other."""
    plain = f"([^{re.escape(separator)}]*+)"
    return re.compile(f'(?: *"((?:[^"]|"")*+)"{plain}|{plain})(?:{re.escape(separator)}|\\Z)')


class _Cells:
    """Reads rows whose cells a character separates."""

    def __init__(self, separator: str) -> None:
        self._separator = separator
        self._line: list[str] = []
        reader = csv.reader(
            iter(self._line.pop, None),
            delimiter=separator if separator in _USUAL else ",",
            strict=True,
            skipinitialspace=True,
        )
        self._read = reader.__next__

    def of(self, text: str) -> list[str] | None:
        """Return the cells of a row, ``None`` where a quote is not closed."""
        separator = self._separator
        if '"' not in text:
            return text.split(separator)
        if separator in _USUAL:
            self._line[:] = [text]
            try:
                return self._read()
            except (csv.Error, IndexError):  # a line that goes on; or what it refuses, such as a long cell
                pass
        found = _cell(separator).findall(text)
        if not text.endswith(separator):
            found.pop()  # of nothing at the end
        if any('"' in plain and plain.lstrip(" ")[0] == '"' for _, _, plain in found):
            return None
        return [plain or quoted.replace('""', '"') + after.rstrip(" ") for quoted, after, plain in found]


def _rows(source: Iterator[tuple[int, str]], separator: str) -> Iterator[Row]:
    """Yield the rows. The first decides about the number of cells."""
    read = _Cells(separator).of
    source = _without_titles(source, read) if separator in _USUAL else source
    waiting: deque[tuple[int, str]] = deque()  # lines that a quote did not close
    width = alone = 0  # up to the line `alone` each is a row by itself
    while (one := waiting.popleft() if waiting else next(source, None)) is not None:
        number, line = one
        if not line.strip() or (not width and _COMMENT.match(line)):
            continue
        if line[0] in _FRAME_BEGINS and _FRAME.fullmatch(line) and ("|" in line or "+" in line):
            continue
        cells, size = read(line), len(line)
        if cells is None and number > alone:
            taken, cells = _in_quotes(line, source, read)
            size = 0
            if cells is None:
                waiting.extend(taken)
                alone = taken[-1][0] if taken else number
                yield Row(number, {}, _OPEN)
        while cells and len(cells) > width > 0 and not cells[-1].strip():
            cells.pop()
        if cells is None or (number <= alone and len(cells) != width):
            continue
        width = width or len(cells)
        if len(cells) == width:
            yield Row(number, dict(enumerate(cells)), size=size)
        else:
            has = f"the row has {counted(len(cells), 'cell')}; the table has {counted(width, 'column')}"
            yield Row(number, {}, has)


def _without_titles(
    lines: Iterator[tuple[int, str]], read: Callable[[str], list[str] | None]
) -> Iterator[tuple[int, str]]:
    """Return lines without the titles at the top."""
    titles: list[tuple[int, str]] = []
    count = 0  # of those that are not blank
    for one in islice(lines, _LOOKED_AT):
        cells = read(one[1])
        filled = [cell for cell in cells or () if cell.strip()]
        if len(filled) > 1 and not _FRAME.fullmatch(one[1]):
            return chain([one], lines)
        titles.append(one)
        count += bool(filled)
        if (
            count > _MOST_TITLES
            or cells is None
            or any(named_moves(cell) or begins_as_moves(cell) for cell in filled)
        ):
            break
    return chain(titles, lines)


def _in_quotes(
    line: str, lines: Iterator[tuple[int, str]], read: Callable[[str], list[str] | None]
) -> tuple[list[tuple[int, str]], list[str] | None]:
    """Read a row that goes on in the next lines; return these lines, and the cells unless there is no end."""
    taken: list[tuple[int, str]] = []
    parts, quotes, size, tries = [line], line.count('"'), len(line), 0
    for number, text in lines:
        taken.append((number, text))
        parts.append(text)
        size += len(text) + 1
        quotes += (found := text.count('"'))
        if found and not quotes % 2:
            if (cells := read("\n".join(parts))) is not None:
                return taken, cells
            tries += 1
        if size > _MOST_CHARS or tries == _MOST_TRIES:
            break
    return taken, None


def _choice(lines: list[tuple[int, str]]) -> tuple[str, Grid]:
    """Return the character that separates the cells of some lines, and what it makes of them."""
    first = lines[0][1] if lines else ""
    if columns_of_ours(_Cells(",").of(first) or ()):  # then there is nothing to guess
        return ",", _grid(lines, ",")
    others = [character for character in dict.fromkeys(first) if character in _ODD]
    grids = {separator: _grid(lines, separator) for separator in (*_USUAL, *others, _NOTHING)}

    def worth(separator: str) -> tuple[int, bool, int, bool, bool, bool, int, int]:
        grid = grids[separator]
        several = len(grid.keys) > 1
        kind = separator in _USUAL, separator != " "
        return grid.games, grid.names_moves, grid.boards, several, *kind, len(grid.rows), len(grid.keys)

    best = max((one for one in grids if len(grids[one].keys) > 1 or one == _NOTHING), key=worth)
    return best, grids[best]


def _grid(lines: list[tuple[int, str]], separator: str) -> Grid:
    return Grid(list(_rows(iter(lines), separator)))


def csv_table(chunks: Iterator[str]) -> Iterator[Row]:
    """Return the rows of a text that comes in chunks of whole lines."""
    lines = lines_of(chunks)
    top = list(islice(lines, _LOOKED_AT))
    top = [(number, line) for number, line in top if line.strip() and not _SEPARATOR.fullmatch(line.strip())]
    separator, _ = _choice(top)
    return _rows(chain(top, lines), separator)


def is_csv(text: str) -> bool:
    """Return whether a text is a table of games: rows with as many cells each, and moves in one column of most."""
    head = without_marks(text[:HEAD])
    lines = [
        (number, line)
        for number, line in islice(lines_of(iter([head])), _LOOKED_AT)
        if line.strip() and not _COMMENT.match(line) and not _SEPARATOR.fullmatch(line.strip())
    ]
    if lines and columns_of_ours(_Cells(",").of(lines[0][1]) or ()):
        return True
    kind = text_kind(head)
    if _TAG.match(head) or begins_json(head) or GAMES_ARRAY.match(head) or kind not in (None, TextKind.TRANSCRIPT):
        return False
    if len(text) > HEAD and len(lines) > 1:
        lines.pop()  # it may be cut
    if kind is TextKind.TRANSCRIPT:
        games, count = game_lines("\n".join(line for _, line in lines))
        if 2 * games >= count:
            return False
    separator, grid = _choice(lines)
    if separator == " " or (separator in _ODD and len(grid.rows) < 2):
        return False
    if len(grid.keys) == 1:
        return (grid.names_moves or lines[0][1].startswith('"')) and (grid.games > 0 or len(lines) == 1)
    known = sum(role != "" for _, _, role, _ in grid.roles)
    return 0 < len(grid.rows) <= 2 * grid.games or (grid.names_moves and known > 1)


def _line(texts: Iterable[str]) -> str:
    return ",".join([text if text.isalnum() else _quoted(text) for text in texts]) + "\n"


def _quoted(text: str) -> str:
    """Return a cell, in quotes where it needs them."""
    return '"' + text.replace('"', '""') + '"' if not text or _QUOTED.search(text) else text


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
