"""Environments: the libraries' own conformance tests, and games that agree with the core."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest

np = pytest.importorskip("numpy")
gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402 - after it was found
from pettingzoo.test import api_test, seed_test  # noqa: E402

from reversi import ArgumentError, Color, InputError, Position, ReversiError, parse_rules  # noqa: E402
from reversi.envs import OthelloAEC, OthelloEnv, OthelloVectorEnv, aec_env, register  # noqa: E402

RULES = ["othello", "adjacent,board=4x6", "othello,optional-skip,board=6x6", "othello,misere,board=4x4"]


@pytest.mark.parametrize("text", RULES)
def test_gymnasium_accepts_the_environment(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*not having a spec.*")
        check_env(OthelloEnv(parse_rules(text)))


def test_gymnasium_makes_the_environment() -> None:
    register()
    check_env(gymnasium.make("reversi/Othello-v0", render_mode="ansi").unwrapped)
    many = gymnasium.make_vec("reversi/Othello-v0", num_envs=3, vectorization_mode="vector_entry_point")
    assert many.reset(seed=1)[0]["observation"].shape == (3, 8, 8, 2)


@pytest.mark.parametrize("text", RULES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pettingzoo_accepts_the_environment(text: str) -> None:
    api_test(aec_env(parse_rules(text)), num_cycles=200)
    seed_test(lambda: aec_env(parse_rules(text)))


def position_of(observation: Any, to_move: Color, rules: Any) -> tuple[int, int]:
    """The discs of the mover and of the other side that an observation shows."""
    rows, columns = rules.board
    sets = [0, 0]
    for row in range(rows):
        for column in range(columns):
            for plane in range(2):
                sets[plane] |= int(observation[row, column, plane]) << 8 * row + column
    return sets[0], sets[1]


def actions_of(mask: Any) -> list[int]:
    return [int(action) for action in np.flatnonzero(mask)]


def move_text(action: int, rules: Any) -> str:
    rows, columns = rules.board
    return "--" if action == rows * columns else "abcdefgh"[action % columns] + str(action // columns + 1)


@pytest.mark.parametrize("text", RULES)
def test_games_of_two_agents_agree_with_the_core(text: str) -> None:
    play_aec(text, 20)


@pytest.mark.slow
@pytest.mark.parametrize("text", RULES)
def test_a_thousand_games_agree_with_the_core(text: str) -> None:
    play_aec(text, 1000)


def play_aec(text: str, games: int) -> None:
    rules, draw = parse_rules(text), random.Random(3)
    env = OthelloAEC(rules)
    for _ in range(games):
        env.reset()
        position = Position(rules)
        while not position.is_over:
            agent = env.agent_selection
            assert agent == ("black_0" if position.to_move is Color.BLACK else "white_0")
            seen = env.observe(agent)
            assert position_of(seen["observation"], position.to_move, rules) == (
                position.player,
                position.opponent,
            )
            other = env.observe("white_0" if agent == "black_0" else "black_0")
            assert position_of(other["observation"], position.to_move, rules) == (
                position.opponent,
                position.player,
            )
            assert not other["action_mask"].any()
            actions = actions_of(seen["action_mask"])
            assert [move_text(action, rules) for action in actions] == [str(move) for move in position.legal_moves]
            action = draw.choice(actions)
            env.step(action)
            position = position.play(move_text(action, rules))
        assert env.position == position
        assert all(env.terminations.values())
        result = position.result
        assert result is not None
        expected = {None: (0, 0), Color.BLACK: (1, -1), Color.WHITE: (-1, 1)}[result.winner]
        assert (env.rewards["black_0"], env.rewards["white_0"]) == expected


@pytest.mark.parametrize("color", [Color.BLACK, Color.WHITE, None])
@pytest.mark.parametrize("text", RULES)
def test_games_against_an_opponent(text: str, color: Color | None) -> None:
    rules, draw = parse_rules(text), random.Random(5)
    env = OthelloEnv(rules, color=color)
    for game in range(10):
        seen, info = env.reset(seed=game)
        over, reward = env.position.is_over, 0.0
        while not over:
            assert env.position.to_move is env.color
            assert (seen["action_mask"] == info["action_mask"]).all()
            assert reward == 0
            action = draw.choice(actions_of(seen["action_mask"]))
            seen, reward, over, cut, info = env.step(action)
            assert not cut
        result = env.position.result
        assert result is not None
        assert reward == (0 if result.winner is None else 1 if result.winner is env.color else -1)


def test_an_illegal_action_loses() -> None:
    env = OthelloEnv(color=Color.BLACK)
    env.reset(seed=1)
    _, reward, over, _, info = env.step(0)
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    agents = aec_env()
    agents.reset()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agents.step(0)
    assert agents.rewards["black_0"] == -1
    many = OthelloVectorEnv(2)
    many.reset(seed=1)
    _, rewards, ended, _, about = many.step(np.array([0, 19]))
    assert (rewards.tolist(), ended.tolist(), about["illegal"].tolist()) == ([-1, 0], [True, False], [True, False])
    many.step(np.array([64, 18]))
    assert many.positions[0] == Position()


@pytest.mark.parametrize("opponent", ["self", "random"])
@pytest.mark.parametrize("text", RULES)
def test_many_games_agree_with_the_core(text: str, opponent: Any) -> None:
    rules, draw = parse_rules(text), np.random.default_rng(7)
    env = OthelloVectorEnv(40, rules, opponent)
    seen, _ = env.reset(seed=3)
    finished = 0
    for _ in range(150):
        before = list(env.positions)
        ended = [position.is_over for position in before]
        weights = draw.random(seen["action_mask"].shape) * seen["action_mask"]
        actions = weights.argmax(axis=1)
        seen, rewards, done, cut, _ = env.step(actions)
        assert not cut.any()
        for game, position in enumerate(before):
            now = env.positions[game]
            assert position_of(seen["observation"][game], now.to_move, rules) == (now.player, now.opponent)
            legal = [str(move) for move in now.legal_moves]
            assert [move_text(action, rules) for action in actions_of(seen["action_mask"][game])] == legal
            if ended[game]:
                assert (rewards[game], done[game]) == (0, False)
                continue
            if opponent == "self":
                assert now == position.play(move_text(int(actions[game]), rules))
            assert done[game] == now.is_over
            if now.is_over:
                finished += 1
                mover = position.to_move
                assert now.result is not None
                winner = now.result.winner
                assert rewards[game] == (0 if winner is None else 1 if winner is mover else -1)
            else:
                assert rewards[game] == 0
    assert finished > 40


def test_pictures() -> None:
    env = OthelloEnv(render_mode="ansi", color=Color.BLACK)
    env.reset(seed=1)
    assert env.render() == str(Position())
    agents = OthelloAEC(render_mode="svg")
    agents.reset()
    assert agents.render().startswith("<svg")
    with pytest.raises(InputError, match="render_mode must be ansi or svg"):
        OthelloEnv(render_mode="human")
    with pytest.raises(InputError, match="opponent must be"):
        OthelloVectorEnv(2, opponent="engine")  # type: ignore[arg-type]


def test_a_game_from_another_position() -> None:
    env = OthelloEnv(color=Color.WHITE)
    position = Position.from_moves("f5")
    env.reset(seed=1, options={"position": position})
    assert env.position == position
    with pytest.raises(InputError, match="the position is under adjacent"):
        env.reset(options={"position": Position(parse_rules("adjacent"))})


# --- actions outside the action space

OUTSIDE: list[Any] = [-46, -1, 65, 1000, 1 << 70]
NO_NUMBERS: list[Any] = [19.0, 19.7, np.float32(19), "19", True, np.array([19]), [19], None]
REFUSED = [*((action, InputError) for action in OUTSIDE), *((action, ArgumentError) for action in NO_NUMBERS)]


@pytest.mark.parametrize(("action", "error"), REFUSED, ids=repr)
def test_an_action_outside_the_space_is_refused(action: Any, error: type[ReversiError]) -> None:
    env = OthelloEnv(color=Color.BLACK)
    env.reset(seed=1)
    before = env.position
    with pytest.raises(error, match="action must be a whole number from 0 to 64, not "):
        env.step(action)
    assert env.position == before


@pytest.mark.parametrize(("action", "error"), REFUSED[:-1], ids=repr)
def test_an_action_outside_the_space_of_two_agents_is_refused(action: Any, error: type[ReversiError]) -> None:
    env = OthelloAEC()
    env.reset()
    with pytest.raises(error, match="action must be a whole number from 0 to 64, not "):
        env.step(action)
    assert env.position == Position()


@pytest.mark.parametrize("action", [19, np.int64(19), np.uint8(19), np.array(19)], ids=repr)
def test_an_action_may_be_any_whole_number(action: Any) -> None:
    env, two = OthelloEnv(color=Color.BLACK), OthelloAEC()
    env.reset(seed=1)
    two.reset()
    _, _, _, _, info = env.step(action)
    two.step(action)
    assert "illegal" not in info
    assert two.position == Position().play("d3")


@pytest.mark.parametrize("text", RULES)
def test_the_space_is_that_of_the_board(text: str) -> None:
    rules = parse_rules(text)
    env, many = OthelloEnv(rules), OthelloVectorEnv(2, rules)
    for action in (-1, rules.board.cells + 1, 64 if rules.board.cells < 64 else 65):
        env.reset(seed=1)
        many.reset(seed=1)
        with pytest.raises(InputError, match=f"from 0 to {rules.board.cells}"):
            env.step(action)
        with pytest.raises(InputError, match=f"from 0 to {rules.board.cells}"):
            many.step(np.array([action, 0]))
    for action in range(rules.board.cells + 1):
        env.reset(seed=1)
        assert env.action_space.contains(action)
        env.step(action)


@pytest.mark.parametrize(
    "actions",
    [[-46, 19], [19, -1], [65, 19], [19.0, 19.0], ["19", "20"], 19, [19], [19, 19, 19], [[19, 19]]],
    ids=repr,
)
def test_actions_outside_the_space_of_many_games_are_refused(actions: Any) -> None:
    env = OthelloVectorEnv(2)
    env.reset(seed=1)
    before = env.positions.copy()
    with pytest.raises((ArgumentError, InputError), match="actions must have "):
        env.step(actions)
    with pytest.raises((ArgumentError, InputError), match="actions must have "):
        env.step(np.array(actions))
    assert env.positions == before
    _, _, _, _, info = env.step(np.array([19, 19], np.uint8))
    assert not info
