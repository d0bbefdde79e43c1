"""Options of commands that search with the engine: apart from the others, because they need its levels."""

from __future__ import annotations

from typing import Annotated

import typer

from reversi.engine.levels import HINT_LEVEL, MAX_LEVEL

__all__ = ["EngineHashOption", "LevelOption"]

LevelOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        max=MAX_LEVEL,
        show_default=str(HINT_LEVEL),
        help="Search at this level; a higher one searches deeper.",
    ),
]
EngineHashOption = Annotated[
    int | None,
    typer.Option(
        "--hash",
        metavar="MB",
        min=1,
        show_default="1 to 128, by the level or time",
        help="Use a hash table of MB megabytes.",
    ),
]
