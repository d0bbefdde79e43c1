from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given, settings, strategies as st

from random_games import random_game
from reversi import (
    PASS,
    Color,
    GameError,
    IllegalMoveError,
    InputError,
    InvalidMoveError,
    Kind,
    Move,
    MoveValue,
    Position,
    Square,
    State,
    parse_rules,
)
from reversi.game.game import Game
from reversi.game.ply import Outcome, Ply, Termination
from reversi.game.supply import Supply

BLACK, WHITE = Color.BLACK, Color.WHITE

RULES = [
    "othello",
    "adjacent",
    "othello,board=4x4",
    "othello,board=4x4,optional-skip",
    "adjacent,optional-skip,board=4x4",
    "adjacent,optional-skip,no-moves,board=4x4",
    "othello,anywhere,optional-capture,board=4x6,misere",
]

# Black wipes White out with its fifth placement: 13-0 after nine plies.
WIPE_OUT = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]


def position(cells: str, rules: str = "othello", state: State = State.FRESH) -> Position:
    """A position from its cells in rows apart from each other, then the side to move."""
    *rows, side = cells.split()
    black = white = 0
    for row, line in enumerate(rows):
        for column, cell in enumerate(line):
            black |= (cell == "X") << (8 * row + column)
            white |= (cell == "O") << (8 * row + column)
    return Position.from_discs(black, white, Color(side), parse_rules(rules), state)


def test_a_new_game() -> None:
    game = Game()
    assert len(game) == 0
    assert game
    assert game.position == game.start == Position()
    assert game.to_move is BLACK
    assert game.supply == game.start_supply == Supply(30, 30)
    assert game.last is None
    assert game.outcome is game.result is None
    assert (game.can_undo, game.can_redo, game.is_over) == (0, 0, False)
    assert game.rules == parse_rules("othello")
    assert repr(game) == "<Game othello: 0 plies, Black to move>"


def test_rules_are_a_start() -> None:
    rules = parse_rules("adjacent,board=6x6")
    assert Game(rules).start == Position(rules)


def test_playing() -> None:
    game = Game()
    first = game.play("f5")
    second = game.play(Square("d6"), comment="parallel is f4", clock=299.5)
    assert first == Ply(1, Square("f5"), game.start, game.start.play("f5"), Supply(29, 30))
    assert (second.number, second.color, second.flips) == (2, WHITE, (Square("d5"),))
    assert (second.comment, second.clock, second.evaluation) == ("parallel is f4", 299.5, None)
    assert (second.is_pass, second.is_forced_pass, second.is_skip, second.handed_over) == (False,) * 4
    assert game.moves == (Square("f5"), Square("d6"))
    assert game.positions == (first.before, first.after, second.after)
    assert list(game) == [game[0], game[1]] == [first, second]
    assert game[-1] is game.last is second
    assert game[:1] == (first,)
    assert game.supply == Supply(29, 29)
    with pytest.raises(IndexError):
        game[2]


def test_wrong_moves_change_nothing() -> None:
    game = Game()
    with pytest.raises(InvalidMoveError):
        game.play("i9")
    with pytest.raises(IllegalMoveError):
        game.play("a1")
    with pytest.raises(IllegalMoveError):
        game.play(PASS)
    with pytest.raises(GameError, match="clock must be"):
        game.play("f5", clock=-1)
    assert len(game) == 0
    assert game.position == Position()


def test_play_all_keeps_what_came_before_a_wrong_move() -> None:
    game = Game()
    with pytest.raises(IllegalMoveError):
        game.play_all(["f5", "d6", "a8", "c3"])
    assert [str(move) for move in game.moves] == ["f5", "d6"]


def test_the_end_on_the_board() -> None:
    game = Game()
    game.play_all(WIPE_OUT)
    assert game.is_over
    result = game.result
    assert result is not None
    assert (result.discs, result.score, result.winner) == ("13-0", 64, BLACK)
    assert game.outcome == Outcome(Termination.NORMAL, BLACK, result)
    assert game.outcome is not None
    assert game.outcome.text == "13-0"
    assert str(game.outcome) == "Black wins 13-0 (by 64)"
    with pytest.raises(GameError, match="the game is over: Black wins 13-0"):
        game.play("a1")
    with pytest.raises(GameError, match="the game is over"):
        game.resign()
    assert game.pass_if_forced() is None
    game.undo()
    assert not game.is_over


def test_forced_pass() -> None:
    # White can flip b1 from c1; Black cannot flip anything.
    blocked = position("OX------ " + "-------- " * 7 + "X")
    game = Game(blocked)
    assert game.must_pass
    ply = game.pass_if_forced()
    assert ply is not None
    assert (ply.move, ply.color, ply.is_pass, ply.is_forced_pass, ply.is_skip) == (PASS, BLACK, True, True, False)
    assert ply.flips == ()
    assert ply.supply == game.start_supply
    assert game.pass_if_forced() is None
    assert game.to_move is WHITE
    game.play("c1")
    assert game.is_over


