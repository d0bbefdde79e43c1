"""The public names; the package loads them when they are first used."""

from .contestants import (
    Contestant as Contestant,
    parse_contestant as parse_contestant,
    parse_contestants as parse_contestants,
)
from .openings import (
    MatchOpening as MatchOpening,
    balanced_openings as balanced_openings,
    read_openings as read_openings,
)
from .report import report_html as report_html, report_json as report_json, report_lines as report_lines
from .results import GameResult as GameResult, result_of as result_of
from .runner import Match as Match, MatchError as MatchError, MatchSettings as MatchSettings
from .schedule import Scheduled as Scheduled, pairings as pairings, schedule as schedule
from .standings import (
    PairingStanding as PairingStanding,
    PlayerStanding as PlayerStanding,
    Standings as Standings,
)
from .statistics import (
    Elo as Elo,
    PairCounts as PairCounts,
    Sprt as Sprt,
    SprtState as SprtState,
    Verdict as Verdict,
    elo_of as elo_of,
    elo_of_score as elo_of_score,
    score_of_elo as score_of_elo,
)
