"""What `reversi train make` reads: games, positions with the scores of their moves, and analyzed games."""

from __future__ import annotations

import enum
import io
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import BinaryIO, Final

from reversi._system.paths import is_file
from reversi._system.plain_json import loads
from reversi.analysis.analysis import Analysis, analysis_from_fields
from reversi.analysis.exercises.making import is_position
from reversi.cli.console import StatusCollector, reason, stdin_buffer
from reversi.cli.inputs import noted
from reversi.cli.record.game_files import SourceFormat, text_format
from reversi.cli.record.streams import games_of
from reversi.cli.status import Status
from reversi.cli.tables import table_options
from reversi.errors import InputError, ReversiError
from reversi.inputs.input import resolve
from reversi.records.entry import Entry, finding_line
from reversi.records.findings import UNDERSTOOD
from reversi.records.record import Line, Node, Record, Tags
from reversi.records.replay import position_after
from reversi.records.sources.finding import STANDARD_INPUT, find_files, source_name
from reversi.rules import Rules
from reversi.text.counting import counted

_ANALYSIS: Final = b'{"index":'  # how each line of an analysis begins
_LONGEST: Final = 1 << 24


@dataclass(frozen=True, slots=True)
class Source:
    """A game or position that was read.

    Attributes:
        record: the game.
        tags: what is known about it.
        file: the file, as messages call it.
        number: the number of the game in the file, from 1.
        is_position: whether it is a position with the scores of its moves.
        analysis: the analysis of the game, where the file has it.
    """

    record: Record
    tags: Mapping[str, str]
    file: str
    number: int
    is_position: bool = False
    analysis: Analysis | None = None


class Sources:
    """The games and positions of files, folders, patterns and standard input, in order.

    Args:
        paths: the files, as for `reversi.games.files.Games`; also analyses of `reversi analyze`.
        rules: the rules of games that name none.
        outcome: collects what cannot be read.
        format_: the format of texts; recognized when not given.
        columns: the columns of tables; guessed when not given.
    """

    def __init__(
        self,
        paths: list[str],
        rules: Rules,
        outcome: StatusCollector,
        format_: SourceFormat | None = None,
        columns: list[str] | None = None,
    ) -> None:
        self._paths = paths
        self._rules = rules
        self._outcome = outcome
        self._format = format_
        self._columns = columns
        self._counts: Counter[str] = Counter()

    def __str__(self) -> str:
        """Return the counts read so far in words: `2 games and 1 position`."""
        parts = (counted(self._counts[what], what) for what in ("game", "position") if self._counts[what])
        return " and ".join(parts) or "0 games"

    def __iter__(self) -> Iterator[Source]:
        for kind, paths in self._grouped():
            if kind is _Kind.ANALYSIS:
                yield from self._analyzed(paths[0])
                continue
            for entry, file in self._of_place(paths[0]) if kind is _Kind.PLACE else self._of_files(paths):
                alone = is_position(entry.record)
                self._counts["position" if alone else "game"] += 1
                yield Source(entry.record, entry.record.tags, file, entry.number, alone)

    def _grouped(self) -> Iterator[tuple[_Kind, list[str]]]:
        """Yield paths in their order, analyses and places one by one, files of games together."""
        for kind, group in groupby(self._paths, _kind):
            if kind is _Kind.FILES:
                yield kind, list(group)
            else:
                yield from ((kind, [path]) for path in group)

    def _of_files(self, paths: list[str]) -> Iterator[tuple[Entry, str]]:
        games = games_of(paths, self._rules, self._outcome, self._format, self._columns)
        for entry in games:
            yield entry, games.at

    def _of_place(self, path: str) -> Iterator[tuple[Entry, str]]:
        given = resolve(path)
        given.tables = table_options(self._columns)
        name = given.name or "the text"
        try:
            for entry in noted(given, given.entries(self._rules, format_=text_format(self._format))):
                wrong = next((finding for finding in entry.findings if finding.code not in UNDERSTOOD), None)
                if wrong is not None:
                    self._outcome.add(Status.FINDING, f"{finding_line(name, entry, wrong)}; left out")
                    continue
                if given.place.ply is not None:
                    position_after(entry.record, given.place.ply)  # refuses a ply that does not exist
                    line = Line(entry.record.line.nodes[: given.place.ply])
                    entry = replace(entry, record=Record(entry.record.tags, entry.record.start, line))  # noqa: PLW2901
                yield entry, given.place.path if given.name else ""
        except ReversiError as error:
            why = error.naming(name) if isinstance(error, InputError) else f"{name}: {error}"
            self._outcome.add(Status.BAD_DATA, f"reversi: {why}")
        except OSError as error:
            self._outcome.add(Status.NO_INPUT, f"reversi: {name}: cannot read: {reason(error)}")

    def _analyzed(self, path: str) -> Iterator[Source]:
        name = source_name(path)
        try:
            if path == STANDARD_INPUT:
                yield from self._lines(stdin_buffer(), name)
                return
            with Path(path).open("rb") as stream:
                yield from self._lines(stream, name)
        except OSError as error:
            self._outcome.add(Status.NO_INPUT, f"reversi: {name}: cannot read: {reason(error)}")

    def _lines(self, stream: BinaryIO, name: str) -> Iterator[Source]:
        number = 0
        while line := stream.readline(_LONGEST):
            number += 1
            if not line.strip():
                continue
            try:
                fields = loads(line)
                analysis = analysis_from_fields(fields)
            except (InputError, ValueError, RecursionError) as error:
                why = error if isinstance(error, InputError) else "not a line of JSON"
                self._outcome.add(Status.BAD_DATA, f"reversi: {name}:{number}: {why}; left out")
                continue
            self._counts["game"] += 1
            nodes = [Node(move, flips=analysis.flips.get(ply)) for ply, move in enumerate(analysis.moves, 1)]
            record = Record(Tags(analysis.tags), analysis.start, Line(nodes))
            file, game = fields.get("file") or name, fields.get("game") or number
            yield Source(record, analysis.tags, str(file), int(game), analysis=analysis)


class _Kind(enum.Enum):
    """What a path names: files of games, one analysis, or a place (`FILE#3`, given moves)."""

    FILES = enum.auto()
    ANALYSIS = enum.auto()
    PLACE = enum.auto()


def _kind(path: str) -> _Kind:
    if _is_analysis(path):
        return _Kind.ANALYSIS
    if path == STANDARD_INPUT or os.path.lexists(path) or next(iter(find_files([path]))).path != path:
        return _Kind.FILES
    try:
        resolve(path)
    except InputError:  # reading it says that the file is missing
        return _Kind.FILES
    return _Kind.PLACE


def _is_analysis(path: str) -> bool:
    """Return whether a file, or standard input, has games as `reversi analyze --json` writes them."""
    try:
        if path == STANDARD_INPUT:
            return _beginning(stdin_buffer()).startswith(_ANALYSIS)
        if not is_file(path):
            return False
        with Path(path).open("rb") as stream:
            return stream.read(len(_ANALYSIS)) == _ANALYSIS
    except (OSError, ValueError):
        return False


def _beginning(stream: BinaryIO) -> bytes:
    if isinstance(stream, io.BufferedReader):
        return stream.peek(len(_ANALYSIS))
    if not stream.seekable():
        return b""
    at = stream.tell()
    head = stream.read(len(_ANALYSIS))
    stream.seek(at)
    return head
