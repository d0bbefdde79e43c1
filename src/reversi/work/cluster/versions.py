"""The versions that a client and its workers must share."""

from __future__ import annotations

import functools
import hashlib
from typing import Final, NamedTuple

from reversi._core import Position
from reversi._version import __version__
from reversi.evaluation.weights import weights_version
from reversi.rules import parse_rules

_RULES: Final = (
    "othello,board=4x4",
    "othello,board=6x4,start=parallel,misere,discs-only",
    "othello,board=4x4,optional-skip,full-board",
    "adjacent,board=4x4",
    "adjacent,board=4x4,optional-skip,no-moves",
    "othello,board=4x4,optional-capture,anywhere",
)


class Fingerprint(NamedTuple):
    """The versions of package, weights and rules in one process.

    Attributes:
        package: the version of the package.
        weights: the checksum of the weights of the evaluation.
        rules: a checksum of how the rules play: numbers of games of a few moves under several rule sets.
    """

    package: str
    weights: str
    rules: str

    def difference(self, other: Fingerprint) -> str:
        """Return how another fingerprint differs, in words; empty if it is equal."""
        parts = []
        if other.package != self.package:
            parts.append(f"version {other.package}, not {self.package}")
        if other.weights != self.weights:
            parts.append(f"weights {other.weights}, not {self.weights}")
        if other.rules != self.rules:
            parts.append("other rules")
        return ", ".join(parts)


@functools.cache
def fingerprint() -> Fingerprint:
    """Return the fingerprint of this process."""
    digest = hashlib.sha256()
    for text in _RULES:
        rules = parse_rules(text)
        digest.update(f"{rules!r} {Position(rules).perft(5)}\n".encode())
    return Fingerprint(__version__, weights_version(), digest.hexdigest()[:12])
