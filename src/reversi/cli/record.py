"""``reversi record``: replay records, check them, convert them."""

from __future__ import annotations

import enum
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from reversi.atomic import write_atomically
from reversi.cli import record_show
from reversi.cli.console import Exit, Outcome, command, err, fail, out, out_json, read_bytes, rules_option
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.reading import TextFormat, read_games, recognise
from reversi.records.entry import Entry
from reversi.records.files import MAX_BYTES, decode_records
from reversi.records.findings import Code
from reversi.records.pgn_writer import write_record
from reversi.records.transcript import transcript_losses, write_transcript
from reversi.records.validate import Summary, finding_line, validate_entry
from reversi.rules import Rules


class Form(enum.Enum):
    """The forms of records that are converted."""

    PGN = "pgn"
    TRANSCRIPT = "transcript"


_Rules = Annotated[str, typer.Option(help="Rule set of games that do not name their own.")]
_SUFFIXES = {
    ".pgn": Form.PGN,
    ".txt": Form.TRANSCRIPT,
    ".transcript": Form.TRANSCRIPT,
}
# With these a game was understood all the same, and its record says what the file says.
_CONVERTIBLE = (Code.RESULT_MISMATCH, Code.WRONG_FLIPS)


def register(app: typer.Typer) -> None:
    """Add the command group to ``app``."""
    group = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    group.command("show")(record_show.show)
    group.command("validate")(_validate)
    group.command("convert")(_convert)
    app.add_typer(group, name="record", help="Replay records of games, check them, or convert them.")


def _text(path: str) -> str:
    """The text of a file of records.

    Raises:
        Exit: there is no such file, or it holds no text that could be records.
    """
    name = _name(path)
    try:
        return decode_records(read_bytes(path, MAX_BYTES), name)
    except InputError as error:
        raise Exit(Status.BAD_DATA, str(error)) from None


def _games(text: str, rules: Rules, form: TextFormat | None = None) -> Iterator[Entry]:
    """The games of a text in a form that is read whole.

    Raises:
        InputError: there is no game in it, or they are in GGF.
    """
    form = form or recognise(text)
    if form is TextFormat.GGF:
        raise InputError("games in GGF, which can only be shown")
    return read_games(text, rules=rules, form=form)


def _name(path: str) -> str:
    return "standard input" if path == "-" else path


@command
def _validate(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files of records; - for standard input.")],
    json: Annotated[bool, typer.Option("--json", help="One JSON object per finding, then the summary.")] = False,
    accept_flips: Annotated[
        bool, typer.Option("--accept-flips", help="Discs may have been turned otherwise than the rules say.")
    ] = False,
    max_errors: Annotated[int, typer.Option(min=0, help="Stop after so many findings; 0 is no limit.")] = 0,
    rules: _Rules = "othello",
) -> None:
    """Check games: every move legal, every pass in place, every result right, nothing cut off.

    Example: reversi record validate games.pgn

    Example: reversi record validate *.pgn --json
    """
    check = _Check(rules_option(rules), accept_flips, max_errors, json)
    for path in paths:
        if not check.full:
            check.file(path)
    check.finish()


class _Check:
    """The games of several files being checked."""

    def __init__(self, rules: Rules, accept_flips: bool, max_errors: int, json: bool) -> None:
        self._rules = rules
        self._accept_flips = accept_flips
        self._limit = max_errors
        self._json = json
        self._summary = Summary()
        self._outcome = Outcome()

    @property
    def full(self) -> bool:
        """Whether as many findings were reported as are wanted."""
        return 0 < self._limit <= self._summary.findings

    def file(self, path: str) -> None:
        """Check one file; what keeps it from being read is told, and the next one follows."""
        name = _name(path)
        try:
            number = 0
            for number, entry in enumerate(_games(_text(path), self._rules), 1):
                self._summary.files += number == 1
                self._game(path, name, entry)
                if self.full:
                    return
            if not number:
                self._outcome.add(Status.BAD_DATA, f"reversi: {name}: there is no game in it")
        except Exit as end:
            self._outcome.add(end.status, f"reversi: {end}")
        except InputError as error:
            self._outcome.add(Status.BAD_DATA, f"reversi: {name}: {error}")

    def _game(self, path: str, name: str, entry: Entry) -> None:
        verdict = validate_entry(entry, accept_flips=self._accept_flips)
        if self._limit:
            verdict = replace(verdict, findings=verdict.findings[: self._limit - self._summary.findings])
        for finding in verdict.findings:
            self._outcome.add(Status.FINDING)
            if self._json:
                out_json(
                    {
                        "file": path,
                        "game": entry.number,
                        "ply": finding.ply,
                        "line": finding.line,
                        "code": str(finding.code),
                        "message": finding.message,
                    }
                )
            else:
                out(finding_line(name, entry, finding))
        self._summary.add(verdict)

    def finish(self) -> None:
        """Write the count, and end with the status of all."""
        done = self._summary
        if self.full:
            err(f"reversi: stopped after {self._limit} finding{'' if self._limit == 1 else 's'} (--max-errors)")
        if self._json:
            counts = {
                "files": done.files,
                "games": done.games,
                "valid": done.valid,
                "unfinished": done.unfinished,
                "findings": done.findings,
            }
            out_json({"summary": counts})
        else:
            out(
                f"{_counted(done.games, 'game')} in {_counted(done.files, 'file')}: {done.valid} valid, "
                f"{done.unfinished} of them unfinished; {_counted(done.findings, 'finding')}"
            )
        self._outcome.finish()


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


@command
def _convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file of records; - for standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write; - for standard output.")],
    source_form: Annotated[
        Form | None, typer.Option("--from", help="What IN is; found out when not given.")
    ] = None,
    target_form: Annotated[
        Form | None, typer.Option("--to", help="What OUT shall be; told from its name when not given.")
    ] = None,
    rules: _Rules = "othello",
) -> None:
    """Convert games between PGN-like text and transcripts; what the new form cannot hold is told.

    Example: reversi record convert playok.pgn games.pgn

    Example: reversi record convert games.pgn - --to transcript
    """
    to = target_form or _SUFFIXES.get(Path(target).suffix.lower())
    if to is None:
        fail(Status.USAGE, f"{target}: give --to pgn or --to transcript, or a name that ends in .pgn or .txt")
    text = _text(source)
    conversion = _Conversion(_name(source), to)
    form = TextFormat(source_form.value) if source_form else None
    try:
        pieces = list(conversion.pieces(_games(text, rules_option(rules), form)))
    except InputError as error:
        fail(Status.BAD_DATA, f"{_name(source)}: {error}")
    if not conversion.games:
        fail(Status.BAD_DATA, f"{_name(source)}: there is no game in it")
    if conversion.written:
        _write(target, "".join(pieces))
    conversion.finish(_name(target) if target != "-" else "standard output")


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
            lost = ", ".join(f"{what} ({_counted(number, 'game')})" for what, number in self._losses.items())
            err(f"reversi: {target}: a transcript does not hold: {lost}")
        err(f"reversi: {target}: {_counted(self.written, 'game')} written")
        self._outcome.finish()
