"""What a scene and its options come to: which discs, numbers and marks are where."""

from __future__ import annotations

from typing import NamedTuple

from reversi._core import Position
from reversi.color import Color
from reversi.text.picture.options import Marks, Options
from reversi.text.picture.scene import Scene, Turn, bits


class Plan(NamedTuple):
    """What to draw. Squares are given by their indices.

    Attributes:
        scene: the position or game.
        options: as they were given.
        marks: the options that name squares.
        discs: the position whose discs are drawn: of a transcript diagram the one before its numbers.
        numbered: the turns whose numbers are drawn, by their squares.
        legal: the placements to mark.
        last: the square of the last move, if it is to be marked.
        flips: the flipped discs to mark.
    """

    scene: Scene
    options: Options
    marks: Marks
    discs: Position
    numbered: dict[int, Turn]
    legal: tuple[int, ...]
    last: int | None
    flips: tuple[int, ...]

    def color_at(self, square: int) -> Color | None:
        """Who has a disc on a square, or the number of a move."""
        if square in self.numbered:
            return self.numbered[square].color
        bit = 1 << square
        return Color.BLACK if self.discs.black & bit else Color.WHITE if self.discs.white & bit else None


def plan_of(scene: Scene, options: Options) -> Plan:
    """Decide what to draw.

    Raises:
        InputError: an option names a square outside the board.
    """
    marks = options.marks(scene.position.rules.board)
    discs, numbered = scene.position, {}
    if options.numbers:
        discs = scene.positions[min(options.numbers_from - 1, len(scene.turns))]
        numbered = {it.square: it for it in scene.turns[options.numbers_from - 1 :] if it.square >= 0}
    turn = scene.last
    last = marks.last
    if last is None and options.last_move and turn is not None and turn.square >= 0:
        last = turn.square
    flips = marks.flips
    if flips is None:
        flips = tuple(bits(turn.flips)) if options.flips and turn is not None else ()
    legal = tuple(bits(scene.position.legal_moves.placements)) if options.legal_moves else ()
    return Plan(scene, options, marks, discs, numbered, legal, last, flips)
