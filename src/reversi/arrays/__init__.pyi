"""The public names; the package loads them when they are first used."""

from .games import GamePositions as GamePositions, from_records as from_records, from_wthor as from_wthor
from .positions import PositionArray as PositionArray
