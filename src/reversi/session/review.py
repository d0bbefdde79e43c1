"""Looking back at a game: its mistakes in words, and another try from any of them."""

from __future__ import annotations

from reversi.analysis.analysis import AnalyzedTurn
from reversi.analysis.judgement import loss_text
from reversi.color import Color
from reversi.errors import GameError
from reversi.game.game import Game, beginning
from reversi.score import short_score
from reversi.session.players import HUMAN
from reversi.session.session import Session
from reversi.text.counting import counted


def retry(session: Session, game: Game, ply: int) -> Color:
    """Begin another game from the position before a ply, and return the color that a person plays now.

    The plies before come along, so that they can be taken back. Where an engine has played that ply, a person
    plays its side, and the engine the other one if a person has played that.

    Args:
        session: the session; its game stays saved.

    Raises:
        GameError: the game does not have this ply.
    """
    if not 1 <= ply <= len(game):
        raise GameError(f"ply {ply} does not exist: the game has {len(game)}")
    again = beginning(game, ply - 1)
    mover = again.to_move
    sides = dict(session.sides)
    if sides[mover].is_engine:
        other = sides[mover.opponent]
        if not other.is_engine:
            sides[mover.opponent] = sides[mover]
        sides[mover] = HUMAN if other.is_engine else other
    session.new_game(again, sides=sides, from_start=False)
    session.begin()
    return mover


def turn_loss_text(turn: AnalyzedTurn) -> str:
    """Return what a turn lost in words: `6 discs and the win`; a move of the book loses discs at most."""
    return counted(turn.loss, "disc") if turn.book else loss_text(turn.score, turn.best_score)


def mistake_text(turn: AnalyzedTurn) -> str:
    """Return a mistake in words: `ply 33, Black g2?: loses 6 discs and the win; best h1 (+4)`."""
    sign = "" if turn.judgement is None else turn.judgement.sign
    best = " ".join(str(move) for move in turn.best)
    what = f"ply {turn.ply}, {turn.mover} {turn.move}{sign}"
    return f"{what}: loses {turn_loss_text(turn)}; best {best} ({short_score(turn.best_score)})"
