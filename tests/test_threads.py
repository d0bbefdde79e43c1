"""The library in many threads at once: what they share, and what loads when it is first used."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from reversi.records.formats import registry
from reversi.records.formats.format import Format

STRESS = Path(__file__).parent / "support" / "many_threads.py"


@pytest.mark.thorough
def test_answers_of_eight_threads_are_those_of_one() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "dev", str(STRESS)], capture_output=True, text=True, timeout=500, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("all as of one thread\n")


def test_formats_of_other_packages_load_in_several_threads_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    added = dataclasses.replace(registry.POSITIONS, name="added", suffixes=(".added",))
    both = threading.Barrier(2)

    def load() -> Format:
        both.wait(60)  # two threads are within
        return added

    monkeypatch.setattr(
        metadata, "entry_points", lambda **_: [SimpleNamespace(name="added", value="x", load=load)]
    )
    monkeypatch.setattr(registry, "_installed", {})
    registry._install.cache_clear()
    with warnings.catch_warnings(), ThreadPoolExecutor(2) as threads:
        warnings.simplefilter("error")
        found = [asked.result() for asked in [threads.submit(registry.known_formats) for _ in range(2)]]
    assert [each[-1] for each in found] == [added, added]
    monkeypatch.undo()
    registry._install.cache_clear()
