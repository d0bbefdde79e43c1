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
from reversi.color import Color
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
from reversi.rules import ADJACENT, NAMED_RULES, OTHELLO, BoardSize, Ending, Objective, Rules, Start, parse_rules
from reversi.score import Kind, Result, Score, final_score

__all__ = [
    "ADJACENT",
    "NAMED_RULES",
    "OTHELLO",
    "PASS",
    "SQUARES",
    "BoardError",
    "BoardSize",
    "Color",
    "Ending",
    "GameError",
    "IllegalMoveError",
    "InputError",
    "InvalidMoveError",
    "Kind",
    "LegalMoves",
    "Move",
    "MoveError",
    "Objective",
    "Pass",
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
    "Square",
    "Start",
    "State",
    "__version__",
    "final_score",
    "parse_rules",
]
