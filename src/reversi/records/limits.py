"""Limits of one game, and of a file without a game, where reading stops: far above those of real files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final, TypeVar

from reversi.errors import RecordError

if TYPE_CHECKING:
    from reversi.records.entry import Entry

_T = TypeVar("_T")

MAX_PARTS: Final = 1 << 17
"""Tags, turns, comments and whatever else one game may have: words of PGN-like text, values of GGF and SGF."""

MAX_FINDINGS: Final = 1000
"""Findings about one game that are reported one by one."""

MAX_STRANGE: Final = 1000
"""Games without anything of a game that a file may begin with."""

_STRANGE: Final = ("SYNTAX", "INVALID_MOVE", "TRUNCATED", "BAD_TAG")


def is_strange(entry: Entry) -> bool:
    """Return whether an entry has no turns and is not written as a record."""
    return not entry.record.line.nodes and any(finding.code.name in _STRANGE for finding in entry.findings)


def give_up(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the same entries, unless the first `MAX_STRANGE` have nothing of a game.

    Entries with more than `MAX_PARTS` comments together are not held back for that.

    Raises:
        RecordError: they have not. The message gives the first finding, and the number of findings.
    """
    return held_back(entries, is_strange, lambda entry: len(entry.record.line.comments), MAX_PARTS, _no_game)


def held_back(
    items: Iterable[_T],
    is_nothing: Callable[[_T], object],
    size_of: Callable[[_T], int],
    most: int,
    refusal: Callable[[list[_T]], Exception],
) -> Iterator[_T]:
    """Yield items, unless the first `MAX_STRANGE` are nothing; those of more than the most size are not held."""
    held: list[_T] = []
    size, items = 0, iter(items)
    for item in items:
        held.append(item)
        size += size_of(item)
        if not is_nothing(item) or size > most:
            break
        if len(held) == MAX_STRANGE:
            raise refusal(held)
    while held:
        yield held.pop(0)
    yield from items


def _no_game(entries: list[Entry]) -> RecordError:
    first = entries[0].findings[0]
    count = sum(len(entry.findings) for entry in entries)
    last = max(entry.line for entry in entries)
    line, column = first.line or 0, first.column or 0
    message = f"line {line}, column {column}: {first.message}; {count} findings up to line {last} and not a game"
    return RecordError(message, line, column)
