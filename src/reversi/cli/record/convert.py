"""``reversi record convert``: games from one form to another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, TypeVar

import typer

from reversi.cli.console import StatusCollector, command, err, fail, reading, rules_option
from reversi.cli.options import GameRulesOption
from reversi.cli.outputs import ForceOption, Inputs, check_output, write_pieces
from reversi.cli.record.game_files import FormatOption, opened, text_format
from reversi.cli.record.output import Converter, FolderWriter, ToOption, fail_for_years, output_format
from reversi.cli.selection import AliasesOption, OpeningTagsOption, aliases_of
from reversi.cli.status import Status
from reversi.cli.tables import ColumnsOption, table_options
from reversi.errors import InputError
from reversi.games.changes import Changes
from reversi.games.missing_names import MissingNames
from reversi.records.entry import Entry
from reversi.records.formats.format import OtherFileError
from reversi.records.record import Record
from reversi.records.sources.finding import source_name
from reversi.records.sources.opening import GameSource
from reversi.text.counting import counted

_T = TypeVar("_T")


@command
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file of games; - is standard input.")],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT",
            help="The file to write; - is standard output. A folder, or a name with {year}, gets a file for each"
            " year.",
        ),
    ],
    source_format: FormatOption = None,
    columns: ColumnsOption = None,
    target_to: ToOption = None,
    force: ForceOption = False,
    aliases: AliasesOption = "",
    opening_tags: OpeningTagsOption = False,
    rules: GameRulesOption = "othello",
) -> None:
    """Convert games to another format, and report what that format cannot hold.

    The content of IN decides its format; the name of OUT decides the new one. WTHOR keeps the names of players and
    tournaments in files beside OUT.

    Example: reversi record convert playok.pgn games.pgn

    Example: reversi record convert WTH_1984.wtb games.sgf

    Example: reversi record convert ggs.ggf - --to transcript
    """
    changes = Changes(aliases_of(aliases), opening_tags)
    outcome = StatusCollector()
    inputs = Inputs(source)
    name = source_name(source)
    folder = FolderWriter.yearly(target, target_to, outcome, inputs, force=force)
    output = None if folder else check_output(target, inputs, force=force)
    to = folder.format if folder else output_format(target, target_to)
    with opened(source) as games:
        try:
            missing = MissingNames.of(games)
            read = games.entries(
                rules=rules_option(rules), format_=text_format(source_format), options=table_options(columns)
            )
            entries = read if missing is None else _looked_at(read, missing.add)
            entries = changes.of(_noted(entries, games))
            if folder is not None:
                converter = folder.write(_read(name, entries), lambda: name)
            else:
                converter = Converter(target, to, outcome, lambda: name, force=force)
                written = write_pieces(output, _read(name, converter.pieces(entries)), outcome)
        except OtherFileError as error:
            fail_for_years(target, error)
        except InputError as error:
            fail(Status.BAD_DATA, error.naming(name))
        for problem in games.problems:
            outcome.add(Status.BAD_DATA, f"reversi: {problem}")
        for _, warning in () if missing is None else missing.warnings():
            err(f"reversi: {warning}")
    if not converter.games:
        fail(Status.BAD_DATA, f"{name} contains no games")
    if folder is None:
        converter.finish(written)
    if output is not None and written not in (None, output.path):
        outcome.finish()
    shown = "standard output" if target == "-" else target
    files = f" to {counted(len(folder.files), 'file')}" if folder else ""
    err(f"reversi: {shown}: {counted(converter.written, 'game')} written{files}")
    outcome.finish()


def _noted(entries: Iterator[Entry], source: GameSource) -> Iterator[Entry]:
    """Yield the games, and write how they are read before the first."""
    for entry in entries:
        for note in source.notes:
            err(f"reversi: {note}")
        source.notes.clear()
        yield entry


def _looked_at(entries: Iterator[Entry], look_at: Callable[[Record], None]) -> Iterator[Entry]:
    for entry in entries:
        look_at(entry.record)
        yield entry


def _read(name: str, pieces: Iterator[_T]) -> Iterator[_T]:
    """Yield what is read; end the command when the source, not OUT, fails."""
    with reading(name):
        yield from pieces
