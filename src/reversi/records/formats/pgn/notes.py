r"""What stands in braces: free text, and the commands ``[%clk …]``, ``[%emt …]``, ``[%eval …]``, ``[%flips …]``.

In the text a backslash protects the next character: ``\}``, ``\\``, and ``\[`` where a bracket would begin a
command or look like the tag of a new game. A line end is a blank. The clock, and the time that the turn took
(``emt``), are ``h:mm:ss``, with decimals if need be; the value is ``+4 exact``, of a selective search
``+4 selective 95%``; the flips are squares. Commands that say something else are left in the text as they are.
"""

from __future__ import annotations

import re
from typing import Final

from reversi._core import Square
from reversi.errors import RecordError
from reversi.records.formats.pgn.syntax import MOVES
from reversi.records.record import Node, RecordedScore, on_one_line
from reversi.score import Kind
from reversi.text.decoding import excerpt

_SPECIAL = re.compile(r"\\(?P<escaped>.)|\[%(?P<name>clk|emt|eval|flips)(?=[ \]])", re.DOTALL)
_VALUE_END = re.compile(r"[\]\\]")
_ESCAPED: Final = frozenset("\\}[")

_CLOCK = re.compile(r"([0-9]{1,6}):([0-5][0-9]):([0-5][0-9](?:\.[0-9]{1,3})?)")
_VALUE = re.compile(r"([+-]?[0-9]{1,4}(?:\.[0-9]{1,2})?) +([a-z]+)(?: +([0-9]{1,3})%)?")
_KINDS: Final = {kind.value: kind for kind in Kind}


def read_note(body: str, node: Node | None) -> str:
    """Return the free text of a comment, given without its braces; its commands go to ``node``.

    Args:
        body: what stands between the braces.
        node: the turn that the comment follows, or ``None`` for a comment before the first one, where nothing is
            a command. Its times, evaluation and flips are set where the comment gives them for the first time.

    Raises:
        RecordError: flips that are no squares.
    """
    if "\n" in body or "\t" in body:
        body = on_one_line(body)
    if "\\" not in body and (node is None or "[%" not in body):
        return body.strip(" ")
    parts: list[str] = []
    text: list[str] = []
    at = begin = end = 0
    while (match := _SPECIAL.search(body, begin)) is not None:
        begin = match.end()
        if match["name"] is None:
            text.append(body[at : match.start()] + match["escaped" if match["escaped"] in _ESCAPED else 0])
            at = begin
            continue
        if end < begin:  # found once for all commands before it: of a thousand open ones each would look for it
            bracket = _VALUE_END.search(body, begin)
            end = bracket.start() if bracket else len(body)
        if not body.startswith("]", end):
            continue
        value, begin = body[begin:end].strip(" "), end + 1
        if node is not None and _command(match["name"], value, node):
            text.append(body[at : match.start()])
            parts.append("".join(text).strip(" "))
            text = []
            at = begin
    text.append(body[at:])
    parts.append("".join(text).strip(" "))
    return " ".join(filter(None, parts))


def _command(name: str, value: str, node: Node) -> bool:
    if name == "clk" and node.clock is None and (match := _CLOCK.fullmatch(value)):
        node.clock = _seconds(match)
        return True
    if name == "emt" and node.elapsed is None and (match := _CLOCK.fullmatch(value)):
        node.elapsed = _seconds(match)
        return True
    if name == "eval" and node.evaluation is None and (match := _VALUE.fullmatch(value)):
        kind, percent = _KINDS.get(match[2]), match[3]
        if kind is None or (percent is not None) != (kind is Kind.SELECTIVE) or int(percent or 0) > 100:
            return False
        node.evaluation = RecordedScore(float(match[1]), kind, int(percent or 100))
        return True
    if name == "flips" and node.flips is None:
        words = value.split()
        strange = next((word for word in words if not isinstance(MOVES.get(word.lower()), Square)), None)
        if strange is not None:
            raise RecordError(f"[%flips ...]: {excerpt(strange)} is not a square")
        node.flips = tuple(sorted({Square(word) for word in words}))
        return True
    return False


def _seconds(match: re.Match[str]) -> float:
    return round(int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3]), 3)
