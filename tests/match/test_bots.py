"""Bots: the examples, in sessions and matches, and bots that fail."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from command_line import run_process
from reversi import Cancel, ClockReading, Color, InputError, Move, PlayerError, Position, Session, Side
from reversi.engine import Engine, MoveChoice, Player
from reversi.engine.engine import EngineCancelled
from reversi.engine.player import ask_player
from reversi.match import Contestant, Match, MatchSettings, balanced_openings, parse_contestants
from reversi.protocols.programs import open_program

BOTS = Path(__file__).parents[2] / "examples" / "bots.py"
pytestmark = pytest.mark.skipif(not BOTS.exists(), reason="the examples are not here")


def test_the_examples_play_a_match() -> None:
    players = parse_contestants([f"python:{BOTS}:Greedy", f"python:{BOTS}:Mobility"])
    match = Match(players, balanced_openings(), MatchSettings(10))
    match.run()
    standings = match.standings()
    assert standings.players["Mobility"].points > standings.players["Greedy"].points
    assert not any(result.failure for result in match.games)


def test_a_bot_plays_in_a_session() -> None:
    bot = open_program(f"python:{BOTS}:Mobility")
    session = Session(sides={Color.BLACK: Side.of(bot), Color.WHITE: Side.of(f"python:{BOTS}:Greedy")})
    session.begin()
    while not session.is_over:
        session.play_engine()
    assert session.game.result is not None
    assert session.record().tags["Black"] == "Mobility"


def test_an_engine_is_a_player() -> None:
    assert isinstance(Engine(1), Player)
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(EngineCancelled):
        ask_player(Engine(20), Position(), cancel=cancel)


class Recording:
    """A bot with all methods."""

    def __init__(self, answer: object = "d3") -> None:
        self.answer = answer
        self.heard: list[object] = []

    def follow(self, start: Position, moves: tuple[Move, ...]) -> None:
        self.heard.append((start, moves))

    def choose(self, position: Position, clock: ClockReading | None = None) -> str:
        self.heard.append(clock)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer  # type: ignore[return-value]


def test_what_a_bot_hears() -> None:
    bot, clock = Recording(), ClockReading(5.0, 1.0)
    assert ask_player(bot, Position(), clock, game=(Position(), ())) == MoveChoice(Move.parse("d3"))
    assert bot.heard == [(Position(), ()), clock]


def test_a_player_who_cannot_be_sent_to_a_process_is_refused(tmp_path: Path) -> None:
    class Local:
        def choose(self, position: Position, clock: ClockReading | None = None) -> Move:
            return position.legal_moves[0]

    players = [Contestant("a", Side.of(Local())), Contestant("b", Side.engine(1))]
    match = Match(players, balanced_openings(), MatchSettings(2))
    with pytest.raises(InputError, match=r"^a cannot be sent to the process of a game: .*; define its class"):
        match.run(tmp_path / "match.pgn")
    assert not (tmp_path / "match.pgn").exists()


def test_an_engine_that_has_played_plays_a_match() -> None:
    engine = Engine(1, seed=3)
    engine.choose(Position())
    match = Match(
        [Contestant("a", Side.of(engine)), Contestant("b", Side.engine(1))], balanced_openings(), MatchSettings(2)
    )
    match.run()
    assert [game.failure for game in match.games] == ["", ""]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("a1", "bot: played a1 as Black, which is illegal: flips nothing"),
        ("xyzzy", "bot: answered 'xyzzy', which is not a move"),
        (None, "bot: answered None, which is not a move"),
        (ZeroDivisionError("oops"), "bot: raised ZeroDivisionError: oops"),
        (SystemExit(3), "bot: raised SystemExit: 3"),
    ],
)
def test_a_bot_that_fails(answer: object, message: str) -> None:
    with pytest.raises(PlayerError) as caught:
        ask_player(Recording(answer), Position(), name="bot")
    assert str(caught.value) == message


def test_bots_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_bots.py").write_text("class No: pass\nclass Bad:\n    def __init__(self): 1 / 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for text, message in (
        ("python:my_bots:Unknown", "has no class Unknown"),
        ("python:my_bots:No", "has no method choose"),
        ("python:my_bots.py:Bad", "cannot be made: ZeroDivisionError"),
        ("python:no_such_module:Bot", "cannot be imported: ModuleNotFoundError"),
        ("python:none.py:Bot", "cannot be imported: FileNotFoundError"),
    ):
        with pytest.raises(PlayerError, match=message):
            open_program(text)
    with pytest.raises(InputError):
        open_program("python:nothing")


BOTS_THAT_FAIL = """
import sys
from reversi import ResignationError

