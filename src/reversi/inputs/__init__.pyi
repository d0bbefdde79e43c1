"""The public names; the package loads them when they are first used."""

from .input import (
    load_game as load_game,
    read_position as read_position,
    read_positions as read_positions,
)
from .positions import PositionEntry as PositionEntry
