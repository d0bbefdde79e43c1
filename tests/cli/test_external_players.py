"""External engines and bots in ``play`` and ``hint``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fake_engine
from command_line import run_command
from files import new_file
from reversi import Color, PlayerError, Session, Side
from reversi.cli.play.dialogue import Dialogue
from reversi.errors import InputError
from reversi.session import SessionFolder
from reversi.session.text import session_from_text, session_to_text

PROTOCOLS = ("gtp", "nboard")


def play(*words: str | Path, data: str = "", environment: dict[str, str] | None = None) -> list[str]:
    done = run_command("play", *words, data=data, environment=environment)
    return [str(done.returncode), *done.stdout.splitlines(), *done.stderr.splitlines()]


def test_a_game_against_an_external_engine(tmp_path: Path) -> None:
    words: list[str | Path] = [
        "--black",
        "engine:1",
        "--white",
        fake_engine.command("gtp", "good"),
        "--state",
        tmp_path,
    ]
    said = play(*words, "--save", tmp_path / "game.pgn")
    assert said[0] == "0"
    assert f'[White "{fake_engine.command("gtp", "good")}"]' in (tmp_path / "game.pgn").read_text()


def test_an_external_engine_resigns(tmp_path: Path) -> None:
    words = ["--black", "engine:1", "--white", fake_engine.command("gtp", "resigns"), "--state", str(tmp_path)]
    said = play(*words, "--save", tmp_path / "game.pgn")
    assert said[0] == "0"
    assert "White resigns." in said
    assert '[Termination "resignation"]' in (tmp_path / "game.pgn").read_text()


@pytest.mark.parametrize("sent", [True, False])
def test_the_fake_engine_follows_passes_that_are_sent_or_left_out(sent: bool) -> None:
    fake = fake_engine.Fake("good")
    moves = ["d3", "c3", "b3", "b2", "f5", "a3", "a1", "c1"]
    for ply, move in enumerate(moves):
        fake.play("bw"[ply % 2], move)
    assert fake.position.to_move is Color.BLACK
    assert not fake.position.legal_moves.placements
    if sent:
        fake.play("b", "pass")
    fake.turn("w")
    assert fake.position.to_move is Color.WHITE
    assert fake.position.is_legal(fake.choose())


def test_an_engine_with_a_name(tmp_path: Path) -> None:
    config = new_file(tmp_path / "config.toml", f"[engines]\nfake = '{fake_engine.command('nboard', 'good')}'\n")
    environment = {"REVERSI_CONFIG": str(config)}
    said = play("--white", "fake", "--state", tmp_path, data="f5\nrecord\nquit\n", environment=environment)
    assert any(line.startswith("2. ") for line in said)
    assert '[White "fake"]' in said
    assert "Black: human. White: fake. Rules: othello." in said
    done = run_command("hint", "f5", "--engine", "fack", environment=environment).ends(2)
    assert done.stderr.endswith(
        "; write gtp:COMMAND or nboard:COMMAND, or a name from your configuration file: fake\n"
    )
    done = run_command("hint", "f5", "--engine", "fake", "--json", environment=environment)
    moves = json.loads(done.stdout)["moves"]
    assert [(move["score"], move["kind"]) for move in moves] == [(4, "exact"), (3, "exact"), (2, "exact")]


def test_a_hint_without_a_score() -> None:
    done = run_command("hint", "f5", "--engine", fake_engine.command("gtp", "good"))
    assert (done.returncode, done.stdout.splitlines()[1]) == (0, "    f4  no score  f4")


def test_a_hint_of_a_failing_engine() -> None:
    done = run_command("hint", "f5d6c3", "--engine", fake_engine.command("gtp", "no-start")).ends(2, out="")
    assert "ended with exit status 3; its last lines: no license found" in done.stderr
    done = run_command("hint", "f5", "--engine", fake_engine.command("gtp", "good"), "--exact")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


@pytest.mark.thorough
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_lines_of_a_log_are_shown_once(protocol: str, tmp_path: Path) -> None:
    noisy = fake_engine.command(protocol, "noisy")
    said = play("--black", "engine:1", "--white", noisy, "--state", tmp_path)
    assert said[0] == "0"
    assert [" outside its answers, which " in line for line in said].count(True) == 1
    done = run_command("hint", "f5d6c3", "--engine", noisy)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert fake_engine.LOG in done.stderr
    said = run_command("match", "1", f"noisy={noisy}", "--games", "2", "--clock", "1:00").stderr.splitlines()
    assert len(said) == 1
    assert said[0].startswith("reversi: game 1.1 (level 1-noisy): noisy: wrote ")


def test_a_failing_engine_ends_a_game_without_a_person(tmp_path: Path) -> None:
    words: list[str | Path] = [
        "--black",
        "engine:1",
        "--white",
        fake_engine.command("gtp", "dies"),
        "--state",
        tmp_path,
    ]
    said = play(*words)
    assert said[0] == "65"
    assert "ended with exit status 7; its last lines: " in said[-1]
    assert list((tmp_path / "games").glob("*.session"))  # to be continued


def test_an_engine_that_does_not_start_begins_no_game(tmp_path: Path) -> None:
    said = play("--white", "gtp:no-such-engine", "--state", tmp_path)
    assert said == ["2", "reversi: no-such-engine: does not start: no-such-engine: no such file or directory"]
    said = play("--white", "python:no_such_module:Bot", "--state", tmp_path)
    assert said[0] == "2"
    assert "cannot be imported: ModuleNotFoundError" in said[1]


class Failing:
    """A bot that fails once."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, position: object, clock: object = None) -> str:
        self.asked += 1
        if self.asked == 1:
            raise PlayerError("bot", "is not ready")
        return "d6"


