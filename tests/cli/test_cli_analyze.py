"""``reversi analyze`` as users run it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from children import Child
from command_line import ENVIRONMENT, run_command
from files import new_file
from random_games import random_game
from record_samples import saved
from reversi.analysis import Analysis, analysis_from_record
from reversi.analysis.analysis import ANALYSIS_TAG
from reversi.records import read_games
from reversi.records.from_game import record_from_game

QUICK = ("--level", "3", "--exact-from", "8")
PLAYERS = (("Ada", "Bob"), ("Bob", "Cy"), ("Ada", "Cy"), ("Dee", "Ada"))


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four games of 4 players in two years."""
    path = tmp_path_factory.mktemp("games") / "games.pgn"
    records = [
        record_from_game(
            random_game("othello", seed), {"Black": black, "White": white, "Date": f"200{seed % 2}.01.01"}
        )
        for seed, (black, white) in enumerate(PLAYERS)
    ]
    return saved(path, *records)


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def analyzed(*arguments: str | Path) -> list[dict[str, Any]]:
    done = run_command("analyze", *arguments, *QUICK, "--json").ends(0, err="")
    return objects(done.stdout)


# --- what is read, and what is written


def test_a_pasted_game_as_text() -> None:
    done = run_command("analyze", "f5d6c3d3c4", *QUICK).ends(0)
    assert done.stdout.startswith("level 3, exact from 8 empty squares\n")
    rows = [line for line in done.stdout.splitlines() if line[:4].strip().isdecimal() and line[4:6] == "  "]
    assert [row.split()[:3] for row in rows] == [
        ["1", "X", "f5"], ["2", "O", "d6"], ["3", "X", "c3"], ["4", "O", "d3"], ["5", "X", "c4"],
    ]  # fmt: skip
    assert "Black: mean loss" in done.stdout
    assert "\x1b" not in done.stdout


def test_json_is_the_analysis(games: Path) -> None:
    found = analyzed(games)
    assert [one["index"] for one in found] == [1, 2, 3, 4]
    assert [one["game"] for one in found] == [1, 2, 3, 4]
    assert {one["file"] for one in found} == {str(games)}
    for one in found:
        again = Analysis.from_json(one)
        assert again.fields(index=one["index"], file=one["file"], game=one["game"]) == one
        assert one["complete"]
        assert list(one["sides"]) == ["X", "O"]
        assert set(one["turns"][0]) == {
            "ply", "mover", "move", "score", "kind", "depth", "confidence", "best", "best_score", "best_kind",
            "best_depth", "best_confidence", "loss", "sign", "judgement", "outcome", "best_outcome",
            "outcome_changed", "forced", "book", "pv",
        }  # fmt: skip


def test_places_folders_patterns_and_standard_input(games: Path) -> None:
    third = analyzed(f"{games}#3")
    assert [(one["index"], one["game"]) for one in third] == [(1, 3)]
    assert len(analyzed(f"{games}#3@10")[0]["turns"]) == 10
    assert [one["game"] for one in analyzed(games.parent)] == [1, 2, 3, 4]
    done = run_command("analyze", "-", *QUICK, "--json", data=games.read_bytes())
    assert [one["file"] for one in objects(done.stdout)] == ["-"] * 4


def test_a_player_picks_games_and_a_side(games: Path) -> None:
    assert [one["index"] for one in analyzed(games, "--player", "bob")] == [1, 2]
    text = run_command("analyze", f"{games}#1", "--player", "bob", *QUICK).stdout
    assert "White (Bob): mean loss" in text
    assert "Black (Ada)" not in text
    for name, shown in (("Zoe", "Zoe"), ("Zoe" * 99, f"{'Zoe' * 13}Z…")):
        nobody = run_command("analyze", games, "--player", name, *QUICK).ends(65)
        assert nobody.stderr == f"reversi: the input has no game of '{shown}'\n"


