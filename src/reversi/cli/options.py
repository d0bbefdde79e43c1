"""Arguments and options that several commands have, each with one name and one help text."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["PLACES", "GameRulesOption", "InputArgument", "RulesOption", "ToMoveOption"]

PLACES = """FILE#3@20, where a command reads a file, is game 3 of FILE after ply 20: FILE#3 is the end of the game,
FILE#3@0 its start, FILE@20 each game of FILE after ply 20, or the first game where the command takes one. An
existing file of that literal name wins."""
"""The explanation of places, which the help of ``reversi`` has; the other help texts point to it."""

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
