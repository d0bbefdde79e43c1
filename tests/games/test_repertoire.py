"""Repertoires: what a game file with variations has in each position."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from reversi import Color, Move, Position, Random, RecordError
from reversi.games import Departure, Repertoire
from reversi.records import format_record, parse_record
from reversi.records.formats.sgf.writer import format_sgf

MINE = """[Repertoire "Black"]
[Opening "Perpendicular"]

1. f5 d6 {120 games} (1... f6 {weight 40: the other way} 2. e6 {quiet} 2... f4) 2. c3 {[%eval +1 book] Tiger} $1
2... d3 3. c4 *
"""


def after(moves: str) -> Position:
    position = Position()
    for move in position.parse_moves(moves):
        position = position.play(move)
    return position


def texts(moves: object) -> list[str]:
    return [str(choice.move) for choice in moves]  # type: ignore[attr-defined]


def test_moves_with_what_is_written_about_them() -> None:
    mine = Repertoire.read(MINE)
    assert (mine.color, mine.side, len(mine)) == (Color.BLACK, Color.BLACK, 7)
    d6, f6 = mine.moves(after("f5"))
    assert (str(d6.move), d6.weight, d6.comment) == ("d6", 120.0, "120 games")
    assert (str(f6.move), f6.weight, f6.comment) == ("f6", 40.0, "weight 40: the other way")
    (tiger,) = mine.moves(after("f5d6"))
    assert (tiger.comment, tiger.weight) == ("Tiger", 1.0)
    assert tiger.evaluation is not None
    assert tiger.evaluation.value == 1
    (first,) = mine.moves(Position())
    assert (str(first.move), sorted(map(str, first.also))) == ("f5", ["c4", "d3", "e6"])
    assert mine.moves(after("f5d6c3d3c4")) == ()
    assert after("f5d6c3d3c4") in mine
    assert after("f5f4") not in mine


@pytest.mark.parametrize(
    ("comment", "weight"),
    [
        ("weight 3", 3),
        ("weight 0.5, rarely", 0.5),
        ("120 games", 120),
        ("1 game", 1),
        ("40%", 40),
        ("40 % (1999)", 40),
        ("40% of players fall for it", 1),
        ("weights 3", 1),
        ("3 moves", 1),
        ("weight 3} *\n\n1. d3 {mirrored", 3),
        ("seen} *\n\n1. d3 {again", 2),
    ],
)
def test_a_comment_weighs_a_move(comment: str, weight: float) -> None:
    (move,) = Repertoire.read(f"1. f5 {{{comment}}} *").moves(Position())
    assert move.weight == weight


@pytest.mark.parametrize("moves", ["d3c5f6", "c4e3f6", "e6f4c3"])
def test_symmetric_positions_are_one(moves: str) -> None:
    mine = Repertoire.read("f5d6c3d3c4")
    position = after(moves)
    (choice,) = mine.moves(position)
    assert mine.find(position, choice.move) == choice
    assert position.play(choice.move) in mine


def test_other_orders_of_moves_are_one_position() -> None:
    mine = Repertoire.read("1. f5 d6 2. c3 d3 3. c4 f4 *\n\n1. f5 d6 2. c4 d3 3. c3 b3 *")
    assert texts(mine.moves(after("f5d6c4d3c3"))) == ["f4", "b3"]
    assert len(list(mine.walk())) == len(mine) + 2


def test_questions_are_the_positions_of_the_color() -> None:
    mine = Repertoire.read(MINE)
    paths = ["".join(map(str, mine.path(position))) for position in mine.questions()]
    assert sorted(paths) == ["", "f5d6", "f5d6c3d3", "f5f6"]
    assert all(after(path) == position for path, position in zip(paths, mine.questions(), strict=True))
    theirs = Repertoire.read(MINE.replace('"Black"', '"White"'))
    assert len(list(theirs.questions())) == len(mine) - len(paths)


def test_a_forced_pass_is_no_question() -> None:
    record = parse_record("1. e6 f6 2. d3 e7 3. e8 d8 4. g7 f8 5. -- e3 *")
    assert [len(list(Repertoire([record], color).questions())) for color in Color] == [4, 5]


def test_sgf_keeps_the_color(tmp_path: Path) -> None:
    file = tmp_path / "mine.sgf"
    file.write_text(format_sgf(parse_record(MINE)))
    read = Repertoire.read(file)
    assert (read.color, len(read), read.source) == (Color.BLACK, 7, str(file))
    assert [choice.weight for choice in read.moves(after("f5"))] == [120, 40]


def test_games_of_two_colors(tmp_path: Path) -> None:
    file = tmp_path / "both.pgn"
    file.write_text(MINE + '\n[Repertoire "White"]\n\n1. f5 f6 2. e6 f4 3. g6 *\n')
    both = Repertoire.read(file)
    assert (both.color, len(both)) == (None, 8)
    with pytest.raises(RecordError, match=r"both\.pgn: .* put the tag .* or give the color"):
        _ = both.side
    assert len(Repertoire.read(file, Color.BLACK)) == 7
    assert len(Repertoire.read(f"{file}#2", Color.WHITE)) == 5
    with pytest.raises(RecordError, match=r"both\.pgn: it is a repertoire for White, not for Black"):
        Repertoire.read(f"{file}#2", Color.BLACK)
    assert len(Repertoire.read(f"{file}#1@2")) == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. f5 d6 (1... f6 2. a1) 2. c5 *", "mine.pgn:1: game 1: ply 3: a1 is not allowed: flips nothing"),
        ("1. f5 zz *", "mine.pgn:1: game 1: 'zz' is not a move"),
        ('[Repertoire "Green"]\n\n1. f5 *', "mine.pgn: game 1: the tag Repertoire is Black or White, not 'Green'"),
        ('[A ""]\n\n1. f5 *\n\n[Rules "adjacent"]\n\n1. f5 *', "mine.pgn: game 2: its rules are adjacent"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "mine.pgn"
    file.write_text(text)
    with pytest.raises(RecordError) as caught:
        Repertoire.read(file)
    assert str(caught.value).startswith(f"{tmp_path}/{message}")


def test_names_moves_and_files_are_repertoires() -> None:
    for text in ("Tiger", "f5d6c3d3c4", "1. f5 d6 2. c3 d3 3. c4 *"):
        assert len(Repertoire.read(text)) == 5
    assert Repertoire().moves(Position()) == ()
    assert len(Repertoire()) == 0


def test_drawing_follows_the_weights() -> None:
    mine, random = Repertoire.read(MINE), Random(7)
    drawn = Counter(str(mine.draw(after("f5"), random)) for _ in range(400))
    assert set(drawn) == {"d6", "f6"}
    assert 250 < drawn["d6"] < 350
    assert mine.draw(after("f5d6c3d3c4"), random) is None


@pytest.mark.parametrize(
    ("moves", "ply", "color", "known"),
    [
        ("f5f4", 1, Color.WHITE, ["d6", "f6"]),
        ("f5d6c4", 2, Color.BLACK, ["c3"]),
        ("f5d6c3d3c4f4", 5, Color.WHITE, []),
        ("f5f6d3", 2, Color.BLACK, ["e6"]),
    ],
)
def test_where_a_game_leaves(moves: str, ply: int, color: Color, known: list[str]) -> None:
    left = Repertoire.read(MINE).departure(Position().parse_moves(moves))
    assert isinstance(left, Departure)
    assert (left.ply, left.color, texts(left.known), left.ended) == (ply, color, known, not known)
    assert left.move == Position().parse_moves(moves)[ply]


def test_a_game_that_comes_back_has_not_left() -> None:
    mine = Repertoire.read("f5d6c3d3c4f4")
    assert mine.departure(Position().parse_moves("f5d6c4d3c3f4")) is None
    assert mine.departure(Position().parse_moves("f5d6c4")) is not None
    assert mine.departure([Move.parse("a1")]) is None


def test_places_that_disagree() -> None:
    text = '[Repertoire "White"]\n\n1. f5 d6 2. c3 d3 3. c4 f4 (3... b3) *\n\n'
    assert not [*Repertoire.read(text).disagreements()]
    ((position, moves),) = Repertoire.read(text + "1. f5 d6 2. c4 d3 3. c3 b3 *").disagreements()
    assert position == after("f5d6c3d3c4")
    assert {"".join(map(str, path)): [*map(str, some)] for path, some in moves.items()} == {
        "f5d6c3d3c4": ["b3", "f4"],
        "f5d6c4d3c3": ["b3"],
    }


def test_what_is_written_is_read_back() -> None:
    mine = Repertoire.read(MINE)
    again = Repertoire.read(format_record(parse_record(MINE)))
    assert [mine.moves(position) for position in mine.walk()] == [again.moves(at) for at in again.walk()]
