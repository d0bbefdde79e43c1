"""Tasks on a cluster that fail: sent again, divided, and the errors that end a run."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Coroutine
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from reversi.errors import TableSizeError
from reversi.work import ClusterError, Connection
from reversi.work.cluster.workers import ClusterWorkers
from reversi.work.jobs import Call

pytest.importorskip("distributed")

from distributed.comm.core import CommClosedError


class KilledWorker(Exception):  # noqa: N818 - its name in Dask
    """A task has ended all workers that got it."""


class FailingClient:
    """A client of Dask whose tasks all fail with the same error, at once."""

    status = "running"

    def __init__(self, error: BaseException) -> None:
        self.error = error
        self.sent = 0
        self.loop = SimpleNamespace(add_callback=self._run)

    def nthreads(self) -> dict[str, int]:
        return {"worker": 2}

    def submit(self, *_: object, **__: object) -> object:
        self.sent += 1
        return object()

    async def gather(self, *_: object, **__: object) -> None:
        raise self.error

    def subscribe_topic(self, *_: object) -> None: ...

    def unsubscribe_topic(self, *_: object) -> None: ...

    def cancel(self, *_: object, **__: object) -> None: ...

    async def run(self, *_: object, **__: object) -> None: ...

    @staticmethod
    def _run(function: Callable[..., Coroutine[Any, Any, None]], *args: object) -> None:
        asyncio.run(function(*args))


def workers_on(connection: Connection) -> ClusterWorkers[int, int]:
    return ClusterWorkers(connection, "number", rate=1.0)


def run(workers: ClusterWorkers[int, int], numbers: list[int]) -> None:
    """Send numbers in one task."""
    for number in numbers:
        assert workers.is_free
        workers.send(number, Call(partial(int, number)), 3.0 / len(numbers))
    while workers.running:
        workers.next(0.1)


@pytest.mark.parametrize(
    ("error", "kind", "message", "sent"),
    [
        (
            KilledWorker("x"),
            ClusterError,
            "^here: one number ended its worker 6 times; the machine",
            1 + 2 * 5,
        ),
        (TableSizeError("no memory"), TableSizeError, "^no memory$", 1 + 2 * 5),
        (OSError("gone\naway"), ClusterError, "^here: a worker failed: OSError: gone away$", 1),
        (asyncio.CancelledError(), ClusterError, "^here: the connection to the scheduler is lost$", 1),
        (CommClosedError("in <TLS>"), ClusterError, "^here: the connection to the scheduler is lost$", 1),
    ],
    ids=["killed", "memory", "another error", "lost", "closed"],
)
def test_errors_that_end_a_run(error: BaseException, kind: type[Exception], message: str, sent: int) -> None:
    client = FailingClient(error)
    workers = workers_on(Connection("here", client))
    with pytest.raises(kind, match=message):
        run(workers, [1, 2])
    assert client.sent == sent
    assert workers.is_stopped
    workers.close()
    assert workers.running == []


def test_a_client_that_is_not_connected_any_more_is_named() -> None:
    client = FailingClient(OSError("reset"))
    client.status = "closed"
    with pytest.raises(ClusterError, match=r"^here: the connection to the scheduler is lost$"):
        run(workers_on(Connection("here", client)), [1])


# --- jobs that wait


class SilentClient(FailingClient):
    """A client of Dask whose tasks never come back; it notes the work of each."""

    def __init__(self) -> None:
        super().__init__(OSError("unused"))
        self.orders: list[list[int]] = []

    def submit(self, *arguments: Any, **_: object) -> object:
        self.orders.append([work.function.args[0] for work in pickle.loads(arguments[1].content)])
        return object()

    @staticmethod
    def _run(*_: object) -> None: ...


def numbers(count: int, cost: float, **options: Any) -> tuple[SilentClient, ClusterWorkers[int, int]]:
    """Let jobs of equal costs wait: threads do 1 in a second, so that a task has a cost of 3."""
    client = SilentClient()
    workers = ClusterWorkers[int, int](Connection("here", client), "number", rate=1.0, **options)
    for number in range(count):
        if workers.is_free:
            workers.send(number, Call(partial(int, number)), cost)
    return client, workers


def test_full_tasks_go_out_at_once_and_the_rest_when_nothing_follows() -> None:
    client, workers = numbers(8, 1.0)
    assert client.orders == [[0, 1, 2], [3, 4, 5]]
    assert len(workers.running) == 8
    workers.next(0)
    assert client.orders[2:] == [[6], [7]]  # two threads, with two tasks each, share the last ones
    assert not workers.is_free


def test_many_are_sorted_before_the_first_goes_out() -> None:
    client, workers = numbers(4, 1.0, read_ahead=5)
    assert client.orders == []
    workers.send(4, Call(partial(int, 4)), 2.0)
    assert client.orders == [[4, 0], [1, 2, 3]]
    assert workers.is_free


def test_without_a_rate_each_job_is_a_task() -> None:
    client = SilentClient()
    workers = ClusterWorkers[int, int](Connection("here", client), "number", ahead=1)
    for number in range(2):
        workers.send(number, Call(partial(int, number)))
    assert client.orders == [[0], [1]]
    assert not workers.is_free


def test_workers_are_free_when_all_that_waits_is_withdrawn() -> None:
    client, workers = numbers(1, 3.0)
    for number in range(1, 5):
        workers.send(number, Call(partial(int, number)), 2.0)
    assert client.orders == [[0], [1], [2], [3]]
    assert not workers.is_free
    workers.withdraw(workers.running)
    assert not workers.is_busy
    assert workers.is_free
    assert len(client.orders) == 4


def test_withdrawn_jobs_are_not_sent() -> None:
    client, workers = numbers(2, 1.0)
    workers.withdraw(workers.running[:1])
    workers.next(0)
    assert client.orders == [[1]]


def test_a_stop_gives_waiting_jobs_back_without_an_answer() -> None:
    client, workers = numbers(4, 1.0)
    assert client.orders == [[0, 1, 2]]
    workers.stop()
    first = workers.next(0)
    assert first is not None
    assert (first.key, first.result()) == (3, None)
    dropped = [workers.next(5) for _ in range(3)]  # what does not stop within a second
    assert [job.key for job in dropped if job is not None] == [0, 1, 2]
    assert not workers.is_busy


def test_a_task_has_one_job_under_way() -> None:
    _, workers = numbers(3, 1.0)
    for job, amount in ((0, 10), (1, 25)):
        news = {"task": 1, "job": job, "amount": amount, "progress": pickle.dumps(f"progress of {job}")}
        workers._hear((0.0, news))
        assert [each.key for each in workers.under_way] == [job]
        assert workers.amount == amount
    assert workers.running[1].progress == "progress of 1"