print("imported")

class Talks:
    def __init__(self):
        print("made")

    def choose(self, position, clock=None):
        print("chooses", flush=True)
        return position.legal_moves[0]

    def close(self):
        print("closed")

class Leaves(Talks):
    def choose(self, position, clock=None):
        if position.empties < 50:
            sys.exit("no more")
        return super().choose(position)

class Resigns(Talks):
    def choose(self, position, clock=None):
        if position.empties < 50:
            raise ResignationError("me")
        return super().choose(position)

class FailsAtTheEnd(Talks):
    def close(self):
        sys.exit(1)

class NeverStarts:
    def __init__(self):
        sys.exit("not today")
"""


@pytest.fixture
def fails(tmp_path: Path) -> str:
    (tmp_path / "fails.py").write_text(BOTS_THAT_FAIL, encoding="utf-8")
    return f"python:{tmp_path / 'fails.py'}"


@pytest.mark.parametrize("where", [[], ["--cluster", "local:1"]], ids=["here", "on a cluster"])
def test_what_a_bot_prints_is_no_result(fails: str, where: list[str]) -> None:
    if where:
        pytest.importorskip("distributed")
    done = run_process("match", f"{fails}:Talks", "1", "--games", "2", "--json", *where)
    assert (done.returncode, json.loads(done.stdout)["games"]) == (0, 2)
    assert {"imported", "made", "chooses"} <= set(done.stderr.splitlines())


def test_a_bot_that_leaves_loses_its_games_alone(fails: str, tmp_path: Path) -> None:
    words = ("match", f"{fails}:Leaves", "1", "--games", "2", "--save", str(tmp_path / "m.pgn"), "--json")
    done = run_process(*words)
    assert (done.returncode, json.loads(done.stdout)["games"]) == (1, 2)
    assert done.stderr.count("Leaves: raised SystemExit: no more") == 2
    again = run_process(*words, "--resume")
    assert (again.returncode, again.stdout) == (1, done.stdout)


def test_bots_resign_and_fail_at_the_end(fails: str) -> None:
    match = Match(
        parse_contestants([f"{fails}:Resigns", f"{fails}:FailsAtTheEnd"]), balanced_openings(), MatchSettings(2)
    )
    match.run()
    for game in match.games:
        assert (game.termination, game.failure) == ("resignation", "")
        assert game.notes == ("FailsAtTheEnd: raised SystemExit: 1, when it was closed",)


def test_a_bot_that_never_starts(fails: str) -> None:
    done = run_process("match", f"{fails}:NeverStarts", "1", "--games", "2")
    assert (done.returncode, done.stdout) == (2, "")
    assert "reversi: NeverStarts: cannot be made: SystemExit: not today\n" in done.stderr


def test_a_session_takes_a_resignation(fails: str) -> None:
    session = Session(sides={Color.BLACK: Side.of(f"{fails}:Resigns"), Color.WHITE: Side.of(f"{fails}:Talks")})
    with session:
        session.begin()
        while not session.is_over:
            session.play_engine()
    assert str(session.game.outcome) == "White wins by resignation (0-1)"


def test_modules_of_the_current_folder_come_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = "class Bot:\n    def choose(self, position, clock=None):\n        return position.legal_moves[0]\n"
    (tmp_path / "my_own_bot.py").write_text(bot, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    open_program("python:my_own_bot:Bot")
    assert sys.path.index(str(tmp_path)) == len(sys.path) - 1
