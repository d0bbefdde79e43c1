"""The public names; the package loads them when they are first used."""

from .aliases import AliasError as AliasError, Aliases as Aliases
from .conditions import parse_selection as parse_selection
from .database.answers import QueryError as QueryError, SqlQuery as SqlQuery
from .database.database import (
    Database as Database,
    DatabaseError as DatabaseError,
    DatabaseInfo as DatabaseInfo,
    DatabaseMemoryError as DatabaseMemoryError,
    DatabaseMissingError as DatabaseMissingError,
)
from .database.editing import Aliased as Aliased, Removed as Removed, Renamed as Renamed
from .database.importing import Import as Import, Imported as Imported, KnownGame as KnownGame
from .database.rows import IllegalGame as IllegalGame
from .exploring import Exploration as Exploration, MoveTally as MoveTally
from .files import Report as Report, ReportKind as ReportKind
from .games import Games as Games
from .identity import Same as Same
from .patterns import Pattern as Pattern
from .reading import open_records as open_records
from .repertoire import Departure as Departure, Repertoire as Repertoire, RepertoireMove as RepertoireMove
from .selection import Selection as Selection, SelectionError as SelectionError
from .sorting import Order as Order
from .statistics.events import (
    Event as Event,
    Meeting as Meeting,
    Standing as Standing,
    TieBreak as TieBreak,
    events_of as events_of,
)
from .statistics.openings import OpeningTally as OpeningTally, openings_of as openings_of
from .statistics.overview import Statistics as Statistics
from .statistics.players import Profile as Profile, Win as Win, profile_of as profile_of
from .statistics.ratings import PlayerRating as PlayerRating, next_rating as next_rating, ratings_of as ratings_of
from .statistics.results import GameResult as GameResult, results_of as results_of
from .statistics.tables import Table as Table, tables_of as tables_of
from .statistics.tallies import PlayerTally as PlayerTally, Spread as Spread, Tally as Tally
from .writing import write_records as write_records
