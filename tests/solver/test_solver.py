"""The solver's questions: exact values, windows, who wins, best moves, limits; and that threads change nothing."""

from __future__ import annotations

import os
import random
import threading
import time
from pathlib import Path
from typing import cast

import pytest

import fuzz_threads
from command_line import run_python
from endings import random_ending
from patience import SOON_S
from reversi import ADJACENT, OTHELLO, Color, Kind, Position, Square, parse_rules
from reversi._core import EXACT_LEVEL, USABLE_ISAS, Table, Task, Weights, evaluation_layout
from reversi.evaluation.weights import default_weights
from reversi.inputs.input import positions_in
from reversi.solver.question import Question
from reversi.solver.search import Search, settle
from reversi.solver.solver import SolveInterrupted, Solver, solve
from reversi.text.boards import parse_board
from reversi.text.obf import parse_obf
from reversi.work.cancel import Cancel

SUITES = Path(__file__).parents[3] / "shared" / "data" / "suites"
WTHOR = SUITES.parent / "wthor"
HARD = parse_obf("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X").position  # 20 empty squares


def reached(empties: int, seed: int, rules=OTHELLO) -> Position:
    """A position with so many empty squares, by random moves."""
    choose = random.Random(seed)
    while True:
        position = Position(rules)
        while position.empties > empties and not position.is_over:
            position = position.play(choose.choice(position.legal_moves))
        if position.empties == empties and not position.is_over:
            return position


def suite(name: str):
    path = SUITES / name
    if not path.exists():
        pytest.skip(f"no problem suite beside the repository (../shared/data/suites/{name})")
    return list(positions_in(path.read_text()))


def black_score(position: Position, value: int) -> int:
    return value if position.to_move is Color.BLACK else -value


def check_line(solution) -> None:
    position = solution.position
    for move in solution.pv:
        position = position.play(move)
    assert position.is_over
    assert position.result is not None
    assert position.result.score == black_score(solution.position, solution.score.value)


@pytest.mark.parametrize("seed", range(6))
def test_windows_and_who_wins_agree_with_the_exact_value(seed):
    position = reached(14, seed)
    exact = solve(position)
    check_line(exact)
    value = exact.score.value
    wld = solve(position, wld=True).score
    assert wld.kind is Kind.WLD
    assert (wld.value > 0) - (wld.value < 0) == (value > 0) - (value < 0)
    assert wld.lower <= value <= wld.upper
    inside = solve(position, window=(value - 2, value + 2)).score
    assert (inside.kind, inside.value) == (Kind.EXACT, value)
    if value < 60:
        above = solve(position, window=(value + 2, value + 4)).score
        assert above.kind is Kind.UPPER
        assert value <= above.upper < value + 2
    if value > -60:
        below = solve(position, window=(value - 4, value - 2)).score
        assert below.kind is Kind.LOWER
        assert value >= below.lower > value - 2


@pytest.mark.parametrize("rules", ["othello", "adjacent,optional-skip,board=4x4", "othello,misere,board=6x6"])
def test_best_moves_are_the_best_of_all_moves(rules):
    rules = parse_rules(rules)
    position = reached(12 if rules.board.cells > 16 else 9, 3, rules)
    every = solve(position, all_moves=True)
    assert {scored.move for scored in every.moves} == set(position.legal_moves)
    assert every.best == tuple(m.move for m in every.moves if m.score.value == every.score.value)
    for scored in every.moves:
        after = position.play(scored.move)
        assert solve(after).score.value == -scored.score.value
    for count in (1, 2, 3, 100):
        some = solve(position, multi=count)
        assert len(some.moves) == min(count, len(position.legal_moves))
        assert [m.score.value for m in some.moves] == [m.score.value for m in every.moves][:count]


def test_moves_alike_by_symmetry_are_all_given():
    start = Position(parse_rules("othello,board=4x4"))
    every = solve(start, all_moves=True)
    assert [str(scored.move) for scored in every.moves] == ["b1", "a2", "d3", "c4"]
    assert {scored.score.value for scored in every.moves} == {-10}
    assert [str(move) for move in every.best] == ["b1", "a2", "d3", "c4"]
    for count in (1, 2, 3):
        assert len(solve(start, multi=count).moves) == count
    for scored in every.moves:
        position = start
        for move in scored.pv:
            position = position.play(move)
        assert position.result is not None
        assert position.result.score == -10


