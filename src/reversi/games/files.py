"""The games of many files, one after another; files and games that cannot be read are reported and skipped."""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias

from reversi._system.paths import real_path, source_name
from reversi.arguments import Frame
from reversi.errors import InputError
from reversi.games.missing_names import MissingNames
from reversi.records.entry import Entry, finding_line
from reversi.records.findings import UNDERSTOOD
from reversi.records.formats.format import TextFormat
from reversi.records.formats.tables.table import BinaryTableFormat, TableOptions, read_table
from reversi.records.sources.finding import FoundFile, find_files
from reversi.records.sources.kinds import FileKind
from reversi.records.sources.opening import open_source, why_skipped
from reversi.records.validation.game import validate_entry
from reversi.rules import OTHELLO, Rules
from reversi.text.counting import counted


class ReportKind(enum.Enum):
    """What a report is about.

    Attributes:
        MISSING: a file does not exist or cannot be read.
        DAMAGED: a file, or a part of one, is not games.
        MALFORMED: one game is malformed, and left out.
        WARNING: the games are read, and something about them is unknown.
    """

    MISSING = enum.auto()
    DAMAGED = enum.auto()
    MALFORMED = enum.auto()
    WARNING = enum.auto()


class Report(NamedTuple):
    """What could not be read, and why.

    Attributes:
        kind: the kind.
        text: one line with place and reason.
        about: what a warning is about; only the first one about the same thing is reported. ``None``: report all.
        file: the file, as messages call it; empty where there are several or none.
        game: the number of the game in the file, 0 where it concerns no single one.
    """

    kind: ReportKind
    text: str
    about: Hashable = None
    file: str = ""
    game: int = 0

    def __str__(self) -> str:
        return self.text


Reporter: TypeAlias = Callable[[Report], None]


