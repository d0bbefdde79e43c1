"""Where the program keeps what it keeps for a person: games, exercises, progress, histories, the database."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from reversi.cli.options import option

StateOption = Annotated[
    Path | None,
    option(
        "FOLDER",
        "Keep saved games, history and exercises in this folder; by default in the user's state folder.",
        "--state",
        envvar="REVERSI_STATE",
        show_default=False,
    ),
]
StatesOption = Annotated[
    list[Path] | None,
    option(
        "FOLDER",
        "Take the history of this folder; several, by repeating the option, are one table. By default the"
        " user's state folder.",
        "--state",
        envvar="REVERSI_STATE",
        show_default=False,
    ),
]


def state_folder(given: Path | None) -> Path:
    """Return the folder that an option gives, by default the system's place for such data."""
    if given is not None:
        return given
    from platformdirs import user_state_path

    return user_state_path("reversi", appauthor=False)


def database_path(option: str) -> Path:
    """Return the file that `--db` names, or the environment, or the default."""
    if option or (option := os.environ.get("REVERSI_DB", "")):
        return Path(option)
    from platformdirs import user_data_path

    return user_data_path("reversi", appauthor=False) / "games.duckdb"
