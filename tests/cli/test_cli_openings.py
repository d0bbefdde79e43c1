"""``reversi openings``, run as a user runs it."""

from __future__ import annotations

import functools
import json
from pathlib import Path

from command_line import run_command
from files import new_file
from record_samples import random_record
from reversi import Position
from reversi.openings.names import named_openings
from reversi.records import format_record
from reversi.text import format_board

run = functools.partial(run_command, "openings")


def test_list() -> None:
    done = run("list").ends(0, err="")
    assert len(done.stdout.splitlines()) == len(named_openings())
    done = run("list", "tora", "--json")
    (tiger,) = (line for line in map(json.loads, done.stdout.splitlines()) if line["name"] == "Tiger")
    assert (tiger["moves"], tiger["other_names"]) == ("f5d6c3d3c4", ["Tora"])
    assert tiger["board"].endswith(" O")
    run("list", "xyzzy").ends(65, out="", says="xyzzy")


def test_show() -> None:
    done = run("show", "TIGER").ends(0, err="")
    lines = done.stdout.splitlines()
    assert lines[:2] == ["Tiger, Tora", "f5d6c3d3c4"]
    assert lines[-1] == "White (O) to move"
    assert json.loads(run("show", "comp oth", "--json").stdout)["name"] == "Comp'Oth"
    run("show", "tigger").ends(65, out="", says="did you mean Tiger")


def test_name_of_games_and_positions(tmp_path: Path) -> None:
    assert run("name", "F5 D6 C3 D3 C4 F4").stdout == "Tiger, Tora after 5 moves\n"
    assert run("name", "f5").stdout == "(no name)\n"
    tiger = format_board(Position.from_moves("f5d6c3d3c4"))
    assert run("name", tiger).stdout == "Tiger, Tora\n"
    games = new_file(tmp_path / "games.pgn", "\n".join(format_record(random_record(seed)) for seed in (1, 2)))
    lines = [json.loads(line) for line in run("name", games, "--json").stdout.splitlines()]
    assert [line["index"] for line in lines] == [1, 2]
    assert len(run("name", f"{games}#2").stdout.splitlines()) == 1
    assert run("name", f"{games}#1@1").stdout == "(no name)\n"
    assert run("name", "f5a1").returncode in (0, 65)
    for place, why in (
        ("#7", "game 7 does not exist: the input has 2 games"),
        ("#2@999", "ply 999 does not exist: the game has "),
    ):
        done = run("name", f"{games}{place}")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (65, "", 1)
        assert why in done.stderr
    assert run("name", tmp_path / "missing").returncode == 66


def test_draw(tmp_path: Path) -> None:
    one = run("draw", "7").ends(0, out=run("draw", "7").stdout, err="")
    assert len(one.stdout) == 17
    xot = new_file(tmp_path / "xot.txt", "f5d6\nf5f6\n")
    assert run("draw", "3", "--list", xot).stdout.strip() in ("f5d6", "f5f6")
    assert run("draw", "--all", "--list", "-", data="f5d6\nf5f6\n").stdout == "f5d6\nf5f6\n"
    assert json.loads(run("draw", "--list", xot, "--json").stdout)["board"].endswith(" X")
    xot.write_text("f5d6\nf5a1\n")
    run("draw", "--list", xot).ends(65, out="", says=f"{xot}: line 2: a1 is not allowed")
    assert run("draw", "--list", tmp_path / "missing").returncode == 66
    xot.write_bytes(b"\0\1")
    assert run("draw", "--list", xot).stderr == f"reversi: {xot}: binary data, not text\n"
    played = run_command("play", "--xot", "1", "--xot-list", xot, "--ui", "line")
    assert (played.returncode, played.stderr) == (65, f"reversi: --xot-list: {xot}: binary data, not text\n")
    assert run("draw", "-1").returncode == 2
