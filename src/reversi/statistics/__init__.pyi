"""The public names; the package loads them when they are first used."""

from .events import (
    Event as Event,
    Meeting as Meeting,
    Standing as Standing,
    TieBreak as TieBreak,
    events_of as events_of,
)
from .openings import OpeningTally as OpeningTally, openings_of as openings_of
from .overview import Statistics as Statistics
from .players import Profile as Profile, Win as Win, profile_of as profile_of
from .ratings import PlayerRating as PlayerRating, next_rating as next_rating, ratings_of as ratings_of
from .results import GameResult as GameResult, results_of as results_of
from .tables import Table as Table, tables_of as tables_of
from .tallies import PlayerTally as PlayerTally, Spread as Spread, Tally as Tally