class FileGames:
    """The games of many files, in order.

    Args:
        paths: files, folders, patterns, ``-`` for standard input.
        report: called with each report.
        rules: the rules of games that do not name their own.
        format_: what text files hold; recognized for each when not given.
        tables: how tables are read, and the encoding of texts.
        beside: a file to skip wherever it is found: the one that the games go into.
        stdin: what the path ``-`` reads.
        validated: whether a game in which validation finds anything is left out like a malformed one.
        cut: whether a malformed game is not left out: who takes it cuts it short.

    Attributes:
        paths: as given.
        rules: as given.
        format_: as given.
        tables: as given.
        cut: as given.
        names: whether a file had the names for games of other files.
        count: how many games there were.
        taken: how many of them a selection takes, where one was asked for.
        files: how many files had any.
        broken: how many games are malformed; they are left out.
        at: how messages call the file that is read just now.
    """

    def __init__(
        self,
        paths: list[str],
        report: Reporter,
        rules: Rules = OTHELLO,
        format_: TextFormat | None = None,
        *,
        tables: TableOptions | None = None,
        beside: Path | None = None,
        stdin: BinaryIO | None = None,
        validated: bool = False,
        cut: bool = False,
    ) -> None:
        self.count: int = 0
        self.taken = 0
        self.files: int = 0
        self.broken: int = 0
        self.at: str = ""
        self.rules = rules
        self.format = format_
        self.tables: TableOptions = tables or TableOptions()
        self.names: bool = False
        self.paths = paths
        self._report = report
        self._reported = False
        self._skipped = 0
        self._warned: set[Hashable] = set()
        self._beside = beside
        self._stdin = stdin
        self._validated = validated
        self.cut = cut

    def __iter__(self) -> Iterator[Entry]:
        for _, entries in self.sources():
            yield from entries
        self.check()

    def __str__(self) -> str:
        return f"{counted(self.count, 'game')} in {counted(self.files, 'file')}"

    def sources(self) -> Iterator[tuple[str, Iterator[Entry]]]:
        """Yield each file that has games, as messages call it, with its games; read them before the next file."""
        for file in self.found():
            yield from self.entries_of(file)

    def found(self) -> Iterator[FoundFile]:
        """Return the files that the paths name, and the paths that name none."""
        for file in find_files(self.paths):
            if not file.error and self._is_beside(file.path):
                continue
            why = "" if self.format or self.tables.columns else why_skipped(file)
            yield replace(file, error=why, skipped=True) if why else file

    def entries_of(self, file: FoundFile) -> Iterator[tuple[str, Iterator[Entry]]]:
        """Yield a file with its games; report a path that names none."""
        if file.skipped:
            self._skipped += 1
            self.report(Report(ReportKind.WARNING, f"{file.error}; skipped", file=file.path))
        elif file.error:
            kind = ReportKind.MISSING if file.missing else ReportKind.DAMAGED
            self.report(Report(kind, f"{file.path}: {file.error}", file=file.path))
        else:
            yield source_name(file.path), self._entries(file)

    def take(self, count: int, files: int, broken: int, *, names: bool) -> None:
        self.count += count
        self.files += files
        self.broken += broken
        self.names |= names

    def report(self, report: Report) -> None:
        """Report something; of several warnings about the same thing the first."""
        if report.kind is not ReportKind.WARNING:
            self._reported = True
        elif report.about is not None:
            if report.about in self._warned:
                return
            self._warned.add(report.about)
        self._report(report)

    def check(self) -> None:
        """Report how many files were skipped, and that none has games, unless that is reported already."""
        if self._skipped:
            self.report(Report(ReportKind.WARNING, f"{counted(self._skipped, 'file')} skipped"))
        if not self.count and not self._reported:
            what = "the input has no games"
            if self.names:
                more = f" and {len(self.paths) - 1} more" if len(self.paths) > 1 else ""
                what = f"{self.paths[0]}{more}: only names of players and tournaments, not games"
            self.report(Report(ReportKind.DAMAGED, what))

    def _is_beside(self, path: str) -> bool:
        """Return whether a file is the one that the games go into, or its log."""
        if self._beside is None or Path(path).name not in (self._beside.name, f"{self._beside.name}.wal"):
            return False
        return real_path(Path(path).parent) == real_path(self._beside.parent)

    def _entries(self, file: FoundFile) -> Iterator[Entry]:
        name = self.at = source_name(file.path)
        before = self.count
        try:
            with open_source(file.path, self._stdin, self.tables.encoding) as source:
                if source.kind is FileKind.WTHOR_NAMES:  # it lies beside its games
                    self.names = True
                    return
                missing = MissingNames.of(source)
                for entry in source.entries(rules=self.rules, format_=self.format, options=self.tables):
                    self._tell(source.notes)
                    self.count += entry.is_game
                    if missing is not None:
                        missing.add(entry.record)
                    if self._is_understood(name, entry):
                        yield entry
                for about, text in () if missing is None else missing.warnings():
                    self.report(Report(ReportKind.WARNING, text, about, name))
                for problem in source.problems:
                    self.report(Report(ReportKind.DAMAGED, problem, file=name))
        except FileNotFoundError:
            self.report(Report(ReportKind.MISSING, f"{name}: no such file", file=name))
        except InputError as error:
            self.report(Report(ReportKind.DAMAGED, error.naming(name), file=name))
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else None
            self.report(Report(ReportKind.MISSING, f"{name}: cannot read: {why or error}", file=name))
        self.files += self.count > before

    def of_frame(self, frame: Frame) -> Iterator[Entry]:
        """Return the games of a table in memory."""
        from reversi.records.formats.tables.parquet_table import frame_rows

        self.at = "the table"
        notes: list[str] = []
        for entry in read_table(frame_rows(frame), self.rules, options=self.tables, notes=notes):
            self._tell(notes)
            self.count += entry.is_game
            if self._is_understood(self.at, entry):
                yield entry

    def asks(self, file: FoundFile) -> bool:
        """Return whether somebody is asked about a file, which another process cannot do."""
        if self.tables.confirm is None:
            return False
        try:
            with open_source(file.path, self._stdin, self.tables.encoding) as source:
                is_binary = isinstance(source.format, BinaryTableFormat)
                return is_binary or source.table_format(self.format, self.tables) is not None
        except (InputError, OSError, ValueError):
            return False  # reading it says why

    def _tell(self, notes: list[str]) -> None:
        """Report how games are read."""
        for note in notes:
            self.report(Report(ReportKind.WARNING, note, file=self.at))
        notes.clear()

    def _is_understood(self, name: str, entry: Entry) -> bool:
        if self._validated:
            wrong = next(iter(validate_entry(entry).findings), None)
        else:
            wrong = next((finding for finding in entry.findings if finding.code not in UNDERSTOOD), None)
        if wrong is None or self.cut:
            return True
        self.broken += entry.is_game
        line = f"{finding_line(name, entry, wrong)}; left out"
        self.report(Report(ReportKind.MALFORMED, line, file=name, game=entry.number))
        return False
