"""The public names; the package loads them when they are first used."""

from .engine import Engine as Engine, EngineCancelled as EngineCancelled, hint as hint
from .explaining import Feature as Feature, Remark as Remark, explain as explain
from .levels import MAX_LEVEL as MAX_LEVEL
from .player import MoveChoice as MoveChoice, Player as Player
from .pondering import Pondering as Pondering
from .search import Estimate as Estimate, Searcher as Searcher
