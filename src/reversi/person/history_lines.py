"""The personal history of one person in words."""

from __future__ import annotations

from reversi.engine.levels import LADDER
from reversi.person.history import History
from reversi.person.played_game import PHASES, RESULTS, Losses
from reversi.session.players import level_text
from reversi.text.counting import counted


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
        counts = [sum(game.result == result for game in met) for result in RESULTS]
        helped = sum(game.helped and game.result == "won" for game in met)
        text = ", ".join(f"{count} {result}" for count, result in zip(counts, RESULTS, strict=True) if count)
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
    if len(known) < len(games):
        left = counted(len(games) - len(known), "game")
        lines.append(f"Analyzing {left} ..." if analyzing else f"{left} not analyzed yet")
    if beaten := [game.level for game in games if game.won_alone and game.level is not None]:
        lines.append(f"You beat {level_text(max(beaten, key=LADDER.index))}.")
    lines.append(f"The next game on auto: {level_text(history.standing(player).level)}.")
    return lines
