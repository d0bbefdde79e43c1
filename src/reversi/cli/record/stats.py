"""``reversi record stats``: numbers about games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

import typer

from reversi.cli.console import StatusCollector, command, out, out_json, rules_option
from reversi.cli.options import GameRulesOption
from reversi.cli.record.game_files import FormatOption
from reversi.cli.record.streams import PathsArgument, WorkersOption, games_of, years_between
from reversi.cli.tables import ColumnsOption
from reversi.records.collection.games import Games
from reversi.records.collection.statistics import PlayerTally, Spread, Statistics, Tally, statistics_of
from reversi.records.collection.workers import made_of
from reversi.rules import OTHELLO
from reversi.text.counting import counted
from reversi.text.widths import cut, filled

_LISTED: Final = 10


@command
def stats(
    paths: PathsArgument,
    top: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            show_default="10 to read, all for --json",
            help="List the N most frequent openings and players; 0 lists all.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False,
    format_: FormatOption = None,
    columns: ColumnsOption = None,
    rules: GameRulesOption = "othello",
    workers: WorkersOption = 0,
) -> None:
    """Count the results, lengths, passes, openings, players and years of games.

    Example: reversi record stats games.pgn

    Example: reversi record stats archive/ --top 50 --json
    """
    outcome = StatusCollector(complete=json)
    games = games_of(paths, rules_option(rules), outcome, format_, columns)
    statistics = Statistics()
    for _, made in made_of(games, statistics_of, workers):
        for part in made:
            statistics.merge(part)
    games.check()
    if statistics.all.games:
        if json:
            out_json(_object(statistics, games, top or 0))
        else:
            _write(statistics, games, _LISTED if top is None else top)
    outcome.finish()


def _best(tallies: dict[str, Tally] | dict[str, PlayerTally], top: int) -> list[str]:
    """Return the names with the most games."""
    names = sorted(tallies, key=lambda name: (-tallies[name].games, name))
    return names[:top] if top else names


def _mean(spread: Spread, digits: int = 2) -> float | None:
    return None if spread.mean is None else round(spread.mean, digits)


def _results(tally: Tally) -> dict[str, object]:
    return {
        "games": tally.games,
        "black": tally.black,
        "draws": tally.draws,
        "white": tally.white,
        "score": _mean(tally.score),
    }


def _object(statistics: Statistics, games: Games, top: int) -> dict[str, object]:
    return {
        "files": games.files,
        **_results(statistics.all),
        "undecided": statistics.all.undecided,
        "finished": statistics.finished,
        "unfinished": statistics.unfinished,
        "illegal": statistics.illegal,
        "broken": games.broken,
        "wipeouts": statistics.wipeouts,
        "placements": {
            "least": statistics.placements.least,
            "mean": _mean(statistics.placements),
            "most": statistics.placements.most,
        },
        "passes": {
            "games": statistics.with_passes,
            "total": statistics.passes.total,
            "most": statistics.passes.most,
        },
        "rules": dict(statistics.rules.most_common()),
        "openings": [
            {"name": name or None, **_results(statistics.openings[name])}
            for name in _best(statistics.openings, top)
        ],
        "years": [{"year": year, **_results(statistics.years[year])} for year in sorted(statistics.years)],
        "no_year": statistics.no_year,
        "players": [_player(name, statistics.players[name]) for name in _best(statistics.players, top)],
    }


def _player(name: str, tally: PlayerTally) -> dict[str, object]:
    return {
        "name": name,
        "games": tally.games,
        "as_black": tally.as_black,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "rate": None if tally.rate is None else round(tally.rate, 4),
        "score": _mean(tally.score),
        "first": tally.first,
        "last": tally.last,
    }


def _write(statistics: Statistics, games: Games, top: int) -> None:
    every = statistics.all
    out(f"{games}: {statistics.finished} finished, {statistics.unfinished} unfinished")
    if statistics.illegal or games.broken:
        out(f"{statistics.illegal} with an illegal move, {games.broken} malformed")
    parts = [
        f"Black won {_share(every.black, every.games)}",
        f"White won {_share(every.white, every.games)}",
        f"drawn {_share(every.draws, every.games)}",
    ]
    if every.undecided:
        parts.append(f"without a result {_share(every.undecided, every.games)}")
    out(", ".join(parts))
    if every.score.mean is not None:
        lead = every.score
        out(f"Black's lead {lead.mean:+.2f} discs on average, from {lead.least:+} to {lead.most:+}")
    if statistics.placements.mean is not None:
        length = statistics.placements
        out(
            f"Finished games have {length.mean:.1f} discs placed on average, {length.least} to {length.most};"
            f" {statistics.wipeouts} are wipe-outs"
        )
    share = 100 * statistics.with_passes / every.games
    out(
        f"Passes in {counted(statistics.with_passes, 'game')} ({share:.1f} %):"
        f" {statistics.passes.total}, at most {statistics.passes.most} in a game"
    )
    if list(statistics.rules) != [str(OTHELLO)]:
        out("Rules: " + ", ".join(f"{name} {count}" for name, count in statistics.rules.most_common()))
    names = _best(statistics.openings, top)
    _table(
        "Opening", ((name or "(no name)", statistics.openings[name]) for name in names), len(statistics.openings)
    )
    if statistics.years:
        _table(
            "Year",
            ((str(year), statistics.years[year]) for year in sorted(statistics.years)),
            len(statistics.years),
        )
    if statistics.players:
        _players(statistics, _best(statistics.players, top))


def _share(number: int, of: int) -> str:
    return f"{number} ({100 * number / of:.1f} %)"


def _table(head: str, rows: Iterable[tuple[str, Tally]], count: int) -> None:
    out()
    out(f"{head:24}{'games':>8}{'Black':>8}{'draws':>8}{'White':>8}{'lead':>8}")
    shown = 0
    for name, tally in rows:
        shown += 1
        lead = "" if tally.score.mean is None else f"{tally.score.mean:+.1f}"
        out(f"{filled(cut(name, 23), 24)}{tally.games:8}{tally.black:8}{tally.draws:8}{tally.white:8}{lead:>8}")
    if shown < count:
        out(f"… and {count - shown} more (--top 0)")


def _players(statistics: Statistics, names: list[str]) -> None:
    out()
    out(f"{'Player':24}{'games':>8}{'wins':>8}{'draws':>8}{'losses':>8}{'rate':>8}  years")
    for name in names:
        tally = statistics.players[name]
        rate = "" if tally.rate is None else f"{100 * tally.rate:.1f} %"
        counts = f"{tally.games:8}{tally.wins:8}{tally.draws:8}{tally.losses:8}"
        out(f"{filled(cut(name, 23), 24)}{counts}{rate:>8}  {years_between(tally.first, tally.last)}".rstrip())
    if len(names) < len(statistics.players):
        out(f"… and {counted(len(statistics.players) - len(names), 'more player')} (--top 0)")
