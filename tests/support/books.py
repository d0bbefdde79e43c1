"""Opening books made by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from reversi.openings.book import BookEntry, BookNotes, pack_book
from reversi.rules import OTHELLO, Rules


def write_book(
    path: Path, entries: Mapping[int, BookEntry], rules: Rules = OTHELLO, notes: BookNotes | None = None
) -> None:
    """Write a book with these entries, by the keys of their positions; one that is open stays as it is."""
    path.unlink(missing_ok=True)
    path.write_bytes(pack_book(entries, rules, notes or BookNotes()))
