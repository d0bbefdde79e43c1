"""The personal history of one person in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from reversi.engine.levels import LADDER
from reversi.person.history import History
from reversi.person.played_game import PHASES, RESULTS, Losses, PlayedGame
from reversi.session.players import level_text
from reversi.text.bars import sparkline
from reversi.text.counting import counted
from reversi.text.widths import filled, width_of

_LATEST: Final = 40
"""Games of the graphs."""
_MOST: Final = 4
"""Openings and reasons at most."""
REASONS: Final = {
    "corner": "corners left to the opponent",
    "gives-corner": "corners given away",
    "denies-corner": "corners not denied",
    "x-square": "X-squares",
    "c-square": "C-squares",
    "mobility": "many moves left to the opponent",
    "own-mobility": "few moves left to you",
    "edge": "edges",
    "frontier": "open discs",
    "stable": "stable discs for the opponent",
    "parity": "parity given away",
    "square": "squares that the opponent wanted",
    "order": "moves in the wrong order",
    "line": "lines not seen ahead",
    "pass": "passes",
    "end": "last moves not counted",
}
"""What the reasons against a move are called where they are counted."""


def _trend(games: Sequence[PlayedGame]) -> list[str]:
    """Return a graph of the mean loss, and one of the opponents' rungs, game by game; none of a single game."""
    lines = []
    means = [mean for game in games if game.losses is not None and (mean := game.losses.mean) is not None]
    if len(means := means[-_LATEST:]) > 1:
        graph = sparkline(means, max(means))
        lines.append(f"Mean loss by game: {graph}  first {means[0]:.1f}, latest {means[-1]:.1f}")
    levels = [game.level for game in games if game.level is not None][-_LATEST:]
    if len(set(levels)) > 1:
        rungs = [LADDER.index(level) + 1 for level in levels]
        first, latest = level_text(levels[0]), level_text(levels[-1])
        lines.append(f"Opponents by game: {sparkline(rungs, max(rungs))}  first {first}, latest {latest}")
    return lines


def _openings(games: Iterable[PlayedGame]) -> str:
    """Return the openings that were played most, with their results."""
    from reversi.openings.names import opening_of_positions
    from reversi.records.formats.pgn.reader import parse_record
    from reversi.records.replay import positions

    results: dict[str, list[str]] = {}
    for game in games:
        if (named := opening_of_positions(positions(parse_record(game.record)))) is not None:
            results.setdefault(named.opening.name, []).append(game.result)
    often = sorted(results.items(), key=lambda each: -len(each[1]))[:_MOST]
    return "; ".join(f"{name} {results_text(found)}" for name, found in often)


def results_text(results: Sequence[str]) -> str:
    """Return how often each result came: ``3 won, 1 lost``."""
    return ", ".join(f"{count} {result}" for result in RESULTS if (count := results.count(result)))


_PUPILS: Final = ("player", "games", "won", "lost", "loss", *PHASES, "trend", "beaten", "most often")


def pupils_table(histories: Mapping[str, History], only: str | None = None) -> list[str]:
    """Return the people of several histories as one table, a line for each.

    Args:
        histories: the histories, by what to call a person without a name.
        only: the name of the only person to show; `None` for everybody.
    """
    rows: list[tuple[str, ...]] = [_PUPILS]
    for folder, history in histories.items():
        for player in history.players:
            if only is not None and player.casefold() != only.casefold():
                continue
            games = [game for game in history.games if game.player == player]
            known = [game.losses for game in games if game.losses is not None]
            total = Losses.sum(known)
            means = [losses.mean for losses in known if losses.mean is not None][-10:]
            won, lost = (str(sum(game.result == result for game in games)) for result in ("won", "lost"))
            reason = max(total.reasons, key=total.reasons.__getitem__, default="")
            rows.append(
                (
                    player or folder,
                    str(len(games)),
                    won,
                    lost,
                    "" if total.mean is None else f"{total.mean:.1f}",
                    *(str(total.mistakes[phase]) if known else "" for phase in PHASES),
                    sparkline(means, max(means, default=0)),
                    _beaten(games),
                    REASONS.get(reason, reason),
                )
            )
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    numbers = range(1, 5 + len(PHASES))
    return [
        "  ".join(
            text.rjust(width) if at in numbers else filled(text, width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _beaten(games: Iterable[PlayedGame]) -> str:
    """Return the strongest level that was beaten without help, "" for none."""
    beaten = [game.level for game in games if game.won_alone and game.level is not None]
    return level_text(max(beaten, key=LADDER.index)) if beaten else ""


def history_lines(history: History, player: str, *, analyzing: bool = False) -> list[str]:
    """Return what the history says of one person: results by level, losses, mistakes by phase, the best win.

    Args:
        analyzing: whether the games without an analysis get one now.
    """
    games = [game for game in history.games if game.player == player]
    if not games:
        return ["No games yet."]
    lines = [f"{counted(len(games), 'game')} against engines"]
    order = {level: at for at, level in enumerate(LADDER)}
    opponents = dict.fromkeys(
        (game.level, game.opponent)
        for game in sorted(games, key=lambda game: order.get(game.level or 0, len(order)))
    )
    width = max(len(opponent) for _, opponent in opponents)
    for level, opponent in opponents:
        met = [game for game in games if (game.level, game.opponent) == (level, opponent)]
        helped = sum(game.helped and game.result == "won" for game in met)
        text = results_text([game.result for game in met])
        losses = Losses.sum(game.losses for game in met if game.losses is not None).mean
        mean = "" if losses is None else f"; {losses:.1f} discs lost a move"
        lines.append(f"  {opponent:<{width}}  {text}{f' ({helped} with help)' if helped else ''}{mean}")
    known = [game.losses for game in games if game.losses is not None]
    if known:
        total = Losses.sum(known)
        if total.mean is not None:
            lines.append(f"Mean loss: {total.mean:.1f} discs a move")
        by_phase = ", ".join(f"{phase} {total.mistakes[phase]}" for phase in PHASES)
        lines.append(f"Mistakes: {by_phase}")
        if total.reasons:
            often = sorted(total.reasons.items(), key=lambda each: -each[1])[:_MOST]
            said = ", ".join(f"{REASONS.get(reason, reason)} ({times})" for reason, times in often)
            lines.append(f"Most often: {said}")
    lines += _trend(games)
    if openings := _openings(games):
        lines.append(f"Openings: {openings}")
    if len(known) < len(games):
        left = counted(len(games) - len(known), "game")
        lines.append(f"Analyzing {left} ..." if analyzing else f"{left} not analyzed yet")
    if beaten := _beaten(games):
        lines.append(f"You beat {beaten}.")
    lines.append(f"The next game on auto: {level_text(history.standing(player).level)}.")
    return lines
