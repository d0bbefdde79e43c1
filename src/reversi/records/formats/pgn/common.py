"""What most games are made of, tags, moves, comments and a result, read in the compiled core.

The other modules read every form. Both ways of reading give the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from reversi._core import scan_moves, scan_tags
from reversi.records.dialects import is_ours
from reversi.records.record import DERIVED_TAGS, Tags, clean

MOST_WORDS: Final = 1000
"""The most words of `CommonMoves`."""

enabled = True
"""Whether such games are read here; tests set it to false, and the other modules read every game."""


class CommonTags(NamedTuple):
    """The tags of a game that begins as the rules say.

    Attributes:
        tags: the tags of the record.
        ours: whether they are those of this project's format.
        result: the value of the Result tag, ``None`` without one.
        result_at: where that tag is in the text.
        end: where the text goes on.
    """

    tags: Tags
    ours: bool
    result: str | None
    result_at: int
    end: int


class _Shape(NamedTuple):
    """What the names of tags say.

    Attributes:
        ours: whether they are those of this project's format.
        pairs: the names in the order of a record, with the values of those that are missing.
        sources: which value each has, -1 for a missing one.
        result: which value is the result, -1 for none.
    """

    ours: bool
    pairs: tuple[tuple[str, str], ...]
    sources: tuple[int, ...]
    result: int


_OTHER_STARTS: Final = frozenset(DERIVED_TAGS) - {"Result"}


@lru_cache(256)
def _shape(names: tuple[str, ...]) -> _Shape | None:
    """Return what names of tags say; ``None`` where one is repeated, or their values are about the start."""
    if len(set(names)) < len(names) or _OTHER_STARTS.intersection(names):
        return None
    kept = [name for name in names if name != "Result"]
    pairs = Tags([(name, "") for name in kept]).pairs
    return _Shape(
        is_ours([(name, "") for name in names]),
        pairs,
        tuple(names.index(name) if name in kept else -1 for name, _ in pairs),
        names.index("Result") if "Result" in names else -1,
    )


def common_tags(text: str, at: int) -> CommonTags | None:
    """Read the tags of a game in the common form; ``None`` for another form.

    Args:
        text: the whole text.
        at: where the game begins.
    """
    found = scan_tags(text, at) if enabled else None
    if found is None:
        return None
    names, values, places, end = found
    shape = _shape(names)
    if shape is None:
        return None
    values = [value if value.isascii() else clean(value) for value in values]
    tags = Tags.arranged(
        [
            (pair[0], values[source]) if source >= 0 else pair
            for pair, source in zip(shape.pairs, shape.sources, strict=True)
        ]
    )
    if shape.result < 0:
        return CommonTags(tags, shape.ours, None, -1, end)
    return CommonTags(tags, shape.ours, values[shape.result], places[shape.result], end)


class CommonMoves(NamedTuple):
    """Numbered moves with nothing but comments between them, and what follows them.

    Attributes:
        moves: the numbers of the squares, one byte each; 64 is a pass.
        offsets: for each move how many lines after the first it is, one byte each.
        notes: what the comments say; see `PackedTurns`.
        texts: their free texts.
        words: how many words there are, numbers, comments and the result included; at most `MOST_WORDS`.
        result_at: where the result begins, -1 without one.
        result_end: where it ends.
        end: where the reading ended.
        whole: whether the game ends there; if not, another word follows.
    """

    moves: bytes
    offsets: bytes
    notes: bytes
    texts: tuple[str, ...]
    words: int
    result_at: int
    result_end: int
    end: int
    whole: bool


def common_moves(text: str, at: int) -> CommonMoves | None:
    """Read numbered moves, up to the end of the game or to anything else; ``None`` leaves them to the full reader.

    Args:
        text: the whole text.
        at: where the moves begin, or go on after another word.
    """
    return CommonMoves._make(scan_moves(text, at)) if enabled else None
