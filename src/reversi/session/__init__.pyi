"""The public names; the package loads them when they are first used."""

from .events import (
    By as By,
    Ended as Ended,
    EngineNoise as EngineNoise,
    Event as Event,
    FlagFell as FlagFell,
    Flipped as Flipped,
    FlipsFinished as FlipsFinished,
    Listener as Listener,
    Played as Played,
    PlayedAgain as PlayedAgain,
    Resigned as Resigned,
    Restarted as Restarted,
    SaveFailed as SaveFailed,
    TakenBack as TakenBack,
)
from .players import HUMAN as HUMAN, Side as Side, Thought as Thought, parse_side as parse_side
from .saving import (
    GameSaver as GameSaver,
    RecordKeeper as RecordKeeper,
    SessionFolder as SessionFolder,
    save_record as save_record,
)
from .session import Flipping as Flipping, Keeper as Keeper, Session as Session
from .variations import Variation as Variation
