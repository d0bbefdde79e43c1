"""WTHOR as the registry knows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from reversi.records.dialects import passes_follow
from reversi.records.entry import Entry
from reversi.records.formats import wthor
from reversi.records.formats.format import BinaryFormat
from reversi.records.formats.wthor.header import WthorKind, wthor_kind
from reversi.records.holding import FEATURES, Capabilities, loses_tags
from reversi.records.record import Record

_NEVER: Final = ("comments", "glyphs", "clocks", "times of turns", "evaluations", "variations")


def _keeps_tag(record: Record, name: str, value: str, times: int) -> bool:
    return wthor.wthor_keeps_tag(record, name, value, times)


def _read(stream: BinaryIO, path: Path | None, problems: list[str], encoding: str) -> Iterator[Entry]:
    """Return the games, with the names that lie beside the file."""
    if path is None:
        return wthor.read_wthor(stream)
    players, tournaments, damaged = wthor.load_wthor_names(path, encoding)
    problems += damaged
    return wthor.read_wthor(stream, players, tournaments)


FORMAT: Final = BinaryFormat(
    name="wthor",
    title="WTHOR",
    suffixes=(".wtb",),
    holds=Capabilities(
        {
            "days and months": lambda record: wthor.loses_days(record),
            "names in full": lambda record: wthor.loses_names(record),
            "terminations": lambda record: record.tags.get("Termination", "adjudication") != "adjudication",
            "other tags": loses_tags(_keeps_tag),
            "results": lambda record: wthor.loses_result(record),
            "dates of files and sizes of boards that WTHOR does not have": lambda record: wthor.loses_header(
                record
            ),
            "passes that do not follow from the moves": lambda record: not passes_follow(record),
            **{what: FEATURES[what] for what in _NEVER},
        },
        _keeps_tag,
    ),
    recognize=lambda head, size: wthor_kind(head, size) is WthorKind.GAMES,
    read=_read,
    write=lambda known: wthor.WthorWriter(*known),
)
