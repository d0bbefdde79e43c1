"""The public names; the package loads them when they are first used."""

from .input import (
    Input as Input,
    MissingInputError as MissingInputError,
    load_game as load_game,
    read_position as read_position,
    read_positions as read_positions,
    resolve as resolve,
)
from .positions import PositionEntry as PositionEntry
