"""Games as a table."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

pq = pytest.importorskip("pyarrow.parquet")

from command_line import run_command  # noqa: E402 - after pyarrow was found
from record_samples import random_record  # noqa: E402
from reversi import Game, Position, parse_rules  # noqa: E402
from reversi.records import Record, parse_record, record_from_game  # noqa: E402
from reversi.records.conversion import Conversion  # noqa: E402
from reversi.records.entry import Entry  # noqa: E402
from reversi.records.formats.game_columns import GAMES  # noqa: E402
from reversi.records.formats.tables.parquet_table import FORMAT  # noqa: E402
from reversi.records.replay import positions  # noqa: E402
from reversi.text import format_board, format_transcript  # noqa: E402

EXAMPLES = Path(__file__).parents[3] / "examples"


def table_of(records: list[Record]) -> list[dict[str, object]]:
    conversion = Conversion(FORMAT, lambda trouble: pytest.fail(str(trouble)))
    data = b"".join(conversion.pieces(Entry(at, 0, record) for at, record in enumerate(records, 1)))
    assert (conversion.written, conversion.lost) == (len(records), {})
    table = pq.read_table(io.BytesIO(data))
    assert table.column_names == list(GAMES)
    rows: list[dict[str, object]] = table.to_pylist()
    return rows


def test_a_row_for_each_game() -> None:
    records = [random_record(seed) for seed in range(30)]
    records += [random_record(seed, parse_rules("adjacent,board=6x6,optional-skip"), 12) for seed in range(5)]
    for record, row in zip(records, table_of(records), strict=True):
        last = list(positions(record))[-1]
        assert row["moves"] == format_transcript(record.moves)
        assert row["plies"] == len(record.moves)
        assert row["rules"] == str(record.rules)
        assert row["result"] == record.result
        assert row["score"] == (last.result.score if last.result else None)
        assert row["start"] == (None if record.start == Position(record.rules) else format_board(record.start))
        assert row["black"] == (None if record.black == "?" else record.black)
        assert row["record"] is None or parse_record(str(row["record"])) == record


def test_tags_are_kept() -> None:
    game = Game().play_all("f5d6")
    row = table_of([record_from_game(game, {"Event": 'The "Cup"', "Annotator": "Ann – Ω", "Date": "2009.??.??"})])[
        0
    ]
    assert (row["event"], row["date"], row["year"], row["site"], row["black"]) == (
        'The "Cup"',
        None,
        2009,
        None,
        None,
    )
    assert row["tags"] == [("Event", 'The "Cup"'), ("Date", "2009.??.??"), ("Annotator", "Ann – Ω")]


def test_the_command_writes_a_table(tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    done = run_command("record", "convert", EXAMPLES / "games.pgn", out).ends(0, out="")
    rows = pq.read_table(out).to_pylist()
    assert done.stderr == f"reversi: {out}: {len(rows)} games written\n"
    assert run_command("record", "convert", EXAMPLES / "games.pgn", out).returncode == 73
    assert run_command("record", "filter", EXAMPLES / "games.pgn", "-o", tmp_path / "b.parquet").returncode == 0
    assert pq.read_table(tmp_path / "b.parquet").to_pylist() == rows


def test_a_table_is_read_again(tmp_path: Path) -> None:
    out = tmp_path / "games.parquet"
    run_command("record", "convert", EXAMPLES / "games.pgn", out)
    done = run_command("record", "convert", out, "-", "--to", "pgn")
    assert (done.returncode, done.stdout) == (0, (EXAMPLES / "games.pgn").read_text(encoding="utf-8"))
