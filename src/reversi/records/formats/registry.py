"""The registry of record formats: which there are, which one a text is in, and its games.

A new format of this package is a module here with a `FORMAT`, and its line in `FORMATS`. Other packages add
formats with `register_format` or with an entry point of the group `reversi.formats`.
"""

from __future__ import annotations

import copyreg
import functools
import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import NoneType
from typing import Any, Final, NoReturn

import reversi._regex as re
from reversi.arguments import caller_level, check_type, excerpt
from reversi.errors import InputError, RecordError
from reversi.records.entry import Entry, noted
from reversi.records.formats import eothello, logbook, obf, quest, transcript
from reversi.records.formats.format import BinaryFormat, Format, TextFormat
from reversi.records.formats.ggf.ggf_format import FORMAT as GGF
from reversi.records.formats.json_objects import begins_json
from reversi.records.formats.pgn.pgn_format import FORMAT as PGN, is_guess
from reversi.records.formats.sgf.sgf_format import FORMAT as SGF
from reversi.records.formats.tables.columns import Grid, guess
from reversi.records.formats.tables.csv_table import FORMAT as CSV
from reversi.records.formats.tables.json_table import FORMAT as JSON_LINES
from reversi.records.formats.tables.parquet_table import FORMAT as PARQUET
from reversi.records.formats.tables.table import (
    NOT_GAMES,
    SHOWN,
    BinaryTableFormat,
    TableFormat,
    TableOptions,
    read_table,
    uncertain,
)
from reversi.records.formats.wthor.wthor_format import FORMAT as WTHOR
from reversi.records.holding import Capabilities
from reversi.records.limits import give_up
from reversi.rules import OTHELLO, Rules
from reversi.text.decoding import without_marks
from reversi.text.kinds import text_kind

FORMATS: Final[tuple[Format, ...]] = (
    GGF,
    SGF,
    eothello.FORMAT,
    WTHOR,
    quest.FORMAT,
    logbook.FORMAT,
    PARQUET,
    CSV,
    JSON_LINES,
    PGN,
    obf.FORMAT,
    transcript.FORMAT,
)
"""The formats of this package. A text or file is in the first one that recognizes it."""

TEXT_FORMATS: Final = tuple(format_ for format_ in FORMATS if isinstance(format_, TextFormat))
"""Those that are text."""

ENTRY_POINTS: Final = "reversi.formats"
"""The group of entry points with which other packages add formats."""

_HEAD: Final = 1 << 16  # characters that show whether a text is a table of positions
_NAME: Final = re.compile(r"[a-z][a-z0-9-]*", re.ASCII)

_registered: dict[str, Format] = {}  # by other code in this process
_installed: dict[str, Format] = {}  # by the entry points of other packages


def _no_games(*_: object) -> NoReturn:
    raise RecordError(NOT_GAMES)


POSITIONS: Final = TextFormat(
    name="positions",
    title="positions",
    suffixes=(),
    holds=Capabilities({}),
    recognize=lambda text: text_kind(text) is not None,
    read=_no_games,
    write=_no_games,
)
"""What `recognize` calls a text of positions, which is in no format of games."""


def register_format(format_: Format, *, replace: bool = False) -> None:
    """Add a format: the functions and commands on records then know it as one of theirs.

    A text is in an added format only where no format of this package recognizes it, or only a table does. To add
    a format for every command, a package names it as an entry point of the group ``reversi.formats``.

    Args:
        format_: a `TextFormat` or a `BinaryFormat`.
        replace: whether it takes the place of one that this function has added under its name, as a cell of a
            notebook that runs again needs it.

    Raises:
        InputError: the name is not a word of small letters, digits and hyphens, a suffix has no dot, or another
            format has the name or a suffix.
    """
    check_type("format_", format_, Format)
    known_formats()  # those of entry points come first
    _add(format_, _registered, replace=replace)


def _add(format_: Format, to: dict[str, Format], *, replace: bool = False) -> None:
    former = to.get(format_.name)
    others = [
        other
        for other in (*FORMATS, POSITIONS, *_registered.values(), *_installed.values())
        if other is not former or not replace
    ]
    if not _NAME.fullmatch(format_.name):
        raise InputError(f"the name of a format is a word such as 'ggf', not {excerpt(format_.name)}")
    for suffix in format_.suffixes:
        if not suffix.startswith(".") or suffix != suffix.lower():
            raise InputError(
                f"a suffix of a format is small and begins with a dot, as '.ggf', not {excerpt(suffix)}"
            )
    for other in others:
        if other.name == format_.name:
            advice = "; replace=True puts it in its place" if other is former else ""
            raise InputError(f"another format has the name {excerpt(format_.name)}{advice}")
        if shared := set(other.suffixes) & set(format_.suffixes):
            raise InputError(f"the format {excerpt(other.name)} has the suffix {min(shared)!r}")
    to[format_.name] = format_


@functools.cache
def _install() -> None:
    """Add the formats of entry points, once. A format that cannot be added is a warning, and none else is lost."""
    from importlib.metadata import entry_points

    for point in entry_points(group=ENTRY_POINTS):
        try:
            format_ = point.load()
            if not isinstance(format_, Format):
                raise InputError("it is not a Format")
            if _installed.get(format_.name) is not format_:  # another thread may do the same
                _add(format_, _installed)
        except Exception as error:
            warnings.warn(
                f"the record format {point.name!r} ({point.value}): {error}",
                RuntimeWarning,
                stacklevel=caller_level(),
            )


