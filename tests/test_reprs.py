"""What answers look like at a prompt: one short line, without an address."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from random_games import random_game
from reversi import Cancel, Position, Random, Session, analyze, open_records, solve
from reversi.analysis import LossSummary
from reversi.analysis.exercises import from_game
from reversi.engine.search import Searcher
from reversi.games import Aliases, Games, Statistics, results_of
from reversi.match import Match, MatchSettings, balanced_openings, parse_contestants
from reversi.match.standings import Standings
from reversi.protocols import GtpServer, JsonService, NBoardServer, Thinker, XBoardServer
from reversi.records.from_game import record_from_game
from reversi.session import SessionFolder
from reversi.solver import Batch

END = Position.parse("OOOOOOO-OOOOO-OXOOOOOOOXOOOXXXOXOOOXXXOXOOXOOXXXOXOOOXXXXXXXXXXX X")


def statistics() -> Statistics:
    found = Statistics()
    for result in results_of(open_records("examples/games.pgn")):
        found.add(result)
    return found


ANSWERS: dict[str, Callable[[], object]] = {
    "<Analysis othello: 60 turns, level 1>": lambda: analyze(random_game("othello", 7), level=1),
    "<AnalyzedTurn 9 ": lambda: analyze(random_game("othello,board=4x4", 7), level=1).turns[8],
    "<LossSummary of 0 players, 0 games>": LossSummary,
    "<Record othello: ? – ?, 60 plies, ": lambda: record_from_game(random_game("othello", 7)),
    "<Line of 60 plies: ": lambda: record_from_game(random_game("othello", 7)).line,
    "<Solution +0 exact, best h1>": lambda: solve(END, all_moves=True),
    "<Estimate ": lambda: Searcher(1).search(Position(), depth=2, count=2),
    "<Searcher hash_mb=1 threads=1>": lambda: Searcher(1),
    "<Standings of 2 players, 0 games>": lambda: Standings(["1", "2"], [(0, 1)], []),
    "<Games examples/games.pgn>": lambda: Games("examples/games.pgn"),
    "<Aliases of 1 name>": lambda: Aliases([("Ada L.", "Ada")]),
    "<Session othello: human – human, ply 0, paused>": Session,
    "<Cancel, not cancelled>": Cancel,
    "Random(7)": lambda: Random(7),
    "<Match of level 1, level 2: 0 of 2 games>": lambda: Match(
        parse_contestants(["1", "2"]), balanced_openings(), MatchSettings(games=2)
    ),
    "<GtpServer othello, ply 0>": lambda: GtpServer(Thinker(), say=str),
    "<NBoardServer othello, ply 0>": lambda: NBoardServer(Thinker(), say=str),
    "<JsonService othello, 0 open>": lambda: JsonService(say=str),
    "<XBoardServer othello, ply 0>": lambda: XBoardServer(Thinker(), say=str),
    "Thinker(EngineSettings(level=None": Thinker,
    "SessionFolder(": lambda: SessionFolder("games"),
    "<Batch 0 answered, threads=2>": lambda: Batch([(1, END)], threads=2),
    "Statistics(all=Tally(": statistics,
    "Exercise(position=<Position ": lambda: from_game(
        record_from_game(random_game("othello", 7)), empties=range(6, 12)
    )[0],
}


@pytest.mark.parametrize("begin", ANSWERS)
def test_answers_print_as_one_short_line(begin: str) -> None:
    text = repr(ANSWERS[begin]())
    assert text.startswith(begin)
    assert len(text) <= 500
    assert "\n" not in text
    assert " at 0x" not in text
