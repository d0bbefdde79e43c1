"""The public names; the package loads them when they are first used."""

from .notes import Properties as Properties
from .reader import (
    GAME_BEGIN as GAME_BEGIN,
    MAX_TREES as MAX_TREES,
    read_sgf as read_sgf,
    tags_of as tags_of,
)
from .writer import format_sgf as format_sgf
