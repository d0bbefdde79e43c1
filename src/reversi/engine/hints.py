"""Hints as ``reversi hint`` asks for them and gives them as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reversi._core import Move, Position
from reversi.engine.engine import Engine
from reversi.engine.levels import HINT_LEVEL
from reversi.openings.book import Books
from reversi.score import MoveValue
from reversi.solver.solution import MoveScore
from reversi.text.position_json import position_fields

if TYPE_CHECKING:
    from reversi.engine.explaining import Remark
    from reversi.engine.player import MoveChoice


def hint_engine(
    level: int | str | None = None,
    *,
    time_s: float | None = None,
    nodes: int | None = None,
    exact: bool = False,
    book: Books | None = None,
    books_first: bool | None = None,
    threads: int = 1,
    hash_mb: int | None = None,
) -> Engine:
    """Return the engine that gives hints: at level 18 where nothing limits its search.

    Args:
        level: as for `Engine`, and so are ``time_s``, ``nodes``, ``exact``, ``threads`` and ``hash_mb``.
        book: an opening book.
        books_first: whether the book answers before a search; by default where no search is asked for.

    Raises:
        InputError: a number is outside its limits, or there is a ``level`` beside another limit.
        ArgumentError: an argument has another type.
    """
    free = time_s is None and nodes is None
    if books_first is None:
        books_first = free and level is None and not exact
    return Engine(
        HINT_LEVEL if level is None and free else level,
        time_s=time_s,
        nodes=nodes,
        exact=exact,
        threads=threads,
        hash_mb=hash_mb,
        book=book if books_first else None,
    )


def hint_fields(
    position: Position, choices: Sequence[MoveScore | MoveChoice], time_s: float, *, explained: bool = False
) -> dict[str, object]:
    """Return hints as JSON values: the fields of the position, ``moves`` and ``time_s``.

    Args:
        position: where the moves are.
        choices: the moves, best first.
        time_s: the seconds that they took.
        explained: whether each move has ``remarks``.
    """
    moves: list[dict[str, object]] = []
    for choice in choices:
        pv = [str(move) for move in line_of(choice)]
        moves.append({"move": str(choice.move), **score_fields(choice.score), "pv": pv})
        if explained:
            moves[-1]["remarks"] = [
                {"feature": remark.feature.value, "good": remark.is_good, "text": remark.text}
                for remark in remarks(position, choice, choices[0])
            ]
    return {**position_fields(position), "moves": moves, "time_s": round(time_s, 6)}


def score_fields(score: MoveValue | None) -> dict[str, object]:
    """Return the value of a move as JSON values: ``score``, ``kind``, ``depth`` and ``confidence``."""
    if score is None:
        return {"score": None, "kind": None, "depth": None, "confidence": None}
    return {"score": score.value, "kind": str(score.kind), "depth": score.depth, "confidence": score.confidence}


def line_of(choice: MoveScore | MoveChoice) -> tuple[Move, ...]:
    """Return the line of a move, or the move alone."""
    return choice.pv if isinstance(choice, MoveScore) else (choice.move,)


def remarks(position: Position, choice: MoveScore | MoveChoice, best: MoveScore | MoveChoice) -> list[Remark]:
    """Return what `explain` says about a move, beside the best one where that one is better."""
    from reversi.engine.explaining import explain

    equal = choice.score is not None and best.score is not None and choice.score.value == best.score.value
    better = None if equal else best.move
    return explain(position, choice.move, better=better, line=line_of(choice)[1:], better_line=line_of(best)[1:])
