"""Locks between processes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from children import Child
from reversi._system import locks
from reversi._system.locks import Lock, LockedError, beside

HOLDER = """
import pathlib, sys
from reversi._system.locks import Lock
assert Lock.take(pathlib.Path(sys.argv[1])) is not None
print("held", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(os.name == "nt", reason="a file in use is not removed there")
def test_a_lock_is_that_of_the_file_that_has_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, lock = tmp_path / "x.lock", locks.lock_descriptor
    gone: list[Path] = []

    def removed_in_between(descriptor: int) -> bool:
        if not gone:
            path.unlink()
            gone.append(path)
        return lock(descriptor)

    monkeypatch.setattr(locks, "lock_descriptor", removed_in_between)
    held = Lock.take(path)
    assert gone
    assert held is not None
    assert path.exists()
    assert Lock.is_held(path)
    assert Lock.take(path) is None
    held.release()
    assert not path.exists()
    assert Lock.take(path, create=False) is None


@pytest.mark.skipif(os.name == "nt", reason="a file in use is not removed there")
def test_a_lock_has_one_holder(tmp_path: Path) -> None:
    path, holders, most, taken = tmp_path / "x.lock", [0], [0], [0]

    def play_or_prune(create: bool) -> None:
        for _ in range(400):
            held = Lock.take(path, create=create)
            if held is not None:
                holders[0] += 1
                most[0] = max(most[0], holders[0])
                taken[0] += 1
                time.sleep(0)  # lets the others try
                holders[0] -= 1
                held.release()

    threads = [threading.Thread(target=play_or_prune, args=(number != 3,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert taken[0] > 0
    assert most == [1]


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with Child([sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        assert Lock.is_held(path)
        assert Lock.take(path) is None
        holder.kill()
    lock = Lock.take(path)
    assert lock is not None
    lock.release()
    assert not path.exists()


def test_a_file_is_locked_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    (tmp_path / "link").symlink_to(path)
    with beside(path, wait_s=0):
        assert [found.name for found in tmp_path.iterdir() if found.name != "link"] == [".games.pgn.lock"]
        with (
            pytest.raises(LockedError, match="another program is writing to it"),
            beside(tmp_path / "link", wait_s=0),
        ):
            raise AssertionError
    assert [found.name for found in tmp_path.iterdir()] == ["link"]
    with beside(tmp_path / "no" / "games.pgn", wait_s=0):
        pass  # that it cannot be written is found by who writes it