def test_a_person_at_a_terminal_decides_after_a_failure() -> None:
    session = Session(sides={Color.WHITE: Side.of(Failing(), name="bot")})
    typed = iter(["f5", "go", "quit"])
    said: list[str] = []
    Dialogue(
        session,
        read=lambda _: next(typed, None),
        say=said.append,
        stay=True,
    ).run()
    assert "bot: is not ready. Paused: go or continue asks again, mode changes who plays." in said
    assert [str(ply.move) for ply in session.game] == ["f5", "d6"]


def test_a_saved_game_keeps_its_program(tmp_path: Path) -> None:
    program = fake_engine.command("gtp", "good")
    folder = SessionFolder(tmp_path / "games")
    session = Session(sides={Color.WHITE: Side.of(program)}, keepers=[folder])
    session.begin()
    session.play("f5")
    folder.close()
    assert session_from_text(session_to_text(session)).sides == session.sides
    assert folder.resume().sides[Color.WHITE].program == program
    saved = folder.path
    assert saved is not None
    sent = new_file(tmp_path / "sent.session", saved.read_bytes())
    folder.close()
    with pytest.raises(InputError, match="this game would run gtp:"):
        folder.resume(sent)
    assert not list(tmp_path.glob("*.lock"))
    session.close()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_rules_that_an_engine_does_not_play_are_refused_before_the_game(protocol: str, tmp_path: Path) -> None:
    engine = fake_engine.command(protocol, "good")
    words: list[str | Path] = ["--white", engine, "--rules", "adjacent", "--state", tmp_path]
    command = engine.partition(":")[2]
    said = play(*words, data="c4\n")
    assert said[0] == "2"
    assert said[1].startswith(f"reversi: {command}: ")
    assert "engines play othello" in said[1]
    assert len(said) == 2


def test_a_position_that_an_engine_cannot_set_up(tmp_path: Path) -> None:
    engine = fake_engine.command("gtp", "good")
    said = play("--white", engine, "--start", "f5d6", "--state", tmp_path, data="c3\n")
    command = engine.partition(":")[2]
    assert said[0] == "65"
    assert said[-1] == f"reversi: {command}: this GTP engine cannot set up a position; start with moves of a game"
