"""Arguments and options that several commands have, each with one name and one help text."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from reversi.arguments import MAX_NODES

InputArgument = Annotated[
    str,
    typer.Argument(
        metavar="INPUT",
        help="A board, an OBF line, a transcript, a file of them, or FILE#3@20 (see 'reversi --help');"
        " - is standard input.",
    ),
]
OpeningInputArgument = Annotated[
    str,
    typer.Argument(
        metavar="INPUT",
        help="The name of an opening, a board, an OBF line, a transcript, a file of them, or FILE#3@20 (see"
        " 'reversi --help'); - is standard input.",
    ),
]
RulesOption = Annotated[str, typer.Option(metavar="RULES", help="Use this rule set; see 'reversi rules list'.")]
GameRulesOption = Annotated[
    str,
    typer.Option(metavar="RULES", help="Use this rule set for games that name none; see 'reversi rules list'."),
]
ToMoveOption = Annotated[
    str,
    typer.Option("--to-move", metavar="black|white", help="Set the side to move where the text does not give it."),
]


def seconds_option(value: float | None) -> float | None:
    """Refuse an option of seconds that is not a number."""
    if value is not None and math.isnan(value):
        raise typer.BadParameter("give a number of seconds, at least 0")
    return value


PositionTimeOption = Annotated[
    float | None,
    typer.Option("--time", metavar="SECONDS", help="Search each position for SECONDS (instead of --level)."),
]
NodesOption = Annotated[
    int | None,
    typer.Option(
        "--nodes",
        metavar="N",
        min=1,
        max=MAX_NODES,
        help="Visit N positions, and give what was found until then.",
    ),
]
TotalTimeOption = Annotated[
    float | None,
    typer.Option(
        "--total-time", metavar="SECONDS", min=0, callback=seconds_option, help="Limit the time of the run."
    ),
]
ThreadsOption = Annotated[int, typer.Option(metavar="N", min=1, max=1024, help="Search with N threads.")]
PositionThreadsOption = Annotated[
    int, typer.Option("--threads", metavar="N", min=1, max=1024, help="Use N threads per position.")
]
RunThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads", metavar="N", min=1, max=1024, show_default="usable CPUs", help="Use N threads for the run."
    ),
]
HashOption = Annotated[int, typer.Option("--hash", metavar="MB", min=1, help="Use a hash table of MB megabytes.")]
