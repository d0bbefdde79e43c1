"""Files of games read by several processes: what comes of it is the same for any number of them."""

from __future__ import annotations

import json
from functools import partial
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from command_line import run_command
from record_samples import random_record, saved
from reversi.cli.app import build_app
from reversi.games import workers as record_workers
from reversi.games.database.rows import blocks
from reversi.games.files import FileGames, Report
from reversi.games.selection import Selection
from reversi.games.statistics.overview import Statistics, statistics_of
from reversi.records import format_record
from reversi.records.formats.wthor.writer import pack_wthor


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files with games, one with a broken game, one without any, and one in WTHOR without its names."""
    for file in range(4):
        records = [random_record(4 * file + number) for number in range(4)]
        saved(tmp_path / f"{file}.pgn", *records)
    broken = format_record(random_record(1)).replace("1. ", "1. z9 ", 1)
    (tmp_path / "4.pgn").write_text(f"{broken}\n{format_record(random_record(2))}", encoding="utf-8", newline="")
    (tmp_path / "5.bin").write_bytes(b"\0" * 100)
    named = random_record(3)
    named.tags["Black"] = "Ada"
    (tmp_path / "6.wtb").write_bytes(pack_wthor([named]).games)
    (tmp_path / "7.wtb").write_bytes(pack_wthor([named]).games)
    return tmp_path


def read(folder: Path, work: Any, workers: int) -> tuple[Any, ...]:
    reports: list[Report] = []
    games = FileGames([str(folder), str(folder / "missing.pgn")], reports.append)
    made = [(name, list(part)) for name, part in record_workers.made_of(games, work, workers)]
    return made, games.count, games.files, games.broken, reports


@pytest.mark.thorough
@pytest.mark.parametrize("work", [blocks, partial(statistics_of, Selection())], ids=["blocks", "statistics"])
def test_any_number_of_processes(folder: Path, work: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = read(folder, work, 1)
    monkeypatch.setattr(record_workers, "_ENOUGH", 0)
    assert read(folder, work, 2) == expected
    assert expected[1:4] == (20, 7, 1)
    kinds = [report.kind.name for report in expected[4]]
    # of the names of players and tournaments the first file without them is reported
    assert kinds == ["MALFORMED", "WARNING", "WARNING", "WARNING", "MISSING"]


def test_a_process_that_dies_leaves_its_file_to_this_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = read(folder, blocks, 1)

    start = SpawnProcess.start

    def dying(process: SpawnProcess) -> None:
        start(process)
        process.kill()

    monkeypatch.setattr(record_workers, "_ENOUGH", 0)
    monkeypatch.setattr(SpawnProcess, "start", dying)
    assert read(folder, blocks, 2) == expected


def test_statistics_of_parts_are_those_of_the_whole(folder: Path) -> None:
    parts, whole = Statistics(), Statistics()
    entries = [list(part) for _, part in FileGames([str(folder)], lambda _: None).sources()]
    for file in entries:
        for part in statistics_of(Selection(), file):
            parts.merge(part)
    (whole,) = statistics_of(Selection(), (entry for file in entries for entry in file))
    assert parts == whole
    assert whole.all.games == 19


@pytest.mark.thorough
@pytest.mark.parametrize(
    "command",
    [
        ("merge",),
        ("merge", "--to", "sgf"),
        ("filter", "--result", "draw", "--result", "black"),
        ("dedupe",),
        ("dedupe", "--twins"),
        ("dedupe", "--same", "moves"),
    ],
)
def test_sorted_games_are_the_same_for_any_number_of_processes(
    folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
) -> None:
    """Byte for byte, with the same messages in the same order."""
    again = [random_record(4), random_record(4), random_record(20), random_record(5)]
    again[2].tags["Event"] = "{" * 10
    again[3].tags["White"] = "Somebody else"  # a twin
    saved(folder / "8.pgn", *again)
    (folder / "8.pgn").write_text((folder / "8.pgn").read_text() + "\n" + (folder / "4.pgn").read_text())
    monkeypatch.setattr(record_workers, "_ENOUGH", 0)
    done = []
    for workers in (1, 2):
        output = tmp_path_factory.mktemp("out") / "games"
        ran = CliRunner().invoke(
            build_app(("record",)),
            ["record", *command, str(folder), "--workers", str(workers), "-o", str(output)],
        )
        done.append((ran.exit_code, ran.stderr.replace(str(output), "OUT"), output.read_bytes()))
    one, two = done
    assert one == two
    assert one[0] == 1  # a game left out; 5.bin is skipped
    assert "5.bin: nothing but zero bytes, no game in it; skipped" in one[1]
    assert "'z9' is not a move" in one[1]
    if command == ("dedupe", "--twins"):
        assert "same moves and year as an earlier game; game " in one[1]
    if command[0] == "dedupe":
        assert "left out: " in one[1]


@pytest.mark.parametrize("command", [("record", "stats", "--json"), ("db", "import", "--db", "games.duckdb")])
def test_the_commands_take_workers(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, command: tuple[str, ...]
) -> None:
    if command[0] == "db":
        pytest.importorskip("duckdb", reason="the database needs DuckDB")
    done = []
    for workers in (1, 2):
        place = tmp_path_factory.mktemp("place")
        words = [str(place / word) if word.endswith(".duckdb") else word for word in command]
        ran = run_command(*words, folder, "--workers", str(workers))
        done.append((ran.returncode, ran.stderr.replace(str(place), "PLACE"), ran))
    (*one_told, one), (*two_told, two) = done
    assert one_told == two_told
    assert one.returncode == 1  # a game left out
    if "--json" in command:
        assert one.stdout == two.stdout
        assert json.loads(one.stdout)["games"] == 19
