"""What makes two games the same, for the commands that leave out duplicates."""

from __future__ import annotations

from typing import Annotated

import typer

from reversi.cli.console import fail
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.games.identity import Same

SameOption = Annotated[
    str,
    typer.Option(
        "--same",
        metavar="WORDS",
        help="Compare only these, with commas between them: moves, players, year, date, event, round, id.",
    ),
]


def same_option(words: str) -> Same:
    """Return what makes two games the same; other words end the command."""
    try:
        return Same.of(words)
    except InputError as error:
        fail(Status.USAGE, f"--same {words}: {error}")
