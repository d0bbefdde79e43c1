"""Sessions that are played on by themselves, and games of a person against an engine."""

from __future__ import annotations

from pathlib import Path

from reversi import Color, Random, Session, Side, parse_rules
from reversi.person.history import History
from reversi.person.history_keeper import HistoryKeeper
from reversi.session.players import parse_side


def play_on(session: Session, chance: Random | None = None, plies: int = 1000) -> None:
    """Play to the end or to so many plies: engines as they do, people at random or else their first move."""
    while not session.is_over and len(session.game) < plies:
        moves = session.position.legal_moves
        if session.engine_to_move:
            session.play_engine()
        else:
            session.play(moves[0] if chance is None else moves.choice(chance))


def sitting(folder: Path, color: Color, plies: int = 1000) -> tuple[Session, HistoryKeeper]:
    """Ada plays a color of a small board against an engine, to the end or to so many plies; with her history."""
    sides = {color: parse_side("human:Ada"), color.opponent: Side.engine(1)}
    session = Session(parse_rules("othello,board=6x6"), sides=sides, seed=2, hint_level=4)
    keeper = HistoryKeeper(session, History(folder / "history.json"))
    session.begin()
    play_on(session, Random(3), plies)
    return session, keeper
