"""The fuzzer of the record readers: a short run of each here, the long one is told in docs/development.md."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import fuzz_records
from files import new_file
from fuzz_formats import READERS

PROGRAM = Path(__file__).parent / "fuzz" / "fuzz_records.py"


@pytest.mark.parametrize("name", READERS)
def test_valid_files_pass(name: str) -> None:
    seeds = list(READERS[name].seeds())
    assert seeds
    for seed in seeds:
        READERS[name].check(seed)
        READERS[name].check(seed[: len(seed) // 2])
        READERS[name].check(seed[1:] + seed)


@pytest.mark.skipif(importlib.util.find_spec("atheris") is None, reason="atheris is not installed")
@pytest.mark.thorough
@pytest.mark.parametrize("name", READERS)
def test_a_short_run(name: str, tmp_path: Path) -> None:
    command: list[str | Path] = [sys.executable, PROGRAM, "--reader", name, "--runs", "300"]
    command += ["--corpus", tmp_path / "corpus"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    assert "Done 300 runs" in done.stderr
    assert not [
        path.name for path in (tmp_path / "corpus").iterdir() if path.name.startswith(("crash", "timeout"))
    ]


@pytest.mark.thorough
def test_a_slow_input_is_a_find() -> None:
    def quadratic(data: bytes) -> None:
        sum(len(data) for _ in data for _ in data for _ in range(200))

    slow = fuzz_records.timely(quadratic)
    slow(bytes(10))
    with pytest.raises(fuzz_records.SlowInputError, match=r"^400 bytes took .* 0\.250 s are allowed$"):
        slow(bytes(400))


@pytest.mark.thorough
def test_a_find_is_told(tmp_path: Path) -> None:
    found = new_file(tmp_path / "crash-1", next(iter(READERS["wthor"].seeds())))
    command: list[str | Path] = [sys.executable, PROGRAM, "--reader", "wthor", "--corpus", tmp_path]
    assert subprocess.run([*command, "--input", found], timeout=60, check=False).returncode == 0
    done = subprocess.run([*command, "--reached"], timeout=60, check=True, capture_output=True, text=True)
    assert "wthor: 1 inputs reach" in done.stdout
