"""``reversi record stats``: numbers about games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

import typer

from reversi.cli.console import StatusCollector, command, out, out_json, rules_option
from reversi.cli.options import GameRulesOption
from reversi.cli.record.game_files import FormatOption
from reversi.cli.record.streams import PathsArgument, WorkersOption, games_of, years_between
from reversi.records.collection.games import Games
from reversi.records.collection.statistics import PlayerTally, Spread, Statistics, Tally, statistics_of
from reversi.records.collection.workers import made_of
from reversi.rules import OTHELLO
from reversi.text.counting import counted

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
    rules: GameRulesOption = "othello",
    workers: WorkersOption = 0,
) -> None:
    """Count the results, lengths, passes, openings, players and years of games.

    Example: reversi record stats games.pgn

    Example: reversi record stats archive/ --top 50 --json
    """
    outcome = StatusCollector(complete=json)
    games = games_of(paths, rules_option(rules), outcome, format_)
    found = Statistics()
    for _, made in made_of(games, statistics_of, workers):
        for part in made:
            found.merge(part)
    games.check()
    if found.all.games:
        if json:
            out_json(_object(found, games, top or 0))
        else:
            _write(found, games, _LISTED if top is None else top)
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


def _object(found: Statistics, games: Games, top: int) -> dict[str, object]:
    return {
        "files": games.files,
        **_results(found.all),
        "undecided": found.all.undecided,
        "finished": found.finished,
        "unfinished": found.unfinished,
        "illegal": found.illegal,
        "broken": games.broken,
        "wipeouts": found.wipeouts,
        "placements": {
            "least": found.placements.least,
            "mean": _mean(found.placements),
            "most": found.placements.most,
        },
        "passes": {"games": found.with_passes, "total": found.passes.total, "most": found.passes.most},
        "rules": dict(found.rules.most_common()),
        "openings": [
            {"name": name or None, **_results(found.openings[name])} for name in _best(found.openings, top)
        ],
        "years": [{"year": year, **_results(found.years[year])} for year in sorted(found.years)],
        "no_year": found.no_year,
        "players": [_player(name, found.players[name]) for name in _best(found.players, top)],
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


def _write(found: Statistics, games: Games, top: int) -> None:
    every = found.all
    out(f"{games}: {found.finished} finished, {found.unfinished} unfinished")
    if found.illegal or games.broken:
        out(f"{found.illegal} with an illegal move, {games.broken} malformed")
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
    if found.placements.mean is not None:
        length = found.placements
        out(
            f"Finished games have {length.mean:.1f} discs placed on average, {length.least} to {length.most};"
            f" {found.wipeouts} are wipe-outs"
        )
    out(
        f"Passes in {counted(found.with_passes, 'game')} ({100 * found.with_passes / every.games:.1f} %):"
        f" {found.passes.total}, at most {found.passes.most} in a game"
    )
    if list(found.rules) != [str(OTHELLO)]:
        out("Rules: " + ", ".join(f"{name} {count}" for name, count in found.rules.most_common()))
    names = _best(found.openings, top)
    _table("Opening", ((name or "(no name)", found.openings[name]) for name in names), len(found.openings))
    if found.years:
        _table("Year", ((str(year), found.years[year]) for year in sorted(found.years)), len(found.years))
    if found.players:
        _players(found, _best(found.players, top))


def _share(number: int, of: int) -> str:
    return f"{number} ({100 * number / of:.1f} %)"


def _table(head: str, rows: Iterable[tuple[str, Tally]], count: int) -> None:
    out()
    out(f"{head:24}{'games':>8}{'Black':>8}{'draws':>8}{'White':>8}{'lead':>8}")
    shown = 0
    for name, tally in rows:
        shown += 1
        lead = "" if tally.score.mean is None else f"{tally.score.mean:+.1f}"
        out(f"{name[:23]:24}{tally.games:8}{tally.black:8}{tally.draws:8}{tally.white:8}{lead:>8}")
    if shown < count:
        out(f"… and {count - shown} more (--top 0)")


def _players(found: Statistics, names: list[str]) -> None:
    out()
    out(f"{'Player':24}{'games':>8}{'wins':>8}{'draws':>8}{'losses':>8}{'rate':>8}  years")
    for name in names:
        tally = found.players[name]
        rate = "" if tally.rate is None else f"{100 * tally.rate:.1f} %"
        counts = f"{tally.games:8}{tally.wins:8}{tally.draws:8}{tally.losses:8}"
        out(f"{name[:23]:24}{counts}{rate:>8}  {years_between(tally.first, tally.last)}".rstrip())
    if len(names) < len(found.players):
        out(f"… and {counted(len(found.players) - len(names), 'more player')} (--top 0)")
