r"""The values of SGF, read and written: text with its escapes, squares, sizes, dates and results.

A backslash protects the next character, and hides a line end. Squares are ``f5`` or, as other games of SGF have
them, two letters: ``fe``. Source: the definition of FF[4] (red-bean.com/sgf), and what Edax, Cassio and Kalmia
write, which do not agree on squares and passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, TypeAlias

import reversi._regex as re
from reversi._core import PASS, Move, Square
from reversi.arguments import excerpt
from reversi.errors import RecordError
from reversi.records.formats.property_lists import Dialect, Property
from reversi.records.formats.results import read_margin, read_spelled
from reversi.records.outcome import UNDECIDED, Outcome
from reversi.rules import BoardSize, Rules

CARRIED: Final = {
    "EV": "Event",
    "PC": "Site",
    "RO": "Round",
    "PB": "Black",
    "PW": "White",
    "TM": "TimeControl",
    "BR": "BlackElo",
    "WR": "WhiteElo",
    "BT": "BlackTeam",
    "WT": "WhiteTeam",
    "KM": "Komi",
    "ON": "Opening",
    "AN": "Annotator",
    "SO": "Source",
}
"""Properties of a game whose values are those of tags as they stand."""

IN_NODES: Final = frozenset(
    ["B", "W", "C", "V", "KV", "BL", "WL", "EMT", "NAG", "FLIPS", "TE", "BM", "DO", "IT", "AB", "AW", "AE", "PL"],
)
"""Properties of a node that mean something here; ``KV``, ``EMT``, ``NAG`` and ``FLIPS`` are this program's own."""

KNOWN: Final = frozenset((*CARRIED, *IN_NODES, "FF", "GM", "CA", "SZ", "DT", "RE", "RU", "TAG"))
"""Properties that mean something here; ``TAG`` is this program's own."""

MARKS: Final = frozenset(
    ["AR", "CR", "DD", "EL", "EX", "LB", "LN", "MA", "SE", "SL", "SQ", "TB", "TR", "TW", "VW"],
)
"""Properties that mark squares and change nothing of the game."""

GLYPHS: Final = {("TE", 1): 1, ("BM", 1): 2, ("TE", 2): 3, ("BM", 2): 4, ("IT", 0): 5, ("DO", 0): 6}
"""Annotations of moves, and the glyphs that mean the same."""

GAME_BEGIN: Final = r"\(;(?:FF|GM|CA|AP|SZ)\["
"""What a game begins with, and no variation: the pattern that no value reaches over at the beginning of a line."""

DIALECT: Final = Dialect(
    "SGF",
    begin=r"\(\s*;",
    again=r"\(\s*;\s*(?:FF|GM|CA|AP|SZ)\s*\[",
    line=GAME_BEGIN,
    escaped=r"\\",
    nodes=True,
)

Properties: TypeAlias = dict[str, list[str]]
"""The properties of a node: values as written, without their brackets."""

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_TO_ESCAPE = re.compile(r"[\\\]]")
_COMPOSED = re.compile(r"(?s)((?:[^:\\]|\\.)*+):(.*)")
_SQUARE = re.compile(r"([A-Ha-h])([1-8A-Ha-h])")
_PASS_WORDS: Final = frozenset(("", "tt", "pa", "ps", "pp", "pass", "--", "@@", "@@@@"))
_SIZE = re.compile(r"([0-9]{1,3})(?::([0-9]{1,3}))?")
_ROWS: Final = (4, 6, 8)
_OUR_DATE = re.compile(r"([0-9]{4})\.(?:([0-9]{2})|\?\?)\.(?:([0-9]{2})|\?\?)")
_LETTERS: Final = {"resignation": "R", "time forfeit": "T", "forfeit": "F"}


def together(found: Iterable[Property]) -> Properties:
    """Return the properties of a node by name; of a name with small letters (FF[3]), its capitals."""
    properties: Properties = {}
    for given, written in found:
        name = given if given.isupper() else "".join(filter(str.isupper, given)) or given.upper()
        if name in properties:
            properties[name] += DIALECT.values(written)
        else:
            properties[name] = DIALECT.values(written)
    return properties


