"""Environments for reinforcement learning: Gymnasium, PettingZoo, and many games at once.

`reversi.envs` describes actions, observations and rewards.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from types import NoneType
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias

from reversi.arguments import TEXT_TO_POSITION, check_count, check_type, excerpt
from reversi.errors import ArgumentError, GameError, InputError, MissingExtraError

MISSING: Final = 'environments need Gymnasium and PettingZoo: pip install "reversi-engine[envs]"'
"""What an error says where the extra is not installed."""

if not all(map(find_spec, ("numpy", "gymnasium", "pettingzoo"))):
    raise MissingExtraError(MISSING)

import gymnasium  # noqa: E402 - after the check for it
import numpy as np  # noqa: E402
from gymnasium import spaces  # noqa: E402
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

from reversi._core import PASS, Move, Position  # noqa: E402
from reversi.color import Color  # noqa: E402
from reversi.learning.inputs import Numbers, column, move_of_action  # noqa: E402
from reversi.learning.positions import PositionArray  # noqa: E402
from reversi.rules import OTHELLO, Rules  # noqa: E402

if TYPE_CHECKING:  # PettingZoo does not declare its types
    from reversi.learning.untyped import Untyped as AECEnv
else:
    from pettingzoo import AECEnv

Observation: TypeAlias = "dict[str, NDArray[np.int8]]"
Opponent: TypeAlias = "Callable[[Position], Move]"
_RENDER_MODES: Final = ["ansi", "svg"]


class _Cells:
    """Actions and observations of one rule set."""

    def __init__(self, rules: Rules) -> None:
        check_type("rules", rules, Rules, advice="parse_rules reads text")
        self.rules = rules
        self.rows, self.columns = rules.board
        self.count = rules.board.cells
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (self.rows, self.columns, 2), np.int8),
                "action_mask": spaces.Box(0, 1, (self.count + 1,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(self.count + 1)
        squares = [8 * row + column for row in range(self.rows) for column in range(self.columns)]
        self.to_square: NDArray[np.uint8] = np.array([*squares, PASS.index], np.uint8)

    def move(self, action: object) -> Move:
        return move_of_action(action, self.rules)

    def moves(self, actions: Numbers, games: int) -> NDArray[np.uint8]:
        numbers = column(actions, np.uint8, "actions", self.count)
        if len(numbers) != games:
            raise InputError(f"actions must have {games} numbers, one for each game, not {len(numbers)}")
        return np.take(self.to_square, numbers)

    def observe(self, batch: PositionArray) -> Observation:
        legal = batch.planes(np.int8, "NHWC", ["legal"]).reshape(len(batch), self.count)
        mask = np.concatenate([legal, batch.can_pass().astype(np.int8)[:, None]], axis=1)
        return {"observation": batch.planes(np.int8, "NHWC"), "action_mask": mask}

    def observe_one(self, position: Position) -> Observation:
        return {name: part[0] for name, part in self.observe(PositionArray([position])).items()}


def _reward(position: Position, color: Color) -> int:
    result = position.result
    if result is None or result.winner is None:
        return 0
    return 1 if result.winner is color else -1


def _picture(position: Position, mode: str | None) -> str | None:
    if mode == "ansi":
        return str(position)
    return position._repr_svg_() if mode == "svg" else None


def _check_mode(mode: str | None) -> None:
    if mode is not None and mode not in _RENDER_MODES:
        raise InputError(f"render_mode must be {' or '.join(_RENDER_MODES)}, not {excerpt(mode)}")


class OthelloEnv(gymnasium.Env[Observation, Any]):
    """A Gymnasium environment: one player against an opponent, who moves within `step`.

    An illegal action loses the game: reward -1, terminated, and ``info["illegal"]``.

    Args:
        rules: the rule set.
        opponent: chooses a move for a position, for example ``lambda p: Engine(3).choose(p).move``; by default it
            plays equally likely legal moves.
        color: the player's color; ``None`` draws it at each reset.
        render_mode: ``ansi`` for text, ``svg`` for a picture.
    """

    metadata: dict[str, Any] = {"render_modes": _RENDER_MODES, "render_fps": 1}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        rules: Rules = OTHELLO,
        opponent: Opponent | None = None,
        color: Color | None = None,
        render_mode: str | None = None,
    ) -> None:
        _check_mode(render_mode)
        check_type("color", color, Color, NoneType)
        if opponent is not None and not callable(opponent):
            raise ArgumentError(
                f"opponent must be a function of a position, not {type(opponent).__name__};"
                " lambda position: engine.choose(position).move is one"
            )
        self._cells = _Cells(rules)
        self.observation_space: spaces.Space[Any] = self._cells.observation_space
        self.action_space: spaces.Space[Any] = self._cells.action_space
        self.render_mode = render_mode
        self.position: Position = Position(rules)
        self.color: Color = color or Color.BLACK
        self._drawn = color is None
        self._opponent = opponent or self._random_move

    def _random_move(self, position: Position) -> Move:
        moves = position.legal_moves
        return moves[int(self.np_random.integers(len(moves)))]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game; ``options={"position": …}`` begins it elsewhere."""
        check_type("options", options, dict, NoneType)
        super().reset(seed=seed)
        self.position = (options or {}).get("position") or Position(self._cells.rules)
        check_type("position", self.position, Position, advice=TEXT_TO_POSITION)
        if self.position.rules != self._cells.rules:
            raise InputError(
                f"the position is under {self.position.rules}, the environment under {self._cells.rules}"
            )
        if self._drawn:
            self.color = Color.WHITE if self.np_random.integers(2) else Color.BLACK
        self._reply()
        return self._seen()

    def _reply(self) -> None:
        while not self.position.is_over and self.position.to_move is not self.color:
            self.position = self.position.play(self._opponent(self.position))

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        seen = self._cells.observe_one(self.position)
        return seen, {"action_mask": seen["action_mask"]}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, and the opponent's replies until the player is to move again or the game is over.

        Raises:
            InputError: the action is not in the action space.
        """
        move = self._cells.move(action)
        if not self.position.is_legal(move):
            seen, info = self._seen()
            return seen, -1.0, True, False, {**info, "illegal": True}
        self.position = self.position.play(move)
        self._reply()
        seen, info = self._seen()
        return seen, float(_reward(self.position, self.color)), self.position.is_over, False, info

    def render(self) -> Any:
        """Return the position as text or SVG, as ``render_mode`` says."""
        return _picture(self.position, self.render_mode)


class OthelloAEC(AECEnv):
    """A PettingZoo environment of two agents, ``black_0`` and ``white_0``, who move in turn; a pass is an action.

    `aec_env` wraps it so that an illegal action loses the game.

    Args:
        rules: the rule set.
        render_mode: ``ansi`` for text, ``svg`` for a picture.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": _RENDER_MODES,
        "name": "othello_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, rules: Rules = OTHELLO, render_mode: str | None = None) -> None:
        super().__init__()
        _check_mode(render_mode)
        self._cells = _Cells(rules)
        self.render_mode = render_mode
        self.possible_agents: list[str] = ["black_0", "white_0"]
        self.agents: list[str] = []
        self.agent_selection: str = ""
        self.position: Position = Position(rules)
        self.observation_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(
            self.possible_agents, self._cells.observation_space
        )
        self.action_spaces: dict[str, spaces.Space[Any]] = dict.fromkeys(
            self.possible_agents, self._cells.action_space
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations."""
        self._check_agent(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        self._check_agent(agent)
        return self.action_spaces[agent]

    def _check_agent(self, agent: str) -> None:
        if agent not in self.possible_agents:
            raise InputError(f"an agent is {' or '.join(self.possible_agents)}, not {excerpt(agent)}")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; nothing in it is random."""
        self.position = Position(self._cells.rules)
        self.agents = list(self.possible_agents)
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = "black_0"

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees; only the agent to move has legal actions."""
        self._check_agent(agent)
        position = self.position
        if self.terminations.get(agent) or (position.to_move is Color.BLACK) != (agent == "black_0"):
            seen = self._cells.observe_one(position)
            if (position.to_move is Color.BLACK) != (agent == "black_0"):
                seen["observation"] = np.ascontiguousarray(seen["observation"][:, :, ::-1])
            seen["action_mask"] = np.zeros_like(seen["action_mask"])
            return seen
        return self._cells.observe_one(position)

    def step(self, action: int | None) -> None:
        """Play the action of the agent to move.

        Raises:
            IllegalMoveError: the action is illegal.
            InputError: the action is not in the action space.
            GameError: before the first `reset`.
        """
        agent = self.agent_selection
        if not agent:
            raise GameError("no game has begun; call reset")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise InputError("a running agent needs an action")
        self._cumulative_rewards[agent] = 0.0
        self.position = self.position.play(self._cells.move(action))
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.position.is_over:
            for name in self.agents:
                self.rewards[name] = float(
                    _reward(self.position, Color.BLACK if name == "black_0" else Color.WHITE)
                )
                self.terminations[name] = True
        self.agent_selection = "black_0" if self.position.to_move is Color.BLACK else "white_0"
        self._accumulate_rewards()

    def render(self) -> Any:
        """Return the position as text or SVG, as ``render_mode`` says."""
        return _picture(self.position, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def aec_env(rules: Rules = OTHELLO, render_mode: str | None = None) -> Any:
    """Return an `OthelloAEC` in PettingZoo's usual wrappers: an illegal action ends the game with reward -1."""
    env: Any = OthelloAEC(rules, render_mode)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


class OthelloVectorEnv(VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """Many games at once, over a `PositionArray`: each step plays one action in every game.

    The reward is that of the player who made the action. A finished game begins again at the next step, which
    ignores its action (autoreset ``NEXT_STEP``). An illegal action loses the game.

    Args:
        num_envs: how many games.
        rules: the rule set.
        opponent: ``self``: the actions are those of whoever is to move. ``random``: the actions are Black's in
            games with an even number and White's in the others; the other side plays random moves in the step.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self, num_envs: int, rules: Rules = OTHELLO, opponent: Literal["self", "random"] = "self"
    ) -> None:
        if opponent not in ("self", "random"):
            raise InputError(f"opponent must be self or random, not {excerpt(opponent)}")
        self._cells = _Cells(rules)
        check_count("num_envs", num_envs, (1 << 31) - 1)
        self.num_envs = num_envs
        self.single_observation_space: spaces.Space[Any] = self._cells.observation_space
        self.single_action_space: spaces.Space[Any] = self._cells.action_space
        self.observation_space: spaces.Space[Any] = gymnasium.vector.utils.batch_space(
            self.single_observation_space, num_envs
        )
        self.action_space: spaces.Space[Any] = gymnasium.vector.utils.batch_space(
            self.single_action_space, num_envs
        )
        self._start = PositionArray.start(num_envs, rules)
        self.positions: PositionArray = self._start.copy()
        self._against = opponent == "random"
        self._colors = (np.arange(num_envs) % 2).astype(np.uint8)
        self._ended = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all games."""
        super().reset(seed=seed)
        self.positions = self._start.copy()
        self._ended[:] = False
        self._replies(np.ones(self.num_envs, np.bool_))
        return self._cells.observe(self.positions), {}

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play one action in each game; begin the games anew that ended at the last step.

        Raises:
            InputError: an action is not in the action space, or there is not one for each game.
        """
        codes = self._cells.moves(actions, self.num_envs)
        masks, passes = self.positions.legal_masks(), self.positions.can_pass()
        bits = np.uint64(1) << np.minimum(codes, 63).astype(np.uint64)
        legal = np.where(codes == PASS.index, passes, (masks & bits) != 0)
        playing = legal & ~self._ended
        illegal = ~legal & ~self._ended
        movers = self._colors if self._against else self.positions.to_move.copy()
        self.positions._put(playing, self.positions[playing].play(codes[playing]))
        self.positions._put(self._ended, self._start[self._ended])
        began = self._ended.copy()
        self._replies(playing | began)
        over = self.positions.is_over() & ~began
        rewards = np.zeros(self.num_envs, np.float64)
        scores = self.positions.scores()
        won = np.sign(np.where(self.positions.to_move == movers, scores, -scores))
        rewards[over] = won[over]
        rewards[illegal] = -1.0
        self._ended = over | illegal
        info = {"illegal": illegal} if illegal.any() else {}
        truncated = np.zeros(self.num_envs, np.bool_)
        return self._cells.observe(self.positions), rewards, self._ended.copy(), truncated, info

    def _replies(self, where: NDArray[np.bool_]) -> None:
        """Let the random opponent move wherever it is to move."""
        while self._against:
            waiting = where & (self.positions.to_move != self._colors) & ~self.positions.is_over()
            if not waiting.any():
                return
            batch = self.positions[waiting]
            self.positions._put(
                waiting, batch.play(batch.random_moves(seed=int(self.np_random.integers(1 << 32))))
            )


def register() -> None:
    """Register ``reversi/Othello-v0`` with Gymnasium, for `gymnasium.make` and `gymnasium.make_vec`."""
    gymnasium.register(
        "reversi/Othello-v0",
        entry_point="reversi.envs:OthelloEnv",
        vector_entry_point="reversi.envs:OthelloVectorEnv",
    )
