"""Answers to questions about positions: scored moves, a solution, how far a search is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from reversi._core import Move, Position
from reversi.color import Color
from reversi.errors import InputError
from reversi.score import AnyScore, Kind, MoveValue, OneScore, Score, score_text
from reversi.text.position_json import position_fields, position_of


@dataclass(frozen=True, slots=True)
class MoveScore:
    """One legal move with its score and line, from the view of the player who makes it.

    Attributes:
        move: the move.
        score: its value; ``EXACT``, or a bound when the search was stopped. It is no score of the position.
        pv: the line that proves it, the move included; passes are in it.
    """

    move: Move
    score: MoveValue
    pv: tuple[Move, ...]

    def __str__(self) -> str:
        return f"{self.move} {self.score}"


def best_first(moves: Iterable[MoveScore]) -> tuple[MoveScore, ...]:
    """Return scored moves, best first; equal ones in a1, b1, … order."""
    return tuple(sorted(moves, key=lambda scored: (-scored.score.value, scored.move)))


def move_text(
    position: Position, move: Move, value: MoveValue, *, depth: bool = False, name_of: Callable[[Color], str] = str
) -> str:
    """Return the value of a move as text: that of `score_text`, or `-2 ends the game, White wins`.

    The value of such a move is exact; that says nothing of the other moves.

    Args:
        position: where the move is made.
        move: the move.
        value: its value.
        depth: as for `score_text`.
        name_of: as for `score_text`.
    """
    text = score_text(value, depth=depth, name_of=name_of)
    is_end = value.kind is Kind.EXACT and position.play(move).is_over
    return text.replace(" exact", " ends the game", 1) if is_end else text


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer to a question about a position.

    Attributes:
        position: the position asked about.
        score: its value from the mover's view, with its kind and bounds. A search that was stopped gives what was
            proved until then, or, when nothing was, the likely value that its selective searches found.
        best: one proven best move, or all equal ones in a1, b1, … order when every move was asked for; empty in a
            finished game, and while none is proved: after a time limit, and outside a window on its lower side.
        pv: the principal variation, passes included; as far as it was proved when the search was stopped.
        moves: every legal move's score, best first, when every move was asked for.
        likely: the move that looks best while none is proved; ``None`` where ``best`` has one, and when the
            game is over.
    """

    position: Position
    score: Score
    best: tuple[Move, ...]
    pv: tuple[Move, ...]
    moves: tuple[MoveScore, ...] = ()
    likely: Move | None = None

    def value_for(self, color: Color) -> int:
        """Return the value in discs from a side's view; of a bound, the bound."""
        return int(self.score.pov(color))

    @property
    def move(self) -> Move | None:
        """The move to play: a proved best one, else the likely one; ``None`` when the game is over."""
        return self.best[0] if self.best else self.likely

    @property
    def is_exact(self) -> bool:
        """Whether the value, and every asked move's value, is proved."""
        return self.score.kind is Kind.EXACT and all(move.score.kind is Kind.EXACT for move in self.moves)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __str__(self) -> str:
        best = " ".join(map(str, self.best))
        return f"{self.score}, best {best}" if best else str(self.score)

    def to_json(self) -> str:
        """Return it as one line of JSON: the fields of ``reversi solve --json`` that belong to the answer.

        `from_json` gives an equal solution back.
        """
        import json

        return json.dumps(self.fields())

    def fields(self) -> dict[str, object]:
        """Return the values of `to_json`."""
        return {
            **position_fields(self.position),
            **score_fields(self.score),
            "best": [str(move) for move in self.best],
            "pv": [str(move) for move in self.pv],
            "likely": None if self.likely is None else str(self.likely),
            "moves": [
                {
                    "move": str(scored.move),
                    **score_fields(scored.score),
                    "pv": [str(move) for move in scored.pv],
                }
                for scored in self.moves
            ],
        }

    @staticmethod
    def from_json(text: str | bytes | Mapping[str, Any]) -> Solution:
        """Return the solution that `to_json` wrote, or a line of ``reversi solve --json``, or its values.

        Raises:
            InputError: it is neither.
        """
        from reversi._system.plain_json import read_json

        return read_json(text, read_solution, "a solution")

    def _repr_svg_(self) -> str:
        """Return the board with the scores as SVG, which notebooks show."""
        from reversi.text.picture.scores import solution_svg

        return solution_svg(self)


def score_fields(score: AnyScore) -> dict[str, object]:
    """Return a score as JSON values, which `read_score` reads."""
    return {
        "score": score.value,
        "kind": str(score.kind),
        "lower": score.lower,
        "upper": score.upper,
        "depth": score.depth,
        "confidence": score.confidence,
        "nodes": score.nodes,
        "time_s": score.time_s,
    }


def read_solution(fields: Mapping[str, Any]) -> Solution:
    """Return the solution that the values of `Solution.to_json` say."""
    position = position_of(fields)
    moves = tuple(
        MoveScore(Move.parse(move["move"]), read_score(MoveValue, move, position), _moves(move["pv"]))
        for move in fields.get("moves", ())
    )
    likely = fields.get("likely")
    best, pv = _moves(fields["best"]), _moves(fields["pv"])
    for move in (*best, *(scored.move for scored in moves), *pv[:1]):
        if not position.is_legal(move):
            raise InputError(f"{move} is not a legal move")
    return Solution(
        position,
        read_score(Score, fields, position),
        best,
        pv,
        moves,
        None if likely is None else Move.parse(likely),
    )


def _moves(texts: list[str]) -> tuple[Move, ...]:
    return tuple(map(Move.parse, texts))


def read_score(one: type[OneScore], fields: Mapping[str, Any], position: Position) -> OneScore:
    """Return a score; the moves of ``reversi solve --json`` state no more than their value and its kind."""
    cells = position.rules.board.cells
    stated = one.stated(fields["score"], Kind(fields["kind"]), position.to_move, cells)
    return replace(
        stated,
        lower=fields.get("lower", stated.lower),
        upper=fields.get("upper", stated.upper),
        depth=int(fields.get("depth", 0)),
        confidence=fields.get("confidence", 100),
        nodes=int(fields.get("nodes", 0)),
        time_s=float(fields.get("time_s", 0.0)),
    ).checked(cells)


@dataclass(frozen=True, slots=True)
class SolveProgress:
    """What a running search knows so far.

    Attributes:
        lower: proved lower bound of the value.
        upper: proved upper bound of the value.
        best: a move that reaches ``lower``.
        nodes: positions visited.
        time_s: wall-clock seconds.
    """

    lower: int
    upper: int
    best: Move | None
    nodes: int
    time_s: float
