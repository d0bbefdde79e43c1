"""A lesson: positions with text and questions, answered on the board; and the first one, which teaches the game.

A lesson is a file of records, `parse_lesson` reads it, a `Lesson` goes through it. The player makes each move:

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

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reversi._core import PASS, Move, Position, as_move
from reversi.errors import IllegalMoveError, InputError
from reversi.text.counting import counted

if TYPE_CHECKING:
    from reversi.analysis.analysis import AnalyzedTurn


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A step: a position, a task, and what to say of each answer.

    Attributes:
        title: its subject.
        text: what to know, and the task.
        position: the position.
        right: the right moves; none for every legal move.
        praise: what a right move shows.
        wrong: why a legal move is wrong.
        said: what is said of certain moves instead.
        lines: what follows certain moves.
        asks: whether there is something to answer.
    """

    title: str
    text: str
    position: Position
    right: tuple[str, ...]
    praise: str
    wrong: str = ""
    said: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, tuple[Move, ...]] = field(default_factory=dict)
    asks: bool = True

    @property
    def solution(self) -> Move:
        """A right move."""
        return Move.parse(self.right[0]) if self.right else self.position.legal_moves[0]

    def words_on(self, move: Move, *, right: bool) -> str:
        """Return what is said of a legal move, and what follows it."""
        position = self.position
        after = position.play(move)
        opponent = position.to_move.opponent
        theirs = after if after.to_move is opponent else after.with_to_move(opponent)
        text = self.said.get(str(move)) or (self.praise if right else self.wrong) or f"{move} is right."
        for name, value in (
            ("{move}", move),
            ("{left}", len(theirs.legal_moves)),
            ("{flips}", len(position.flips(move))),
        ):
            text = text.replace(name, str(value))
        line = self.lines.get(str(move))
        return f"{text} Then: {' '.join(map(str, line))}." if line else text


def parse_lesson(text: str) -> tuple[LessonStep, ...]:
    """Return the steps of a lesson file: records, each of which is a step.

    The tag ``Event`` is the title, the comment before the first move the text. The first move and the variations
    instead of it are the right answers, except those marked ``?``, ``??`` or ``?!``; the comment of each says why.
    What follows an answer is shown with it. The tag ``Praise`` is said of right answers without a comment,
    ``Wrong`` of other wrong ones; in both ``{move}``, ``{left}`` and ``{flips}`` stand for the move, the number of
    moves that the opponent then has, and how many discs it flips. Without a move, but with ``Praise``, every legal
    move is right; without both there is nothing to answer.

    Raises:
        InputError: no lesson; the message names the step.
    """
    from reversi.records.formats.pgn.reader import read_records

    steps = []
    for entry in read_records(text):
        if entry.findings:
            raise InputError(f"step {entry.number}: {entry.findings[0]}")
        record = entry.record
        first = next(iter(record.line.nodes), None)
        others = () if first is None else first.variations
        lines = [line.nodes for line in (record.line, *others) if line.nodes]
        for line in lines:
            position = record.start
            for node in line:
                try:
                    position = position.play(node.move)
                except IllegalMoveError as error:
                    raise InputError(f"step {entry.number}: {error.text}: {error.reason}") from None
        said = {str(line[0].move): " ".join(line[0].comments) for line in lines if line[0].comments}
        right = tuple(str(line[0].move) for line in lines if not _WRONG.intersection(line[0].nags))
        praise = record.tags.get("Praise") or ""
        if lines and not right:
            raise InputError(f"step {entry.number}: every answer is marked as wrong")
        steps.append(
            LessonStep(
                record.tags.get("Event", f"Step {entry.number}"),
                " ".join(record.line.comments),
                record.start,
                right,
                praise,
                record.tags.get("Wrong", "This is not the move."),
                said,
                {str(line[0].move): tuple(node.move for node in line[1:]) for line in lines},
                asks=bool(lines or praise),
            )
        )
    if not steps:
        raise InputError("there are no steps in it")
    return tuple(steps)


