"""Games as texts in this project's format, written by whichever process reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from reversi.errors import RecordError
from reversi.games.changes import Changes
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
    """

    number: int
    text: str
    troubles: tuple[str, ...] = ()


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
        yield GameText(entry.number, text, troubles)


def changed_texts(changes: Changes, entries: Iterable[Entry]) -> Iterator[GameText]:
    return game_texts(changes.of(entries))


def selected_texts(selection: Selection, changes: Changes, entries: Iterable[Entry]) -> Iterator[GameText]:
    return game_texts(changes.of(selection.of(entries)))


class IdentifiedText(NamedTuple):
    """A game in this project's format, with its identity.

    Attributes:
        identity: the identity of the game.
        who: the players and the date.
        text: the game.
    """

    identity: Identity
    who: str
    text: GameText


def identified_texts(same: Same, entries: Iterable[Entry]) -> Iterator[IdentifiedText]:
    for entry in entries:
        identity = identify(entry.record, entry.format_, same)
        yield IdentifiedText(identity, players_and_date(entry), next(game_texts((entry,))))


def players_and_date(entry: Entry) -> str:
    tags = entry.record.tags
    return f"{tags['Black']} – {tags['White']}, {tags['Date']}"
