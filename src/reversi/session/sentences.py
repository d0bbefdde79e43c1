"""Sentences about a session that the dialogue and the full screen say alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from reversi._core import Move, Position
from reversi.color import Color
from reversi.game.game import Game
from reversi.game.ply import Ply
from reversi.game.supply import Supply
from reversi.session.events import EngineNoise, FlagFell, OpeningLeft, Resigned, SessionEvent, TakenBack

NO_MISTAKES: Final = "No mistakes found."
LEAVE: Final = "Leave this game? It stays saved; reversi play --resume continues it."


def event_sentence(event: SessionEvent, name_of: Callable[[Color], str] = str) -> str:
    """Return a sentence about an event, "" where each face shows it in its own way."""
    match event:
        case TakenBack(plies=()):
            return "The game continues."
        case TakenBack(plies=plies):
            return f"Took back {' '.join(str(ply.move) for ply in plies)}."
        case OpeningLeft(known=()):
            return "The opening to hold ends here."
        case OpeningLeft(ply=ply, known=known):
            return (
                f"{name_of(ply.color)} leaves the opening: {ply.move} instead of {' or '.join(map(str, known))}."
            )
        case Resigned(color=color):
            return f"{name_of(color)} resigns."
        case FlagFell(color=color):
            return f"{name_of(color)} has run out of time."
        case EngineNoise(message=message):
            return f"{message}."
        case _:
            return ""


def handover_sentence(ply: Ply, name_of: Callable[[Color], str] = str) -> str:
    """Return that a disc was handed over for a ply, "" if none was."""
    if not ply.handed_over:
        return ""
    return f"{name_of(ply.color)} has no disc left: {name_of(ply.color.opponent)} hands one over."


def shows_supply(game: Game) -> bool:
    """Return whether the discs beside the board are worth a line.

    Without a pass the players place in turn and none runs out, unless they begin with other discs than usual.
    """
    return any(ply.is_pass for ply in game) or game.start_supply != Supply.for_position(game.start)


def remark_lines(
    position: Position,
    move: Move,
    count: int = 4,
    *,
    better: Move | None = None,
    line: Iterable[Move] = (),
    better_line: Iterable[Move] = (),
) -> list[str]:
    """Return what is good or bad about a move; a line that says so if nothing is.

    Args:
        better: a move that a search prefers.
        line: the moves that a search expects after the move.
        better_line: those that it expects after the better one.
    """
    from reversi.engine.explaining import explain

    return [
        str(remark) for remark in explain(position, move, count, better=better, line=line, better_line=better_line)
    ] or ["nothing stands out"]
