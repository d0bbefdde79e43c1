"""Sentences about a session that the dialogue and the full screen say alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Final

from reversi._core import SQUARES, Move, Position
from reversi.color import Color
from reversi.game.game import Game
from reversi.game.ply import Ply
from reversi.game.supply import Supply
from reversi.score import score_text
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


def ply_sentence(ply: Ply, name_of: Callable[[Color], str] = str, *, evaluation: bool = False) -> str:
    """Return a turn as somebody hears it: ``Black f5, flips e5; White to move.``

    Discs that the player still flips by hand are not in it.

    Args:
        evaluation: whether a move comes with the evaluation of the engine that played it.
    """
    after = ply.after
    text = name_of(ply.color)
    if ply.is_pass:
        text += " has no placement and passes" if ply.is_forced_pass else " skips the turn"
    else:
        text += f" {ply.move}"
    if evaluation and ply.evaluation is not None:
        text += f" ({score_text(ply.evaluation, name_of=name_of)})"
    if not ply.is_pass:
        if ply.hand_flips == ():
            return f"{text}."
        flips = ply.flips
        text += f", flips {f'{len(flips)}: ' if len(flips) > 1 else ''}{' '.join(map(str, flips)) or 'nothing'}"
    return f"{text}; {'the game is over' if after.is_over else f'{name_of(after.to_move)} to move'}."


def turn_sentence(ply: Ply, name_of: Callable[[Color], str] = str, *, evaluation: bool = False) -> str:
    """Return `ply_sentence`, after the disc that was handed over for it."""
    said = handover_sentence(ply, name_of), ply_sentence(ply, name_of, evaluation=evaluation)
    return " ".join(filter(None, said))


def spoken_board(position: Position, name_of: Callable[[Color], str] = str) -> dict[str, str]:
    """Return the rows and columns of a board in words, by number and letter: ``Row 4: a to c empty, d White.``"""
    board = position.rules.board
    rows, columns = "12345678"[: board.rows], "abcdefgh"[: board.columns]

    def line(heading: str, names: str, squares: Iterable[int]) -> str:
        parts = []
        for who, run in groupby(zip(names, squares, strict=True), lambda each: position[SQUARES[each[1]]]):
            first, *more = (name for name, _ in run)
            parts.append(
                f"{f'{first} to {more[-1]}' if more else first} {'empty' if who is None else name_of(who)}"
            )
        return f"{heading}: {', '.join(parts)}."

    spoken = {
        row: line(f"Row {row}", columns, range(8 * at, 8 * at + len(columns))) for at, row in enumerate(rows)
    }
    return spoken | {
        column: line(f"Column {column}", rows, range(at, 8 * len(rows) + at, 8))
        for at, column in enumerate(columns)
    }


def read_aloud(position: Position, place: str, name_of: Callable[[Color], str] = str) -> str:
    """Return a row (`4`), a column (`d`) or a square (`d4`) in words, every row for "".

    Raises:
        KeyError: the board has no such place.
    """
    spoken = spoken_board(position, name_of)
    if not place:
        return "\n".join(text for name, text in spoken.items() if name.isdigit())
    if len(place) != 2:
        return spoken[place]
    if not (place[0].isalpha() and place[1].isdigit() and {*place} <= spoken.keys()):
        raise KeyError(place)
    disc = position[place]
    return f"{place}: {'empty' if disc is None else name_of(disc)}{', a legal move' * position.is_legal(place)}."


def disc_counts(position: Position, name_of: Callable[[Color], str] = str) -> str:
    """Return the discs of both players: ``Discs: Black 3, White 3``."""
    return f"Discs: {name_of(Color.BLACK)} {position.count.black}, {name_of(Color.WHITE)} {position.count.white}"


def count_sentence(position: Position, name_of: Callable[[Color], str] = str) -> str:
    """Return the discs of both players and the empty squares."""
    return f"{disc_counts(position, name_of)}. Empty: {position.empties}."


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