def test_a_skip_is_not_a_forced_pass() -> None:
    game = Game(parse_rules("othello,optional-skip"))
    ply = game.play("--")
    assert (ply.is_skip, ply.is_forced_pass) == (True, False)
    assert game.position.state is State.AFTER_PASS
    game.play("--")
    assert game.is_over
    assert game.result is not None
    assert game.result.discs == "2-2"


def test_undo_and_redo() -> None:
    game = Game()
    game.play_all(["f5", "d6", "c3"])
    plies = list(game)
    assert game.undo() == (plies[2],)
    assert game.undo(2) == (plies[0], plies[1])
    assert game.position == Position()
    assert game.supply == Supply(30, 30)
    assert (game.can_undo, game.can_redo, list(game)) == (0, 3, [])
    assert game.redo(2) == (plies[0], plies[1])
    assert game.can_redo == 1
    assert game.undo(0) == game.redo(0) == ()
    game.play("c4")
    assert game.can_redo == 0
    assert [str(move) for move in game.moves] == ["f5", "d6", "c4"]


def test_undo_and_redo_refuse_what_is_not_there() -> None:
    game = Game()
    game.play("f5")
    for wrong in (2, -1):
        with pytest.raises(GameError, match="cannot take back"):
            game.undo(wrong)
    for wrong in (1, -1):
        with pytest.raises(GameError, match=r"cannot replay (1 ply|-1 plies); 0 plies to redo"):
            game.redo(wrong)
    assert len(game) == 1


def test_notes() -> None:
    game = Game()
    game.comment = "a friendly game"
    game.play_all(["f5", "d6"])
    score = MoveValue(4, Kind.HEURISTIC, -64, 64, Color.BLACK, depth=5)
    assert game.annotate(1, comment="tiger").comment == "tiger"
    assert game.annotate(1, clock=12.0, evaluation=score) is game[0]
    assert (game[0].comment, game[0].clock, game[0].evaluation) == ("tiger", 12.0, score)
    assert game[0].after == game[1].before
    assert game.annotate(2, evaluation=score).evaluation == score.pov(Color.WHITE)
    for wrong in (0, 3):
        with pytest.raises(GameError, match="does not exist; the game has 2 plies"):
            game.annotate(wrong, comment="x")
    with pytest.raises(GameError, match="clock must be"):
        game.annotate(2, clock=float("nan"))
    game.undo()
    game.redo()
    assert game[0].comment == "tiger"


def test_time_left_of_each_side() -> None:
    game = Game()
    assert game.time_left(BLACK) is None
    game.play("f5", clock=300)
    game.play("d6", clock=290)
    game.play("c3")
    assert (game.time_left(BLACK), game.time_left(WHITE)) == (300, 290)
    game.undo(2)
    assert (game.time_left(BLACK), game.time_left(WHITE)) == (300, None)


@pytest.mark.parametrize(
    ("end", "termination", "winner", "text"),
    [
        (lambda game: game.resign(), Termination.RESIGNATION, BLACK, "1-0"),
        (lambda game: game.resign(BLACK), Termination.RESIGNATION, WHITE, "0-1"),
        (lambda game: game.forfeit_on_time(), Termination.TIME_FORFEIT, BLACK, "1-0"),
        (lambda game: game.adjudicate(WHITE), Termination.ADJUDICATION, WHITE, "0-1"),
        (lambda game: game.adjudicate(None), Termination.ADJUDICATION, None, "1/2-1/2"),
        (lambda game: game.declare(Termination.FORFEIT, WHITE), Termination.FORFEIT, WHITE, "0-1"),
        (lambda game: game.declare(Termination.TIME_FORFEIT, None), Termination.ADJUDICATION, None, "1/2-1/2"),
    ],
)
def test_other_ends(end: object, termination: Termination, winner: Color | None, text: str) -> None:
    game = Game()
    game.play("f5")
    assert callable(end)
    outcome = end(game)
    assert outcome == game.outcome == Outcome(termination, winner, game.position.count)
    assert outcome.text == text
    assert outcome.count.discs == "4-1"
    assert str(termination) in str(outcome)
    assert game.is_over
    assert game.result is None
    with pytest.raises(GameError, match="the game is over"):
        game.play("d6")
    with pytest.raises(GameError, match="the game is over"):
        game.adjudicate(None)


def test_a_normal_end_is_not_declared() -> None:
    game = Game()
    with pytest.raises(InputError, match="a game ends normally on the board"):
        game.declare(Termination.NORMAL, BLACK)
    assert not game.is_over


def test_undo_withdraws_a_resignation() -> None:
    game = Game()
    game.play_all(["f5", "d6"])
    game.undo()
    game.resign()
    with pytest.raises(GameError, match="the game is over"):
        game.redo()
    assert game.undo(0) == ()
    assert not game.is_over
    game.redo()
    game.resign()
    game.undo(2)
    assert game.outcome is None


