"""Where commands write games to: the form, the names that WTHOR keeps beside them, and what to say afterwards."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from reversi._system.files import Target
from reversi.cli.console import StatusCollector, err, fail
from reversi.cli.outputs import Inputs, check_output, write_pieces
from reversi.cli.record.game_files import TargetFormat
from reversi.cli.status import Status
from reversi.errors import InputError, RecordError
from reversi.records.collection.texts import GameText, game_texts
from reversi.records.conversion import Conversion, Trouble
from reversi.records.entry import Entry, finding_line
from reversi.records.formats.format import Format
from reversi.records.formats.pgn.pgn_format import FORMAT as PGN
from reversi.records.formats.registry import target_format, target_formats
from reversi.records.formats.wthor.names import load_wthor_names, read_wthor_names
from reversi.records.formats.wthor.wthor_format import FORMAT as WTHOR
from reversi.text.counting import counted
from reversi.text.decoding import excerpt

_NAMES: Final = (".JOU", ".TRN")

__all__ = ["Converter", "GamesWriter", "OutputOption", "ToOption", "output_format"]

OutputOption = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        show_default="standard output",
        help="Write the games to FILE; - is standard output.",
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
        names = ", ".join(format_.name for format_ in target_formats())
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
    """

    def __init__(
        self, path: str, to: Format, outcome: StatusCollector, place: Callable[[], str], *, force: bool
    ) -> None:
        self._path = path
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
                if not names:  # existing names keep their numbers; new ones follow
                    check_output(Path(path).with_suffix(suffix), Inputs(), force=force)
        self._conversion = Conversion(to, self._tell, players=self._known[0], tournaments=self._known[1])

    @property
    def games(self) -> int:
        return self._conversion.games

    @property
    def written(self) -> int:
        return self._conversion.written

    def pieces(self, entries: Iterable[Entry]) -> Iterator[bytes]:
        return self._conversion.pieces(entries)

    def _tell(self, trouble: Trouble) -> None:
        name = self._place()
        what = f"{name}:game {trouble.entry.number}: {trouble.reason}"
        if trouble.finding is not None:
            what = finding_line(name, trouble.entry, trouble.finding)
        self._outcome.add(Status.FINDING, f"{what}{'; left out' if trouble.left_out else ''}")

    def finish(self, games: Path | None) -> None:
        """Write the names that games in WTHOR refer to beside the file of the games, and report what was lost."""
        conversion = self._conversion
        shown = "standard output" if self._path == "-" else self._path
        if conversion.names is not None:
            for names, before, suffix in zip(conversion.names, self._known, _NAMES, strict=True):
                if len(names.names) > max(len(before), 1):
                    self._write_names(names.pack(), len(names.names), games, suffix, before)
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
        self, data: bytes, count: int, games: Path | None, suffix: str, before: tuple[str, ...]
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
        if write_pieces(target, (data,), self._outcome) == target.path:
            err(f"reversi: {path}: {counted(count, 'name')} written")


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
        self._target = check_output(path, inputs, force=force)
        self._records_written = 0
        self._converter: Converter | None = None
        self._path = path
        self._format = output_format(path, to, PGN)
        self._outcome = outcome
        self._force = force

    @property
    def takes_texts(self) -> bool:
        """Whether the output is in this project's format, so that other processes can write its games."""
        return self._format is PGN

    @property
    def count(self) -> int:
        return self._records_written if self._converter is None else self._converter.written

    def write(self, entries: Iterable[Entry], place: Callable[[], str] = lambda: "reversi") -> None:
        """Write the games. ``place`` returns what messages call the file that is being read."""
        if self.takes_texts:
            self.write_texts((place(), text) for text in game_texts(entries))
            return
        self._converter = converter = Converter(self._path, self._format, self._outcome, place, force=self._force)
        try:
            games = write_pieces(self._target, converter.pieces(entries), self._outcome)
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
        err(
            f"reversi: {where}{f'{self.count} of ' if self.count != games else ''}{counted(games, 'game')} written"
        )
