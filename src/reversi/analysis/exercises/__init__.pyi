"""The public names; the package loads them when they are first used."""

from .deck import add_to_deck as add_to_deck, read_deck as read_deck, write_deck as write_deck
from .exercise import Exercise as Exercise, Origin as Origin
from .judge import Judge as Judge
from .making import from_analysis as from_analysis, from_game as from_game, from_position as from_position
from .planning import next_due as next_due, plan as plan
from .progress import (
    ExerciseProgress as ExerciseProgress,
    ProgressFile as ProgressFile,
    Rating as Rating,
    Review as Review,
)
from .ratings import rating_of as rating_of
from .themes import ExerciseTheme as ExerciseTheme
