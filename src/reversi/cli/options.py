"""Arguments and options that several commands have, each with one name and one help text."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["PLACES", "GameRulesOption", "InputArgument", "RulesOption", "ToMoveOption"]

PLACES = """Every command that reads a file also takes a place in it: FILE#3@20 is game 3 of FILE after ply 20,
FILE#3 the end of that game, FILE#3@0 its start. FILE@20 is each game after ply 20, or the first game
where the command takes only one. If a file has exactly this name, the command reads that file."""
"""The explanation of places in the help of ``reversi``; the other help texts refer to it."""

InputArgument = Annotated[
    str,
    typer.Argument(
        metavar="INPUT",
        help="A board, an OBF line, a transcript, a file of them, or FILE#3@20 (see 'reversi --help');"
        " - is standard input.",
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
