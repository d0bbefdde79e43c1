"""What a picture shows, in words: for screen readers, and for text that stands beside a board."""

from __future__ import annotations

from collections.abc import Iterable

from reversi._core import SQUARES
from reversi.rules import OTHELLO
from reversi.text.boards import pass_words
from reversi.text.picture.plan import Plan
from reversi.text.picture.scene import Scene, Turn, bits


def status(scene: Scene) -> str:
    """Whose turn it is, or how the game ended: ``Black to move, after a pass``, ``White wins 45-19 (by 26)``."""
    position = scene.position
    if scene.outcome:
        return scene.outcome
    turn = f"{position.to_move} to move" if position.result is None else str(position.result)
    return f"{turn}{pass_words(position)}"


def title_of(scene: Scene) -> str:
    """Return a description of the picture in one line."""
    position = scene.position
    players = " – ".join(name or color for name, color in zip(scene.names, ("Black", "White"), strict=True))
    parts = [f"Game {players}"] if any(scene.names) else []
    if scene.is_game:
        parts.append(f"after ply {len(scene.turns)}" if scene.turns else "at the start")
        turn = scene.last
        if turn is not None:
            parts.append(f"{turn.color} {_move(turn)}")
    parts.append(status(scene))
    if not position.is_over:
        parts.append(f"discs {position.count.discs}")
    if position.rules != OTHELLO:
        parts.append(f"rules {position.rules}")
    text = ", ".join(parts)
    return text[0].upper() + text[1:]


def _move(turn: Turn) -> str:
    return str(SQUARES[turn.square]) if turn.square >= 0 else "passes"


def _names(squares: Iterable[int]) -> str:
    return " ".join(str(SQUARES[square]) for square in squares)


def _listed(squares: int) -> str:
    return _names(bits(squares)) or "none"


def description(plan: Plan) -> str:
    """Everything the picture shows, in sentences."""
    position = plan.scene.position
    board = position.rules.board
    parts = [f"{board.rows} rows, {board.columns} columns", f"Black: {_listed(position.black)}"]
    parts += [f"White: {_listed(position.white)}", *notes(plan)]
    if plan.marks.values:
        parts.append("Values: " + ", ".join(f"{SQUARES[at]} {text}" for at, text in plan.marks.values.items()))
    return ". ".join(parts) + "."


def notes(plan: Plan) -> list[str]:
    """Return what is marked on the board beside discs and the texts on squares."""
    scene, marks = plan.scene, plan.marks
    sentences = []
    if plan.last is not None:
        sentences.append(f"Last move: {SQUARES[plan.last]}")
    if plan.flips:
        sentences.append("Flipped: " + _names(plan.flips))
    if plan.options.legal_moves and not scene.position.is_over:
        sentences.append("Legal moves: " + " ".join(map(str, scene.position.legal_moves)))
    if plan.options.numbers:
        moves = "".join(str(SQUARES[it.square]) if it.square >= 0 else "--" for it in scene.turns)
        sentences.append(f"Moves: {moves or 'none'}")
    if marks.losses:
        sentences.append(
            "Losses: " + ", ".join(f"{SQUARES[square]} {loss:g}" for square, loss in marks.losses.items())
        )
    if marks.highlights:
        sentences.append("Highlighted: " + _names(marks.highlights))
    if marks.arrows:
        sentences.append("Arrows: " + " ".join(f"{SQUARES[tail]}-{SQUARES[head]}" for tail, head in marks.arrows))
    return sentences
