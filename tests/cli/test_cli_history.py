"""``reversi history``, and ``reversi play --level auto``."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from children import Child
from command_line import run_command
from patience import SOON_S
from reversi import Color, Position, Searcher, Solver, open_records
from reversi.engine.levels import AUTO
from reversi.person.game_review import GameReview
from reversi.person.history import History
from reversi.person.history_keeper import HistoryKeeper
from reversi.records.from_game import game_from_record
from reversi.session.players import engine_side, parse_side
from reversi.session.session import Session
from sittings import play_on


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
    assert set(found[0]["losses"]) == {"opening", "middle", "ending", "reasons"}
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


def whole_game(state: Path) -> Path:
    """A whole game of the history, and its record."""
    session = Session(sides={Color.BLACK: parse_side("human:Ada"), Color.WHITE: engine_side(AUTO)}, seed=1)
    HistoryKeeper(session, History(state / "history.json"))
    session.begin()
    play_on(session)
    file = state / "game.pgn"
    assert run_command("history", "export", file, "--state", state).returncode == 0
    return file


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[Position]:
    """The positions that are searched or solved from now on."""
    asked: list[Position] = []
    for kind, name in ((Searcher, "search"), (Solver, "ask")):
        whole = getattr(kind, name)

        def counted(self: object, position: Position, *more: Any, whole: Any = whole, **options: Any) -> object:
            asked.append(position)
            return whole(self, position, *more, **options)

        monkeypatch.setattr(kind, name, counted)
    return asked


def test_one_analysis_for_history_exercises_and_report(tmp_path: Path, searches: list[Position]) -> None:
    place, store, level = ("--state", tmp_path), tmp_path / "analyses.txt", ("--level", "10")
    file = whole_game(tmp_path)
    run_command("analyze", file, *level).ends(0)
    assert not store.exists()  # a function of its arguments
    run_command("history", *place).ends(0)
    assert store.exists()
    searches.clear()
    report = run_command("analyze", file, *level, "--store", "--html", tmp_path / "report.html", *place).ends(0)
    assert searches == []
    assert run_command("analyze", file, *level).stdout == report.stdout
    make = ("train", "make", file, *level, *place, "-o", tmp_path / "deck.json")
    run_command(*make)
    searches.clear()
    run_command(*make, "--force")
    assert searches == []
    before = store.read_bytes()
    run_command("train", "make", "f5d6c3d3c4f4f6", *level, *place, "-o", tmp_path / "other.json")
    assert searches
    assert store.read_bytes() == before  # the game of somebody else leaves nothing


def test_no_analyses_without_a_history(tmp_path: Path) -> None:
    place, store = ("--state", tmp_path), tmp_path / "analyses.txt"
    file = whole_game(tmp_path)
    run_command("history", "off", *place)
    run_command("history", *place)
    run_command("train", "make", file, "--level", "3", *place, "-o", tmp_path / "deck.json")
    done = run_command("analyze", file, "--level", "3", "--store", *place).ends(2)
    assert done.stderr == "reversi: --store: the history is off; 'reversi history on' switches it on\n"
    assert not store.exists()
    run_command("history", "on", *place)
    run_command("analyze", file, "--level", "3", "--store", *place).ends(0)
    assert store.exists()
    assert run_command("history", "delete", "--yes", *place).stdout == "The history is deleted.\n"
    assert not store.exists()
    store.write_text("what is left\n", encoding="utf-8")
    assert run_command("history", "delete", "--yes", *place).stdout == "The history is deleted.\n"
    assert not store.exists()
    assert run_command("history", "delete", "--yes", *place).stdout == "There is no history.\n"


def test_exercises_do_without_a_damaged_history(tmp_path: Path) -> None:
    file = whole_game(tmp_path)
    (tmp_path / "history.json").write_text("{", encoding="utf-8")
    done = run_command("train", "make", file, "--level", "2", "--state", tmp_path).ends(0)
    assert "; the games are analyzed without it\n" in done.stderr
    assert not (tmp_path / "analyses.txt").exists()
    assert "exercises from 1 game" in done.stderr


def test_a_store_that_cannot_be_written(tmp_path: Path) -> None:
    file = whole_game(tmp_path)
    (tmp_path / "analyses.txt").mkdir()
    done = run_command("analyze", file, "--level", "2", "--store", "--state", tmp_path).ends(73)
    assert "analyses.txt: Is a directory; the analyses are not kept" in done.stderr
    assert "mean loss" in done.stdout
    assert "the analyses are not kept" in run_command("history", "--state", tmp_path).ends(0).stderr


def test_several_folders_are_a_table(tmp_path: Path) -> None:
    for name in ("ada", "bob"):
        session = Session(
            sides={Color.BLACK: parse_side(f"human:{name}"), Color.WHITE: engine_side(1)},
        )
        HistoryKeeper(session, History(tmp_path / name / "history.json"))
        session.begin()
        session.resign(Color.WHITE)
    folders = [word for name in ("ada", "bob") for word in ("--state", str(tmp_path / name))]
    done = run_command("history", *folders).ends(0)
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["player", "ada", "bob"]
    done = run_command("history", *folders, "--player", "Bob", "--json").ends(0)
    assert [json.loads(line)["player"] for line in done.stdout.splitlines()] == ["bob"]
    done = run_command("history", *folders, "--state", str(tmp_path / "none")).ends(66)
    assert done.stderr == f"reversi: {tmp_path / 'none'}: there is no history in this folder\n"


KILLED = """
import sys
from pathlib import Path
from reversi import Session
from reversi.analysis.store import AnalysisStore
from reversi.cli import run
from reversi.person.game_review import GameReview
from reversi.person.history import History
from reversi import open_records
from reversi.records.from_game import game_from_record

