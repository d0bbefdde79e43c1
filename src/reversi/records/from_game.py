"""From a game to its record, and from a record to a game to play on with.

A game is one line of play: of a record it takes the main line, with comments, clocks, values and discs flipped by
hand. Variations and glyphs stay behind. A disc supply that differs from what the start position says by itself is
kept in the tag ``Supply``: Black's discs and White's, as in ``Supply "28-32"``.
"""

from __future__ import annotations

from collections.abc import Mapping

import reversi._regex as re
from reversi._core import Position
from reversi.arguments import check_type, excerpt
from reversi.errors import IllegalMoveError, MoveError, RecordError
from reversi.game.game import Game
from reversi.game.ply import Ply, Termination
from reversi.game.supply import Supply
from reversi.records.notes import RecordedScore
from reversi.records.outcome import Outcome
from reversi.records.record import Line, Node, Record, Tags
from reversi.score import MoveValue

_SUPPLY = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")


def record_from_game(game: Game, tags: Mapping[str, str] | None = None) -> Record:
    """Return the record of a game up to its current position, its outcome included.

    Args:
        game: the game.
        tags: names, dates and whatever else is known; Termination and Supply follow from the game.

    Raises:
        RecordError: a tag that no record can have, or a start position after the end of a game.
    """
    check_type("game", game, Game)
    given = Tags(tags or {})
    given.pop("Termination", None)
    given.pop("Supply", None)
    outcome = game.outcome
    if outcome is not None and outcome.termination is not Termination.NORMAL:
        given["Termination"] = str(outcome.termination)
    if game.start_supply != Supply.for_position(game.start):
        given["Supply"] = f"{game.start_supply.black}-{game.start_supply.white}"
    line = Line([_node(ply) for ply in game], (game.comment,))
    return Record(given, game.start, line, "*" if outcome is None else outcome.text)


def _node(ply: Ply) -> Node:
    return Node(
        ply.move,
        comments=(ply.comment,),
        clock=ply.clock,
        evaluation=None if ply.evaluation is None else RecordedScore.of(ply.evaluation),
        flips=ply.hand_flips,
    )


def game_from_record(record: Record) -> Game:
    """Return the game of a record, as far as it goes.

    Resignation, time forfeit and adjudication end it as the Termination tag says; a result without one is not
    needed where the board decides, and is left out where it does not. Several comments on a ply become one, and
    values keep whole discs.

    Raises:
        IllegalMoveError: a move is not allowed; the message names the ply.
        GameError: moves after the end, or a disc supply that cannot fill the board.
        RecordError: a disc supply that cannot be read.
    """
    check_type("record", record, Record)
    game = Game(record.start, supply=_supply(record))
    game.comment = " ".join(record.line.comments)
    for number, node in enumerate(record.line.nodes, 1):
        try:
            game.play(
                node.move,
                comment=" ".join(node.comments),
                clock=node.clock,
                evaluation=None if node.evaluation is None else _score(node.evaluation, game.position),
                flips=node.flips,
            )
        except IllegalMoveError as error:
            what = f"{node.move} is not allowed: {error.reason}"
            raise IllegalMoveError(f"ply {number} ({game.to_move}): {what}", error.text, error.reason) from None
        except MoveError as error:
            raise type(error)(f"ply {number}: {error}", error.text) from None
    declared, outcome = Termination.declared(record.tags.get("Termination", "")), Outcome.of(record)
    if declared is not None and outcome.names_winner and not game.is_over:
        game.declare(declared, outcome.winner)
    return game


def _supply(record: Record) -> Supply | None:
    text = record.tags.get("Supply")
    if text is None:
        return None
    match = _SUPPLY.fullmatch(text.strip())
    if match is None:
        raise RecordError(
            f"Supply {excerpt(text)} is not a disc supply; write Black's discs and White's, as in 30-30"
        )
    return Supply(int(match[1]), int(match[2]))


def _score(evaluation: RecordedScore, position: Position) -> MoveValue:
    return MoveValue.stated(
        round(evaluation.value),
        evaluation.kind,
        position.to_move,
        position.rules.board.cells,
        confidence=evaluation.confidence,
    )
