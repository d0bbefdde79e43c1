"""Between a game in play and its record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reversi.color import Color
from reversi.errors import RecordError
from reversi.game import Game, Termination
from reversi.records.dialects import outcome_of
from reversi.records.record import Evaluation, Line, Node, Record, Tags
from reversi.records.replay import rule_flips
from reversi.score import Kind, Score

__all__ = ["game_of", "record_of"]


def record_of(game: Game, tags: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> Record:
    """The record of a game as it stands, without the plies that were taken back.

    A game that did not end on the board gets its Termination tag; one that has not ended has the result ``*``.

    Raises:
        RecordError: a tag that no record can have.
    """
    known = Tags(tags)
    outcome = game.outcome
    if outcome is not None and outcome.termination is not Termination.NORMAL:
        known["Termination"] = str(outcome.termination)
    nodes = [
        Node(
            ply.move,
            comments=(ply.comment,) if ply.comment else (),
            clock=ply.clock,
            evaluation=None if ply.evaluation is None else Evaluation.of(ply.evaluation),
        )
        for ply in game
    ]
    line = Line(nodes, comments=(game.comment,) if game.comment else ())
    return Record(known, game.start, line, "*" if outcome is None else outcome.text)


def game_of(record: Record) -> Game:
    """A game with the moves of a record, its clocks, values and comments; the variations are left out.

    Raises:
        IllegalMoveError: a move is not allowed.
        GameError: a move after the end of the game.
        RecordError: discs were turned by hand.
    """
    game = Game(record.start)
    game.comment = " ".join(record.line.comments)
    for ply, node in enumerate(record.line.nodes, 1):
        if node.flips is not None and game.position.is_legal(node.move) and not rule_flips(game.position, node):
            raise RecordError(
                f"ply {ply}: {node.move}: discs were turned by hand, and a game is played by the rules"
            )
        value = None if node.evaluation is None else _score(node.evaluation)
        game.play(node.move, comment=" ".join(node.comments), clock=node.clock, evaluation=value)
    decided, winner = outcome_of(record.result)
    if decided and not game.is_over:
        _declare(game, record.tags.get("Termination", "").strip().lower(), winner)
    return game


def _declare(game: Game, termination: str, winner: Color | None) -> None:
    if termination == str(Termination.RESIGNATION) and winner is not None:
        game.resign(winner.opponent)
    elif termination == str(Termination.TIME_FORFEIT) and winner is not None:
        game.forfeit_on_time(winner.opponent)
    elif termination == str(Termination.ADJUDICATION):
        game.adjudicate(winner)


def _score(evaluation: Evaluation) -> Score:
    value, kind = round(evaluation.value), evaluation.kind
    most = 64
    lower = value if kind in (Kind.EXACT, Kind.LOWER) else -most
    upper = value if kind in (Kind.EXACT, Kind.UPPER) else most
    return Score(value, kind, lower, upper, confidence=evaluation.confidence)
