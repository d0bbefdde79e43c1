"""The public names; the package loads them when they are first used."""

from .analysis import (
    Analysis as Analysis,
    AnalysisFormatError as AnalysisFormatError,
    AnalyzedTurn as AnalyzedTurn,
    SideSummary as SideSummary,
)
from .analyzer import Analyzer as Analyzer, analyze as analyze
from .annotating import analysis_from_record as analysis_from_record, annotated as annotated
from .judgement import Judgement as Judgement, Prospect as Prospect
from .run import AnalysisRun as AnalysisRun, AnalyzedGame as AnalyzedGame, GameInput as GameInput
from .store import AnalysisStore as AnalysisStore
from .summary import (
    LossSummary as LossSummary,
    Phase as Phase,
    PlayerLosses as PlayerLosses,
    TurnLosses as TurnLosses,
)
