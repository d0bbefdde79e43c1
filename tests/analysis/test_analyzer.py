"""Analyzing games: values along lines, agreement with the solver, forced moves, cancelling, all rule sets."""

from __future__ import annotations

import pytest

from random_games import random_game
from reversi import (
    OTHELLO,
    PASS,
    Analysis,
    Cancel,
    Game,
    Judgement,
    Kind,
    Position,
    analyze,
    hint,
    parse_rules,
    solve,
)
from reversi.analysis import AnalyzedTurn
from reversi.analysis.judgement import noise
from reversi.engine.search import Searcher, seen_from
from reversi.errors import IllegalMoveError, InputError
from reversi.records import Line, Node, Record, parse_record
from reversi.score import AnyScore
from reversi.solver.symmetry import Image, twins

LEVEL = 6
EXACT = 12


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyze(random_game("othello", 7), level=LEVEL, exact_from=EXACT)


def agrees(analysis: Analysis) -> None:
    """Exact values along the game and along the best lines agree with each other; the others are of one search."""
    for turn, after in zip(analysis.turns, analysis.turns[1:], strict=False):
        if turn.flips is None and (turn.forced or turn.best_score.kind is Kind.EXACT):
            assert turn.score.value == -after.best_score.value
        if turn.move in turn.best:
            assert turn.score.value == turn.best_score.value
            assert turn.pv == (turn.move, *after.pv)
        if not turn.score.kind is turn.best_score.kind is Kind.EXACT:
            assert turn.after.is_over or claim(turn.score) == claim(turn.best_score)
    for turn in analysis.turns:
        assert turn.loss == turn.best_score.value - turn.score.value >= 0
        assert (turn.loss == 0) == (turn.move in turn.best)
        assert turn.pv[0] in turn.best
        position = turn.position
        for move in turn.pv:
            position = position.play(move)
        if turn.best_score.kind is Kind.EXACT and position.is_over:
            ending = position.count.score if turn.mover.symbol == "X" else -position.count.score
            assert ending == turn.best_score.value


def claim(score: AnyScore) -> tuple[Kind, int, int | None]:
    return score.kind, score.depth, score.confidence


def test_values_along_a_line_agree(analysis: Analysis) -> None:
    assert analysis.complete
    agrees(analysis)


def mirrored(game: Game, index: int) -> Game:
    rules = game.start.rules
    moves = [move.symmetry(index, rules) for move in game.moves]
    again = Game(game.start.symmetry(index))
    again.play_all(moves)
    return again


def judgements(analysis: Analysis) -> list[tuple[object, ...]]:
    return [(turn.score, turn.best_score, len(turn.best), turn.judgement) for turn in analysis.turns]


@pytest.mark.parametrize("rules", ["othello", "othello,board=4x6", "adjacent,board=4x4", "othello,start=parallel"])
def test_mirrored_games_are_judged_alike(rules: str) -> None:
    game = random_game(rules, 7)
    straight = analyze(game, level=4, exact_from=4)
    for index in (1, 2, 3) if rules == "othello,board=4x6" else (1, 4, 6):
        assert judgements(analyze(mirrored(game, index), level=4, exact_from=4)) == judgements(straight)


@pytest.mark.parametrize("level", [1, 6, 8, 10])
def test_moves_that_mirror_each_other_have_one_value(level: int) -> None:
    games = [Game(), Game()]
    games[0].play_all(["c4", "c3", "d3", "c5", "b6"])
    games[1].play_all(["d3", "c3", "c4", "c5", "b6"])
    found = [analyze(game, level=level) for game in games]
    assert judgements(found[0]) == judgements(found[1])
    for analysis in found:
        first = analysis.turns[0]
        assert (first.loss, first.judgement, first.best) == (0, None, tuple(first.position.legal_moves))
    every = analyze(games[0], level=level, all_moves=True)
    assert judgements(every) == judgements(found[0])
    for turn in every.turns:
        firsts = twins(turn.position)
        values = {scored.move: scored.score for scored in turn.moves}
        assert all(values[move] == values[first] for move, first in firsts.items())
        assert {move for move in turn.best if firsts[move] in turn.best} == set(turn.best)


def test_the_move_played_and_its_rivals_are_valued_by_one_search(analysis: Analysis) -> None:
    searched = [turn for turn in analysis.turns if not turn.forced and turn.best_score.kind is not Kind.EXACT]
    assert len(searched) > 20
    searcher = Searcher(1)
    for turn in searched[::6]:
        other = Image.canonical(turn.position)
        searcher.clear()
        found = searcher.search(other.position, depth=turn.best_score.depth, played=other.moves([turn.move])[0])
        values = {scored.move: scored.score.value for scored in seen_from(turn.position, other, found).moves}
        if turn.best_score.depth == LEVEL:  # the first search was enough
            assert (values[turn.move], max(values.values())) == (turn.score.value, turn.best_score.value)


