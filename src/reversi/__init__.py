"""Play, record, validate and solve Othello and its house variants."""

from __future__ import annotations

from reversi._core import (
    PASS,
    SQUARES,
    LegalMoves,
    Move,
    Pass,
    Position,
    Random,
    Square,
    State,
)
from reversi._version import __version__
from reversi.clock import GameClock, TimeControl
from reversi.color import Color
from reversi.engine import Choice, Engine
from reversi.errors import (
    BoardError,
    GameError,
    IllegalMoveError,
    InputError,
    InvalidMoveError,
    MoveError,
    RecordError,
    ResourceError,
    ReversiError,
    RulesError,
    SideToMoveError,
)
from reversi.game import Game, Outcome, Ply, Termination
from reversi.rules import ADJACENT, NAMED_RULES, OTHELLO, BoardSize, Ending, Objective, Rules, Start, parse_rules
from reversi.score import Kind, Result, Score, final_score
from reversi.solver import MoveScore, Solution, Solver, solve
from reversi.supply import Supply

__all__ = [
    "ADJACENT",
    "NAMED_RULES",
    "OTHELLO",
    "PASS",
    "SQUARES",
    "BoardError",
    "BoardSize",
    "Choice",
    "Color",
    "Ending",
    "Engine",
    "Game",
    "GameClock",
    "GameError",
    "IllegalMoveError",
    "InputError",
    "InvalidMoveError",
    "Kind",
    "LegalMoves",
    "Move",
    "MoveError",
    "MoveScore",
    "Objective",
    "Outcome",
    "Pass",
    "Ply",
    "Position",
    "Random",
    "RecordError",
    "ResourceError",
    "Result",
    "ReversiError",
    "Rules",
    "RulesError",
    "Score",
    "SideToMoveError",
    "Solution",
    "Solver",
    "Square",
    "Start",
    "State",
    "Supply",
    "Termination",
    "TimeControl",
    "__version__",
    "final_score",
    "parse_rules",
    "solve",
]
