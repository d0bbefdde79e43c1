"""The objects of a text of JSON: one after another, on lines of their own, or in an array."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import reversi._regex as re
from reversi.arguments import excerpt
from reversi.records.findings import Code, Finding
from reversi.records.formats.source import Source

_BEGIN = re.compile(r"[\s,\[\]]*")
_LINE_BEGIN = re.compile(r"^[\s,\[]*+(\{)?", re.MULTILINE)  # takes all blank lines at once, and never again
_JSON = re.compile(r'[\s\[\ufeff]*\{\s*(?:"[^"\n]{0,200}"\s*:|\})')
GAMES_ARRAY: Final = re.compile(r'[\s\ufeff]*+\[\s*+("[^"\n]{2,1000}"|\[[^][{}]{0,1000}\]|[0-9]{1,2})\s*[],]')
"""How an array of games begins, or one of moves, with its first item."""

_WINDOW: Final = 1 << 16  # characters that are decoded at once, unless an object has more
_USUAL: Final = 1 << 12  # characters that most objects have at most, and that stay in the window
_LITERAL: Final = 12  # an error so near the end of the window may come of the cut

# numbers stay as they are written: no digit is lost, none is too many
DECODER: Final = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
"""Decodes JSON with numbers as they are written."""


class JsonObject(NamedTuple):
    """An object of a text, or what is wrong in its place.

    Attributes:
        at: where it begins in the text.
        line: the line it begins on, from 1.
        end: where the next one may begin.
        members: what it has; ``None`` where something is wrong.
        finding: what is wrong.
    """

    at: int
    line: int
    end: int
    members: dict[str, Any] | None
    finding: Finding | None = None


def begins_json(text: str) -> bool:
    """Return whether a text begins with an object of JSON, or an array of them."""
    return _JSON.match(text) is not None


def read_objects(source: Source, at: int = 0) -> Iterator[JsonObject]:
    """Read the objects of a text from a place on, one at a time.

    A malformed object has a finding, and the next ones follow.
    """
    text, window = source.text, _Window(source.text)
    at = _begin(text, at)
    while at < len(text):
        line = source.line_at(at)
        try:
            members, end, why = window.decode(at) if text[at] == "{" else (None, at, "")
        except RecursionError:  # its place is unknown, and so is where the next game begins
            why = "objects or arrays are nested too deeply"
            yield JsonObject(at, line, len(text), None, source.finding(Code.SYNTAX, why, at))
            return
        one = JsonObject(at, line, end, members) if members is not None else _wrong(source, at, line, end, why)
        yield one
        at = _begin(text, one.end)


def _begin(text: str, at: int) -> int:
    if text.startswith("\n{", at):
        return at + 1
    match = _BEGIN.match(text, at)
    return match.end() if match else at


class _Window:
    """The part of a text that is decoded: errors of the decoder count the lines of all that it gets."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._move(0, _WINDOW)

    def decode(self, at: int) -> tuple[Any, int, str]:
        """Return the object at a place and where it ends, or nothing, where it is malformed, and why.

        Raises:
            RecursionError: it is nested too deeply.
        """
        if at + _USUAL > self._end < len(self._text):
            self._move(at, _WINDOW)
        while True:
            try:
                value, end = DECODER.raw_decode(self._part, at - self._base)
            except json.JSONDecodeError as error:
                near = error.pos >= len(self._part) - _LITERAL or error.msg.startswith("Unterminated")
                if not near or self._end >= len(self._text):
                    return None, self._base + error.pos, f"not JSON: {error.msg}"
                self._move(at, _WINDOW if at > self._base else 2 * len(self._part))
            else:
                return value, self._base + end, ""

    def _move(self, at: int, size: int) -> None:
        self._base, self._part = at, self._text[at : at + size]
        self._end = at + len(self._part)


def _wrong(source: Source, at: int, line: int, end: int, why: str) -> JsonObject:
    """Return what is wrong at a place, given where and why its object is malformed, if it is one."""
    text = source.text
    wrong = min(end, len(text) - 1)
    if not why:
        code, why = Code.SYNTAX, f"{excerpt(text[at : at + 40].splitlines()[0])} is not an object"
    elif not text[wrong + 1 : wrong + _WINDOW].strip():
        code, why = Code.TRUNCATED, "the file ends inside the game"
    else:
        code = Code.SYNTAX
    # the brace that is not expected may be that of the next game
    begin = max(text.rfind("\n", at, wrong), at) + 1 if text[wrong] == "{" else wrong + 1
    return JsonObject(at, line, _next_object(text, begin), None, source.finding(code, why, wrong))


def _next_object(text: str, at: int) -> int:
    """Return where the next line begins with an object, from a place on; the end of the text if none does."""
    places = (match.end() - 1 for match in _LINE_BEGIN.finditer(text, at) if match[1])
    return next(places, len(text))
