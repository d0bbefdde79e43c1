"""The public names; the package loads them when they are first used."""

from .clocks import (
    ClockReading as ClockReading,
    ClockState as ClockState,
    GameClock as GameClock,
    TimeControl as TimeControl,
    format_controls as format_controls,
    format_time as format_time,
    parse_controls as parse_controls,
    parse_time as parse_time,
)
from .game import Game as Game, puts_right_earlier as puts_right_earlier
from .hand_flips import play_with_flips as play_with_flips
from .ply import Outcome as Outcome, Ply as Ply, Termination as Termination
from .supply import Supply as Supply
