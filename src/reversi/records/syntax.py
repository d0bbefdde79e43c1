"""What PGN-like text is made of: tags, words and comments as patterns, and places in a text as line and column."""

from __future__ import annotations

import re
from array import array
from typing import Final

from reversi._core import PASS, SQUARES, Move
from reversi.records.findings import Code, Finding
from reversi.records.record import is_result

__all__ = [
    "BEGUN_TAG",
    "LOOSE_TAG",
    "MARKED",
    "MARKS",
    "MOVES",
    "NUMBERED",
    "NUMBERS",
    "REMARK",
    "TAG",
    "TAG_LINE",
    "TOKEN",
    "Source",
    "begins_moves",
    "is_cut",
    "split_moves",
]

_NAME: Final = r"\w[\w+#=:.-]*"
_TAG_BEGIN: Final = rf'[ \t]*\[[ \t]*{_NAME}[ \t]+"'
# A comment never reaches over a line that begins with a tag: an unclosed one does not hide the next games.
_COMMENT: Final = rf"\{{(?:[^\\}}\n]++|\\[^\n]|\\(?=\n)|\n(?!{_TAG_BEGIN}))*+\}}"

TAG: Final = re.compile(rf'\[[ \t]*({_NAME})[ \t]+"((?:[^"\\\n]|\\[^\n])*+)"[ \t]*\]')
LOOSE_TAG: Final = re.compile(rf'\[[ \t]*({_NAME})[ \t]+"([^\n]*)"[ \t]*\][ \t]*$', re.MULTILINE)
"""A tag whose value has quotes that are not escaped, up to the end of the line."""
TAG_LINE: Final = re.compile(rf"^{_TAG_BEGIN}", re.MULTILINE)
"""How a line begins that a game can begin with."""
BEGUN_TAG: Final = re.compile(rf'\[[ \t]*(?:{_NAME}(?:[ \t]+(?:"[^\n]*)?)?)?\s*')
"""A tag that the text ends in."""
REMARK: Final = re.compile(rf"({_COMMENT})|;[^\n]*|^%[^\n]*", re.MULTILINE)
TOKEN: Final = re.compile(rf"^%[^\n]*|[^\s{{}}()\[\];$]+|{_COMMENT}|;[^\n]*|\$[0-9]*|[{{}}()\[\]]", re.MULTILINE)
"""A word, a comment or a bracket; a line that begins with ``%`` is none of the record."""

NUMBERED: Final = re.compile(r"[0-9]{1,4}(?:\.|\N{HORIZONTAL ELLIPSIS})*(.*)", re.DOTALL)
"""A move number, perhaps with the move right after it."""
MARKED: Final = re.compile(r"(.+?)([!?]{1,2})")
MARKS: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""Marks after a move, and the glyphs they stand for."""

MOVES: Final[dict[str, Move]] = {
    **{str(square): square for square in SQUARES},
    **{str(square).upper(): square for square in SQUARES},
    **dict.fromkeys(("--", "pass", "PASS", "Pass", "pa", "PA", "ps", "PS", "pp", "PP", "@@", "@@@@"), PASS),
}
NUMBERS: Final = frozenset(f"{number}{dots}" for number in range(1, 100) for dots in (".", "..."))

_BLOCK: Final = 1024  # characters between two places whose lines are known
_BLANKS = re.compile(r"\s*")
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
    """The moves of a word, one or several without blanks between them (``f5d6``), or ``None`` if it is no such."""
    move = MOVES.get(word.lower())
    if move is not None:
        return [move]
    if _GLUED.fullmatch(word):
        return [MOVES[word[at : at + 2].lower()] for at in range(0, len(word), 2)]
    return None


def begins_moves(word: str) -> bool:
    """Whether a word can be the first of a game's moves."""
    if word.lower() in MOVES or _FIRST.match(word):
        return True
    numbered = NUMBERED.fullmatch(word)
    return numbered is not None and (not numbered[1] or numbered[1].lower() in MOVES or is_cut(word))


def is_cut(word: str) -> bool:
    """Whether a word is the beginning of a move, a number or a result, and no more."""
    return _CUT.fullmatch(word) is not None and not is_result(word)


class Source:
    """A text with its lines counted as reading goes on. Looking back is cheap too, in a text of any form.

    Args:
        text: the whole text; lines end in line feeds.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._line = 1
        self._counted = 0
        self._ends = array("Q", [0])  # how many lines end before each block of the text, as far as was looked back
        self._found = 0  # a place of the line of the last finding, where that was or after it
        self._end = -1  # where the line before that one ends

    def line_at(self, at: int) -> int:
        """The number, from 1, of the line that has the character at ``at``."""
        if at >= self._counted:
            self._line += self.text.count("\n", self._counted, at)
            self._counted = at
            return self._line
        if self._counted - at < _BLOCK:
            return self._line - self.text.count("\n", at, self._counted)
        block, ends = at // _BLOCK, self._ends
        for begin in range((len(ends) - 1) * _BLOCK, block * _BLOCK, _BLOCK):
            ends.append(ends[-1] + self.text.count("\n", begin, begin + _BLOCK))
        return 1 + ends[block] + self.text.count("\n", block * _BLOCK, at)

    def finding(self, code: Code, message: str, at: int, ply: int | None = None) -> Finding:
        """A finding at a place of the text."""
        if at <= self._end:
            self._found, self._end = at, self.text.rfind("\n", 0, at)
        elif at > self._found:
            end = self.text.rfind("\n", self._found, at)
            self._found, self._end = at, self._end if end < 0 else end
        return Finding(code, message, ply, self.line_at(at), at - self._end)

    def next_tag_line(self, at: int) -> int:
        """Where the next line begins that begins with a tag; the end of the text if there is none."""
        match = TAG_LINE.search(self.text, at)
        return match.start() if match else len(self.text)

    def skip_blanks(self, at: int) -> int:
        """Where what is no blank begins, from ``at`` on."""
        match = _BLANKS.match(self.text, at)
        return match.end() if match else at

    def starts_line(self, at: int) -> bool:
        """Whether only blanks are before ``at`` on its line."""
        return not self.text[self.text.rfind("\n", 0, at) + 1 : at].strip()
