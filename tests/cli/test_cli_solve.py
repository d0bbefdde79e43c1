"""``reversi solve``, as a user runs it."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from children import Child
from command_line import ENVIRONMENT, Done, Started, run_command, run_with_terminal
from endings import random_ending, random_endings
from patience import SOON_S
from reversi import Move, Position, Solver, parse_rules
from reversi._core import ISA
from reversi.text.boards import format_board
from reversi.text.obf import ObfEntry, format_obf

SMALL = random_endings(8, 6)
DEEP = random_ending(44, 1)
OVER = "X" * 62 + "-- X"
MUST_PASS = "XXXXXXXX" * 7 + "XXXXXXO- O"
FIELDS = ["index", "line", "board", "to_move", "after_pass", "rules", "empties", "score", "kind", "lower", "upper"]
FIELDS += ["depth", "confidence", "best", "pv", "nodes", "time_s", "threads", "isa"]
POSIX = pytest.mark.skipif(os.name == "nt", reason="signals and terminals of Unix")


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "reversi", "solve", *map(str, arguments)]


def run(*arguments: str | Path, data: str = "") -> Done:
    return run_command("solve", *arguments, data=data)


def lines_of(done: Done) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def read(path: Path) -> list[dict[str, Any]]:
    content = path.read_text()
    assert content.endswith("\n") or not content
    return [json.loads(line) for line in content.splitlines()]


def saved(path: Path, *lines: str) -> Path:
    path.write_text("".join(line + "\n" for line in lines))
    return path


def boards(positions: list[Position]) -> list[str]:
    return [format_board(position) for position in positions]


def annotated(position: Position) -> list[tuple[Move, int]]:
    return [(one.move, one.score.value) for one in Solver(1).solve(position, all_moves=True).moves]


def obf(position: Position, wrong: int = 0) -> str:
    """A line of OBF with every move's score; the best one off by ``wrong``."""
    moves = annotated(position)
    return format_obf(ObfEntry(position, ((moves[0][0], moves[0][1] + wrong), *moves[1:])))


def exact(position: Position) -> int:
    return Solver(1).solve(position).score.value


# --- inputs


def test_a_pasted_board() -> None:
    done = run(format_board(SMALL[0])).ends(0, err="")
    assert done.stdout.count("\n") == 1
    value = exact(SMALL[0])
    leader = "draw" if not value else f"{SMALL[0].to_move if value > 0 else SMALL[0].to_move.opponent} wins"
    assert done.stdout.startswith(f"{value:+d} exact, {leader}, 8 empty: ")


