"""External engines: good ones, and ten ways to fail."""

from __future__ import annotations

import asyncio
import shlex
import shutil
import sys
import threading
import time
from pathlib import Path

import pytest

import fake_engine
from files import new_file
from reversi import (
    ClockReading,
    IllegalMoveError,
    InputError,
    Kind,
    Move,
    PlayerError,
    Position,
    ResignationError,
    solve,
)
from reversi.engine import Player
from reversi.engine.engine import EngineCancelled
from reversi.protocols import AsyncEngine, ExternalEngine, Info, open_engine
from reversi.protocols.gtp_client import GtpEngine
from reversi.protocols.process import EngineProcess
from reversi.rules import ADJACENT, BoardSize, parse_rules
from reversi.text import parse_board

RHINO = shutil.which("gtp-rhino", path="/usr/games:/usr/local/bin:/usr/bin")
PROTOCOLS = ("gtp", "nboard")


def fake(protocol: str, behavior: str = "good", **settings: float) -> ExternalEngine:
    return open_engine(fake_engine.command(protocol, behavior), name="fake", **settings)


def play_on(engine: ExternalEngine, plies: int = 8) -> list[str]:
    """Let the engine play both sides; return its moves."""
    start = position = Position()
    moves: list[Move] = []
    for _ in range(plies):
        engine.follow(start, moves)
        move = engine.choose(position).move
        moves.append(move)
        position = position.play(move)
    return [str(move) for move in moves]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_good_engine(protocol: str) -> None:
    heard: list[Info] = []
    with fake(protocol) as engine:
        assert engine.name == "Fake"
        assert isinstance(engine, Player)
        assert play_on(engine) == ["d3", "c3", "b3", "b2", "b1", "a1", "c4", "c1"]
        engine.follow(Position(), [])  # back to the start
        chosen = engine.go(clock=ClockReading(60.0, 1.0), on_info=heard.append)
        assert str(chosen.move) == "d3"
        used = engine.cpu_s()
        assert used is None or used >= 0
        assert engine.close()
    if protocol == "nboard":
        assert [(info.score.value, info.score.depth) for info in heard if info.score] == [(2, 4)]
        assert chosen.score is not None


def test_a_level_of_nboard_does_not_outlast_a_question_with_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    depths: list[str] = []
    with fake("nboard") as engine:
        engine.follow(Position())
        send = engine._running().send

        def sent(line: str) -> None:
            if "depth" in line:
                depths.append(line)
            send(line)

        monkeypatch.setattr(engine._running(), "send", sent)
        engine.go(level=5)
        engine.hint(Position(), 1, time_s=1)
        engine.set_option("depth", 7)
        engine.go(level=5)
        engine.go(time_s=1)
    assert depths == ["set depth 5", "set depth 60", "set depth 7", "set depth 5", "set depth 7"]


