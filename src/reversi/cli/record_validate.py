"""``reversi record validate``: check games, and say what is wrong with them and where."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from reversi.cli.console import Exit, Outcome, command, err, out, out_json, rules_option
from reversi.cli.record_files import RulesOption, counted, read_text, source_name, text_games
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.records.entry import Entry
from reversi.records.validate import Summary, finding_line, validate_entry
from reversi.rules import Rules


@command
def validate(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files of records; - for standard input.")],
    json: Annotated[bool, typer.Option("--json", help="One JSON object per finding, then the summary.")] = False,
    accept_flips: Annotated[
        bool, typer.Option("--accept-flips", help="Discs may have been turned otherwise than the rules say.")
    ] = False,
    max_errors: Annotated[int, typer.Option(min=0, help="Stop after so many findings; 0 is no limit.")] = 0,
    rules: RulesOption = "othello",
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
        name = source_name(path)
        try:
            number = 0
            for number, entry in enumerate(text_games(read_text(path), self._rules), 1):
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
                f"{counted(done.games, 'game')} in {counted(done.files, 'file')}: {done.valid} valid, "
                f"{done.unfinished} of them unfinished; {counted(done.findings, 'finding')}"
            )
        self._outcome.finish()
