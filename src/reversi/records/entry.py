"""A game as it was read from a file: the record, where it was, and what is wrong with the writing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from reversi.records.findings import Finding, game_finding_line
from reversi.records.record import Record


@dataclass(slots=True)
class Entry:
    """One game of a file as it was read.

    Attributes:
        number: which game of the file, from 1.
        line: the line it begins on, from 1.
        record: what was understood; up to the first mistake where there is one.
        findings: what is wrong with the writing, in the order of the file; empty for a game that is well written.
        ours: whether the game is in this project's own format, not in a foreign one.
        result_line: the line that gives the result, 0 when none does.
        is_game: whether it is a game; if not, only its findings count: what is wrong behind the last game.
        format_: the name of the format where that spells names and events in its own way; empty for PGN.
        note: how the file is read from this game on where it does not say so itself, or what of it is not read.
        cut: whether the record ends before what the findings say is wrong.
    """

    number: int
    line: int
    record: Record
    findings: list[Finding] = field(default_factory=list)
    ours: bool = True
    result_line: int = 0
    is_game: bool = True
    format_: str = ""
    note: str = ""
    cut: bool = False


def noted(entries: Iterator[Entry], notes: list[str], name: str = "") -> Iterator[Entry]:
    """Yield the same entries; collect what there is to know about reading their file, each once, with its name."""
    for entry in entries:
        if entry.note and (note := f"{name}: {entry.note}" if name else entry.note) not in notes:
            notes.append(note)
        yield entry


def finding_line(name: str, entry: Entry, finding: Finding) -> str:
    """Return a finding as a line for people: ``games.pgn:game 12 (A–B):ply 37: e1: flips nothing [illegal-move]``.

    One that concerns no turn has its line of the file in place of the ply.
    """
    return game_finding_line(name, entry.number, entry.record.black, entry.record.white, finding)