def test_annotated_games_are_read_back(games: Path, tmp_path: Path) -> None:
    target = tmp_path / "annotated.pgn"
    run_command("analyze", games, *QUICK, "--to", "pgn", "-o", target).ends(0, out="")
    assert run_command("record", "validate", target).returncode == 0
    entries = list(read_games(target.read_text(encoding="utf-8")))
    assert all(ANALYSIS_TAG in entry.record.tags for entry in entries)
    for entry, one in zip(entries, analyzed(games), strict=True):
        assert [(turn["score"], turn["best"], turn["sign"], turn["pv"]) for turn in one["turns"]] == [
            (turn["score"], turn["best"], turn["sign"], turn["pv"])
            for turn in analysis_from_record(entry.record).fields()["turns"]  # type: ignore[attr-defined]
        ]
    on_standard_output = run_command("analyze", games, *QUICK, "--to", "pgn")
    assert on_standard_output.stdout == target.read_text(encoding="utf-8")


def test_the_file_of_a_place_is_an_input(games: Path) -> None:
    before = games.read_bytes()
    for option in ("--output", "--svg"):
        run_command("analyze", f"{games}#1", *QUICK, option, games, "--force").ends(73, says="is also an input")
    assert games.read_bytes() == before


def test_the_graph_as_a_picture(games: Path, tmp_path: Path) -> None:
    picture = tmp_path / "graph.svg"
    run_command("analyze", f"{games}#1", *QUICK, "--svg", picture).ends(0)
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    run_command("analyze", f"{games}#1", *QUICK, "--svg", picture).ends(73)
    run_command("analyze", games, *QUICK, "--svg", tmp_path / "other.svg").ends(2, says="one game, not 4")


# --- archives


def results(path: Path) -> list[dict[str, Any]]:
    return objects(path.read_text(encoding="utf-8"))


