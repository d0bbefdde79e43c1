"""The front door to recorded games: files and folders of any format, one game at a time."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, groupby
from os import PathLike, fspath
from types import NoneType

from reversi.arguments import FilePath, Frame, caller_level, check_type, is_frame
from reversi.errors import MissingFileError, RecordError
from reversi.games.files import FileGames, Report, Reporter, ReportKind
from reversi.records.formats.tables.columns import parse_columns
from reversi.records.formats.tables.table import TableOptions
from reversi.records.record import Record
from reversi.rules import OTHELLO, Rules
from reversi.text.decoding import check_encoding


class _Stopped(Exception):  # noqa: N818 - it carries a report to where it is raised as an error
    def __init__(self, report: Report) -> None:
        self.report = report


@contextlib.contextmanager
def first_problem_raised() -> Iterator[Reporter]:
    """Return what `FileGames` reports to, so that the first problem is an error, and warnings are Python's.

    Raises:
        MissingFileError: a path names no file.
        RecordError: a file is not a file of games, or a game is malformed; the message says where.
    """

    def stop(event: Report) -> None:
        if event.kind is not ReportKind.WARNING:
            raise _Stopped(event)
        warnings.warn(event.text, stacklevel=caller_level())

    try:
        yield stop
    except _Stopped as stopped:
        error = MissingFileError if stopped.report.kind is ReportKind.MISSING else RecordError
        raise error(stopped.report.text.removesuffix("; left out")) from None  # nothing follows that could be


def open_records(
    *paths: FilePath | Frame,
    rules: Rules = OTHELLO,
    columns: Mapping[str, str | int] | None = None,
    encoding: str = "",
    report: Callable[[str], None] | None = None,
    validated: bool = False,
) -> Iterator[Record]:
    """Yield the games of files and folders of any format, in order; read one game at a time.

    Reading checks how a game is written, and not what was played: a game with an illegal move, or with a result
    that the board contradicts, is a `Record` like any other, unless ``validated`` is true.

    Args:
        paths: files, folders and zips with everything below them, or patterns such as ``games/*.pgn``. A file in a
            zip is named ``a.zip/x.pgn``. Or tables in memory (of polars, pandas, PyArrow) with a game in each row.
        rules: the rules of games that do not name their own.
        columns: what columns of tables (CSV, JSON lines, Parquet) say, as in ``{"moves": "game", "black": 3}``:
            for ``moves``, ``black``, ``white``, ``result``, ``date`` and others the name of a column, or its
            number from 1. Guessed when not given, which is a warning.
        encoding: the encoding of files of text, as in ``shift_jis``. When not given, what a file says itself (the
            mark of UTF-16, ``CA`` in SGF), else UTF-8, and Windows-1252 where a line cannot be that.
        report: called with one line for each file or game that cannot be read, which is then skipped, and for each
            warning. Without it, the first one that cannot be read is an error, and warnings are Python's.
        validated: treat a game in which validation finds anything as one that cannot be read: an illegal move, a
            pass that is missing, a wrong result or date; see `reversi.records.validation`.

    Raises:
        ColumnsError: the columns do not say where the moves are.
        InputError: there is no such encoding.
        MissingFileError: without ``report``: a path names no file.
        RecordError: without ``report``: a file is not a file of games, or a game is malformed or, with
            ``validated``, has a finding; the message says where.

    >>> from reversi import open_records
    >>> next(open_records("examples/games.pgn")).result
    '45-19'
    """

    def pass_on(event: Report) -> None:
        assert report is not None
        report(event.text)

    for path in paths:
        if not is_frame(path):
            advice = "open_records takes paths one by one, open_records(*paths)"
            check_type("path", path, str, PathLike, advice=advice)
    check_type("columns", columns, Mapping, NoneType)
    wanted = parse_columns(f"{role}={column}" for role, column in (columns or {}).items())
    tables = TableOptions(wanted, encoding=check_encoding(encoding))
    with contextlib.ExitStack() as stack:
        reporter = pass_on if report else stack.enter_context(first_problem_raised())
        for _, group in groupby(paths, is_frame) if paths else [(False, iter(()))]:
            items = list(group)
            names = [fspath(item) for item in items if not is_frame(item)]
            games = FileGames(names, reporter, rules, tables=tables, validated=validated)
            frames = [games.of_frame(item) for item in items if is_frame(item)]
            yield from (entry.record for entry in (chain.from_iterable(frames) if frames else games))
