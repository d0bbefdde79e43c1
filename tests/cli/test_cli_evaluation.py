"""``--no-eval`` and ``--weights`` of ``reversi solve`` and ``reversi bench solve``, as a user gives them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from endings import random_ending
from files import new_file
from reversi import Solver
from reversi._core import evaluation_layout
from reversi.cli import bench, run as run_words
from reversi.evaluation.weights import load_weights, pack_weights, weights_version
from reversi.text import format_board

POSITION = random_ending(17, 2)
Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return new_file(tmp_path / "one.obf", format_board(POSITION) + "\n")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Weights that say nothing sensible."""
    stages, classes, _, _ = evaluation_layout()
    path = tmp_path / "own.weights"
    path.write_bytes(pack_weights(random.Random(4).randbytes(stages * classes) + bytes(stages * classes), 1))
    return path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command, in this process and with a known yardstick, which takes a second."""
    monkeypatch.setattr(bench, "yardstick", lambda _: 2.0)

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        status = run_words([*map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.mark.thorough
def test_solving_with_another_evaluation_or_none(run: Command, suite: Path, own: Path) -> None:
    found = []
    for chosen in ([], ["--no-eval"], ["--weights", own]):
        status, out, err = run("solve", suite, "--threads", "1", "--json", *chosen)
        assert (status, err) == (0, "")
        found.append(json.loads(out))
    assert {(one["score"], one["kind"]) for one in found} == {(Solver(1).solve(POSITION).score.value, "exact")}
    expected = [Solver(256, evaluation=chosen) for chosen in (True, False, load_weights(own))]
    assert [one["nodes"] for one in found] == [solver.solve(POSITION).score.nodes for solver in expected]
    assert len({one["nodes"] for one in found}) == 3


@pytest.mark.thorough
def test_a_benchmark_says_which_evaluation_it_had(run: Command, suite: Path, own: Path) -> None:
    checksum = weights_version(own.read_bytes())
    for chosen, heading, weights in (
        ([], f", weights {weights_version()}, ", weights_version()),
        (["--no-eval"], ", no evaluation, ", ""),
        (["--weights", own], f", weights {checksum}, ", checksum),
    ):
        status, out, err = run("bench", "solve", suite, *chosen)
        assert (status, err) == (0, "")
        assert heading in out.splitlines()[0]
        report = json.loads(run("bench", "solve", suite, "--json", "-", *chosen)[1])
        assert report["weights"] == weights
        expected = Solver(256, evaluation=load_weights(own) if chosen[:1] == ["--weights"] else not chosen)
        assert report["problems"][0]["nodes"] == expected.solve(POSITION).score.nodes


@pytest.mark.parametrize("words", [("solve",), ("bench", "solve")])
def test_what_is_refused(run: Command, words: tuple[str, ...], suite: Path, own: Path, tmp_path: Path) -> None:
    own.write_bytes(own.read_bytes()[:-1])
    none = tmp_path / "none.weights"
    for options, status, message in (
        (["--weights", none], 66, f"reversi: {none}: no such file\n"),
        (["--weights", suite], 65, f"reversi: {suite}: not a file of evaluation weights\n"),
        (["--weights", own], 65, f"reversi: {own}: damaged (20,542,387 bytes, not 20,542,388); export it anew"),
    ):
        ended, out, err = run(*words, suite, *options)
        assert (ended, out) == (status, "")
        assert err.startswith(message)
        assert err.count("\n") == 1