def test_a_hand_over_and_its_undo() -> None:
    game = Game(position("XOO-OX-- " + "-------- " * 7 + "X"), supply=Supply(0, 59))
    ply = game.play("d1")
    assert ply.handed_over
    assert game.supply == Supply(0, 58, handed_to_black=1)
    game.undo()
    assert game.supply == Supply(0, 59)
    game.redo()
    assert game.supply == Supply(0, 58, handed_to_black=1)


def test_the_supply_must_fill_the_board() -> None:
    with pytest.raises(GameError, match="59 discs for 60 empty squares"):
        Game(supply=Supply(30, 29))
    assert Game(supply=Supply(31, 30)).supply.total == 61


def test_two_voluntary_skips_make_the_other_side_run_out() -> None:
    """White skips whenever it may: Black has no discs left first and is handed White's until the grid is full."""
    game = Game(parse_rules("adjacent,optional-skip,board=4x4"))
    while not game.is_over:
        moves = game.position.legal_moves
        skip = game.to_move is WHITE and moves.can_pass
        game.play(PASS if skip else moves[0])
    assert game.position.empties == 0
    assert game.supply == Supply(0, 0, handed_to_black=game.supply.handed_to_black)
    assert game.supply.handed_to_black == sum(ply.handed_over for ply in game) > 0


def test_copy_is_independent() -> None:
    game = Game()
    game.comment = "note"
    game.play_all(["f5", "d6"])
    game.undo()
    for other in (game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert other.moves == game.moves
        assert (other.can_redo, other.comment, other.supply) == (1, "note", game.supply)
        other.play("f6")
        assert len(game) == 1
    assert game.can_redo == 1


@settings(max_examples=60)
@given(st.sampled_from(RULES), st.integers(0, 2**32))
def test_every_game(rules: str, seed: int) -> None:
    game = random_game(rules, seed)
    assert game.result == game.position.result
    assert game.outcome is not None
    assert game.outcome.text == game.position.count.discs
    assert [ply.number for ply in game] == list(range(1, len(game) + 1))
    handed = 0
    for ply in game:
        assert ply.before.play(ply.move) == ply.after
        assert ply.is_pass == (ply.move == PASS) == (ply.is_forced_pass or ply.is_skip)
        assert ply.supply.total == ply.after.empties
        handed += ply.handed_over
        assert ply.supply.handed_over == handed
    again = Game(parse_rules(rules))
    again.play_all(game.moves)
    assert again.positions == game.positions
    assert again.supply == game.supply


@settings(max_examples=40)
@given(st.sampled_from(RULES), st.integers(0, 2**32), st.lists(st.integers(-9, 9), max_size=20))
def test_undo_and_redo_walk_along_the_line(rules: str, seed: int, steps: list[int]) -> None:
    game = random_game(rules, seed)
    line: list[Move] = list(game.moves)
    positions, supplies = game.positions, [game.start_supply, *(ply.supply for ply in game)]
    at = len(line)
    for step in steps:
        if step < 0:
            back = min(-step, at)
            game.undo(back)
            at -= back
        else:
            forward = min(step, len(line) - at)
            game.redo(forward)
            at += forward
        assert len(game) == at
        assert (game.can_undo, game.can_redo) == (at, len(line) - at)
        assert game.moves == tuple(line[:at])
        assert game.position == positions[at]
        assert game.supply == supplies[at]
        assert game.is_over == positions[at].is_over


def test_flipping_discs_by_hand() -> None:
    game = Game()
    ply = game.play("f5", flips=[])
    assert (ply.hand_flips, ply.flips, game.position["e5"]) == ((), (), WHITE)
    assert game.set_flips([Square("e5")]).after == Position().play("f5")
    assert (game.position["e5"], game[0].hand_flips) == (BLACK, (Square("e5"),))
    game.set_flips([Square("d4"), Square("e4"), Square("d4")])
    assert game[0].flips == (Square("d4"), Square("e4"))
    assert [game.position[square] for square in ("d4", "e4", "e5", "f5")] == [BLACK, WHITE, WHITE, BLACK]
    with pytest.raises(IllegalMoveError, match="a1 has no disc to flip"):
        game.set_flips([Square("a1")])
    with pytest.raises(IllegalMoveError, match="f5 has no disc to flip"):
        game.set_flips([Square("f5")])
    assert game[0].flips == (Square("d4"), Square("e4"))
    assert game.undo()[0].hand_flips == (Square("d4"), Square("e4"))
    with pytest.raises(GameError, match="nobody has placed a disc"):
        game.set_flips([])
    assert game.redo()[0].after["d4"] is BLACK
    game.resign()
    with pytest.raises(GameError, match="over"):
        game.set_flips([])
