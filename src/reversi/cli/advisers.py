"""Who gives the hints of ``reversi hint``: the engine of this package, or an external one (``--engine``)."""

from __future__ import annotations

import contextlib
from typing import Protocol

from reversi.cli.config import named_engine, named_engines
from reversi.cli.console import err, fail
from reversi.cli.status import Status
from reversi.engine.engine import Engine
from reversi.engine.player import MoveChoice
from reversi.errors import InputError, PlayerError, ReversiError
from reversi.inputs.positions import PositionEntry
from reversi.protocols.client import ExternalEngine
from reversi.protocols.programs import open_engine
from reversi.solver.solution import MoveScore
from reversi.text.transcripts import read_transcript


class Adviser(Protocol):
    def hints(self, entry: PositionEntry, count: int) -> list[MoveScore | MoveChoice]:
        """Return the best moves, best first; those of some external engines have no score."""
        ...

    def close(self) -> None: ...


class OwnAdviser:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def hints(self, entry: PositionEntry, count: int) -> list[MoveScore | MoveChoice]:
        assert entry.position is not None
        return list(self._engine.hint(entry.position, count))

    def close(self) -> None: ...


class ExternalAdviser:
    def __init__(self, engine: ExternalEngine, seconds: float | None) -> None:
        self._engine = engine
        self._seconds = seconds

    def hints(self, entry: PositionEntry, count: int) -> list[MoveScore | MoveChoice]:
        """Return the best moves; the engine's choice without a score where it gives none."""
        assert entry.position is not None
        self._set_up(entry)
        if self._engine.gives_scores:
            return list(self._engine.hint(entry.position, count, time_s=self._seconds))
        return [self._engine.go(time_s=self._seconds)]

    def _set_up(self, entry: PositionEntry) -> None:
        """Set the engine's board, with the moves of a transcript: GTP engines need them."""
        position = entry.position
        assert position is not None
        with contextlib.suppress(ReversiError):
            transcript = read_transcript(entry.text.partition("%")[0], position.rules)
            if transcript.end == position:
                self._engine.follow(transcript.start, transcript.moves)
                return
        self._engine.follow(position, ())

    def close(self) -> None:
        """End the engine; say if it wrote more than its answers."""
        self._engine.close()
        if self._engine.noise.count:
            err(f"reversi: {self._engine.label}: {self._engine.noise}")


def external_adviser(text: str, seconds: float | None) -> ExternalAdviser:
    given, name = named_engine(text)
    try:
        engine = open_engine(given, name=name)
    except InputError as error:
        own = "" if ":" in text else ", ".join(named_engines())
        fail(Status.USAGE, f"--engine: {error}{own and f', or a name from your configuration file: {own}'}")
    try:
        _ = engine.name
    except PlayerError as error:
        fail(Status.USAGE, f"--engine: {error}")
    return ExternalAdviser(engine, seconds)
