"""Tasks on a cluster that fail: sent again, divided, and the errors that end a run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from reversi.errors import TableSizeError
from reversi.work import Call, ClusterError, ClusterWorkers, Connection

pytest.importorskip("distributed")


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
    ],
    ids=["killed", "memory", "another error", "lost"],
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
