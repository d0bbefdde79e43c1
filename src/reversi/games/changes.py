"""What changes in games on their way from one file to another, when somebody asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reversi.games.aliases import NO_ALIASES, Aliases
from reversi.records.entry import Entry
from reversi.records.facts import facts_of


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes of games. Other processes can make them, too.

    Attributes:
        aliases: players and events get the names that their aliases stand for.
        openings: games get the tags Opening, a name, and OpeningCode, the moves that define it, unless they have
            them.
    """

    aliases: Aliases = NO_ALIASES
    openings: bool = False

    def of(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Yield the games with the changes."""
        return map(self.changed, entries)

    def changed(self, entry: Entry) -> Entry:
        tags = entry.record.tags
        if self.aliases:
            events = self.aliases.events
            for tag, aliases in (("Black", self.aliases), ("White", self.aliases), ("Event", events)):
                name = aliases.name_of(tags[tag])
                if name != tags[tag]:
                    tags[tag] = name
        if self.openings and (named := facts_of(entry.record).opening) is not None:
            for name, value in (("Opening", named.opening.name), ("OpeningCode", named.opening.transcript)):
                if name not in tags:
                    tags[name] = value
        return entry
