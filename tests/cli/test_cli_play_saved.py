"""``reversi play`` as processes: games that survive a crash, whole scripted games, clocks, options."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from children import Child
from command_line import Done, Started, run_command
from files import new_file
from random_games import random_game
from reversi.records import parse_record
from reversi.records.from_game import game_from_record
from reversi.rules import NAMED_RULES
from reversi.session.sentences import ply_sentence

HUMANS = ("--black", "human", "--white", "human")
posix = pytest.mark.skipif(os.name == "nt", reason="needs signals or a pseudo-terminal")


def play(state: Path, *arguments: str | Path, lines: Iterable[object] = ()) -> Done:
    return run_command("play", "--state", state, *arguments, data="".join(f"{line}\n" for line in lines))


@contextmanager
def playing(state: Path, *arguments: str) -> Iterator[Started]:
    with Started("play", "--state", state, *arguments) as process:
        yield process


def answered(process: Started, line: str, answer: str) -> None:
    """Send a line, and wait until the answer to it is there."""
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
    for shown in process.stdout:
        if shown.startswith(answer):
            return
    raise AssertionError(f"no {answer!r} after {line!r}")


@pytest.mark.thorough
@posix
def test_a_killed_game_continues(tmp_path: Path) -> None:
    with playing(tmp_path, *HUMANS, "--rules", "adjacent", "--clock", "5:00+3", "-q") as process:
        answered(process, "c3", "1. Black c3, flips ")
        answered(process, "c6", "2. White c6, flips ")
        answered(process, "undo", "Took back")
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=60)
    assert [path.suffix for path in sorted((tmp_path / "games").iterdir())] == [".lock", ".session"]
    done = play(tmp_path, "--resume", "-q", lines=["redo", "clock", "f6", "record"]).ends(0, err="")
    assert "2. White c6, flips nothing; " in done.stdout
    assert "Clock: Black 5:0" in done.stdout
    record = parse_record(done.stdout[done.stdout.index("[Event") :].partition("Unfinished")[0])
    assert [str(move) for move in record.moves] == ["c3", "c6", "f6"]
    assert str(record.rules) == "adjacent"
    again = play(tmp_path, "--resume", "-q", lines=["resign"])
    assert "Black wins" in again.stdout
    done = play(tmp_path, "--resume").ends(66)
    assert done.stderr == f"reversi: --resume: {tmp_path / 'games'}: no unfinished game to resume\n"


@pytest.mark.thorough
@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_game_continues(tmp_path: Path, number: int) -> None:
    file = tmp_path / "records" / "game.pgn"
    file.parent.mkdir()
    with playing(tmp_path, "--level", "1", "--seed", "1", "-q", "--save", str(file)) as process:
        answered(process, "f5", "2. White")
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    moves = parse_record(file.read_text(encoding="utf-8")).moves
    assert (str(moves[0]), len(moves)) == ("f5", 2)
    assert [path.name for path in file.parent.iterdir()] == ["game.pgn"]
    done = play(tmp_path, "--resume", "-q", lines=["record"])
    assert "level 1" in done.stdout
    assert file.read_text(encoding="utf-8") in done.stdout


def test_an_older_game_continues(tmp_path: Path) -> None:
    for move in ("f5", "e6"):
        play(tmp_path, *HUMANS, "-q", lines=[move])
    first, second = sorted((tmp_path / "games").glob("*.session"))
    assert "1. e6 *" in play(tmp_path, "--resume", "-q", lines=["record"]).stdout
    assert "1. f5 *" in play(tmp_path, "--resume", str(first), "-q", lines=["record"]).stdout
    assert "1. e6 *" in play(tmp_path, f"--resume={second}", "-q", lines=["record"]).stdout
    second.write_text("{}")
    for place, status in ((second, 65), (tmp_path / "none.session", 66)):
        done = play(tmp_path, "--resume", str(place))
        assert (done.returncode, len(done.stderr.splitlines())) == (status, 1)


def test_the_games_of_a_file_stay(tmp_path: Path) -> None:
    file = tmp_path / "g.pgn"
    save = ("-q", "--save", str(file))
    assert play(tmp_path, *HUMANS, *save, lines=["quit"]).returncode == 0
    assert not file.exists()
    play(tmp_path, *HUMANS, *save, lines=["f5", "d6", "resign", "quit"])
    first = file.read_bytes()
    assert first.endswith(b"\n1. f5 d6 0-1\n")
    assert play(tmp_path, *HUMANS, *save, lines=["quit"]).returncode == 0
    assert file.read_bytes() == first
    play(tmp_path, *HUMANS, *save, lines=["c4", "e3", "new", "f5", "quit"])
    two = file.read_bytes().rpartition(b"\n[Event")[0]
    assert two.startswith(first + b"\n[Event")
    play(tmp_path, "--resume", *save, lines=["f6", "quit"]).ends(0, err="")
    assert file.read_bytes().startswith(two + b"\n[Event")
    results = [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("1.")]
    assert results == ["1. f5 d6 0-1", "1. c4 e3 *", "1. f5 f6 *"]


def test_a_file_that_holds_no_records_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    play(tmp_path / "state", *HUMANS, "-q", lines=["f5"])
    for data in (b"\x7fELF\0\1", b"words\n", b"f5d6\n"):
        file.write_bytes(data)
        for more in (HUMANS, ("--resume",)):
            done = play(tmp_path / "state", *more, "--save", str(file), lines=["f5"])
            assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (65, "", 1)
            assert done.stderr.startswith(f"reversi: --save: {file}: ")
            assert file.read_bytes() == data
    assert not list((tmp_path / "state" / "games").glob("*.lock"))


def test_the_end_of_input_leaves_a_saved_game(tmp_path: Path) -> None:
    done = play(tmp_path, *HUMANS, "-q", lines=["f5", "d6"])
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "Unfinished: discs 3-3, Black to move.")
    done = play(tmp_path, "--resume", lines=["undo 2"]).ends(0, prints="Black to move. Discs: Black 3, White 3.\n")
    assert "Took back f5 d6." in done.stdout


@pytest.mark.parametrize("rules", NAMED_RULES)
def test_a_scripted_game_of_each_rule_set_is_stable(tmp_path: Path, rules: str) -> None:
    game, file = random_game(rules, 11), tmp_path / "game.pgn"
    lines = [ply.move for ply in game if not ply.is_forced_pass]
    first = play(tmp_path, *HUMANS, "--rules", rules, "--save", str(file), lines=lines).ends(0, err="")
    assert first.stdout.endswith(f"Result: {game.outcome}\n")
    assert game_from_record(parse_record(file.read_text(encoding="utf-8"))).moves == game.moves
    quiet = play(tmp_path, *HUMANS, "--rules", rules, "-q", lines=lines)
    shown = [f"{ply.number}. {ply_sentence(ply)}" for ply in game]
    handed = [line for line in quiet.stdout.splitlines() if "hands one over" in line]
    assert len(handed) == sum(ply.handed_over for ply in game)
    rest = [line for line in quiet.stdout.splitlines() if line not in handed]
    assert rest == [*shown, f"Result: {game.outcome}"]


@pytest.mark.parametrize("rules", NAMED_RULES)
def test_a_game_against_the_engine_is_stable_with_a_seed(tmp_path: Path, rules: str) -> None:
    """A person who lets the engine advise: every line of the script is the same, whatever has been played."""
    arguments = ("--rules", rules, "--level", "1", "--seed", "7", "-q")
    lines = ["go"] * 70
    runs = {play(tmp_path, *arguments, lines=lines).stdout for _ in range(2)}
    assert len(runs) == 1
    assert "\nResult: " in runs.pop()


def test_discs_flipped_by_hand_are_in_the_record_and_judged(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    lines = ["f5", "g5", "flip e5", "flip all", "quit"]
    done = play(tmp_path, *HUMANS, "--flipping", "manual", "--save", str(file), "-q", lines=lines)
    assert done.stdout.splitlines()[2] == (
        "e5: too late to correct f5; White has moved, and the board stands as it is."
    )
    assert "1. f5 {[%flips]} 1... g5 {[%flips f5]} *" in file.read_text(encoding="utf-8")
    run_command("record", "validate", file).ends(1, prints="f5: flipped none; by the rules: e5 [wrong-flips]")


def test_loading_a_game_of_a_file(tmp_path: Path) -> None:
    file = new_file(tmp_path / "games.pgn", '[Event "a"]\n\n1. c4 *\n\n[Event "b"]\n\n1. f5 d6 2. c3 *\n')
    done = play(tmp_path, *HUMANS, "--load", f"{file}#2@1", "-q", lines=["redo 2", "record"])
    assert done.stdout.startswith("2. White d6, flips d5; Black to move.\n3. Black c3, flips d4; White to move.\n")
    assert '[Event "b"]' in done.stdout
    for place, status in ((f"{file}#3", 65), (f"{file}@7", 65), (str(tmp_path / "none"), 66)):
        done = play(tmp_path, "--load", place).ends(status, out="")
        assert len(done.stderr.splitlines()) == 1


def test_openings(tmp_path: Path) -> None:
    done = play(tmp_path, *HUMANS, "--opening", "tiger", "-q", lines=["record", "opening cow", "xot 5", "record"])
    assert done.returncode == 0
    assert '[Opening "Tiger"]' in done.stdout
    assert "1. f5 d6 2. c3 d3 3. c4 *" in done.stdout
    drawn = done.stdout.rstrip().splitlines()[-2]
    assert drawn.endswith(" *")
    again = play(tmp_path, *HUMANS, "--xot", "5", "-q", lines=["record"])
    assert drawn in again.stdout
    free = {play(tmp_path, *HUMANS, "-q", "--seed", seed, "--xot", lines=["record"]).stdout for seed in "12"}
    assert len(free) == 2
    for wrong in (("--opening", "tigr"), ("--opening", "tiger", "--rules", "adjacent,board=6x6"), ("--xot=x",)):
        done = play(tmp_path, *wrong)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--clock", "5:00/3:00/1:00"),
        ("--clock-black", "5:00/3:00"),
        ("--clock-white", "soon"),
        ("--black", "engine:0"),
        ("--flipping", "sometimes"),
        ("--ui", "screen"),
        ("--resume", "--rules", "othello"),
        ("--resume", "--clock", "5:00"),
        ("--resume", "--level", "3"),
        ("--resume", "--no-undo"),
        ("--start", "f5", "--load", "x.pgn"),
        ("--xot", "abc"),
        ("--opening", "-q"),
        ("--save", "--quiet"),
        ("--start", "-q"),
    ],
)
def test_wrong_options(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    play(tmp_path, *arguments, lines=["f5"]).ends(2, out="", says=arguments[0].lstrip("-"))


def test_a_game_to_resume_that_is_not_there(tmp_path: Path) -> None:
    for name in (tmp_path / "none", tmp_path / "none.session"):
        play(tmp_path, "--resume", name).ends(66, out="", err=f"reversi: --resume: {name}: no such file\n")
    play(tmp_path, "--resume", tmp_path).ends(66, says=str(tmp_path))


def test_players_and_clocks(tmp_path: Path) -> None:
    arguments = (
        "--black",
        "engine:1",
        "--white",
        "engine:0.05s",
        "--clock",
        "1:00+1",
        "--clock-white",
        "0:30+2x10",
    )
    done = play(tmp_path, *arguments, "--rules", "othello,board=4x4", "--seed", "1").ends(0)
    assert done.stdout.startswith("Black: engine level 1. White: engine 0.05 s. Rules: othello,board=4x4.\n")
    assert "\nResult: " in done.stdout
    assert "run out of time" not in done.stdout


def test_a_state_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    done = play(tmp_path / "state", *HUMANS, "-q", lines=["f5", "d6"]).ends(73)
    assert done.stdout.splitlines()[:2] == [
        "1. Black f5, flips e5; White to move.",
        "2. White d6, flips d5; Black to move.",
    ]
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.endswith("--resume cannot continue this game\n")


def test_a_state_folder_that_cannot_be_made_is_reported_before_the_first_move(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    for start in ([], ["--xot", "3"]):
        done = play(tmp_path / "state", *HUMANS, "-q", *start, lines=[]).ends(73)
        assert len(done.stderr.splitlines()) == 1
        assert done.stderr.endswith("--resume cannot continue this game\n")


@pytest.mark.thorough
@posix
def test_a_flag_falls_at_a_terminal_without_a_key(tmp_path: Path) -> None:
    import pty

    main, other = pty.openpty()
    command = [sys.executable, "-m", "reversi", "play", *HUMANS, "--ui", "line", "--clock", "-/0:01"]
    process = Child([*command, "--state", str(tmp_path)], stdin=other, stdout=other, stderr=other)
    os.close(other)
    seen, until = b"", time.monotonic() + 60
    # a key that comes before the prompt has the terminal is lost, so a line is typed until it is heard
    while b"1. Black f5, flips e5; White to move." not in seen and time.monotonic() < until:
        while select.select([main], [], [], 0.3)[0]:
            seen += os.read(main, 1024)
        os.write(main, b"f5\r")
    while b"undo, analyze, new, save FILE or quit?" not in seen and time.monotonic() < until:
        seen += os.read(main, 1024)
    with contextlib.suppress(OSError):  # how Linux tells the end; until then a terminal takes what is written
        while process.poll() is None and time.monotonic() < until:
            os.write(main, b"\x04")
            while select.select([main], [], [], 0.3)[0]:
                seen += os.read(main, 1024)
    process.wait(timeout=60)
    os.close(main)
    assert process.returncode == 0
    assert b"White has run out of time." in seen
    assert b"Result: Black wins by time forfeit (1-0)" in seen


@pytest.mark.thorough
@posix
def test_ctrl_c_at_a_terminal(tmp_path: Path) -> None:
    import pty

    main, other = pty.openpty()
    command = [sys.executable, "-m", "reversi", "play", *HUMANS, "--ui", "line", "--state", str(tmp_path)]
    process = Child(command, stdin=other, stdout=other, stderr=other, start_new_session=True)
    os.close(other)
    seen = b""
    for answer, keys in ((b"Black> ", b"f5\r"), (b"White> ", b"d6")):
        while answer not in seen:
            seen += os.read(main, 1024)
        os.write(main, keys)
    while b"d6" not in seen.rpartition(b"White> ")[2]:  # the dialogue has the keys, and no move yet
        seen += os.read(main, 1024)
    # one that comes just before readline waits is not noticed until the next: press again, as a person does
    for _ in range(12):
        os.killpg(process.pid, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)
            break
    seen += os.read(main, 4096)
    os.close(main)
    assert process.returncode == 130
    assert b"The game is saved; reversi play --resume continues it." in seen
    done = play(tmp_path, "--resume", "-q", lines=["record"])
    assert "\n1. f5 *\n" in done.stdout


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("command", [["play", "-q", *HUMANS], ["perft", "1"], ["rules", "list"]])
def test_a_full_disk(tmp_path: Path, command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "reversi", *command],
            input="f5\nd6\n",
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "REVERSI_STATE": str(tmp_path)},
            check=False,
        )
    assert done.returncode == 73
    assert done.stderr == "reversi: standard output: cannot write: No space left on device\n"


@pytest.mark.thorough
@posix
def test_at_a_terminal_a_game_that_is_not_kept_says_so(tmp_path: Path) -> None:
    import pty

    (tmp_path / "state").write_text("")
    main, other = pty.openpty()
    command = [
        sys.executable,
        "-m",
        "reversi",
        "play",
        *HUMANS,
        "--ui",
        "line",
        "--state",
        str(tmp_path / "state"),
    ]
    with Child(command, stdin=other, stdout=other, stderr=other) as process:
        os.close(other)
        os.write(main, b"f5\nd6\nquit\n")
        seen = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while part := os.read(main, 4096):
                seen += part
        assert process.wait(60) == 73
    os.close(main)
    assert b"The game is kept" not in seen
    assert b"The game is not saved: " in seen
