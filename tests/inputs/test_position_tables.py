"""Tables of positions: what is guessed, and what is read."""

from __future__ import annotations

import io
import itertools
import json
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from command_line import run_command
from files import new_file
from reversi import Color, InputError, Position, Random, RecordError, State, open_records, parse_rules
from reversi.inputs import read_positions
from reversi.inputs.input import resolve
from reversi.records.formats.tables.columns import ColumnsError

BLACK = "; Black is to move in every row"


def _positions() -> Iterator[Position]:
    """Yield positions where Black is to move."""
    random = Random(5)
    while True:
        position = Position()
        for _ in range(10 + random.below(35)):
            if moves := position.legal_moves:
                position = position.play(moves.choice(random))
        if position.to_move is Color.BLACK and position.legal_moves.placements:
            yield position


POSITIONS = list(itertools.islice(_positions(), 20))
SCORES = [2 * (at * 7 % 30) - 29 for at in range(20)]
ROWS = list(zip(POSITIONS, SCORES, strict=True))


def _lines(line: Callable[[Position, int], str], header: str = "") -> str:
    return "".join(f"{text}\n" for text in [*([header] if header else []), *(line(*row) for row in ROWS)])


def _json(make: Callable[[Position, int], object]) -> str:
    return _lines(lambda position, score: json.dumps(make(position, score)))


def _cells(position: Position, numbers: Iterable[int]) -> list[int]:
    return [dict(zip("-XO", numbers, strict=True))[cell] for cell in position.cells]