def test_nboard_hints_have_scores() -> None:
    with fake("nboard") as engine:
        moves = engine.hint(Position(), 3, time_s=10)
    assert [(str(each.move), each.score.value, each.score.kind) for each in moves] == [
        ("d3", 4, Kind.EXACT),
        ("c4", 3, Kind.EXACT),
        ("f5", 2, Kind.EXACT),
    ]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("behavior", "protocol", "words"),
    [
        ("illegal", "gtp", "played d4 as Black, which is illegal: "),
        ("illegal", "nboard", "played d4 as Black, which is illegal: "),
        ("wrong-color", "gtp", "(it is a move of White)"),
        ("wrong-color", "nboard", "(it is a move of White)"),
        ("silent", "gtp", "did not answer genmove black within 0.5 s"),
        ("silent", "nboard", "did not answer go within 0.5 s"),
        ("garbage", "gtp", "did not answer genmove black within 0.5 s; its last lines: "),
        ("garbage", "nboard", "answered 'xyzzy', which is not a move"),
        ("dies", "gtp", "ended with exit status 7; its last lines:"),
        ("dies", "nboard", "ended with exit status 7; its last lines:"),
        ("floods", "gtp", "floods its output"),
        ("floods", "nboard", "floods its output"),
        ("closes", "gtp", "closed its output"),
        ("closes", "nboard", "closed its output"),
        ("twice", "gtp", "answered twice: "),
        ("twice", "nboard", "moved without being asked"),
        ("no-start", "gtp", "ended with exit status 3; its last lines: no license found"),
        ("no-start", "nboard", "ended with exit status 3; its last lines: no license found"),
    ],
)
def test_a_bad_engine_is_a_clear_error(behavior: str, protocol: str, words: str) -> None:
    late = words.startswith("did not answer")
    with (
        fake(protocol, behavior, move_s=0.5 if late else 30.0) as engine,
        pytest.raises(PlayerError) as caught,
    ):
        play_on(engine)
    assert str(caught.value).startswith("fake: ")
    assert words in str(caught.value)
    assert caught.value.late is late
    if late and behavior == "garbage":
        assert "I would rather play chess" in str(caught.value)
    if behavior == "dies":
        assert "about to be dies | out of memory" in str(caught.value)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_next_question_starts_a_failed_engine_again(protocol: str) -> None:
    with fake(protocol, "dies") as engine:
        with pytest.raises(PlayerError):
            play_on(engine)
        assert play_on(engine, 2) == ["d3", "c3"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_lines_of_a_log_are_no_answers(protocol: str) -> None:
    with fake(protocol) as quiet, fake(protocol, "noisy") as engine:
        assert engine.name == "Fake"
        banner = engine.noise.count
        assert play_on(engine, 12) == play_on(quiet, 12)
        engine.follow(Position(), [])
        assert str(engine.go(clock=ClockReading(60.0, 1.0)).move) == "d3"
        assert engine.close()
        assert not quiet.noise.count
        assert str(quiet.noise) == ""
    assert engine.noise.count > banner + 12
    assert len(engine.noise.lines) == 5
    assert fake_engine.LOG in engine.noise.lines
    assert str(engine.noise).startswith(
        f"wrote {engine.noise.count} lines outside its answers, which are skipped: "
    )


ANALYZES_ONCE = """
import sys
lines = 0
for line in sys.stdin:
    number, _, command = line.strip().partition(" ")
    command = command.partition(" ")[0]
    lines += command == "reversi-analyze"
    answers = {
        "list_commands": "play\\ngenmove\\nclear_board\\nreversi-analyze",
        "reversi-analyze": "info move d3 score +2 kind heuristic depth 4 pv d3",
    }
    if lines < 2:
        print(f"={number} {answers.get(command, '')}\\n", flush=True)
"""


NOISE_OF_AN_ANALYSIS = """
    if command == "reversi-analyze":
        print("*** LOG", "", "=====", sep="\\n", flush=True)
    if True:
"""


def test_a_log_inside_and_around_an_analysis(tmp_path: Path) -> None:
    script = new_file(tmp_path / "engine.py", ANALYZES_ONCE.replace("    if lines < 2:\n", NOISE_OF_AN_ANALYSIS))
    with open_engine(f"gtp:{shlex.join([sys.executable, str(script)])}", name="fake") as engine:
        for count in (1, 2):
            assert [str(choice.move) for choice in engine.hint(Position(), time_s=10)] == ["d3"]
            assert engine.noise.count >= count


def test_an_answer_before_a_line_of_a_log(tmp_path: Path) -> None:
    script = tmp_path / "engine.py"
    script.write_text(ANALYZES_ONCE.replace('"reversi-analyze": "info', '"genmove": "d3\\n*** STILL", "x": "info'))
    with open_engine(f"gtp:{shlex.join([sys.executable, str(script)])}", name="fake") as engine:
        assert str(engine.choose(Position()).move) == "d3"
        assert engine.noise.lines == ("*** STILL",)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux says what other processes used")
def test_the_cpu_time_of_an_engine_behind_a_shell() -> None:
    burn = "import time\nwhile time.process_time() < 0.3: pass\nprint('=1 list_commands', flush=True)\ninput()"
    process = EngineProcess(
        shlex.join(["sh", "-c", f'cat | {shlex.quote(sys.executable)} -c "{burn}" | cat']), "fake"
    )
    try:
        assert process.read(time.monotonic() + 60) == "=1 list_commands"
        used = process.cpu_s()
        assert used is not None
        assert used >= 0.25
    finally:
        process.close(0.0)
    assert process.cpu_s() is None


def test_an_engine_that_does_not_exist() -> None:
    with pytest.raises(PlayerError, match="does not start: no-such-engine: no such file or directory"):
        _ = open_engine("gtp:no-such-engine --fast").name


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_engine_that_does_not_end_is_killed(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    close = EngineProcess.close
    monkeypatch.setattr(EngineProcess, "close", lambda process, wait_s=0.2: close(process, min(wait_s, 0.2)))
    engine = fake(protocol, "hangs")
    assert engine.name == "Fake"
    assert not engine.close()
    assert "killed" in engine.ended_badly


def test_a_missing_analysis_names_the_time_that_the_engine_had(tmp_path: Path) -> None:
    script = new_file(tmp_path / "engine.py", ANALYZES_ONCE)
    with open_engine(f"gtp:{shlex.join([sys.executable, str(script)])}", name="fake") as engine:
        assert [str(choice.move) for choice in engine.hint(Position(), time_s=10)] == ["d3"]
        engine.answer_s = 0.2
        with pytest.raises(PlayerError, match=r"did not answer reversi-analyze within 0\.3 s") as caught:
            engine.hint(Position(), time_s=0.1)
    assert caught.value.late


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_another_thread_stops_it(protocol: str) -> None:
    engine = fake(protocol, "silent")
    moves: list[Move] = []
    position = Position()
    for _ in range(2):
        moves.append(engine.choose(position).move)
        position = position.play(moves[-1])
        engine.follow(Position(), moves)
    threading.Timer(0.2, engine.cancel).start()
    with pytest.raises(EngineCancelled):
        engine.choose(position)
    engine.close()


def test_options() -> None:
    with fake("gtp") as engine, pytest.raises(InputError, match="no option 'level'"):
        engine.set_option("level", 3)
    with fake("nboard") as engine:
        engine.set_option("depth", 3)
        with pytest.raises(InputError, match="the options depth and contempt"):
            engine.set_option("hash", 3)
        engine.follow(Position())
        assert str(engine.go(level=4).move) == "d3"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_a_protocol_cannot_do(protocol: str) -> None:
    with fake(protocol) as engine:
        with pytest.raises(InputError, match="call follow first"):
            engine.go()
        with pytest.raises(PlayerError, match="othello"):
            engine.follow(Position(ADJACENT))
        with pytest.raises(IllegalMoveError):
            engine.follow(Position(), [Position().play("f5").legal_moves[0]])
    with pytest.raises(InputError, match="the command of the engine is empty"):
        open_engine("gtp: ")
    with pytest.raises(InputError, match="no closing quotation"):
        open_engine("gtp:x 'y")


def test_asyncio() -> None:
    async def script() -> tuple[str, str, list[str], list[int]]:
        async with AsyncEngine(fake("nboard")) as engine:
            assert str((await engine.choose(Position(), ClockReading(60.0, 0.0))).move) == "d3"
            await engine.follow(Position())
            move = str((await engine.go(level=3)).move)
            hints = [str(each.move) for each in await engine.hint(Position(), 2, time_s=10)]
            said = [
                info.score.value
                async for info in engine.analysis(Position(), 2, time_s=10)
                if info.score is not None
            ]
            return await engine.start(), move, hints, said

    assert asyncio.run(script()) == ("Fake", "d3", ["d3", "c4"], [9, 9, 4, 3])


def test_cancelling_a_task_ends_its_question() -> None:
    async def script() -> None:
        engine = AsyncEngine(fake("nboard", "silent"))
        for _ in range(2):
            await engine.follow(Position())
            await engine.go()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(engine.go(), 0.2)
        await engine.close()

    asyncio.run(script())


def test_cancelling_a_task_that_waits_for_the_engine_leaves_the_question_under_way() -> None:
    async def script() -> str:
        engine = AsyncEngine(fake("nboard"))
        async with engine:
            await engine.follow(Position())
            release = asyncio.Event()
            began = threading.Event()
            loop = asyncio.get_running_loop()

            def hold(_: Info) -> None:  # in the thread of the engine
                began.set()
                asyncio.run_coroutine_threadsafe(release.wait(), loop).result()

            under_way = asyncio.ensure_future(engine._do(engine.engine.go, on_info=hold))
            await asyncio.to_thread(began.wait)
            waiting = asyncio.ensure_future(engine.hint(Position(), 2))
            analysis = engine.analysis(Position())
            first = asyncio.ensure_future(anext(analysis))
            await asyncio.sleep(0)
            for task in (waiting, first):
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            release.set()
            return str((await under_way).move)

    assert asyncio.run(script()) == "d3"


def test_cancelling_a_task_that_has_its_answer_leaves_the_next_question(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[bool] = []
    monkeypatch.setattr(ExternalEngine, "cancel", lambda _: ended.append(True))

    async def script() -> str:
        engine = AsyncEngine(fake("nboard"))
        async with engine:
            await engine.follow(Position())
            began, release = threading.Event(), threading.Event()

            def hold(_: Info) -> None:  # in the thread of the engine
                began.set()
                release.wait(60)

            answered = asyncio.ensure_future(engine.go())
            under_way = asyncio.ensure_future(engine._do(engine.engine.go, on_info=hold))
            await asyncio.sleep(0)
            began.wait(60)  # the loop does not yet know the first answer
            answered.cancel()
            with pytest.raises(asyncio.CancelledError):
                await answered
            release.set()
            return str((await under_way).move)

    assert (asyncio.run(script()), ended) == ("d3", [])


def test_a_closed_engine_of_asyncio_starts_again() -> None:
    async def script() -> str:
        async with AsyncEngine(fake("gtp")) as engine:
            assert await engine.close()
            await engine.close()
            await engine.follow(Position())
            return str((await engine.go()).move)

    assert asyncio.run(script()) == "d3"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_finished_game_has_no_hints(protocol: str) -> None:
    with fake(protocol) as engine, pytest.raises(InputError, match="the game is over"):
        engine.hint(parse_board("X" * 64 + " O"))


def test_the_bounds_of_a_hint_are_those_of_the_board() -> None:
    small = Position(parse_rules("othello,board=4x4"))
    command = shlex.join([sys.executable, "-m", "reversi", "engine", "gtp", "--level", "4"])
    with open_engine(f"gtp:{command}") as engine:
        found = engine.hint(small, 1)[0].score
    assert (found.lower, found.upper) == (-16, 16)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_our_own_engine(protocol: str) -> None:
    """The servers of this package, driven by its clients: positions, clocks, scored moves."""
    heard: list[Info] = []
    command = f"{protocol}:{shlex.join([sys.executable, '-m', 'reversi', 'engine', protocol, '--level', '4'])}"
    with open_engine(command, name="ours") as engine:
        assert engine.name == "reversi"
        assert engine.gives_scores
        position = Position().play("f5").play("d6")
        found = engine.hint(position, 3, on_info=heard.append)  # set up without the moves that lead to it
        assert len({each.move for each in found}) == 3
        assert all(each.pv[0] == each.move and position.is_legal(each.move) for each in found)
        assert [each.score.value for each in found] == sorted((each.score.value for each in found), reverse=True)
        assert heard
        engine.follow(Position(), [Move.parse("f5"), Move.parse("d6")])
        assert position.is_legal(engine.go(clock=ClockReading(5.0, 0.1)).move)
        ends = parse_board("OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX X")
        assert engine.choose(ends, ClockReading(20.0, 0.0)).move in solve(ends, all_moves=True).best
        assert engine.close()


def test_the_settings_that_a_gtp_engine_receives(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    known = frozenset(("play", "genmove", "clear_board", "boardsize", "time_settings", "time_left", "name"))

    def exchange(engine: GtpEngine, process: object, command: str, until: float | None) -> tuple[bool, str]:
        if not command.startswith(("play", "clear_board", "genmove")):
            sent.append(command)
        size = engine.position.rules.board if engine.position else None
        engine._known = known
        answer = {"list_commands": "\n".join(known), "genmove black": "d3" if size == BoardSize(8, 8) else "c2"}
        return False, answer.get(command, "")

    monkeypatch.setattr(GtpEngine, "_exchange", exchange)
    with fake("gtp") as engine:
        assert engine.name
        sent.clear()
        engine.follow(Position(parse_rules("othello,board=6x6")))
        engine.go(clock=ClockReading(60.7, 0.0, 0.5, 1))
        engine.follow(Position())
        engine.go(clock=ClockReading(50.7, 0.0, 1.5, 1))
        engine.follow(Position())
        engine.go(time_s=2.5)
        engine.follow(Position())
        engine.go(clock=ClockReading(0.0, 0.0, 1.5, 1))
        engine.follow(Position())
        engine.go()
    assert sent == [
        *("boardsize 6", "time_settings 60 1 1", "time_left black 60 0"),
        *("boardsize 8", "time_left black 50 0"),
        "time_settings 0 2 1",
        *("time_settings 0 1 1", "time_left black 1 1"),
        "time_settings 0 1 0",
    ]


def test_a_resignation_is_an_answer() -> None:
    with fake("gtp", "resigns") as engine:
        with pytest.raises(ResignationError, match=r"^fake: resigns$"):
            play_on(engine)
        engine.follow(Position(), "f5d6")
        assert engine.go().move in Position.from_moves("f5d6").legal_moves  # the same program plays on
        assert not engine.ended_badly


@pytest.mark.skipif(RHINO is None, reason="GRhino (Debian package grhino) is not installed")
def test_grhino() -> None:
    with open_engine(f"gtp:{RHINO}") as engine:
        assert engine.name == "GTP GRhino"
        assert len(play_on(engine, 60)) == 60


def test_the_module_that_is_run_is_there() -> None:
    assert Path(fake_engine.__file__).exists()
    assert len(fake_engine.BEHAVIORS) >= 11
