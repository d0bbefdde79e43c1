"""The front door to recorded games."""

from __future__ import annotations

import shutil
import tracemalloc
from pathlib import Path

import pytest

from files import new_file
from record_samples import random_record
from reversi import RecordError, open_records, parse_rules
from reversi.records import Record, format_record
from reversi.records.formats.ggf.writer import format_ggf
from reversi.records.formats.sgf.writer import format_sgf
from reversi.records.formats.transcript import format_record_moves

EXAMPLES = Path(__file__).parents[2] / "examples"


def moves(record: Record) -> list[str]:
    return [str(node.move) for node in record.line.nodes]


def test_every_format_of_a_folder_is_read(tmp_path: Path) -> None:
    records = [random_record(seed) for seed in range(4)]
    (tmp_path / "a.pgn").write_text(format_record(records[0]))
    (tmp_path / "b.ggf").write_text(format_ggf(records[1]))
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "d.sgf").write_text(format_sgf(records[2]))
    (tmp_path / "c" / "e.txt").write_text(format_record_moves(records[3]))
    assert list(map(moves, open_records(tmp_path))) == list(map(moves, records))
    assert list(map(moves, open_records(tmp_path / "c", str(tmp_path / "a.pgn")))) == [
        moves(records[number]) for number in (2, 3, 0)
    ]


def test_the_rules_of_games_that_name_none(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("c4\n")
    (record,) = open_records(tmp_path, rules=parse_rules("adjacent"))
    assert record.rules == parse_rules("adjacent")


def test_unreadable_input_is_an_error_or_a_report(tmp_path: Path) -> None:
    good = EXAMPLES / "games.pgn"
    count = len(list(open_records(good)))
    assert count > 1
    (tmp_path / "broken.pgn").write_text('[Event "x\n\n1. f5 *\n')
    (tmp_path / "none.bin").write_bytes(bytes(range(256)))
    with pytest.raises(FileNotFoundError, match=r"missing\.pgn"):
        list(open_records(tmp_path / "missing.pgn"))
    for name in ("broken.pgn", "none.bin"):
        with pytest.raises(RecordError, match=name):
            list(open_records(tmp_path / name))
    found: list[str] = []
    records = list(open_records(tmp_path / "missing.pgn", tmp_path, good, report=found.append))
    assert len(records) == count
    assert len(found) == 4
    assert found[-1].endswith("1 file skipped")
    assert all(name in " ".join(found) for name in ("missing.pgn", "broken.pgn", "none.bin"))


def test_a_warning_stops_nothing(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "example.wtb", tmp_path / "WTH_2001.wtb")
    with pytest.warns(UserWarning, match="WTH_2001"):
        records = list(open_records(tmp_path))
    assert len(records) == 8


def test_games_are_read_one_at_a_time(tmp_path: Path) -> None:
    path = new_file(tmp_path / "many.pgn", (format_record(random_record(1)) + "\n") * 20_000)
    tracemalloc.start()
    first = next(open_records(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert moves(first) == moves(random_record(1))
    assert peak < path.stat().st_size * 5  # as text, not as 20,000 records


def test_validated_games_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    games = ["1. f5 d6 2. a1 *", "1. f5 d6 *", "1. f5 d6 2. c3 40-24"]
    path.write_text("".join(f'[Black "{number}"]\n\n{moves}\n\n' for number, moves in enumerate(games)))
    assert [record.black for record in open_records(path)] == ["0", "1", "2"]
    found: list[str] = []
    assert [record.black for record in open_records(path, report=found.append, validated=True)] == ["1", "2"]
    assert len(found) == 1
    assert "game 1 (0–?):ply 3: a1: flips nothing" in found[0]
    with pytest.raises(RecordError, match="ply 3: a1: flips nothing"):
        list(open_records(path, validated=True))
