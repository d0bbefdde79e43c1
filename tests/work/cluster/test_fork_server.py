"""The fork server of local processes: what its processes have, and what it leaves alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from reversi.cli.arguments import cluster_address
from reversi.work import Connection
from reversi.work.cluster.fork_server import FORKS, SAFE_PATH

pytest.importorskip("distributed")
pytestmark = pytest.mark.skipif(not FORKS, reason="only Linux has a fork server here")


def test_workers_start_with_everything_loaded(local: Connection) -> None:
    variable = SAFE_PATH[0]

    def found() -> object:
        import gc

        from reversi.evaluation import weights

        has_weights = weights._default is not None and gc.isenabled()
        interrupts = signal.getsignal(signal.SIGINT)
        return "reversi.work.cluster.forked" in sys.modules, has_weights, interrupts, os.environ.get(variable)

    expected = (True, True, signal.SIG_IGN, os.environ.get(variable))
    assert list(local.call(found).values()) == [expected, expected]


PROGRAM = """
import os
from reversi.work import connect

if __name__ == "__main__":
    before = dict(os.environ)
    with connect("local:1") as connection:
        print(connection.threads, *connection.call(os.getcwd).values())
        assert os.environ == before
        assert list(connection.call(lambda: dict(os.environ)).values()) == [before]
    assert os.environ == before
"""


@pytest.mark.parametrize("variables", [{}, {"PYTHONHASHSEED": "5", "OMP_NUM_THREADS": "3"}], ids=["unset", "set"])
def test_the_current_folder_and_the_environment_are_left_alone(variables: dict[str, str], tmp_path: Path) -> None:
    program, here = tmp_path / "program.py", tmp_path / "here"
    program.write_text(PROGRAM, encoding="utf-8")
    here.mkdir()
    for name in ("tornado", "numpy", "reversi"):
        (here / f"{name}.py").write_text("raise SystemExit('the wrong module')", encoding="utf-8")
    changed = (SAFE_PATH[0], "PYTHONHASHSEED", "OMP_NUM_THREADS")
    environment = {name: value for name, value in os.environ.items() if name not in changed}
    done = subprocess.run(
        [sys.executable, program],
        cwd=here,
        env=environment | variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr) == (f"1 {here}\n", "")


@pytest.mark.parametrize(
    ("words", "address"),
    [
        (["solve", "a.obf", "--cluster", "local:4", "--json"], "local:4"),
        (["solve", "a.obf", "--cluster=local"], "local"),
        (["solve", "a.obf", "--cluster"], ""),
        (["solve", "a.obf"], ""),
        ([], ""),
    ],
)
def test_the_address_is_known_before_the_command(words: list[str], address: str) -> None:
    assert cluster_address(words) == address


def test_a_folder_whose_path_is_too_long_for_a_socket(tmp_path: Path) -> None:
    long = tmp_path / ("x" * 120)
    long.mkdir()
    program = tmp_path / "program.py"
    program.write_text(
        "from reversi.work import connect\n\nif __name__ == '__main__':\n"
        "    with connect('local:1') as connection:\n        print(connection.threads)\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, program],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "TMPDIR": str(long)},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")
