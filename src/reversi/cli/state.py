"""The folder of what the program keeps for a person: unfinished games, exercises, progress, histories of lines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["StateOption", "state_folder"]

StateOption = Annotated[
    Path | None,
    typer.Option(
        "--state",
        metavar="FOLDER",
        envvar="REVERSI_STATE",
        show_default=False,
        help="Keep exercises and progress in this folder; by default in the user's state folder.",
    ),
]


def state_folder(given: Path | None) -> Path:
    """Return the folder that an option gives, by default the system's place for such data."""
    if given is not None:
        return given
    from platformdirs import user_state_path

    return user_state_path("reversi", appauthor=False)
