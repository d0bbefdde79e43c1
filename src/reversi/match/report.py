"""The report of a match: as text, as JSON values, and as a page of HTML."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from reversi.arguments import check_type
from reversi.game.clocks import format_controls
from reversi.match.runner import Match
from reversi.match.standings import PairingStanding, PlayerStanding, Standings
from reversi.match.statistics import SCORES, Elo, SprtState, SprtVerdict
from reversi.render.report.data import ReportGame
from reversi.render.report.page import ReportTable, html_report
from reversi.text.counting import counted
from reversi.text.widths import filled, width_of

_PAGE_GAMES: Final = 1000  # games to step through


def report_lines(match: Match) -> Iterator[str]:
    """Yield the lines of the report as text."""
    check_type("match", match, Match)
    standings = match.standings()
    rows = list(_player_rows(standings))
    yield from _aligned(rows)
    if len(standings.players) > 2:
        yield ""
        yield from _aligned(list(_cross_rows(standings)))
    for pairing in standings.pairings.values():
        if pairing.first_standing.games:
            yield ""
            yield from _pairing_lines(pairing)
    if standings.sprt is not None:
        yield ""
        yield sprt_text(standings.sprt)
    notes = list(_notes(match, standings))
    if notes:
        yield ""
        yield from notes


def _player_rows(standings: Standings) -> Iterator[tuple[str, ...]]:
    yield "player", "games", "won", "drawn", "lost", "points", "discs", "CPU/move"
    for each in standings.ranking:
        yield (
            each.name,
            str(each.games),
            str(each.won),
            str(each.drawn),
            str(each.lost),
            f"{each.points:g}",
            _discs(each.mean_discs),
            _milliseconds(each.cpu_per_move_s),
        )


def _cross_rows(standings: Standings) -> Iterator[tuple[str, ...]]:
    names = [each.name for each in standings.ranking]
    yield "points against", *names
    for name in names:
        yield name, *(_points_against(standings, name, other) for other in names)


def _points_against(standings: Standings, name: str, other: str) -> str:
    if (pairing := standings.pairings.get((name, other))) is not None:
        each = pairing.first_standing
        return f"{each.points:g}/{each.games}"
    if (pairing := standings.pairings.get((other, name))) is not None:
        each = pairing.first_standing
        return f"{each.games - each.points:g}/{each.games}"
    return "-"


def _pairing_lines(pairing: PairingStanding) -> Iterator[str]:
    each = pairing.first_standing
    share = 100 * each.points / each.games
    discs = "" if each.mean_discs is None else f", {_discs(each.mean_discs)} discs"
    yield (
        f"{pairing.first} - {pairing.second}: {each.points:g} of {each.games} ({share:.1f} %),"
        f" {each.won} won, {each.drawn} drawn, {each.lost} lost{discs}"
    )
    if pairing.pairs.pairs:
        counts = ", ".join(
            f"{2 * score:g}: {count}" for score, count in zip(SCORES, pairing.pairs.counts, strict=True)
        )
        yield f"  Elo {elo_text(pairing.elo)}, likelihood of superiority {100 * pairing.superiority:.1f} %"
        yield f"  {counted(pairing.pairs.pairs, 'pair')} by points: {counts}"


def elo_text(elo: Elo) -> str:
    """Return an Elo difference with its interval: ``+56, 95 % interval +28 to +83``."""
    value, _, ends = str(elo).partition(" ")
    return f"{value}, {100 * elo.confidence:g} % interval {ends.strip('()')}"


def sprt_text(state: SprtState) -> str:
    test = state.test
    text = (
        f"SPRT elo0={test.elo0:g} elo1={test.elo1:g} alpha={test.alpha:g} beta={test.beta:g}:"
        f" LLR {state.ratio:.2f} ({test.lower:.2f} to {test.upper:.2f}) after {counted(state.pairs, 'pair')},"
        f" {state.verdict.value}"
    )
    if state.verdict is SprtVerdict.OPEN:
        return text
    return f"{text}. The test chose when to stop, so the Elo above tends to be too far from 0."


def _notes(match: Match, standings: Standings) -> Iterator[str]:
    complete = sum(len(pairing.pair_points) for pairing in standings.pairings.values())
    single = len(standings.games) - 2 * complete
    if single:
        yield f"Incomplete pairs count for points, not for Elo: {counted(single, 'game')}."
    if standings.beyond:
        yield f"Games after the decision do not count: {standings.beyond}."
    for each in standings.ranking:
        if each.time_forfeits:
            yield f"{each.name} lost {counted(each.time_forfeits, 'game')} on time."
        if each.resignations:
            yield f"{each.name} resigned {counted(each.resignations, 'game')}."
        if each.forfeits:
            yield (
                f"{each.name} lost {counted(each.forfeits, 'game')} by a failure or an illegal move."
                " A forfeit counts in points and Elo, but says nothing about strength."
            )
        if each.restarts:
            yield f"{each.name} had to be restarted after {counted(each.restarts, 'game')}."
        if each.noisy_games:
            games = counted(each.noisy_games, "game")
            yield f"{each.name} wrote lines outside its answers in {games}; they were skipped."
    if match.repeats_openings:
        yield f"There are fewer openings ({len(match.openings)}) than pairs: openings repeat."
    if match.stopped:
        yield f"The match stopped: {match.stopped}."


def _discs(mean: float | None) -> str:
    return "-" if mean is None else f"{mean:+.1f}"


def _milliseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{1000 * seconds:.1f} ms"


def _aligned(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(width_of(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        cells = [
            filled(row[0], widths[0]),
            *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
        ]
        yield "  ".join(cells).rstrip()


# --- JSON


def report_json(match: Match) -> dict[str, object]:
    """Return the report as values for JSON; infinite numbers are ``null``."""
    check_type("match", match, Match)
    standings = match.standings()
    state = standings.sprt
    return {
        "players": [_player_json(each) for each in standings.ranking],
        "pairings": [_pairing_json(each) for each in standings.pairings.values()],
        "sprt": None if state is None else _sprt_json(state),
        "games": len(standings.games),
        "scheduled": len(match.schedule),
        "beyond": standings.beyond,
        "stopped": match.stopped or None,
        "match": match.name,
    }


def _player_json(each: PlayerStanding) -> dict[str, object]:
    return {
        "name": each.name,
        "games": each.games,
        "won": each.won,
        "drawn": each.drawn,
        "lost": each.lost,
        "points": each.points,
        "mean_discs": _rounded(each.mean_discs, 3),
        "moves": each.moves,
        "cpu_s": _rounded(each.cpu_s, 3),
        "cpu_per_move_s": _rounded(each.cpu_per_move_s, 6),
        "time_forfeits": each.time_forfeits,
        "resignations": each.resignations,
        "forfeits": each.forfeits,
        "restarts": each.restarts,
        "noisy_games": each.noisy_games,
    }


def _pairing_json(pairing: PairingStanding) -> dict[str, object]:
    each = pairing.first_standing
    elo = pairing.elo
    return {
        "first": pairing.first,
        "second": pairing.second,
        "games": each.games,
        "won": each.won,
        "drawn": each.drawn,
        "lost": each.lost,
        "mean_discs": _rounded(each.mean_discs, 3),
        "pairs": list(pairing.pairs.counts),
        "elo": _rounded(elo.elo, 2),
        "elo_low": _rounded(elo.low, 2),
        "elo_high": _rounded(elo.high, 2),
        "confidence": elo.confidence,
        "superiority": _rounded(pairing.superiority, 6),
    }


def _sprt_json(state: SprtState) -> dict[str, object]:
    test = state.test
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "llr": _rounded(state.ratio, 4),
        "lower": _rounded(test.lower, 4),
        "upper": _rounded(test.upper, 4),
        "pairs": state.pairs,
        "verdict": {SprtVerdict.OPEN: None, SprtVerdict.H0: "H0", SprtVerdict.H1: "H1"}[state.verdict],
    }


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, digits)


# --- HTML


def report_html(match: Match) -> str:
    """Return the report as a page of HTML that needs no other file, with the games to step through."""
    check_type("match", match, Match)
    standings = match.standings()
    notes = [] if standings.sprt is None else [sprt_text(standings.sprt)]
    notes += _notes(match, standings)
    if len(standings.games) > _PAGE_GAMES:
        notes.append(f"The page has {_PAGE_GAMES:,} of the {len(standings.games):,} games.")
    tables = [
        ReportTable("Conditions", list(_condition_rows(match))),
        ReportTable("Players", list(_player_rows(standings))),
        ReportTable("Crosstable", list(_cross_rows(standings))),
        ReportTable("Pairings", list(_pairing_rows(standings)), notes),
    ]
    failures = [game for game in standings.games if game.failure or game.notes]
    if failures:
        rows = [("game", "what happened")]
        rows += [
            (f"{game.pair}.{game.half}", "; ".join(filter(None, (game.failure, *game.notes)))) for game in failures
        ]
        tables.append(ReportTable("Failures", rows))
    games = [
        ReportGame(record=game.record, source=f"game {game.pair}.{game.half} of the match", trouble=game.failure)
        for game in standings.games[:_PAGE_GAMES]
    ]
    title = f"Match: {', '.join(player.name for player in match.players)}"
    return html_report(games, title=title, tables=tables)


def _condition_rows(match: Match) -> Iterator[tuple[str, ...]]:
    """Yield how the match was played."""
    settings = match.settings
    yield "condition", "value"
    for player in match.players:
        yield player.name, str(player.side)
    meetings = "the first player against each other" if settings.gauntlet else "everyone against everyone"
    yield "Pairings", f"{meetings}, {counted(settings.games, 'game')} each"
    yield "Openings", f"{len(match.openings):,}, each played with both colors"
    controls = settings.controls
    yield "Clock", "none" if controls is None else format_controls(controls)
    at = settings.adjudicate
    yield "Adjudication", f"by the solver at {at} empty squares" if at else "none: every game to its end"
    if settings.sprt is not None:
        test = settings.sprt
        yield "Test", f"elo0={test.elo0:g} elo1={test.elo1:g} alpha={test.alpha:g} beta={test.beta:g}"
    yield "Seed", str(settings.seed)
    yield "Games played", f"{len(match.games):,} of {len(match.schedule):,}"


def _pairing_rows(standings: Standings) -> Iterator[tuple[str, ...]]:
    yield "pairing", "games", "won", "drawn", "lost", "discs", "Elo", "95 % interval", "superiority"
    for pairing in standings.pairings.values():
        each = pairing.first_standing
        value, _, ends = str(pairing.elo).partition(" ")
        yield (
            f"{pairing.first} - {pairing.second}",
            str(each.games),
            str(each.won),
            str(each.drawn),
            str(each.lost),
            _discs(each.mean_discs),
            value,
            ends.strip("()"),
            f"{100 * pairing.superiority:.1f} %",
        )
