"""Where commands write games to: the form, the names that WTHOR keeps beside them, and what to say afterwards."""

from __future__ import annotations

import contextlib
import enum
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, ClassVar, Final, NoReturn

import typer

from reversi._system.files import KeptError, Target
from reversi._system.locks import LockedError, beside
from reversi._system.paths import exists, is_folder, is_link, real_path
from reversi.arguments import excerpt
from reversi.cli.console import Listed, StatusCollector, err, fail, reason, writing
from reversi.cli.option_groups import Table, needs
from reversi.cli.options import option, output_option
from reversi.cli.outputs import ForceOption, Inputs, check_output, write_pieces, write_report
from reversi.cli.record.game_files import format_option
from reversi.cli.status import Status
from reversi.errors import InputError, RecordError
from reversi.games.changes import Changes
from reversi.games.database.database import Database
from reversi.games.database.searching import entries
from reversi.games.databases import OpenDatabase
from reversi.games.files import FileGames
from reversi.games.games import found_games
from reversi.games.selection import EVERY_GAME, Selection
from reversi.games.sorting import AS_FOUND, Order
from reversi.games.splitting import SplitBy, Splitter
from reversi.games.texts import GameText, game_texts, selected_texts
from reversi.games.workers import each_made
from reversi.records.conversion import Conversion, Trouble
from reversi.records.entry import Entry, finding_line
from reversi.records.formats.format import Format, KnownNames, NameFile, OtherFileError
from reversi.records.formats.pgn.pgn_format import FORMAT as PGN
from reversi.records.formats.registry import format_named, known_formats, target_format
from reversi.records.formats.wthor.header import WthorKind
from reversi.records.formats.wthor.names import NameTable, load_wthor_names, read_wthor_names
from reversi.records.formats.wthor.wthor_format import FORMAT as WTHOR
from reversi.text.counting import counted

_NAMES: Final = (".JOU", ".TRN")
_JSON: Final = (".json", ".jsonl")
_YEAR: Final = "{year}"
_SEPARATORS: Final = tuple({"/", os.sep})
_WAIT_S: Final = 10.0  # for a program that writes names

ToOption = Annotated[str, format_option(("--to",), "Write this format.", "from the name of the file")]


class Invalid(enum.Enum):
    """What becomes of games in which `reversi record validate` finds something, for ``--invalid``."""

    KEEP = "keep"
    DROP = "drop"
    FAIL = "fail"


InvalidOption = Annotated[
    Invalid,
    typer.Option(
        help="Keep games with a wrong move or result where the format can hold them, drop them, or end at the"
        " first one."
    ),
]


@dataclass(frozen=True)
class WritingOptions:
    """The options of every command that writes games."""

    to: ToOption = ""
    invalid: InvalidOption = Invalid.KEEP
    report: Annotated[
        str,
        option(
            "FILE", "List in FILE the games that are wrong or left out, as lines of JSON for a name with .json."
        ),
    ] = ""
    force: ForceOption = False

    @contextlib.contextmanager
    def writer(
        self, path: str, inputs: Inputs, default: Format | None = PGN, *, division: Division | None = None
    ) -> Iterator[GamesWriter]:
        """Return what writes the games, and write the report at the end; then end the command with its status.

        Args:
            path: the file, ``-`` for standard output; a folder, or a name with ``{year}``, for a file a year.
            inputs: what the games are read from.
            default: the format of a name without a suffix.
            division: which files of a folder the games go to, if not to those of years.
        """
        if self.report and path != "-" and real_path(self.report) == real_path(path):
            fail(Status.USAGE, "--report and the output name the same file; give another one to --report")
        listed: list[Listed] | None = [] if self.report else None
        fatal = "--invalid fail: ended at the first game that is wrong" if self.invalid is Invalid.FAIL else ""
        outcome = StatusCollector(listed=listed, fatal=fatal)
        division = division or Division.yearly(path, self.to, default)
        form = division.format if division else output_format(path, self.to, default)
        writer = GamesWriter(
            path, form, outcome, inputs, division=division, force=self.force, invalid=self.invalid
        )
        target = check_output(self.report, inputs, force=self.force) if self.report else None
        done = False
        try:
            yield writer
            done = True
        finally:
            if listed or (listed is not None and done):
                json = self.report.lower().endswith(_JSON)
                write_report(target, (line.as_bytes(json=json) for line in listed))
        outcome.finish()


