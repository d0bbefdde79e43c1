"""Cells of CSV for a spreadsheet, which takes a text such as ``=HYPERLINK(…)`` for a formula and runs it."""

from __future__ import annotations

from typing import Final

import reversi._regex as re

# What starts a formula (https://owasp.org/www-community/attacks/CSV_Injection), and apostrophes before that.
_FORMULA: Final = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")
_PLAIN: Final = re.compile(
    r"[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?"  # a number
    r"|(?:--|[a-h][1-8])+"  # moves
    r"|[-XO]+ [XO](?: --)?"  # a position
)


def spreadsheet_cell(text: str) -> str:
    """Return a text, with an apostrophe before it if a spreadsheet could run it; numbers, moves and boards stay.

    To read it back, remove one apostrophe from texts that start with apostrophes and one of ``=+-@``, a tab or a
    line end.
    """
    return f"'{text}" if _FORMULA.match(text) and not _PLAIN.fullmatch(text) else text
