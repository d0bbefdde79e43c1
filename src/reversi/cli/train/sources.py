"""What `reversi train make` reads: games, positions with the scores of their moves, and analyzed games."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import BinaryIO, Final

from reversi._system.paths import STANDARD_INPUT, is_file, source_name
from reversi._system.plain_json import loads
from reversi.analysis.analysis import Analysis
from reversi.analysis.exercises.making import is_position
from reversi.cli.console import StatusCollector, reason, stdin_buffer
from reversi.cli.given_games import GivenGames
from reversi.cli.record.streams import ReadingOptions
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.games.selection import Selection
from reversi.records.record import Line, Node, Record, Tags
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
    """The games and positions of files, folders, patterns, places and standard input, in order.

    Args:
        paths: what the command line names; also analyses of `reversi analyze`.
        reading: how files of games are read.
        outcome: collects what cannot be read.
        selection: which games are read; positions all are.
    """

    def __init__(
        self, paths: list[str], reading: ReadingOptions, outcome: StatusCollector, selection: Selection
    ) -> None:
        self._selection = selection
        self._paths = paths
        self._reading = reading
        self._outcome = outcome
        self._counts: Counter[str] = Counter()

    def __str__(self) -> str:
        """Return the counts read so far in words: `2 games and 1 position`."""
        parts = (counted(self._counts[what], what) for what in ("game", "position") if self._counts[what])
        return " and ".join(parts) or "0 games"

    def __iter__(self) -> Iterator[Source]:
        for analyses, group in groupby(self._paths, _is_analysis):
            paths = list(group)
            if analyses:
                for path in paths:
                    yield from self._analyzed(path)
                continue
            for file, entry in GivenGames(paths, self._reading, self._outcome, selection=self._selection):
                alone = is_position(entry.record)
                if not alone and not self._selection.takes(entry.record):
                    continue
                self._counts["position" if alone else "game"] += 1
                name = source_name(file) if file else ""
                yield Source(entry.record, entry.record.tags, name, entry.number, alone)

    def _analyzed(self, path: str) -> Iterator[Source]:
        name = source_name(path)
        try:
            with stdin_buffer() if path == STANDARD_INPUT else Path(path).open("rb") as stream:
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
                analysis = Analysis.from_json(fields)
            except (InputError, ValueError, RecursionError) as error:
                why = error if isinstance(error, InputError) else "not a line of JSON"
                self._outcome.add(Status.BAD_DATA, f"reversi: {name}:{number}: {why}; left out")
                continue
            nodes = [Node(move, flips=analysis.flips.get(ply)) for ply, move in enumerate(analysis.moves, 1)]
            record = Record(Tags(analysis.tags), analysis.start, Line(nodes), analysis.result)
            if not self._selection.takes(record):
                continue
            self._counts["game"] += 1
            file, game = fields.get("file") or name, fields.get("game") or number
            yield Source(record, analysis.tags, str(file), int(game), analysis=analysis)


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
