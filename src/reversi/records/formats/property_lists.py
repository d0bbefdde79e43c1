"""Lists of properties, the form of games in SGF and GGF: ``(;NAME[value]NAME[value]…``.

The two differ in their names and values, in what a game begins with, and in what may stand between two games. What
a game is made of, a tree of nodes or a single one, their readers know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from reversi.errors import RecordError
from reversi.records.entry import Entry
from reversi.records.findings import Code
from reversi.records.formats.source import Source
from reversi.records.limits import MAX_PARTS
from reversi.records.record import Record
from reversi.text.decoding import excerpt

_SHOWN: Final = 60  # characters of what should not be there
_HEAD: Final = 5000  # characters in which a game says what it is
_BEGIN: Final = re.compile(r"\s*+([0-9]{0,3}+)\s*+\(\s*+;")
_GAME: Final = re.compile(r"GM\s*\[\s*([0-9]|[A-Za-z])", re.IGNORECASE)
_IN_SGF: Final = re.compile(
    r"FF\s*\[|;\s*[BW]\s*\[|A[BW]\s*\[|\A\s*[BW]\s*\[[^\]]{0,9}\]\s*(?:\)|;(?!\s*\)))"  # GGF ends with ;)
)


def list_kind(text: str) -> str:
    """Return ``sgf`` or ``ggf`` where a text begins as a game in one of these does; empty for any other.

    The game has a number in SGF (``GM[2]``) and a name in GGF. One without either is in SGF where it has a
    version, discs set up, or nodes of their own for its moves.
    """
    begin = _BEGIN.match(text)
    if begin is None:
        return ""
    head = text[begin.end() : begin.end() + _HEAD]
    game = _GAME.search(head)
    if game[1].isalpha() if game else not _IN_SGF.search(head):
        return "ggf"
    return "" if begin[1] else "sgf"  # only matches of GGF are counted


class Dialect:
    """How a format writes its lists, in patterns.

    Args:
        title: the name of the format.
        begin: what a game begins with.
        again: what it begins with, and nothing else does, after a mistake.
        line: what a line begins with that no value reaches over, so that an open one hides no game.
        between: what may stand between blanks before a game.
        escaped: what protects the next character in a value.
        several: what repeats the values of a property.
    """

    def __init__(
        self,
        title: str,
        *,
        begin: str,
        again: str,
        line: str,
        between: str = "",
        escaped: str = "",
        several: str = "",
    ) -> None:
        plain = rf"[^\]{escaped}\n]*+"
        protected = rf"{escaped}.|" if escaped else ""
        # Not possessive: Python before 3.11.5 ends a possessive repetition with a lookahead in the wrong place.
        value = rf"{plain}(?:(?:{protected}\n(?!{line})){plain})*"
        self.title = title
        self.begin = re.compile(begin)
        self.again = re.compile(again)
        self.between = re.compile(rf"\s*{between}")
        self.property = re.compile(rf"\s*([A-Za-z]{{1,60}})\s*((?:\[{value}\]\s*){several})", re.DOTALL)
        self.value = re.compile(rf"\[({value})\]", re.DOTALL)
        self.not_whole = re.compile(rf"([A-Za-z]{{0,60}})\s*(?:\[{value}\]\s*)*(\[{value})?", re.DOTALL)


class Property(NamedTuple):
    """A property: its name, its values as written, and where it begins."""

    name: str
    values: list[str]
    at: int


class BrokenListError(Exception):
    """What is wrong is a finding of the game already; reading goes on from a place."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class ListReader:
    """The properties of one game.

    Args:
        source: the text that has it.
        dialect: how it is written.
        entry: gets the findings.
    """

    def __init__(self, source: Source, dialect: Dialect, entry: Entry) -> None:
        self.source = source
        self.text = source.text
        self.entry = entry
        self._dialect = dialect
        self._parts = 0  # values, their lines, and nodes without any

    def wrong(self, code: Code, message: str, at: int, ply: int | None = None) -> None:
        """Add a finding at a place of the text."""
        self.entry.findings.append(self.source.finding(code, message, at, ply))

    def broken(self, code: Code, message: str, at: int, go_on: int | None = None) -> BrokenListError:
        """Add a finding and return the error that ends the game; reading goes on where it is, unless given."""
        self.wrong(code, message, at)
        return BrokenListError(at if go_on is None else go_on)

    def properties(self, at: int, found: list[Property]) -> int:
        """Add the properties from a place on to those found; return where ``;``, ``(``, ``)`` or nothing follows.

        Raises:
            BrokenListError: something else follows, or there are more than `MAX_PARTS`.
        """
        text, pattern, values = self.text, self._dialect.property, self._dialect.value
        while match := pattern.match(text, at):
            given = values.findall(match[2])
            self._parts += len(given) + "".join(given).count("\n")
            if self._parts > MAX_PARTS:
                break
            found.append(Property(match[1], given, match.start(1)))
            at = match.end()
        self._parts += not found  # an empty node
        if self._parts > MAX_PARTS:
            raise self.broken(Code.SYNTAX, f"more than {MAX_PARTS} values, lines and empty nodes in one game", at)
        at = self.source.skip_blanks(at)
        if at < len(text) and text[at] not in ";()":
            raise self._not_whole(at)
        return at

    def _not_whole(self, at: int) -> BrokenListError:
        opened = self._dialect.not_whole.match(self.text, at)
        stop = opened.end() if opened else at
        if stop == len(self.text):
            return self.broken(Code.TRUNCATED, "the file ends inside a property", at, stop)
        if opened and opened[2] is not None:
            message = f"the value of {opened[1] or 'a property'} is not closed before the next game"
        else:
            shown = self.text[at : min(stop, at + 40) if stop > at else at + 40]
            message = f"{excerpt(shown)} is not a property: NAME[value]"
        return self.broken(Code.SYNTAX, message, at, stop)


def read_lists(text: str, dialect: Dialect, read: Callable[[ListReader, int], int]) -> Iterator[Entry]:
    """Yield the games of a text, one at a time.

    A game that cannot be read whole has findings, and the next one is found again.

    Args:
        text: the whole text.
        dialect: how it is written.
        read: reads the game at a place into the entry of a reader, and returns where it ends. A `BrokenListError`
            ends it where the text is no list.

    Raises:
        RecordError: the text contains no games.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    source = Source(text.rstrip())
    text = source.text
    begin = dialect.begin.search(text)
    if begin is None:
        raise RecordError(f"line 1: a game in {dialect.title} begins with '(;'; the text contains no games", 1)
    number, at = 0, begin.start()
    before = _after(dialect.between, text, 0)
    while at < len(text):
        number += 1
        entry = Entry(number, source.line_at(at), Record(), ours=False, format_=dialect.title.lower())
        reader = ListReader(source, dialect, entry)
        if number == 1 and before < at:
            shown = excerpt(text[before : min(at, before + _SHOWN)])
            reader.wrong(Code.SYNTAX, f"{shown} before the first game", before)
        try:
            stop, is_whole = read(reader, at), True
        except BrokenListError as error:
            stop, is_whole = error.at, False
        after = _after(dialect.between, text, stop) if is_whole else stop
        following = dialect.begin.match(text, after) if is_whole else None
        following = following or dialect.again.search(text, after)
        at = following.start() if following else len(text)
        if is_whole and after < at:
            shown = excerpt(text[after : min(at, after + _SHOWN)])
            reader.wrong(Code.SYNTAX, f"{shown} after the game is not a game", after)
        yield entry


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at
