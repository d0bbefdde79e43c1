"""``reversi`` alone: a menu at a terminal, the help elsewhere; and what the menu runs."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from command_line import run_command
from random_games import random_game
from reversi.cli import home
from reversi.cli.play.command import View
from reversi.color import Color
from reversi.person.history import History
from reversi.person.played_game import PlayedGame
from reversi.records.from_game import record_from_game
from reversi.records.record import format_record
from terminal_driver import TMUX, Terminal


def _keep_game(state: Path) -> None:
    record = random_game("othello,board=4x4", 3)  # its analysis takes no time
    won = PlayedGame(
        datetime.datetime.now(datetime.UTC),
        "",
        Color.BLACK,
        "level 1",
        1,
        "won",
        False,
        format_record(record_from_game(record)),
    )
    History(state / "history.json").add(won)


def test_elsewhere_it_is_the_help() -> None:
    done = run_command()
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("Usage: reversi ")


def test_it_offers_what_is_there(tmp_path: Path) -> None:
    def names() -> list[str]:
        return [choice.name for choice in home.choices(tmp_path, tmp_path / "games.duckdb")]

    assert names() == ["learn", "play", "train", "explore"]
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "2026.session").touch()
    assert names() == ["learn", "play", "continue", "train", "explore"]
    _keep_game(tmp_path)
    everything = names()
    assert everything == ["learn", "play", "continue", "review", "train", "history", "explore"]
    assert len({*(name[0] for name in everything), "q"}) == len(everything) + 1  # a key for each
    (tmp_path / "history.json").write_text("not a history", encoding="utf-8")
    assert max(len(choice.meaning) for choice in home.choices(tmp_path, tmp_path)) <= 37  # in 52 columns
    assert names() == everything  # the command says what is wrong with the file


def test_it_names_the_games_of_a_database_that_is_there(tmp_path: Path) -> None:
    meanings = [[*home.choices(tmp_path, database)][-1].meaning for database in (tmp_path / "none", tmp_path)]
    assert meanings == ["every move with its value", "every move with its value and games"]


def test_the_review_of_a_game_that_is_not_there(tmp_path: Path) -> None:
    done = run_command("play", "--view", "review", "--state", str(tmp_path)).ends(66)
    assert done.stderr == (
        "reversi: there is no game to review yet: 'reversi play' keeps the games that you finish\n"
    )


def test_views_line_by_line(tmp_path: Path) -> None:
    game = tmp_path / "game.pgn"
    game.write_text('[Rules "othello,board=4x4"]\n\n1. d3 b4 2. a2 d2 *\n', encoding="utf-8")
    done = run_command("play", "--load", str(game), "--view", View.REVIEW.value, "-q").ends(0)
    assert "Black: mean loss 0.00 discs in 2 turns" in done.stdout
    done = run_command("play", "--view", View.EXPLORE.value, "-q", "--no-book").ends(0)
    assert sorted(line.split()[0] for line in done.stdout.splitlines()[:-1]) == ["c4", "d3", "e6", "f5"]


@pytest.mark.skipif(TMUX is None, reason="needs tmux")
def test_the_menu_at_a_terminal(tmp_path: Path) -> None:
    with Terminal(width=80, height=24, folder=tmp_path) as terminal:
        terminal.wait(lambda text: "q  quit" in text)
        terminal.press("x")  # no choice
        terminal.press("r")  # no game yet
        terminal.press("L")
        terminal.wait(lambda text: "step 1 of" in text)
        terminal.press("q")
        terminal.wait(lambda text: text.count("q  quit") == 2)  # again, after what was chosen
        terminal.press("q")
        assert terminal.status() == 0


@pytest.mark.skipif(TMUX is None, reason="needs tmux")
@pytest.mark.parametrize(("key", "status"), [("q", 0), ("Escape", 0), ("C-c", 130), ("C-d", 0)])
def test_keys_of_the_menu(tmp_path: Path, key: str, status: int) -> None:
    with Terminal(width=52, height=14, folder=tmp_path) as terminal:
        terminal.wait(lambda text: "q  quit" in text)
        terminal.press(key)
        assert terminal.status() == status


@pytest.mark.skipif(TMUX is None, reason="needs tmux")
@pytest.mark.parametrize(("key", "title"), [("r", "Review"), ("e", "Explore"), ("h", "1 game against engines")])
def test_the_menu_opens_a_view_or_a_table(tmp_path: Path, key: str, title: str) -> None:
    _keep_game(tmp_path / "state")
    with Terminal(width=80, height=24, folder=tmp_path) as terminal:
        terminal.wait(lambda text: "q  quit" in text)
        terminal.press(key)
        terminal.wait(lambda text: title in text)
