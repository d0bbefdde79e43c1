"""Judge games as text, whole or in the pieces that `reversi.records.sources.cutting` makes.

A game is judged once the next one begins, so the last game of a piece is read as in the whole text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from reversi.records.entry import Entry
from reversi.records.formats.format import TextFormat
from reversi.records.formats.registry import read_games
from reversi.records.sources.cutting import Piece
from reversi.records.validation.checked import GameNote, PartChecked, StoppedGame
from reversi.records.validation.game import validate_entry
from reversi.rules import Rules


def check_piece(piece: Piece, format_: TextFormat | None, rules: Rules, accept_flips: bool) -> PartChecked:
    """Judge the games of a piece. A last game that the cut may have damaged is left out: the piece is not whole.

    Raises:
        InputError: the piece holds no game.
    """
    checked = PartChecked(whole=not piece.end)
    held: Entry | None = None  # until the next game shows where it ends
    for entry in read_games(piece.text, rules=rules, format_=format_):
        if held is not None:
            _check(held, accept_flips, checked, piece.line)
        held = entry
        if piece.end and entry.line >= piece.end:
            checked.whole = entry.line == piece.end
            return checked
    if held is not None and not piece.end:
        _check(held, accept_flips, checked, piece.line)
    return checked


def check_entries(entries: Iterable[Entry], accept_flips: bool, at_once: int) -> Iterator[PartChecked]:
    """Judge games and yield the results of up to ``at_once`` games together, sooner after one with a finding."""
    entries = iter(entries)
    while True:
        checked = PartChecked()
        for entry in islice(entries, at_once):
            _check(entry, accept_flips, checked, 0)
            if checked.notes or checked.reading:
                break
        if not (checked.games or checked.notes):
            return
        yield checked


def _check(entry: Entry, accept_flips: bool, checked: PartChecked, lines: int) -> None:
    verdict = validate_entry(entry, accept_flips=accept_flips)
    record = entry.record
    checked.add(verdict, entry.is_game)
    if entry.note:
        checked.reading.append(entry.note)
    if not (verdict.findings or verdict.unfinished or verdict.ended_early):
        return
    players = (record.black, record.white)
    for finding in verdict.findings:
        moved = replace(finding, line=finding.line + lines) if lines and finding.line is not None else finding
        checked.notes.append(GameNote(checked.games + (not entry.is_game), players, moved))
    if verdict.unfinished or verdict.ended_early:
        stopped = StoppedGame(len(record.line.nodes), record.result, verdict.ended_early)
        checked.notes.append(GameNote(checked.games, players, stopped))
