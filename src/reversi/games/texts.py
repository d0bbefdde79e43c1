"""Games as texts in this project's format, written by whichever process reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from reversi.errors import RecordError
from reversi.games.changes import Changes
from reversi.games.identity import Identity, identify
from reversi.games.selection import Selection
from reversi.records.entry import Entry
from reversi.records.record import format_record


class GameText(NamedTuple):
    """A game in this project's format.

    Attributes:
        number: the number of the game in its file, from 1.
        text: the game, empty for one that cannot be written.
        error: why it cannot be written.
    """

    number: int
    text: str
    error: str = ""


def game_texts(entries: Iterable[Entry]) -> Iterator[GameText]:
    """Write each game in this project's format."""
    for entry in entries:
        try:
            yield GameText(entry.number, format_record(entry.record))
        except RecordError as error:
            yield GameText(entry.number, "", str(error))


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


def identified_texts(moves_only: bool, entries: Iterable[Entry]) -> Iterator[IdentifiedText]:
    for entry in entries:
        identity = identify(entry.record, entry.format_, moves_only=moves_only)
        yield IdentifiedText(identity, players_and_date(entry), next(game_texts((entry,))))


def players_and_date(entry: Entry) -> str:
    tags = entry.record.tags
    return f"{tags['Black']} – {tags['White']}, {tags['Date']}"
