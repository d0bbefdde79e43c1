"""``reversi analyze --summary``: what the results of many games say of their players."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reversi._system.plain_json import loads
from reversi.analysis.analysis import AnalysisFormatError
from reversi.analysis.judgement import Judgement
from reversi.analysis.summary import LossSummary, Phase, TurnLosses
from reversi.arguments import lines_up_to
from reversi.cli.console import StatusCollector, out, out_json, stdin_buffer
from reversi.cli.status import Status
from reversi.games.aliases import Aliases
from reversi.text.counting import counted
from reversi.work.results_file import LONGEST

_TOP = 20
_HEAD = "games  loss/turn  opening  middle  ending  best  given away    ?!     ?    ??"


def write_summary(files: list[str], player: str, aliases: Aliases, *, json: bool) -> None:
    """Read results files and write what they say per player and year; all of them, or those of one player."""
    outcome = StatusCollector(complete=json)
    summary = LossSummary(player, aliases)
    for file in files:
        for place, fields in _lines(file, outcome):
            try:
                summary.add(fields)
            except AnalysisFormatError as error:
                outcome.add(Status.BAD_DATA, f"{place}: {error}")
    if not summary.games:
        if outcome.status is Status.DONE:
            what = f"no analyzed game of {player}" if player else "no analyzed games"
            outcome.add(Status.BAD_DATA, f"reversi: {', '.join(files)}: {what}")
    elif json:
        out_json(_object(summary))
    else:
        _write(summary)
    outcome.finish()


def _lines(file: str, outcome: StatusCollector) -> Iterator[tuple[str, Any]]:
    """Yield the lines of a results file as JSON, each with its place; what is not JSON is reported."""
    try:
        with stdin_buffer() if file == "-" else Path(file).open("rb") as stream:
            for number, raw in enumerate(lines_up_to(stream, LONGEST), 1):
                place = f"{'standard input' if file == '-' else file}:{number}"
                if len(raw) > LONGEST:
                    outcome.add(Status.BAD_DATA, f"{place}: the line has more than {LONGEST >> 20} MB")
                    return
                try:
                    fields = loads(raw)
                    if not isinstance(fields, dict):
                        raise ValueError("not an object")
                    yield place, fields
                except (ValueError, RecursionError):
                    if raw.endswith(b"\n"):
                        outcome.add(Status.BAD_DATA, f"{place}: not a result of reversi analyze")
                        if number == 1:
                            return  # another file
                    else:
                        outcome.add(Status.FINDING, f"{place}: the last line is cut off; left out")
    except FileNotFoundError:
        outcome.add(Status.NO_INPUT, f"reversi: {file}: no such file")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        outcome.add(Status.NO_INPUT, f"reversi: {file}: cannot read: {why or error}")


def _years(years: dict[int | None, TurnLosses]) -> list[tuple[int | None, TurnLosses]]:
    return sorted(years.items(), key=lambda entry: (entry[0] is None, entry[0] or 0))


def _object(summary: LossSummary) -> dict[str, object]:
    return {
        "games": summary.games,
        "years": [{"year": year, **losses.fields()} for year, losses in _years(summary.years)],
        "players": [
            {
                "name": player.name,
                **player.all.fields(),
                "years": [{"year": year, **losses.fields()} for year, losses in _years(player.years)],
            }
            for player in summary.best_known()
        ],
    }


def _write(summary: LossSummary) -> None:
    out(f"{counted(summary.games, 'game')}, {counted(len(summary.players), 'player')}")
    out()
    players = summary.best_known()
    width = max([len(player.name) for player in players[:_TOP]] + [6])
    out(f"{'player':{width}}  {_HEAD}")
    for player in players[:_TOP]:
        out(f"{player.name:{width}}  {_row(player.all)}")
    if len(players) > _TOP:
        out(f"{len(players) - _TOP} more players; --player NAME or --json shows them")
    out()
    out(f"{'year':{width}}  {_HEAD}")
    for year, losses in _years(summary.years):
        out(f"{'?' if year is None else year!s:{width}}  {_row(losses)}".rstrip())


def _row(losses: TurnLosses) -> str:
    phases = [_number(losses.mean_loss_in(phase)) for phase in Phase]
    share = "" if losses.best_share is None else f"{100 * losses.best_share:.0f} %"
    given = f"{losses.outcome_changes / losses.games:.2f}/game"
    signs = [losses.signs[judgement] for judgement in (Judgement.INACCURACY, Judgement.MISTAKE, Judgement.BLUNDER)]
    counts = "  ".join(f"{count:4d}" for count in signs)
    means = f"{_number(losses.mean_loss):>9}  {phases[0]:>7}  {phases[1]:>6}  {phases[2]:>6}"
    return f"{losses.games:5d}  {means}  {share:>4}  {given:>10}  {counts}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
