"""The public names; the package loads them when they are first used."""

from .clocks import (
    ClockReading as ClockReading,
    ClockState as ClockState,
    GameClock as GameClock,
    TimeControl as TimeControl,
    parse_controls as parse_controls,
)
from .game import Game as Game
from .ply import Outcome as Outcome, Ply as Ply, Termination as Termination
from .supply import Supply as Supply
