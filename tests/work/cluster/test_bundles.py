"""Cheap jobs together in tasks of a few seconds."""

from __future__ import annotations

import pytest

from reversi.work.cluster.bundles import Rate, Waiting


def test_how_fast_workers_are_is_learned() -> None:
    rate = Rate(20e6)
    for _ in range(50):
        rate.learn(1e6, 1.0)
    assert rate.cost_in(3.0) == pytest.approx(3e6, rel=0.1)


def test_sizes_of_tasks() -> None:
    rate = Rate(20e6)
    for _ in range(50):
        rate.learn(1e6, 1.0)

    def tasks(threads: int, count: int, *, are_last: bool) -> list[float]:
        waiting: Waiting[int] = Waiting(rate)
        for number in range(count):
            waiting.add(0.1e6, number)  # a tenth of a second each
        found = []
        while len(waiting):
            found.append(waiting.next_task(threads, are_last=are_last)[1] / 1e6)
        return found

    assert tasks(2, 100, are_last=False) == pytest.approx([3.0, 3.0, 3.0, 1.0], abs=0.2)
    last = tasks(2, 100, are_last=True)
    assert last[0] == pytest.approx(2.5, abs=0.2)
    assert last == sorted(last, reverse=True)
    assert last[-1] == pytest.approx(0.1)
    assert tasks(1000, 1000, are_last=False)[0] == pytest.approx(10, abs=0.3)
    assert tasks(1000, 1000, are_last=True)[-1] == pytest.approx(2, abs=0.3)


def test_the_most_expensive_ones_go_first_and_equal_ones_in_their_order() -> None:
    waiting: Waiting[str] = Waiting(Rate(1.0))
    for cost, name in ((1.0, "b"), (2.0, "a"), (1.0, "c"), (1.0, "d"), (9.0, "large")):
        waiting.add(cost, name)
    tasks = []
    while len(waiting):
        tasks.append(waiting.next_task(1, are_last=False))
    assert tasks == [(["large"], 9.0), (["a", "b"], 3.0), (["c", "d"], 2.0)]
    assert waiting.cost == 0
