"""Games as arrays of positions."""

from __future__ import annotations

from pathlib import Path

import pytest

np = pytest.importorskip("numpy")

from random_games import random_game  # noqa: E402 - after NumPy was found
from reversi import PASS, Color, Game, IllegalMoveError, InputError, parse_rules  # noqa: E402
from reversi.arrays import GamePositions, from_records, from_wthor  # noqa: E402
from reversi.records import Record, parse_record  # noqa: E402
from reversi.records.facts import facts_of  # noqa: E402
from reversi.records.formats.wthor.reader import read_wthor_file  # noqa: E402
from reversi.records.from_game import record_from_game  # noqa: E402
from reversi.records.replay import positions as positions_of  # noqa: E402

EXAMPLE = Path(__file__).parents[2] / "examples" / "example.wtb"


def check(found: GamePositions, records: list[Record]) -> None:
    assert found.games.tolist() == [
        number for number, record in enumerate(records) for _ in range(len(record.line.nodes) + 1)
    ]
    for number, record in enumerate(records):
        here = np.flatnonzero(found.games == number)
        boards = list(positions_of(record))
        assert list(found.positions[here]) == boards
        assert found.moves[here].tolist() == [node.move.index for node in record.line.nodes] + [255]
        score = facts_of(record).score
        for at, board in zip(here, boards, strict=True):
            lead = -128 if score is None else score if board.to_move is Color.BLACK else -score
            assert found.scores[at] == lead
        assert found.finished[number] == boards[-1].is_over


@pytest.mark.parametrize("text", ["othello", "adjacent,optional-skip,board=4x6"])
def test_games_of_records(text: str) -> None:
    records = [record_from_game(random_game(text, seed)) for seed in range(8)]
    cut = Game(parse_rules(text))
    cut.play(next(iter(cut.position.legal_moves)))
    records.append(record_from_game(cut))
    records.append(record_from_game(Game(parse_rules(text))))
    check(from_records(records), records)


def test_games_of_a_wthor_file() -> None:
    records = [entry.record for entry in read_wthor_file(EXAMPLE)]
    assert records
    check(from_wthor(EXAMPLE), records)


@pytest.mark.parametrize(
    ("text", "black"),
    [
        ('[Termination "adjudication"]\n\n1. f5 d6 2. c3 40-24', 16),
        ("1. f5 d6 2. c3 24-40", -16),
        ("1. f5 d6 2. c3 *", None),
        ('[Termination "resignation"]\n\n1. f5 d6 2. c3 1-0', None),
        ('[Rules "othello,misere"]\n\n1. f5 d6 2. c3 40-24', -16),
    ],
)
def test_a_game_that_stops_has_its_recorded_score(text: str, black: int | None) -> None:
    scores = [-128] * 4 if black is None else [black, -black, black, -black]
    found = from_records([parse_record(text)])
    assert found.scores.tolist() == scores
    assert found.finished.tolist() == [False]


def test_the_stopped_game_of_a_wthor_file_has_its_recorded_score() -> None:
    found = from_wthor(EXAMPLE)
    stopped = found.games == int(np.flatnonzero(~found.finished)[0])
    black = np.where(found.positions.to_move[stopped] != 0, -1, 1) * found.scores[stopped]
    assert set(black.tolist()) == {16}  # 40-24


def test_an_illegal_move_names_the_record_and_the_ply() -> None:
    good, bad = parse_record("1. f5 d6 *"), parse_record("1. f5 d6 2. a1 *")
    with pytest.raises(IllegalMoveError, match=r"record 2: ply 3: a1 is not allowed") as refused:
        from_records([good, good, bad])
    assert (refused.value.text, refused.value.reason) == ("a1", "flips nothing")


def test_passes_of_a_wthor_file_are_plies() -> None:
    found = from_wthor(EXAMPLE)
    passes = int((found.moves == 64).sum())
    assert passes == sum(
        node.move is PASS for entry in read_wthor_file(EXAMPLE) for node in entry.record.line.nodes
    )


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one or more records"):
        from_records([])
    game = Game()
    game.play("f5", flips=[])
    with pytest.raises(InputError, match="flipped by hand"):
        from_records([record_from_game(game)])
    with pytest.raises(InputError, match="one rule set"):
        from_records([record_from_game(Game()), record_from_game(Game(parse_rules("adjacent")))])
    broken = tmp_path / "broken.wtb"
    data = bytearray(EXAMPLE.read_bytes())
    data[16 + 8 : 16 + 12] = bytes((11, 11, 11, 11))
    broken.write_bytes(data)
    with pytest.raises(InputError, match="game 1: an illegal move after ply 0"):
        from_wthor(broken)
    broken.write_bytes(EXAMPLE.read_bytes()[:-5])
    with pytest.raises(InputError, match="ends inside this game"):
        from_wthor(broken)