def unescape(value: str) -> str:
    """Return the text that a value stands for; its line ends are kept."""
    return _ESCAPED.sub(lambda match: "" if match[1] == "\n" else match[1], value)


def escape(text: str) -> str:
    """Return a text as a value, without its brackets."""
    return _TO_ESCAPE.sub(r"\\\g<0>", text) if "]" in text or "\\" in text else text


def compose(name: str, text: str) -> str:
    """Two texts as one value, ``name:text``."""
    return f"{escape(name).replace(':', chr(92) + ':') if ':' in name else escape(name)}:{escape(text)}"


def split_composed(value: str) -> tuple[str, str] | None:
    """Return the two texts of a value with a colon, ``None`` for any other."""
    if "\\" not in value:
        name, colon, text = value.partition(":")
        return (name, text) if colon else None
    match = _COMPOSED.fullmatch(value)
    return None if match is None else (unescape(match[1]), unescape(match[2]))


def parse_square(value: str) -> Square | None:
    """Return the square of ``f5`` or ``fe`` (column, then row), ``None`` for anything else."""
    match = _SQUARE.fullmatch(value.strip())
    if match is None:
        return None
    column, row = match[1].lower(), match[2].lower()
    return Square(column + (row if row.isdigit() else str(ord(row) - ord("a") + 1)))


def parse_move(value: str) -> Move:
    """Return the move of a value: a square, or a pass in any of its spellings.

    Raises:
        RecordError: neither.
    """
    square = parse_square(value)
    if square is not None:
        return square
    if value.strip().lower() in _PASS_WORDS:
        return PASS
    raise RecordError(f"{excerpt(value)} is not a move")


def parse_points(value: str) -> Iterator[Square]:
    """Yield the squares of a value of ``AB`` and its like: one, or a rectangle given by two corners (``aa:bb``).

    Raises:
        RecordError: no squares.
    """
    parts = value.split(":")
    corners = [square for square in map(parse_square, parts) if square is not None]
    if not 1 <= len(corners) == len(parts) <= 2:
        raise RecordError(f"{excerpt(value)} is not a square")
    first, last = corners[0], corners[-1]
    for row in range(min(first.row, last.row), max(first.row, last.row) + 1):
        for column in range(min(first.column, last.column), max(first.column, last.column) + 1):
            yield Square(8 * row + column)


def parse_size(value: str) -> BoardSize:
    """Return the board of ``SZ``: ``8``, or columns and rows as in ``6:4``.

    Raises:
        RecordError: no size of a board that there is.
    """
    match = _SIZE.fullmatch(value.strip())
    columns = int(match[1]) if match else 0
    rows = int(match[2] or columns) if match else 0
    if columns not in _ROWS or rows not in _ROWS:
        raise RecordError(f"a board of size {excerpt(value)}; there are rows and columns of 4, 6 and 8")
    return BoardSize(rows, columns)


def format_size(board: BoardSize) -> str:
    return str(board.rows) if board.rows == board.columns else f"{board.columns}:{board.rows}"


def format_date(text: str) -> str:
    match = _OUR_DATE.fullmatch(text)
    return text if match is None else "-".join(filter(None, match.groups()))


@lru_cache(1 << 10)
def parse_result(value: str, rules: Rules) -> Outcome | None:
    """Return ``RE`` as a record's result, or ``None`` if it is none in the forms of FF[4] or of a record."""
    text = value.strip()
    if text in UNDECIDED or text.lower() == "void":
        return Outcome("*", rules, text.lower() if text.lower() == "void" else None)
    if text.lower() in ("0", "draw", "jigo"):
        return Outcome("1/2-1/2", rules)
    return read_margin(text, rules) or read_spelled(text, rules)


def format_result(result: str, score: int | None, termination: str | None) -> str:
    """Return the value of ``RE``.

    Args:
        result: the result of the record.
        score: Black's score, where the record gives disc counts.
        termination: the value of its Termination tag.
    """
    if score is not None:
        return f"{'B' if score > 0 else 'W'}+{abs(score)}" if score else "0"
    if result in ("1-0", "0-1"):
        return f"{'B' if result == '1-0' else 'W'}+{_LETTERS.get(termination or '', '')}"
    return "Draw" if result == "1/2-1/2" else "Void" if termination == "void" else "?"
