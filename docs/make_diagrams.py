"""Makes the pictures of docs/diagrams.md, in docs/diagrams/.

    python docs/make_diagrams.py

They are the same on every machine; a test holds them against what is committed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from reversi import Game, Position, parse_rules, solve
from reversi.render import graph, scored_moves, svg

FOLDER = Path(__file__).parent / "diagrams"
MOVES = (
    "e6f6f5f4g3c5g6f7d6e7c6f3c3g5f8c4b5d8g4c2b3h3d1a3f2h6e3e1f1c1b1d3a4d7c7b4a2a6g8e8c8b6h5h4g7h8h7b8b2d2e2a1"
    "a5g1g2h2h1--b7a7a8"
)
# what a level of 12 said of the positions of this game, from Black's view; exact in the end
VALUES = [
    *(
        1,
        0,
        1,
        2,
        1,
        -1,
        1,
        -5,
        0,
        1,
        0,
        0,
        0,
        -4,
        -3,
        -5,
        -4,
        -8,
        -6,
        -8,
        -5,
        -8,
        -6,
        -5,
        -2,
        -5,
        -2,
        -4,
        3,
        1,
        5,
    ),
    *(5, 4, 3, 11, 10, 12, 2, -4, -6, 2, -2, -2, -2, -2, -2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, None, 4, 4, 4, 4),
]


def game(plies: int | None = None) -> Game:
    """The game of the pictures, or its first plies."""
    played = Game()
    played.play_all([MOVES[at : at + 2] for at in range(0, len(MOVES), 2)][:plies])
    return played


def position() -> str:
    """The last move, what it flipped, and where White may play."""
    return svg(game(24), flips=True, legal_moves=True, caption="White to move")


def scores() -> str:
    """The exact score of each move, and what it loses."""
    late = game(45)
    return svg(late, theme="dark", last_move=False, caption="White to move", **scored_moves(solved(late.position)))


def solved(late: Position) -> tuple:  # type: ignore[type-arg]
    """Every move with its exact score."""
    return solve(late, all_moves=True).moves


def transcript() -> str:
    """A transcript diagram."""
    return svg(game(), theme="print", numbers=True, caption="Black – White 34-30")


def marks() -> str:
    """A variant on a small board, with discs of other colors, an arrow and framed squares."""
    played = Game(parse_rules("adjacent,board=6x6"))
    played.play_all(["b2", "c5", "e5", "b5", "e2"])
    return svg(
        played,
        theme="wood",
        black="red",
        white="green",
        highlights=["a1", "a6", "f1", "f6"],
        arrows=["e2-c4"],
        last_move=False,
        caption="Red has just played e2",
    )


def values() -> str:
    """The graph of a game."""
    return graph(VALUES, marks={13: "?!", 37: "??", 46: "?"}, title="Black – White 34-30")


PICTURES: dict[str, Callable[[], str]] = {
    "position": position,
    "scores": scores,
    "transcript": transcript,
    "marks": marks,
    "graph": values,
}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, picture in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(picture(), encoding="utf-8", newline="\n")
        print(f"{FOLDER / name}.svg")