def test_the_last_value_is_the_result(analysis: Analysis) -> None:
    game = random_game("othello", 7)
    assert game.result is not None
    assert analysis.values[-1] == game.result.score
    assert len(analysis.values) == len(game) + 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_exact_losses_are_those_of_the_solver(seed: int) -> None:
    analysis = analyze(random_game("othello", seed), level=LEVEL, exact_from=EXACT)
    exact = [turn for turn in analysis.turns if turn.position.empties <= EXACT]
    assert len(exact) >= EXACT
    for turn in exact:
        moves = solve(turn.position, all_moves=True).moves
        values = {scored.move: scored.score.value for scored in moves}
        best = max(values.values())
        assert turn.score.kind is turn.best_score.kind is Kind.EXACT
        assert (turn.score.value, turn.best_score.value) == (values[turn.move], best)
        assert set(turn.best) == {move for move, value in values.items() if value == best}
        if turn.judgement is Judgement.ONLY_MOVE:
            assert best >= 0
            assert all(
                (value > 0) < (best > 0) or value < 0 for move, value in values.items() if move != turn.move
            )


@pytest.mark.thorough
def test_solving_goes_on_above_the_number_while_it_is_cheap() -> None:
    analysis = analyze(random_game("othello", 7), level=12, exact_from=10)
    assert max(turn.position.empties for turn in analysis.turns if turn.best_score.kind is Kind.EXACT) > 15


def test_forced_moves_and_passes_have_no_judgement() -> None:
    game = Game(Position().play("f5"))
    while not game.is_over:
        game.play(game.position.legal_moves[0])
    analysis = analyze(game, level=LEVEL)
    for turn in analysis.turns:
        if turn.forced:
            assert turn.judgement is None
            assert turn.loss == 0
    assert any(turn.forced for turn in analysis.turns)


def test_passes_keep_the_value() -> None:
    game = next(game for game in (random_game("othello", seed) for seed in range(50)) if PASS in game.moves)
    analysis = analyze(game, level=4, exact_from=8)
    agrees(analysis)
    for turn in analysis.turns:
        if turn.move is PASS:
            assert turn.forced
            assert turn.best == (PASS,)


@pytest.mark.parametrize(
    "rules",
    [
        "adjacent",
        "adjacent,board=6x6",
        "othello,misere",
        "othello,misere,board=6x6",
        "othello,board=4x4",
        "adjacent,optional-skip,board=4x4",
        "othello,optional-skip,board=4x6",
        "othello,start=parallel",
    ],
)
def test_all_rule_sets(rules: str) -> None:
    analysis = analyze(random_game(rules, 3), level=3)
    assert analysis.rules == parse_rules(rules)
    last = analysis.turns[-1]
    assert (last.best_score.kind is Kind.EXACT) == (last.position.empties <= analysis.exact_from)
    agrees(analysis)


@pytest.mark.thorough
@pytest.mark.parametrize("time_s", [None, 0.001])
@pytest.mark.parametrize("exact_from", [0, 1, 2])
@pytest.mark.parametrize(
    "rules",
    [
        "othello,board=4x4",
        "othello,optional-skip,board=4x4",
        "adjacent,board=4x4",
        "adjacent,optional-skip,board=4x4",
        "adjacent,anywhere,optional-skip,no-moves,board=4x4",
        "adjacent,optional-skip,board=4x4,misere,discs-only",
    ],
)
def test_games_that_end_with_a_few_empty_squares(rules: str, exact_from: int, time_s: float | None) -> None:
    for seed in range(4):
        game = random_game(rules, seed)
        for undone in range(3):  # whole, and unfinished with an empty square or two, also after a pass
            analysis = analyze(
                game, level=1 if time_s is None else None, exact_from=exact_from, time_s=time_s, hash_mb=1
            )
            assert len(analysis.turns) == len(game)
            assert analysis.turns[-1].score.kind is Kind.EXACT or undone
            game.undo()


def test_discs_flipped_by_hand_do_not_change_the_value_of_the_move() -> None:
    record = parse_record('[Result "*"]\n\n1. f5 {[%flips]} d6 *\n')
    analysis = analyze(record, level=3)
    first, second = analysis.turns
    assert first.flips == ()
    assert first.after == second.position
    assert second.position.count.discs == "3-2"
    assert first.score.value == analyze(Record(line=Line([Node(first.move)])), level=3).turns[0].score.value


def test_an_unfinished_game_and_another_start() -> None:
    position = Position().play("f5").play("d6")
    game = Game(position)
    game.play_all(["c3", "d3"])
    analysis = analyze(game, level=LEVEL)
    assert analysis.start == position
    assert [turn.ply for turn in analysis.turns] == [1, 2]
    assert all(turn.best_score.kind is Kind.HEURISTIC for turn in analysis.turns)
    agrees(analysis)


def test_values_that_may_be_noise_decide_nothing() -> None:
    opening = Game()
    opening.play_all(["f5", "d6", "c3", "d3", "c4", "f4"])
    assert analyze(opening, level=5).decided is None
    game = random_game("othello", 7)
    analysis = analyze(game, level=LEVEL, exact_from=EXACT)
    assert analysis.decided
    for turn in analysis.turns[analysis.decided :]:
        assert abs(turn.best_score.value) > noise(turn.best_score, turn.best_score)