def test_of_moves_alike_by_symmetry_the_best_come_first():
    position = parse_board("OXXX-OX--XO-XXXO X", parse_rules("othello,board=4x4"))
    every = [scored.score.value for scored in solve(position, all_moves=True).moves]
    for count in range(1, 5):
        assert [scored.score.value for scored in solve(position, multi=count).moves] == every[:count]


@pytest.mark.parametrize("rules", ["othello", "othello,board=6x6", "othello,optional-skip,board=4x4"])
@pytest.mark.parametrize("window", [(66, 70), (-80, -70), (40, 64), (20, 30), (-64, -20), (64, 64), (-64, 64)])
def test_windows_beyond_all_scores_do_no_harm(rules, window):
    rules = parse_rules(rules)
    position = reached(9 if rules.optional_skip else 16, 4, rules)
    value = solve(position).score.value
    solver = Solver(16)
    asked = solver.solve(position, window=window).score
    assert asked.lower <= value <= asked.upper
    assert solver.solve(position).score.value == value


def test_more_placements_than_any_game_reaches():
    # a set-up position whose search meets one with 35 placements
    position = parse_board("---------O-XOOO--OX-XXO--OX-OX---O---XO--XXO-XX--OOXXOO--------- O")
    assert -64 <= solve(position, time_s=1.5).score.value <= 64


def test_a_core_search_needs_a_window():
    task = Task(Table(1))
    for call in (task.value, lambda p, a, b: task.root(p, p.legal_moves, a, b)):
        with pytest.raises(ValueError, match="alpha must be below beta"):
            call(HARD, 2, 2)
    for level in (-1, EXACT_LEVEL + 1):
        with pytest.raises(ValueError, match="level must be 0 to"):
            task.value(HARD, 0, 1, 64, level)


def test_questions_that_exclude_each_other_are_refused():
    with pytest.raises(ValueError, match="ask one"):
        solve(HARD, wld=True, all_moves=True)
    with pytest.raises(ValueError, match="lower score first"):
        solve(HARD, window=(4, 2))
    with pytest.raises(ValueError, match="whole number"):
        solve(HARD, multi=0)
    with pytest.raises(ValueError, match="whole number"):
        Solver(16, threads=0)


def test_the_evaluation_changes_the_time_and_not_the_answer():
    for seed in range(4):
        position = reached(16, seed)
        with_it, without = Solver(32).solve(position), Solver(32, evaluation=False).solve(position)
        assert with_it.score.value == without.score.value
        assert with_it.score.kind is without.score.kind is Kind.EXACT


def test_weights_of_ones_own_change_the_nodes_and_not_the_answer():
    stages, classes, _, _ = evaluation_layout()
    noise = Weights.from_classes(random.Random(3).randbytes(2 * stages * classes))
    position = reached(17, 1)
    own, same, usual, without = (
        Solver(32, evaluation=chosen).solve(position).score for chosen in (noise, default_weights(), True, False)
    )
    assert own.value == same.value == usual.value == without.value
    assert own.kind is same.kind is usual.kind is without.kind is Kind.EXACT
    assert same.nodes == usual.nodes
    assert len({own.nodes, usual.nodes, without.nodes}) == 3
    assert solve(position, evaluation=noise).score.nodes == own.nodes


def test_one_thread_and_a_fresh_table_repeat_themselves():
    first, second = solve(HARD), solve(HARD)
    assert (first.score.value, first.best, first.pv) == (second.score.value, second.best, second.pv)
    assert first.score.nodes == second.score.nodes
    assert first.score.value == 38


@pytest.mark.parametrize(
    "name", ["othello", "othello,board=6x6", "othello,misere", "adjacent", "adjacent,optional-skip"]
)
def test_a_full_board_is_not_a_node(name):
    rules = parse_rules(name)
    for seed in range(5):
        assert solve(reached(1, seed, rules)).score.nodes == 0
        # with two empty squares: the root's moves, each searched or tried along the line at most three times
        assert 1 <= solve(reached(2, seed, rules)).score.nodes <= 6


