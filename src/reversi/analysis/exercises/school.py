"""The school of openings: the moves of a repertoire, asked in lines against moves drawn as people play them."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

from reversi._core import Move, Position, Random, canonical_key, canonical_square
from reversi.analysis.exercises.exercise import REMARKS, SPEAKS, Exercise, card_id, listed
from reversi.analysis.exercises.progress import ExerciseProgress, Rank, rank_of
from reversi.analysis.judgement import loss_text
from reversi.engine.explaining import explain
from reversi.games.repertoire import Repertoire, RepertoireMove, drawn
from reversi.openings.book import Books
from reversi.openings.names import opening_of_game
from reversi.records.notes import format_evaluation
from reversi.score import MoveValue, score_text, short_score
from reversi.text.counting import counted
from reversi.text.position_json import position_fields

_CANDIDATES: Final = 3
_ALL: Final = 64


@dataclass(frozen=True, slots=True)
class RepertoireCard:
    """A position of a repertoire with the moves that its owner wants to play there, the main one first.

    Attributes:
        book: knows what other moves are worth.
        about: which line it is, and the name of its opening.
        line: the moves that lead there.
        reply: what the repertoire has on the last of them, ``None`` where the line begins.
        id: the same for a position and its symmetric twins, as long as the main move stays the same.
    """

    position: Position
    choices: tuple[RepertoireMove, ...]
    book: Books | None = None
    about: str = ""
    line: tuple[Move, ...] = ()
    reply: RepertoireMove | None = None
    id: str = field(init=False, compare=False)
    difficulty: ClassVar[None] = None

    def __post_init__(self) -> None:
        main = canonical_square(self.position, self.choices[0].move)
        object.__setattr__(self, "id", card_id(self.position, f"repertoire {main} "))

    @property
    def answers(self) -> tuple[Move, ...]:
        """The moves of the repertoire and those that are the same by a symmetry, the main one first."""
        return tuple(move for choice in self.choices for move in (choice.move, *choice.also))

    @property
    def last(self) -> Move | None:
        """The last move of the line."""
        return self.line[-1] if self.line else None

    @property
    def place(self) -> str:
        """The line, in words."""
        return listed(self.line)

    @property
    def task(self) -> str:
        """What was played, and what is to be found."""
        if self.reply is None:
            return "play your move."
        comment = f" ({self.reply.comment})" if self.reply.comment else ""
        return f"{self.last}{comment} was played; find your move."

    def hints(self, wrong: Collection[Move] = ()) -> list[str]:
        """Return the hints: what stands out, then candidates, none of them known to be wrong."""
        main, random = self.choices[0].move, Random(int(self.id, 16))
        hints = [f"Your move: {SPEAKS[remark.feature]}." for remark in explain(self.position, main, 1)]
        left = [move for move in self.position.legal_moves if move not in (*wrong, *self.answers)]
        few = [main, *(left.pop(random.below(len(left))) for _ in range(min(_CANDIDATES - 1, len(left))))]
        hints.append(f"It is {main}." if len(few) == 1 else f"It is one of: {listed(sorted(few))}.")
        return hints

    def labels(self, answered: Move) -> list[tuple[Move, str]]:
        """Return the values of the other moves that the book knows."""
        return [(move, short_score(score)) for move, score in self._scores().items() if move != answered]

    def explanation(self, move: Move | None) -> list[str]:
        """Return lines that say why an answer is right or wrong; ``None`` is a player who wants the solution."""
        main = self.choices[0].move
        if move is not None and move in self.answers:
            same = (main, *self.choices[0].also)
            right = "Right." if move in same else f"Right. Your main move is {main}."
            return [right, *self._move_lines(move), *self._next_best()]
        solution = ["Your move:", *self._move_lines(main)]
        if move is None:
            return [*solution, *self._next_best()]
        lost = self._loss(move)
        price = f", which loses {lost} by the book" if lost else ""
        return [f"Wrong: your repertoire does not play {move}{price}.", *self._move_lines(move), *solution]

    def _next_best(self) -> list[str]:
        other = next((move for move in self._scores() if move not in self.answers), None)
        own = self._scores().get(self.choices[0].move)
        if other is None or own is None:
            return []
        if (gain := self._scores()[other].value - own.value) >= 0:
            return [f"By the book, {other} is {'better' if gain else 'as good'}."]
        return [f"The next best move, {other}, loses {self._loss(other)} by the book."]

    def _loss(self, move: Move) -> str:
        """Return what a move loses against the main one by the book, in words; "" where it does not know."""
        played, own = (self._scores().get(each) for each in (move, self.choices[0].move))
        if played is None or own is None:
            return ""
        return loss_text(played, own) if played.value < own.value else "nothing"

    def _scores(self) -> dict[Move, MoveValue]:
        return {} if self.book is None else self.book.values(self.position)

    def _move_lines(self, move: Move) -> list[str]:
        choice = next((each for each in self.choices if move in (each.move, *each.also)), None)
        value = self._scores().get(move)
        words = [f"{move!s:3}", "" if value is None else score_text(value)]
        if choice is None:
            remarks = explain(self.position, move, REMARKS, better=self.choices[0].move)
        else:
            if choice.evaluation is not None:
                words[1] = format_evaluation(choice.evaluation)
            words.append(choice.comment)
            remarks = [remark for remark in explain(self.position, move, _ALL) if remark.is_good][:REMARKS]
        return ["  ".join(filter(None, words)), *(f"    {remark}" for remark in remarks)]


Card = Exercise | RepertoireCard
"""What a training asks: a position, and the moves that are right in it."""


def cards(repertoire: Repertoire) -> Iterator[RepertoireCard]:
    """Yield the positions in which a repertoire asks for a move, those after fewer plies first."""
    for position in repertoire.questions():
        yield RepertoireCard(position, repertoire.moves(position), line=repertoire.path(position))


def card_fields(card: RepertoireCard) -> dict[str, object]:
    """Return a card as a JSON object of its position, its line and its moves."""
    line, moves = map(str, card.line), (str(choice.move) for choice in card.choices)
    fields = {"theme": "opening", "line": [*line], "moves": [*moves]}
    return {"id": card.id, **position_fields(card.position), **fields}


class School:
    """A course of the lines of a repertoire.

    It plays the lines from their start, asks the moves of the repertoire's color, and draws those of the other
    side by their weights. The lines lead to the positions that were missed last time, then to the others that
    are due, then to new ones, the easy ones last; what is not asked now is played. A position that is missed is
    asked again in a later line.

    Args:
        progress_of: the progress of a card by its id.
        now: the time, in UTC.
        book: says what other moves are worth, and how often moves are played that all weigh the same in the
            repertoire.
        seed: draws the moves.
        count: how many moves are asked at most; all when not given.
        everything: also asks positions that are not due yet, after the others.
        is_hard: says of a new position whether its move has to be learned; by default each has.
    """

    noun = "move"
    flows = True

    def __init__(
        self,
        repertoire: Repertoire,
        progress_of: Callable[[str], ExerciseProgress],
        now: datetime.datetime,
        *,
        book: Books | None = None,
        seed: int = 0,
        count: int | None = None,
        everything: bool = False,
        is_hard: Callable[[RepertoireCard], bool] = lambda card: True,
    ) -> None:
        self._repertoire = repertoire
        self._book = book
        self._random = Random(seed)
        self._left: dict[int, Rank] = {}  # what is to be asked, by the keys of positions
        ranks = Counter[Rank]()
        for card in cards(repertoire):
            rank = rank_of(progress_of(card.id), now)
            if rank is Rank.NEW and not is_hard(card):
                rank = Rank.EASY
            ranks[rank] += 1
            if everything or rank is not Rank.LATER:
                self._left[canonical_key(card.position)] = rank
        self._before: defaultdict[int, list[int]] = defaultdict(list)
        for position in repertoire.walk():
            for choice in repertoire.moves(position):
                self._before[canonical_key(position.play(choice.move))].append(canonical_key(position))
        numbers = (
            (ranks[Rank.MISSED] + ranks[Rank.DUE], "due"),
            (ranks[Rank.NEW], "to learn"),
            (ranks[Rank.EASY], "easy"),
            (ranks[Rank.LATER], "not due yet"),
        )
        said = ", ".join(f"{number} {what}" for number, what in numbers if number)
        self.about: str = f"Your {counted(ranks.total(), 'position')}: {said}."
        self.count: int = len(self._left) if count is None else min(count, len(self._left))
        self._asked: set[int] = set()
        self._missed: dict[int, Rank] = {}
        self._card: RepertoireCard | None = None
        self._lines = 0
        self._start = self._position = Position()
        self._line: tuple[Move, ...] = ()
        self._reply: RepertoireMove | None = None

    def next(self) -> RepertoireCard | None:
        """Play on to the next position that is asked, in this line or a new one."""
        if self._card is not None:  # nobody answered
            self._play(self._card.choices[0])
        self._card = None
        if len(self._asked) == self.count:
            self._left = {key: rank for key, rank in self._left.items() if key in self._asked}
        asked, ways = self._ways()
        if not self._lines or canonical_key(self._position) not in ways:
            self._left |= self._missed
            self._missed = {}
            asked, ways = self._ways()
            starts = [start for start in self._repertoire.starts if canonical_key(start) in ways]
            if not starts:
                return None
            self._start = self._position = starts[self._random.below(len(starts))]
            self._line, self._reply = (), None
            self._lines += 1
        while (key := canonical_key(self._position)) not in asked:
            self._play(self._drawn(ways))
        named = opening_of_game(self._line, self._start)
        about = [f"line {self._lines}", named.opening.name if named else ""]
        about.append("new" if self._left.pop(key) in {Rank.NEW, Rank.EASY} else "")
        self._card = RepertoireCard(
            self._position,
            self._repertoire.moves(self._position),
            self._book,
            ", ".join(filter(None, about)),
            self._line,
            self._reply,
        )
        self._asked.add(key)
        return self._card

    def _ways(self) -> tuple[set[int], set[int]]:
        """Return the positions that are asked now, and all that lead there, as keys."""
        rank = min(self._left.values(), default=None)
        asked = {key for key, each in self._left.items() if each is rank}
        ways, ahead = set(asked), list(asked)
        while ahead:
            new = [key for key in self._before.get(ahead.pop(), ()) if key not in ways]
            ways.update(new)
            ahead += new
        return asked, ways

    def _drawn(self, ways: Collection[int]) -> RepertoireMove:
        """Return a move that leads to what is asked: the first own one, or one of the other side by its weight."""
        moves = [
            choice
            for choice in self._repertoire.moves(self._position)
            if canonical_key(self._position.play(choice.move)) in ways
        ]
        if self._repertoire.is_mine(self._position):
            return moves[0]
        if self._book is not None and len({choice.weight for choice in moves}) == 1:
            games = {known.move: known.games for known in self._book.moves(self._position)}
            moves = [replace(choice, weight=1 + games.get(choice.move, 0)) for choice in moves]
        return drawn(moves, self._random)

    def _play(self, choice: RepertoireMove) -> None:
        self._reply = None if self._repertoire.is_mine(self._position) else choice
        self._line = (*self._line, choice.move)
        self._position = self._position.play(choice.move)

    def answered(self, card: Card, move: Move | None, *, again: bool) -> None:
        """Play the answer, or the main move in place of a wrong one."""
        asked, self._card = self._card, None
        assert asked is not None
        if again:
            self._missed[canonical_key(asked.position)] = Rank.MISSED
        known = None if move is None else self._repertoire.find(asked.position, move)
        self._play(asked.choices[0] if known is None or move is None else replace(known, move=move))
