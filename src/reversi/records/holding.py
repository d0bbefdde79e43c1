"""What a record has besides its moves, and what of it a format holds.

A record is read into one model, whatever its format; each format holds more or less of it. What a format cannot
have at all (another board, discs flipped by hand), its writer refuses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from reversi._core import Position
from reversi.arguments import check_type, excerpt
from reversi.errors import InputError
from reversi.records.record import Line, Node, Record, Tags
from reversi.rules import OTHELLO

Test: TypeAlias = Callable[[Record], bool]
"""Whether a record has something."""

TagTest: TypeAlias = Callable[[Record, str, str, int], bool]
"""Whether a format keeps a tag of a record, given its name, its value and how often the record has the name."""

_BARE: Final = Tags()
_PLAYERS: Final = ("Black", "White")
_TAGS: Final = "other tags"


def _nodes(line: Line) -> Iterator[Node]:
    """Yield the turns of a line and of its variations."""
    for node in line.nodes:
        yield node
        for variation in node.variations:
            yield from _nodes(variation)


def has_comments(line: Line) -> bool:
    return not line.is_bare and (
        bool(line.comments)
        or any(bool(node.comments) or any(map(has_comments, node.variations)) for node in line.nodes)
    )


def any_node(test: Callable[[Node], bool]) -> Test:
    """Return a test that asks every turn of a record, variations included."""
    return lambda record: not record.line.is_bare and any(map(test, _nodes(record.line)))


def _known_tags(record: Record) -> list[tuple[str, str]]:
    """Return the tags of a record that say something, the players aside; a tag that comes again does."""
    pairs = record.tags.pairs
    always = [
        pair for pair, bare in zip(pairs, _BARE.pairs, strict=False) if pair != bare and pair[0] not in _PLAYERS
    ]
    return [*always, *pairs[len(_BARE) :]]


FEATURES: Final[Mapping[str, Test]] = MappingProxyType(
    {
        "players": lambda record: any(record.tags[name] != _BARE[name] for name in _PLAYERS),
        _TAGS: lambda record: bool(_known_tags(record)),
        "results": lambda record: record.result != "*",
        "rules": lambda record: record.rules != OTHELLO,
        "starts": lambda record: record.start != Position(record.rules),
        "comments": lambda record: has_comments(record.line),
        "glyphs": any_node(lambda node: bool(node.nags)),
        "clocks": any_node(lambda node: node.clock is not None),
        "times of turns": any_node(lambda node: node.elapsed is not None),
        "evaluations": any_node(lambda node: node.evaluation is not None),
        "variations": any_node(lambda node: bool(node.variations)),
    }
)
"""What a record may have besides its moves, as words for people, each with the test for it."""

NO_TAGS: Final[TagTest] = lambda *_: False  # noqa: E731 - a value, not a function to call by name
"""The test of a format that keeps no tag."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a format holds of a record, given by what it loses.

    Attributes:
        lost: what the format may lose, as words for people, each with the test whether a record loses it; in the
            order of messages.
        keeps_tag: whether the format keeps a tag other than the players; unused where it never loses other tags.
    """

    lost: Mapping[str, Test]
    keeps_tag: TagTest = NO_TAGS

    @property
    def partly(self) -> tuple[str, ...]:
        """What the format loses a part of."""
        return tuple(what for what, test in self.lost.items() if FEATURES.get(what) is not test)

    @property
    def wholly(self) -> tuple[str, ...]:
        """What the format never holds."""
        return tuple(what for what, test in self.lost.items() if FEATURES.get(what) is test)

    def losses(self, record: Record) -> list[str]:
        """Return what the format does not hold of a record, as words for people."""
        return self.both_losses(record)[0]

    def lost_tags(self, record: Record) -> list[str]:
        """Return the names of the tags, other than the players, that the format does not hold."""
        check_type("record", record, Record)
        return _lost_tags(record, self.keeps_tag) if _TAGS in self.lost else []

    def both_losses(self, record: Record) -> tuple[list[str], list[str]]:
        """Return both: what the format does not hold, and the names of the tags among that."""
        tags = self.lost_tags(record)
        losses = [what for what, is_lost in self.lost.items() if (tags if what == _TAGS else is_lost(record))]
        return losses, tags


def _lost_tags(record: Record, keeps_tag: TagTest) -> list[str]:
    names, tags = record.tags.names, _known_tags(record)
    times = Counter(names) if len(set(names)) < len(names) else dict.fromkeys(names, 1)
    return list(dict.fromkeys(name for name, value in tags if not keeps_tag(record, name, value, times[name])))


def loses_tags(keeps_tag: TagTest) -> Test:
    """Return the test whether a format loses a tag of a record, other than the players."""
    return lambda record: bool(_lost_tags(record, keeps_tag))


def capabilities(
    *held: str, partly: Mapping[str, Test] | None = None, keeps_tag: TagTest = NO_TAGS
) -> Capabilities:
    """Return the capabilities of a format.

    Args:
        held: the features that the format holds, of ``players``, ``other tags``, ``results``, ``rules``,
            ``starts``, ``comments``, ``glyphs``, ``clocks``, ``times of turns``, ``evaluations``,
            ``variations``.
        partly: what it holds a part of, each with the test whether a record loses some of it.
        keeps_tag: whether it keeps a tag other than the players.

    Raises:
        InputError: there is no such feature.
    """
    for what in held:  # what is held in part may have a name of its own
        if what not in FEATURES:
            raise InputError(f"there is no feature {excerpt(what)}; the features are {', '.join(FEATURES)}")
    some: dict[str, Test] = {}
    if keeps_tag is not NO_TAGS:
        some[_TAGS] = loses_tags(keeps_tag)
    tests = {**FEATURES, **some, **(partly or {})}
    return Capabilities({what: test for what, test in tests.items() if what not in held}, keeps_tag)
