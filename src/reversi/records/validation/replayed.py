"""A game of a file with its positions, and what is wrong with it."""

from __future__ import annotations

from reversi._core import Position
from reversi.records.entry import Entry
from reversi.records.findings import Finding
from reversi.records.record import Node
from reversi.records.replay import legal_positions
from reversi.records.validation.game import findings_of
from reversi.text.position_json import position_summary


class ReplayedGame:
    """A game of a file, replayed up to its end or to its first illegal move.

    Attributes:
        entry: the game.
        positions: the position after each ply that can be replayed, the start first.
        finding: the first thing that is wrong with the game; ``None`` for a valid one.
    """

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.positions: list[Position] = [*legal_positions(entry.record.line.nodes, entry.record.start)]
        self.finding: Finding | None = next(iter(findings_of(entry)), None)

    @property
    def plies(self) -> int:
        return len(self.entry.record.line.nodes)

    @property
    def replayed(self) -> int:
        return len(self.positions) - 1

    def node(self, ply: int) -> Node | None:
        """Return the turn that leads to a position, ``None`` for the start."""
        return self.entry.record.line.nodes[ply - 1] if ply else None

    def as_json(self, ply: int, file: str) -> dict[str, object]:
        """Return the position after a ply as the JSON of ``record show`` has it.

        Args:
            ply: the number of plies, 0 for the start.
            file: the path of the file, ``-`` for standard input.
        """
        record, node = self.entry.record, self.node(ply)
        value = node.evaluation if node else None
        return {
            "file": file,
            "game": self.entry.number,
            "ply": ply,
            "plies": self.plies,
            "move": str(node.move) if node else None,
            **position_summary(self.positions[ply]),
            "tags": dict(record.tags),
            "result": record.result,
            "comments": list(node.comments if node else record.line.comments),
            "clock": node.clock if node else None,
            "elapsed": node.elapsed if node else None,
            "eval": {"value": value.value, "kind": str(value.kind), "confidence": value.confidence}
            if value
            else None,
            "glyphs": list(node.nags if node else ()),
            "flips": [str(square) for square in node.flips] if node and node.flips is not None else None,
            "variations": len(node.variations) if node else 0,
        }
