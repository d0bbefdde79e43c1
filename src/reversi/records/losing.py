"""What a format leaves out of a record, by the name of the format."""

from __future__ import annotations

from reversi.records.formats.registry import format_named
from reversi.records.record import Record


def losses(record: Record, format_: str) -> list[str]:
    """Return what a format does not hold of a record, as words for people.

    Args:
        record: the record.
        format_: the name of the format, as ``ggf``.

    Raises:
        ValueError: no format has that name.
    """
    return format_named(format_).holds.losses(record)


def lost_tags(record: Record, format_: str) -> list[str]:
    """Return the names of the tags of a record, other than the players, that a format does not hold."""
    return format_named(format_).holds.lost_tags(record)
