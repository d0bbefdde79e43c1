"""Lists of properties, the form of games in SGF and GGF: ``(;NAME[value]NAME[value]…``.

The two differ in their names and values, in what a game begins with, and in what may stand between two games. What
a game is made of, a tree of nodes or a single one, their readers know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

import reversi._regex as re
from reversi._core import read_turns, read_usual_game
from reversi.arguments import excerpt
from reversi.color import Color
from reversi.errors import RecordError
from reversi.records.dialects import SIDES, check_sides, check_sides_of_all
from reversi.records.entry import Entry
from reversi.records.findings import Code, Finding
from reversi.records.formats.source import Source
from reversi.records.limits import MAX_PARTS
from reversi.records.record import Line, Node, PackedTurns, Record

_SHOWN: Final = 60  # characters of what should not be there
_HEAD: Final = 5000  # characters in which a game says what it is
_RUN: Final = 1000  # properties that are found at once

_UNREAD: Final = Record()
_PLAY: Final = re.compile(
    r"(?:[a-h][1-8][\s,-]*+)++|(?:[468]\s)?(?=[^ox*]*o)(?=[^x*]*[x*])(?:[-._ox*]\s*+){16,}", re.IGNORECASE
)
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
        nodes: whether each turn has a node, and a property may have several values.
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
        nodes: bool = False,
    ) -> None:
        plain = rf"[^\]{escaped}\n]*+"
        protected = rf"{escaped}.|" if escaped else ""
        # Not possessive: Python before 3.11.5 ends a possessive repetition with a lookahead in the wrong place.
        value = rf"{plain}(?:(?:{protected}\n(?!{line})){plain})*"
        more = rf"(?:\s*\[{value}\])*" if nodes else ""
        name, values = r"\s*[A-Za-z]{1,60}\s*", rf"\[{value}\]{more}"
        self.title = title
        self.nodes = nodes
        self.begin: re.Pattern[str] = re.compile(begin)
        self.again: re.Pattern[str] = re.compile(again)
        self.between: re.Pattern[str] = re.compile(rf"\s*{between}")
        self.following: re.Pattern[str] = re.compile(rf"\s*{between}(?={begin})")
        self.run: re.Pattern[str] = re.compile(rf"(?:{name}{values}){{1,{_RUN}}}", re.DOTALL)
        self.property: re.Pattern[str] = re.compile(rf"([A-Za-z]{{1,60}})\s*({values})", re.DOTALL)
        self.value: re.Pattern[str] = re.compile(rf"\[({value})\]", re.DOTALL)
        self.not_whole: re.Pattern[str] = re.compile(
            rf"([A-Za-z]{{0,60}})\s*(?:\[{value}\]\s*)*(\[{value})?", re.DOTALL
        )

    def values(self, written: str) -> list[str]:
        """Return the values that a property has in brackets."""
        return self.value.findall(written) if written.find("[", 1) > 0 else [written[1:-1]]


Property: TypeAlias = tuple[str, str]
"""A property: its name, and its values as written, in brackets."""


class Turns(NamedTuple):
    """Turns of a list.

    Attributes:
        packed: the turns.
        sides: the letter of the side of each, one byte each.
        places: where each is, as numbers of eight bytes.
        end: where something else follows.
    """

    packed: PackedTurns
    sides: bytes
    places: bytes
    end: int


class UsualGame(NamedTuple):
    """A game in the usual form, which the compiled core reads.

    Attributes:
        names: the names of the properties before its turns, with a bracket after them for each value.
        values: these values, clean, and with nothing escaped in them.
        lines: how many lines after that of the game the turns begin.
        turns: all turns; they end where the game ends.
    """

    names: str
    values: list[str]
    lines: int
    turns: Turns


def is_play(value: str) -> bool:
    """Return whether the value of an unknown property is moves or a board, so that it may change the game."""
    return _PLAY.fullmatch(value.strip()) is not None


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
        self.text: str = source.text
        self.entry = entry
        self.missing: Finding | None = None  # a game that should follow, and does not
        self._dialect = dialect
        self._parts = 0  # brackets, lines, and nodes without any
        self._said: dict[int, tuple[Color, int]] = {}  # whose turn a node is said to be, and where
        self._sides = self._places = b""  # the same of packed turns

    def wrong(self, code: Code, message: str, at: int, ply: int | None = None) -> None:
        """Add a finding at a place of the text."""
        self.entry.findings.append(self.source.finding(code, message, at, ply))

    def broken(self, code: Code, message: str, at: int, go_on: int | None = None) -> BrokenListError:
        """Add a finding and return the error that ends the game; reading goes on where it is, unless given."""
        self.wrong(code, message, at)
        return BrokenListError(at if go_on is None else go_on)

    def usual_game(self, at: int, read: Callable[[str, Node], tuple[str, ...]]) -> UsualGame | None:
        """Return the game at a place, if it is in the usual form, as almost all are; ``None`` for any other.

        Args:
            at: the place.
            read: reads what notes a turn.
        """
        found = read_usual_game(self.text, at, self._dialect.nodes)
        if found is None:
            return None
        names, values, lines, end, (moves, offsets, noted, notes, _, sides, places, count) = found
        if count + offsets[-1] > MAX_PARTS:
            return None
        packed = PackedTurns(moves, self.entry.line + lines, offsets, noted, notes, read)
        return UsualGame(names, values, lines, Turns(packed, sides, places, end))

    # --- properties

    def properties(self, at: int, found: list[Property]) -> int:
        """Add the properties from a place on to those found; return where what is none follows.

        Args:
            at: the place.
            found: those found.

        Raises:
            BrokenListError: something else than ``;``, ``(``, ``)`` or the end of the text follows, or there are
                more than `MAX_PARTS`.
        """
        text, dialect = self.text, self._dialect
        count = len(found)
        while (run := dialect.run.match(text, at)) and self._parts <= MAX_PARTS:
            end = run.end()
            found += dialect.property.findall(text, at, end)
            self._parts += text.count("[", at, end) + text.count("\n", at, end)
            at = end
        self._parts += len(found) == count  # an empty node
        if self._parts > MAX_PARTS:
            raise self.broken(Code.SYNTAX, f"more than {MAX_PARTS} values, lines and empty nodes in one game", at)
        at = self.source.skip_blanks(at)
        if at < len(text) and text[at] not in ";()":
            raise self._not_whole(at)
        return at

    def places(self, begin: int, count: int) -> list[int]:
        """Return where the first properties from a place on are."""
        found = self._dialect.property.finditer(self.text, begin)
        return [match.start() for match in islice(found, count)]

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

    # --- turns

    def turns(self, at: int, read: Callable[[str, Node], tuple[str, ...]]) -> Turns | None:
        """Return the turns from a place on, as far as they are in the usual form; ``None`` where the first is not.

        Args:
            at: the place.
            read: reads what notes a turn.
        """
        moves, lines, noted, notes, stop, sides, places, values = read_turns(self.text, at, self._dialect.nodes)
        if not moves or self._parts + values + lines[-1] > MAX_PARTS:
            return None
        self._parts += values + lines[-1]
        stop = self.source.skip_blanks(stop)
        return Turns(PackedTurns(moves, self.source.line_at(at), lines, noted, notes, read), sides, places, stop)

    def pack(self, line: Line, turns: Turns) -> None:
        """Give a game all its turns."""
        line.packed, self._sides, self._places, _ = turns

    def add(self, line: Line, turns: Turns) -> None:
        """Add turns to a line."""
        nodes = turns.packed.turns()
        line.nodes += nodes
        self._say(nodes, turns.sides, turns.places)

    def say(self, node: Node, side: str, at: int) -> None:
        """Note whose turn a node is said to be, and where."""
        self._said[id(node)] = SIDES[side], at

    def _say(self, nodes: Iterable[Node], sides: bytes, places: bytes) -> None:
        for node, side, at in zip(nodes, sides, memoryview(places).cast("q"), strict=True):
            self.say(node, chr(side), at)

    def first_side(self, line: Line) -> Color:
        """Return whose the first turn of a line is said to be, Black where there is none."""
        if self._sides:
            return SIDES[chr(self._sides[0])]
        return self._said[id(line.nodes[0])][0] if line.nodes else Color.BLACK

    def check_sides(self) -> None:
        """Stop the game where a turn is said to be the other player's, as `reversi.records.dialects` has it."""
        if self._sides:
            places = memoryview(self._places).cast("q")
            check_sides_of_all(self.entry, self._sides, lambda: places, self.source.finding)
        else:
            check_sides(self.entry, self._said, self.source.finding)


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
    number, at, name = 0, begin.start(), dialect.title.lower()
    before = _after(dialect.between, text, 0)
    while at < len(text):
        number += 1
        entry = Entry(number, source.line_at(at), _UNREAD, ours=False, format_=name)
        reader = ListReader(source, dialect, entry)
        if number == 1 and before < at:
            shown = excerpt(text[before : min(at, before + _SHOWN)])
            reader.wrong(Code.SYNTAX, f"{shown} before the first game", before)
        try:
            stop, is_whole = read(reader, at), True
        except BrokenListError as error:
            stop, is_whole = error.at, False
        if is_whole and (following := dialect.following.match(text, stop)):
            at = following.end()
        else:
            after = _after(dialect.between, text, stop) if is_whole else stop
            again = dialect.again.search(text, after)
            at = again.start() if again else len(text)
            if is_whole and after < at:
                shown = excerpt(text[after : min(at, after + _SHOWN)])
                reader.wrong(Code.SYNTAX, f"{shown} after the game is not a game", after)
        yield entry
        if (missing := reader.missing) is not None:
            number += 1
            yield Entry(number, missing.line or 0, Record(), [missing], ours=False, is_game=False)


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at
