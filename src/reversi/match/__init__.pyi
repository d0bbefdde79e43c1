"""The public names; the package loads them when they are first used."""

from .contestants import Contestant as Contestant, parse_contestants as parse_contestants
from .games import MatchGame as MatchGame
from .openings import (
    MatchOpening as MatchOpening,
    balanced_openings as balanced_openings,
    read_openings as read_openings,
)
from .report import report_html as report_html, report_json as report_json, report_lines as report_lines
from .runner import Match as Match, MatchError as MatchError, MatchSettings as MatchSettings
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
    SprtVerdict as SprtVerdict,
)
