"""What PGN-like text is made of: tags, words and comments as patterns, and places in a text as line and column."""

from __future__ import annotations

from typing import Final

import reversi._regex as re
from reversi._core import PASS, SQUARES, Move
from reversi.records.formats.source import QUOTES, TAG_BEGIN, TAG_NAME
from reversi.records.record import SPELLED, is_result

# A comment never reaches over a line that begins with a tag: an unclosed one does not hide the next games.
# The outer repetition is not possessive: Python before 3.11.5 ends such a one with a lookahead in the wrong place.
_COMMENT: Final = rf"\{{[^\\}}\n]*+(?:(?:\\(?:[^\n]|(?=\n))|\n(?!{TAG_BEGIN}))[^\\}}\n]*+)*\}}"

TAG: Final = re.compile(rf'\[[ \t]*({TAG_NAME})[ \t]+"((?:[^"\\\n]|\\[^\n])*+)"[ \t]*\]')
COMMON_TAGS: Final = re.compile(
    r'(?:\[[ \t]*[A-Za-z0-9_]+[ \t]+"[^"\\\x00-\x1f\x7f]*"[ \t]*\][ \t\n]*+){1,64}(?=[!-~]|\Z)(?![\[{;%])'
)
"""The tags of a game, written as almost all are, and what follows them: not a comment.

Their number has a limit: else the tags of many games without moves would be read to the end of the text for each.
"""
RESULT_TAG: Final = re.compile(r"\[[ \t]*Result[ \t]")
TYPED_TAG: Final = re.compile(rf"\[[ \t]*({TAG_NAME})[ \t]+[{QUOTES}]([^\n{QUOTES}]*)[{QUOTES}][ \t]*\]")
"""A tag in quotes of any kind."""
LOOSE_TAG: Final = re.compile(
    rf"\[[ \t]*({TAG_NAME})[ \t]+[{QUOTES}]([^\n]*)[{QUOTES}][ \t]*\][ \t]*$", re.MULTILINE
)
"""A tag whose value has quotes that are not escaped, up to the end of the line."""
BEGUN_TAG: Final = re.compile(rf"\[[ \t]*(?:{TAG_NAME}(?:[ \t]+(?:[{QUOTES}][^\n]*)?)?)?\s*")
"""A tag that the text ends in."""
REMARK: Final = re.compile(rf"({_COMMENT})|;[^\n]*|^%[^\n]*", re.MULTILINE)
TOKEN: Final = re.compile(rf"^%[^\n]*|[^\s{{}}()\[\];$]+|{_COMMENT}|;[^\n]*|\$[0-9]*|[{{}}()\[\]]", re.MULTILINE)
"""A word, a comment or a bracket; a line that begins with ``%`` is none of the record."""

ENDING: Final = re.compile(r"(1/2-1/2|[0-9]{1,3}-[0-9]{1,3}|\*)\s*(?=\[|\Z)")
"""A result that ends a game: the next begins after it, or nothing."""
BRACKETED: Final = re.compile(rf"\(\s*{SPELLED}\s*\)")
"""A result in brackets, which are no variation."""
FLIPS: Final = "[%flips"
"""How the one command begins that says how a turn was played."""

NUMBERED: Final = re.compile(r"[0-9]{1,4}(?:\.|\N{HORIZONTAL ELLIPSIS})*(.*)", re.DOTALL)
"""A move number, perhaps with the move right after it."""
MARKED: Final = re.compile(r"(.+?)([!?]{1,2})")
MARKS: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""Marks after a move, and the glyphs they stand for."""
SIGNS: Final = {glyph: mark for mark, glyph in MARKS.items()}
"""The marks by glyph."""

MOVES: Final[dict[str, Move]] = {
    **{str(square): square for square in SQUARES},
    **{str(square).upper(): square for square in SQUARES},
    **dict.fromkeys(("--", "pass", "PASS", "Pass", "pa", "PA", "ps", "PS", "pp", "PP", "@@", "@@@@"), PASS),
}
NUMBERS: Final = frozenset(f"{number}{dots}" for number in range(1, 100) for dots in (".", "..."))
_GLUED = re.compile(r"(?:[a-h][1-8]|--){2,}", re.IGNORECASE)
_FIRST = re.compile(
    r"[a-h][1-8](?:$|[^a-z0-9]|[a-h][1-8])|(?:1/2-1/2|[0-9]{1,3}-[0-9]{1,3}|\*)(?!\w)|[($]", re.IGNORECASE
)
_CUT = re.compile(
    r"(?:[0-9]{1,4}(?:\.|\N{HORIZONTAL ELLIPSIS})+)?(?:[a-h]|-|@|@@@|p(?:as?)?)|[0-9]{1,4}|[0-9]{1,3}-[0-9]{0,3}"
    r"|1/(?:2(?:-(?:1(?:/2?)?)?)?)?",
    re.IGNORECASE,
)


def split_moves(word: str) -> list[Move] | None:
    """Return the moves of a word, one or several without blanks between them (``f5d6``), or ``None`` if it is no
    such.
    """
    move = MOVES.get(word.lower())
    if move is not None:
        return [move]
    if _GLUED.fullmatch(word):
        return [MOVES[word[at : at + 2].lower()] for at in range(0, len(word), 2)]
    return None


def begins_moves(word: str) -> bool:
    """Return whether a word can be the first of a game's moves."""
    if word.lower() in MOVES or _FIRST.match(word):
        return True
    numbered = NUMBERED.fullmatch(word)
    return numbered is not None and (not numbered[1] or numbered[1].lower() in MOVES or is_cut(word))


def is_cut(word: str) -> bool:
    """Return whether a word is the beginning of a move, a number or a result, and no more."""
    return _CUT.fullmatch(word) is not None and not is_result(word)