def test_a_game_without_moves() -> None:
    analysis = analyze(Game(), level=3)
    assert analysis.turns == ()
    assert analysis.complete
    assert analysis.decided is None


def test_a_cancelled_analysis_has_the_last_turns() -> None:
    cancel, seen = Cancel(), []

    def progress(turn: AnalyzedTurn) -> None:
        seen.append(turn.ply)
        if len(seen) == 20:
            cancel.cancel()

    game = random_game("othello", 7)
    analysis = analyze(game, level=LEVEL, exact_from=EXACT, cancel=cancel, progress=progress)
    assert not analysis.complete
    assert analysis.decided is None
    assert seen == list(range(len(game), len(game) - len(seen), -1))
    assert [turn.ply for turn in analysis.turns] == seen[::-1]
    assert analysis.turn(len(game)).ply == len(game)
    with pytest.raises(KeyError):
        analysis.turn(1)
    assert Analysis.from_json(analysis.fields()).values == analysis.values


def test_an_analysis_does_not_depend_on_the_games_before() -> None:
    from reversi.analysis import Analyzer

    analyzer = Analyzer(level=LEVEL, exact_from=EXACT)
    analyzer.analyze(random_game("adjacent", 1))
    analyzer.analyze(random_game("othello", 1))
    again = analyzer.analyze(random_game("othello", 7))
    assert again.fields() == analyze(random_game("othello", 7), level=LEVEL, exact_from=EXACT).fields()


def test_a_time_for_each_search() -> None:
    game = Game()
    game.play_all(["f5", "d6", "c3"])
    analysis = analyze(game, time_s=0.01)
    assert analysis.level is None
    assert analysis.time_s == 0.01
    agrees(analysis)


@pytest.mark.parametrize(
    "options", [{"level": 0}, {"level": 61}, {"time_s": 0}, {"exact_from": -1}, {"threads": 0}]
)
def test_numbers_outside_their_limits(options: dict[str, int]) -> None:
    with pytest.raises(InputError):
        analyze(Game(), **options)  # type: ignore[arg-type]


def test_an_illegal_move_is_named() -> None:
    record = Record(line=Line([Node(move) for move in Game().position.legal_moves[:2]]))
    with pytest.raises(IllegalMoveError, match="ply 2"):
        analyze(record, level=3)


def test_fields_keep_an_analysis(analysis: Analysis) -> None:
    fields = analysis.fields()
    again = Analysis.from_json(fields)
    assert again.fields() == fields
    assert again.rules == OTHELLO
    assert again.sides == analysis.sides
    assert [turn.position for turn in again.turns] == [turn.position for turn in analysis.turns]


def test_hints_agree_with_the_analysis(analysis: Analysis) -> None:
    for turn in analysis.turns[-10:-2]:
        if not turn.forced:
            best = hint(turn.position, 1, exact=True)[0]
            assert best.move in turn.best
            assert best.score.value == turn.best_score.value


def test_an_analysis_shows_its_graph_in_notebooks(analysis: Analysis) -> None:
    picture = analysis._repr_svg_()
    assert picture.startswith("<svg")
    for turn in analysis.mistakes:
        assert turn.judgement is not None
        assert f">{turn.judgement.sign}</text>" in picture


# --- all moves


@pytest.mark.parametrize("rules", ["othello", "othello,board=4x4", "adjacent,optional-skip,board=4x4"])
def test_all_moves_of_each_turn(rules: str) -> None:
    game = random_game(rules, 7)
    found = analyze(game, level=3, exact_from=8, all_moves=True)
    plain = analyze(game, level=3, exact_from=8)
    assert found.all_moves
    assert not plain.all_moves
    for turn, alone in zip(found.turns, plain.turns, strict=True):
        assert alone.moves == ()
        assert (turn.score.value, turn.best_score.value) == (alone.score.value, alone.best_score.value)
        assert {scored.move for scored in turn.moves} == set(turn.position.legal_moves)
        values = [scored.score.value for scored in turn.moves]
        assert values == sorted(values, reverse=True)
        assert values[0] == turn.best_score.value
        known = {scored.move: scored for scored in turn.moves}
        assert known[turn.move].score.value == turn.score.value
        for scored in turn.moves:
            position = turn.position
            assert scored.pv[0] == scored.move
            for move in scored.pv:
                position = position.play(move)
            if turn.position.empties <= 8 and turn.score.kind is Kind.EXACT:
                exact = solve(turn.position, all_moves=True)
                assert {each.move: each.score.value for each in exact.moves} == {
                    each.move: each.score.value for each in turn.moves
                }
    assert Analysis.from_json(found.fields()).turns[5].moves[0].pv == found.turns[5].moves[0].pv
    assert "moves" not in plain.fields()["turns"][0]  # type: ignore[index]
