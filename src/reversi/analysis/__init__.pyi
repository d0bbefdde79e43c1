"""The public names; the package loads them when they are first used."""

from .analysis import (
    Analysis as Analysis,
    AnalyzedTurn as AnalyzedTurn,
    SideSummary as SideSummary,
    graph_lines as graph_lines,
    graph_svg as graph_svg,
    side_text as side_text,
    table_lines as table_lines,
)
from .analysis_json import (
    AnalysisFormatError as AnalysisFormatError,
    analysis_fields as analysis_fields,
    analysis_from_fields as analysis_from_fields,
)
from .analyzer import DEFAULT_EXACT_FROM as DEFAULT_EXACT_FROM, Analyzer as Analyzer, analyze as analyze
from .annotated import (
    analysis_from_record as analysis_from_record,
    annotated as annotated,
    is_annotated as is_annotated,
)
from .judgement import (
    BLUNDER_FROM as BLUNDER_FROM,
    INACCURACY_FROM as INACCURACY_FROM,
    MISTAKE_FROM as MISTAKE_FROM,
    Judgement as Judgement,
    Prospect as Prospect,
    noise as noise,
)
from .run import AnalysisRun as AnalysisRun, AnalyzedGame as AnalyzedGame, GameInput as GameInput
from .summary import (
    Phase as Phase,
    PlayerLosses as PlayerLosses,
    Summary as Summary,
    TurnLosses as TurnLosses,
    phase_of as phase_of,
)
