"""What was found in a part of a file: counts, and the games there is something to say about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from reversi.records.findings import Finding
from reversi.records.validation.game import Counts


class StoppedGame(NamedTuple):
    """A valid game that stops before its end.

    Attributes:
        plies: how many turns it has, passes included.
        result: as recorded.
        ended_early: whether the record gives a result or a reason.
    """

    plies: int
    result: str
    ended_early: bool


class GameNote(NamedTuple):
    """Something about a game.

    Attributes:
        number: which game of the part, from 1.
        players: the names of Black and White, or the bytes that refer to them.
        what: a finding, or where the game stops.
    """

    number: int
    players: tuple[str, str] | bytes
    what: Finding | StoppedGame


@dataclass(slots=True)
class PartChecked(Counts):
    """The count of a part of a file.

    Attributes:
        notes: what there is to say, in the order of the games.
        reading: what there is to know about how the games were read.
        whole: whether the part ended where a game ends, so that the next part begins with one.
    """

    notes: list[GameNote] = field(default_factory=list)
    reading: list[str] = field(default_factory=list)
    whole: bool = True
