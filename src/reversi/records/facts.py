"""What a recorded game was, at a glance: who, when, how it ended, how long it took, what its opening is called.

Statistics, selections and the game library ask the same questions of a record; they are answered here, once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import reversi._regex as re
from reversi._core import PASS, Position
from reversi.color import Color
from reversi.game.ply import Termination
from reversi.openings.names import Named, opening_of_numbers, opening_of_positions
from reversi.records.dates import year_in
from reversi.records.outcome import Outcome
from reversi.records.record import Record
from reversi.records.replay import legal_positions, play_line

THEORETICAL_EMPTIES: Final = 22
"""Where a theoretical score of WTHOR belongs that does not say it."""

_COUNT: Final = re.compile("[0-9]+")
_START: Final = Position()


@dataclass(frozen=True, slots=True)
class GameFacts:
    """What a record says, and what its moves make of it.

    Attributes:
        black: who has Black, empty while unknown.
        white: who has White, empty while unknown.
        event: what the game was part of, empty while unknown.
        year: when it was played, ``None`` while unknown.
        plies: turns, up to the first that is not allowed.
        passes: how many of them are passes.
        end: the position after them.
        legal: whether all turns are allowed.
        score: Black's lead in discs: the board's, with the empty squares as the rules give them, where the game
            ended on it; else the recorded one, ``None`` when none is recorded in discs.
        winner: who won, ``None`` for nobody.
        decided: whether there is a result at all: on the board, or recorded.
        opening: the name of the opening, ``None`` when it has none.
        ended_early: whether all turns are allowed and the game stopped before its end, with a result or a reason.
    """

    black: str
    white: str
    event: str
    year: int | None
    plies: int
    passes: int
    end: Position
    legal: bool
    score: int | None
    winner: Color | None
    decided: bool
    opening: Named | None
    ended_early: bool

    @property
    def finished(self) -> bool:
        """Whether the game was played to its end."""
        return self.legal and self.end.is_over

    @property
    def drawn(self) -> bool:
        """Whether the game was a draw."""
        return self.decided and self.winner is None


class Theory(NamedTuple):
    """What best play gives from a position of a game on, as WTHOR says it.

    Attributes:
        score: Black's lead at the end.
        empties: the empty squares of that position.
    """

    score: int
    empties: int


def theory_of(tags: Mapping[str, str]) -> Theory | None:
    """Return the theoretical score of a game, from its tags `WthorTheoretical` and `WthorDepth`."""
    discs, empties = tags.get("WthorTheoretical", ""), tags.get("WthorDepth", "")
    if not _COUNT.fullmatch(discs) or int(discs) > 64:
        return None
    return Theory(2 * int(discs) - 64, (int(empties) if _COUNT.fullmatch(empties) else 0) or THEORETICAL_EMPTIES)


def winner_by(lead: int) -> Color | None:
    """Return who wins by a lead of Black."""
    return Color.BLACK if lead > 0 else Color.WHITE if lead else None


def known(text: str) -> str:
    """Return the value of a tag, empty when it says that nothing is known."""
    text = text.strip()
    return "" if not text.strip("?.-") else text


def year_of(record: Record) -> int | None:
    """Return the year in which a game was played, from its Date tag; ``None`` while unknown."""
    return year_in(record.tags["Date"])


def facts_of(record: Record) -> GameFacts:
    """Return the facts of a record, from its tags and its replay. An illegal move ends only the replay."""
    moves, end, legal = play_line(record.line, record.start)
    outcome, on_board = Outcome.of(record), end.result if legal else None
    by_board = on_board is not None and not outcome.names_winner
    return GameFacts(
        black=known(record.black),
        white=known(record.white),
        event=known(record.tags["Event"]),
        year=year_of(record),
        plies=len(moves),
        passes=moves.count(PASS.index),
        end=end,
        legal=legal,
        score=outcome.lead_on(on_board),
        winner=on_board.winner if by_board and on_board is not None else outcome.winner,
        decided=by_board or outcome.is_decided,
        opening=_opening(record, moves),
        ended_early=legal and not end.is_over and says_end(record),
    )


def says_end(record: Record) -> bool:
    """Return whether a record says how its game ended: by its result, or by resignation, time or the like."""
    return Outcome.of(record).is_decided or Termination.declared(record.tags.get("Termination", "")) is not None


def opening_of(record: Record, plies: int | None = None) -> Named | None:
    """Return the name of a record's opening: that of the last of its positions that has one.

    Args:
        record: the game. An illegal move ends the search; discs flipped by hand count.
        plies: the number of turns to look at, all when not given.
    """
    return _opening(record, play_line(record.line, record.start).moves[:plies])


def _opening(record: Record, moves: bytes) -> Named | None:
    """Return the name of the opening of a record's first turns, which are allowed."""
    if record.line.lists_flips or record.start != _START:
        return opening_of_positions(legal_positions(record.line.nodes[: len(moves)], record.start))
    return opening_of_numbers(moves)
