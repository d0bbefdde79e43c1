"""Analyses of tournament games: they agree with the solver, and planted mistakes are found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reversi import Game, Judgement, Kind, Random, Solver
from reversi.analysis import Analyzer
from reversi.analysis.judgement import judged
from reversi.records import Line, Node, Record
from reversi.records.replay import positions
from reversi.records.sources.opening import open_source
from wthor_samples import SHARED

GAMES = SHARED / "WTH_2009.wtb"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not GAMES.exists(), reason=f"needs {GAMES}"),
]


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """Thirty games of 2009."""
    with open_source(str(GAMES)) as source:
        found = [entry.record for entry in source.entries() if len(entry.record.moves) > 58]
    random = Random(3)
    return [found[random.below(len(found))] for _ in range(30)]


def test_ten_games_agree_with_the_solver_on_every_move(records: list[Record]) -> None:
    analyzer, solver = Analyzer(level=10, exact_from=18), Solver(64)
    turns = 0
    for record in records[:10]:
        analysis = analyzer.analyze(record)
        for turn, after in zip(analysis.turns, analysis.turns[1:], strict=False):
            assert turn.score.value == -after.best_score.value
        for turn in analysis.turns:
            if turn.best_score.kind is not Kind.EXACT or turn.position.empties > 18:
                assert turn.position.empties > 18
                continue
            moves = solver.solve(turn.position, all_moves=True).moves
            values = {scored.move: scored.score.value for scored in moves}
            best = max(values.values())
            assert (turn.score.value, turn.best_score.value, turn.loss) == (
                values[turn.move],
                best,
                best - values[turn.move],
            )
            assert set(turn.best) == {move for move, value in values.items() if value == best}
            turns += 1
    assert turns > 150


def test_twenty_planted_mistakes_and_their_twins(records: list[Record]) -> None:
    """A worse move in place of the one played gets its loss and sign; the best move in its place gets none."""
    analyzer, solver = Analyzer(level=8, exact_from=14), Solver(16)
    signs: dict[str, int] = {}
    for number, record in enumerate(records[:20]):
        boards = list(positions(record))
        places = [
            ply
            for ply, board in enumerate(boards[:-1])
            if 8 <= board.empties <= 14 and board.legal_moves.placements and len(board.legal_moves) > 3
        ]
        ply = places[number % len(places)]
        moves = solver.solve(boards[ply], all_moves=True).moves
        losses = [(moves[0].score.value - scored.score.value, scored) for scored in moves]
        limits = ((3, 5), (6, 11), (12, 64), (1, 64))[number % 4]  # of the sizes of mistakes, as far as there are
        wanted = next((scored for loss, scored in losses if limits[0] <= loss <= limits[1]), moves[-1])
        for scored in (wanted, moves[0]):
            played = analyzer.analyze(ended(record, ply, Node(scored.move)))
            turn = played.turn(ply + 1)
            loss = moves[0].score.value - scored.score.value
            assert turn.loss == loss
            assert turn.best_score.value == moves[0].score.value
            if loss:
                found = judged(loss, scored.score, moves[0].score)
                assert turn.judgement is found
                assert turn in played.mistakes or found is None
                signs[found.sign if found else ""] = signs.get(found.sign if found else "", 0) + 1
            else:
                assert turn.judgement in (None, Judgement.ONLY_MOVE, Judgement.SURPRISING)
    assert {"?!", "?", "??"} <= set(signs)


def ended(record: Record, plies: int, node: Node) -> Record:
    """A game up to a ply, with another move there, and a random end."""
    game = Game(record.start)
    game.play_all([*record.moves[:plies], node.move])
    random = Random(plies)
    while not game.is_over:
        game.play(game.position.legal_moves.choice(random))
    line = Line([Node(move) for move in game.moves])
    return replace(record, line=line, result="*")
