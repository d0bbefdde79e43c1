"""The public names; the package loads them when they are first used."""

from .clocks import SavedClocks as SavedClocks
from .events import (
    By as By,
    Ended as Ended,
    EngineNoise as EngineNoise,
    FlagFell as FlagFell,
    Flipped as Flipped,
    FlipsFinished as FlipsFinished,
    OpeningLeft as OpeningLeft,
    Played as Played,
    PlayedAgain as PlayedAgain,
    Resigned as Resigned,
    Restarted as Restarted,
    SaveFailed as SaveFailed,
    SessionEvent as SessionEvent,
    TakenBack as TakenBack,
)
from .notes import Note as Note
from .places import RecordPlace as RecordPlace
from .players import HUMAN as HUMAN, Side as Side, Thought as Thought
from .saving import SessionFolder as SessionFolder
from .session import Flipping as Flipping, Session as Session
from .state import GameState as GameState
from .variations import Variation as Variation