@dataclass(frozen=True)
class OutputOptions(WritingOptions):
    """``--output`` and the other options of a command that writes one file of games."""

    TABLE: ClassVar[Table] = needs("--force", "--output FILE", "--report FILE")

    output: Annotated[
        str,
        output_option(
            "Write the games to FILE; - is standard output. A folder, or a name with {year}, gets a file for"
            " each year.",
            show_default="standard output",
        ),
    ] = "-"


def output_format(path: str, to: str, default: Format | None = None) -> Format:
    """Return the format to write: that of ``--to``, or of the suffix of the name, ``default`` without one."""
    suffix = "" if path == "-" else Path(path).suffix
    format_ = format_named(to) if to else target_format(suffix) or (None if suffix else default)
    if format_ is None:
        names = ", ".join(format_.name for format_ in known_formats())
        where = "standard output" if path == "-" else path
        fail(
            Status.USAGE, f"{where}: give --to with one of {names}, or a name with the suffix of one, such as .pgn"
        )
    return format_


@dataclass(frozen=True)
class Division:
    """Files of games in a folder.

    Attributes:
        folder: the folder.
        format: the form of the files.
        by: what the games of a file have in common.
        every: the number of games to a file, where ``by`` is ``None``.
        file_name: the name of a file; see `Splitter`.
        option: how messages call what names the folder.
    """

    folder: Path
    format: Format
    by: SplitBy | None = SplitBy.YEAR
    every: int = 1000
    file_name: str | None = None
    option: str = "this output"

    @classmethod
    def yearly(cls, path: str, to: str, default: Format | None) -> Division | None:
        """Return a file for each year: of a folder, or a name with ``{year}``. ``None`` for one file."""
        whole = Path(path)
        if path == "-":
            return None
        if path.endswith(_SEPARATORS) or is_folder(whole):
            format_ = format_named(to) if to else default
            if format_ is None:
                fail(Status.USAGE, f"{path} is a folder; give --to with the format of its files")
            return cls(whole, format_)
        if _YEAR in str(whole.parent):
            fail(Status.USAGE, f"{path}: {_YEAR} belongs into the name of the file, not of its folder")
        if _YEAR not in whole.name:
            return None
        return cls(whole.parent, output_format(path, to, default), file_name=whole.name.replace(_YEAR, "{}"))


class _Names:
    """The names of players and tournaments beside games in WTHOR, which keep their numbers.

    Args:
        path: the file of the games.
        outcome: collects what is wrong with the names.
        force: whether files that exist are overwritten.
    """

    def __init__(self, path: Path, outcome: StatusCollector, *, force: bool) -> None:
        self._path = path
        self._force = force
        players, tournaments, problems = load_wthor_names(path)
        self.known = players, tournaments
        for problem in problems:
            outcome.add(Status.BAD_DATA, f"reversi: {problem}")
        for names, suffix in zip(self.known, _NAMES, strict=True):
            if not names and exists(path.parent):  # existing names keep their numbers; new ones follow
                check_output(path.with_suffix(suffix), Inputs(), force=force)

    @property
    def shared(self) -> KnownNames:
        """The names, for several files that share them."""
        players, tournaments = self.known
        return NameTable(WthorKind.PLAYERS, players), NameTable(WthorKind.TOURNAMENTS, tournaments)

    def keep(self, files: tuple[NameFile, NameFile]) -> None:
        """Write the names that several files of games share, unless another program has added some meanwhile."""
        try:
            with beside(self._path, wait_s=_WAIT_S):
                for before, suffix in zip(self.known, _NAMES, strict=True):
                    path = self._path.with_suffix(suffix)
                    now = _names_in(path)
                    if now is not None and now != before:
                        why = "another program changed these names during the run; run the command again"
                        fail(Status.CANNOT_WRITE, f"{path}: cannot write: {why}")
                self.write(files, self._path)
        except LockedError as error:
            fail(Status.CANNOT_WRITE, f"{self._path}: cannot write: {error}")

    def write(self, files: tuple[NameFile, NameFile], games: Path, outcome: StatusCollector | None = None) -> None:
        """Write the names that games refer to, where there are new ones, beside the file of the games."""
        for names, before, suffix in zip(files, self.known, _NAMES, strict=True):
            if len(names.names) <= max(len(before), 1):
                continue
            path = self._path.with_name(games.name).with_suffix(suffix)
            # the names that were read may be replaced by those and more, if they are still the same
            replace = self._force or _names_in(path) == before
            with writing(str(path)):
                target = Target.of(path, replace=replace)
            if write_pieces(target, (names.pack(),), outcome) == target.path:
                err(f"reversi: {path}: {counted(len(names.names), 'name')} written")


