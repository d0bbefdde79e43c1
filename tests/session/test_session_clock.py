"""Engines keep to their clocks: games between two processes, on a machine that is kept busy by others."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from children import Child
from reversi import Color, Game, Move, Position, TimeControl
from reversi.engine.engine import Engine
from reversi.engine.timing import allowance
from reversi.game.clocks import ClockReading
from reversi.game.ply import Termination
from reversi.session.players import Side
from reversi.session.session import Session
from reversi.solver.solution import MoveScore

SLACK = 0.05
"""Seconds by which a flag may be overrun: what pipes and the operating system may take away."""

LAG = 0.005
"""Seconds that a move takes beyond what it may where nothing but the session is between: less than the reserve."""

# An engine in a process of its own, with a clock of its own. It is told the moves that it did not make, and gives
# back those that it makes.
PLAYER = """
import json, sys
from reversi import Color, TimeControl
from reversi.session.players import Side
from reversi.session.session import Session

color, seed = Color(sys.argv[1]), int(sys.argv[2])
controls = {color: TimeControl(float(sys.argv[3]), float(sys.argv[4])), color.opponent: None}
session = Session(sides={color: Side.engine(60)}, seed=seed, controls=controls)
print("ready", flush=True)
for line in sys.stdin:
    for move in line.split():
        session.play(move)
    session.begin()
    moves = []
    while session.engine_to_move:
        ply = session.play_engine()
        if ply is not None:
            moves.append(str(ply.move))
    print(json.dumps(moves), flush=True)
"""

BUSY = "while True: pass"


class Opponent:
    """The engine of one color."""

    def __init__(self, process: Child[str]) -> None:
        self.process = process
        assert self.read() == "ready"

    def read(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the engine's process has ended"
        return line.strip()

    def answer(self, moves: list[str]) -> list[str]:
        """The moves that it makes in reply to those of the other side: several when that side must pass."""
        assert self.process.stdin is not None
        self.process.stdin.write(" ".join(moves) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.read())
        assert isinstance(answer, list)
        return answer


@contextlib.contextmanager
def running(*arguments: str) -> Iterator[Child[str]]:
    with Child(
        [sys.executable, "-c", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def clocks(game: Game) -> str:
    """What the clocks showed, for a failure's message."""
    return " ".join(f"{ply.number}{ply.color.symbol}:{ply.clock or 0:.2f}" for ply in game)


def play_game(seed: int, main: float, increment: float, busy: int = 0) -> Game:
    """One game between two processes beside some that keep the processors busy; the clock that counts is here."""
    arbiter = Session(controls=TimeControl(main + SLACK, increment))
    with contextlib.ExitStack() as stack:
        players = {
            color: Opponent(
                stack.enter_context(running(PLAYER, color.value, str(seed + index), str(main), str(increment)))
            )
            for index, color in enumerate(Color)
        }
        for _ in range(busy):
            stack.enter_context(running(BUSY))
        arbiter.begin()
        told: list[str] = []
        while not arbiter.is_over:
            color = arbiter.game.to_move
            answer = players[color].answer(told)
            assert not arbiter.tick(), f"{color} ran out of time: {clocks(arbiter.game)}"
            assert answer, f"the flag of {color} fell by its own clock"
            for move in answer:
                assert arbiter.game.to_move is color
                arbiter.play(Move.parse(move))
            told = answer
    return arbiter.game


@pytest.mark.parametrize("control", ["0:01+0.02", "0:10+0.1", "0:10", "0:02+2x1", "0:00+1x2", "100:00+30"])
@pytest.mark.parametrize("seed", range(2))
def test_no_flag_falls_when_every_move_takes_all_it_may(
    control: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same without a real clock: every answer comes at the last moment, and a little late."""
    now = [0.0]
    shallow, quickly = Engine(1, seed), Engine.choose
    budgets: list[float] = []

    def choose(engine: Engine, position: Position, *, clock: ClockReading, cancel: object) -> MoveScore:
        budgets.append(allowance(clock, position).hard_s)
        now[0] += budgets[-1] + LAG
        return quickly(shallow, position)

    monkeypatch.setattr(Engine, "choose", choose)
    session = Session(
        sides=dict.fromkeys(Color, Side.engine(60)), controls=TimeControl.parse(control), now=lambda: now[0]
    )
    session.begin()
    while session.engine_to_move and not session.is_paused:
        session.play_engine()
    assert session.outcome is not None
    assert session.outcome.termination is Termination.NORMAL, clocks(session.game)
    assert len(budgets) > 30


@pytest.mark.slow
def test_a_game_between_two_processes() -> None:
    game = play_game(1, 1.0, 0.02)
    assert game.outcome is not None
    assert game.outcome.termination is Termination.NORMAL


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(10))
def test_no_flag_falls_at_ten_seconds_and_a_tenth(seed: int) -> None:
    game = play_game(2 * seed, 10.0, 0.1, busy=2)
    assert game.outcome is not None
    assert game.outcome.termination is Termination.NORMAL


def test_an_engine_with_seconds_for_each_move() -> None:
    session = Session(sides={Color.BLACK: Side.engine(time_s=0.1)}, controls=TimeControl(36_000))
    session.begin()
    ply = session.play_engine()
    assert ply is not None
    assert ply.clock is not None
    assert ply.clock > 35_900  # the clock alone would allow a quarter of an hour or more
