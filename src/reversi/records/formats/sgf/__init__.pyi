"""The public names; the package loads them when they are first used."""

from .reader import (
    MAX_TREES as MAX_TREES,
    read_sgf as read_sgf,
    tags_of as tags_of,
)
from .values import GAME_BEGIN as GAME_BEGIN, Properties as Properties
from .writer import format_sgf as format_sgf
