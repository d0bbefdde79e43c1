"""Bots: the examples, in sessions and matches, and bots that fail."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import run_process, run_python
from reversi import Cancel, ClockReading, Color, InputError, Move, PlayerError, Position, Session, Side
from reversi.engine import Engine, MoveChoice, Player
from reversi.engine.engine import EngineCancelled
from reversi.engine.player import ask_player
from reversi.match import Contestant, Match, MatchGame, MatchSettings, balanced_openings, parse_contestants
from reversi.match.archive import MatchFile
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


class Kept:
    """A bot that no other process can have; it counts what happens to it."""

    def __init__(self) -> None:
        self.answers = self.first_moves()  # generators do not pickle
        self.position = Position()
        self.asked = self.closed = 0

    def first_moves(self) -> Iterator[Move]:
        while True:
            yield self.position.legal_moves[0]

    def choose(self, position: Position, clock: ClockReading | None = None) -> Move:
        self.asked, self.position = self.asked + 1, position
        return next(self.answers)

    def close(self) -> None:
        self.closed += 1


def test_a_player_who_cannot_be_sent_to_a_process_is_refused(tmp_path: Path) -> None:
    class Local:
        def choose(self, position: Position, clock: ClockReading | None = None) -> Move:
            return position.legal_moves[0]

    for bot, why in (
        (Local(), "Can't pickle local|Can't get local|cannot pickle|Can't pickle"),
        (Kept(), "generator"),
    ):
        players = [Contestant("a", Side.of(bot)), Contestant("b", Side.engine(1))]
        match = Match(players, balanced_openings(), MatchSettings(2))
        with pytest.raises(
            InputError, match=rf"^a cannot be sent to the process of a game: \w+: .*({why}).*in_process"
        ):
            match.run(tmp_path / "match.pgn")
        assert not (tmp_path / "match.pgn").exists()


MAIN_SCRIPT = """
from reversi import Side
from reversi.match import Contestant, Match, MatchSettings, balanced_openings

{guard}class Bot:
    {guard_indent}def choose(self, position, clock=None):
    {guard_indent}    return position.legal_moves[0]

if __name__ == "__main__":
    match = Match([Contestant("mine", Side.of(Bot())), Contestant("b", Side.engine(1))], balanced_openings(),
        MatchSettings(2))
    try:
        match.run()
    except Exception as error:
        print(type(error).__name__, error)
    match.run(in_process=True)
    print(len(match.games), [game.failure for game in match.games])
"""


@pytest.mark.parametrize("where", ["a prompt", "a script, below its guard"])
def test_a_player_of_the_main_module_that_other_processes_do_not_have(where: str, tmp_path: Path) -> None:
    guard = "" if where == "a prompt" else "if __name__ == '__main__':\n  "
    text = MAIN_SCRIPT.format(guard=guard, guard_indent="  " if guard else "")
    (tmp_path / "script.py").write_text(text, encoding="utf-8")
    words = ["-c", text] if where == "a prompt" else [str(tmp_path / "script.py")]
    done = run_python(*words, check=True)
    refused, played = done.stdout.splitlines()
    assert refused.startswith("InputError mine cannot be sent to the process of a game: AttributeError: ")
    assert "'Bot'" in refused
    assert "in_process=True" in refused
    assert played == "2 ['', '']"
    assert done.stderr == ""


def test_a_match_in_one_process(tmp_path: Path) -> None:
    bot = Kept()
    heard: list[MatchGame] = []
    players = [Contestant("a", Side.of(bot)), Contestant("b", Side.engine(1))]
    match = Match(players, balanced_openings(), MatchSettings(4, adjudicate=0))
    match.run(tmp_path / "match.pgn", heard.append, in_process=True)
    assert heard == match.games
    assert [game.failure for game in match.games] == [""] * 4
    assert (bot.asked > 80, bot.closed) == (True, 0)  # it is the caller's
    copied = Match(players, balanced_openings(), MatchSettings(4, adjudicate=0))
    copied.run(tmp_path / "match.pgn", in_process=True)
    assert [game.record for game in copied.games] == [game.record for game in match.games]
    assert all(standing.cpu_per_move_s for standing in match.standings().ranking)


def test_a_match_in_one_process_plays_like_one_in_others() -> None:
    players = parse_contestants([f"python:{BOTS}:Greedy", "1"])
    here, there = (Match(players, balanced_openings(), MatchSettings(4)) for _ in range(2))
    here.run(in_process=True)
    there.run()
    assert [game.record.moves for game in here.games] == [game.record.moves for game in there.games]


def test_ctrl_c_ends_a_match_in_one_process(tmp_path: Path) -> None:
    class Interrupted(Kept):
        def choose(self, position: Position, clock: ClockReading | None = None) -> Move:
            if self.asked == 30:
                raise KeyboardInterrupt
            return super().choose(position)

    players = [Contestant("a", Side.of(Interrupted())), Contestant("b", Side.engine(1))]
    match = Match(players, balanced_openings(), MatchSettings(4))
    with pytest.raises(KeyboardInterrupt):
        match.run(tmp_path / "match.pgn", in_process=True)
    assert len(match.games) == 1
    with contextlib.closing(MatchFile(tmp_path / "match.pgn", match.name)) as file:
        assert len(file.games) == 1


def test_what_a_match_in_one_process_excludes() -> None:
    players = parse_contestants(["1", "2"])
    match = Match(players, balanced_openings(), MatchSettings(2, concurrency=2))
    with pytest.raises(InputError, match="concurrency must be 1"):
        match.run(in_process=True)
    with pytest.raises(InputError, match="not both"):
        match.run(in_process=True, cluster=object())  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["puct", "full width"])
def test_searches_with_an_evaluation_play_matches(kind: str) -> None:
    pytest.importorskip("numpy")
    from reversi.puct import FullWidth, Puct

    bot: Player = (
        Puct(lambda batch: batch.evaluate(), visits=30)
        if kind == "puct"
        else FullWidth(lambda batch: batch.evaluate(), depth=2)
    )
    players = [Contestant("a", Side.of(bot)), Contestant("b", Side.engine("beginner-1"))]
    match = Match(players, balanced_openings(), MatchSettings(2))
    with pytest.raises(InputError, match=r"a cannot be sent .*<lambda>"):
        match.run()
    match.run(in_process=True)
    assert [game.failure for game in match.games] == ["", ""]
    assert match.standings().players["a"].points >= 1


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


@pytest.mark.parametrize(
    "where", [[], pytest.param(["--cluster", "local:1"], marks=pytest.mark.thorough)], ids=["here", "on a cluster"]
)
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
    run_process(*words, "--resume").ends(1, out=done.stdout)


def test_bots_resign_and_fail_at_the_end(fails: str) -> None:
    match = Match(
        parse_contestants([f"{fails}:Resigns", f"{fails}:FailsAtTheEnd"]), balanced_openings(), MatchSettings(2)
    )
    match.run()
    for game in match.games:
        assert (game.termination, game.failure) == ("resignation", "")
        assert game.notes == ("FailsAtTheEnd: raised SystemExit: 1, when it was closed",)


def test_a_bot_that_never_starts(fails: str) -> None:
    done = run_process("match", f"{fails}:NeverStarts", "1", "--games", "2").ends(2, out="")
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
