"""What the properties of a node of SGF say of the turn: its times, its value, glyphs, discs flipped by hand."""

from __future__ import annotations

import re
from typing import Final

from reversi.color import Color
from reversi.errors import RecordError
from reversi.records.formats.sgf.values import GLYPHS, parse_square
from reversi.records.notes import RecordedScore
from reversi.records.record import Node
from reversi.score import Kind

_KINDS: Final = {kind.value: kind for kind in Kind}
_KIND = re.compile(r"([a-z]+)(?: ([0-9]{1,3})%)?")
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?")

Properties = dict[str, list[str]]
"""The properties of a node: values as written, without their brackets."""


def annotate(node: Node, properties: Properties, color: Color) -> Properties:
    """Give a node what its properties say of the turn; return the others."""
    left = dict(properties)

    def one(name: str) -> str | None:
        values = left.get(name, ())
        return values[0].strip() if len(values) == 1 else None

    clock = "BL" if color is Color.BLACK else "WL"
    for name, attribute in ((clock, "clock"), ("EMT", "elapsed")):
        if (text := one(name)) is not None and _NUMBER.fullmatch(text) and not text.startswith("-"):
            setattr(node, attribute, round(float(text), 3))
            del left[name]
    if (text := one("V")) is not None and _NUMBER.fullmatch(text):
        evaluation = _evaluation(float(text) if color is Color.BLACK else -float(text), one("KV"))
        if evaluation is not None:
            node.evaluation = evaluation
            left.pop("V")
            left.pop("KV", None)
    nags: list[int] = []
    for name, degree in ((name, degree) for name in ("TE", "BM", "IT", "DO") for degree in (0, 1, 2)):
        if (glyph := GLYPHS.get((name, degree))) and one(name) in (("", "1") if degree < 2 else ("2",)):
            nags.append(glyph)
            del left[name]
    numbers = left.get("NAG", [])
    if numbers and all(re.fullmatch("[0-9]{1,3}", text) for text in numbers):
        nags += map(int, left.pop("NAG"))
    node.nags = tuple(nags)
    if "FLIPS" in left:
        squares = [parse_square(text) for text in left["FLIPS"] if text.strip()]
        if None not in squares:
            node.flips = tuple(sorted({square for square in squares if square is not None}))
            del left["FLIPS"]
    return left


def _evaluation(value: float, kind: str | None) -> RecordedScore | None:
    match = _KIND.fullmatch(kind or "heuristic")
    if match is None or match[1] not in _KINDS:
        return None
    try:
        return RecordedScore(value, _KINDS[match[1]], int(match[2] or 100))
    except RecordError:
        return None