def _names_in(path: Path) -> tuple[str, ...] | None:
    with contextlib.suppress(OSError, RecordError):
        return read_wthor_names(path).names
    return None


class GamesWriter:
    """A file of games, standard output, or files in a folder: what every command on records writes to.

    A game that is wrong is kept where the format can hold it, if that is wanted; each is reported.

    Args:
        path: the file, ``-`` for standard output.
        form: the form.
        outcome: collects what is wrong with the games.
        inputs: what the games are read from.
        division: the files of a folder, if the games go there.
        force: whether files that exist are overwritten.
        invalid: what becomes of games that are wrong.
    """

    def __init__(
        self,
        path: str,
        form: Format,
        outcome: StatusCollector,
        inputs: Inputs,
        *,
        division: Division | None = None,
        force: bool,
        invalid: Invalid = Invalid.KEEP,
    ) -> None:
        self.outcome = outcome
        self.files: dict[Path, int] = {}
        self.count: int = 0
        self._path = path
        self._format = form
        self._inputs = inputs
        self._division = division
        self._target = None if division else check_output(path, inputs, force=force)
        self._force = force
        self._invalid = invalid
        self._wrong = {True: 0, False: 0}  # the games that are left out, and those that are kept
        self._last: tuple[str, int] | None = None
        self._place = "reversi"

    @property
    def takes_texts(self) -> bool:
        """Whether the output is in this project's format, so that other processes can write its games."""
        return self._format is PGN and self._division is None

    @property
    def _shown(self) -> str:
        if self._division:
            return str(self._division.folder)
        return "standard output" if self._path == "-" else self._path

    def write_all(
        self,
        games: FileGames,
        changes: Changes,
        workers: int = 0,
        *,
        selection: Selection = EVERY_GAME,
        order: Order = AS_FOUND,
        open_: OpenDatabase = Database,
    ) -> None:
        """Write the games of files and databases that a selection takes, in an order, and report how many."""

        def ask(database: Database) -> Iterator[GameText]:
            return game_texts(changes.of(entries(database, selection)))

        if self.takes_texts and order == AS_FOUND:
            self.write_texts(each_made(games, partial(selected_texts, selection, changes), workers, ask, open_))
        else:
            found = found_games(games, selection, order, open_)
            self.write((place, changes.changed(entry)) for place, entry in found)
        self.report(games.count, games.broken)

    def write(self, games: Iterable[tuple[str, Entry]]) -> None:
        """Write games, each with what messages call the file that it was read from."""
        if self.takes_texts:
            self.write_texts((place, text) for place, entry in games for text in game_texts((entry,)))
            return
        placed = self._placed(games)
        try:
            if self._division:
                self._divide(placed, self._division)
            else:
                self._convert(placed)
        except OtherFileError as error:
            self._fail_for_years(error)
        except InputError as error:
            fail(Status.BAD_DATA, f"{self._shown}: {error}")

    def _placed(self, games: Iterable[tuple[str, Entry]]) -> Iterator[Entry]:
        for self._place, entry in games:
            yield entry

    def write_texts(self, games: Iterable[tuple[str, GameText]]) -> None:
        """Write finished games, each with what messages call the file that it was read from."""
        write_pieces(self._target, self._pieces(games))

    def report(self, games: int, broken: int = 0) -> None:
        """Write to standard error how many of the games were written.

        Args:
            games: how many games were read.
            broken: how many of them were left out as malformed.
        """
        if wrong := self._wrong[False] + self._wrong[True] + broken:
            how = "" if self.outcome.listed is not None else "; --report FILE lists them"
            kept = self._wrong[False]
            err(f"reversi: {counted(wrong, 'game')} reported: {kept} kept, {wrong - kept} left out{how}")
        if not self.count and self._path != "-":
            if games:
                err(f"reversi: {self._path}: the file is not written, because it would contain no games")
            return
        where = "" if self._path == "-" else f"{self._path}: "
        files = f" to {counted(len(self.files), 'file')}" if self._division else ""
        part = f"{self.count} of " if self.count != games else ""
        err(f"reversi: {where}{part}{counted(games, 'game')} written{files}")

    def _pieces(self, games: Iterable[tuple[str, GameText]]) -> Iterator[bytes]:
        for place, (number, text, troubles, cut) in games:
            left_out = not text or (bool(troubles) and not cut and self._invalid is not Invalid.KEEP)
            for trouble in troubles:
                self._tell(f"{place}{trouble}", place, number, left_out=left_out, cut=cut)
            if not left_out:
                yield (("\n" if self.count else "") + text).encode("utf-8", "surrogateescape")
                self.count += 1

    def _tell(self, what: str, place: str, number: int, *, left_out: bool, cut: bool) -> None:
        if self._last != (place, number):
            self._wrong[left_out] += 1
        self._last = place, number
        became = "; left out" if left_out else "; kept up to there" if cut else ""
        self.outcome.add(Status.FINDING, f"{what}{became}", file=place, game=number)

    def _tell_trouble(self, trouble: Trouble) -> None:
        name, entry = self._place, trouble.entry
        what = f"{name}:game {entry.number}: {trouble.reason}"
        if trouble.finding is not None:
            what = finding_line(name, entry, trouble.finding)
        self._tell(what, name, entry.number, left_out=trouble.left_out, cut=entry.cut)

    def _conversion(self, names: _Names | None) -> Conversion:
        players, tournaments = ((), ()) if names is None else names.known
        keep = self._invalid is Invalid.KEEP
        return Conversion(
            self._format, self._tell_trouble, players=players, tournaments=tournaments, keep_wrong=keep
        )

    def _convert(self, entries: Iterable[Entry]) -> None:
        names = None
        if self._format is WTHOR and self._path != "-":
            names = _Names(Path(self._path), self.outcome, force=self._force)
        conversion = self._conversion(names)
        games = write_pieces(self._target, conversion.pieces(entries), self.outcome)
        self.count = conversion.written
        if conversion.names is not None and names is not None:
            if games is not None:
                names.write(conversion.names, games, self.outcome)
        elif conversion.names is not None:
            for names_, suffix in zip(conversion.names, _NAMES, strict=True):
                if len(names_.names) > 1:
                    conversion.lost[f"names ({suffix}), which need a file beside the output"] = self.count
        self._tell_losses(conversion)
        if self._target is not None and games not in (None, self._target.path):
            self.outcome.finish()

    def _divide(self, entries: Iterable[Entry], division: Division) -> None:
        names = None
        if self._format is WTHOR:  # beside the names that all files find
            names = _Names(division.folder / "WTHOR.wtb", self.outcome, force=self._force)
        conversion = self._conversion(names)
        splitter = Splitter(
            division.folder,
            division.by,
            every=division.every,
            to=self._format,
            names=((), ()) if names is None else names.shared,
            file_name=division.file_name,
            replace=self._force,
            check=self._check,
            keep_names=(lambda _: None) if names is None else names.keep,
        )
        try:
            with splitter:
                for _ in conversion.pieces(entries, splitter):
                    pass
        except OtherFileError as error:
            fail(Status.BAD_DATA, f"{error}; split the games by year (--by year)")
        except (FileExistsError, NotADirectoryError):
            fail(Status.CANNOT_WRITE, f"{self._shown}: not a folder; {division.option} needs a folder")
        except KeptError as error:
            fail(Status.CANNOT_WRITE, str(error.strerror))
        except OSError as error:
            fail(Status.CANNOT_WRITE, f"{self._shown}: cannot write: {reason(error)}")
        self.files = splitter.files
        self.count = sum(self.files.values())
        self._tell_losses(conversion)

    def _check(self, path: Path) -> None:
        check_output(path, self._inputs, force=self._force)
        if is_link(path) and not self._force:  # even one that leads nowhere
            fail(Status.CANNOT_WRITE, f"{path} exists; --force overwrites it")

    def _tell_losses(self, conversion: Conversion) -> None:
        if conversion.lost:
            lost = ", ".join(f"{what} ({counted(number, 'game')})" for what, number in conversion.lost.items())
            err(f"reversi: {self._shown}: {conversion.format_name} does not hold: {lost}")
        if conversion.lost_tags:
            tags = ", ".join(excerpt(tag)[1:-1] for tag in conversion.lost_tags)
            err(f"reversi: {self._shown}: tags not held: {tags}")
        if conversion.as_recorded:
            what = f"{counted(conversion.as_recorded, 'game')} not ended on the board"
            err(f"reversi: {self._shown}: {what}, with the result as recorded")

    def _fail_for_years(self, error: OtherFileError) -> NoReturn:
        """End the command whose games do not fit into one file."""
        example = Path("WTH.wtb" if self._path == "-" else self._path)
        example = example.with_name(f"{example.stem}_{_YEAR}{example.suffix}")
        fail(Status.BAD_DATA, f"{self._shown}: {error}; write to {example} for one file for each year")
