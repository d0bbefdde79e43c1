"""The first lesson: placing and flipping, passing, counting, corners, mobility and parity, on the board.

`STEPS` is the lesson as data, without a screen; a `Lesson` goes through it. The player makes each move:

>>> lesson = Lesson()
>>> lesson.step.title
'Placing a disc'
>>> lesson.answer("a1").text
'a1 flips nothing: it has no white discs in a line between it and another black disc. Look at the marked squares.'
>>> lesson.answer("f5").right
True

What the steps say of their positions is checked by tests, with the rules and the solver.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from reversi._core import PASS, Move, Position, as_move
from reversi.color import Color
from reversi.errors import IllegalMoveError
from reversi.text.boards import parse_board


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A step: a position, a task, and what to say of each answer.

    Attributes:
        title: its subject.
        text: what to know, and the task.
        board: the position, as 64 characters; Black is to move.
        right: the right moves; none for every legal move.
        praise: what a right move shows.
        wrong: why a legal move is wrong; ``{move}`` stands for it, ``{left}`` for the moves that White then has.
        reasons: why certain moves are wrong.
    """

    title: str
    text: str
    board: str
    right: tuple[str, ...]
    praise: str
    wrong: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def position(self) -> Position:
        """The position of the step."""
        return parse_board(f"{self.board} X")

    @property
    def solution(self) -> Move:
        """A right move."""
        return Move.parse(self.right[0]) if self.right else self.position.legal_moves[0]


STEPS: Final = (
    LessonStep(
        "Placing a disc",
        "You are Black. Place a disc so that white discs stand in a straight line between it and another of your"
        " discs: they flip and become yours. Lines go across, up and down, and diagonally. Choose a marked"
        " square.",
        "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27,
        (),
        "That is a move. Every move must flip at least one disc.",
    ),
    LessonStep(
        "Flipping in several directions",
        "A disc flips every line that it closes, in all eight directions at once. A flipped disc flips nothing"
        " further. One move here flips seven discs: find it.",
        "---XXX-----XOX----XXOXXX-X-XOO----XXO-----XOO------OO-----------",
        ("e8",),
        "e8 flips seven discs, in two directions at once.",
        "{move} flips fewer discs: {flips}. Look along the bottom edge.",
    ),
    LessonStep(
        "Passing",
        "You must move when you can. When no move flips a disc, you pass, and White moves again. Do you have a"
        " move here? If not, pass.",
        "-XXX-X-O--XX-XOO-XXXXOOOXXOXOXOOXXOOXXOOXXOOOXOOXOXXXX-OOOOOOOOO",
        ("--",),
        "Right: no square flips a disc. In a game the program passes for you. When neither side can move, the game"
        " is over.",
    ),
    LessonStep(
        "Counting",
        "At the end, whoever has more discs wins. Two squares are left. One of your moves wins the game, the other"
        " loses it: count before you place the disc.",
        "OOOOOOOOOOOOOOXXOXXXOXXXOOXOXXXXOOOXXOXXOOOOOOXXOOOXOOXXO-XX-OXX",
        ("e8",),
        "e8 wins, 38-26. During the game the number of discs says little; only the end counts.",
        "After {move} White takes e8 and wins. Try the other square.",
    ),
    LessonStep(
        "Corners",
        "A disc in a corner can never be flipped, as nothing can stand behind it. It also protects the discs along"
        " its edges. Take a corner.",
        "OOOOOO----XXX---OOXOXX--OOOOXOXXOOXOXOXXO-XXXXOX--XXXX-O-XXXXX--",
        ("h8",),
        "h8 is yours for good.",
        "{move} is legal, but a corner is there to take, and next turn it may be gone.",
    ),
    LessonStep(
        "The squares beside corners",
        "The square diagonally beside an empty corner, the X-square (b2, b7, g2, g7), often gives the corner away."
        " Make a move after which White cannot take a corner.",
        "-OOOO------X------OXXX---OOXX---OOOOOOOOOX-O-OO-O--O----O--O----",
        ("c6", "b3", "a4", "e6", "h7"),
        "White gets no corner after {move}.",
        "{move} lies beside an empty corner: White can take the corner next.",
    ),
    LessonStep(
        "Mobility",
        "Who has few moves must make bad ones. Good players often flip few discs and leave the opponent little"
        " choice. One move here leaves White only three moves: find it.",
        "O--------O-O------OOOO--X-OOO---OXXOO----XX---------------------",
        ("a6",),
        "After a6 White has three moves. The others leave seven or more.",
        "{move} leaves White {left} moves. Look for a move at the edge.",
    ),
    LessonStep(
        "Parity",
        "Near the end it is good to have the last move in each part of the board. Play into a part with an odd"
        " number of empty squares: you begin it and you end it. Where can you do that here?",
        "XXXXXXXX-XOOOOXXXXXXXXXXOXOOXOXXO-XOOXXXO-OXXOXX--XXXXO-OOOOOOOO",
        ("h7",),
        "h7 is the only empty square of its part: you have the last move there, and the other four squares are"
        " left to White. You win.",
        "{move} opens the part with four squares, an even number: White has the last move there. Look for a part"
        " with one square.",
    ),
)
"""The steps in their order: about three minutes."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer was worth.

    Attributes:
        right: whether it was right; the lesson is then at the position after it until `Lesson.next`.
        text: the praise, or the reason why it is wrong.
    """

    right: bool
    text: str


