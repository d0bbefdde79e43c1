"""The game of OpenSpiel agrees with the core, and OpenSpiel's own test accepts it."""

from __future__ import annotations

import random

import pytest

pyspiel = pytest.importorskip("pyspiel")

import reversi.openspiel  # noqa: E402, F401 - it registers the game
from reversi import Color, InputError, Position, parse_rules  # noqa: E402


@pytest.mark.parametrize("text", ["othello", "adjacent,board=4x6", "othello,optional-skip,board=6x6"])
def test_openspiel_accepts_the_game(text: str) -> None:
    game = pyspiel.load_game("reversi", {"rules": text})
    pyspiel.random_sim_test(game, num_sims=5, serialize=False, verbose=False)


@pytest.mark.parametrize("text", ["othello", "adjacent,board=4x6", "othello,misere,board=6x6"])
def test_games_agree_with_the_core(text: str) -> None:
    rules, draw = parse_rules(text), random.Random(2)
    game = pyspiel.load_game("reversi", {"rules": text})
    for _ in range(10):
        state, position = game.new_initial_state(), Position(rules)
        while not position.is_over:
            assert state.current_player() == (position.to_move is Color.WHITE)
            texts = [state.action_to_string(action) for action in state.legal_actions()]
            assert texts == [str(move) for move in position.legal_moves]
            action = draw.choice(state.legal_actions())
            position = position.play(state.action_to_string(action))
            state.apply_action(action)
            assert str(state) == str(position)
        assert state.is_terminal()
        assert position.result is not None
        winner = position.result.winner
        assert state.returns() == {None: [0, 0], Color.BLACK: [1, -1], Color.WHITE: [-1, 1]}[winner]


def test_standard_games_agree_with_openspiels_own() -> None:
    draw = random.Random(3)
    for _ in range(5):
        ours, theirs = (
            pyspiel.load_game("reversi").new_initial_state(),
            pyspiel.load_game("othello").new_initial_state(),
        )
        while not theirs.is_terminal():
            assert ours.legal_actions() == theirs.legal_actions()
            action = draw.choice(theirs.legal_actions())
            ours.apply_action(action)
            theirs.apply_action(action)
        assert ours.returns() == theirs.returns()


def test_observations_show_the_boards() -> None:
    game = pyspiel.load_game("reversi", {"rules": "othello,board=4x6"})
    state, observer = game.new_initial_state(), game.make_py_observer()
    state.apply_action(state.legal_actions()[0])
    planes = observer.dict["observation"]
    for player, sets in ((0, state.position.black), (1, state.position.white)):
        observer.set_from(state, player)
        cells = [[int(sets >> 8 * row + column & 1) for column in range(6)] for row in range(4)]
        assert planes[0].tolist() == cells
        assert planes.sum() == 5


@pytest.mark.parametrize("text", ["othello", "othello,board=4x6"])
def test_an_action_outside_the_space_is_refused(text: str) -> None:
    game = pyspiel.load_game("reversi", {"rules": text})
    cells = parse_rules(text).board.cells
    for action in (-46, -1, cells + 1, 1000):
        state = game.new_initial_state()
        before = str(state)
        with pytest.raises((InputError, pyspiel.SpielError)):  # OpenSpiel refuses -1 by itself
            state.apply_action(action)
        with pytest.raises(InputError, match=f"action must be a whole number from 0 to {cells}, not {action}"):
            state.action_to_string(action)
        assert str(state) == before
