"""What changes in games on their way from one file to another, when somebody asks for it."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from reversi.games.aliases import NO_ALIASES, Aliases
from reversi.records.dates import spelt_alike
from reversi.records.entry import Entry
from reversi.records.facts import facts_of
from reversi.records.record import Tags
from reversi.records.validation.game import cut_short

CHANGED_TAGS: Final = ("Black", "White", "Event", "Date")
"""The tags that can get other values."""


class Dates(enum.Enum):
    """What becomes of a date with two readings, such as 05.04.2004.

    Attributes:
        KEEP: it stays.
        DMY: the day is first.
        MDY: the month is first.
    """

    KEEP = "keep"
    DMY = "dmy"
    MDY = "mdy"

    @property
    def day_first(self) -> bool | None:
        return None if self is Dates.KEEP else self is Dates.DMY


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes of games. Other processes can make them, too.

    Attributes:
        aliases: players and events get the names that their aliases stand for.
        dates: how dates are spelt alike; ``None``: they stay as they are.
        cut: games that are wrong end before their first wrong turn.
        openings: games get the tags Opening, a name, and OpeningCode, the moves that define it, unless they have
            them.
    """

    aliases: Aliases = NO_ALIASES
    openings: bool = False
    dates: Dates | None = None
    cut: bool = False

    def of(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Yield the games with the changes."""
        return map(self.changed, entries)

    def changed(self, entry: Entry) -> Entry:
        if self.cut:
            entry = cut_short(entry)
        tags = entry.record.tags
        if self.dates is not None:
            tags["Date"] = spelt_alike(tags["Date"], day_first=self.dates.day_first)
        if self.aliases:
            known = {"Black": self.aliases, "White": self.aliases, "Event": self.aliases.events}
            names = {tag: name for tag, one in known.items() if (name := one.name_of(tags[tag])) != tags[tag]}
            if names:  # a record of somebody else stays as it is
                tags = Tags(tags.pairs)
                tags.update(names)
                entry = replace(entry, record=replace(entry.record, tags=tags))
        if self.openings and (named := facts_of(entry.record).opening) is not None:
            for name, value in (("Opening", named.opening.name), ("OpeningCode", named.opening.transcript)):
                if name not in tags:
                    tags[name] = value
        return entry


NO_CHANGES: Final = Changes()
"""Nothing changes."""
