"""``reversi bench``, as a user runs it."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from pathlib import Path

import pytest

from command_line import Started
from endings import random_ending, random_endings
from files import new_file
from reversi import Solver
from reversi._core import ISA
from reversi.cli import bench, run as run_words
from reversi.text.boards import format_board
from reversi.text.obf import ObfEntry, format_obf

POSITIONS = random_endings(9, 5)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    lines = []
    for position in POSITIONS:
        moves = Solver(1).solve(position, all_moves=True).moves
        lines.append(format_obf(ObfEntry(position, tuple((one.move, one.score.value) for one in moves))))
    return new_file(tmp_path / "suite.obf", "% a suite\n" + "".join(line + "\n" for line in lines))


def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str | Path
) -> tuple[int, str, str]:
    """The command, in this process and with a known yardstick, which takes a second."""
    monkeypatch.setattr(bench, "yardstick", lambda _: 2.0)
    status = run_words(["bench", *map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out, err


def test_the_table(suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(monkeypatch, capsys, "solve", suite)
    assert (status, err) == (0, "")
    first, head, *rows, sums, elsewhere = out.splitlines()
    assert first.startswith("suite.obf: version ")
    assert f"{ISA}, 1 thread, hash 256 MB, yardstick 2.000" in first
    assert head.split() == ["#", "empties", "score", "ok", "nodes", "time", "s", "M", "nodes/s"]
    expected = [
        [str(number), "9", f"{solution.score.value:+d}", "yes", f"{solution.score.nodes:,d}"]
        for number, solution in enumerate((Solver(256).solve(position) for position in POSITIONS), 1)
    ]
    assert [row.split()[:5] for row in rows] == expected
    assert sums.split()[0] == "sum"
    assert int(sums.split()[1].replace(",", "")) == sum(int(row[4].replace(",", "")) for row in expected)
    assert elsewhere.endswith(" s on a machine with yardstick 1.0")


def test_a_report_and_a_comparison(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "old.json"
    assert run(monkeypatch, capsys, "solve", suite, "--problems", "2-3,5", "--json", old)[0] == 0
    report = json.loads(old.read_text())
    assert [one["index"] for one in report["problems"]] == [2, 3, 5]
    assert (report["suite"], report["isa"], report["threads"], report["yardstick"]) == ("suite.obf", ISA, 1, 2.0)
    # twice the nodes before, and half the time
    for one in report["problems"]:
        one["nodes"] *= 2
        one["time_s"] = 1000.0
    old.write_text(json.dumps(report))
    status, out, err = run(
        monkeypatch, capsys, "solve", suite, "--repeat", "3", "--compare", old, "--threads", "2"
    )
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[1].startswith("compared with suite.obf: ")
    assert lines[2] == "medians of 3 runs"
    rows = lines[4:9]
    assert [row.split()[-2:] for row in (rows[1], rows[2], rows[4])] == [["x0.500", "x0.000"]] * 3
    assert all("x" not in row for row in (rows[0], rows[3]))
    assert "x0.500" in lines[9]
    assert "(3 positions in common)" in lines[9]
    assert re.fullmatch(r"threads shared [0-9,]+ nodes", lines[10])


def test_json_alone(suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(monkeypatch, capsys, "solve", suite, "--json", "-")
    assert (status, err, out.count("\n")) == (0, "", 1)
    assert all(one["ok"] for one in json.loads(out)["problems"])


def test_a_wrong_score_is_a_finding(
    suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = suite.read_text().splitlines()
    move = POSITIONS[1].legal_moves[0]
    value = Solver(1).solve(POSITIONS[1]).score.value
    text[2] = format_obf(ObfEntry(POSITIONS[1], ((move, value + 2),)))
    suite.write_text("\n".join(text))
    status, out, err = run(monkeypatch, capsys, "solve", suite)
    assert status == 1
    assert err == f"{suite}: position 2: expected {value + 2:+d}, found {value:+d}\n"
    assert out.splitlines()[3].split()[3] == "NO"


def test_bad_input(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = new_file(tmp_path / "other.json", "[]")
    nested = new_file(tmp_path / "nested.json", "[" * 50_000)
    for status, arguments, words in (
        (65, [suite, "--problems", "9"], "position 9 not found"),
        (2, [suite, "--problems", "3-1"], "as in 1-5,8"),
        (2, [suite, "--problems", "0"], "as in 1-5,8"),
        (2, [suite, "--hash", "100000000"], "a hash of 100000000 MB does not fit"),
        (65, [suite, "--compare", other], "not a report of reversi bench solve"),
        (65, [suite, "--compare", nested], "not a report of reversi bench solve"),
        (66, [suite, "--compare", tmp_path / "none.json"], "no such file"),
        (66, [tmp_path / "none.obf"], "no such file"),
        (73, [suite, "--json", tmp_path / "none" / "new.json"], "cannot write"),
    ):
        found, _, err = run(monkeypatch, capsys, "solve", *arguments)
        assert (found, err.count("\n")) == (status, 1), (arguments, err)
        assert words in err
    suite.write_text(suite.read_text() + "nonsense\n")
    status, out, err = run(monkeypatch, capsys, "solve", suite)
    assert (status, err.count("\n")) == (65, 1)
    assert len(out.splitlines()) == 9


def test_perft(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(monkeypatch, capsys, "perft", "--depth", "7", "--json")
    assert status == 0
    found = json.loads(out)
    assert list(found) == ["rules", "depth", "leaves", "time_s", "leaves_per_s", "isa", "yardstick"]
    assert (found["rules"], found["depth"], found["leaves"], found["isa"]) == ("othello", 7, 55092, ISA)
    status, out, _ = run(monkeypatch, capsys, "perft", "--depth", "4", "--rules", "adjacent")
    assert status == 0
    assert "57,876 leaves" in out


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_an_interrupt_leaves_the_sums(tmp_path: Path) -> None:
    suite, report = tmp_path / "suite.txt", tmp_path / "report.json"
    suite.write_text("".join(format_board(one) + "\n" for one in [*POSITIONS[:2], random_ending(44, 1)]))
    with Started("bench", "solve", suite, "--json", report) as process:
        for _ in range(4):
            process.stdout.readline()
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.stdout.read(), process.stderr.read()
        assert process.wait() == 130
    assert err == ""
    assert out.splitlines()[0].split()[0] == "sum"
    assert [one["index"] for one in json.loads(report.read_text())["problems"]] == [1, 2]
