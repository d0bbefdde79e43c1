"""Bots: the examples, in sessions and matches, and bots that fail."""

from __future__ import annotations

from pathlib import Path

import pytest

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
        if isinstance(self.answer, Exception):
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
