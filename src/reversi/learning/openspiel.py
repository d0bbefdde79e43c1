"""The game of OpenSpiel for every rule set, registered when this module is imported."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from reversi._core import Position
from reversi.color import Color
from reversi.errors import MissingExtraError
from reversi.learning.inputs import move_of_action
from reversi.rules import Rules, parse_rules

if find_spec("pyspiel") is None:
    raise MissingExtraError("the game for OpenSpiel needs OpenSpiel: pip install open_spiel")

import numpy as np
import pyspiel
from numpy.typing import NDArray

if TYPE_CHECKING:  # OpenSpiel has no types
    from reversi.learning.untyped import Untyped as Game, Untyped as State
else:
    from pyspiel import Game, State

_TYPE = pyspiel.GameType(
    short_name="reversi",
    long_name="Othello and its house variants",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": "othello"},
)


class ReversiGame(Game):
    """The game of one rule set."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.rules: Rules = parse_rules(str((params or {}).get("rules", "othello")))
        cells = self.rules.board.cells
        info = pyspiel.GameInfo(
            num_distinct_actions=cells + 1,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            # a pass before each placement; with optional skips also a skip before the pass
            max_game_length=(3 if self.rules.optional_skip else 2) * cells,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> ReversiState:
        """Return the start of a game."""
        return ReversiState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> ReversiObserver:
        """Return what writes the boards of a state as an array."""
        return ReversiObserver(self.rules)


class ReversiState(State):
    """A position of the game."""

    def __init__(self, game: ReversiGame) -> None:
        super().__init__(game)
        self.rules: Rules = game.rules
        self.position: Position = Position(game.rules)

    def current_player(self) -> int:
        """Return the player to move: 0 Black, 1 White."""
        if self.position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(self.position.to_move is Color.WHITE)

    def _legal_actions(self, player: int) -> list[int]:
        columns = self.rules.board.columns
        return [
            self.rules.board.cells if move.is_pass else (move.index >> 3) * columns + (move.index & 7)
            for move in self.position.legal_moves
        ]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(move_of_action(action, self.rules))

    def _action_to_string(self, player: int, action: int) -> str:
        return str(move_of_action(action, self.rules))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """Return what the game is worth to each player; 0 before its end."""
        result = self.position.result
        if result is None or result.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if result.winner is Color.BLACK else [-1.0, 1.0]

    def __str__(self) -> str:
        return str(self.position)


class ReversiObserver:
    """Writes a state as two planes: the discs of the observing player, and those of the other."""

    def __init__(self, rules: Rules) -> None:
        self._shape = (2, *rules.board)
        self.tensor: NDArray[np.float32] = np.zeros(2 * rules.board.cells, np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {"observation": self.tensor.reshape(self._shape)}

    def set_from(self, state: ReversiState, player: int) -> None:
        from reversi.learning.positions import PositionArray

        planes = PositionArray([state.position]).planes("float32")[0]
        self.dict["observation"][:] = planes if state.current_player() == player else planes[::-1]

    def string_from(self, state: ReversiState, player: int) -> str:
        return str(state)


pyspiel.register_game(_TYPE, ReversiGame)
