"""Results as disc counts, as differences, and as the winner alone: one from the other, where that loses nothing.

Most formats say by how much a game was won, with the empty squares given to the winner; a record says how many
discs each side has. Where the game ended on the board, both follow from the board. Where it did not, a difference
of discs becomes the counts that add up to the whole board.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from reversi._core import Position
from reversi.errors import IllegalMoveError
from reversi.records.dialects import fits, outcome_of
from reversi.records.record import Record, is_result
from reversi.records.replay import play_packed
from reversi.rules import Rules
from reversi.score import Result

UNDECIDED: Final = frozenset(("", "?", "-", "*"))
"""The ways of writing that a game has no result."""


class RecordedResult(NamedTuple):
    """A result of another format in the words of a record.

    Attributes:
        result: the result.
        termination: what the Termination tag says of it, ``None`` for nothing.
        score: the score as written where the result does not say it, else ``None``; the tag Score keeps that of a
            game with a result.
    """

    result: str
    termination: str | None = None
    score: str | None = None


def board_result(record: Record) -> Result | None:
    """Return how a record's game ended on the board, ``None`` where it did not, or where a turn is not allowed."""
    end = last_position(record)
    return None if end is None else end.result


def last_position(record: Record) -> Position | None:
    """Return the position that a record's game ends in, ``None`` where a turn is not allowed."""
    position = record.start
    if (end := play_packed(record.line, position)) is not None:
        return end
    try:
        for node in record.line.nodes:
            position = node.played_on(position)
    except IllegalMoveError:
        return None
    return position


def counts_for(score: float, rules: Rules) -> str | None:
    """Return the disc counts on a board without empty squares that make a score, ``None`` if no counts do.

    Args:
        score: Black's score in discs: above zero Black has won, under misère too.
        rules: the rules that made it.
    """
    whole = round(score)
    if abs(score - whole) > 0.05 or (rules.board.cells + whole) % 2 or abs(whole) > rules.board.cells:
        return None
    black = (rules.board.cells + (-whole if rules.misere else whole)) // 2
    return f"{black}-{rules.board.cells - black}"


def difference_result(
    score: float, text: str, rules: Rules, *, termination: str | None = None, won_by: float | None = None
) -> RecordedResult:
    """Return the result that a score in discs is: disc counts, else the winner.

    A score beyond the squares of the board is none: Edax, for example, writes -127 for a game that is not over.

    Args:
        score: Black's score: above zero Black has won, under misère too.
        text: the score as written.
        rules: the rules of the game.
        termination: how the game ended.
        won_by: the score that decides who won, where a komi makes it another one.
    """
    counts = counts_for(score, rules)
    if counts is not None:
        return RecordedResult(counts, termination)
    if abs(score) > rules.board.cells:
        return RecordedResult("*", termination, text)
    return RecordedResult(winner_word(score if won_by is None else won_by), termination, text)


def black_score(record: Record) -> int | None:
    """Black's score as a record has it, above zero where Black has won; ``None`` where it gives no disc counts.

    The score of the board is taken where the game ended on it and the result fits.
    """
    return score_on(record, board_result(record)) if _gives_discs(record) else None


def _gives_discs(record: Record) -> bool:
    return _discs(record) is not None and not too_many_discs(record)


def _discs(record: Record) -> tuple[int, int] | None:
    text = record.result
    if not is_result(text) or text == "*" or outcome_of(text)[0]:
        return None
    black, white = map(int, text.split("-"))
    return black, white


def too_many_discs(record: Record) -> bool:
    """Return whether a record's result counts more discs than the board has squares: it is no result then."""
    discs = _discs(record)
    return discs is not None and sum(discs) > record.rules.board.cells


def score_on(record: Record, on_board: Result | None) -> int | None:
    """Black's score, as `black_score` gives it, where `board_result` is known already."""
    if not _gives_discs(record):
        return None
    if on_board is not None and fits(record.result, on_board):
        return on_board.score
    black, white = map(int, record.result.split("-"))
    return white - black if record.rules.misere else black - white


def winner_word(score: float) -> str:
    """Return the result that says who won and no more."""
    return "1/2-1/2" if score == 0 else "1-0" if score > 0 else "0-1"
