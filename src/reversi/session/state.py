"""What a session knows of the game on its board, beside the game and its clocks, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reversi.records.record import Record
from reversi.session.notes import Note
from reversi.session.places import RecordPlace
from reversi.session.variations import Variation


@dataclass(frozen=True, slots=True)
class GameState:
    """The state of a game, which a saved session has again.

    Attributes:
        length: the plies of the game, also while one has stepped back; those taken back do not count.
        opening_plies: the plies that were on the board when the game began, as those of an opening are.
        from_start: whether it began with its start position or an opening: not a loaded or retried one.
        steady: whether the same players, at the same levels, have made all moves since the opening.
        touched: whether somebody has continued the record or the start position.
        flips_pending: whether the latest placement waits for `Session.finish_flips` (or the opponent's move).
        help_used: what has helped a person: `Session.use_help` has the kinds.
        in_history: the game as it joined the personal history, as text; "" before.
        opened: the record that was opened, with the lines that were left for others since; ``None`` without one.
        names: the players' names in a loaded record, until somebody moves.
        tags_before: where a record was loaded: the tags before, which the next game has again, and those of the
            record.
        variations: the lines that somebody tried in this game and keeps, beside those of the record.
        notes: the marks and comments that somebody wrote, the latest last, in place of those of the record.
        places: where the game stands in files: where it was opened, and where it was saved by name, the latest
            last.
    """

    length: int = 0
    opening_plies: int = 0
    from_start: bool = True
    steady: bool = True
    touched: bool = False
    flips_pending: bool = False
    help_used: frozenset[str] = frozenset()
    in_history: str = ""
    opened: Record | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    tags_before: tuple[dict[str, str], dict[str, str]] | None = None
    variations: tuple[Variation, ...] = ()
    notes: tuple[Note, ...] = ()
    places: tuple[RecordPlace, ...] = ()

    def place_in(self, file: Path) -> RecordPlace | None:
        """Return where the game stands in a file, absolute and with its links followed; ``None`` elsewhere."""
        return next((place for place in self.places if place.path == file), None)
