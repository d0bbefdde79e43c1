"""What makes two games the same, for the commands that leave out duplicates."""

from __future__ import annotations

from typing import Annotated

from reversi.cli.console import refused
from reversi.cli.options import option
from reversi.games.identity import Same

SameOption = Annotated[
    str,
    option(
        "WORDS",
        "Compare only these, with commas between them: moves, players, year, date, event, round, id.",
        "--same",
    ),
]


def same_option(words: str) -> Same:
    """Return what makes two games the same; other words end the command."""
    with refused(f"--same {words}"):
        return Same.of(words)
