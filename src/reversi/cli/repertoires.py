"""Repertoires that commands take, and the option that names one whose moves are marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from reversi.cli.console import reading
from reversi.cli.options import option

if TYPE_CHECKING:
    from reversi.color import Color
    from reversi.games.repertoire import Repertoire
    from reversi.rules import Rules

RepertoireOption = Annotated[
    str, option("FILE", "Mark the moves of the repertoire in FILE in the explorer.", "--repertoire")
]


def read_repertoire(text: str, rules: Rules, color: Color | None = None, encoding: str = "") -> Repertoire:
    """Read a repertoire; end the command where there is none."""
    from reversi.cli.inputs import opening_moves, read_input
    from reversi.games.repertoire import repertoire_of

    given = read_input(opening_moves(text), encoding)
    with reading(given.name):
        return repertoire_of(given, color, rules)
