"""What the properties of a node of SGF say of the turn: its times, its value, glyphs, discs flipped by hand."""

from __future__ import annotations

from typing import Final

import reversi._regex as re
from reversi.color import Color
from reversi.errors import RecordError
from reversi.records.dialects import SIDES
from reversi.records.formats.sgf.values import DIALECT, GLYPHS, Properties, parse_square, together, unescape
from reversi.records.notes import RecordedScore, clean_comments
from reversi.records.record import Node
from reversi.score import Kind

_KINDS: Final = {kind.value: kind for kind in Kind}
_KIND = re.compile(r"([a-z]+)(?: ([0-9]{1,3})%)?")
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,9})?")


def read_turn(written: str, node: Node) -> tuple[str, ...]:
    """Give a turn what its properties say, as written from its move on; return the comments."""
    properties = together(DIALECT.property.findall(written))
    side = written[0]
    del properties[side]
    return notes_of(properties, node, SIDES[side])


def notes_of(properties: Properties, node: Node | None, color: Color = Color.BLACK) -> tuple[str, ...]:
    """Return the comments that properties are; those that mean nothing here are comments too.

    Args:
        properties: those of a node, without its move.
        node: the turn, which is given what they say of it; ``None`` for a node that is none.
        color: whose turn it is.
    """
    free = [line for value in properties.pop("C", ()) for line in unescape(value).split("\n")]
    if node is not None and properties:
        properties = annotate(node, properties, color)
    free += [f"%sgf {name}{''.join(f'[{value}]' for value in values)}" for name, values in properties.items()]
    return clean_comments(free)


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
