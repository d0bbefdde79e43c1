"""``reversi history``, and ``reversi play --level auto``."""

import json
from pathlib import Path

from command_line import run_command
from reversi import Color
from reversi.engine.levels import AUTO
from reversi.person.history import History
from reversi.person.history_keeper import HistoryKeeper
from reversi.session.players import engine_side, parse_side
from reversi.session.session import Session


def played(state: Path, name: str = "Ada", *results: Color) -> None:
    """Games against the adaptive level, in which this side resigns."""
    session = Session(sides={Color.BLACK: parse_side(f"human:{name}"), Color.WHITE: engine_side(AUTO)})
    HistoryKeeper(session, History(state / "history.json"))
    for loser in results or (Color.WHITE,):
        session.play(session.position.legal_moves[0])
        session.resign(loser)
        session.new_game()


def test_show_export_off_and_delete(tmp_path: Path) -> None:
    place = ("--state", tmp_path)
    assert run_command("history", *place).stdout.startswith("No games yet")
    played(tmp_path, "Ada", Color.WHITE, Color.BLACK)
    played(tmp_path, "Bob")
    text = run_command("history", *place).stdout
    assert text.startswith("Ada: 2 games against engines\n  beginner-1  1 won")
    assert "\n\nBob: 1 game against engines\n" in text
    assert "Mistakes: opening " in text
    assert "not analyzed" not in text
    found = [
        json.loads(line)
        for line in run_command("history", "--json", "--player", "ada", *place).stdout.splitlines()
    ]
    assert [game["result"] for game in found] == ["won", "lost"]
    assert set(found[0]["losses"]) == {"opening", "middle", "ending"}
    file = tmp_path / "my games.pgn"
    assert run_command("history", "export", file, *place).returncode == 0
    run_command("record", "stats", file).ends(0, prints="3 games")
    assert run_command("history", "export", file, *place).returncode == 73
    done = run_command("train", "make", file, "--player", "Ada", "--level", "1", "-o", tmp_path / "deck.json")
    assert "from 2 games" in done.stderr
    assert run_command("history", "off", *place).stdout == "The history is off.\n"
    played(tmp_path)
    assert len(History(tmp_path / "history.json").games) == 3
    assert run_command("history", *place).stdout.endswith("'reversi history on' switches it on.\n")
    run_command("history", "delete", *place).ends(2, says="--yes")
    assert run_command("history", "delete", "--yes", *place).stdout == "The history is deleted.\n"
    assert not (tmp_path / "history.json").exists()
    assert run_command("history", "export", "-", *place).returncode == 66


def test_an_unknown_person_and_a_damaged_file(tmp_path: Path) -> None:
    played(tmp_path)
    done = run_command("history", "--player", "Eve", "--state", tmp_path)
    assert (done.returncode, done.stderr) == (66, "reversi: no games of 'Eve' in the history; it has Ada\n")
    (tmp_path / "history.json").write_text("{", encoding="utf-8")
    for action in ((), ("off",), ("export", "-")):
        done = run_command("history", *action, "--state", tmp_path).ends(65)
        assert "delete it with 'reversi history delete'" in done.stderr
    assert run_command("history", "delete", "--yes", "--state", tmp_path).returncode == 0


def test_the_adaptive_level_follows_the_results(tmp_path: Path) -> None:
    options = ("play", "--level", "auto", "--black", "human:Ada", "--ui", "line", "-q", "--state", tmp_path)
    done = run_command(*options, data=b"level\nresign\n")
    assert "Engine: beginner-1, auto.\n" in done.stdout
    assert done.stdout.endswith("The next game is the same: beginner-1. 'reversi history' shows all your games.\n")
    played(tmp_path)
    done = run_command(*options, data=b"level\nlevel 3\nlevel auto\nquit\n")
    assert done.stdout.splitlines()[:3] == [
        "Engine: beginner-2, auto.",
        "Engine: level 3.",
        "Engine: beginner-2, auto.",
    ]


def test_games_through_a_pipe_are_nobodys_history(tmp_path: Path) -> None:
    run_command("play", "--ui", "line", "-q", "--level", "1", "--state", tmp_path, data=b"f5\nresign\n")
    assert not (tmp_path / "history.json").exists()
