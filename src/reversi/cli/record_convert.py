"""``reversi record convert``: games from one form to another."""

from __future__ import annotations

import enum
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from reversi.atomic import write_atomically
from reversi.cli.console import Outcome, command, err, fail, rules_option
from reversi.cli.record_files import RulesOption, counted, read_text, source_name, text_games
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.reading import TextFormat
from reversi.records.entry import Entry
from reversi.records.findings import Code
from reversi.records.pgn_writer import write_record
from reversi.records.transcript import transcript_losses, write_transcript
from reversi.records.validate import finding_line, validate_entry


class Form(enum.Enum):
    """The forms of records that are converted."""

    PGN = "pgn"
    TRANSCRIPT = "transcript"


_SUFFIXES = {
    ".pgn": Form.PGN,
    ".txt": Form.TRANSCRIPT,
    ".transcript": Form.TRANSCRIPT,
}
# With these a game was understood all the same, and its record says what the file says.
_CONVERTIBLE = (Code.RESULT_MISMATCH, Code.WRONG_FLIPS)


@command
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file of records; - for standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write; - for standard output.")],
    source_form: Annotated[
        Form | None, typer.Option("--from", help="What IN is; found out when not given.")
    ] = None,
    target_form: Annotated[
        Form | None, typer.Option("--to", help="What OUT shall be; told from its name when not given.")
    ] = None,
    rules: RulesOption = "othello",
) -> None:
    """Convert games between PGN-like text and transcripts; what the new form cannot hold is told.

    Example: reversi record convert playok.pgn games.pgn

    Example: reversi record convert games.pgn - --to transcript
    """
    to = target_form or _SUFFIXES.get(Path(target).suffix.lower())
    if to is None:
        fail(Status.USAGE, f"{target}: give --to pgn or --to transcript, or a name that ends in .pgn or .txt")
    text = read_text(source)
    conversion = _Conversion(source_name(source), to)
    form = TextFormat(source_form.value) if source_form else None
    try:
        pieces = list(conversion.pieces(text_games(text, rules_option(rules), form)))
    except InputError as error:
        fail(Status.BAD_DATA, f"{source_name(source)}: {error}")
    if not conversion.games:
        fail(Status.BAD_DATA, f"{source_name(source)}: there is no game in it")
    if conversion.written:
        _write(target, "".join(pieces))
    conversion.finish(source_name(target) if target != "-" else "standard output")


def _write(target: str, text: str) -> None:
    if target == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return
    try:
        write_atomically(Path(target), text)
    except OSError as error:
        fail(Status.CANNOT_WRITE, f"{target}: cannot write: {error.strerror or error}")


class _Conversion:
    """Games on their way from one form to another."""

    def __init__(self, name: str, to: Form) -> None:
        self.games = 0
        self.written = 0
        self._name = name
        self._to = to
        self._losses: Counter[str] = Counter()
        self._outcome = Outcome()

    def pieces(self, games: Iterator[Entry]) -> Iterator[str]:
        """The text of the games in the new form; the ones that are wrong are told, and left out."""
        good = (entry for entry in games if self._is_good(entry))
        if self._to is Form.PGN:
            for entry in good:
                yield ("\n" if self.written else "") + write_record(entry.record)
                self.written += 1
            return
        for entry in good:
            try:
                line = write_transcript(entry.record)
            except InputError as error:
                self._outcome.add(Status.FINDING, f"{self._name}:game {entry.number}: {error}; left out")
                continue
            self.written += 1
            self._losses.update(transcript_losses(entry.record))
            yield line + "\n"

    def _is_good(self, entry: Entry) -> bool:
        self.games += 1
        verdict = validate_entry(entry, accept_flips=True)
        good = all(finding.code in _CONVERTIBLE for finding in verdict.findings)
        for finding in verdict.findings:
            left_out = "" if good else "; left out"
            self._outcome.add(Status.FINDING, f"{finding_line(self._name, entry, finding)}{left_out}")
        return good

    def finish(self, target: str) -> None:
        """Tell what was written and what was lost, and end with the status of all."""
        if self._losses:
            lost = ", ".join(f"{what} ({counted(number, 'game')})" for what, number in self._losses.items())
            err(f"reversi: {target}: a transcript does not hold: {lost}")
        err(f"reversi: {target}: {counted(self.written, 'game')} written")
        self._outcome.finish()
