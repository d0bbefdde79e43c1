"""The result of a game: what statistics need to know about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reversi.arguments import COLORS, check_type
from reversi.color import Color
from reversi.games.aliases import NO_ALIASES, Aliases
from reversi.records.dates import moment_in
from reversi.records.facts import facts_of, known
from reversi.records.record import Record


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a game.

    >>> from reversi import Color
    >>> game = GameResult("Ada", "Bob", "Open", 1997, score=12, winner=Color.BLACK, decided=True)
    >>> game.points(Color.BLACK), game.points(Color.WHITE), game.lead(Color.WHITE)
    (1.0, 0.0, -12)

    Attributes:
        black: who has Black, empty while unknown.
        white: who has White, empty while unknown.
        event: its event, empty while unknown.
        year: when it was played, ``None`` while unknown.
        score: Black's lead in discs, ``None`` without one.
        winner: who won, ``None`` for nobody.
        decided: whether there is a winner or a draw.
        opening: the name of its opening, empty without one.
        plies: turns, up to the first that is not allowed.
        passes: how many of them are passes.
        finished: whether it was played to its end.
        ended_early: whether it stopped before its end, with a result or a reason.
        legal: whether all turns are allowed.
        wipeout: whether one side has no disc at the end of a finished game.
        rules: the rule set, as text.
        squares: the squares of the board.
        round: the round, empty while unknown.
        date: the day, and the time of the day where it is known, as ``2004.05.28 12:33:18``; empty while unknown.
    """

    black: str = ""
    white: str = ""
    event: str = ""
    year: int | None = None
    score: int | None = None
    winner: Color | None = None
    decided: bool = False
    opening: str = ""
    plies: int = 0
    passes: int = 0
    finished: bool = False
    ended_early: bool = False
    legal: bool = True
    wipeout: bool = False
    rules: str = "othello"
    squares: int = 64
    round: str = ""
    date: str = ""

    def player(self, side: Color) -> str:
        """Return who has a side."""
        check_type("side", side, Color, advice=COLORS)
        return self.black if side is Color.BLACK else self.white

    def points(self, side: Color) -> float | None:
        """Return 1 for a win of a side, 0.5 for a draw, 0 for a loss; ``None`` without a result."""
        check_type("side", side, Color, advice=COLORS)
        if not self.decided:
            return None
        return 0.5 if self.winner is None else float(self.winner is side)

    def lead(self, side: Color) -> int | None:
        """Return the lead of a side in discs, ``None`` without one."""
        check_type("side", side, Color, advice=COLORS)
        return self.score if self.score is None or side is Color.BLACK else -self.score

    def discs(self, side: Color) -> float:
        """Return the discs of a side, with the empty squares as they score; half the squares without a score."""
        return (self.squares + (self.lead(side) or 0)) / 2


def result_of(record: Record, aliases: Aliases = NO_ALIASES) -> GameResult:
    """Return the result of a record; players and events have the names that their aliases stand for."""
    facts = facts_of(record)
    end = facts.end
    return GameResult(
        aliases.name_of(facts.black),
        aliases.name_of(facts.white),
        aliases.events.name_of(facts.event),
        facts.year,
        facts.score,
        facts.winner,
        facts.decided,
        facts.opening.opening.name if facts.opening else "",
        facts.plies,
        facts.passes,
        facts.finished,
        facts.ended_early,
        facts.legal,
        facts.finished and not (end.black and end.white),
        str(end.rules),
        end.rules.board.rows * end.rules.board.columns,
        known(record.tags["Round"]),
        moment_in(record.tags["Date"], known(record.tags.get("Time", ""))),
    )


def results_of(records: Iterable[Record], aliases: Aliases = NO_ALIASES) -> Iterator[GameResult]:
    """Yield the results of records.

    >>> from reversi.records import parse_record
    >>> record = parse_record('[Black "Ada"]\\n[Date "1997"]\\n\\n1. f5 d6 2. c3 d3 3. c4 40-24')
    >>> [(game.black, game.year, game.score, game.opening) for game in results_of([record])]
    [('Ada', 1997, 16, 'Tiger')]

    Args:
        records: the games.
        aliases: players and events get the names that their aliases stand for.
    """
    check_type("aliases", aliases, Aliases)
    return (result_of(record, aliases) for record in records)
