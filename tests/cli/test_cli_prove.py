"""``reversi prove`` and ``reversi proof check``, as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import run_command

START = "-----OX--XO----- X"
RULES = "othello,board=4x4"


def proof(folder: Path, *options: str) -> Path:
    path = folder / "start.proof"
    done = run_command("prove", START, "--rules", RULES, "--leaf-empties", "6", "--proof", path, *options)
    assert done.returncode == 0, done.stderr
    return path


def test_a_proof_is_written_and_checked(tmp_path: Path) -> None:
    path = proof(tmp_path)
    done = run_command("proof", "check", path)
    assert done.returncode == 0
    assert done.stdout.startswith(f"{START}, {RULES}\n-10 exact for the side to move\n")
    found = json.loads(run_command("proof", "check", path, "--leaves", "2", "--solver", "full", "--json").stdout)
    assert (found["lower"], found["upper"], found["solved"]) == (-10, -10, 2)
    assert run_command("proof", "check", "-", data=path.read_bytes()).stdout == done.stdout


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
    done = run_command("proof", "check", path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"reversi: {path}:")
    assert "the hash does not fit" in done.stderr


def test_an_existing_file_stays(tmp_path: Path) -> None:
    path = proof(tmp_path)
    done = run_command("prove", START, "--rules", RULES, "--proof", path)
    assert done.returncode == 73
    assert "--force overwrites it" in done.stderr
    proof(tmp_path, "--force")


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["prove", START, "--rules", RULES], 2, "name the file of the certificate with --proof"),
        (["prove", f"{START}\n{START}", "--rules", RULES, "--proof", "-"], 65, "contains 2 positions"),
        (["proof", "check", "missing.proof"], 66, "no such file"),
        (["proof", "check", "x", "--leaves", "some"], 2, "give all, or a number"),
        (["proof", "check", "x", "--solver", "fast"], 2, "give plain or full"),
    ],
)
def test_wrong_use_is_named(words: list[str], status: int, message: str) -> None:
    done = run_command(*words)
    assert done.returncode == status
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
