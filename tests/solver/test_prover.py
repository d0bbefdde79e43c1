"""Positions proved piece by piece: the values of the solver, whatever stops it and whatever searches expect."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from endings import SMALL_BOARDS, random_ending
from reversi import Cancel, Position, parse_rules
from reversi.errors import BusyError, InputError
from reversi.inputs.input import positions_in
from reversi.solver import ProofStopped, Question, Solver, check_certificate, prove, solve
from reversi.solver.proofs import ProofStore, Proved, Prover, StoreError, collect, store as store_module
from reversi.solver.proofs.jobs import JobKind, ProofFound, ProofWork
from reversi.solver.proofs.prover import _Sorting, default_frontier
from reversi.solver.proofs.store import StoreWriteError
from reversi.solver.proofs.tree import Node, Tree
from reversi.work.jobs import Job, Work
from reversi.work.threads import Threads
from reversi.work.workers import Workers

ENDING = random_ending(15, 2)
SUITE = Path(__file__).parents[3] / "shared" / "data" / "suites" / "fforum-40-59.obf"


def test_settled_goals_are_answered_as_they_come() -> None:
    """A goal that is settled when it begins waits for nothing: no other goal begins before its answer."""
    begun = []

    def goals(position: Position) -> Iterator[tuple[int, Position, Question]]:
        for number in range(1000):
            begun.append(number)
            yield number, position, Question()

    solver, cancel = Solver(1, 2), Cancel()
    with Prover(solver, cancel=cancel) as prover:
        answers = prover.prove_all(goals(Position.parse("X" * 62 + "-- X")))
        for number in range(5):
            key, proved = next(answers)
            assert (key, proved.lower, proved.upper) == (number, 64, 64)
            assert begun == list(range(number + 1))
        cancel.cancel()
        with pytest.raises(ProofStopped):
            next(answers)


def test_cancel_stops_the_searches_that_sort_moves() -> None:
    solver, cancel = Solver(1, 1), Cancel()
    cancel.cancel()
    sorting = _Sorting(solver, cancel)
    for search in (sorting.likely, sorting.aim):
        with pytest.raises(ProofStopped):
            search(ENDING)
    sorting.close()


class Killed(BaseException):
    """The process ends, as far as the prover can see."""


class Noting(Threads[Any, ProofFound]):
    """A thread; it notes what it is asked."""

    def __init__(self) -> None:
        super().__init__(1)
        self.sent: list[ProofWork] = []

    def send(self, key: Any, work: Work[ProofFound], cost: float = 0.0) -> Job[Any, ProofFound]:
        assert isinstance(work, ProofWork)
        self.sent.append(work)
        return super().send(key, work, cost)


class Liars(Threads[Any, ProofFound]):
    """Their selective searches expect the contrary of the truth."""

    def next(self, timeout_s: float) -> Job[Any, ProofFound] | None:
        job = super().next(timeout_s)
        found = None if job is None else job.result()
        if job is None or found is None or found.value is None:
            return job
        assert isinstance(job.work, ProofWork)
        if job.work.kind is JobKind.LOOK:
            bound = job.work.question.at_least or 0
            job.end(replace(found, value=bound - 1 if found.value >= bound else bound))
        return job


class Mortal(Threads[Any, ProofFound]):
    """The process is killed when a number of results has come."""

    def __init__(self, results: int) -> None:
        super().__init__(1)
        self._left = results

    def next(self, timeout_s: float) -> Job[Any, ProofFound] | None:
        job = super().next(timeout_s)
        if job is not None:
            self._left -= 1
            if self._left < 0:
                raise Killed
        return job


class Lazy(Workers[Any, ProofFound]):
    """Eight workers that begin the newest job first, and only when somebody waits."""

    def __init__(self) -> None:
        super().__init__(8)
        self.done: list[Job[Any, ProofFound]] = []
        self.withdrawn: list[Job[Any, ProofFound]] = []

    def withdraw(self, jobs: Iterable[Job[Any, ProofFound]]) -> None:
        needless = list(jobs)
        self.withdrawn += needless
        super().withdraw(needless)

    def close(self) -> None:
        assert not self.running
        super().close()

    def _begin(self, job: Job[Any, ProofFound]) -> None: ...

    def _wait(self, seconds: float) -> Job[Any, ProofFound]:
        job = self.running[-1]
        self.done.append(job)
        job.end(job.work.do(job))
        return job


def proved(position: Position, question: Question | None = None, frontier: int = 8) -> tuple[int, int]:
    solver = Solver(1, 2)
    with Prover(solver, frontier_empties=frontier) as prover:
        found = prover.prove(position, question)
    return found.lower, found.upper


@pytest.mark.thorough
@pytest.mark.parametrize("text", SMALL_BOARDS)
def test_the_values_are_those_of_the_solver(text: str) -> None:
    rules = parse_rules(text)
    start = Position(rules)
    frontier = max(8, start.empties - 6)
    value = solve(start).score.value
    assert proved(start, frontier=frontier) == (value, value)
    for seed in range(3):
        position = random_ending(11, seed, rules)
        value = solve(position).score.value
        assert proved(position, frontier=7) == (value, value)


def test_small_frontiers_find_the_value_of_a_long_board() -> None:
    start = Position(parse_rules("othello,board=8x4,start=parallel"))
    position = start
    while position.empties > 16:
        position = position.play(position.legal_moves[0])
    value = solve(position).score.value
    for frontier in range(4, 17):
        assert proved(position, frontier=frontier) == (value, value)


@pytest.mark.parametrize("seed", range(4))
def test_questions_get_the_bounds_of_the_solver(seed: int) -> None:
    position, solver = random_ending(14, seed), Solver(4)
    value = solver.solve(position).score.value
    questions = [
        Question(),
        Question(wld=True),
        Question(window=(value - 3, value - 1)),
        Question(window=(value + 1, value + 5)),
        Question(window=(value, value)),
        Question(at_least=value),
        Question(at_least=value + 1),
    ]
    for question in questions:
        score = solver.ask(position, question).score
        assert proved(position, question, 11) == (score.lower, score.upper), question


@pytest.mark.slow
def test_problems_of_the_ffo_test_have_the_values_of_the_solver() -> None:
    if not SUITE.exists():
        pytest.skip(f"{SUITE} is missing")
    nodes = proved_nodes = 0
    for entry in list(positions_in(SUITE.read_text()))[:5]:
        assert entry.position is not None
        solution = Solver(64).solve(entry.position)
        solver = Solver(64)
        with Prover(solver, frontier_empties=20) as prover:
            found = prover.prove(entry.position)
        assert found.lower == found.upper == solution.score.value
        nodes += solution.score.nodes
        proved_nodes += prover.nodes
    assert proved_nodes < 1.3 * nodes


def test_a_bound_is_a_question_of_its_own() -> None:
    value = solve(ENDING).score.value
    solver = Solver(4)
    assert solver.ask(ENDING, Question(at_least=value)).score.lower == value
    above = Question(at_least=value + 1)
    solution = solver.ask(ENDING, above)
    assert solution.score.upper == value
    assert above.is_answered(solution)
    with pytest.raises(InputError, match="at_least"):
        Question(at_least=65)


def test_questions_about_moves_are_refused() -> None:
    with pytest.raises(InputError, match="not about the scores of moves"):
        proved(ENDING, Question(all_moves=True))
    with pytest.raises(InputError, match="not about the scores of moves"):
        prove(ENDING, Question(multi=2))


def test_a_position_within_the_frontier_is_one_job() -> None:
    solver = Solver(1)
    workers = Noting()
    position = random_ending(12, 1)
    assert 12 < default_frontier(position.rules) < 24
    with Prover(solver, workers=workers) as prover:
        prover.prove(position, Question(wld=True))
        assert [(job.position, job.question) for job in workers.sent] == [(position, Question(wld=True))]
        value = solve(position).score.value
        assert prover.prove(position).lower == value


def test_expectations_decide_nothing() -> None:
    solver = Solver(1)
    value = solve(ENDING).score.value
    with Prover(solver, workers=Liars(2), frontier_empties=13) as prover:
        found = prover.prove(ENDING)
    assert (found.lower, found.upper) == (value, value)


def test_a_killed_proof_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "_COMMIT_S", 0.0)
    path = tmp_path / "proof.sqlite"
    dice = random.Random(7)
    position = random_ending(14, 2)
    value = solve(position).score.value
    sessions = 0
    while True:
        solver = Solver(1)
        store = ProofStore(path, "othello", "ending")
        workers = Mortal(dice.randrange(2, 30))
        prover = Prover(solver, store, workers=workers, frontier_empties=11)
        sessions += 1
        try:
            found = prover.prove(position)
        except Killed:
            store._db.close()  # what was not committed is lost
            workers.close()
            continue
        store.close()
        prover.close()
        break
    assert (found.lower, found.upper) == (value, value)
    assert sessions > 3
    with ProofStore(path, "othello", "ending") as store:
        assert store.bounds(position.canonical()) == (value, value)
        solver = Solver(1)
        workers = Mortal(0)
        with Prover(solver, store, workers=workers, frontier_empties=11) as prover:
            assert prover.prove(position).lower == value  # nothing is left to do
            certificate = collect(found, leaf_empties=10, store=store)
    assert check_certificate(certificate, leaves=5).inner > 0


def test_symmetric_positions_are_one() -> None:
    solver = Solver(1)
    workers = Noting()
    with Prover(solver, workers=workers, frontier_empties=13) as prover:
        found = prover.prove(ENDING)
        sent = len(workers.sent)
        for twin in ENDING.symmetries():
            assert prover.prove(twin).lower == found.lower
        assert len(workers.sent) == sent
    jobs = {(job.kind, job.position.canonical(), job.question) for job in workers.sent}
    assert len(jobs) == len(workers.sent)


def test_a_stopped_proof_keeps_what_is_proved(tmp_path: Path) -> None:
    cancel = Cancel()
    solver = Solver(1)
    with ProofStore(tmp_path / "a", "othello", "x") as store:
        reports = []

        def stop_soon(now: object) -> None:
            reports.append(now)
            if len(reports) == 30:
                cancel.cancel()

        prover = Prover(solver, store, frontier_empties=11, cancel=cancel, progress=stop_soon)
        with prover, pytest.raises(ProofStopped):
            prover.prove(ENDING)
    with ProofStore(tmp_path / "a", "othello", "x") as store:
        assert store.count("jobs") >= 20


def test_needless_jobs_are_withdrawn() -> None:
    solver = Solver(1)
    workers = Lazy()
    with Prover(solver, workers=workers, frontier_empties=12) as prover:
        assert prover.prove(ENDING).lower == solve(ENDING).score.value
    assert workers.withdrawn
    assert not set(workers.withdrawn) & set(workers.done)


def test_goals_come_with_their_keys() -> None:
    solver = Solver(1)
    endings = {seed: random_ending(12, seed) for seed in range(5)}
    with Prover(solver, workers=Threads(2), frontier_empties=10) as prover:
        found = dict(prover.prove_all((seed, position, Question()) for seed, position in endings.items()))
    assert {seed: it.lower for seed, it in found.items()} == {
        seed: solve(position).score.value for seed, position in endings.items()
    }


def test_a_claim_is_settled_by_what_its_proof_needs() -> None:
    tree = Tree(
        lambda position, key: Node(position, -64, 64, key=key, leaf=position.empties < ENDING.empties),
        2,
        looks=False,
    )
    root = tree.claim(tree.node(ENDING), 2)
    leaf = tree.next(root)
    assert leaf is not None
    assert root.children is not None
    other = next(child for child in root.children if child is not leaf)
    assert tree.needed([leaf, other], [root]) == {leaf, other}
    tree.learn(leaf.node, -64, leaf.number - 2)
    assert root.outcome is True
    assert not root.is_open
    assert not tree.needed([leaf, other], [root])
    assert tree.node(ENDING).lower == 2
    above = tree.claim(tree.node(ENDING), 5)
    assert above.number == 6  # scores are even
    while (leaf := tree.next(above)) is not None:
        tree.learn(leaf.node, leaf.number, 64)
    assert above.outcome is False
    assert tree.node(ENDING).upper == 4


def test_stores_of_others_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    ProofStore(path, "othello", "one").close()
    for rules, subject, wrong in (("othello", "two", "other positions"), ("adjacent", "one", "other rules")):
        with pytest.raises(StoreError, match=f"a.sqlite: belongs to {wrong}"):
            ProofStore(path, rules, subject)
    held = ProofStore(path, "othello", "one")
    with pytest.raises(StoreError, match="in use by another process"):
        ProofStore(path, "othello", "one")
    held.close()
    held.close()
    database = sqlite3.connect(path)
    database.execute("pragma user_version = 7")
    database.close()
    with pytest.raises(StoreError, match="saved in format 7; this version reads format 1"):
        ProofStore(path, "othello", "one")
    (tmp_path / "text").write_text("a text, longer than the header of a database, which has a hundred bytes" * 9)
    with pytest.raises(StoreError, match="not a store of reversi prove"):
        ProofStore(tmp_path / "text", "othello", "one")
    database = sqlite3.connect(tmp_path / "other")
    database.execute("create table t (x)")
    database.close()
    with pytest.raises(StoreError, match="another database"):
        ProofStore(tmp_path / "other", "othello", "one")
    with pytest.raises(StoreWriteError, match="cannot write"):
        ProofStore(tmp_path / "none" / "a", "othello", "one")


def test_goals_that_nobody_waits_for_end() -> None:
    start = Position(parse_rules("othello,board=4x4"))
    goals = [(move, start.play(move), Question()) for move in start.legal_moves]
    with Prover(Solver(1), frontier_empties=8) as prover:
        answers = prover.prove_all(goals)
        assert next(answers)[1].lower == 10
        with pytest.raises(BusyError, match="other goals under way"):
            prover.prove(start)
        del answers
        assert prover.prove(start).lower == -10
        assert {key for key, _ in prover.prove_all(goals)} == {key for key, _, _ in goals}


def test_an_error_of_the_caller_ends_the_goals() -> None:
    reports = []

    def fail_once(now: object) -> None:
        reports.append(now)
        if len(reports) == 1:
            raise KeyError

    start = Position(parse_rules("othello,board=4x4"))
    with Prover(Solver(1), frontier_empties=8, progress=fail_once) as prover:
        with pytest.raises(KeyError):
            prover.prove(start)
        assert prover.prove(start).lower == -10


def test_another_thread_proves(tmp_path: Path) -> None:
    start = Position(parse_rules("othello,board=4x4"))
    with ThreadPoolExecutor(1) as pool, ProofStore(tmp_path / "a", str(start.rules), "x") as store:
        for prover in (Prover(Solver(1), store, frontier_empties=8), Prover(Solver(1), frontier_empties=8)):
            with prover:
                assert pool.submit(prover.prove, start).result().lower == -10


def test_bounds_do_not_count_under_other_rules(tmp_path: Path) -> None:
    start, misere = (Position(parse_rules(f"othello,board=4x4{more}")) for more in ("", ",misere"))
    with Prover(Solver(1), frontier_empties=8) as prover:
        assert prover.prove(start).lower == -10
        with pytest.raises(StoreError, match="under othello,board=4x4, not under othello,board=4x4,misere; use"):
            prover.prove(misere)
        assert prover.prove(start).lower == -10
    with ProofStore(tmp_path / "a", "adjacent", "x") as store, Prover(Solver(1), store) as prover:
        with pytest.raises(StoreError, match="a: is for positions under adjacent"):
            prover.prove(start)
        with pytest.raises(StoreError, match="a: is for positions under adjacent"):
            collect(Proved(start, -10, -10), store=store)


def test_a_damaged_store_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with ProofStore(path, "othello", "x") as store:
        store.save_bounds((random_ending(8, seed), -4, 4) for seed in range(200))
    content = bytearray(path.read_bytes())
    content[4096:] = bytes(len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"), ProofStore(path, "othello", "x") as store:
        store.bounds(random_ending(8, 1))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX limits the size of files")
def test_a_store_that_cannot_begin_leaves_no_file(tmp_path: Path) -> None:
    """As on a full disk: no file may grow."""
    path = tmp_path / "a.sqlite"
    program = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from reversi.solver.proofs.store import ProofStore, StoreWriteError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))\n"
        "try:\n"
        "    ProofStore(Path(sys.argv[2]), 'othello', 'x')\n"
        "except StoreWriteError as error:\n"
        "    print(error)\n"
    )
    for most in (100, 4096, 8192):
        done = subprocess.run(
            [sys.executable, "-c", program, str(most), str(path)], stdout=subprocess.PIPE, text=True, check=True
        )
        assert done.stdout.startswith(f"{path}: cannot write: "), most
        assert not list(tmp_path.iterdir()), most
