"""Many games that a command reads: the argument PATH, how files are read, and the reports about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from reversi._system.paths import STANDARD_INPUT, may_exist
from reversi.arguments import MAX_THREADS
from reversi.cli.console import StatusCollector, fail, rules_option, stdin_buffer
from reversi.cli.options import EncodingOption, GameRulesOption, argument, option
from reversi.cli.record.game_files import FormatOption
from reversi.cli.state import database_path
from reversi.cli.status import Status
from reversi.cli.tables import ColumnsOption, table_options
from reversi.games.files import FileGames, Report, ReportKind
from reversi.records.formats.format import TextFormat
from reversi.records.formats.registry import text_format_named
from reversi.records.formats.tables.table import TableOptions
from reversi.rules import Rules

if TYPE_CHECKING:
    from reversi.games import Games

PathsArgument = Annotated[
    list[str], argument("PATH", "Files of games, databases, folders, zips, or patterns; - is standard input.")
]
_ARCHIVE: Final = "Files of games, databases, folders, zips, or patterns"
_OWN: Final = "the database of 'reversi db'"
ArchiveArgument = Annotated[list[str] | None, argument("PATH", f"{_ARCHIVE}.", show_default=_OWN)]
StreamsArgument = Annotated[
    list[str] | None, argument("PATH", f"{_ARCHIVE}; - is standard input.", show_default=_OWN)
]
WorkersOption = Annotated[
    int, option("N", "Use N processes; 0 uses one per CPU.", "--workers", min=0, max=MAX_THREADS)
]

_STATUSES: Final = {
    ReportKind.MISSING: Status.NO_INPUT,
    ReportKind.DAMAGED: Status.BAD_DATA,
    ReportKind.MALFORMED: Status.FINDING,
    ReportKind.WARNING: Status.DONE,
}


@dataclass(frozen=True)
class ReadingOptions:
    """How the files of games are read."""

    format_: FormatOption = ""
    columns: ColumnsOption = None
    encoding: EncodingOption = ""
    rules: GameRulesOption = "othello"

    @cached_property
    def rule_set(self) -> Rules:
        return rules_option(self.rules)

    @property
    def format(self) -> TextFormat | None:
        return text_format_named(self.format_) if self.format_ else None

    def tables(self, before_question: Callable[[], None] = lambda: None) -> TableOptions:
        return table_options(self.columns, before_question, self.encoding)

    def games(
        self,
        paths: list[str],
        outcome: StatusCollector,
        *,
        beside: Path | None = None,
        before_question: Callable[[], None] = lambda: None,
        cut: bool = False,
    ) -> FileGames:
        """Return the games of files, folders and patterns; ``outcome`` collects what cannot be read.

        `FileGames` has the other arguments.
        """
        stdin = stdin_buffer() if STANDARD_INPUT in paths else None
        tables = self.tables(before_question)
        report = reporter_for(outcome.add)
        return FileGames(
            paths, report, self.rule_set, self.format, tables=tables, beside=beside, stdin=stdin, cut=cut
        )


def reporter_for(add: Callable[..., None]) -> Callable[[Report], None]:
    """Return what adds files and games that cannot be read to the statuses of a command."""

    def report(event: Report) -> None:
        name = "" if event.kind is ReportKind.MALFORMED else "reversi: "
        add(_STATUSES[event.kind], f"{name}{event.text}", file=event.file, game=event.game)

    return report


def once(outcome: StatusCollector) -> Callable[..., None]:
    """Return `StatusCollector.add` for files that are read several times: it reports each message once."""
    known: set[str] = set()

    def add(status: Status, message: str, **_: object) -> None:
        if message not in known:
            known.add(message)
            outcome.add(status, message)

    return add


def archive_games(
    paths: list[str] | None, rules: Rules, encoding: str, memory: int | None, outcome: StatusCollector
) -> Games | None:
    """Return the games of paths, without any those of the database of `reversi db`; ``None`` for none.

    They may be read several times, so that standard input ends the command.
    """
    from reversi.games import Games

    if STANDARD_INPUT in (paths or ()):
        fail(Status.USAGE, "PATH -: give the files of games by their names")
    if not paths and not may_exist(path := database_path("")):
        return None
    report = reporter_for(once(outcome))  # each position reads the files again
    return Games(*(paths or (path,)), rules=rules, encoding=encoding, report=report, memory_mb=memory)
