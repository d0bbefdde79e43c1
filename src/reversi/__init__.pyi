"""The public names; the package loads them when they are first used."""

from . import (
    analysis as analysis,
    arrays as arrays,
    engine as engine,
    envs as envs,
    errors as errors,
    evaluation as evaluation,
    game as game,
    games as games,
    inputs as inputs,
    match as match,
    openings as openings,
    people as people,
    protocols as protocols,
    puct as puct,
    records as records,
    render as render,
    rules as rules,
    session as session,
    solver as solver,
    text as text,
    work as work,
)
from ._core import (
    PASS as PASS,
    SQUARES as SQUARES,
    LegalMoves as LegalMoves,
    Move as Move,
    Pass as Pass,
    Position as Position,
    Random as Random,
    Square as Square,
    State as State,
    canonical_key as canonical_key,
    is_pass as is_pass,
)
from ._version import __version__ as __version__
from .analysis.analysis import Analysis as Analysis, AnalyzedTurn as AnalyzedTurn
from .analysis.analyzer import Analyzer as Analyzer, analyze as analyze
from .analysis.judgement import Judgement as Judgement
from .color import Color as Color
from .engine.engine import Engine as Engine, hint as hint
from .engine.player import Player as Player
from .engine.search import Estimate as Estimate, Searcher as Searcher, search as search
from .errors import (
    ArgumentError as ArgumentError,
    BusyError as BusyError,
    GameError as GameError,
    IllegalMoveError as IllegalMoveError,
    InputError as InputError,
    InvalidMoveError as InvalidMoveError,
    MissingExtraError as MissingExtraError,
    MissingFileError as MissingFileError,
    PlayerError as PlayerError,
    RecordError as RecordError,
    ResignationError as ResignationError,
    ResourceError as ResourceError,
    ReversiError as ReversiError,
    RulesError as RulesError,
)
from .evaluation.weights import evaluate as evaluate
from .game.clocks import ClockReading as ClockReading, TimeControl as TimeControl
from .game.game import Game as Game
from .game.ply import Outcome as Outcome, Ply as Ply
from .games.reading import open_records as open_records
from .inputs.input import read_position as read_position, read_positions as read_positions
from .records.record import Record as Record
from .rules import ADJACENT as ADJACENT, OTHELLO as OTHELLO, Rules as Rules, parse_rules as parse_rules
from .score import Kind as Kind, MoveValue as MoveValue, Result as Result, Score as Score, best_of as best_of
from .session.players import HUMAN as HUMAN, Side as Side
from .session.session import Session as Session
from .solver.batch import Batch as Batch
from .solver.question import Question as Question
from .solver.solution import MoveScore as MoveScore, Solution as Solution, SolveProgress as SolveProgress
from .solver.solver import Solver as Solver, solve as solve
from .work.awaiting import in_thread as in_thread
from .work.cancel import Cancel as Cancel
