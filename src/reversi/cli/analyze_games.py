"""The games that ``reversi analyze`` reads: files, folders, places such as ``FILE#3@20``, given moves, ``-``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from reversi.analysis.run import GameInput
from reversi.cli.console import StatusCollector, fail, reason, stdin_buffer
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.games.files import FileGames, Report, ReportKind
from reversi.games.selection import Selection
from reversi.inputs.input import Input, MissingInputError, resolve
from reversi.inputs.place import PlaceError
from reversi.records.entry import Entry, finding_line
from reversi.records.findings import UNDERSTOOD, Finding
from reversi.records.formats.tables.table import TableOptions
from reversi.records.record import Line, Record
from reversi.records.sources.finding import STANDARD_INPUT, find_files, source_name
from reversi.records.validation.game import validate_entry
from reversi.rules import Rules

_STATUSES = {
    ReportKind.MISSING: Status.NO_INPUT,
    ReportKind.DAMAGED: Status.BAD_DATA,
    ReportKind.MALFORMED: Status.FINDING,
    ReportKind.WARNING: Status.DONE,
}


class GamesInput:
    """The games of several arguments, in order; they can be read more than once.

    Their errors are reported once. Standard input is kept in memory.

    Args:
        arguments: what the command line names.
        rules: the rules of games that do not name their own.
        selection: which games are wanted.
        outcome: collects what cannot be read.
        beside: a file to skip wherever it is found: the one that the results go into.
        tables: how tables are read.
    """

    def __init__(
        self,
        arguments: list[str],
        rules: Rules,
        selection: Selection,
        outcome: StatusCollector,
        beside: Path | None = None,
        tables: TableOptions | None = None,
    ) -> None:
        self._tables = tables or TableOptions()
        self._rules = rules
        self._selection = selection
        self._outcome = outcome
        self._beside = beside
        self._reported: set[str] = set()
        self._parts = [self._part(argument) for argument in arguments]
        self._kept: list[GameInput] | None = None
        self._keep = any(
            part == STANDARD_INPUT or (isinstance(part, Input) and part.place.path == STANDARD_INPUT)
            for part in self._parts
        )

    @property
    def paths(self) -> list[str]:
        paths = (part if isinstance(part, str) else part.place.path for part in self._parts)
        return [path for path in paths if path]

    def _part(self, argument: str) -> str | Input:
        """Return the kind of an argument: files, a place, or given moves."""
        if argument == STANDARD_INPUT or os.path.lexists(argument):
            return argument
        first = next(iter(find_files([argument])), None)
        if first is not None and first.path != argument:  # of a pattern
            return argument
        try:
            return resolve(argument, stdin=stdin_buffer)
        except PlaceError as error:
            fail(Status.USAGE, str(error))
        except MissingInputError:
            return argument  # reported when it is read, as a file that does not exist

    def games(self) -> Iterator[GameInput]:
        """Yield the games that are wanted, numbered from 1."""
        if self._kept is None and self._keep:
            self._kept = list(self._read())
        yield from self._read() if self._kept is None else self._kept

    def _read(self) -> Iterator[GameInput]:
        index = 0
        for part in self._parts:
            for file, entry, ply in self._of_files(part) if isinstance(part, str) else self._of_place(part):
                record = entry.record
                if not record.moves:
                    what = "a position without moves; 'reversi hint' and 'reversi solve' judge positions"
                    self._report(Status.BAD_DATA, f"{file or 'the text'}:game {entry.number}: {what}")
                elif wrong := self._wrong(entry):
                    self._report(Status.FINDING, f"{finding_line(file or 'the text', entry, wrong)}; left out")
                elif self._selection.takes(record):
                    index += 1
                    yield GameInput(index, file, entry.number, record if ply is None else _cut(record, ply))

    def _wrong(self, entry: Entry) -> Finding | None:
        """Return the reason why a game cannot be analyzed: malformed text, or a move that is not allowed."""
        findings = validate_entry(entry, accept_flips=True).findings
        return next((finding for finding in findings if finding.code not in UNDERSTOOD), None)

    def _of_files(self, path: str) -> Iterator[tuple[str, Entry, None]]:
        def report(event: Report) -> None:
            name = "" if event.kind is ReportKind.MALFORMED else "reversi: "
            self._report(_STATUSES[event.kind], f"{name}{event.text}")

        stdin = stdin_buffer() if path == STANDARD_INPUT else None
        games = FileGames([path], report, self._rules, tables=self._tables, beside=self._beside, stdin=stdin)
        for file, entries in games.sources():
            name = STANDARD_INPUT if file == source_name(STANDARD_INPUT) else file
            yield from ((name, entry, None) for entry in entries)
        games.check()

    def _of_place(self, given: Input) -> Iterator[tuple[str, Entry, int | None]]:
        name = given.name
        try:
            given.tables = self._tables
            for entry in given.entries(self._rules):
                while given.notes:
                    self._report(Status.DONE, f"reversi: {given.notes.pop(0)}")
                ply = given.place.ply
                if ply is not None and ply > len(entry.record.moves):
                    self._report(Status.BAD_DATA, f"{name}:game {entry.number}: ply {ply} does not exist")
                else:
                    yield given.place.path if name else "", entry, ply
            for problem in given.problems:
                self._report(Status.BAD_DATA, f"reversi: {problem}")
        except InputError as error:
            self._report(Status.BAD_DATA, f"reversi: {error.naming(name or 'the text')}")
        except OSError as error:
            fail(Status.NO_INPUT, f"{name}: cannot read: {reason(error)}")

    def _report(self, status: Status, text: str) -> None:
        if text not in self._reported:
            self._reported.add(text)
            self._outcome.add(status, text)


def _cut(record: Record, ply: int) -> Record:
    """Return the first turns of a game."""
    whole = ply == len(record.moves)
    line = Line(record.line.nodes[:ply], record.line.comments)
    return record if whole else Record(record.tags, record.start, line, "*")
