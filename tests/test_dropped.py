"""What nobody keeps keeps no threads, programs or files; what was left open says so."""

from __future__ import annotations

import gc
import sys
import threading
from pathlib import Path

import pytest

from reversi import Engine, Position
from reversi.explorer import Explorer
from reversi.protocols.gtp_client import GtpEngine
from reversi.solver import Batch
from reversi.solver.proofs import Prover
from reversi.solver.solver import Solver

END = Position.parse("OOOOOOO-OOOOO-OXOOOOOOOXOOOXXXOXOOOXXXOXOOXOOXXXOXOOOXXXXXXXXXXX X")


def workers() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith("reversi-")}


def drop(held: list[object]) -> None:
    held.clear()
    gc.collect()


def test_an_exhausted_batch_has_no_threads(recwarn: pytest.WarningsRecorder) -> None:
    before = workers()  # some of another test may be about to end
    batches = [Batch([(1, END)], threads=2) for _ in range(20)]
    assert all(len(list(batch)) == 1 for batch in batches)
    assert workers() <= before
    del batches
    gc.collect()
    assert not [warning for warning in recwarn if warning.category is ResourceWarning]


def test_a_dropped_batch_ends_its_threads() -> None:
    before = workers()  # some of another test may be about to end
    batch = Batch([(number, END) for number in range(3)], threads=2)
    batch.next()
    assert workers() - before
    held: list[object] = [batch]
    del batch
    with pytest.warns(ResourceWarning, match="unclosed <Batch 1 answered, threads=2>"):
        drop(held)
    assert workers() <= before


def test_a_dropped_engine_stops_pondering() -> None:
    engine = Engine(20)
    pondering = engine.ponder(Position())
    assert pondering is not None
    held: list[object] = [engine]
    del engine
    with pytest.warns(ResourceWarning, match="unclosed <Engine level=20"):
        drop(held)
    assert not pondering.is_running


def test_a_dropped_engine_program_ends() -> None:
    engine = GtpEngine(f"{sys.executable} -m reversi engine gtp --level 1")
    engine.choose(Position())
    process = engine._process
    assert process is not None
    held: list[object] = [engine]
    del engine
    with pytest.warns(ResourceWarning, match="unclosed <GtpEngine "):
        drop(held)
    assert process._process.poll() is not None


def test_a_dropped_explorer_closes_its_database(tmp_path: Path) -> None:
    database = pytest.importorskip("reversi.games")
    pytest.importorskip("duckdb")
    path = tmp_path / "games.db"
    with database.Database(path, create=True) as made:
        made.add("examples/games.pgn")
    explorer = Explorer(database.Games(path), level=0)
    explorer.explore(Position())
    held: list[object] = [explorer]
    del explorer
    with pytest.warns(ResourceWarning, match="unclosed <Database "):
        drop(held)
    with database.Database(path, write=True):
        pass


def test_what_was_closed_or_never_begun_is_quiet(recwarn: pytest.WarningsRecorder) -> None:
    with Batch([(1, END)], threads=2) as batch:
        batch.next()
    engine = Engine(20)
    engine.ponder(Position())
    engine.close()
    Prover(Solver(1)).close()
    with pytest.raises(ValueError, match="threads"):
        Batch([], threads=0)
    del batch, engine
    gc.collect()
    assert not [warning for warning in recwarn if warning.category is ResourceWarning]
