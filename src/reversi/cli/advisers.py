"""The hints of an external engine, for ``reversi hint --engine``."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from reversi.cli.config import named_engine, named_engines
from reversi.cli.console import err, fail, refused
from reversi.cli.status import Status
from reversi.engine.player import MoveChoice
from reversi.errors import InputError, ReversiError
from reversi.inputs.positions import PositionEntry
from reversi.protocols.client import ExternalEngine
from reversi.protocols.programs import open_engine
from reversi.solver.solution import MoveScore
from reversi.text.transcripts import read_transcript

Adviser: TypeAlias = Callable[[PositionEntry, int], Sequence[MoveScore | MoveChoice]]
"""Returns the best moves of a position, best first; those of some external engines have no score."""


@contextlib.contextmanager
def external_adviser(text: str, seconds: float | None) -> Iterator[Adviser]:
    """Return what asks an engine, which ends with the block; some choose a move without a score."""
    given, name = named_engine(text)
    try:
        engine = open_engine(given, name=name)
    except InputError as error:
        own = "" if ":" in text else ", ".join(named_engines())
        fail(Status.USAGE, f"--engine: {error}{own and f', or a name from your configuration file: {own}'}")
    with refused("--engine"):
        _ = engine.name

    def hints(entry: PositionEntry, count: int) -> Sequence[MoveScore | MoveChoice]:
        assert entry.position is not None
        _set_up(engine, entry)
        if engine.gives_scores:
            return engine.hint(entry.position, count, time_s=seconds)
        return [engine.go(time_s=seconds)]

    with contextlib.closing(engine):
        yield hints
    if engine.noise.count:  # it wrote more than its answers
        err(f"reversi: {engine.label}: {engine.noise}")


def _set_up(engine: ExternalEngine, entry: PositionEntry) -> None:
    """Set the engine's board, with the moves of a transcript: GTP engines need them."""
    position = entry.position
    assert position is not None
    with contextlib.suppress(ReversiError):
        transcript = read_transcript(entry.text.partition("%")[0], position.rules)
        if transcript.end == position:
            engine.follow(transcript.start, transcript.moves)
            return
    engine.follow(position, ())
