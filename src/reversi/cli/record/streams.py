"""Games of many files read one after another, and written to one file: what the commands that sort games share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from reversi.cli.console import StatusCollector, err, stdin_buffer
from reversi.cli.record.files import SourceForm, counted, text_format
from reversi.cli.record.wthor_names import WthorNamesCheck
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.records.entry import Entry
from reversi.records.file_kinds import FileKind
from reversi.records.findings import Code
from reversi.records.sources import STANDARD_INPUT, FoundFile, find_files, open_source, source_name
from reversi.records.validation.game import finding_line
from reversi.rules import Rules

PathsArgument = Annotated[
    list[str],
    typer.Argument(metavar="PATH...", help="Files of games, folders, or patterns; - is standard input."),
]
# With these a game was understood all the same, and its record says what the file says.
_UNDERSTOOD = (Code.RESULT_MISMATCH, Code.WRONG_FLIPS)


class Games:
    """The games of many files, in order. What cannot be read is reported and skipped.

    Args:
        paths: files, folders, patterns.
        rules: the rules of games that do not name their own.
        outcome: collects what went wrong.
        form: what text files hold; recognised for each when not given.
        beside: a file to skip wherever it is found: the one that the games go into.
        warn: called with warnings, in place of standard error: what each is about, ``None`` or reported once, and
            its text.

    Attributes:
        rules: as given.
        form: as given.
        outcome: as given.
        names: whether a file had the names for games of other files.
        count: how many games there were.
        files: how many files had any.
        broken: how many games are malformed; they are left out.
        at: how messages call the file that is read just now.
    """

    def __init__(
        self,
        paths: list[str],
        rules: Rules,
        outcome: StatusCollector,
        form: SourceForm | None = None,
        *,
        beside: Path | None = None,
        warn: Callable[[object, str], None] | None = None,
    ) -> None:
        self.count = 0
        self.files = 0
        self.broken = 0
        self.at = ""
        self._paths = paths
        self.rules = rules
        self.form = form
        self.outcome = outcome
        self.names = False
        self._beside = beside
        self._warn = warn
        self._warned: set[object] = set()
        self._stdin = stdin_buffer() if STANDARD_INPUT in paths else None

    def __iter__(self) -> Iterator[Entry]:
        for _, entries in self.sources():
            yield from entries
        self.check()

    def sources(self) -> Iterator[tuple[str, Iterator[Entry]]]:
        """Each file that has games, as messages call it, with its games, which are to be read before the next."""
        for file in self.found():
            yield from self.entries_of(file)

    def found(self) -> Iterator[FoundFile]:
        """The files that the paths name, and the paths that name none."""
        return (file for file in find_files(self._paths) if file.error or not self._is_beside(file.path))

    def entries_of(self, file: FoundFile) -> Iterator[tuple[str, Iterator[Entry]]]:
        """A file with its games; nothing for a path that names none, which is reported."""
        if file.error:
            status = Status.NO_INPUT if file.missing else Status.BAD_DATA
            self.outcome.add(status, f"reversi: {file.path}: {file.error}")
        else:
            yield source_name(file.path), self._entries(file)

    def take(self, count: int, files: int, broken: int, *, names: bool) -> None:
        """Count what was read elsewhere."""
        self.count += count
        self.files += files
        self.broken += broken
        self.names |= names

    def warn(self, about: object, message: str) -> None:
        """Write a warning; of several about the same thing the first."""
        if self._warn is not None:
            self._warn(about, message)
        elif about is None or about not in self._warned:
            self._warned.add(about)
            err(message)

    def check(self) -> None:
        """Report that there was not a game, unless the reason was reported."""
        if not self.count and self.outcome.status is Status.DONE:
            what = "only names of players and tournaments, not games" if self.names else "the input has no games"
            self.outcome.add(Status.BAD_DATA, f"reversi: {what}")

    def _is_beside(self, path: str) -> bool:
        """Whether a file is the one that the games go into, or its log."""
        if self._beside is None or Path(path).name not in (self._beside.name, f"{self._beside.name}.wal"):
            return False
        return os.path.realpath(Path(path).parent) == os.path.realpath(self._beside.parent)

    def _entries(self, file: FoundFile) -> Iterator[Entry]:
        name = self.at = source_name(file.path)
        before = self.count
        try:
            with open_source(file.path, self._stdin) as source:
                if source.kind is FileKind.WTHOR_NAMES:  # it lies beside its games
                    self.names = True
                    return
                names = WthorNamesCheck.of(source)
                for entry in source.entries(rules=self.rules, form=text_format(self.form)):
                    self.count += 1
                    if names is not None:
                        names.look_at(entry.record)
                    if self._is_understood(name, entry):
                        yield entry
                for warning in () if names is None else names.warnings():
                    self.warn(*warning)
                for problem in source.problems:
                    self.outcome.add(Status.BAD_DATA, f"reversi: {problem}")
        except FileNotFoundError:
            self.outcome.add(Status.NO_INPUT, f"reversi: {name}: no such file")
        except InputError as error:
            self.outcome.add(Status.BAD_DATA, f"reversi: {error.naming(name)}")
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else None
            self.outcome.add(Status.NO_INPUT, f"reversi: {name}: cannot read: {why or error}")
        self.files += self.count > before

    def _is_understood(self, name: str, entry: Entry) -> bool:
        wrong = next((found for found in entry.findings if found.code not in _UNDERSTOOD), None)
        if wrong is None:
            return True
        self.broken += 1
        self.outcome.add(Status.FINDING, f"{finding_line(name, entry, wrong)}; left out")
        return False


def in_files(games: Games) -> str:
    """How many games of how many files, in words."""
    return f"{counted(games.count, 'game')} in {counted(games.files, 'file')}"


def years_between(first: int | None, last: int | None) -> str:
    """The years from one to another, in words; empty while unknown."""
    if first is None or last is None:
        return ""
    return str(first) if first == last else f"{first}–{last}"