def format_lesson(turns: Iterable[AnalyzedTurn]) -> str:
    """Return a lesson file that asks for a better move than the ones played: a draft, for a coach to edit."""
    from reversi.engine.explaining import explain
    from reversi.records.record import Line, Node, Record, Tags, format_record

    def said(move: Move, begin: str, *, good: bool) -> tuple[str, ...]:
        remarks = [remark.text for remark in explain(turn.position, move) if remark.is_good is good]
        return (f"{begin}: {'; '.join(remarks)}." if remarks else f"{begin}.",)

    steps = []
    for turn in turns:
        line = [Node(move) for move in turn.pv[:_SHOWN]]
        line[0].comments = said(turn.pv[0], f"{turn.pv[0]} is best", good=True)
        others = [
            Node(move, said(move, f"{move} is as good", good=True)) for move in turn.best if move != turn.pv[0]
        ]
        lost = f"{turn.move} was played, and loses {counted(turn.loss, 'disc')}"
        played = Node(turn.move, said(turn.move, lost, good=False), nags=(2,))
        line[0].variations = tuple(Line([node]) for node in (*others, played))
        text = f"{turn.mover} to move. Find a better move than the one that was played."
        tags = Tags({"Event": f"Ply {turn.ply}", "Wrong": "{move} is not the best move either."})
        steps.append(format_record(Record(tags, turn.position, Line(line, comments=(text,)))))
    return "\n".join(steps)


_SHOWN: Final = 6
"""Moves of a line at most."""
_WRONG: Final = frozenset((2, 4, 6))
"""The glyphs of ``?``, ``??`` and ``?!``."""


@functools.cache
def first_lesson() -> tuple[LessonStep, ...]:
    """Return the steps of the first lesson, about three minutes."""
    return parse_lesson(Path(__file__).with_name("first_lesson.pgn").read_text(encoding="utf-8"))


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
        steps: the steps; by default those of the first lesson.

    Attributes:
        steps: the steps.
        at: the number of the step, from 0.
        position: the position on the board.
        answered: whether the step has a right answer already.
    """

    def __init__(self, at: int = 0, steps: tuple[LessonStep, ...] = ()) -> None:
        self.steps: tuple[LessonStep, ...] = steps or first_lesson()
        self.at: int = at if 0 <= at < len(self.steps) else 0
        self._show()

    def _show(self) -> None:
        self.position: Position = self.step.position
        self.answered: bool = not self.step.asks

    @property
    def step(self) -> LessonStep:
        """The present step."""
        return self.steps[self.at]

    @property
    def is_last(self) -> bool:
        """Whether the present step is the last one."""
        return self.at == len(self.steps) - 1

    @property
    def next_time(self) -> int:
        """The step to continue at another time: this one, after the whole lesson the first one."""
        return 0 if self.is_last and self.answered else self.at

    def go(self, steps: int) -> bool:
        """Go to another step; return false where there is none."""
        if not 0 <= self.at + steps < len(self.steps):
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
        right = not step.right or str(move) in step.right
        if right:
            self.answered, self.position = True, after
        return Answer(right, step.words_on(move, right=right))

    def _illegal(self, move: Move, position: Position, error: IllegalMoveError) -> str:
        if move == PASS:
            return "You may not pass: you have a move that flips a disc."
        if (position.black | position.white) >> move.index & 1:
            return f"{move} is occupied; a disc goes on an empty square."
        if not position.legal_moves.placements:
            return f"{move} flips nothing, and no other square does: pass."
        if not position.rules.mandatory_capture:
            return f"{move}: {error.reason}."
        mine, theirs = str(position.to_move).lower(), str(position.to_move.opponent).lower()
        return (
            f"{move} flips nothing: it has no {theirs} discs in a line between it and another {mine} disc. Look at"
            " the marked squares."
        )
