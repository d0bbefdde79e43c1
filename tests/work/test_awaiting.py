"""Questions awaited in threads: answers, cancelling, progress, errors; nothing is left of them."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from endings import random_ending, random_endings
from patience import SOON_S
from reversi import Cancel, Engine, Game, Position, Question, Solver, analyze, hint, in_thread, search, solve
from reversi.engine import EngineCancelled, Searcher
from reversi.engine.search import Estimate
from reversi.solver.batch import Batch

DEEP = random_ending(40, 1)
GAME = Game().play_all("f5d6c3d3c4f4f6b4")


def threads() -> list[str]:
    """Return the threads of questions that are still there after a while."""
    give_up = time.monotonic() + SOON_S
    while (found := [each.name for each in threading.enumerate() if "reversi" in each.name]) and (
        time.monotonic() < give_up
    ):
        time.sleep(0.001)
    return found


def test_the_questions_of_the_library_are_awaited() -> None:
    ending = random_ending(10, 1)
    engine = Engine(level=3, seed=1)

    async def ask() -> list[Any]:
        return await asyncio.gather(
            in_thread(solve, ending),
            in_thread(Solver(4).solve, ending, wld=True),
            in_thread(search, Position(), depth=5),
            in_thread(hint, Position(), 2, level=3),
            in_thread(engine.choose, Position()),
            in_thread(engine.score, Position()),
            in_thread(analyze, GAME, level=1),
        )

    solution, outcome, found, hints, chosen, score, analysis = asyncio.run(ask())
    assert solution == solve(ending)
    assert (outcome.score.value > 0) is (solution.score.value > 0)
    assert found.move == search(Position(), depth=5).move
    assert hints == hint(Position(), 2, level=3)
    assert chosen == Engine(level=3, seed=1).choose(Position())
    assert score == Engine(level=3, seed=1).score(Position())
    assert analysis.turns == analyze(GAME, level=1).turns
    assert threads() == []


QUESTIONS: dict[str, Callable[[], Awaitable[object]]] = {
    "solve": lambda: in_thread(solve, DEEP, hash_mb=4),
    "solve with threads": lambda: in_thread(Solver(4, threads=2).solve, DEEP),
    "search": lambda: in_thread(Searcher(4).search, Position(), depth=40),
    "choose": lambda: in_thread(Engine(60).choose, Position()),
    "hint": lambda: in_thread(hint, Position(), 2, level=60),
    "analyze": lambda: in_thread(analyze, GAME, level=60),
    "a question of one's own": lambda: in_thread(wait_for),
}


def wait_for(*, cancel: Cancel | None = None) -> None:
    """Wait until it is cancelled."""
    ended = threading.Event()
    assert cancel is not None
    with cancel.ends(ended.set):
        assert ended.wait(60)


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS.keys())
def test_a_cancelled_task_ends_its_question(ask: Callable[[], Awaitable[object]]) -> None:
    async def run() -> float:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await ask()
        return time.monotonic()

    before = time.monotonic()
    ended = asyncio.run(run())
    assert threads() == []
    assert ended - before < SOON_S


def test_an_event_loop_that_ends_takes_its_questions_along() -> None:
    async def run() -> None:
        for _ in range(3):
            background.add(asyncio.ensure_future(in_thread(wait_for)))
        await asyncio.sleep(0.01)

    background: set[asyncio.Future[None]] = set()
    asyncio.run(run())
    assert all(task.cancelled() for task in background)
    assert threads() == []


def test_a_cancel_gives_the_best_so_far() -> None:
    async def run() -> tuple[Any, ...]:
        stop = Cancel()
        asyncio.get_running_loop().call_later(0.2, stop.cancel)
        asked = (
            in_thread(solve, DEEP, hash_mb=4, cancel=stop),
            in_thread(search, Position(), hash_mb=4, cancel=stop),
            in_thread(analyze, GAME, level=60, cancel=stop),
            in_thread(Engine(60).choose, Position(), cancel=stop),
        )
        return tuple(await asyncio.gather(*asked, return_exceptions=True))

    solution, found, analysis, chosen = asyncio.run(run())
    assert (solution.is_exact, solution.position) == (False, DEEP)
    assert found.complete is False
    assert found.score.depth > 1
    assert len(analysis.turns) < len(GAME)
    assert isinstance(chosen, EngineCancelled)
    assert chosen.found is not None


def test_a_cancelled_task_leaves_what_shares_its_cancel() -> None:
    """A `Cancel` given to several questions is its owner's: one task that ends does not end the others."""
    shared = Cancel()

    async def run() -> None:
        first, second = (asyncio.ensure_future(in_thread(wait_for, cancel=shared)) for _ in range(2))
        await asyncio.sleep(0.01)
        first.cancel()
        await asyncio.wait([first])
        assert (first.cancelled(), second.done(), shared.cancelled) == (True, False, False)
        shared.cancel()
        await second

    asyncio.run(run())


