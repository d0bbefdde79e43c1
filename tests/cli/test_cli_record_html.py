"""``reversi record show --html``: which games the page has, and what the command says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import run_command
from files import new_file

GAMES = (
    '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[Black "Ada"]\n[White "Bob"]\n[Result "*"]\n\n'
    "1. f5 {[%eval +0 heuristic]} d6 2. c3 *\n\n"
    '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[Black "Cy"]\n[White "Dan"]\n[Result "*"]\n\n'
    "1. f5 f6 2. a1 *\n"
)


def games_in(page: str) -> Any:
    """The games that a page has."""
    return json.loads(page.partition('id="data">')[2].partition("</script>")[0])["games"]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return new_file(tmp_path / "games.pgn", GAMES)


def test_all_games_of_a_file(source: Path, tmp_path: Path) -> None:
    output = tmp_path / "games.html"
    done = run_command("record", "show", source, "--html", output).ends(1, out="")
    assert done.stderr.startswith(f"{source}:game 2 (Cy–Dan):ply 3: a1: flips nothing")
    one, two = games_in(output.read_text())
    assert (one["black"], one["source"], one["trouble"], len(one["turns"])) == ("Ada", "games.pgn#1", "", 3)
    assert (two["black"], two["source"], len(two["turns"])) == ("Cy", "games.pgn#2", 2)
    assert "a1: flips nothing" in two["trouble"]
    assert two["trouble"].startswith("games.pgn:game 2 (Cy–Dan)")
    assert str(tmp_path) not in output.read_text()


def test_one_game_at_one_ply(source: Path) -> None:
    done = run_command("record", "show", f"{source}#1@2", "--html", "-").ends(0, err="")
    (game,) = games_in(done.stdout)
    assert (game["ply"], game["turns"][0]["lead"]) == (2, 0)
    assert (
        games_in(run_command("record", "show", f"{source}#1", "--ply", "1", "--html", "-").stdout)[0]["ply"] == 1
    )


def test_pasted_moves_and_standard_input() -> None:
    for done in (
        run_command("record", "show", "f5d6", "--html", "-"),
        run_command("record", "show", "-", "--html", "-", data="f5d6\n"),
    ):
        assert done.returncode == 0
        assert [turn["play"] for turn in games_in(done.stdout)[0]["turns"]] == ["f5:e5", "d6:d5"]
        assert games_in(done.stdout)[0]["ply"] == 0


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["{games}#3", "--html", "{new}"], 65, "{games}: game 3 does not exist: the input has 2 games"),
        (["{games}#1@9", "--html", "{new}"], 65, "{games}:game 1: ply 9 does not exist: the game has 3 plies"),
        (["{games}x", "--html", "{new}"], 66, None),
        (
            ["f5", "--html", "{new}/x.html"],
            73,
            "{new}/x.html: cannot write: folder {new} does not exist; create it first",
        ),
    ],
)
def test_what_cannot_be(arguments: list[str], status: int, message: str | None, source: Path) -> None:
    names = {"{new}": str(source.parent / "new"), "{games}": str(source)}

    def filled(text: str) -> str:
        for name, path in names.items():
            text = text.replace(name, path)
        return text

    done = run_command("record", "show", *map(filled, arguments))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (status, "", 1)
    assert message is None or done.stderr == f"reversi: {filled(message)}\n"
    assert not (source.parent / "new").exists()


def test_too_many_games(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text("f5\n" * 1001)
    done = run_command("record", "show", tmp_path / "many.txt", "--html", tmp_path / "x.html")
    assert (done.returncode, done.stderr) == (2, "reversi: a report has at most 1,000 games; select fewer\n")
    assert not (tmp_path / "x.html").exists()
