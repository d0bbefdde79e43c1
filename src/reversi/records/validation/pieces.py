"""Judging games as text, whole or in pieces that are cut between games.

A piece has some of the text that follows it, and a game of it is judged when the next one has been seen to begin:
its last game is read as in the whole text. Where the next game does not begin just where the text was cut, the
piece says so, and what follows must be read from the beginning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

from reversi.records.entry import Entry
from reversi.records.formats.registry import TextFormat, read_games
from reversi.records.formats.sgf.reader import GAME_BEGIN
from reversi.records.validation.checked import GameNote, PartChecked, UnfinishedGame
from reversi.records.validation.game import validate_entry
from reversi.rules import Rules

__all__ = ["Piece", "check_entries", "check_piece", "cut_text"]

PIECE_CHARS: Final = 1 << 18
"""About how many characters a piece has: less than a second's work."""

_OVERLAP: Final = 2000  # characters of the next piece that show how it begins
_FIRST_TAG: Final = re.compile(r'\[[ \t]*(\w[\w+#=:.-]*)[ \t]+"')
_OLD_LINE_END: Final = re.compile(r"\r(?!\n)")  # readers count it as a line's end, cutting does not
_CUTS: Final = {
    TextFormat.GGF: re.compile(r"\n(?=(?:[0-9]{1,3} ?)?\(;)"),
    # not before any tree, since variations begin so too, nor where an escaped line end goes on with a value
    TextFormat.SGF: re.compile(rf"(?<!\\)(?<!\\\r)\n(?={GAME_BEGIN})"),
    TextFormat.EOTHELLO: re.compile(r"\n(?=[^,\r\n]{0,100},(?:-1|0|1),)"),
}


class Piece(NamedTuple):
    """A part of a text.

    Attributes:
        text: the part, and some of what follows.
        line: how many lines of the text are before it.
        end: the line of its own text that the next part begins on, from 1; 0 for the last part.
    """

    text: str
    line: int = 0
    end: int = 0


def cut_text(text: str, form: TextFormat | None, size: int = PIECE_CHARS) -> Iterator[Piece]:
    """A text in pieces of about ``size`` characters; in one piece where it cannot be cut.

    PGN-like text is cut before a line that begins with the tag that the text begins with, after an empty line; GGF
    and SGF before a line that begins with a game, which says in SGF what it is; lists of eOthello before a line of
    theirs.
    """
    begins = _cuts(text, form)
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


def _cuts(text: str, form: TextFormat | None) -> re.Pattern[str] | None:
    """Where a text may be cut: at the ends of what this finds."""
    if form is not TextFormat.PGN:
        return None if form is None else _CUTS.get(form)
    first = _FIRST_TAG.match(text)
    if first is None:
        return None
    return re.compile(rf'(?<=\n)\r?\n(?=\[[ \t]*{re.escape(first[1])}[ \t]+")')


def check_piece(piece: Piece, form: TextFormat | None, rules: Rules, accept_flips: bool) -> PartChecked:
    """Judge the games of a piece. One that the piece itself may have cut off is left out, and the piece not whole.

    Raises:
        InputError: there is no game in it.
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
    """Judge games, up to ``at_once`` of them between two looks at what was found; at once where one is wrong."""
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
