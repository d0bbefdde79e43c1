"""``reversi analyze --html``: a page of all games that the run, or a run before, has analyzed."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from command_line import Started, run_command
from random_games import random_game
from record_samples import saved
from reversi.records.from_game import record_from_game

QUICK = ("--level", "2", "--exact-from", "8")
RULES = ("othello", "adjacent,board=4x4", "adjacent,optional-skip,board=4x4")


def games_in(page: Path) -> Any:
    """The games that a page has."""
    text = page.read_text(encoding="ascii")
    return json.loads(text.partition('id="data">')[2].partition("</script>")[0])["games"]


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    records = [
        record_from_game(random_game(rules, seed), {"Black": f"Ada {seed}", "White": "Bob"})
        for seed, rules in enumerate(RULES)
    ]
    return saved(path, *records)


def test_all_games_with_their_values(games: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run_command("analyze", games, *QUICK, "--html", page, "--json").ends(0, err="")
    analyses = [json.loads(line) for line in done.stdout.splitlines()]
    found = games_in(page)
    assert [game["black"] for game in found] == ["Ada 0", "Ada 1", "Ada 2"]
    assert [game["source"] for game in found] == ["games.pgn#1", "games.pgn#2", "games.pgn#3"]
    for game, analysis in zip(found, analyses, strict=True):
        sides = [1 if turn["mover"] == "X" else -1 for turn in analysis["turns"]]
        values = [side * turn["score"] for side, turn in zip(sides, analysis["turns"], strict=True)]
        assert [turn["lead"] for turn in game["turns"]] == values
        assert [turn.get("sign") for turn in game["turns"]] == [turn["sign"] for turn in analysis["turns"]]
        for turn, judged in zip(game["turns"], analysis["turns"], strict=True):
            lines = [line["play"] for line in turn.get("lines", ())]
            moves = [" ".join(part.partition(":")[0] for part in line.split()) for line in lines]
            assert moves == ([] if judged["forced"] else [" ".join(judged["pv"])])
        assert ["Analysis", f"level 2, exact from {analysis['exact_from']} empty squares"] in game["analysis"]


def test_games_of_an_earlier_run_are_in_it(games: Path, tmp_path: Path) -> None:
    results, page, whole = tmp_path / "a.jsonl", tmp_path / "page.html", tmp_path / "whole.html"
    assert run_command("analyze", games, *QUICK, "--output", results, "--html", whole).returncode == 0
    lines = results.read_bytes().splitlines(keepends=True)
    assert len(lines) == 3
    for kept in ([], lines[1:2], lines[::-1]):
        results.write_bytes(b"".join(kept))
        run_command("analyze", games, *QUICK, "-o", results, "--resume", "--html", page, "--force").ends(2)
        run_command("analyze", games, *QUICK, "-o", results, "--resume", "--html", page).ends(0)
        assert page.read_bytes() == whole.read_bytes()
        page.unlink()


def test_the_annotated_games_make_the_same_lines(games: Path, tmp_path: Path) -> None:
    page, annotated, again = tmp_path / "page.html", tmp_path / "annotated.pgn", tmp_path / "again.html"
    run_command("analyze", games, *QUICK, "--to", "pgn", "-o", annotated, "--html", page).ends(0, err="")
    assert run_command("record", "show", annotated, "--html", again).returncode == 0
    for one, two in zip(games_in(page), games_in(again), strict=True):
        assert [turn["play"] for turn in one["turns"]] == [turn["play"] for turn in two["turns"]]
        assert [turn.get("sign") for turn in one["turns"]] == [turn.get("sign") for turn in two["turns"]]
        assert [turn["lead"] for turn in one["turns"]] == [turn["lead"] for turn in two["turns"]]


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for another process")
def test_ctrl_c_writes_what_is_done(tmp_path: Path) -> None:
    games, page = tmp_path / "games.pgn", tmp_path / "page.html"
    records = [record_from_game(random_game("othello", seed)) for seed in range(12)]
    saved(games, *records)
    with Started("analyze", games, "--level", "14", "--workers", "1", "--json", "--html", page) as process:
        assert process.stdout.readline()  # a game is done
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in err) == (130, False)
    found = games_in(page)
    assert 1 <= len(found) < 12
    assert "lines" in found[0]["turns"][0]


def test_what_cannot_be(games: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run_command("analyze", games, *QUICK, "--html", "-").ends(2, out="")
    assert done.stderr == "reversi: --html -: give the name of a file; standard output gets the analysis\n"
    (tmp_path / "many.txt").write_text("f5\n" * 1001)
    done = run_command("analyze", tmp_path / "many.txt", *QUICK, "--html", page).ends(2, out="")
    assert done.stderr == "reversi: --html: a report has at most 1,000 games, not 1,001; select fewer\n"
    page.write_text("mine")
    done = run_command("analyze", games, *QUICK, "--html", page)
    assert (done.returncode, page.read_text()) == (73, "mine")
    assert done.stderr == f"reversi: {page} exists; --force overwrites it\n"
    assert run_command("analyze", games, *QUICK, "--html", games, "--force").returncode == 73


def test_all_moves_are_in_the_page_when_asked(games: Path, tmp_path: Path) -> None:
    page, plain = tmp_path / "page.html", tmp_path / "plain.html"
    assert run_command("analyze", games, *QUICK, "--html", page, "--all-moves").returncode == 0
    assert run_command("analyze", games, *QUICK, "--html", plain).returncode == 0
    for one, two in zip(games_in(page), games_in(plain), strict=True):
        assert [turn["lead"] for turn in one["turns"]] == [turn["lead"] for turn in two["turns"]]
        assert not any("moves" in turn for turn in two["turns"])
        for turn in one["turns"]:
            first = [scored["play"].partition(":")[0] for scored in turn["moves"]]
            assert turn["play"].partition(":")[0] in first
            assert len(first) == len(set(first))


def test_the_page_of_an_event_has_standings_crosstable_and_errors(tmp_path: Path) -> None:
    games, page = tmp_path / "games.pgn", tmp_path / "page.html"
    records = [
        record_from_game(
            random_game("othello", seed), {"Event": "Cup", "Date": "1999", "Black": black, "White": white}
        )
        for seed, (black, white) in enumerate((("Ada", "Bob"), ("Bob", "Cy"), ("Cy", "Ada")))
    ]
    saved(games, *records)
    assert run_command("analyze", games, *QUICK, "--event", "cup", "--html", page).returncode == 0
    text = page.read_text()
    assert "<title>Cup 1999</title>" in text
    titles = ["Standings", "Crosstable", "Errors"]
    assert [title for title in titles if f"<h2>{title}</h2>" in text] == titles
    assert len(games_in(page)) == 3
    run_command("analyze", games, *QUICK, "--player", "Ada", "--player", "Bob", "--html", page, "--force")
    assert "<h2>Errors</h2>" not in page.read_text()  # one game
    run_command("analyze", games, *QUICK, "--black", "Ada", "--black", "Bob", "--html", page, "--force")
    assert "<h2>Standings</h2>" in page.read_text()