class Lesson:
    """A way through the lesson.

    Args:
        at: the number of the step to begin with, from 0; a number of no step is the first one.

    Attributes:
        at: the number of the step, from 0.
        position: the position on the board.
        answered: whether the step has a right answer already.
    """

    def __init__(self, at: int = 0) -> None:
        self.at: int = at if 0 <= at < len(STEPS) else 0
        self._show()

    def _show(self) -> None:
        self.position: Position = self.step.position
        self.answered: bool = False

    @property
    def step(self) -> LessonStep:
        """The present step."""
        return STEPS[self.at]

    @property
    def is_last(self) -> bool:
        """Whether the present step is the last one."""
        return self.at == len(STEPS) - 1

    @property
    def next_time(self) -> int:
        """The step to continue at another time: this one, after the whole lesson the first one."""
        return 0 if self.is_last and self.answered else self.at

    def go(self, steps: int) -> bool:
        """Go to another step; return false where there is none."""
        if not 0 <= self.at + steps < len(STEPS):
            return False
        self.at += steps
        self._show()
        return True

    def answer(self, move: Move | str) -> Answer:
        """Make a move; a right one is played on the board.

        Raises:
            InvalidMoveError: the text is not a move.
        """
        move = as_move(move)
        step, position = self.step, self.step.position
        try:
            after = position.play(move)
        except IllegalMoveError as error:
            return Answer(False, self._illegal(move, position, error))
        self.answered = not step.right or str(move) in step.right
        if self.answered:
            self.position = after
            return Answer(True, step.praise.format(move=move))
        theirs = after if after.to_move is Color.WHITE else after.with_to_move(Color.WHITE)
        left, flips = len(theirs.legal_moves), len(position.flips(move))
        text = step.reasons.get(str(move), step.wrong)
        return Answer(False, text.format(move=move, left=left, flips=flips))

    def _illegal(self, move: Move, position: Position, error: IllegalMoveError) -> str:
        if move == PASS:
            return "You may not pass: you have a move that flips a disc."
        if (position.black | position.white) >> move.index & 1:
            return f"{move} is occupied; a disc goes on an empty square."
        if not position.legal_moves.placements:
            return f"{move} flips nothing, and no other square does: pass."
        return (
            f"{move} flips nothing: it has no white discs in a line between it and another black disc. Look at the"
            " marked squares."
        )

    def solution(self) -> Answer:
        """Play a right move for the player."""
        return self.answer(self.step.solution)
