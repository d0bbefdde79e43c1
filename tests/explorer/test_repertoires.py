"""Proposing repertoires, and checking them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import chain

import pytest

from reversi import Color, Position, Square, parse_rules
from reversi.explorer.repertoires import OpeningAdviser, ProblemKind, RepertoireSize, reached
from reversi.games.repertoire import Repertoire
from reversi.openings import default_book, opening_named
from reversi.records import Line, Node, Record, format_record

TIGER = opening_named("Tiger")


def games(*lines: str) -> Counter[int]:
    """Return how many of these games, each ``MOVES*TIMES``, have each position."""
    records: list[Record] = []
    for line in lines:
        moves, _, times = line.partition("*")
        records += [Record(line=Line(map(Node, Position().parse_moves(moves))))] * int(times or 1)
    return Counter(chain.from_iterable(reached(records, 20)))


def texts(moves: Iterable[object]) -> list[str]:
    return [str(getattr(move, "move", move)) for move in moves]


def problems(adviser: OpeningAdviser, text: str, color: Color | None = None) -> list[tuple[ProblemKind, str, str]]:
    found = adviser.problems(Repertoire.read(text, color))
    return [(each.kind, "".join(map(str, each.path)), str(each.move)) for each in found]


def test_games_are_counted_once_for_each_position() -> None:
    counts = games("f5d6c3*2", "d3c5f6", "f5f6")
    (keys,) = reached([Record(line=Line(map(Node, Position().parse_moves("f5d6c3"))))], 2)
    assert sorted(counts[key] for key in keys) == [3, 4, 4]
    assert len(keys) == 3


@pytest.mark.parametrize("color", list(Color))
@pytest.mark.parametrize("moves", ["", "f5d6c3d3c4", "f5d6c5"])
def test_what_is_proposed_has_no_problem(color: Color, moves: str) -> None:
    adviser = OpeningAdviser(default_book(), level=4)
    record = adviser.proposed(color, Position().parse_moves(moves), plies=len(moves) // 2 + 4)
    mine = Repertoire.read(format_record(record))
    assert (mine.color, mine.begins[0].empties) == (color, 60 - len(moves) // 2)
    assert list(adviser.problems(mine)) == []
    assert all(len(mine.moves(position)) == 1 for position in mine.questions())
    assert sum(1 for _ in mine.questions()) > 3
    assert all(mine.is_mine(position) is False for position in mine.walk() if not mine.moves(position))


def test_of_sound_moves_the_frequent_one_is_chosen() -> None:
    moves = "f5d6c3d3c4f4"
    position = Position.from_moves(moves)
    book = [(str(each.move), each.score.value) for each in default_book().moves(position)]
    assert {("c5", -1), ("f6", -1), ("e6", -3)} <= set(book)
    adviser = OpeningAdviser(default_book(), games(f"{moves}f6*30", f"{moves}e6*99", f"{moves}c5"))
    assert str(adviser.choice(position)[0]) == "f6"
    assert str(OpeningAdviser(default_book()).choice(position)[0]) == "c5"
    assert str(OpeningAdviser(default_book(), games(f"{moves}e6*99"), error=2).choice(position)[0]) == "e6"


def test_moves_of_opponents_are_expected_for_their_games_or_their_value() -> None:
    position = Position.from_moves("f5")  # by the book f6 is worth 0, d6 +1, f4 -9
    archive = games("f5f4*10", "f5d6*190")
    expected = OpeningAdviser(default_book(), archive, share=0.05).answers(position)
    assert [(str(each.move), each.games, round(each.share, 2)) for each in expected] == [
        ("d6", 190, 0.95),
        ("f4", 10, 0.05),
        ("f6", 0, 0.0),
    ]
    assert str(expected[1]).startswith("10 games, 5%, ")
    assert str(expected[2]).startswith("no games, +0 by the book")
    assert texts(OpeningAdviser(default_book(), archive, share=0.06).answers(position)) == ["d6", "f6"]
    assert texts(OpeningAdviser(default_book(), archive, share=0.06, error=0).answers(position)) == ["d6"]
    few = OpeningAdviser(default_book(), games("f5f4*10"), share=0.05)  # then those of the book
    assert texts(few.answers(position)) == texts(OpeningAdviser(default_book()).answers(position)) == ["d6", "f6"]
    assert texts(OpeningAdviser(None, archive, share=0.05).answers(position)) == ["d6", "f4"]
    assert OpeningAdviser(None).answers(position) == []


def test_beyond_the_book_a_search_answers() -> None:
    rules = parse_rules("othello,board=6x6")
    start = Position(rules)
    line = start.parse_moves("e4e3")
    adviser = OpeningAdviser(None, games(), level=3)
    assert adviser.proposed(Color.BLACK, start=start).moves == (adviser.choice(start)[0],)
    assert adviser.proposed(Color.BLACK, line, start).moves[:2] == tuple(line)


def test_how_much_there_is_to_learn() -> None:
    adviser = OpeningAdviser(default_book(), share=0.2)
    mine = Repertoire([adviser.proposed(Color.BLACK, TIGER.moves, plies=8)])
    assert adviser.size(mine) == RepertoireSize(1, 5, 3)
    assert [adviser.is_hard(at, mine.moves(at)[0].move) for at in mine.questions()].count(True) == 3
    assert OpeningAdviser(default_book(), level=3).size(mine) == adviser.size(mine)
    assert not adviser.is_hard(Position(), Square("d3"))  # all moves are the same
    only = Position.from_moves("f5f4")  # e3 alone is sound
    assert [str(move) for move in only.legal_moves if not adviser.is_hard(only, move)] == ["e3"]


def test_problems() -> None:
    adviser = OpeningAdviser(default_book(), level=4)
    line = '[Repertoire "Black"]\n[RepertoireAt "Tiger"]\n\n1. f5 d6 2. c3 d3 3. c4'
    assert problems(adviser, line + " f4 4. c5 *") == []
    assert problems(adviser, line + " b5 4. b4 *")[0] == (ProblemKind.MISSING, "f5d6c3d3c4", "f4")
    assert problems(adviser, line + " f4 *") == [(ProblemKind.UNANSWERED, "f5d6c3d3c4f4", "None")]
    assert problems(adviser, line + " f4 4. e6 *") == [(ProblemKind.LOSS, "f5d6c3d3c4f4", "e6")]
    worse = OpeningAdviser(default_book(), error=2)
    assert problems(worse, line + " f4 4. e6 *") == [(ProblemKind.MISSING, "f5d6c3d3c4", "b5")]
    both = line + " f4 4. c5 *\n\n" + line.replace("c3 d3 3. c4", "c4 d3 3. c3") + " f4 4. f6 *"
    assert problems(adviser, both) == [(ProblemKind.DISAGREEMENT, "f5d6c3d3c4f4", "None")]
    (found,) = adviser.problems(Repertoire.read(both))
    assert found.text == "the answers differ: c5 after f5d6c3d3c4f4, f6 after f5d6c4d3c3f4"
    whole = line.replace('[RepertoireAt "Tiger"]\n', "") + " f4 4. c5 *"
    assert [path for _, path, _ in problems(adviser, whole)] == ["f5", "f5d6c3"]


def test_the_loss_of_any_move_is_found() -> None:
    adviser = OpeningAdviser(default_book(), level=4)
    position = Position.from_moves("f5d6c3d3c4f4")
    booked = {each.move for each in default_book().moves(position)}
    losses = {move: adviser.loss(position, move) for move in position.legal_moves}
    assert set(losses) > booked
    assert min(losses.values()) == 0
    assert all(loss >= 0 for loss in losses.values())
