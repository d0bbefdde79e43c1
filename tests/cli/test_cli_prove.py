"""``reversi prove`` and ``reversi proof check``, as a user runs them."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from children import Child
from command_line import run_command
from endings import random_ending
from files import new_file
from reversi import Position, parse_rules
from reversi.inputs.input import positions_in
from reversi.solver import solve
from reversi.solver.proofs import ProofStore

START = "-----OX--XO----- X"
RULES = "othello,board=4x4"
HARD_20 = Path(__file__).parents[3] / "shared" / "data" / "suites" / "hard-20.obf"
COMMAND = (sys.executable, "-m", "reversi")


def proof(folder: Path, *options: str) -> Path:
    path = folder / "start.proof"
    run_command("prove", START, "--rules", RULES, "--leaf-empties", "6", "--proof", path, *options).ends(0)
    return path


def test_a_proof_is_written_and_checked(tmp_path: Path) -> None:
    path = proof(tmp_path)
    done = run_command("proof", "check", path).ends(0)
    assert done.stdout.startswith(f"{START}, {RULES}\n-10 exact for the side to move\n")
    found = json.loads(run_command("proof", "check", path, "--leaves", "2", "--solver", "full", "--json").stdout)
    assert (found["lower"], found["upper"], found["solved"]) == (-10, -10, 2)
    assert run_command("proof", "check", "-", data=path.read_bytes()).stdout == done.stdout


SKIPS = "adjacent,mandatory-capture,optional-skip,board=4x4"


@pytest.mark.thorough
def test_two_claims_about_one_board_are_two_claims(tmp_path: Path) -> None:
    texts, found = [], []
    for number, (after, value) in enumerate([("", 10), (" --", -10)]):
        path = tmp_path / f"{number}.proof"
        done = run_command("prove", f"{START}{after}", "--rules", SKIPS, "--proof", path)
        assert done.stdout.startswith(f"{START}{after}, adjacent,mandatory-capture,optional-skip,board=4x4\n")
        texts.append(run_command("proof", "check", path).stdout.splitlines()[:2])
        assert texts[-1] == [f"{START}{after}, {SKIPS}", f"{value:+d} exact for the side to move"]
        fields = json.loads(run_command("proof", "check", path, "--json").stdout)
        assert [fields[name] for name in ("board", "to_move", "rules")] == [START[:16], "X", SKIPS]
        assert [fields[name] for name in ("kind", "lower", "upper")] == ["exact", value, value]
        assert (fields["after_pass"], fields["not_checked"]) == (bool(after), [])
        assert "ended" not in fields
        found.append(fields["after_pass"])
        store = tmp_path / f"{number}.sqlite"
        words = ["prove", f"{START}{after}", "--rules", SKIPS, "--json"]
        proved = json.loads(run_command(*words, "--store", store).stdout)
        solved = json.loads(run_command("solve", f"{START}{after}", "--rules", SKIPS, "--json").stdout)
        for name in ("board", "to_move", "after_pass", "rules", "empties"):
            assert fields[name] == proved[name] == solved[name]
    assert found == [False, True]
    assert texts[0] != texts[1]


def test_a_claim_about_an_ended_game_says_so(tmp_path: Path) -> None:
    path, rules = tmp_path / "a.proof", "othello,optional-skip,board=4x4"
    assert run_command("prove", f"{START} ended", "--rules", rules, "--proof", path).returncode == 0
    assert run_command("proof", "check", path).stdout.startswith(f"{START} ended, {rules}\n+0 exact")
    fields = json.loads(run_command("proof", "check", path, "--json").stdout)
    assert (fields["after_pass"], fields["ended"], fields["kind"]) == (False, True, "exact")


def test_the_kind_and_what_was_not_checked_are_named(tmp_path: Path) -> None:
    path = proof(tmp_path, "--wld")
    fields = json.loads(run_command("proof", "check", path, "--leaves", "0", "--json").stdout)
    leaves = fields["leaves"]
    assert (fields["kind"], fields["lower"], fields["upper"]) == ("upper", -16, -2)
    assert fields["not_checked"] == [f"{leaves} of {leaves} leaves were not solved again"]


def test_a_long_or_broken_field_of_a_task_is_named(tmp_path: Path) -> None:
    tasks = tmp_path / "t.csv"
    for field, wrong in (
        (f'"{"x" * 131_073}"', "a field has more than 131,072 characters; is a quote not closed?"),
        ("1\r2", "a carriage return within the line; end lines with LF or CR LF"),
    ):
        tasks.write_bytes(f"obf,count,score,alpha,beta\n{START};,{field},0,-1,1\n".encode())
        run_command("prove", tasks, "--rules", RULES).ends(65, out="", err=f"reversi: {tasks}:2: {wrong}\n")


def test_an_answer_has_the_state_of_its_position(tmp_path: Path) -> None:
    tasks = tmp_path / "t.csv"
    lines = [f"{START};,1,0,-16,16", f"{START} --;,1,0,-16,16"]
    tasks.write_text("\n".join(["obf,count,score,alpha,beta", *lines]) + "\n")
    done = run_command("prove", tasks, "--rules", SKIPS)
    assert done.stdout.splitlines()[1:] == [f"{START};,1,10,10,10", f"{START} --;,1,-10,-10,-10"]


def test_prove_says_what_it_wrote(tmp_path: Path) -> None:
    words = ["prove", START, "--rules", RULES, "--wld", "--json", "--proof"]
    found = json.loads(run_command(*words, tmp_path / "a.proof").stdout)
    assert found["upper"] < 0
    assert found["statements"] >= found["leaves"] > 0
    piped = run_command("prove", START, "--rules", RULES, "--proof", "-", "--leaf-empties", "6")
    assert piped.stdout.encode() == proof(tmp_path).read_bytes()


def test_a_forged_file_is_a_finding(tmp_path: Path) -> None:
    path = proof(tmp_path)
    path.write_bytes(path.read_bytes().replace(b'"at_most":-10', b'"at_most":-12', 1))
    done = run_command("proof", "check", path).ends(1)
    assert done.stderr.startswith(f"reversi: {path}:")
    assert "the hash does not fit" in done.stderr


def test_an_existing_file_stays(tmp_path: Path) -> None:
    path = proof(tmp_path)
    run_command("prove", START, "--rules", RULES, "--proof", path).ends(73, says="--force overwrites it")
    proof(tmp_path, "--force")


def test_one_job_is_one_job(tmp_path: Path) -> None:
    done = run_command("prove", START, "--rules", RULES, "--store", tmp_path / "a.sqlite")
    assert re.fullmatch(rf"{START}, {RULES}\n-10 exact: 1 job, \d+ nodes\n", done.stdout)


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"{}\n", b'{"reversi_proof":2}\n', b"x" * 9999])
def test_another_file_is_no_certificate(tmp_path: Path, content: bytes) -> None:
    path = new_file(tmp_path / "a.proof", content)
    done = run_command("proof", "check", path).ends(65, out="")
    assert done.stderr.startswith(f"reversi: {path}: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("options", [("--hash", "99999999"), ("--cluster", "missing.json")])
def test_a_proof_that_does_not_begin_leaves_no_store(tmp_path: Path, options: tuple[str, str]) -> None:
    store = tmp_path / "a.sqlite"
    run_command("prove", START, "--rules", RULES, "--store", store, *options).ends(2)
    assert not store.exists()


def test_a_list_without_a_store_to_open_is_not_begun(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"obf,count,score,alpha,beta\n{START};,1,0,-1,1\n")
    done = run_command("prove", tmp_path / "t.csv", "--rules", RULES, "--store", tmp_path / "t.csv")
    assert (done.returncode, done.stdout) == (65, "")
    assert done.stderr == f"reversi: {tmp_path / 't.csv'}: not a store of reversi prove; give another file\n"


def test_a_field_with_a_comma_is_kept(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f'obf,count,score,alpha,beta\n{START};,"a,b",0,-1,1\n')
    words = ["prove", str(tmp_path / "t.csv"), "--rules", RULES]
    assert run_command(*words).stdout.splitlines()[1] == f'{START};,"a,b",-2,-16,-2'
    found = json.loads(run_command(*words, "--json").stdout)
    assert (found["count"], found["score"], found["line"]) == ("a,b", -2, 2)


def test_a_damaged_store_is_named(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    words = ["prove", START, "--rules", RULES, "--store", str(store)]
    assert run_command(*words).returncode == 0
    store.write_bytes(store.read_bytes()[:6000])
    done = run_command(*words).ends(65, out="")
    assert done.stderr == f"reversi: {store}: damaged; give another file, and the proof begins again\n"


def test_an_empty_list_is_no_input(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("obf,count,score,alpha,beta\n")
    done = run_command("prove", tmp_path / "t.csv")
    assert (done.returncode, done.stdout, done.stderr) == (
        65,
        "",
        f"reversi: {tmp_path / 't.csv'} contains no task\n",
    )


def test_a_store_continues(tmp_path: Path) -> None:
    store = tmp_path / "start.sqlite"
    words = ["prove", START, "--rules", RULES, "--frontier-empties", "8", "--store", str(store)]
    first = json.loads(run_command(*words, "--json").stdout)
    assert (first["lower"], first["upper"]) == (-10, -10)
    assert first["jobs"] > 1
    again = json.loads(run_command(*words, "--json", "--wld").stdout)
    assert (again["jobs"], again["nodes"]) == (first["jobs"], first["nodes"])
    path = tmp_path / "start.proof"
    done = run_command(*words, "--leaf-empties", "6", "--proof", path)
    assert done.stdout.startswith(f"{START}, {RULES}\n-10 exact: ")
    assert "statements" in done.stdout
    assert run_command("proof", "check", path).returncode == 0
    other = run_command("prove", "----XXX--OX----- O", "--rules", RULES, "--store", store).ends(65)
    assert "belongs to other positions" in other.stderr
    assert other.stderr.count("\n") == 1


def test_a_killed_store_has_what_was_committed_and_loses_its_journal(tmp_path: Path) -> None:
    """The process is killed while it writes: all that was committed is there, and no other file stays."""
    store = tmp_path / "a.sqlite"
    program = (
        "import itertools, sys\n"
        "from pathlib import Path\n"
        "from reversi import Position, parse_rules\n"
        "from reversi.solver.proofs import ProofStore\n"
        f"start = Position(parse_rules({RULES!r}))\n"
        f"store = ProofStore(Path({str(store)!r}), {RULES!r}, '{START}')\n"
        "for number in itertools.count(store.count('jobs') + 1):\n"
        "    store.add('jobs', 1)\n"
        "    store.save_look(start, number, True, None)\n"
        "    store.commit(now=True)\n"
        "    print(number, flush=True)\n"
    )
    dice = random.Random(1)
    committed = 0
    for _ in range(5):
        with Child([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            said = [process.stdout.readline() for _ in range(dice.randrange(1, 60))]
            process.kill()
            committed = max(map(int, said + process.stdout.read().split()))
        assert store.with_name("a.sqlite-journal").exists()
        with ProofStore(store, RULES, START) as opened:
            start = Position(parse_rules(RULES))
            jobs = opened.count("jobs")
            assert jobs >= committed
            assert all(opened.look(start, number) is not None for number in range(1, jobs + 1))
            assert opened.look(start, jobs + 1) is None
        assert [file.name for file in tmp_path.iterdir()] == ["a.sqlite"]
    assert committed > 5


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for another process")
@pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed")
def test_a_signal_ends_the_wait_for_a_cluster(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    with socket.create_server(("127.0.0.1", 0)) as server:  # takes connections and never answers
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        command = [*COMMAND, "prove", "f5", "--store", str(store), "--cluster", address]
        with Child(command, stderr=subprocess.PIPE) as process:
            try:
                with server.accept()[0]:
                    process.send_signal(signal.SIGINT)
                    assert process.wait(60) == 130
            finally:
                process.kill()
    assert not store.exists()


def test_a_finished_store_loses_the_journal_of_a_killed_run(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    words = ["prove", START, "--rules", RULES, "--frontier-empties", "8", "--store", str(store)]
    first = run_command(*words)
    with ProofStore(store, RULES, START) as opened:
        opened.add("jobs", 0)
        opened.commit(now=True)
        copies = {file.name: file.read_bytes() for file in tmp_path.iterdir()}  # as a kill now leaves them
    assert set(copies) == {"a.sqlite", "a.sqlite-journal"}
    for name, content in copies.items():
        (tmp_path / name).write_bytes(content)
    assert run_command(*words).stdout == first.stdout
    assert [file.name for file in tmp_path.iterdir()] == ["a.sqlite"]


@pytest.mark.slow
def test_a_killed_command_continues(tmp_path: Path) -> None:
    store = tmp_path / "ending.sqlite"
    ending = random_ending(20, 1)
    text = f"{ending.cells} {ending.to_move.symbol}"
    command = [*COMMAND, "prove", text, "--store", str(store), "--frontier-empties", "15", "--json"]
    dice = random.Random(1)
    for _ in range(5):
        last = jobs_done(store) + dice.randrange(20, 60)
        with Child(command, stdout=subprocess.PIPE) as process:
            while jobs_done(store) < last:
                assert process.poll() is None, "the proof has ended before it was killed"
                time.sleep(0.02)
            process.kill()
    found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    value = solve(ending).score.value
    assert (found["lower"], found["upper"]) == (value, value)
    assert found["jobs"] > 100
    assert not store.with_name(f"{store.name}-journal").exists()


def jobs_done(store: Path) -> int:
    """The jobs that a store counts; it belongs to another process, so this reads a copy."""
    with contextlib.suppress(OSError, sqlite3.Error):
        copy = store.with_name("copy.sqlite")
        for file in store.parent.glob(f"{store.name}*"):
            shutil.copy(file, copy.with_name(file.name.replace(store.name, copy.name)))
        with contextlib.closing(sqlite3.connect(copy)) as database:
            counts = dict(database.execute("select name, value from counts"))
        return int(counts.get("jobs", 0))
    return 0


def test_the_time_of_a_proof_is_limited(tmp_path: Path) -> None:
    store, path = tmp_path / "start.sqlite", tmp_path / "start.proof"
    words = ["prove", "f5", "--threads", "1", "--hash", "1", "--total-time", "0.01"]
    done = run_command(*words, "--proof", path)
    message = "reversi: --total-time is over before the proof is complete"
    assert (done.returncode, done.stdout, done.stderr) == (3, "", f"{message}\n")
    assert not path.exists()
    run_command(*words, "--store", store).ends(3, err=f"{message}; the same command continues {store}\n")
    run_command("prove", START, "--rules", RULES, "--total-time", "inf", "--proof", path).ends(0)
    assert run_command("prove", "f5", "--total-time", "nan", "--store", store).returncode == 2


def test_a_task_list_is_answered_in_its_columns(tmp_path: Path) -> None:
    header = "obf,count,score,alpha,beta"
    tasks = tmp_path / "tasks.csv"
    endings = [random_ending(9, seed) for seed in range(4)]
    values = [solve(position).score.value for position in endings]
    windows = [(-64, 64), (values[1] - 1, values[1] + 1), (values[2], values[2] + 2), (-64, values[3] - 3)]
    lines = [
        f"{position.cells} {position.to_move.symbol};,{7 * number},0,{alpha},{beta}"
        for number, (position, (alpha, beta)) in enumerate(zip(endings, windows, strict=True))
    ]
    tasks.write_text("\n".join([header, *lines]) + "\n")
    done = run_command("prove", tasks, "--store", tmp_path / "tasks.sqlite")
    found = done.stdout.splitlines()
    assert found[0] == header
    bounds = [
        (values[0], values[0]),
        (values[1], values[1]),
        (-64, values[2]),
        (values[3] - 3 + (values[3] - 3) % 2, 64),
    ]
    assert [tuple(map(int, line.split(",")[3:])) for line in found[1:]] == bounds
    assert [line.split(",")[:2] for line in found[1:]] == [line.split(",")[:2] for line in lines]
    assert run_command("prove", tasks, "--store", tmp_path / "tasks.sqlite").stdout == done.stdout
    for option in (["--wld"], ["--proof", tmp_path / "a.proof"], ["--to-move", "black"]):
        run_command("prove", tasks, *option).ends(2, says=f"{option[0]} is for one position, not for a task list")
    run_command("prove", f"{tasks}#1").ends(2, out="", says="a task list has no games")
    first = json.loads(run_command("prove", tasks, "--json").stdout.splitlines()[0])
    assert (first["count"], first["score"], first["line"]) == ("0", values[0], 2)


@pytest.mark.skipif(not HARD_20.exists(), reason="../shared/data is not there")
def test_ten_lines_of_a_task_list_have_the_published_values(tmp_path: Path) -> None:
    entries = list(positions_in(HARD_20.read_text()))[:10]
    windows = [(-64, 64), (-1, 1), (-3, 3), (-64, 0), (0, 64), (-7, -5), (1, 2), (-2, 0), (-10, 10), (3, 64)]
    lines, values = ["obf,count,score,alpha,beta"], []
    for entry, (alpha, beta) in zip(entries, windows, strict=True):
        assert entry.position is not None
        lines.append(f"{entry.position.cells} {entry.position.to_move.symbol};,1,0,{alpha},{beta}")
        values.append(max(score for _, score in entry.annotated))
    tasks = new_file(tmp_path / "tasks.csv", "\n".join([*lines, ""]))
    done = run_command("prove", tasks, "--store", tmp_path / "tasks.sqlite", "--frontier-empties", "18")
    found = [tuple(map(int, line.split(",")[2:])) for line in done.stdout.splitlines()[1:]]
    for value, (alpha, beta), (score, low, high) in zip(values, windows, found, strict=True):
        assert low <= value <= high
        if alpha < value < beta:
            assert (score, low, high) == (value, value, value)
        elif value >= beta:
            assert (score, high) == (low, 64)
            assert low >= beta
        else:
            assert (low, score) == (-64, high)
            assert high <= alpha


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x;,1,0,-64,64", "t.csv:2: "),
        (f"{'-' * 27}XO------OX{'-' * 27} X;,1,0,2,2", "t.csv:2: alpha must be below beta"),
        (f"{'-' * 27}XO------OX{'-' * 27} X;,1,0,a,2", "t.csv:2: alpha and beta must be whole numbers"),
        ("1,2", "t.csv:2: 2 fields, not 5"),
        ("1", "t.csv:2: 1 field, not 5"),
    ],
)
def test_a_wrong_task_is_named(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "t.csv").write_text(f"obf,count,score,alpha,beta\n{line}\n")
    done = run_command("prove", tmp_path / "t.csv").ends(65, says=message)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["prove", START, "--rules", RULES], 2, "name a certificate with --proof"),
        (["prove", START, "--proof", "-"], 65, "reversi: 16 cells where"),
        (["prove", START, "--proof", "new", "--store", "new"], 2, "--store and --proof name the same file"),
        (
            ["prove", START, "--proof", "no/a.proof"],
            73,
            "no/a.proof: cannot write: folder no does not exist; create it first",
        ),
        (
            ["prove", START, "--rules", RULES, "--store", "no/a"],
            73,
            "no/a: cannot write: folder no does not exist; create it first",
        ),
        (["prove", f"{START}\n{START}", "--rules", RULES, "--proof", "-"], 65, "contains 2 positions"),
        (["prove", START, "--rules", RULES, "--store", "-"], 2, "give the name of a file"),
        (["prove", START, "--rules", RULES, "--store", "no/a.sqlite"], 73, "no/a.sqlite: cannot write"),
        (["proof", "check", "missing.proof"], 66, "no such file"),
        (["proof", "check", "x", "--leaves", "some"], 2, "give all, or a number"),
        (["proof", "check", "x", "--solver", "fast"], 2, "give plain or full"),
    ],
)
def test_wrong_use_is_named(words: list[str], status: int, message: str) -> None:
    done = run_command(*words).ends(status, says=message)
    assert (done.stderr.count("\n"), done.stderr.count("reversi: ")) == (1, 1)
