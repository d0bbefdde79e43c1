"""Games as texts in this project's format, written by whichever process reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from reversi.errors import RecordError
from reversi.games.changes import CHANGED_TAGS, NO_CHANGES, Changes
from reversi.games.identity import Identity, Same, identify
from reversi.games.selection import Selection
from reversi.records.entry import Entry, finding_line
from reversi.records.record import format_record
from reversi.records.validation.game import findings_of, is_well_formed


class GameText(NamedTuple):
    """A game in this project's format.

    Attributes:
        number: the number of the game in its file, from 1.
        text: the game, empty for one that cannot be written.
        troubles: what is wrong with it, a line each, to follow the name of the file.
        cut: whether the game ends before what is wrong.
    """

    number: int
    text: str
    troubles: tuple[str, ...] = ()
    cut: bool = False


def game_texts(entries: Iterable[Entry]) -> Iterator[GameText]:
    """Write each game in this project's format, one that is wrong, too: its record says what was read."""
    for entry in entries:
        troubles = tuple(finding_line("", entry, finding) for finding in findings_of(entry))
        text = ""
        if not troubles or is_well_formed(entry):
            try:
                text = format_record(entry.record)
            except RecordError as error:
                troubles += (f":game {entry.number}: {error}",)
        yield GameText(entry.number, text, troubles, entry.cut)


def selected_texts(selection: Selection, changes: Changes, entries: Iterable[Entry]) -> Iterator[GameText]:
    return game_texts(changes.of(selection.of(entries)))


class IdentifiedGame(NamedTuple):
    """A game with its identity.

    Attributes:
        number: the number of the game in its file, from 1.
        identity: the identity of the game.
        who: the players and the date.
        changed: the tags that are changed on the way: name, old value, new value.
        entry: the game, if nobody wants its text.
        text: the game as text.
    """

    number: int
    identity: Identity
    who: Who
    changed: tuple[tuple[str, str, str], ...]
    entry: Entry | None = None
    text: GameText | None = None


class Who(NamedTuple):
    """Who played a game, and when."""

    black: str
    white: str
    date: str

    def __str__(self) -> str:
        return f"{self.black} – {self.white}, {self.date}"


def identified(same: Same, changes: Changes, as_texts: bool, entries: Iterable[Entry]) -> Iterator[IdentifiedGame]:
    for entry in entries:
        before = {tag: entry.record.tags[tag] for tag in CHANGED_TAGS} if changes != NO_CHANGES else {}
        changed = changes.changed(entry)
        tags = changed.record.tags
        identity = identify(changed.record, changed.format_, same)
        who = Who(tags["Black"], tags["White"], tags["Date"])
        differ = tuple((tag, old, tags[tag]) for tag, old in before.items() if tags[tag] != old)
        text = next(game_texts((changed,))) if as_texts else None
        yield IdentifiedGame(entry.number, identity, who, differ, None if as_texts else changed, text)
