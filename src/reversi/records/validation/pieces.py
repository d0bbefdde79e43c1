"""Judging games as text, whole or in pieces that are cut between games.

A piece has some of the text that follows it. A game is judged once the next one begins, so the last game of a
piece is read as in the whole text. Where the next game does not begin exactly at the cut, the piece reports that,
and the rest must be read from the beginning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

from reversi.records.entry import Entry
from reversi.records.formats.format import TextFormat
from reversi.records.formats.registry import read_games
from reversi.records.validation.checked import GameNote, PartChecked, UnfinishedGame
from reversi.records.validation.game import validate_entry
from reversi.rules import Rules

__all__ = ["Piece", "check_entries", "check_piece", "cut_text"]

PIECE_CHARS: Final = 1 << 18
"""The characters of a piece, about: less than a second's work."""

_OVERLAP: Final = 2000  # characters of the next piece that show how it begins
_OLD_LINE_END: Final = re.compile(r"\r(?!\n)")  # readers count it as a line end, cutting does not


class Piece(NamedTuple):
    """A part of a text.

    Attributes:
        text: the part, and some of what follows.
        line: the number of lines of the text before it.
        end: the line of its own text that the next part begins on, from 1; 0 for the last part.
    """

    text: str
    line: int = 0
    end: int = 0


def cut_text(text: str, form: TextFormat | None, size: int = PIECE_CHARS) -> Iterator[Piece]:
    """Cut a text into pieces of about ``size`` characters; into one piece where its format allows no cut."""
    begins = form.cut if form is not None else None
    if begins is not None and not isinstance(begins, re.Pattern):
        begins = begins(text)
    if begins is None or len(text) < 2 * size or _OLD_LINE_END.search(text):
        yield Piece(text)
        return
    at = lines = 0
    while (match := begins.search(text, at + size)) is not None:
        end = match.end()
        own = text.count("\n", at, end)
        yield Piece(text[at : end + _OVERLAP], lines, own + 1)
        lines += own
        at = end
    yield Piece(text[at:], lines)


def check_piece(piece: Piece, form: TextFormat | None, rules: Rules, accept_flips: bool) -> PartChecked:
    """Judge the games of a piece. A last game that the cut may have damaged is left out: the piece is not whole.

    Raises:
        InputError: the piece holds no game.
    """
    done = PartChecked(whole=not piece.end)
    held: Entry | None = None  # until the next game shows where it ends
    for entry in read_games(piece.text, rules=rules, form=form):
        if held is not None:
            _check(held, accept_flips, done, piece.line)
        held = entry
        if piece.end and entry.line >= piece.end:
            done.whole = entry.line == piece.end
            return done
    if held is not None and not piece.end:
        _check(held, accept_flips, done, piece.line)
    return done


def check_entries(entries: Iterable[Entry], accept_flips: bool, at_once: int) -> Iterator[PartChecked]:
    """Judge games and yield the results of up to ``at_once`` games together, sooner after one with a finding."""
    entries = iter(entries)
    while True:
        done = PartChecked()
        for entry in islice(entries, at_once):
            _check(entry, accept_flips, done, 0)
            if done.notes:
                break
        if not done.games:
            return
        yield done


def _check(entry: Entry, accept_flips: bool, done: PartChecked, lines: int) -> None:
    verdict = validate_entry(entry, accept_flips=accept_flips)
    record = entry.record
    done.games += 1
    done.valid += verdict.valid
    done.unfinished += verdict.unfinished
    players = (record.black, record.white)
    for finding in verdict.findings:
        moved = replace(finding, line=finding.line + lines) if lines and finding.line is not None else finding
        done.notes.append(GameNote(done.games, players, moved))
    if verdict.unfinished:
        done.notes.append(GameNote(done.games, players, UnfinishedGame(len(record.line.nodes), record.result)))
