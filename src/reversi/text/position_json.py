"""A position as JSON values: the fields that all commands share.

Moves are written as `str` writes them; scores are from the mover's view.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reversi._core import Position, State
from reversi.rules import parse_rules
from reversi.text.boards import parse_board


def position_fields(position: Position) -> dict[str, object]:
    """Return what identifies a position (``board``, ``to_move``, ``after_pass``, ``rules``) and ``empties``.

    ``ended`` is there, and true, only when two passes have ended the game.
    """
    return {
        "board": position.cells,
        "to_move": position.to_move.symbol,
        "after_pass": position.state is State.AFTER_PASS,
        **({"ended": True} if position.state is State.ENDED else {}),
        "rules": str(position.rules),
        "empties": position.empties,
    }


def position_of(fields: Mapping[str, Any]) -> Position:
    """Return the position that `position_fields` wrote.

    Raises:
        KeyError: a field is missing.
        ReversiError: they are not those of a position.
    """
    rules = parse_rules(fields["rules"])
    state = " ended" if fields.get("ended") else " --" if fields["after_pass"] else ""
    return parse_board(f"{fields['board']} {fields['to_move']}{state}", rules)


def position_summary(position: Position) -> dict[str, object]:
    """Return `position_fields` with ``legal_moves``, ``over``, the disc counts and, at the end, the ``score``."""
    count = position.count
    fields = {
        **position_fields(position),
        "legal_moves": [str(move) for move in position.legal_moves],
        "over": position.is_over,
        "discs": count.discs,
        "black": count.black,
        "white": count.white,
    }
    if position.is_over:
        fields["score"] = position.score
    return fields