def test_threads_give_the_same_scores_from_one_table():
    positions = [reached(16 + seed % 3, seed) for seed in range(12)]
    values: dict[int, int] = {}
    for threads in (1, 2, 4, 1, 2, 4):
        solver = Solver(32, threads)
        for number, position in enumerate(positions):
            solution = solver.solve(position)
            assert solution.score.kind is Kind.EXACT
            check_line(solution)
            assert values.setdefault(number, solution.score.value) == solution.score.value


def test_random_positions_and_any_number_of_threads():
    _, differing = fuzz_threads.run(25, 2, [1, 2, 4])
    assert not differing, differing


@pytest.mark.parametrize(
    ("wanted", "cpus", "working"), [(1, 8, 1), (2, 1, 2), (8, 1, 2), (8, 2, 2), (8, 6, 6), (4, 8, 4)]
)
def test_no_more_threads_search_than_the_process_has_cpus(monkeypatch, wanted, cpus, working):
    monkeypatch.setattr("reversi.solver.solver.usable_cpus", lambda: cpus)
    numbers = []

    def task(table, weights, threads, nodes):
        numbers.append(threads)
        return Task(table, weights, threads)

    monkeypatch.setattr("reversi.solver.solver.Task", task)
    Solver(1, wanted).solve(random_ending(16, 1, OTHELLO))
    assert numbers == [working]


def test_hard_positions_are_shared_between_threads():
    solver = Solver(64, threads=4)
    assert solver.solve(HARD).score.value == 38
    assert solver.splits > 0


@pytest.mark.parametrize(
    "rules", ["adjacent", "adjacent,optional-skip", "othello,board=6x6", "othello,optional-skip"]
)
def test_threads_help_under_other_rules(rules):
    rules = parse_rules(rules)
    position = reached(16 if rules.mandatory_capture and not rules.optional_skip else 15, 5, rules)
    bound = (0, 0)  # a narrow question keeps it short
    alone, together = Solver(64).solve(position, window=bound), Solver(64, threads=3).solve(position, window=bound)
    for score in (alone.score, together.score):
        assert score.lower > 0 or score.upper < 0 or score.lower == score.upper == 0
    assert (alone.score.lower > 0) == (together.score.lower > 0)
    assert (alone.score.upper < 0) == (together.score.upper < 0)


def test_several_python_threads_share_a_solver():
    positions = [reached(14, seed, OTHELLO if seed % 3 else parse_rules("othello,misere")) for seed in range(9)]
    expected = [solve(position).score.value for position in positions]
    solver, found = Solver(32), {}

    def work(number: int) -> None:
        found[number] = solver.solve(positions[number]).score.value

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(positions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(len(positions))] == expected


def test_answers_under_other_rules_do_not_meet_in_the_table():
    solver = Solver(32)
    for rules in ("othello", "othello,misere", "othello,discs-only", "adjacent", "othello", "othello,misere"):
        position = HARD.with_rules(parse_rules(rules))
        while position.empties > 9:
            position = position.play(position.legal_moves[0])
        assert solver.solve(position).score.value == solve(position).score.value


@pytest.mark.parametrize("rules", [OTHELLO, ADJACENT, parse_rules("othello,board=6x6")], ids=str)
def test_what_is_stopped_at_once_names_a_legal_move(rules):
    cancel = Cancel()
    cancel.cancel()
    position = Position(rules)
    for stopped in (
        Solver(1).solve(position, cancel=cancel),
        Solver(1).solve(position, time_s=1e-9),
        Solver(1).solve(position, time_s=1e-9, wld=True),
        Solver(1).solve(position, time_s=1e-9, window=(-1, 1)),
        Solver(1).solve(position, time_s=1e-9, all_moves=True),
    ):
        assert stopped.best == ()
        assert stopped.likely in position.legal_moves


def test_a_limit_gives_bounds_in_time():
    start = Position()
    for threads in (1, 3):
        began = time.perf_counter()
        score = Solver(64, threads).solve(start, time_s=0.3).score
        assert time.perf_counter() - began < SOON_S
        assert score.kind in (Kind.LOWER, Kind.UPPER, Kind.SELECTIVE, Kind.HEURISTIC)
        assert score.lower < score.upper


