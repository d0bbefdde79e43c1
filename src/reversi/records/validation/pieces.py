"""Judge games as text, whole or in the pieces that `reversi.records.sources.cutting` makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from reversi.records.entry import Entry
from reversi.records.formats.format import TextFormat
from reversi.records.sources.cutting import CutError, Piece, read_piece
from reversi.records.validation.checked import GameNote, PartChecked, StoppedGame
from reversi.records.validation.game import validate_entry
from reversi.rules import Rules


def check_piece(piece: Piece, format_: TextFormat | None, rules: Rules, accept_flips: bool) -> PartChecked:
    """Judge the games of a piece. A last game that the cut may have damaged is left out: the piece is not whole.

    Raises:
        InputError: the piece holds no game.
    """
    checked = PartChecked()
    try:
        for entry in read_piece(piece, format_, rules):
            _check(entry, accept_flips, checked)
    except CutError:
        checked.whole = False
    return checked


def check_entries(entries: Iterable[Entry], accept_flips: bool, at_once: int) -> Iterator[PartChecked]:
    """Judge games and yield the results of up to ``at_once`` games together, sooner after one with a finding."""
    entries = iter(entries)
    while True:
        checked = PartChecked()
        for entry in islice(entries, at_once):
            _check(entry, accept_flips, checked)
            if checked.notes or checked.reading:
                break
        if not (checked.games or checked.notes):
            return
        yield checked


def _check(entry: Entry, accept_flips: bool, checked: PartChecked) -> None:
    verdict = validate_entry(entry, accept_flips=accept_flips)
    record = entry.record
    checked.add(verdict, entry.is_game)
    if entry.note:
        checked.reading.append(entry.note)
    if not (verdict.findings or verdict.unfinished or verdict.ended_early):
        return
    players = (record.black, record.white)
    for finding in verdict.findings:
        checked.notes.append(GameNote(checked.games + (not entry.is_game), players, finding))
    if verdict.unfinished or verdict.ended_early:
        stopped = StoppedGame(len(record.line.nodes), record.result, verdict.ended_early)
        checked.notes.append(GameNote(checked.games, players, stopped))