def _added() -> tuple[Format, ...]:
    _install()
    return (*_registered.values(), *_installed.values())


def known_formats() -> tuple[Format, ...]:
    """Return every format, those of other packages last."""
    return (*FORMATS, *_added())


def format_named(name: str) -> Format:
    """Return the format of a name, as ``ggf``.

    Raises:
        InputError: no format has that name.
    """
    for format_ in (*FORMATS, POSITIONS):
        if format_.name == name:
            return format_
    for format_ in _added():
        if format_.name == name:
            return format_
    names = ", ".join(format_.name for format_ in known_formats())
    raise InputError(f"{excerpt(name)} is not a format; the formats are {names}")


def text_format_named(name: str) -> TextFormat:
    """Return the text format of a name, as ``ggf``.

    Raises:
        InputError: no text format has that name.
    """
    format_ = format_named(name)
    if not isinstance(format_, TextFormat):
        raise InputError(f"{format_.title} is not a text format")
    return format_


def _reduced(format_: Format) -> tuple[Callable[[str], Any], tuple[str]]:
    if format_.name in _registered:
        raise InputError(
            f"the format {excerpt(format_.name)} is registered in this process alone;"
            " worker processes know entry points"
        )
    return format_named, (format_.name,)


copyreg.pickle(TextFormat, _reduced)
copyreg.pickle(BinaryFormat, _reduced)
copyreg.pickle(TableFormat, _reduced)
copyreg.pickle(BinaryTableFormat, _reduced)


def target_format(suffix: str) -> Format | None:
    """Return the format that the suffix of a file's name stands for, ``None`` for an unknown one.

    ``.csv`` is a table. A list of eOthello, which has only winners and moves, has to be asked for by its name.
    """
    suffix = suffix.lower()
    format_ = next((format_ for format_ in FORMATS if suffix in format_.suffixes), None)
    return format_ or next((format_ for format_ in _added() if suffix in format_.suffixes), None)


def recognize(text: str) -> TextFormat | None:
    """Return the format that a text is in, one named ``positions`` for positions, ``None`` for anything else."""
    text = without_marks(text)
    format_ = next((format_ for format_ in (*TEXT_FORMATS, POSITIONS) if format_.recognize(text)), None)
    if format_ is None or isinstance(format_, TableFormat) or (format_ is PGN and is_guess(text)):
        added = (other for other in _added() if isinstance(other, TextFormat) and other.recognize(text))
        return next(added, format_)
    return format_


def table_format(text: str) -> TableFormat:
    """Return the format of a text that is a table, whatever it looks like."""
    return JSON_LINES if without_marks(text).lstrip()[:1] in {"{", "["} else CSV


def recognize_binary(head: bytes, size: int, formats: Iterable[Format] = FORMATS) -> BinaryFormat | None:
    """Return the format that a file which is not text is in, by its first bytes and its size, if known."""
    binary = (format_ for format_ in formats if isinstance(format_, BinaryFormat))
    return next((format_ for format_ in binary if format_.recognize(head, size)), None)


def read_games(
    text: str,
    *,
    rules: Rules = OTHELLO,
    format_: TextFormat | None = None,
    options: TableOptions | None = None,
    notes: list[str] | None = None,
) -> Iterator[Entry]:
    """Read the games of a text in any format, one at a time; of OBF, the positions with the values of their moves.

    Args:
        text: the whole text.
        rules: the rules of games that do not name their own.
        format_: the format of the text; recognized by its content when not given.
        options: how a table is read; guessed when not given. `open_records` takes ``columns`` instead.
        notes: collects how the games are read where the text does not say so itself.

    Raises:
        RecordError: the text holds no game or only positions, or the first
            1000 games have nothing of a game.
    """
    check_type("format_", format_, TextFormat, NoneType, advice="format_named gives one by its name")
    format_ = format_ or recognize(text)
    if isinstance(format_, TableFormat):
        table = format_.table(iter([text]))
        return give_up(read_table(table, rules, options=options, notes=notes))
    entries = _unrecognized(text, rules) if format_ is None else format_.read(text, rules)
    return give_up(entries if notes is None else noted(entries, notes))


_AMONG_WORDS: Final = "; 'reversi position show' reads moves among other words"


def _unrecognized(text: str, rules: Rules) -> Iterator[Entry]:
    """Yield the games of a text that no format recognizes, should it have any after all."""
    grid = Grid(list(islice(table_format(text).table(iter([text[:_HEAD]])), SHOWN)))
    if 2 * grid.boards > len(grid.rows):
        raise RecordError(NOT_GAMES)
    if begins_json(text):
        raise RecordError("JSON, and its first object has no moves; for another member of it, give --columns")
    try:
        yield from text_format_named("pgn").read(text, rules)
    except RecordError as error:
        is_table = grid.rows and grid.wrong is None and len({role for _, _, role, _ in grid.roles}) > 1
        if is_table and (guessed := guess(grid, rules)).doubt:
            raise uncertain(guessed, guessed.doubt) from None
        why = str(error).removesuffix("; the text contains no games")
        names = ", ".join(format_.name for format_ in known_formats())
        message = f"{why}; the text contains no game in a known format ({names}){_AMONG_WORDS}"
        raise RecordError(message, error.line, error.column) from None
