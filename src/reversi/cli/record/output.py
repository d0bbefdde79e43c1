"""Where commands write games to: the form, the names that WTHOR keeps beside them, and what to say afterwards."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer

from reversi._system.files import KeptError, Target
from reversi._system.locks import LockedError, beside
from reversi._system.paths import exists, is_folder, is_link
from reversi.cli.console import StatusCollector, err, fail, reason
from reversi.cli.outputs import Inputs, check_output, write_pieces
from reversi.cli.record.game_files import TargetFormat
from reversi.cli.status import Status
from reversi.errors import InputError, RecordError
from reversi.games.splitting import SplitBy, Splitter
from reversi.games.texts import GameText, game_texts
from reversi.records.conversion import Conversion, Trouble
from reversi.records.entry import Entry, finding_line
from reversi.records.formats.format import Format, KnownNames, NameFile, OtherFileError, Writer
from reversi.records.formats.pgn.pgn_format import FORMAT as PGN
from reversi.records.formats.registry import known_formats, target_format
from reversi.records.formats.wthor.header import WthorKind
from reversi.records.formats.wthor.names import NameTable, load_wthor_names, read_wthor_names
from reversi.records.formats.wthor.wthor_format import FORMAT as WTHOR
from reversi.text.counting import counted
from reversi.text.decoding import excerpt

_NAMES: Final = (".JOU", ".TRN")
_YEAR: Final = "{year}"
_SEPARATORS: Final = tuple({"/", os.sep})
_WAIT_S: Final = 10.0  # for a program that writes names

OutputOption = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        show_default="standard output",
        help="Write the games to FILE; - is standard output. A folder, or a name with {year}, gets a file for each"
        " year.",
    ),
]
ToOption = Annotated[
    TargetFormat | None,
    typer.Option("--to", show_default="from the name of the file", help="Write this format."),
]


def output_format(path: str, to: TargetFormat | None, default: Format | None = None) -> Format:
    """Return the format to write: that of ``--to``, or of the suffix of the name, ``default`` without one."""
    suffix = "" if path == "-" else Path(path).suffix
    format_ = to.format if to else target_format(suffix) or (None if suffix else default)
    if format_ is None:
        names = ", ".join(format_.name for format_ in known_formats())
        where = "standard output" if path == "-" else path
        fail(
            Status.USAGE, f"{where}: give --to with one of {names}, or a name with the suffix of one, such as .pgn"
        )
    return format_


class Converter:
    """Writes games in one format, and reports what that format cannot hold.

    Args:
        path: the file, ``-`` for standard output.
        to: the form.
        outcome: collects what is wrong with the games.
        place: how messages call the file that the games are read from just now.
        force: whether files that exist are overwritten.
        shown: how messages call the output.
    """

    def __init__(
        self,
        path: str,
        to: Format,
        outcome: StatusCollector,
        place: Callable[[], str],
        *,
        force: bool,
        shown: str = "",
    ) -> None:
        self._path = path
        self._shown = shown or ("standard output" if path == "-" else path)
        self._outcome = outcome
        self._place = place
        self._force = force
        self._known: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        if to is WTHOR and path != "-":
            players, tournaments, problems = load_wthor_names(Path(path))
            self._known = players, tournaments
            for problem in problems:
                outcome.add(Status.BAD_DATA, f"reversi: {problem}")
            for names, suffix in zip(self._known, _NAMES, strict=True):
                if not names and exists(Path(path).parent):  # existing names keep their numbers; new ones follow
                    check_output(Path(path).with_suffix(suffix), Inputs(), force=force)
        self._conversion = Conversion(to, self._tell, players=self._known[0], tournaments=self._known[1])

    @property
    def games(self) -> int:
        return self._conversion.games

    @property
    def written(self) -> int:
        return self._conversion.written

    @property
    def shared_names(self) -> KnownNames:
        """The names that have numbers already, for several files in WTHOR that share them."""
        players, tournaments = self._known
        return NameTable(WthorKind.PLAYERS, players), NameTable(WthorKind.TOURNAMENTS, tournaments)

    def pieces(self, entries: Iterable[Entry], writer: Writer | None = None) -> Iterator[bytes]:
        return self._conversion.pieces(entries, writer)

    def _tell(self, trouble: Trouble) -> None:
        name = self._place()
        what = f"{name}:game {trouble.entry.number}: {trouble.reason}"
        if trouble.finding is not None:
            what = finding_line(name, trouble.entry, trouble.finding)
        self._outcome.add(Status.FINDING, f"{what}{'; left out' if trouble.left_out else ''}")

    def finish(self, games: Path | None) -> None:
        """Write the names that games in WTHOR refer to beside the file of the games, and report what was lost."""
        if self._conversion.names is not None:
            for names, before, suffix in zip(self._conversion.names, self._known, _NAMES, strict=True):
                if len(names.names) > max(len(before), 1):
                    self._write_names(names, games, suffix, before, self._outcome)
        self.report()

    def keep_names(self, files: tuple[NameFile, NameFile]) -> None:
        """Write the names that several files of games share, unless another program has added some meanwhile."""
        try:
            with beside(Path(self._path), wait_s=_WAIT_S):
                for before, suffix in zip(self._known, _NAMES, strict=True):
                    path = Path(self._path).with_suffix(suffix)
                    now = before
                    with contextlib.suppress(OSError, RecordError):
                        now = read_wthor_names(path).names
                    if now != before:
                        why = "another program changed these names during the run; run the command again"
                        fail(Status.CANNOT_WRITE, f"{path}: cannot write: {why}")
                for names, before, suffix in zip(files, self._known, _NAMES, strict=True):
                    if len(names.names) > max(len(before), 1):
                        self._write_names(names, Path(self._path), suffix, before)
        except LockedError as error:
            fail(Status.CANNOT_WRITE, f"{self._path}: cannot write: {error}")

    def report(self) -> None:
        """Report what was lost."""
        conversion, shown = self._conversion, self._shown
        if conversion.lost:
            lost = ", ".join(f"{what} ({counted(number, 'game')})" for what, number in conversion.lost.items())
            err(f"reversi: {shown}: {conversion.format_name} does not hold: {lost}")
        if conversion.lost_tags:
            tags = ", ".join(excerpt(tag)[1:-1] for tag in conversion.lost_tags)
            err(f"reversi: {shown}: tags not held: {tags}")
        if conversion.as_recorded:
            what = f"{counted(conversion.as_recorded, 'game')} not ended on the board"
            err(f"reversi: {shown}: {what}, with the result as recorded")

    def _write_names(
        self,
        names: NameFile,
        games: Path | None,
        suffix: str,
        before: tuple[str, ...],
        outcome: StatusCollector | None = None,
    ) -> None:
        if self._path == "-":
            self._conversion.lost[f"names ({suffix}), which need a file beside the output"] = self.written
            return
        if games is None:
            return
        path = Path(self._path).with_name(games.name).with_suffix(suffix)
        # the names that were read may be replaced by those and more, if they are still the same
        same = False
        with contextlib.suppress(OSError, RecordError):
            same = read_wthor_names(path).names == before
        try:
            target = Target.of(path, replace=self._force or same)
        except OSError as error:
            fail(Status.CANNOT_WRITE, f"{path}: cannot write: {error.strerror}")
        if write_pieces(target, (names.pack(),), outcome) == target.path:
            err(f"reversi: {path}: {counted(len(names.names), 'name')} written")


class FolderWriter:
    """Files of games in a folder: what `record split` writes, and any command whose output is a file a year.

    Args:
        folder: the folder.
        to: the form.
        outcome: collects what is wrong with the games.
        inputs: what the games are read from.
        by: what the games of a file have in common.
        every: the number of games to a file, where ``by`` is ``None``.
        file_name: the name of a file; see `Splitter`.
        force: whether files that exist are overwritten.
        option: how messages call what names the folder.
    """

    def __init__(
        self,
        folder: Path,
        to: Format,
        outcome: StatusCollector,
        inputs: Inputs,
        *,
        by: SplitBy | None = SplitBy.YEAR,
        every: int = 1000,
        file_name: str | None = None,
        force: bool,
        option: str = "this output",
    ) -> None:
        self.files: dict[Path, int] = {}
        self._folder = folder
        self.format = to
        self._outcome = outcome
        self._inputs = inputs
        self._by = by
        self._every = every
        self._option = option
        self._file_name = file_name
        self._force = force

    @classmethod
    def yearly(
        cls,
        path: str,
        to: TargetFormat | None,
        outcome: StatusCollector,
        inputs: Inputs,
        default: Format | None = None,
        *,
        force: bool,
    ) -> FolderWriter | None:
        """Return what writes a file for each year: a folder, or a name with ``{year}``. ``None`` for one file."""
        if path == "-":
            return None
        whole = Path(path)
        if path.endswith(_SEPARATORS) or is_folder(whole):
            format_ = to.format if to else default
            if format_ is None:
                fail(Status.USAGE, f"{path} is a folder; give --to with the format of its files")
            return cls(whole, format_, outcome, inputs, force=force)
        if _YEAR in str(whole.parent):
            fail(Status.USAGE, f"{path}: {_YEAR} belongs into the name of the file, not of its folder")
        if _YEAR not in whole.name:
            return None
        format_ = output_format(path, to, default)
        return cls(whole.parent, format_, outcome, inputs, file_name=whole.name.replace(_YEAR, "{}"), force=force)

    @property
    def count(self) -> int:
        """The number of games written."""
        return sum(self.files.values())

    def write(self, entries: Iterable[Entry], place: Callable[[], str], *, as_they_are: bool = False) -> Converter:
        """Write the games. Return what converted them.

        Args:
            entries: the games.
            place: returns what messages call the file that is being read.
            as_they_are: keep games with illegal moves, for the project's own format.
        """
        shared = str(self._folder / "WTHOR.wtb")  # beside the names that all files find
        shown = str(self._folder)
        converter = Converter(shared, self.format, self._outcome, place, force=self._force, shown=shown)
        splitter = Splitter(
            self._folder,
            self._by,
            every=self._every,
            to=self.format,
            names=converter.shared_names if self.format is WTHOR else ((), ()),
            file_name=self._file_name,
            replace=self._force,
            check=self._check,
            keep_names=converter.keep_names,
        )
        try:
            with splitter:
                if as_they_are:
                    self._add(splitter, entries, place)
                else:
                    for _ in converter.pieces(entries, splitter):
                        pass
        except OtherFileError as error:
            fail(Status.BAD_DATA, f"{error}; split the games by year (--by year)")
        except (FileExistsError, NotADirectoryError):
            fail(Status.CANNOT_WRITE, f"{shown}: not a folder; {self._option} needs a folder")
        except KeptError as error:
            fail(Status.CANNOT_WRITE, str(error.strerror))
        except OSError as error:
            fail(Status.CANNOT_WRITE, f"{shown}: cannot write: {reason(error)}")
        self.files = splitter.files
        converter.report()
        return converter

    def _add(self, splitter: Splitter, entries: Iterable[Entry], place: Callable[[], str]) -> None:
        for entry in entries:
            try:
                splitter.add(entry.record)
            except RecordError as error:
                self._outcome.add(Status.FINDING, f"{place()}:game {entry.number}: {error}; left out")

    def _check(self, path: Path) -> None:
        check_output(path, self._inputs, force=self._force)
        if is_link(path) and not self._force:  # even one that leads nowhere
            fail(Status.CANNOT_WRITE, f"{path} exists; --force overwrites it")


def fail_for_years(path: str, error: OtherFileError) -> NoReturn:
    """End the command whose games do not fit into one file."""
    shown = "standard output" if path == "-" else path
    example = Path("WTH.wtb" if path == "-" else path)
    example = example.with_name(f"{example.stem}_{_YEAR}{example.suffix}")
    fail(Status.BAD_DATA, f"{shown}: {error}; write to {example} for one file for each year")


class GamesWriter:
    """A file of games, or standard output: what the commands that sort games write.

    This project's format keeps games as they are; other formats leave out games with illegal moves.

    Args:
        path: the file, ``-`` for standard output.
        to: the form that ``--to`` names.
        outcome: collects what is wrong with the games.
        inputs: what the games are read from.
        force: whether a file that exists is overwritten.
    """

    def __init__(
        self, path: str, to: TargetFormat | None, outcome: StatusCollector, inputs: Inputs, *, force: bool
    ) -> None:
        self._folder = FolderWriter.yearly(path, to, outcome, inputs, PGN, force=force)
        self._target = None if self._folder else check_output(path, inputs, force=force)
        self._records_written = 0
        self._converter: Converter | None = None
        self._path = path
        self._format = self._folder.format if self._folder else output_format(path, to, PGN)
        self._outcome = outcome
        self._force = force

    @property
    def takes_texts(self) -> bool:
        """Whether the output is in this project's format, so that other processes can write its games."""
        return self._format is PGN and self._folder is None

    @property
    def count(self) -> int:
        if self._folder is not None:
            return self._folder.count
        return self._records_written if self._converter is None else self._converter.written

    def write(self, entries: Iterable[Entry], place: Callable[[], str] = lambda: "reversi") -> None:
        """Write the games. ``place`` returns what messages call the file that is being read."""
        if self.takes_texts:
            self.write_texts((place(), text) for text in game_texts(entries))
            return
        try:
            if self._folder is not None:
                self._folder.write(entries, place, as_they_are=self._format is PGN)
                return
            self._converter = converter = Converter(
                self._path, self._format, self._outcome, place, force=self._force
            )
            games = write_pieces(self._target, converter.pieces(entries), self._outcome)
        except OtherFileError as error:
            fail_for_years(self._path, error)
        except InputError as error:
            fail(Status.BAD_DATA, f"{self._path}: {error}")
        converter.finish(games)
        if self._target is not None and games not in (None, self._target.path):
            self._outcome.finish()

    def write_texts(self, games: Iterable[tuple[str, GameText]]) -> None:
        """Write finished games, each with what messages call the file that it was read from."""
        write_pieces(self._target, self._pieces(games))

    def _pieces(self, games: Iterable[tuple[str, GameText]]) -> Iterator[bytes]:
        for place, (number, text, error) in games:
            if error:
                self._outcome.add(Status.FINDING, f"{place}:game {number}: {error}; left out")
                continue
            yield (("\n" if self._records_written else "") + text).encode("utf-8", "surrogateescape")
            self._records_written += 1

    def report(self, games: int) -> None:
        """Write to standard error how many of the games were written."""
        if not self.count and self._path != "-":
            err(f"reversi: {self._path}: the file is not written, because it would contain no games")
            return
        where = "" if self._path == "-" else f"{self._path}: "
        files = f" to {counted(len(self._folder.files), 'file')}" if self._folder else ""
        part = f"{self.count} of " if self.count != games else ""
        err(f"reversi: {where}{part}{counted(games, 'game')} written{files}")
