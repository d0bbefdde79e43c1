"""Workers of this machine: every job ends once, whatever becomes of its worker."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from command_line import run_python
from files import new_file
from patience import SOON_S
from reversi.work.jobs import Call, Job
from reversi.work.processes import Processes, WorkerDied
from reversi.work.threads import Threads
from reversi.work.workers import Workers
from signals import needs_signals, slow_signal
from work_samples import UntilCancelled

KINDS = [pytest.param(Threads, id="threads"), pytest.param(Processes, id="processes")]


@pytest.fixture(params=KINDS)
def workers(request: pytest.FixtureRequest) -> Iterator[Workers[Any, Any]]:
    with request.param(2, ahead=2) as made:
        yield made


def all_of(workers: Workers[Any, Any]) -> list[Job[Any, Any]]:
    found = []
    while workers.running:
        job = workers.next(10)
        assert job is not None
        found.append(job)
    return found


def test_every_job_ends_once(workers: Workers[int, int]) -> None:
    for number in range(20):
        workers.send(number, Call(partial(int, str(number))))
    ended = all_of(workers)
    assert {job.key: job.result() for job in ended} == {number: number for number in range(20)}
    assert len(ended) == 20
    assert workers.next(0) is None


def test_results_can_be_taken_in_any_order(workers: Workers[int, int]) -> None:
    jobs = [workers.send(number, Call(partial(int, str(number)))) for number in range(8)]
    assert [workers.result(job) for job in reversed(jobs)] == list(range(7, -1, -1))
    assert workers.running == []


def test_they_are_free_until_enough_is_handed_out(workers: Workers[int, str]) -> None:
    sent = 0
    while workers.is_free:
        workers.send(sent, UntilCancelled())
        sent += 1
    assert sent == 4


def test_errors_are_those_of_the_job(workers: Workers[int, int]) -> None:
    wrong, right = workers.send(1, Call(partial(int, "x"))), workers.send(2, Call(partial(int, "2")))
    with pytest.raises(ValueError, match="invalid literal"):
        workers.result(wrong)
    assert workers.result(right) == 2


def test_a_stop_ends_what_runs(workers: Workers[int, str]) -> None:
    for number in range(4):
        workers.send(number, UntilCancelled())
    assert workers.next(0.3) is None
    began = time.monotonic()
    workers.stop()
    assert not workers.is_free
    ended = all_of(workers)
    assert time.monotonic() - began < SOON_S
    assert len(ended) == 4
    assert {job.result() for job in ended} <= {None, "late"}


@needs_signals
def test_a_signal_does_not_prolong_a_wait(workers: Workers[int, str]) -> None:
    workers.send(1, UntilCancelled())
    with slow_signal(0.3):
        assert workers.next(0.2) is None


def test_withdrawn_jobs_do_not_come_back(workers: Workers[int, Any]) -> None:
    long = [workers.send(number, UntilCancelled()) for number in range(2)]
    short = workers.send(2, Call(partial(int, "2")))
    workers.withdraw(long)
    assert [job.key for job in all_of(workers)] == [2]
    assert short.result() == 2
    assert {job.result() for job in long} <= {None, "late"}  # a thread may have begun before


def test_closing_ends_everything(workers: Workers[int, str]) -> None:
    before = threading.active_count()
    for number in range(3):
        workers.send(number, UntilCancelled())
    workers.next(0.2)
    began = time.monotonic()
    workers.close()
    assert time.monotonic() - began < SOON_S
    assert threading.active_count() == before
    assert workers.next(0) is None
    workers.close()


def test_threads_say_how_far_they_are() -> None:
    with Threads[str, str](1) as workers:
        job = workers.send("it", UntilCancelled())
        while job.progress is None:
            assert workers.next(0.05) is None
        assert (workers.amount, job.progress) == (5, "waiting")


# --- processes


def test_a_process_that_dies_costs_its_job_only() -> None:
    with Processes[int, object](1) as workers:
        job = workers.send(1, Call(os.getpid))
        first = workers.result(job)
        assert first != os.getpid()
        dead = workers.send(2, Call(partial(os._exit, 3)))
        with pytest.raises(WorkerDied, match="ended with status 3"):
            workers.result(dead)
        second = workers.result(workers.send(3, Call(os.getpid)))
        assert second not in (None, first)


def test_a_killed_process_is_noticed() -> None:
    with Processes[int, object](1) as workers:
        process = workers.result(workers.send(1, Call(os.getpid)))
        assert isinstance(process, int)
        job = workers.send(2, UntilCancelled())
        assert workers.next(0.1) is None
        os.kill(process, signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
        with pytest.raises(WorkerDied):
            workers.result(job)


def test_a_process_that_ends_early_tidies_up(tmp_path: Path) -> None:
    path = tmp_path / "end"
    with Processes[int, object](1, at_end=partial(path.write_text, "ended")) as workers:
        workers.result(workers.send(0, Call(os.getpid)))
        workers.send(1, UntilCancelled())
        workers.next(0.2)
    assert path.read_text() == "ended"


DYING = """
from functools import partial
import os
from reversi.work.jobs import Call
from reversi.work.processes import Processes, WorkerDied

if __name__ == "__mp_main__":
    print("started", flush=True)
    os._exit(3)
with Processes(1) as workers:
    jobs = [workers.send(number, Call(os.getpid)) for number in range(5)]
    for job in jobs:
        try:
            workers.result(job)
        except WorkerDied as error:
            print(error, flush=True)
"""


def test_where_a_process_cannot_begin_no_other_one_starts(tmp_path: Path) -> None:
    program = new_file(tmp_path / "program.py", DYING)
    done = run_python(program, check=True)
    assert done.stdout.splitlines() == ["started", *["the process ended with status 3"] * 5]
