"""The text of a file of records, with the lines that places are on."""

from __future__ import annotations

from array import array
from typing import Final

import reversi._regex as re
from reversi.records.findings import Code, Finding
from reversi.text.decoding import without_marks

TAG_NAME: Final = r"\w[\w+#=:.-]*"
QUOTES: Final = '"“”„‟«»″'
"""Quotes around the value of a tag: the plain one, and those that phones and word processors put in its place."""
TAG_BEGIN: Final = rf"[ \t]*\[[ \t]*{TAG_NAME}[ \t]+[{QUOTES}]"
TAG_LINE: Final = re.compile(rf"^{TAG_BEGIN}", re.MULTILINE)
"""How a line begins that a game can begin with."""

_BLOCK: Final = 1024  # characters between two places whose lines are known
_BLANKS = re.compile(r"\s*")


class Source:
    """A text whose lines are counted while it is read. Looking back is cheap too, in a text of any format.

    Args:
        text: the whole text; lines end in line feeds, and begin after byte-order marks.
    """

    def __init__(self, text: str) -> None:
        self.text: str = without_marks(text)
        self._line = 1
        self._counted = 0
        self._ends = array("Q", [0])  # how many lines end before each block of the text, as far as was looked back
        self._found = 0  # a place of the line of the last finding, where that was or after it
        self._word, self._place = "", -1  # what was looked for last, and where it is next
        self._end = -1  # where the line before that one ends

    def line_at(self, at: int) -> int:
        """Return the number, from 1, of the line that has the character at ``at``."""
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
        """Return a finding at a place of the text."""
        if at <= self._end:
            self._found, self._end = at, self.text.rfind("\n", 0, at)
        elif at > self._found:
            end = self.text.rfind("\n", self._found, at)
            self._found, self._end = at, self._end if end < 0 else end
        return Finding(code, message, ply, self.line_at(at), at - self._end)

    def next_place(self, word: str, at: int) -> int:
        """Return where a word is next, from ``at`` on, the end of the text if nowhere. One word is remembered."""
        if word != self._word or at > self._place:
            found = self.text.find(word, at)
            self._word, self._place = word, len(self.text) if found < 0 else found
        return self._place

    def next_tag_line(self, at: int) -> int:
        """Return where the next line begins that begins with a tag; the end of the text if there is none."""
        match = TAG_LINE.search(self.text, at)
        return match.start() if match else len(self.text)

    def skip_blanks(self, at: int) -> int:
        """Return where what is no blank begins, from ``at`` on."""
        match = _BLANKS.match(self.text, at)
        return match.end() if match else at

    def starts_line(self, at: int) -> bool:
        """Return whether only blanks are before ``at`` on its line."""
        return not self.text[self.text.rfind("\n", 0, at) + 1 : at].strip()
