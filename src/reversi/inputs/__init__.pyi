"""The public names; the package loads them when they are first used."""

from .input import (
    Input as Input,
    MissingInputError as MissingInputError,
    load_game as load_game,
    parse_position as parse_position,
    resolve as resolve,
)
from .place import Place as Place, PlaceError as PlaceError, parse_place as parse_place
from .positions import PositionEntry as PositionEntry, read_positions as read_positions
