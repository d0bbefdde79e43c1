"""What a recorded result says: who won, with how many discs, by how much, and how that was decided.

A record gives the discs of both sides (``37-27``), the winner alone (``1-0``, ``0-1``, ``1/2-1/2``), or nothing
(``*``). Most other formats say by how much a game was won, with the empty squares given to the winner. Where the
game ended on the board, both follow from the board. Where it did not, a difference of discs becomes the counts
that add up to the whole board. Under misère the side with fewer discs has won: the sign is turned here alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Self

from reversi.color import Color
from reversi.records.record import Record, is_result
from reversi.rules import OTHELLO, Rules
from reversi.score import Result

UNDECIDED: Final = frozenset(("", "?", "-", "*"))
"""The ways of writing that a game has no result."""

_WINNERS: Final = {"1-0": Color.BLACK, "0-1": Color.WHITE, "1/2-1/2": None}
_WORDS: Final = {winner: word for word, winner in _WINNERS.items()}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A recorded result.

    Attributes:
        text: the result in the words of a record; any other text says nothing.
        rules: the rules of the game.
        termination: what the Termination tag says of it, ``None`` for nothing.
        written: the score as another format writes it, where the text does not say it, else ``None``; the tag
            Score keeps that of a game with a result.
    """

    text: str
    rules: Rules = OTHELLO
    termination: str | None = None
    written: str | None = None

    @classmethod
    def of(cls, record: Record) -> Self:
        """Return what the result of a record says."""
        return cls(record.result, record.rules)

    @classmethod
    def by_score(
        cls,
        score: float,
        written: str,
        rules: Rules,
        *,
        termination: str | None = None,
        won_by: float | None = None,
    ) -> Self:
        """Return the result that a score in discs is: disc counts, else the winner.

        A score beyond the squares of the board is none: Edax writes -127, say, for a game that is not over.

        Args:
            score: Black's score: above zero Black has won, under misère too.
            written: the score as written.
            rules: the rules of the game.
            termination: how the game ended.
            won_by: the score that decides who won, where a komi makes it another one.
        """
        counts = counts_for(score, rules)
        if counts is not None:
            return cls(counts, rules, termination)
        if abs(score) > rules.board.cells:
            return cls("*", rules, termination, written)
        return cls(winner_word(score if won_by is None else won_by), rules, termination, written)

    @property
    def names_winner(self) -> bool:
        """Whether it is the winner alone."""
        return self.text in _WINNERS

    @property
    def discs(self) -> tuple[int, int] | None:
        """The discs of Black and White; ``None`` where there are none, or more than the board has squares."""
        counts = _counts(self.text)
        return None if counts is None or sum(counts) > self.rules.board.cells else counts

    @property
    def too_many_discs(self) -> bool:
        """Whether it counts more discs than the board has squares: it is no result then."""
        return _counts(self.text) is not None and self.discs is None

    @property
    def score(self) -> int | None:
        """Black's score by the recorded discs, above zero where Black has won; ``None`` without them."""
        discs = self.discs
        return None if discs is None else _signed(discs[0] - discs[1], self.rules)

    @property
    def winner(self) -> Color | None:
        """Who has won, ``None`` for nobody."""
        if self.names_winner:
            return _WINNERS[self.text]
        score = self.score
        return None if not score else Color.BLACK if score > 0 else Color.WHITE

    @property
    def is_decided(self) -> bool:
        """Whether there is a result at all."""
        return self.names_winner or self.discs is not None

    @property
    def word(self) -> str | None:
        """The winner as ``1-0``, ``0-1`` or ``1/2-1/2``, ``None`` without a result."""
        return _WORDS[self.winner] if self.is_decided else None

    def score_on(self, on_board: Result | None) -> int | None:
        """Return Black's score as recorded: that of the board where the game ended on it and the discs fit."""
        fits = self.discs is not None and on_board is not None and self.fits(on_board)
        return on_board.score if fits and on_board is not None else self.score

    def lead_on(self, on_board: Result | None) -> int | None:
        """Return Black's lead in discs: that of the board where the game ended on it, else the recorded one.

        A winner who is not that of the board was agreed on: then the discs are not what counts.
        """
        if on_board is None:
            return self.score
        return on_board.score if not self.names_winner or self.winner is on_board.winner else None

    def fits(self, on_board: Result) -> bool:
        """Return whether a foreign result is right for a game that ended so on the board.

        The disc counts are, with or without the empty squares given to the winner (halved in a draw), and the
        winner.
        """
        if self.names_winner:
            return self.winner is on_board.winner
        black, white, extra = on_board.black, on_board.white, on_board.empties
        if black == white:
            with_empties = (black + extra / 2, white + extra / 2)
        else:
            with_empties = (black + extra, white) if black > white else (black, white + extra)
        return _counts(self.text) in ((black, white), with_empties)

    def settled(self, on_board: Result | None) -> str:
        """Return the result that a foreign record gets: the discs on the board where it fits them or is none."""
        if on_board is None or self.text == (discs := on_board.discs):
            return self.text
        return discs if self.text in UNDECIDED or self.fits(on_board) else self.text

    @property
    def tags(self) -> list[tuple[str, str]]:
        """The tags that keep what there is of it beside the text."""
        score = None if self.text == "*" else self.written
        both = (("Termination", self.termination), ("Score", score))
        return [(name, value) for name, value in both if value is not None]

    def give_to(self, record: Record) -> None:
        """Make it the result of a record, with its tags, but for those that the record has."""
        record.result = self.text
        for name, value in self.tags if self.termination or self.written else ():
            record.tags.setdefault(name, value)

    def mismatch(self, on_board: Result | None) -> str:
        """Return what is wrong with a score that makes no discs where the game ended on the board, or nothing."""
        if self.written is None or on_board is None:
            return ""
        return f"the recorded score is {self.written}, but the game ended {on_board}"


@lru_cache(1 << 10)
def _counts(text: str) -> tuple[int, int] | None:
    """Return the discs that a result counts, ``None`` for any other text."""
    if text in _WINNERS or text == "*" or not is_result(text):
        return None
    black, white = map(int, text.split("-"))
    return black, white


def _signed(lead: int, rules: Rules) -> int:
    """Return Black's score for more discs than White has, and the other way round."""
    return -lead if rules.misere else lead


@lru_cache(1 << 10)
def counts_for(score: float, rules: Rules) -> str | None:
    """Return the disc counts on a board without empty squares that make a score, ``None`` if no counts do.

    Args:
        score: Black's score in discs: above zero Black has won, under misère too.
        rules: the rules that made it.
    """
    whole = round(score)
    if abs(score - whole) > 0.05 or (rules.board.cells + whole) % 2 or abs(whole) > rules.board.cells:
        return None
    black = (rules.board.cells + _signed(whole, rules)) // 2
    return f"{black}-{rules.board.cells - black}"


def winner_word(score: float) -> str:
    """Return the result that says who won and no more."""
    return "1/2-1/2" if score == 0 else "1-0" if score > 0 else "0-1"
