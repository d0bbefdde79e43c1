"""The tree above a frontier: what is known of its positions, and what to do next.

A *claim* says that a position is worth at least a number. It is true when a claim about a position after some move
is false, and false when the claims after all moves are true. Each claim has the nodes that its proof and its
refutation are expected to take (the two numbers of proof-number search), from likely values. Likely values decide
the order only; proved bounds alone settle a claim.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Final

from reversi._core import Position
from reversi.text.boards import format_board

_DOUBT: Final = 2.5
"""The scale of the error of a likely value in discs, in the logistic curve of the chance of a claim."""
_LEAST: Final = 1e-3
"""The least chance of a claim that is not settled."""
_MISTAKEN: Final = 0.05
"""The chance that the outcome differs from the one that a selective search expects."""
_HINTED: Final = 0.25
"""How much less the move of a selective search is expected to cost than others."""


class Node:
    """A position of the tree, up to symmetry, with the proved bounds of its value for the side to move.

    Attributes:
        position: the position as the tree met it first: a table knows nothing about its images.
        key: the canonical position.
        lower: the proved lower bound.
        upper: the proved upper bound.
        likely: the value that a shallow search expects.
        cost: nodes that settling a claim about it is expected to take.
        is_leaf: whether the solver settles its claims.
        children: the positions after its moves; ``None`` before it is expanded.
        claims: the claims about it, by their number.
    """

    __slots__ = ("children", "claims", "cost", "is_leaf", "key", "likely", "lower", "position", "upper")

    def __init__(
        self,
        position: Position,
        lower: int,
        upper: int,
        *,
        key: Position | None = None,
        likely: float = 0.0,
        cost: float = 1.0,
        leaf: bool = True,
    ) -> None:
        self.position: Position = position
        self.key: Position = position.canonical() if key is None else key
        self.lower: int = lower
        self.upper: int = upper
        self.likely: float = likely
        self.cost: float = cost
        self.is_leaf: bool = leaf
        self.children: tuple[Node, ...] | None = None
        self.claims: dict[int, Claim] = {}


class Claim:
    """The claim that a position is worth at least a number to the side to move.

    Attributes:
        node: the position.
        number: the number.
        to_prove: nodes that its proof is expected to take; 0 when it is true, infinite when it is false.
        to_refute: nodes that its refutation is expected to take.
        expected: the outcome of a selective search; ``None`` before there is one.
        hint: the canonical position after the move that this search prefers.
        children: the claims after each move; ``None`` before it is expanded.
        parents: the claims that this one is after a move of.
        settled: its outcome when it was last weighed.
        supposed: the outcome that counts while a worker has it; ``None`` otherwise.
    """

    __slots__ = (
        "children",
        "expected",
        "hint",
        "node",
        "number",
        "parents",
        "settled",
        "supposed",
        "to_prove",
        "to_refute",
    )

    def __init__(self, node: Node, number: int) -> None:
        self.node: Node = node
        self.number: int = number
        self.to_prove: float = 1.0
        self.to_refute: float = 1.0
        self.expected: bool | None = None
        self.hint: Position | None = None
        self.children: tuple[Claim, ...] | None = None
        self.parents: list[Claim] = []
        self.settled: bool | None = None
        self.supposed: bool | None = None

    @property
    def outcome(self) -> bool | None:
        """Whether it is true; ``None`` before that is proved."""
        if self.node.lower >= self.number:
            return True
        return False if self.node.upper < self.number else None

    @property
    def chance(self) -> float:
        """The chance that it is true."""
        if self.expected is not None:
            return 1 - _MISTAKEN if self.expected else _MISTAKEN
        margin = (self.node.likely - self.number + 1) / _DOUBT
        chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, margin))))
        return max(_LEAST, min(1 - _LEAST, chance))

    @property
    def is_open(self) -> bool:
        """Whether something is left to do for it, beside what workers have."""
        return self.to_prove > 0 and self.to_refute > 0

    def __repr__(self) -> str:
        return f"Claim({format_board(self.node.position)} >= {self.number:+d})"


class Tree:
    """The positions above and at a frontier, and the claims about them.

    Args:
        make: makes the node of a position, with what is known and likely; also gets the canonical one.
        step: the difference between two scores: 2 where every score is even.
        looks: whether selective searches look at claims first.
        recall: notes in a new claim what a selective search has expected of it before.
    """

    def __init__(
        self,
        make: Callable[[Position, Position], Node],
        step: int,
        *,
        looks: bool,
        recall: Callable[[Claim], None] = lambda claim: None,
    ) -> None:
        self._make = make
        self._recall = recall
        self._step = step
        self._looks = looks
        self.nodes: dict[Position, Node] = {}
        self.changed: dict[Node, None] = {}  #: nodes with new bounds since `take_changed`

    def node(self, position: Position) -> Node:
        key = position.canonical()
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = self._make(position, key)
        return node

    def claim(self, node: Node, number: int) -> Claim:
        """Return the claim that a node is worth at least a number, rounded up to a possible score."""
        number = -(-number // self._step) * self._step
        claim = node.claims.get(number)
        if claim is None:
            claim = node.claims[number] = Claim(node, number)
            self._recall(claim)
            self._weigh(claim)
        return claim

    def is_unlooked(self, claim: Claim) -> bool:
        """Return whether a selective search has to look at a claim first."""
        return self._looks and claim.expected is None

    def next(self, root: Claim) -> Claim | None:
        """Return the claim to look at or to prove next, in order to settle ``root``; expand nodes on the way.

        ``None`` where workers have everything that is likely to be needed.
        """
        claim = root
        while root.is_open:
            if self.is_unlooked(claim) or claim.node.is_leaf:
                return claim
            if claim.children is None:
                self._expand(claim)
                claim = root  # an expansion changes what is expected, and may settle claims
                continue
            claim = min(claim.children, key=lambda child: _weight(claim, child))
        return None

    def suppose(self, claim: Claim, outcome: bool | None) -> None:
        """Let an outcome count for a claim, while a worker has it; ``None`` ends that."""
        claim.supposed = outcome
        self._spread([claim])

    def expect(self, claim: Claim, outcome: bool, hint: Position | None) -> None:
        """Note what a selective search expects."""
        claim.expected, claim.hint = outcome, hint
        self._spread([claim])

    def learn(self, node: Node, lower: int, upper: int) -> None:
        if lower > node.lower or upper < node.upper:
            node.lower, node.upper = max(node.lower, lower), min(node.upper, upper)
            self.changed[node] = None
            self._spread(list(node.claims.values()))

    def take_changed(self) -> list[Node]:
        """Return the nodes with new bounds since the last call."""
        changed = list(self.changed)
        self.changed.clear()
        return changed

    def needed(self, claims: Iterable[Claim], roots: Iterable[Claim]) -> set[Claim]:
        """Return those claims that may still serve to settle one of ``roots``."""
        needed = {root: root.outcome is None for root in roots}

        def serves(claim: Claim) -> bool:
            is_needed = needed.get(claim)
            if is_needed is None:
                is_needed = needed[claim] = claim.outcome is None and any(map(serves, claim.parents))
            return is_needed

        return {claim for claim in claims if claim.outcome is None and serves(claim)}

    # --- costs

    def _expand(self, claim: Claim) -> None:
        node = claim.node
        if node.children is None:
            children = (self.node(node.position.play(move)) for move in node.position.legal_moves)
            node.children = tuple(dict.fromkeys(children))
        claim.children = tuple(self.claim(child, 1 - claim.number) for child in node.children)
        for child in claim.children:
            child.parents.append(claim)
        self._spread([claim])

    def _spread(self, claims: list[Claim]) -> None:
        """Weigh claims again, and those above them as far as something changes."""
        while claims:
            claim = claims.pop()
            node = claim.node
            before = node.lower, node.upper
            if self._weigh(claim):
                claims.extend(claim.parents)
            if (node.lower, node.upper) != before:
                self.changed[node] = None
                claims.extend(other for other in node.claims.values() if other is not claim)

    def _weigh(self, claim: Claim) -> bool:
        """Find what a claim is expected to take; return whether that changed."""
        before = claim.to_prove, claim.to_refute, claim.settled
        outcome = claim.outcome
        if outcome is None and claim.children is not None:
            outcomes = [child.outcome for child in claim.children]
            if False in outcomes:
                outcome, claim.node.lower = True, claim.number
            elif None not in outcomes:
                outcome, claim.node.upper = False, claim.number - self._step
        claim.settled = outcome
        if outcome is None:
            outcome = claim.supposed
        if outcome is not None:
            claim.to_prove, claim.to_refute = (0.0, math.inf) if outcome else (math.inf, 0.0)
        elif claim.children is None:
            claim.to_prove = claim.node.cost / claim.chance
            claim.to_refute = claim.node.cost / (1 - claim.chance)
        else:
            claim.to_prove = min(child.to_refute for child in claim.children)
            claim.to_refute = math.fsum(child.to_prove for child in claim.children)
        return before != (claim.to_prove, claim.to_refute, claim.settled)


def _weight(claim: Claim, child: Claim) -> float:
    """Return what refuting a child is expected to take, less for the hint of a selective search."""
    return child.to_refute * (_HINTED if child.node.key == claim.hint else 1.0)
