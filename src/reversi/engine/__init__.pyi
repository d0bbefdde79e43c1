"""The public names; the package loads them when they are first used."""

from .engine import (
    DEFAULT_LEVEL as DEFAULT_LEVEL,
    HINT_LEVEL as HINT_LEVEL,
    MAX_LEVEL as MAX_LEVEL,
    Engine as Engine,
    EngineCancelled as EngineCancelled,
    hint as hint,
)
from .levels import Level as Level, level_for as level_for, level_of_depth as level_of_depth
from .player import Chosen as Chosen, Player as Player, ask_player as ask_player, close_player as close_player
from .search import Found as Found, Searcher as Searcher
