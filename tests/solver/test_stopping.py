"""Threads, interrupts and forks around questions: whatever happens, nothing stays behind."""

from __future__ import annotations

import _thread
import os
import random
import signal
import threading
import time

import pytest

from endings import random_ending
from reversi import BusyError, Position, Solver, parse_rules, read_positions
from reversi.engine.engine import Engine
from reversi.engine.search import Searcher
from reversi.errors import ResourceError
from reversi.solver.run import SolveRun
from reversi.solver.stopping import _start
from reversi.solver.table import shared_table
from reversi.text.boards import format_board
from reversi.work.cancel import Cancel
from signals import needs_signals, slow_signal

MISERE = parse_rules("othello,misere")
needs_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no interval timer on this system")
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")


def in_time(call) -> bool:
    """Whether a call in another thread ends."""
    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    thread.join(60)
    return not thread.is_alive()


def running_threads(at_most: int = 0) -> int:
    """How many threads run beside the main one, once there are no more than that or a minute has gone."""
    end = time.monotonic() + 60
    while _thread._count() > at_most and time.monotonic() < end:
        time.sleep(0.001)
    return _thread._count()


@needs_timer
@pytest.mark.parametrize(("empties", "threads"), [(6, 1), (13, 1), (20, 3)])
def test_an_interrupt_at_any_moment_leaves_no_hold_and_no_thread(empties, threads):
    dice = random.Random(empties)
    position = random_ending(empties, 2)
    solver = Solver(1, threads)
    solver.solve(random_ending(6, 1))
    before, stack = _thread._count(), threading.stack_size()
    interrupted = 0
    armed = False

    def ring(*_):
        if armed:
            raise KeyboardInterrupt

    held = signal.signal(signal.SIGALRM, ring)
    try:
        while interrupted < 200:
            try:
                armed = True
                signal.setitimer(signal.ITIMER_REAL, dice.uniform(1e-6, 1e-3))
                solver.solve(position)
                while signal.getitimer(signal.ITIMER_REAL)[0]:
                    pass
                armed = False
            except KeyboardInterrupt:
                armed = False
                interrupted += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, held)
    assert in_time(solver.clear)
    assert in_time(lambda: solver.solve(random_ending(6, 1, MISERE)))
    assert running_threads(before) == before
    assert threading.stack_size() == stack


@needs_signals
def test_a_run_ends_when_a_signal_cancels_it_at_the_end_of_a_wait():
    cancel = Cancel()
    text = format_board(random_ending(44, 1))
    with (
        SolveRun(lambda: read_positions(text), threads=2, hash_mb=1, cancel=cancel) as run,
        slow_signal(0.3, cancel.cancel),
    ):
        (solved,) = run
    assert not solved.is_answered


def test_stacks_keep_their_size_when_searches_start_at_once():
    before = threading.stack_size()
    solver = Solver(1)
    position = random_ending(12, 1)

    def work():
        for _ in range(40):
            solver.solve(position, time_s=60)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert threading.stack_size() == before


def test_waiting_for_oneself_is_an_error():
    solver = Solver(1)
    position = random_ending(30, 1)
    said = []
    for call in (solver.clear, lambda: solver.solve(Position(MISERE))):
        stop = Cancel()

        def progress(_, call=call, stop=stop):
            stop.cancel()
            with pytest.raises(BusyError, match="within a question"):
                call()
            said.append(call)

        solver.solve(position, progress=progress, cancel=stop)
    assert len(said) >= 2
    solver.clear()


def test_a_question_by_the_same_rules_is_answered_within_another():
    solver = Solver(1)
    stop = Cancel()
    values = []

    def progress(_):
        values.append(solver.solve(random_ending(6, 1)).score.value)
        stop.cancel()

    solver.solve(random_ending(30, 1), progress=progress, cancel=stop)
    assert values[0] == Solver(1).solve(random_ending(6, 1)).score.value


def test_other_rules_wait_and_clearing_waits():
    shared = shared_table(1)
    order = []
    with shared.use(parse_rules("othello")):
        entered = threading.Event()

        def other():
            entered.set()
            with shared.use(MISERE):
                order.append("other")

        thread = threading.Thread(target=other)
        thread.start()
        entered.wait()
        with shared.use(parse_rules("othello")):
            order.append("same")
        order.append("end")
    thread.join()
    assert order == ["same", "end", "other"]


@needs_fork
def test_a_child_does_not_wait_for_its_parents_threads():
    solver = Solver(1)
    position = random_ending(34, 1)
    begun = threading.Event()
    stop = Cancel()
    thread = threading.Thread(target=lambda: solver.solve(position, progress=lambda _: begun.set(), cancel=stop))
    thread.start()
    assert begun.wait(60)
    child = os.fork()
    if not child:
        signal.alarm(60)
        value = solver.solve(random_ending(6, 1, MISERE)).score.value
        solver.clear()
        os._exit(0 if value == Solver(1).solve(random_ending(6, 1, MISERE)).score.value else 1)
    _, status = os.waitpid(child, 0)
    stop.cancel()
    thread.join()
    assert os.waitstatus_to_exitcode(status) == 0


def test_quick_questions_start_no_thread(monkeypatch):
    def refuse(*_):
        raise AssertionError("a thread was started")

    monkeypatch.setattr("reversi.solver.stopping._start", refuse)
    position = random_ending(40, 1)
    for level in (1, 5, 8):
        assert Engine(level).choose(position).move in position.legal_moves
    assert Searcher(1).search(position, depth=4).complete
    assert Solver(1).solve(random_ending(10, 1), cancel=Cancel()).is_exact
    stopped = Cancel()
    stopped.cancel()
    assert not Solver(1).solve(random_ending(10, 1), cancel=stopped).is_exact


@pytest.mark.parametrize(
    ("running", "message"),
    [(0, "cannot start a thread: free memory, use a smaller hash"), (1, "can start only 1 thread; use fewer")],
)
def test_a_system_that_starts_no_more_threads(monkeypatch, running, message):
    def refuse(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("_thread.start_new_thread", refuse)
    with pytest.raises(ResourceError, match=message):
        _start(running, print)


def test_errors_of_a_search_reach_the_thread_that_asked(monkeypatch):
    def wrong(*_):
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr("reversi.solver.search.Search._run", wrong)
        patched.setattr("reversi.engine.search._Search._run", wrong)
        for empties in (8, 40):  # in this thread, and in one of its own
            with pytest.raises(ZeroDivisionError):
                Solver(1).solve(random_ending(empties, 1))
            with pytest.raises(ZeroDivisionError):
                Searcher(1).search(random_ending(empties, 1), depth=4, time_s=60)
    assert Solver(1).solve(random_ending(8, 1)).is_exact


def test_errors_of_a_narrow_search_reach_the_thread_that_asked(monkeypatch):
    monkeypatch.setattr("reversi.solver.solver.EXACT_LEVEL", "none")
    for empties in (8, 20):
        with pytest.raises(TypeError):
            Solver(1).reaching(random_ending(empties, 1), 0)
