"""The games that `analyze` and `train make` take: files, folders, places such as `FILE#3@20`, given moves, `-`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from reversi._system.paths import STANDARD_INPUT, source_name
from reversi.cli.console import StatusCollector, fail, reason, stdin_buffer
from reversi.cli.record.streams import ReadingOptions, once, reporter_for
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.games.database.searching import entries
from reversi.games.files import FileGames
from reversi.games.selection import EVERY_GAME, Selection
from reversi.games.workers import each_made
from reversi.inputs.input import Input, MissingInputError, resolve
from reversi.inputs.place import PlaceError
from reversi.records.entry import Entry, finding_line
from reversi.records.findings import UNDERSTOOD
from reversi.records.record import Line, Record
from reversi.records.sources.finding import find_files
from reversi.records.validation.game import findings_of


class GivenGame(NamedTuple):
    """A game that was read.

    Attributes:
        file: the file, ``-`` for standard input; empty for given moves.
        entry: the game, up to the ply that is meant.
    """

    file: str
    entry: Entry


class GivenGames:
    """The games of several arguments, in order; they can be read more than once.

    Games that are wrong are left out. Errors are reported once. Standard input is kept in memory.

    Args:
        arguments: what the command line names.
        reading: how files are read.
        outcome: collects what cannot be read.
        beside: a file to skip wherever it is found: the one that the results go into.
        selection: which games of a database are read.
    """

    def __init__(
        self,
        arguments: list[str],
        reading: ReadingOptions,
        outcome: StatusCollector,
        beside: Path | None = None,
        selection: Selection = EVERY_GAME,
    ) -> None:
        self._rules = reading.rule_set
        self._format = reading.format
        self._tables = reading.tables()
        self.add: Final = once(outcome)
        """Reports something once, however often the games are read."""
        self._beside = beside
        self._selection = selection
        self._parts = [_part(argument) for argument in arguments]
        self._kept: list[GivenGame] | None = None

    @property
    def paths(self) -> list[str]:
        paths = (part if isinstance(part, str) else part.place.path for part in self._parts)
        return [path for path in paths if path]

    def __iter__(self) -> Iterator[GivenGame]:
        if self._kept is None and STANDARD_INPUT in self.paths:
            self._kept = list(self._read())
        return self._read() if self._kept is None else iter(self._kept)

    def _read(self) -> Iterator[GivenGame]:
        for are_files, parts in groupby(self._parts, lambda part: isinstance(part, str)):
            if are_files:
                yield from self._good(self._of_files([str(part) for part in parts]))
            else:
                for part in parts:
                    assert isinstance(part, Input)
                    yield from self._good(self._of_place(part))

    def _good(self, games: Iterator[GivenGame]) -> Iterator[GivenGame]:
        for game in games:
            findings = findings_of(game.entry)
            wrong = next((finding for finding in findings if finding.code not in UNDERSTOOD), None)
            if wrong is None:
                yield game
            else:
                name = source_name(game.file) if game.file else "the text"
                self.add(Status.FINDING, f"{finding_line(name, game.entry, wrong)}; left out")

    def _of_files(self, paths: list[str]) -> Iterator[GivenGame]:
        stdin = stdin_buffer() if STANDARD_INPUT in paths else None
        games = FileGames(
            paths,
            reporter_for(self.add),
            self._rules,
            self._format,
            tables=self._tables,
            beside=self._beside,
            stdin=stdin,
        )
        for file, entry in each_made(games, iter, 1, lambda database: entries(database, self._selection)):
            yield GivenGame(STANDARD_INPUT if file == source_name(STANDARD_INPUT) else file, entry)

    def _of_place(self, given: Input) -> Iterator[GivenGame]:
        name, ply = given.name or "the text", given.place.ply
        given.tables = self._tables
        try:
            for entry in given.entries(self._rules, format_=self._format):
                for note in given.notes:
                    self.add(Status.DONE, f"reversi: {note}")
                if ply is None or ply <= len(entry.record.moves):
                    yield GivenGame(given.place.path if given.name else "", _cut(entry, ply))
                else:
                    self.add(Status.BAD_DATA, f"{name}:game {entry.number}: ply {ply} does not exist")
            for problem in given.problems:
                self.add(Status.BAD_DATA, f"reversi: {problem}")
        except InputError as error:
            self.add(Status.BAD_DATA, f"reversi: {error.naming(name)}")
        except OSError as error:
            self.add(Status.NO_INPUT, f"reversi: {name}: cannot read: {reason(error)}")


def _part(argument: str) -> str | Input:
    """Return what an argument is: files, or a place or given moves."""
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


def _cut(entry: Entry, ply: int | None) -> Entry:
    """Return the first turns of a game."""
    record = entry.record
    if ply is None or ply == len(record.moves):
        return entry
    line = Line(record.line.nodes[:ply], record.line.comments)
    return replace(entry, record=Record(record.tags, record.start, line, "*"))