SHAPES = {
    "egaroucid": (
        _lines(lambda position, score: f"{position.cells} {score}"),
        f"board=1,score=2{BLACK}",
    ),
    "words": (
        _lines(lambda position, score: f"{position.cells} Black {position.empties} {score}"),
        "board=1,to_move=2,score=4; not read: 3",
    ),
    "csv": (
        _lines(lambda position, score: f"{position.cells},{score}", "board,score"),
        f"board=board,score=score{BLACK}",
    ),
    "semicolons": (
        _lines(lambda position, score: f"7;{score};black;{position.cells}", "id;value;player;position"),
        "board=position,to_move=player,score=value; not read: id",
    ),
    "obf": (
        _lines(lambda position, score: f"{position.cells} X;,3,{score},-64,64", "obf,count,score,alpha,beta"),
        "board=obf,score=score; not read: count, alpha, beta",
    ),
    "json lines": (
        _json(lambda position, score: {"board": position.cells, "to_move": "X", "score": score}),
        "board=board,to_move=to_move,score=score",
    ),
    "json": (
        json.dumps({"positions": [{"board": position.cells, "score": score} for position, score in ROWS]}),
        f"board=board,score=score{BLACK}",
    ),
    "cells": (
        _json(lambda position, score: {"board": _cells(position, (0, 1, 2)), "turn": "black", "eval": score}),
        "board=board,to_move=turn,score=eval",
    ),
    "rows": (
        _json(
            lambda position, score: {
                "board": [_cells(position, (0, 1, -1))[at : at + 8] for at in range(0, 64, 8)],
                "score": score,
            }
        ),
        f"board=board,score=score{BLACK}",
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_tables_of_positions(tmp_path: Path, shape: str) -> None:
    text, note = SHAPES[shape]
    path = new_file(tmp_path / "positions", text)
    for given in (resolve(text), resolve(str(path)), resolve("-", stdin=lambda: io.BytesIO(text.encode()))):
        entries = list(given.positions())
        assert [(entry.position, entry.score) for entry in entries] == ROWS
        assert given.notes == [f"columns guessed: {note}"]
    (third,) = read_positions(f"{path}#3")
    assert (third.index, third.position) == (3, POSITIONS[2])
    with pytest.raises(RecordError):
        list(open_records(path))


def test_positions_in_parquet(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "positions.parquet"
    rows = [{"board": position.cells, "score": score} for position, score in ROWS]
    pq.write_table(pa.Table.from_pylist(rows), path)
    assert [(entry.position, entry.score) for entry in read_positions(path)] == ROWS
    with pytest.raises(RecordError, match="positions, not games"):
        list(open_records(path))


@pytest.mark.parametrize(
    "text",
    [
        _lines(lambda position, score: f"{position.cells} X"),
        _lines(lambda position, score: f"{position.cells} X {score:+}"),
        _lines(lambda position, score: f"name\t{position.cells} X"),
        _lines(lambda position, score: f"{position.cells} X; A1:+2; B1:+0"),
    ],
)
def test_lines_of_positions_are_no_tables(text: str) -> None:
    given = resolve(text)
    assert [entry.position for entry in given.positions()] == POSITIONS
    assert (given.notes, given.has_board_rows) == ([], False)


def test_positions_as_this_program_writes_them() -> None:
    rules = parse_rules("othello,board=6x6,optional-skip")
    passed = Position(rules).play("--")
    rows = [
        {
            "board": one.cells,
            "to_move": one.to_move.symbol,
            "after_pass": one.state is State.AFTER_PASS,
            "rules": str(one.rules),
        }
        for one in (passed, *POSITIONS)
    ]
    given = resolve("".join(json.dumps(row) + "\n" for row in rows))
    assert [entry.position for entry in given.positions()] == [passed, *POSITIONS]
    assert given.notes == []


def test_boards_alone_do_not_say_whose_turn_it_is() -> None:
    assert {str(entry.error).split(";")[0] for entry in read_positions(_lines(lambda one, _: one.cells))} == {
        "the side to move is neither given nor provable"
    }


def test_rows_without_a_board_and_another_side_to_move() -> None:
    text = _lines(lambda position, score: f"{position.cells} {score}") + "xx 3\n" + f"{'-' * 63} 7\n"
    *entries, name, short = read_positions(text, to_move=Color.WHITE)
    assert {entry.position.to_move for entry in entries if entry.position} == {Color.WHITE}
    assert (name.line, str(name.error)) == (21, "'xx' is neither a board, nor a line of OBF, nor a transcript")
    assert str(short.error).startswith("63 cells where the 8x8 board has 64")


def test_memory_does_not_grow_with_the_table(tmp_path: Path) -> None:
    text, _ = SHAPES["egaroucid"]
    peaks = []
    for times in (2_000, 8_000):
        path = new_file(tmp_path / f"{times}.txt", text * (times // 20))
        tracemalloc.start()
        assert sum(entry.position is not None for entry in read_positions(path)) == times
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0] + 2_500_000  # a chunk of text


def test_arrays_of_a_table() -> None:
    np = pytest.importorskip("numpy")
    from reversi.arrays import PositionArray, from_positions

    batch, scores = from_positions(read_positions(SHAPES["egaroucid"][0]))
    assert list(batch) == POSITIONS
    assert (scores.tolist(), scores.dtype) == (SCORES, np.int8)
    assert list(PositionArray(entry.position for entry in read_positions(SHAPES["csv"][0]) if entry.position)) == [
        *POSITIONS
    ]
    with pytest.raises(InputError, match="line 21: 'xx' is neither"):
        from_positions(read_positions(SHAPES["egaroucid"][0] + "xx 3\n"))


def test_columns_that_are_named(tmp_path: Path) -> None:
    text = _lines(lambda position, score: f"{score},{position.cells},{score + 1}", "low,position,high")
    for columns in ({"board": "position", "score": "high"}, {"board": 2, "score": 3}):
        entries = list(read_positions(text, to_move=Color.BLACK, columns=columns))
        assert [(entry.position, entry.score) for entry in entries] == [(one, score + 1) for one, score in ROWS]
    (tmp_path / "t.csv").write_text(text)
    done = run_command("position", "show", tmp_path / "t.csv", "--columns", "board=position,score=low", "--json")
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 20)
    with pytest.raises(ColumnsError, match="'moves' is not one of board, to_move, score"):
        next(read_positions(text, columns={"moves": 2}))
    with pytest.raises(ColumnsError, match="give the column of the board"):
        next(read_positions(text, columns={"score": 1}))
    with pytest.raises(ColumnsError, match="column 'x' does not exist"):
        next(read_positions(text, columns={"board": "x"}))
    done = run_command("position", "show", tmp_path / "t.csv", "--columns", "score=1")
    assert (done.returncode, done.stderr) == (
        2,
        "reversi: --columns: give the column of the board, too: board=3\n",
    )
    done = run_command("analyze", tmp_path / "t.csv")
    assert done.returncode == 65
    assert "positions, not games; read_positions reads them, and so do 'reversi solve'" in done.stderr


@pytest.mark.parametrize("library", ["pyarrow", "polars"])
def test_tables_in_memory(library: str) -> None:
    module = pytest.importorskip(library)
    make = module.Table.from_pylist if library == "pyarrow" else module.DataFrame
    frame = make([{"board": position.cells, "score": score} for position, score in ROWS])
    assert [(entry.position, entry.score) for entry in read_positions(frame)] == ROWS
    named = read_positions(frame, columns={"board": 1}, to_move=Color.BLACK)
    assert {entry.score for entry in named} == {None}
    with pytest.raises(RecordError, match="positions, not games"):
        list(open_records(frame))
    games = make([{"moves": moves, "black": "Ann"} for moves in ("f5d6c3", "f5f6e6")])
    with pytest.warns(UserWarning, match="columns guessed: moves=moves,black=black"):
        records = list(open_records(games, "examples/games.pgn", games))
    assert [record.black for record in records] == ["Ann"] * 2 + [record.black for record in records[2:-2]] + [
        "Ann"
    ] * 2
    assert len(records) == 9
    assert [len(record.moves) for record in open_records(games, columns={"moves": "moves"})] == [3, 3]
