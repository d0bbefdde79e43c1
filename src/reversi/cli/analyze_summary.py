"""``reversi analyze --summary``: what the results of many games say of their players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from reversi._system.plain_json import loads
from reversi.analysis.analysis import AnalysisFormatError
from reversi.analysis.judgement import Judgement
from reversi.analysis.summary import LossSummary, Phase, PlayerLosses, TurnLosses
from reversi.arguments import excerpt, lines_up_to
from reversi.cli.console import StatusCollector, out, out_json, stdin_buffer
from reversi.cli.status import Status
from reversi.games.aliases import Aliases
from reversi.games.statistics.tables import Column, Kind, Table
from reversi.text.counting import counted
from reversi.work.results_file import LONGEST

_TOP = 20
_SIGNS = (Judgement.INACCURACY, Judgement.MISTAKE, Judgement.BLUNDER)


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
            what = f"no analyzed game of {excerpt(player)}" if player else "no analyzed games"
            outcome.add(Status.BAD_DATA, f"reversi: {', '.join(files)}: {what}")
    elif json:
        out_json(_object(summary, player))
    else:
        _write(summary, player)
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


def _object(summary: LossSummary, player: str) -> dict[str, object]:
    return {
        "games": summary.games,
        "years": [{"year": year, **losses.fields()} for year, losses in _years(summary.years)],
        "players": [
            {
                "name": each.name,
                **each.all.fields(),
                **({"rating": _rating(each)} if player else {}),
                "years": [{"year": year, **losses.fields()} for year, losses in _years(each.years)],
            }
            for each in summary.best_known()
        ],
    }


def _rating(player: PlayerLosses) -> dict[str, int] | None:
    found = player.rating()
    return None if found is None else asdict(found)


def _write(summary: LossSummary, player: str) -> None:
    out(f"{counted(summary.games, 'game')}, {counted(len(summary.players), 'player')}")
    years = losses_table("Years", "year", ((str(year or "?"), losses) for year, losses in _years(summary.years)))
    players = players_table(summary).first(_TOP)
    for table in (players, years):
        out(f"\n{table.text()}")
        if table.rest:
            out(f"{table.rest} more players; --player NAME or --json shows them")
    if player and len(summary.players) == 1:
        (one,) = summary.players.values()
        if (found := one.rating()) is not None:
            interval, games = f"{found.low} to {found.high}", counted(found.games, "game")
            out()
            out(f"{one.name} plays like people of rating {found.rating} ({interval}), by {games}.")


def players_table(summary: LossSummary) -> Table:
    """Return the losses of the players, those with the most games first."""
    return losses_table("Errors", "player", ((player.name, player.all) for player in summary.best_known()))


def losses_table(title: str, of: str, rows: Iterable[tuple[str, TurnLosses]]) -> Table:
    """Return losses as a table.

    Args:
        title: its heading.
        of: the heading of what they are of.
        rows: what they are of, and the losses.
    """
    values = (
        (
            name,
            losses.games,
            losses.mean_loss,
            *map(losses.mean_loss_in, Phase),
            losses.best_share,
            losses.outcome_changes / losses.games,
            *(losses.signs[judgement] for judgement in _SIGNS),
        )
        for name, losses in rows
    )
    means = tuple(Column(phase.value, phase.value, Kind.MEAN) for phase in Phase)
    columns = (
        Column(of, of, Kind.TEXT),
        Column("games", "games"),
        Column("mean_loss", "loss/turn", Kind.MEAN),
        *means,
        Column("best_share", "best", Kind.SHARE),
        Column("outcome_changes", "given away/game", Kind.MEAN),
        *(Column(judgement.name.lower(), judgement.sign) for judgement in _SIGNS),
    )
    return Table("losses", title, columns, tuple(values))
