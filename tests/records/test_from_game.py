from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from reversi import (
    PASS,
    Color,
    GameError,
    IllegalMoveError,
    Kind,
    MoveValue,
    Position,
    Random,
    RecordError,
    Square,
    parse_rules,
)
from reversi.game.game import Game
from reversi.game.ply import Outcome, Termination
from reversi.game.supply import Supply
from reversi.records.formats.pgn.reader import parse_record
from reversi.records.from_game import game_from_record, record_from_game
from reversi.records.notes import RecordedScore
from reversi.records.record import Line, Node, Record, Tags, format_record
from reversi.records.validation.game import validate_record
from reversi.text import format_board

RULES = [
    "othello",
    "othello,board=4x4",
    "adjacent,optional-skip,board=4x4",
    "othello,optional-skip,misere,board=6x4",
]


def notes(game: Game) -> list[tuple[object, ...]]:
    return [(ply.move, ply.comment, ply.clock, ply.evaluation, ply.supply, ply.handed_over) for ply in game]


@settings(max_examples=60)
@given(st.sampled_from(RULES), st.integers(0, 2**32), st.integers(0, 70), st.booleans())
def test_through_the_record_and_its_text_and_back(rules: str, seed: int, length: int, resign: bool) -> None:
    game, random = Game(parse_rules(rules)), Random(seed)
    game.comment = "before the first"
    while not game.is_over and len(game) < length:
        ply = game.play(game.position.legal_moves.choice(random))
        if random.below(3) == 0:
            game.annotate(ply.number, comment=f"ply {ply.number}", clock=random.below(10**6) / 1000)
        if random.below(3) == 0:
            guess = MoveValue.stated(4, Kind.HEURISTIC, ply.color, game.rules.board.cells, confidence=None)
            game.annotate(ply.number, evaluation=guess)
    if resign and not game.is_over:
        game.resign()
    record = record_from_game(game, {"Black": "Ada", "White": "Bob"})
    text = format_record(record)
    assert parse_record(text) == record
    assert validate_record(record).findings == ()
    again = game_from_record(parse_record(text))
    assert notes(again) == notes(game)
    assert (again.comment, again.outcome, again.start) == (game.comment, game.outcome, game.start)
    assert (record.black, record.white) == ("Ada", "Bob")


def test_results_and_terminations() -> None:
    game = Game()
    assert record_from_game(game).result == "*"
    game.play_all(["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"])
    record = record_from_game(game, {"Termination": "resignation"})
    assert record.result == "13-0"
    assert "Termination" not in record.tags
    for end, termination, result in (
        (lambda game: game.resign(Color.WHITE), "resignation", "1-0"),
        (lambda game: game.forfeit_on_time(Color.BLACK), "time forfeit", "0-1"),
        (lambda game: game.adjudicate(None), "adjudication", "1/2-1/2"),
        (lambda game: game.adjudicate(Color.BLACK), "adjudication", "1-0"),
    ):
        game = Game()
        game.play("f5")
        outcome = end(game)
        record = record_from_game(game)
        assert (record.tags["Termination"], record.result) == (termination, result)
        assert game_from_record(record).outcome == outcome


def test_a_result_that_the_game_does_not_explain_is_left_out() -> None:
    line = Line([Node(Square("f5"))])
    assert game_from_record(Record(line=line, result="1-0")).outcome is None
    assert game_from_record(Record(Tags({"Termination": "normal"}), line=line, result="0-1")).outcome is None
    resigned = game_from_record(Record(Tags({"Termination": "Resignation"}), line=line, result="0-1"))
    assert resigned.outcome == Outcome(Termination.RESIGNATION, Color.WHITE, resigned.position.count)


def test_supply() -> None:
    game = Game(supply=Supply(28, 32))
    game.play("f5")
    record = record_from_game(game)
    assert record.tags["Supply"] == "28-32"
    again = game_from_record(record)
    assert (again.start_supply, again.supply) == (Supply(28, 32), Supply(27, 32))
    assert "Supply" not in record_from_game(Game(), {"Supply": "1-1"}).tags
    for wrong in ("many", "30", "-1-61", "30-30-30"):
        with pytest.raises(RecordError, match="Supply"):
            game_from_record(Record(Tags({"Supply": wrong})))
    with pytest.raises(GameError, match="empty squares"):
        game_from_record(Record(Tags({"Supply": "3-3"})))


def test_wrong_moves_are_named_with_their_ply() -> None:
    nodes = [Node(Square("f5")), Node(Square("a1"))]
    with pytest.raises(IllegalMoveError, match="ply 2 \\(White\\): a1"):
        game_from_record(Record(line=Line(nodes)))
    with pytest.raises(IllegalMoveError, match="ply 1 \\(Black\\): --"):
        game_from_record(Record(line=Line([Node(PASS)])))
    with pytest.raises(IllegalMoveError, match="f5 is not allowed: a1 has no disc to flip"):
        game_from_record(Record(line=Line([Node(Square("f5"), flips=(Square("a1"),))])))
    start = Position.from_discs(0b11, 0, Color.WHITE, parse_rules("othello"))
    with pytest.raises(GameError, match="over"):
        game_from_record(Record(start=start, line=Line([Node(Square("f5"))])))


def test_discs_flipped_by_hand_are_kept() -> None:
    """White moves on the board as it stands: Black forgot e5, so g5 captures f5; then White turns e4 instead."""
    record = Record(line=Line([Node(Square("f5"), flips=()), Node(Square("g5"), flips=(Square("e4"),))]))
    game = game_from_record(record)
    assert game[0].hand_flips == ()
    assert format_board(game[0].after) == "-" * 27 + "OX" + "-" * 6 + "XOX" + "-" * 26 + " O"
    assert game[1].flips == (Square("e4"),)
    assert (game.position["e4"], game.position["f5"]) == (Color.WHITE, Color.BLACK)
    assert record_from_game(game).line == record.line


def test_flips_by_the_rules_and_several_comments() -> None:
    node = Node(
        Square("f5"),
        comments=("one", "two"),
        flips=(Square("e5"),),
        evaluation=RecordedScore(-2.5, Kind.HEURISTIC),
    )
    game = game_from_record(Record(line=Line([node], ("a", "b"))))
    assert (game.comment, game[0].comment) == ("a b", "one two")
    assert game[0].evaluation == MoveValue(-2, Kind.HEURISTIC, -64, 64, Color.BLACK, confidence=None)


@pytest.mark.parametrize(
    ("kind", "bounds"),
    [(Kind.EXACT, (6, 6)), (Kind.LOWER, (6, 64)), (Kind.UPPER, (-64, 6)), (Kind.BOOK, (-64, 64))],
)
def test_bounds_follow_from_the_kind(kind: Kind, bounds: tuple[int, int]) -> None:
    node = Node(Square("f5"), evaluation=RecordedScore(6, kind))
    evaluation = game_from_record(Record(line=Line([node])))[0].evaluation
    assert evaluation is not None
    assert (evaluation.value, evaluation.kind, evaluation.lower, evaluation.upper) == (6, kind, *bounds)