@pytest.mark.parametrize("rules", ["othello", "othello,board=6x6", "adjacent", "othello,optional-skip"])
def test_a_limit_in_nodes_is_exact(rules):
    position = random_ending(11, 3, parse_rules(rules))
    whole = solve(position)
    assert solve(position, nodes=whole.score.nodes).score.value == whole.score.value
    for part in (1, 7, whole.score.nodes // 10 + 1, whole.score.nodes // 2 + 1):
        found = solve(position, nodes=part, all_moves=True)
        assert found.score.nodes == part
        assert found.score.lower <= whole.score.value <= found.score.upper
        for _ in range(9):
            again = solve(position, nodes=part, all_moves=True)
            assert (str(again), again.pv, again.score.nodes) == (str(found), found.pv, part)


LOW = parse_obf("XXXX-O----XXO-OXXXXOOOXXOXOOOXXX-OXOOXOO-OOOOXOX--XXXOOX---X-XOX X").position


def test_the_best_move_is_proved_or_not_named():
    every = {scored.move: scored.score.value for scored in solve(LOW, all_moves=True).moves}
    top = max(every.values())
    for window in ((-3, 20), (0, 5), (-64, -40), (-20, 10), (-4, -4), (-6, -5)):
        solution = solve(LOW, window=window)
        assert all(every[move] >= solution.score.lower for move in solution.best)
        if solution.score.kind is Kind.UPPER:
            assert (solution.best, solution.pv) == ((), ())
            assert solution.likely in every
        else:
            assert solution.best
            assert solution.likely is None
            assert every[solution.best[0]] == top or solution.score.kind is Kind.LOWER
    for seed in range(4):
        stopped = Solver(1).solve(reached(30, seed), time_s=0.05)
        assert stopped.score.lower > -64 or stopped.best == ()
        assert stopped.best or stopped.likely is None or stopped.likely in stopped.position.legal_moves
    over = solve(Position.from_discs(1, 2, rules=OTHELLO).play("c1"))
    assert (over.best, over.likely) == ((), None)


def test_a_selective_search_proves_nothing_in_the_table():
    table = Table(64)
    weights = default_weights()
    for seed in range(6):
        position = reached(17, seed)
        task = Task(table, weights)
        moves = task.ordered_moves(position)
        for level in range(6):
            task.root(position, moves, -65, 65, 64, level)
        task.begin(position)
        exact = task.root(position, moves, -65, 65, whole=True)
        assert exact == solve(position).score.value
        assert task.lower == task.upper == exact


def test_some_of_the_moves_prove_nothing_of_the_position():
    task = Task(Table(1))
    for seed in range(6):
        position = reached(9, seed)
        task.begin(position)
        for move in position.legal_moves:
            assert task.root(position, [move], -65, 65) is not None
            assert (task.lower, task.upper, task.proof) == (-64, 64, None)


def test_interruption_carries_what_was_found():
    solution = solve(reached(8, 1))
    assert SolveInterrupted(solution).solution is solution
    assert isinstance(SolveInterrupted(solution), KeyboardInterrupt)


@pytest.mark.parametrize("value", range(-8, 9, 2))
@pytest.mark.parametrize("guess", range(-8, 9, 2))
def test_narrow_windows_find_any_value_from_any_guess(value: int, guess: int) -> None:
    asked: list[tuple[int, int]] = []

    def ask(alpha: int, beta: int) -> int:
        assert alpha < beta
        asked.append((alpha, beta))
        return value

    assert settle(ask, guess, -65, 65) == value
    assert len(asked) <= 6


def test_guesses_on_large_boards_stay_shallow():
    class Noted:
        """A task that notes how deep it is asked to search."""

        nodes, lower, upper, best, proof, depths = 0, -48, 48, None, None, []

        def ordered_moves(self, position):
            return list(position.legal_moves)

        def begin(self, position):
            pass

        def root(self, position, moves, alpha, beta, depth, level, whole):
            self.depths.append(depth)
            return 0

    start = Position(parse_rules("othello,board=6x8"))
    assert Search(start, cast(Task, Noted()), Question(), False, 0.0).guess() == 0
    assert Noted.depths == list(range(2, 22, 2))


def test_the_easy_endgame_suite():
    for entry in suite("fforum-1-19.obf"):
        solution = solve(entry.position, all_moves=True)
        assert {m.move: m.score.value for m in solution.moves} == dict(entry.annotated), entry.index


LEVELS_SCRIPT = """
import sys
from pathlib import Path
from typing import cast
from reversi._core import ISA
from reversi.solver.solver import Solver
from reversi.inputs.input import positions_in
print(ISA)
for name in sys.argv[2:]:
    for entry in list(positions_in(Path(name).read_text()))[:int(sys.argv[1])]:
        solution = Solver(64).solve(entry.position)
        print(entry.index, solution.score.value, solution.score.nodes, *solution.pv)
"""


def answers_of(isa: str, name: str, count: int) -> list[str]:
    done = run_python(
        "-c", LEVELS_SCRIPT, str(count), str(SUITES / name), env=os.environ | {"REVERSI_ISA": isa}, check=True
    )
    lines = done.stdout.splitlines()
    assert lines[0] == isa
    return lines[1:]


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("fforum-1-19.obf", 19),
        pytest.param("fforum-20-39.obf", 20, marks=pytest.mark.slow),
        pytest.param("fforum-40-59.obf", 1, marks=pytest.mark.slow),
    ],
)
def test_every_level_gives_the_same_answers_and_node_counts(name, count):
    suite(name)
    expected = answers_of("portable", name, count)
    assert len(expected) == count
    for isa in USABLE_ISAS:
        assert answers_of(isa, name, count) == expected


