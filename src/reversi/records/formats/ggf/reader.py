"""GGF, the format of the Generic Game Server: games as tags in brackets, a whole match on a line.

A game is ``(;`` then tags with values in brackets, then ``;)``; a number before it counts the games of a match.
What the tags say becomes tags, turns and the result of a record; those that mean nothing here are kept under their
own names, so that `reversi.records.formats.ggf.writer` can write them again. Passes are written. A game that
writes none has its forced ones put in, as other foreign games have.

Boards of 4, 6 and 8 rows and columns are read. The type (``TY``) says whether the fewest discs win (``a``) and
whether the start was drawn by lot (``r``); a game of that kind needs its board (``BO``), every other has the usual
start where it gives none. The result (``RE``) is Black's score, empty squares with the winner, less the komi
(``KM``).

Sources: Michael Buro's description of the format (skatgame.net/mburo/ggsa/ggf), the readers of NTest and Edax.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from reversi._core import Position
from reversi.arguments import check_type
from reversi.color import Color
from reversi.errors import InputError, RecordError
from reversi.records.dialects import complete_entry
from reversi.records.entry import Entry
from reversi.records.findings import Code
from reversi.records.formats.ggf.values import (
    CARRIED,
    KNOWN,
    match_type as type_of,
    parse_clock_value,
    parse_date,
    parse_komi,
    parse_move,
    parse_outcome,
    type_flags,
)
from reversi.records.formats.pending_notes import PendingNotes
from reversi.records.formats.source import Source
from reversi.records.limits import MAX_PARTS
from reversi.records.record import DERIVED_TAGS, ROSTER, Record, Tags, clean, clean_comments
from reversi.records.replay import board_result
from reversi.rules import OTHELLO, BoardSize, Objective, Rules
from reversi.text.boards import parse_board
from reversi.text.decoding import excerpt

_BEGIN = re.compile(r"\s*[0-9]{0,3}\s*\(;")
_FIRST_TAG = re.compile(r"\(;\s*(?:[A-Z]{1,3}\s*\[[^\]]*\]\s*)*?GM\s*\[\s*([^\]]{0,20})", re.IGNORECASE)
# A value never reaches over a line that begins a game: one that is not closed does not hide the next games.
# The outer repetition is not possessive: Python before 3.11.5 ends such a one with a lookahead in the wrong place.
_VALUE: Final = r"([^\]\n]*+(?:\n(?![ \t]*[0-9]{0,3}[ \t]*\(;)[^\]\n]*+)*)"
_TAG = re.compile(rf"\s*([A-Za-z]{{1,10}})\s*\[{_VALUE}\]")
_OPEN_TAG = re.compile(rf"\s*([A-Za-z]{{0,10}})\s*(?:\[{_VALUE})?")
_END = re.compile(r"\s*;\s*\)")
_COUNT = re.compile(r"\s*(?:[0-9]{1,3}\s*)?")
_SIZES: Final = (4, 6, 8)
_SIDES: Final = {"B": Color.BLACK, "W": Color.WHITE}
_HEAD: Final = 5000  # characters in which a game says what it is


def is_ggf(text: str) -> bool:
    """Return whether a text begins as a game in GGF does, and not as one in SGF, whose game has a number
    (``GM[2]``).
    """
    check_type("text", text, str)
    begin = _BEGIN.match(text)
    if begin is None:
        return False
    head = text[begin.end() - 2 : begin.end() + _HEAD]
    game = _FIRST_TAG.match(head)
    if game is not None:
        return not game[1][:1].isdigit()
    return re.search(r"FF\s*\[|;\s*[BW]\s*\[|A[BW]\s*\[", head[2:]) is None


def read_ggf(text: str) -> Iterator[Entry]:
    """Yield the games of a text in GGF, one at a time.

    A game that cannot be read whole has findings, and the next one is always found again.

    Args:
        text: the whole text.

    Raises:
        RecordError: the text contains no games.
    """
    check_type("text", text, str)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    source = Source(text.rstrip())
    text = source.text
    begin = text.find("(;")
    if begin < 0:
        raise RecordError("line 1: a game in GGF begins with '(;'; the text contains no games", 1)
    stray = _stray(text, 0, begin)
    number = 0
    while begin >= 0:
        number += 1
        entry = Entry(number, source.line_at(begin), Record(), ours=False, format_="ggf")
        if stray is not None:
            message = f"{excerpt(text[stray : stray + 60].split('(;')[0])} before the first game"
            entry.findings.append(source.finding(Code.SYNTAX, message, stray))
        tags, at, closed = _tags(source, begin + 2, entry)
        _Game(source, entry, tags).read()
        begin = text.find("(;", at)
        stray = None
        after = _stray(text, at, begin if begin >= 0 else len(text)) if closed else None
        if after is not None:
            message = f"{excerpt(text[after : after + 60].split('(;')[0])} after the game is not a game"
            entry.findings.append(source.finding(Code.SYNTAX, message, after))
        yield entry


def _stray(text: str, at: int, end: int) -> int | None:
    """Return where text other than blanks and a count begins between two games, or ``None``."""
    match = _COUNT.match(text, at, end)
    after = match.end() if match else at
    return after if after < end else None


@functools.cache
def _rules(size: int, objective: Objective) -> Rules:
    """Return the rules of games on a square board of this size."""
    return replace(OTHELLO, board=BoardSize(size, size), objective=objective)


class _Tag(NamedTuple):
    name: str
    value: str
    at: int


def _tags(source: Source, at: int, entry: Entry) -> tuple[list[_Tag], int, bool]:
    """Return the tags of a game, where it ends, and whether it ends as it should. Mistakes are reported in
    ``entry``.
    """
    text = source.text
    tags: list[_Tag] = []
    parts = 0
    while match := _TAG.match(text, at):
        name, value = match[1].upper(), match[2]
        parts += 1 + value.count("\n")
        if parts > MAX_PARTS:
            message = f"more than {MAX_PARTS} tags and lines of comments in one game"
            entry.findings.append(source.finding(Code.SYNTAX, message, match.start(1)))
            return tags, at, False
        tags.append(_Tag(name, value if name == "CO" else clean(value), match.start(1)))
        at = match.end()
    end = _END.match(text, at)
    if end is not None:
        return tags, end.end(), True
    while at < len(text) and text[at].isspace():
        at += 1
    opened = _OPEN_TAG.match(text, at)
    stop = opened.end() if opened else at
    if stop == len(text) or (text[at] == ";" and at + 1 == len(text)):
        entry.findings.append(source.finding(Code.TRUNCATED, "the file ends inside the game", len(text) - 1))
        return tags, len(text), False
    if opened and opened[2] is not None:
        message = f"the value of {opened[1] or 'a tag'} is not closed before the next game"
        entry.findings.append(source.finding(Code.SYNTAX, message, at))
        return tags, stop, False
    message = f"{excerpt(text[at : at + 40])} is neither a tag nor the game's end ';)'"
    entry.findings.append(source.finding(Code.SYNTAX, message, at))
    return tags, at, False


class _Game:
    def __init__(self, source: Source, entry: Entry, tags: list[_Tag]) -> None:
        self._source = source
        self._entry = entry
        self._tags = tags
        self._values: dict[str, _Tag] = {}
        for tag in tags:
            self._values.setdefault(tag.name, tag)

    def _value(self, name: str) -> str:
        return self._values[name].value if name in self._values else ""

    def _wrong(self, code: Code, message: str, tag: _Tag | None, ply: int | None = None) -> None:
        at = tag.at if tag else self._tags[0].at if self._tags else 0
        self._entry.findings.append(self._source.finding(code, message, at, ply))

    def read(self) -> None:
        entry = self._entry
        whole = not entry.findings
        pairs = self._pairs()
        start = self._start(report=whole)
        entry.record = record = Record(Tags(pairs), start or Position())
        if start is None:
            return
        before, colors = len(entry.findings), self._turns()
        if "RE" in self._values:
            entry.result_line = self._source.line_at(self._values["RE"].at)
        outcome = parse_outcome(self._value("RE"), parse_komi(self._value("KM")), record.rules)
        outcome.give_to(record)
        complete_entry(entry)
        self._check_turns(colors)
        if len(entry.findings) == before and (message := outcome.mismatch(board_result(record))):
            self._wrong(Code.RESULT_MISMATCH, message, self._values["RE"])

    def _pairs(self) -> list[tuple[str, str]]:
        """Return the tags of the record. A tag that a game has once, given twice with different values, is
        reported.
        """
        pairs: list[tuple[str, str]] = []
        for tag in self._tags:
            name, value = tag.name, tag.value
            if name not in KNOWN:
                pairs.append((f"{name}-" if name in DERIVED_TAGS else name, value))
            elif name not in ("B", "W", "CO") and self._values[name] is not tag and value != self._value(name):
                self._wrong(Code.SYNTAX, f"{name} is given twice", tag)
        for name, ours in CARRIED.items():
            value = self._value(name)
            if name in self._values and (value or ours not in ROSTER):
                pairs.append((ours, value))
        if self._value("DT").strip():
            day, moment = parse_date(self._value("DT"))
            pairs.append(("Date", day))
            if moment is not None:
                pairs.append(("Time", moment))
        return pairs + self._clocks() + self._type()

    def _clocks(self) -> list[tuple[str, str]]:
        pairs = [("TimeControl", parse_clock_value(self._value("TI")))] if "TI" in self._values else []
        names = {"TB": "BlackTimeControl", "TW": "WhiteTimeControl"}
        each = {ours: parse_clock_value(self._value(name)) for name, ours in names.items() if name in self._values}
        if len(each) == 2 and not pairs and not any("/" in value for value in each.values()):
            return [("TimeControl", "/".join(each.values()))]
        return pairs + list(each.items())

    def _type(self) -> list[tuple[str, str]]:
        """Return the tag of the type, where the rules do not say it by themselves."""
        kind = self._value("TY")
        size = self._value("BO").split(None, 1)[:1]
        rows = int(size[0]) if size and size[0] in ("4", "6", "8") else 8
        usual = type_of(_rules(rows, self._objective()))
        return [("MatchType", kind)] if kind and kind != usual else []

    def _objective(self) -> Objective:
        return Objective.FEWEST if "a" in (type_flags(self._value("TY")) or "") else Objective.MOST

    def _start(self, *, report: bool) -> Position | None:
        """Return the position before the first turn, ``None`` if it cannot be read.

        Args:
            report: whether a missing board is reported: not where the game could not be read to its end.
        """
        game, board, kind = self._value("GM").strip(), self._values.get("BO"), self._value("TY").strip()
        if game and game.lower() != "othello":
            self._wrong(Code.BAD_TAG, f"GM: a game of {excerpt(game)}, not of Othello", self._values["GM"])
            return None
        objective = self._objective()
        if board is None:
            digits = re.sub(r"[^0-9].*", "", kind.lower().removeprefix("s"))
            if "r" in (type_flags(kind) or ""):
                if report:
                    self._wrong(Code.BAD_TAG, f"no board (BO), which a game of type {kind} needs", None)
                return None
            if digits and (not digits.isascii() or int(digits) not in _SIZES):
                self._wrong(Code.BAD_TAG, f"TY: a board of size {excerpt(digits)}; there are 4, 6 and 8", None)
                return None
            return Position(_rules(int(digits) if digits else 8, objective))
        word, _, cells = board.value.strip().partition(" ")
        if not (word.isascii() and word.isdecimal()) or int(word[:9]) not in _SIZES:
            self._wrong(Code.BAD_TAG, f"BO: a board of size {excerpt(word)}; there are 4, 6 and 8", board)
            return None
        rules = _rules(int(word), objective)
        first = next((_SIDES[tag.name] for tag in self._tags if tag.name in _SIDES), Color.BLACK)
        try:
            try:
                return parse_board(" ".join(cells.split()), rules)
            except InputError:
                return parse_board(" ".join(cells.split()), rules, first)  # without a side to move
        except InputError as error:
            self._wrong(Code.BAD_TAG, f"BO: {error}", board)
            return None

    def _turns(self) -> list[tuple[Color, _Tag]]:
        """Read the turns and comments up to the first that is not a move; return whose turns they are."""
        entry = self._entry
        nodes = entry.record.line.nodes
        colors: list[tuple[Color, _Tag]] = []
        pending = PendingNotes()
        for tag in self._tags:
            if tag.name == "CO":
                comments = clean_comments(tag.value.split("\n"))
                pending.add(nodes[-1] if nodes else entry.record.line, "comments", comments)
            elif tag.name in _SIDES:
                try:
                    node = parse_move(tag.value)
                except RecordError as error:
                    self._wrong(Code.INVALID_MOVE, str(error), tag, len(nodes) + 1)
                    break
                node.source_line = self._source.line_at(tag.at)
                nodes.append(node)
                colors.append((_SIDES[tag.name], tag))
        pending.settle()
        return colors

    def _check_turns(self, colors: list[tuple[Color, _Tag]]) -> None:
        """Stop the game where a turn is said to be the other player's, passes that were put in counted."""
        entry = self._entry
        nodes, turn = entry.record.line.nodes, entry.record.start.to_move
        written = iter(colors)
        put_in = len(nodes) - len(colors)
        for ply, node in enumerate(nodes, 1):
            if put_in and node.move.is_pass:  # a game has passes that were put in only if it writes none
                turn = turn.opponent
                continue
            color, tag = next(written)
            if color is not turn:
                message = f"{tag.name}[{excerpt(tag.value, 20)[1:-1]}]: it is {turn}'s turn"
                entry.findings = [finding for finding in entry.findings if finding.ply is None]
                self._wrong(Code.SYNTAX, message, tag, ply)
                del nodes[ply - 1 :]
                return
            turn = turn.opponent
