"""Play, record, validate and solve Othello and its house variants.

The names below are loaded when they are first used, so that ``import reversi`` alone costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from reversi._version import __version__

if TYPE_CHECKING:
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
    from reversi.batch import Answer, Batch, Question
    from reversi.clock import ClockReading, GameClock, TimeControl
    from reversi.color import Color
    from reversi.engine import Choice, Engine, EngineCancelled, hint
    from reversi.errors import (
        BoardError,
        BusyError,
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
    from reversi.evaluation import Evaluation, evaluate
    from reversi.game import Game, Outcome, Ply, Termination
    from reversi.levels import Level, level_for
    from reversi.players import HUMAN, Side
    from reversi.rules import (
        ADJACENT,
        NAMED_RULES,
        OTHELLO,
        BoardSize,
        Ending,
        Objective,
        Rules,
        Start,
        parse_rules,
    )
    from reversi.running import Cancel
    from reversi.score import Kind, Result, Score, final_score
    from reversi.searching import Found, Searcher, search
    from reversi.session import Flipping, Session
    from reversi.solver import MoveScore, Solution, Solver, solve
    from reversi.supply import Supply

__all__ = [
    "ADJACENT",
    "HUMAN",
    "NAMED_RULES",
    "OTHELLO",
    "PASS",
    "SQUARES",
    "Answer",
    "Batch",
    "BoardError",
    "BoardSize",
    "BusyError",
    "Cancel",
    "Choice",
    "ClockReading",
    "Color",
    "Ending",
    "Engine",
    "EngineCancelled",
    "Evaluation",
    "Flipping",
    "Found",
    "Game",
    "GameClock",
    "GameError",
    "IllegalMoveError",
    "InputError",
    "InvalidMoveError",
    "Kind",
    "LegalMoves",
    "Level",
    "Move",
    "MoveError",
    "MoveScore",
    "Objective",
    "Outcome",
    "Pass",
    "Ply",
    "Position",
    "Question",
    "Random",
    "RecordError",
    "ResourceError",
    "Result",
    "ReversiError",
    "Rules",
    "RulesError",
    "Score",
    "Searcher",
    "Session",
    "Side",
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
    "evaluate",
    "final_score",
    "hint",
    "level_for",
    "parse_rules",
    "search",
    "solve",
]

_HOME_OF = {
    "Answer": "reversi.batch",
    "Batch": "reversi.batch",
    "Question": "reversi.batch",
    "PASS": "reversi._core",
    "SQUARES": "reversi._core",
    "LegalMoves": "reversi._core",
    "Move": "reversi._core",
    "Pass": "reversi._core",
    "Position": "reversi._core",
    "Random": "reversi._core",
    "Square": "reversi._core",
    "State": "reversi._core",
    "ClockReading": "reversi.clock",
    "GameClock": "reversi.clock",
    "TimeControl": "reversi.clock",
    "Color": "reversi.color",
    "Choice": "reversi.engine",
    "Engine": "reversi.engine",
    "EngineCancelled": "reversi.engine",
    "hint": "reversi.engine",
    "BoardError": "reversi.errors",
    "BusyError": "reversi.errors",
    "GameError": "reversi.errors",
    "IllegalMoveError": "reversi.errors",
    "InputError": "reversi.errors",
    "InvalidMoveError": "reversi.errors",
    "MoveError": "reversi.errors",
    "RecordError": "reversi.errors",
    "ResourceError": "reversi.errors",
    "ReversiError": "reversi.errors",
    "RulesError": "reversi.errors",
    "SideToMoveError": "reversi.errors",
    "Evaluation": "reversi.evaluation",
    "evaluate": "reversi.evaluation",
    "Game": "reversi.game",
    "Outcome": "reversi.game",
    "Ply": "reversi.game",
    "Termination": "reversi.game",
    "HUMAN": "reversi.players",
    "Side": "reversi.players",
    "ADJACENT": "reversi.rules",
    "NAMED_RULES": "reversi.rules",
    "OTHELLO": "reversi.rules",
    "BoardSize": "reversi.rules",
    "Ending": "reversi.rules",
    "Objective": "reversi.rules",
    "Rules": "reversi.rules",
    "Start": "reversi.rules",
    "parse_rules": "reversi.rules",
    "Level": "reversi.levels",
    "level_for": "reversi.levels",
    "Cancel": "reversi.running",
    "Found": "reversi.searching",
    "Searcher": "reversi.searching",
    "search": "reversi.searching",
    "Kind": "reversi.score",
    "Result": "reversi.score",
    "Score": "reversi.score",
    "final_score": "reversi.score",
    "Flipping": "reversi.session",
    "Session": "reversi.session",
    "MoveScore": "reversi.solver",
    "Solution": "reversi.solver",
    "Solver": "reversi.solver",
    "solve": "reversi.solver",
    "Supply": "reversi.supply",
}

if not TYPE_CHECKING:

    def __getattr__(name):
        """Load a public name from the module that defines it."""
        home = _HOME_OF.get(name)
        if home is None:
            raise AttributeError(f"module 'reversi' has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(home), name)
        return value


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