put, left = AnalysisStore.put, 40

def wait(self, position, question, found):
    global left
    put(self, position, question, found)
    left -= 1
    if not left:
        print("killed here", flush=True)
        sys.stdin.read()

AnalysisStore.put = wait
state, what, *rest = sys.argv[1:]
if what == "review":
    record = next(open_records(rest[0]))
    GameReview(Session(game_from_record(record)), History(Path(state) / "history.json")).analyze(10)
else:
    run([what, *rest, "--state", state])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no such signal")
@pytest.mark.parametrize(
    "command",
    [
        ("review", "FILE"),
        ("history",),
        ("train", "make", "FILE", "--level", "10", "-o", "DECK"),
        ("analyze", "FILE", "--store", "--level", "10", "--html", "PAGE"),
    ],
    ids=lambda command: command[0],
)
def test_what_is_killed_goes_on_where_it_was(command: tuple[str, ...], tmp_path: Path) -> None:
    file = whole_game(tmp_path)
    paths = {"FILE": str(file), "DECK": str(tmp_path / "deck.json"), "PAGE": str(tmp_path / "page.html")}
    words = [paths.get(word, word) for word in command]
    program = [sys.executable, "-c", KILLED, str(tmp_path), *words]
    with Child(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"killed here\n"
        process.kill()
        assert process.wait(SOON_S) == -signal.SIGKILL
    before = (tmp_path / "analyses.txt").read_bytes().splitlines()
    assert len(before) >= 40
    if command[0] == "review":
        record = next(open_records(file))
        review = GameReview(Session(game_from_record(record)), History(tmp_path / "history.json"))
        assert review.analyze(10).complete
    else:
        run_command(*words, "--state", tmp_path).ends(0)
    after = (tmp_path / "analyses.txt").read_bytes().splitlines()
    assert after[: len(before)] == before
    keys = [line[9:].partition(b"\t")[0] for line in after]
    assert len(set(keys)) == len(keys) > len(before)  # nothing is found twice
    assert [path.name for path in tmp_path.glob(".*")] == []