def test_a_file_standard_input_and_a_pasted_list_say_the_same(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.txt", *boards(SMALL))
    text = path.read_text()

    def comparable(done: Done) -> list[dict[str, Any]]:
        assert (done.returncode, done.stderr) == (0, "")
        return [{name: one[name] for name in FIELDS if name not in ("time_s", "nodes")} for one in lines_of(done)]

    expected = comparable(run(path, "--json", "--threads", "1"))
    assert [one["score"] for one in expected] == [exact(position) for position in SMALL]
    assert [one["index"] for one in expected] == [1, 2, 3, 4, 5, 6]
    assert comparable(run("-", "--json", "--threads", "1", data=text)) == expected
    assert comparable(run(text, "--json", "--threads", "1")) == expected


def test_the_table_of_many(tmp_path: Path) -> None:
    done = run(saved(tmp_path / "a.txt", *boards(SMALL))).ends(0, err="")
    header, *rows, sums = done.stdout.splitlines()
    assert header.split() == ["#", "empties", "score", "nodes", "time", "best", "line"]
    assert [row.split()[:3] for row in rows] == [
        [str(number), "8", f"{exact(position):+d}"] for number, position in enumerate(SMALL, 1)
    ]
    assert sums.startswith("6 positions, ")


def test_a_transcript_and_other_rules() -> None:
    done = run("b1a1a2", "--rules", "othello,board=4x4", "--json").ends(0, err="")
    start = Position(parse_rules("othello,board=4x4"))
    position = start.play("b1").play("a1").play("a2")
    assert lines_of(done)[0]["score"] == exact(position)
    assert lines_of(done)[0]["rules"] == "othello,board=4x4"


@pytest.mark.parametrize(
    "rules", ["othello,board=4x4", "adjacent,board=4x4", "adjacent,mandatory-capture,optional-skip,board=4x4"]
)
def test_variants(rules: str) -> None:
    scores = {"othello,board=4x4": -10, "adjacent,mandatory-capture,optional-skip,board=4x4": 10}
    start = Position(parse_rules(rules))
    done = run(format_board(start), "--rules", rules, "--json", "--all-moves").ends(0, err="")
    (one,) = lines_of(done)
    assert one["score"] == scores.get(rules, one["moves"][0]["score"])
    assert {move["move"] for move in one["moves"]} == {str(move) for move in start.legal_moves}


def test_bad_lines_do_not_stop_the_others(tmp_path: Path) -> None:
    texts = boards(SMALL)
    path = saved(tmp_path / "a.txt", texts[0], "XO-XO-X", "", "% comment", texts[1][:-4] + "X", texts[2], "zzz")
    done = run(path, "--json").ends(65)
    assert [(one["index"], one["line"]) for one in lines_of(done)] == [(1, 1), (4, 6)]
    messages = done.stderr.splitlines()
    assert [message.split(": ")[0] for message in messages] == [f"{path}:2", f"{path}:5", f"{path}:7"]


def test_nothing_to_solve(tmp_path: Path) -> None:
    assert run("-", data="").returncode == 65
    assert run(saved(tmp_path / "a.txt", "% only a comment")).returncode == 65
    done = run(tmp_path / "none.obf").ends(66)
    assert done.stderr.count("\n") == 1


# --- results


def test_json_fields() -> None:
    done = run(format_board(SMALL[0]), "--json")
    (one,) = lines_of(done)
    assert list(one) == FIELDS
    score = exact(SMALL[0])
    assert (one["index"], one["line"], one["empties"], one["depth"], one["confidence"]) == (1, 1, 8, 8, 100)
    assert (one["score"], one["kind"], one["lower"], one["upper"]) == (score, "exact", score, score)
    assert f"{one['board']} {one['to_move']}" == format_board(SMALL[0])
    assert (one["after_pass"], one["rules"], one["isa"], one["threads"]) == (False, "othello", ISA, 1)
    assert one["best"] == one["pv"][:1]
    assert one["nodes"] > 0
    assert one["time_s"] >= 0


def test_the_line_leads_to_the_score() -> None:
    (one,) = lines_of(run(format_board(SMALL[1]), "--json"))
    position = SMALL[1]
    for move in one["pv"]:
        position = position.play(move)
    assert position.result is not None
    assert one["score"] == position.result.score * (1 if SMALL[1].to_move.symbol == "X" else -1)


def test_every_move() -> None:
    done = run(format_board(SMALL[0]), "--json", "--all-moves")
    (one,) = lines_of(done)
    assert list(one) == [*FIELDS, "moves"]
    moves = {move["move"]: move["score"] for move in one["moves"]}
    assert moves == {str(move): -exact(SMALL[0].play(move)) for move in SMALL[0].legal_moves}
    assert one["score"] == max(moves.values())
    assert one["best"] == [str(move) for move in SMALL[0].legal_moves if moves[str(move)] == one["score"]]
    text = run(format_board(SMALL[0]), "--all-moves").stdout.splitlines()
    assert dict(word.split(":") for word in text[1].split()) == {
        name: f"{score:+d}" for name, score in moves.items()
    }


def test_the_best_moves() -> None:
    (one,) = lines_of(run(format_board(SMALL[0]), "--json", "--multi", "2"))
    assert list(one) == [*FIELDS, "multi", "moves"]
    scores = sorted((-exact(SMALL[0].play(move)) for move in SMALL[0].legal_moves), reverse=True)
    assert [move["score"] for move in one["moves"]] == scores[:2]
    assert {move["kind"] for move in one["moves"]} == {"exact"}


def test_who_wins(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.txt", *boards(SMALL))
    done = run(path, "--json", "--wld").ends(0)
    for one, position in zip(lines_of(done), SMALL, strict=True):
        value = exact(position)
        assert (one["kind"], one["wld"]) == ("wld", True)
        assert one["lower"] <= value <= one["upper"]
        assert (one["score"] > 0, one["score"] < 0) == (value > 0, value < 0)
    text = run(path, "--wld").stdout
    assert all(words in text for words in ("wld, Black wins", "wld, White wins"))


def test_windows(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.txt", *boards(SMALL))
    for text in ("-2..2", "-2,2", "-2 2"):
        done = run(path, "--json", "--window", text).ends(0)
        for one, position in zip(lines_of(done), SMALL, strict=True):
            value = exact(position)
            assert one["window"] == [-2, 2]
            assert one["lower"] <= value <= one["upper"]
            assert one["lower"] == one["upper"] or one["lower"] > 2 or one["upper"] < -2


def test_a_forced_pass_and_a_finished_game() -> None:
    (one,) = lines_of(run(MUST_PASS, "--json", "--all-moves"))
    assert one["best"] == ["--"]
    assert one["pv"][0] == "--"
    assert [move["move"] for move in one["moves"]] == ["--"]
    done = run(OVER, "--json", "--all-moves").ends(0)
    (one,) = lines_of(done)
    assert (one["best"], one["pv"], one["moves"], one["kind"], one["score"]) == ([], [], [], "exact", 64)
    assert run(OVER).stdout == "+64 exact, Black wins, 2 empty\n"


def test_the_order_is_that_of_the_input_with_any_number_of_threads(tmp_path: Path) -> None:
    positions = [pos for pair in zip(random_endings(14, 6), random_endings(5, 6), strict=True) for pos in pair]
    path = saved(tmp_path / "a.txt", *boards(positions))
    results = [lines_of(run(path, "--json", "--threads", threads)) for threads in ("1", "4")]
    for lines in results:
        assert [one["index"] for one in lines] == list(range(1, 13))
    assert [one["score"] for one in results[0]] == [one["score"] for one in results[1]]


# --- checking


def test_right_scores(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.obf", *map(obf, SMALL))
    for more in ([], ["--all-moves"], ["--wld"], ["--multi", "2"]):
        done = run(path, "--check", *more).ends(0, err="")
        assert done.stdout.splitlines()[-1] == "6 checked, 6 right, 0 not annotated"
    (one, *_) = lines_of(run(path, "--check", "--json"))
    assert list(one) == [*FIELDS, "expected", "ok"]
    assert (one["expected"], one["ok"]) == (exact(SMALL[0]), True)


def test_a_wrong_score_is_named(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.obf", obf(SMALL[0]), obf(SMALL[1], wrong=2), obf(SMALL[2]))
    done = run(path, "--check", "--json").ends(1)
    value = exact(SMALL[1])
    assert done.stderr == f"{path}:2: position 2: expected {value + 2:+d}, found {value:+d}\n"
    assert [one["ok"] for one in lines_of(done)] == [True, False, True]
    assert run(path, "--check").stdout.splitlines()[-1] == "3 checked, 2 right, 0 not annotated"


def test_a_wrong_score_of_a_move_is_found_with_every_move(tmp_path: Path) -> None:
    moves = annotated(SMALL[0])
    worst, value = moves[-1]
    assert value < moves[0][1] - 2
    path = saved(tmp_path / "a.obf", format_obf(ObfEntry(SMALL[0], (*moves[:-1], (worst, value + 2)))))
    assert run(path, "--check").returncode == 0
    run(path, "--check", "--all-moves").ends(1, says=f"{worst}: expected {value + 2:+d}, found {value:+d}")
    path = saved(path, format_obf(ObfEntry(SMALL[0], tuple(moves[:-1]))))
    run(path, "--check", "--all-moves").ends(1, says=f"no score is annotated for {worst}")


def test_a_best_move_with_another_score_is_found(tmp_path: Path) -> None:
    moves = annotated(SMALL[0])
    best = moves[0][1]
    swapped = [(moves[0][0], moves[-1][1]), *moves[1:-1], (moves[-1][0], best)]
    if len([value for _, value in moves if value == best]) == 1:
        done = run(saved(tmp_path / "a.obf", format_obf(ObfEntry(SMALL[0], tuple(swapped)))), "--check").ends(1)
        assert "is best, annotated with" in done.stderr


def test_what_is_not_annotated(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.obf", obf(SMALL[0]), format_board(SMALL[1]))
    done = run(path, "--check").ends(0)
    assert done.stdout.splitlines()[-1] == "1 checked, 1 right, 1 not annotated"
    assert [(one["expected"] is None, one["ok"]) for one in lines_of(run(path, "--check", "--json"))] == [
        (False, True),
        (True, None),
    ]
    run(saved(path, *boards(SMALL)), "--check").ends(65, says="nothing in the input is annotated")


def test_a_pass_and_the_end_of_the_list_in_a_suite(tmp_path: Path) -> None:
    done = run(saved(tmp_path / "a.obf", f"{MUST_PASS}; PS:-64; --:-127;"), "--check", "--all-moves")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "1 checked, 1 right, 0 not annotated"


# --- limits and interrupts


def test_the_time_limit_gives_bounds(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.txt", format_board(DEEP), format_board(SMALL[0]))
    began = time.monotonic()
    done = run(path, "--json", "--limit-time", "0.2")
    assert time.monotonic() - began < SOON_S
    assert done.returncode == 3
    deep, small = lines_of(done)
    assert deep["kind"] in ("lower", "upper", "selective", "heuristic")
    assert deep["lower"] < deep["upper"]
    assert deep["time_s"] < 2
    assert small["kind"] == "exact"
    done = run(format_board(DEEP), "--limit-time", "0.1").ends(3)
    assert "exact" not in done.stdout


def test_the_limit_in_nodes() -> None:
    done = [run(format_board(DEEP), "--json", "--nodes", "1000") for _ in range(2)]
    assert [each.returncode for each in done] == [3, 3]
    first, second = (lines_of(each)[0] for each in done)
    assert (first["nodes"], first["score"], first["kind"]) == (1000, second["score"], second["kind"])


def test_a_bound_that_does_not_contradict_is_neither_right_nor_wrong(tmp_path: Path) -> None:
    moves = [(move, 0) for move in DEEP.legal_moves]
    done = run(
        saved(tmp_path / "a.obf", format_obf(ObfEntry(DEEP, tuple(moves)))),
        "--check",
        "--json",
        "--limit-time",
        "0.1",
    ).ends(3)
    assert [(one["expected"], one["ok"]) for one in lines_of(done)] == [(0, None)]


def test_the_total_time(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.txt", format_board(DEEP), *boards(SMALL))
    done = run(path, "--json", "--total-time", "1").ends(3, says="--total-time is over, 6 positions not attempted")
    assert [one["index"] for one in lines_of(done)] == [1]


@pytest.mark.thorough
@POSIX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_what_was_found(tmp_path: Path, number: signal.Signals) -> None:
    path = saved(tmp_path / "a.txt", *boards(SMALL[:3]), format_board(DEEP), *boards(SMALL[3:]))
    results = tmp_path / "r.jsonl"
    with Started("solve", path, "--json", "--output", results) as process:
        found = [json.loads(process.stdout.readline()) for _ in range(3)]
        time.sleep(0.3)
        process.send_signal(number)
        began = time.monotonic()
        out, err = process.stdout.read(), process.stderr.read()
        status = process.wait()
        assert time.monotonic() - began < SOON_S
    assert status == 130
    assert [one["index"] for one in found] == [1, 2, 3]
    (deep,) = [json.loads(line) for line in out.splitlines()]
    assert deep["index"] == 4
    assert deep["lower"] < deep["upper"]
    assert err == f"reversi: interrupted; --resume continues {results}\n"
    assert {1, 2, 3} <= {one["index"] for one in read(results)}


@POSIX
def test_whoever_reads_the_output_may_leave(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.txt", *boards(SMALL * 20))
    with Started("solve", path) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 0


@pytest.mark.thorough
@POSIX
def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.txt", *boards(SMALL[:2]), format_board(DEEP))
    for limit in ("0.7", "3", "10"):  # a busy machine needs longer to begin
        out, text = run_with_terminal("solve", path, "--json", "--limit-time", limit)
        if "#3: " in text:
            break
    assert "M nodes/s" in text
    assert "2 solved" in text
    assert "--:--" in text or "0:0" in text
    assert "#3: -64..+64" in text
    assert "\r" in text
    assert [json.loads(line)["index"] for line in out.splitlines()] == [1, 2, 3]


# --- the file of results


def test_the_output_file_has_what_json_prints(tmp_path: Path) -> None:
    path, results = saved(tmp_path / "a.obf", *map(obf, SMALL)), tmp_path / "r.jsonl"
    done = run(path, "--json", "--check", "--all-moves", "--output", results).ends(0, err="")
    assert sorted(read(results), key=lambda one: int(one["index"])) == lines_of(done)


def test_an_existing_output_file_is_refused(tmp_path: Path) -> None:
    path, results = saved(tmp_path / "a.txt", *boards(SMALL)), saved(tmp_path / "r.jsonl", '{"index":1}')
    run(path, "--output", results).ends(73, out="", says="--resume")
    assert results.read_text() == '{"index":1}\n'
    assert run(path, "--output", tmp_path).returncode == 73
    assert run(path, "--output", tmp_path / "none" / "r.jsonl").returncode == 73


def test_resume_solves_only_what_is_missing(tmp_path: Path) -> None:
    path, results = tmp_path / "a.obf", tmp_path / "r.jsonl"
    lines = [*map(obf, SMALL), obf(SMALL[0], wrong=2)]
    saved(path, *lines[:4])
    assert run(path, "--check", "--output", results).returncode == 0
    saved(path, *lines)
    with results.open("a") as stream:
        stream.write('{"index":5,"li')
    done = run(path, "--check", "--output", results, "--resume").ends(1)
    rows = done.stdout.splitlines()
    assert [row.split()[0] for row in rows[1:4]] == ["5", "6", "7"]
    assert rows[4] == f"4 positions were in {results} already"
    assert rows[-1] == "7 checked, 6 right, 0 not annotated"
    assert sorted(one["index"] for one in read(results)) == [1, 2, 3, 4, 5, 6, 7]
    done = run(path, "--check", "--output", results, "--resume").ends(1)
    assert f"{results}: 1 earlier result with another score than expected" in done.stderr
    assert done.stdout.splitlines()[0] == f"7 positions were in {results} already"


def test_resume_refuses_a_file_of_another_question(tmp_path: Path) -> None:
    path, results = saved(tmp_path / "a.txt", *boards(SMALL)), tmp_path / "r.jsonl"
    assert run(path, "--output", results).returncode == 0
    before = results.read_bytes()
    other = saved(tmp_path / "b.txt", *boards(random_endings(7, 2)))
    for arguments, words in (
        ([path, "--all-moves"], "another question: exact values, not the score of every move;"),
        ([path, "--wld"], "not win, loss or draw"),
        (
            [path, "--check"],
            "is not compared with annotated scores; continue it without --check (check=False)",
        ),
        ([other], "position is not in the input"),
        ([path, "--rules", "othello,misere"], "position is not in the input"),
    ):
        done = run(*arguments, "--output", results, "--resume").ends(65, says=words)
        assert done.stderr.count("\n") == 1
        assert results.read_bytes() == before


def test_a_position_that_a_limit_stopped_is_solved_again(tmp_path: Path) -> None:
    hard = random_ending(22, 1)
    path, results = saved(tmp_path / "a.txt", *boards([*SMALL, hard, SMALL[0]])), tmp_path / "r.jsonl"
    assert run(path, "--output", results, "--total-time", "0").returncode == 3
    assert read(results) == []
    assert run(path, "--output", results, "--resume", "--limit-time", "0.02").returncode in (0, 3)
    assert run(path, "--output", results, "--resume").returncode == 0
    lines = read(results)
    assert sorted(one["index"] for one in lines) == list(range(1, 9))
    assert {one["kind"] for one in lines} == {"exact"}


@pytest.mark.thorough
@POSIX
def test_killed_at_any_moment_and_continued(tmp_path: Path) -> None:
    chance = random.Random(5)
    positions = [*random_endings(13, 40), *random_endings(13, 3)]
    path, results = saved(tmp_path / "a.txt", *boards(positions)), tmp_path / "r.jsonl"
    arguments = command(path, "--output", results, "--resume", "--threads", "2")
    counts = [0]

    def count() -> int:
        return results.read_bytes().count(b"\n") if results.exists() else 0

    for _ in range(6):
        with Child(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT) as process:
            wanted = counts[-1] + chance.randrange(1, 7)
            began = time.monotonic()
            while process.poll() is None and time.monotonic() - began < 20:
                if count() >= wanted:
                    break
            process.kill()
        counts.append(count())
        assert counts[-1] >= counts[-2]
    assert counts[1] < len(positions)
    run(path, "--output", results, "--resume").ends(0, err="")
    lines = read(results)
    assert sorted(one["index"] for one in lines) == list(range(1, len(positions) + 1))
    for one in lines:
        assert f"{one['board']} {one['to_move']}" == format_board(positions[one["index"] - 1])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk(tmp_path: Path) -> None:
    done = run(saved(tmp_path / "a.txt", *boards(SMALL)), "--output", "/dev/full").ends(73)
    assert done.stderr == "reversi: /dev/full: cannot write: No space left on device\n"


# --- wrong usage


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--output", "-"], "--json"),
        (["--window", "2..1"], "the lower score first"),
        (["--window", "wide"], "-2..2"),
        (["--multi", "0"], "--multi"),
        (["--threads", "0"], "--threads"),
        (["--hash", "100000000"], "a hash of 100000000 MB does not fit"),
        (["--hash", "0"], "--hash"),
        (["--rules", "chess"], "chess"),
        (["--to-move", "red"], "--to-move"),
    ],
)
def test_wrong_usage(arguments: list[str], words: str) -> None:
    done = run(format_board(SMALL[0]), *arguments).ends(2, says=words)
    assert done.stdout == ""


@pytest.mark.thorough
def test_the_memory_is_what_was_told(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    del resource
    path = saved(tmp_path / "a.txt", *boards([*random_endings(14, 8), random_ending(24, 1)]))
    script = (
        "import resource, sys; from reversi.cli import main\n"
        "try: main()\n"
        "finally: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    sizes = []
    for megabytes in ("1", "64"):
        done = subprocess.run(
            [
                *[sys.executable, "-c", script, "solve", str(path)],
                *["--threads", "4", "--hash", megabytes, "--limit-time", "1"],
            ],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            env=ENVIRONMENT,
        )
        sizes.append(int(done.stderr.split()[-1]) / (1 << 20 if sys.platform == "darwin" else 1 << 10))
    assert sizes[1] - sizes[0] < 80, sizes


@pytest.mark.thorough
def test_a_cluster_solves_the_same() -> None:
    pytest.importorskip("distributed")
    # in a process of its own: the workers are processes that begin as this one did
    words = command("--json", "--cluster", "local:1", EXAMPLES_FOR_CLUSTER)
    done = subprocess.run(words, capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["score"] for line in done.stdout.splitlines()] == [-22]
    assert not done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--cluster", "local:0"], "the number of local processes must be"),
    ],
)
def test_options_of_a_cluster_are_checked(options: list[str], message: str) -> None:
    pytest.importorskip("distributed")
    done = run_command("solve", EXAMPLES_FOR_CLUSTER, *options).ends(2, says=message)
    assert done.stderr.count("\n") == 1


EXAMPLES_FOR_CLUSTER = "-XXXXXXOXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX- O"
