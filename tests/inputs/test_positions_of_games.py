from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from record_samples import final, random_record, seed_with_pass
from reversi import IllegalMoveError, Position, RecordError
from reversi.inputs.input import Input, positions_in
from reversi.inputs.place import Place
from reversi.inputs.positions import PositionEntry
from reversi.records import Line, Node, Record, format_record, format_records
from reversi.records.replay import position_after

RECORD = random_record(seed_with_pass(1))
PGN = "".join(format_records([random_record(1), RECORD, random_record(3, plies=10)]))
BOARD = "---------------------------OX------XO--------------------------- X"
GGF = "(;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6];)\n"
SHARED = Path(__file__).parents[3] / "shared" / "data"


def _placed(text: str, game: int | None = None, ply: int | None = None) -> Iterator[PositionEntry]:
    return Input(Place("", game, ply), text).positions()


def test_positions_of_records() -> None:
    ends = [entry.position for entry in positions_in(PGN)]
    assert ends == [final(record) for record in (random_record(1), RECORD, random_record(3, plies=10))]
    (start,) = _placed(PGN, game=2, ply=0)
    assert (start.position, start.index) == (Position(), 2)
    (later,) = _placed(PGN, game=2, ply=20)
    assert later.position == position_after(RECORD, 20)


def test_positions_of_transcripts_boards_and_ggf() -> None:
    assert [entry.position for entry in _placed("f5d6\nf5f6", ply=1)] == [Position().play("f5")] * 2
    assert [entry.position for entry in _placed(f"{BOARD}\n{BOARD}", game=2)] == [Position()]
    assert [entry.position for entry in positions_in(GGF + GGF)] == [Position().play("f5").play("d6")] * 2
    assert [entry.position for entry in _placed(GGF, ply=1)] == [Position().play("f5")]


def test_bad_games_do_not_hide_the_next() -> None:
    text = PGN.replace("1. ", "1. e9 ", 1)
    first, second, _ = positions_in(text)
    assert isinstance(first.error, RecordError)
    assert second.position is not None
    short, *_ = _placed(PGN, game=3, ply=11)
    assert str(short.error) == "ply 11 does not exist: the game has 10 plies"


def test_missing_places() -> None:
    with pytest.raises(RecordError, match="game 4 does not exist: the input has 3 games"):
        list(_placed(PGN, game=4))
    with pytest.raises(RecordError, match="@3: only a game has plies"):
        list(_placed(BOARD, ply=3))


def test_a_position_before_a_mistake_is_found() -> None:
    record = Record(line=Line([*RECORD.line.nodes[:5], Node(RECORD.moves[0])]))
    assert position_after(record, 5) == position_after(RECORD, 5)
    with pytest.raises(IllegalMoveError, match=r"^ply 6 \(White\): "):
        position_after(record)
    (entry,) = positions_in(format_record(record))
    assert isinstance(entry.error, IllegalMoveError)


@pytest.mark.parametrize("folder", ["ggf", "pgn", "suites", "xot"])
def test_real_files(folder: str) -> None:
    files = sorted((SHARED / folder).glob("*")) if (SHARED / folder).is_dir() else []
    if not files:
        pytest.skip(f"no files in {SHARED / folder}")
    for path in files:
        entries = list(positions_in(path.read_text(encoding="latin-1")))
        good = [entry for entry in entries if entry.position is not None]
        assert len(good) >= len(entries) * (0.6 if folder == "ggf" else 0.8), path.name  # some are broken
