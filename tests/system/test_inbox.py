"""The wait of one thread for others: it ends in time, whatever signals come."""

from __future__ import annotations

import threading
import time
from collections import Counter

from patience import SOON_S
from reversi._system.inbox import Inbox
from signals import needs_signals, slow_signal


def test_things_come_out_in_their_order() -> None:
    inbox: Inbox[int] = Inbox()
    assert not inbox
    for number in range(3):
        inbox.put(number)
    assert len(inbox) == 3
    assert [inbox.take(), inbox.take(10), inbox.take()] == [0, 1, 2]
    assert inbox.take() is None
    assert inbox.take(0.01) is None


def test_nothing_is_lost_between_threads() -> None:
    inbox: Inbox[int] = Inbox()

    def fill() -> None:
        for number in range(2000):
            inbox.put(number)

    threads = [threading.Thread(target=fill) for _ in range(4)]
    for thread in threads:
        thread.start()
    taken = Counter(inbox.take(60) for _ in range(8000))
    for thread in threads:
        thread.join()
    assert taken == dict.fromkeys(range(2000), 4)
    assert inbox.take() is None


@needs_signals
def test_a_signal_at_the_end_of_a_wait_does_not_prolong_it() -> None:
    inbox: Inbox[int] = Inbox()
    began = time.monotonic()
    with slow_signal(0.3):
        assert inbox.take(0.2) is None
    assert time.monotonic() - began < SOON_S


@needs_signals
def test_what_comes_while_a_handler_runs_is_taken() -> None:
    inbox: Inbox[int] = Inbox()
    with slow_signal(0.3, lambda: inbox.put(1)):
        assert inbox.take(0.2) == 1