# What the suite gets wrong: (problem, move): the value that plain alpha-beta without a table finds too.
WRONG_IN_SUITE = {(12, Square("g1")): -32}  # it says -30


@pytest.mark.slow
def test_the_middle_endgame_suite():
    for entry in suite("fforum-20-39.obf"):
        solution = solve(entry.position, all_moves=True, hash_mb=256)
        expected = {move: WRONG_IN_SUITE.get((entry.index, move), score) for move, score in entry.annotated}
        assert {m.move: m.score.value for m in solution.moves} == expected, entry.index


@pytest.mark.slow
def test_the_hard_endgame_suite():
    for entry in suite("fforum-40-59.obf")[:10]:
        solution = solve(entry.position, hash_mb=512, threads=2)
        assert solution.score.value == entry.best, entry.index
        check_line(solution)


def archive_positions(per_year: int, years: range):
    """Positions with 24 empty squares of real games, and the archive's value for them from the mover's view.

    The record layout is that of the WTHOR format: a header of 16 bytes, then 68 to a game: byte 7 is Black's score
    with perfect play from there on, the moves follow from byte 8 as column + 10 * row, passes left out.
    """
    files = [WTHOR / f"WTH_{year}.wtb" for year in years]
    if not all(file.exists() for file in files):
        pytest.skip("no WTHOR files beside the repository (../shared/data/wthor)")
    for file in files:
        data = file.read_bytes()
        games = [data[at : at + 68] for at in range(16, len(data), 68)]
        found = 0
        for game in games[:: max(1, len(games) // 40)]:
            position = Position()
            for code in game[8:]:
                if position.empties == 24 or not code:
                    break
                if not position.legal_moves.placements:
                    position = position.play("--")
                position = position.play("abcdefgh"[code % 10 - 1] + str(code // 10))
            if position.empties == 24 and not position.is_over and found < per_year:
                found += 1
                yield file.stem, position, black_score(position, 2 * game[7] - 64)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_archives_values_at_24_empty_squares():
    solver = Solver(512, threads=2)
    checked = 0
    for name, position, value in archive_positions(10, range(1980, 2010)):
        assert solver.solve(position).score.value == value, (name, repr(position))
        checked += 1
    assert checked == 300


@pytest.mark.parametrize("empties", [9, 12, 17])
@pytest.mark.parametrize("rules", ["othello", "othello,board=6x6,misere", "adjacent,board=4x6,optional-skip"])
def test_a_move_that_reaches_a_value(rules: str, empties: int) -> None:
    empties -= 6 * ("adjacent" in rules)
    position, solver = random_ending(empties, 5, parse_rules(rules)), Solver(1)
    value = solver.solve(position).score.value
    move = solver.reaching(position, value)
    assert move is not None
    assert -solver.solve(position.play(move)).score.value == value
    assert solver.reaching(position, value + 1) is None
    assert solver.reaching(position, -position.rules.board.cells) is not None
    cancel = Cancel()
    cancel.cancel()
    assert solver.reaching(position, value, cancel=cancel) is None
