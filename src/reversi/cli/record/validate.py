"""``reversi record validate``: check games, and say what is wrong with them and where."""

from __future__ import annotations

import contextlib
from typing import Annotated

from reversi._system.limits import usable_cpus
from reversi.cli.console import StatusCollector, command, err, out, out_json, stdin_buffer
from reversi.cli.option_groups import Flag
from reversi.cli.options import argument, option
from reversi.cli.progress import ProgressLine
from reversi.cli.record.streams import ReadingOptions, WorkersOption
from reversi.cli.status import Status
from reversi.records.limits import MAX_FINDINGS
from reversi.records.validation.game import ValidationSummary
from reversi.records.validation.validation import FileDone, GameFinding, StoppedEarly, Validation
from reversi.text.counting import counted


@command
def validate(
    paths: Annotated[
        list[str], argument("PATH", "Files of games, folders, zips, or patterns; - is standard input.")
    ],
    reading: ReadingOptions,
    json: Annotated[bool, Flag("Write one JSON object per finding, then the summary.")] = False,
    accept_flips: Annotated[bool, Flag("Accept flips by hand that break the rules.")] = False,
    unfinished: Annotated[bool, Flag("List games that stop before their end, too.")] = False,
    max_errors: Annotated[
        int | None,
        option(
            "N",
            "Stop after N findings; 0 sets no limit.",
            min=0,
            show_default=f"skip a file after {MAX_FINDINGS} findings of one kind and no valid game",
        ),
    ] = None,
    workers: WorkersOption = 0,
) -> None:
    """Check games: every move, pass and result, and the end of each file.

    The content of a file decides its format. A game that stops before its end is not wrong: it ended
    early where the record gives a result or a reason, and is unfinished otherwise.

    Example: reversi record validate games.pgn

    Example: reversi record validate archive/ more.pgn --json

    Example: reversi record validate "wthor/*.wtb" --workers 4 --max-errors 20
    """
    report = _Report(max_errors or 0, json)
    validation = Validation(
        rules=reading.rule_set,
        format_=reading.format,
        tables=reading.tables(report.clear),
        accept_flips=accept_flips,
        workers=workers or usable_cpus(),
        stopped=unfinished,
        give_up=MAX_FINDINGS if max_errors is None else 0,
        stdin=stdin_buffer() if "-" in paths else None,
        poll=report.progress,
    )
    with report, contextlib.closing(validation.check(paths)) as events:
        for event in events:
            report.tell(validation.at)
            report.add(event)
            if report.full:
                if validation.at is not None and not isinstance(event, FileDone):
                    report.add(validation.at)  # the file that it stopped in
                break
    report.finish()


class _Report:
    def __init__(self, limit: int, json: bool) -> None:
        self._limit = limit
        self._json = json
        self._summary = ValidationSummary()
        self._names: list[str] = []
        self._skipped = 0
        self._outcome = StatusCollector(complete=json)
        self._line = ProgressLine()

    def __enter__(self) -> _Report:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.clear()

    def clear(self) -> None:
        self._line.clear()

    def tell(self, file: FileDone | None) -> None:
        """Write how the games of a file are read, once."""
        while file is not None and file.notes:
            self._line.clear()
            err(f"reversi: {file.notes.pop(0)}")

    def progress(self, games: int) -> None:
        findings = self._summary.findings
        self._line.show(lambda: f"{counted(games, 'game')} checked, {counted(findings, 'finding')}")

    @property
    def full(self) -> bool:
        return 0 < self._limit <= self._summary.findings

    def add(self, event: GameFinding | StoppedEarly | FileDone) -> None:
        self._line.clear()
        if isinstance(event, FileDone):
            self._file(event)
            return
        if isinstance(event, GameFinding):
            self._outcome.add(Status.FINDING)
            self._summary.findings += 1
        if self._json:
            out_json(event.as_json())
        else:
            out(str(event))

    def _file(self, file: FileDone) -> None:
        file.add_to(self._summary)
        self._names += [file.path] if file.names else []
        if file.skipped:
            self._skipped += 1
            err(f"reversi: {file.skipped}; skipped")
        if file.hidden:
            self._outcome.add(Status.FINDING)
        for problem in file.problems:
            self._outcome.add(Status.BAD_DATA, f"reversi: {problem}")
        if file.error:
            status = Status.NO_INPUT if file.missing else Status.BAD_DATA
            self._outcome.add(status, f"reversi: {file.error}")

    def finish(self) -> None:
        """Write the count, and end with the status of all."""
        summary = self._summary
        if self.full:
            err(f"reversi: stopped after {counted(self._limit, 'finding')} (--max-errors)")
        elif not summary.games and self._outcome.status is Status.DONE:
            what = "the input has no games"
            if self._names:
                more = f" and {len(self._names) - 1} more" if len(self._names) > 1 else ""
                what = f"{self._names[0]}{more}: only names of players and tournaments, not games"
            self._outcome.add(Status.BAD_DATA, f"reversi: {what}")
        if self._skipped:
            err(f"reversi: {counted(self._skipped, 'file')} skipped")
        if self._json:
            counts = {
                "files": summary.files,
                "games": summary.games,
                "valid": summary.valid,
                "unfinished": summary.unfinished,
                "ended_early": summary.ended_early,
                "findings": summary.findings,
            }
            out_json({"summary": counts})
        else:
            out(
                f"{counted(summary.games, 'game')} in {counted(summary.files, 'file')}: {summary.valid} valid, "
                f"{summary.ended_early} of them ended early, {summary.unfinished} unfinished; "
                f"{counted(summary.findings, 'finding')}"
            )
        self._outcome.finish()