def test_results_are_continued(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    first = run_command("analyze", f"{games}#2", *QUICK, "-o", path).ends(0)
    assert first.stdout.startswith(f"{games}#2: Bob – Cy ")
    assert run_command("analyze", games, *QUICK, "-o", path).returncode == 73
    run_command("analyze", games, *QUICK, "-o", path, "--resume").ends(0, says="3 games analyzed, 1 game before")
    assert sorted(one["game"] for one in results(path)) == [1, 2, 3, 4]
    other = run_command("analyze", games, "--level", "4", "--exact-from", "8", "-o", path, "--resume").ends(65)
    assert "level 3, exact from 8, with the book standard, not level 4" in other.stderr
    run_command("analyze", f"{games}#1", *QUICK, "-o", path, "--force").ends(0)
    assert [one["game"] for one in results(path)] == [1]


def test_moves_of_the_opening_book_are_marked(games: Path, tmp_path: Path) -> None:
    rows = run_command("analyze", "f5d6c3d3", *QUICK).stdout.splitlines()
    assert sum("book" in row for row in rows) == 4
    assert "book" not in run_command("analyze", "f5d6c3d3", *QUICK, "--no-book").stdout
    (one,) = analyzed("f5d6c3d3")
    assert one["book"]
    assert [turn["book"] for turn in one["turns"]] == [True] * 4
    assert "heuristic" in {turn["kind"] for turn in one["turns"]}
    path = tmp_path / "a.jsonl"
    assert run_command("analyze", games, *QUICK, "-o", path, "--no-book").returncode == 0
    other = run_command("analyze", games, *QUICK, "-o", path, "--resume").ends(65)
    assert "exact from 8, not level 3, exact from 8, with the book standard" in other.stderr


def test_a_cut_line_is_dropped_and_its_game_analyzed_again(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    run_command("analyze", games, *QUICK, "-o", path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1000])
    assert run_command("analyze", "--summary", path).returncode == 1
    assert run_command("analyze", games, *QUICK, "-o", path, "--resume").returncode == 0
    assert sorted(path.read_bytes().splitlines()) == sorted(whole.splitlines())


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Twelve games."""
    path = tmp_path / "many.pgn"
    records = [record_from_game(random_game("othello", seed), {"Black": f"P{seed}"}) for seed in range(12)]
    return saved(path, *records)


def started(*arguments: str | Path) -> Child[bytes]:
    return Child(
        [sys.executable, "-m", "reversi", "analyze", *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )


PATIENCE = 600
"""Seconds in which a machine with much else to do analyzes a game."""


def grown(path: Path, size: int, process: Child[bytes]) -> Iterator[None]:
    """Wait until a file is larger than ``size``, or the process has ended."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        if path.exists() and path.stat().st_size > size:
            break
        time.sleep(0.005)
    yield


@pytest.mark.thorough
@pytest.mark.timeout(12 * PATIENCE)
@pytest.mark.parametrize("times", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_killed_at_any_moment_and_continued(many: Path, tmp_path: Path, times: int) -> None:
    path = tmp_path / "a.jsonl"
    kills = 0
    for _ in range(times):
        size = path.stat().st_size if path.exists() else 0
        process = started(many, *QUICK, "-o", path, "--resume", "--workers", "2")
        for _ in grown(path, size, process):
            process.kill()
        kills += process.wait() == -9
        assert process.stderr is not None
        process.stderr.close()
    assert kills or os.name == "nt"
    assert run_command("analyze", many, *QUICK, "-o", path, "--resume").returncode == 0
    assert sorted(one["game"] for one in results(path)) == list(range(1, 13))
    assert all(one["complete"] for one in results(path))


@pytest.mark.thorough
@pytest.mark.timeout(2 * PATIENCE)
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for another process")
def test_ctrl_c_keeps_what_is_done(many: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    process = started(many, "--level", "14", "-o", path, "--workers", "1")
    for _ in grown(path, 0, process):
        process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert f"--resume continues {path}" in err.decode()
    assert 1 <= len(results(path)) < 12


@pytest.mark.thorough
@pytest.mark.timeout(2 * PATIENCE)
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for another process")
def test_ctrl_c_writes_the_annotated_games_that_are_done(many: Path, tmp_path: Path) -> None:
    path = tmp_path / "annotated.pgn"
    process = started(many, "--level", "14", "--to", "pgn", "-o", path, "--workers", "1")
    end = time.monotonic() + PATIENCE
    while len(list(tmp_path.iterdir())) == 1 and time.monotonic() < end and process.poll() is None:
        time.sleep(0.005)  # the first game begins the file, under another name
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    found = [entry.record for entry in read_games(path.read_text())]
    assert err.decode() == f"reversi: interrupted; {path} holds {len(found)} of 12 games\n"
    assert 1 <= len(found) < 12
    assert all(analysis_from_record(record).complete for record in found)


def test_a_summary_per_player_and_year(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    run_command("analyze", games, *QUICK, "-o", path)
    done = run_command("analyze", "--summary", path, "--json").ends(0)
    (found,) = objects(done.stdout)
    assert found["games"] == 4
    assert [(player["name"], player["games"]) for player in found["players"]] == [
        ("Ada", 3), ("Bob", 2), ("Cy", 2), ("Dee", 1),
    ]  # fmt: skip
    assert [(year["year"], year["games"]) for year in found["years"]] == [(2000, 2), (2001, 2)]
    one = Analysis.from_json(results(path)[0])
    ada = run_command("analyze", "--summary", path, "--player", "Bob", "--json")
    (bob,) = objects(ada.stdout)
    assert [player["name"] for player in bob["players"]] == ["Bob"]
    sides = [Analysis.from_json(line) for line in results(path)]
    loss = sum(
        side.loss
        for game in sides
        for color, side in game.sides.items()
        if game.tags[str(color)] == "Bob"
    )  # fmt: skip
    assert bob["players"][0]["mean_loss"] == round(loss / bob["players"][0]["moves"], 2)
    assert one.complete
    assert "rating" not in found["players"][0]
    text = run_command("analyze", "--summary", path).stdout
    assert text.startswith("4 games, 4 players\n")
    assert "opening" in text


def test_a_summary_of_one_player_says_a_rating(games: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    run_command("analyze", *[games] * 2, *QUICK, "-o", path)
    line = ("analyze", "--summary", path, "--player", "Ada")
    (ada,) = json.loads(run_command(*line, "--json").stdout)["players"]
    rating = ada["rating"]
    assert rating["low"] < rating["rating"] < rating["high"] < 1500  # random moves
    assert rating["games"] == 6
    said = run_command(*line).stdout.splitlines()[-1]
    expected = f"{rating['rating']} ({rating['low']} to {rating['high']}), by 6 games."
    assert said == f"Ada plays like people of rating {expected}"
    other = tmp_path / "other.pgn"
    other.write_text(games.read_text().replace('[Black "', '[Rules "othello,misere"]\n[Black "'))
    run_command("analyze", other, *QUICK, "-o", tmp_path / "b.jsonl")
    again = ("analyze", "--summary", tmp_path / "b.jsonl", *line[3:])
    assert json.loads(run_command(*again, "--json").stdout)["players"][0]["rating"] is None
    assert "rating" not in run_command(*again).stdout


# --- mistakes of users


def test_a_missing_extra_is_named_before_the_analysis(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    picture = tmp_path / "graph.png"
    command = ("analyze", f"{games}#1", *QUICK, "--png", picture)
    done = run_command(*command)
    assert (done.returncode, done.stdout, picture.exists()) == (2, "", False)
    assert done.stderr.endswith('need resvg and Pillow: pip install "reversi-engine[plot]"\n')


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["f5", "-o", "-"], 2, "give the name of a file"),
        (["f5", "--time", "0"], 2, "--time must be"),
        (["f5", "--rules", "chess"], 2, "chess"),
        (["nothing.pgn"], 66, "nothing.pgn: no such file"),
        (["f5f5"], 1, "f5"),
        (["x.pgn#0"], 2, "games count from 1"),
        (["---------------------------OX------XO---------------------------X"], 65, "positions, not games"),
        (["--summary", "nothing.jsonl"], 66, "nothing.jsonl: no such file"),
    ],
)
def test_mistakes_of_users(arguments: list[str], status: int, message: str) -> None:
    done = run_command("analyze", *arguments).ends(status, says=message)
    assert done.stdout == ""


def test_malformed_games_are_reported_and_the_others_analyzed(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text('[Black "A"]\n[Result "*"]\n\n1. f5 f5 *\n\n[Black "B"]\n[Result "*"]\n\n1. f5 d6 *\n')
    done = run_command("analyze", path, *QUICK, "--json").ends(1)
    assert [one["tags"]["Black"] for one in objects(done.stdout)] == ["B"]
    assert done.stderr.count("left out") == 1


def test_other_results_files_are_not_changed(tmp_path: Path) -> None:
    path = new_file(tmp_path / "a.jsonl", '{"index":1,"board":"x"}\n')
    done = run_command("analyze", "f5", *QUICK, "-o", path, "--resume").ends(65)
    assert "not a result of reversi analyze; nothing was changed" in done.stderr
    assert path.read_text() == '{"index":1,"board":"x"}\n'
    assert run_command("analyze", "--summary", path).returncode == 65


def test_all_moves_continue_only_with_all_moves(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    assert run_command("analyze", "f5d6c3", *QUICK, "--all-moves", "-o", path).returncode == 0
    [held] = objects(path.read_text())
    assert [len(turn["moves"]) for turn in held["turns"]] == [4, 3, 5]
    run_command("analyze", "f5d6c3", *QUICK, "-o", path, "--resume").ends(65, says="with all moves, not level")
    assert run_command("analyze", "f5d6c3", *QUICK, "--all-moves", "-o", path, "--resume").returncode == 0
