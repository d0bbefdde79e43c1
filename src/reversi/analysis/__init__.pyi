"""The public names; the package loads them when they are first used."""

from .analysis import Analysis as Analysis, AnalyzedTurn as AnalyzedTurn, SideSummary as SideSummary
from .analyzer import DEFAULT_EXACT_FROM as DEFAULT_EXACT_FROM, Analyzer as Analyzer, analyze as analyze
from .json_fields import (
    AnalysisFormatError as AnalysisFormatError,
    analysis_fields as analysis_fields,
    analysis_from_fields as analysis_from_fields,
)
from .judgement import (
    BLUNDER_FROM as BLUNDER_FROM,
    INACCURACY_FROM as INACCURACY_FROM,
    MISTAKE_FROM as MISTAKE_FROM,
    Judgement as Judgement,
    Prospect as Prospect,
    noise as noise,
)