def test_progress_comes_in_the_thread_of_the_loop_before_the_answer() -> None:
    tag = contextvars.ContextVar("tag", default="")
    heard: list[tuple[threading.Thread, str, int]] = []

    def hear(found: Estimate) -> None:
        heard.append((threading.current_thread(), tag.get(), found.score.depth))

    async def run() -> Estimate:
        tag.set("mine")
        return await in_thread(search, Position(), depth=9, progress=hear)

    found = asyncio.run(run())
    assert {each[:2] for each in heard} == {(threading.main_thread(), "mine")}
    assert [depth for _, _, depth in heard][-1] == found.score.depth == 9
    assert sorted(depth for _, _, depth in heard) == [depth for _, _, depth in heard]


def test_what_progress_raises_ends_the_question() -> None:
    def hear(_: object) -> None:
        raise ZeroDivisionError

    async def run() -> None:
        with pytest.raises(ZeroDivisionError):
            await in_thread(solve, DEEP, hash_mb=4, progress=hear)
        with pytest.raises(ZeroDivisionError):
            await in_thread(Engine(60).hint, Position(), progress=hear)

    asyncio.run(run())
    assert threads() == []


def test_errors_are_those_of_the_question() -> None:
    async def run() -> None:
        with pytest.raises(TypeError, match="unexpected keyword argument 'cancel'"):
            await in_thread(random_ending, 10, 1)
        with pytest.raises(ValueError, match="multi"):
            await in_thread(solve, DEEP, multi=0)

    asyncio.run(run())


def test_an_error_that_nobody_awaits_is_no_noise(caplog: pytest.LogCaptureFixture) -> None:
    def fail(*, cancel: Cancel | None = None) -> None:
        wait_for(cancel=cancel)
        raise ZeroDivisionError

    async def run() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await in_thread(fail)

    asyncio.run(run())
    gc.collect()
    assert caplog.records == []


def test_a_second_cancellation_does_not_wait() -> None:
    go_on = threading.Event()

    def hang(*, cancel: Cancel | None = None) -> None:
        assert go_on.wait(60)

    async def run() -> None:
        task = asyncio.ensure_future(in_thread(hang))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.sleep(0.01)
        assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    go_on.set()
    assert threads() == []


def test_a_batch_gives_its_answers_to_asyncio() -> None:
    positions = random_endings(9, 40)

    async def run(batch: Batch[int]) -> tuple[dict[int, int], int]:
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        counter = asyncio.ensure_future(count())
        found = {solved.key: solved.solution.score.value async for solved in batch}
        counter.cancel()
        return found, turns

    solver = Solver(4)
    with Batch(enumerate(positions), hash_mb=4, threads=2) as batch:
        found, turns = asyncio.run(run(batch))
        assert batch.is_done
        assert threads() == []
    assert found == {key: solver.solve(position).score.value for key, position in enumerate(positions)}
    assert turns >= len(positions)  # the loop was free after each answer


def test_a_batch_of_asyncio_goes_on_after_a_break() -> None:
    async def run() -> list[int]:
        keys = []
        async for solved in batch:
            keys.append(solved.key)
            if len(keys) == 3:
                break
        async for solved in batch:
            keys.append(solved.key)
        return keys

    with Batch(enumerate(random_endings(6, 10)), hash_mb=4, threads=2) as batch:
        assert sorted(asyncio.run(run())) == list(range(10))


def test_a_cancelled_task_ends_its_batch() -> None:
    batch = Batch([(1, DEEP), (2, DEEP)], Question(all_moves=True), hash_mb=4, threads=2)

    async def run() -> None:
        async for _ in batch:
            pass

    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(run(), 0.2))
    assert threads() == []
    assert batch.is_done


def test_a_batch_of_asyncio_keeps_its_limits() -> None:
    async def run() -> list[bool]:
        return [solved.solution.is_exact async for solved in batch]

    with Batch([(1, DEEP), (2, DEEP), (3, DEEP)], hash_mb=4, threads=1, total_time_s=0.2) as batch:
        assert asyncio.run(run()) == [False]
        assert batch.skipped == 2
    batch = Batch([(1, DEEP), "no pair"], hash_mb=4, threads=1, time_s=0.05)  # type: ignore[list-item]
    with pytest.raises(TypeError, match="pairs of a key"):
        asyncio.run(run())
    batch.close()
