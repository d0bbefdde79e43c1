"""Thinking on the opponent's time."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator

import pytest

from random_games import random_walk
from reversi import Color, Engine, Kind, Position, Random, ResourceError, Session, Side
from reversi.engine import pondering as pondering_module
from reversi.game.clocks import ClockReading, TimeControl
from reversi.openings.book import default_book
from reversi.protocols import EngineSettings, GtpServer, NBoardServer, Thinker, XBoardServer


def after(plies: int, seed: int = 1) -> Position:
    return random_walk(Position(), plies, Random(seed))


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == pondering_module._NAME]


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    yield
    assert not threads()


def endless() -> Engine:
    return Engine(time_s=0.05, hash_mb=16)


def test_it_goes_on_until_it_is_stopped() -> None:
    engine = endless()
    pondering = engine.ponder(after(11))
    assert pondering is not None
    assert pondering.is_running
    assert len(threads()) == 1
    began = time.process_time()
    engine.close()
    assert time.process_time() - began < 2  # of this process alone, and still generous
    assert not pondering.is_running
    engine.close()  # which does nothing


def test_a_question_that_the_book_answers_ends_it() -> None:
    engine = Engine(time_s=0.05, hash_mb=16, book=default_book())
    pondering = engine.ponder(after(11))
    assert pondering is not None
    assert engine.hint(Position(), 1)[0].score.kind is Kind.BOOK
    assert not pondering.is_running


def test_the_next_question_ends_it() -> None:
    engine, position = endless(), after(11)
    pondering = engine.ponder(position)
    assert pondering is not None
    mine = position.play(position.legal_moves[0])
    assert engine.choose(mine).move in mine.legal_moves
    assert not pondering.is_running
    pondering = engine.ponder(position)
    assert pondering is not None
    assert engine.hint(mine)
    assert not pondering.is_running


def test_a_second_one_ends_the_first() -> None:
    engine = endless()
    first, second = engine.ponder(after(11)), engine.ponder(after(13))
    assert first is not None
    assert second is not None
    assert not first.is_running
    assert second.is_running
    engine.cancel()
    second.wait()
    engine.close()


def test_another_thread_stops_it() -> None:
    engine = endless()
    pondering = engine.ponder(after(11))
    assert pondering is not None
    threading.Timer(0.05, engine.cancel).start()
    pondering.wait()


def test_a_hit_answers_from_the_table() -> None:
    """The move that the engine expects is played: nearly all of the next search is in the table."""
    level = 10
    position = after(21)
    cold = {}
    for move in position.legal_moves:
        mine = position.play(move)
        cold[move] = Engine(level).choose(mine).score.nodes
    engine = Engine(level)
    pondering = engine.ponder(position)
    assert pondering is not None
    pondering.wait()  # at a level it comes to its end: all replies are searched
    pondering.stop()
    warm = 0
    for move in position.legal_moves:
        chosen = engine.choose(position.play(move))
        assert chosen.move in position.play(move).legal_moves
        warm += chosen.score.nodes
    assert warm < sum(cold.values()) / 4


def test_only_an_engine_that_ponders_keeps_its_table() -> None:
    position = after(21)
    fresh, again = Engine(10), Engine(10)
    first = fresh.choose(position).score.nodes
    assert fresh.choose(position).score.nodes == first
    again.ponder(position)
    again.close()
    again.choose(position)
    assert again.choose(position).score.nodes < first


def test_memory_is_flat() -> None:
    resource = pytest.importorskip("resource")
    engine = Engine(time_s=0.05, hash_mb=16)
    engine.choose(after(10))

    def ponder(times: int) -> int:
        for seed in range(times):
            engine.ponder(after(20, seed))
            engine.close()
        gc.collect()
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    before = ponder(20)
    assert ponder(200) - before < 8 << 10  # kB, on macOS bytes
    assert not threads()


@pytest.mark.parametrize("level", [3, "beginner-2"])
def test_levels_that_misjudge_have_no_use_for_it(level: int | str) -> None:
    assert Engine(level).ponder(after(11)) is None
    assert not threads()


def test_where_the_opponent_does_not_choose_there_is_nothing_to_ponder() -> None:
    position = next(
        each
        for seed in range(1000)
        for plies in range(30, 58)
        if not (each := after(plies, seed)).is_over and not each.legal_moves.placements
    )
    assert Engine(10).ponder(position) is None
    while not position.is_over:
        position = position.play(position.legal_moves[0])
    assert Engine(10).ponder(position) is None


# --- the faces


def gtp(**settings: object) -> tuple[GtpServer, list[str], Thinker]:
    said: list[str] = []
    thinker = Thinker(EngineSettings(**settings))  # type: ignore[arg-type]
    return GtpServer(thinker, said.append), said, thinker


def test_gtp_ponders_between_its_move_and_the_next_line() -> None:
    server, said, thinker = gtp(time_s=0.05, hash_mb=16, ponder=True)
    server.receive("play black f5")
    assert not threads()  # whom it plays is not known yet
    server.receive("genmove white")
    assert len(threads()) == 1
    server.receive("time_left white 20 0")
    assert len(threads()) == 1  # which the line stopped and the answer began anew
    reply = server.game.position.legal_moves[0]
    server.receive(f"play black {reply}")
    assert not threads()
    said.clear()
    server.receive("genmove white")
    assert said[0].startswith("= ")
    server.receive("quit")
    assert not threads()
    thinker.stop_pondering()


@pytest.mark.parametrize("line", ["clear_board", "undo", "boardsize 6", "quit", "play black --", "nonsense"])
def test_lines_of_gtp_leave_no_stale_search(line: str) -> None:
    server, _, thinker = gtp(time_s=0.02, hash_mb=16, ponder=True)
    server.receive("genmove black")
    server.receive(line)
    expected = 1 if line in ("play black --", "nonsense") else 0  # nothing has changed
    assert len(threads()) == expected
    thinker.stop_pondering()


def test_off_by_default() -> None:
    server, _, _ = gtp(level=10)
    server.receive("genmove black")
    assert not threads()


def test_the_clock_is_not_charged() -> None:
    said: list[str] = []
    now = [0.0]
    thinker = Thinker(EngineSettings(hash_mb=16, ponder=True))
    server = GtpServer(thinker, said.append, now=lambda: now[0])
    server.receive("time_settings 1 0 0")
    server.receive("genmove black")
    left = server._clocks[Color.BLACK].left
    now[0] += 1000.0  # the opponent thinks
    server.receive(f"play white {server.game.position.legal_moves[0]}")
    assert server._clocks[Color.BLACK].left == left
    thinker.stop_pondering()


def test_nboard_ponders_after_its_move() -> None:
    said: list[str] = []
    thinker = Thinker(EngineSettings(time_s=0.05, hash_mb=16, ponder=True))
    server = NBoardServer(thinker, said.append)
    server.receive("go")
    assert not threads()  # the move is not on the board yet
    move = next(line for line in said if line.startswith("===")).split()[1].partition("/")[0]
    server.receive(f"move {move}")
    assert len(threads()) == 1
    server.receive("ping 1")
    assert len(threads()) == 1
    server.receive(f"move {server.game.position.legal_moves[0]}")
    assert not threads()


def test_xboard_obeys_hard_and_easy() -> None:
    said: list[str] = []
    thinker = Thinker(EngineSettings(time_s=0.05, hash_mb=16))
    server = XBoardServer(thinker, said.append)
    server.receive("go")
    assert not threads()
    server.receive("hard")
    assert len(threads()) == 1
    server.receive("easy")
    assert not threads()
    server.receive("hard")
    server.receive("force")
    assert not threads()


def test_a_session_ponders_while_a_person_is_to_move() -> None:
    session = Session(sides={Color.WHITE: Side.engine(time_s=0.05)}, controls=TimeControl(60.0), ponder=True)
    session.begin()
    assert len(threads()) == 1
    session.play("f5")
    assert not threads()
    session.play_engine()
    assert len(threads()) == 1
    session.pause()
    assert not threads()
    session.begin()
    session.undo()
    assert len(threads()) == 1
    session.resign()
    assert not threads()
    session.close()


def test_a_session_that_is_closed_leaves_no_thread() -> None:
    with Session(sides={Color.WHITE: Side.engine(10)}, ponder=True) as session:
        session.begin()
        assert threads()
    assert not threads()


def test_engines_do_not_ponder_against_each_other() -> None:
    session = Session(sides=dict.fromkeys(Color, Side.engine(7)), ponder=True)
    session.begin()
    session.play_engine()
    assert not threads()


def test_failing_to_ponder_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    server, said, _ = gtp(time_s=0.02, hash_mb=16, ponder=True)

    def fails(position: Position, clock: ClockReading | None) -> None:
        raise ResourceError("this machine can start only 3 threads; use fewer")

    monkeypatch.setattr(server._thinker, "ponder", fails)
    server.receive("genmove black")
    assert said[0].startswith("= ")
