"""Arguments and options that several commands have, each with one name and one help text."""

from __future__ import annotations

import math
from typing import Annotated, Any

import typer

from reversi.arguments import MAX_HASH_MB, MAX_NODES
from reversi.errors import InputError


def option(metavar: str, help: str, *names: str, **more: Any) -> Any:  # noqa: A002 - Typer's name
    """Return an option with a value, for `Annotated`.

    Args:
        metavar: what the help calls the value.
        help: what the option does.
        names: its names; by default that of the parameter.
        more: what else Typer takes.
    """
    return typer.Option(*names, metavar=metavar, help=help, **more)


def argument(metavar: str, help: str, **more: Any) -> Any:  # noqa: A002 - Typer's name
    """Return an argument, for `Annotated`; see `option`."""
    return typer.Argument(metavar=metavar, help=help, **more)


def output_option(help: str, **more: Any) -> Any:  # noqa: A002 - Typer's name
    """Return ``-o FILE``, the file to write; see `option`."""
    return option("FILE", help, "--output", "-o", **more)


InputArgument = Annotated[
    str,
    argument(
        "INPUT",
        "A board, an OBF line, a transcript, a file of them, or FILE#3@20 (see 'reversi --help');"
        " - is standard input.",
    ),
]
OpeningInputArgument = Annotated[
    str,
    argument(
        "INPUT",
        "The name of an opening, a board, an OBF line, a transcript, a file of them, or FILE#3@20 (see"
        " 'reversi --help'); - is standard input.",
    ),
]
AtOption = Annotated[
    str,
    option("NAME|MOVES", "Begin at this opening, or at a board or FILE#3@20.", "--at", show_default="the start"),
]
RepertoireOption = Annotated[
    str, option("FILE", "Mark the moves of the repertoire in FILE in the explorer.", "--repertoire")
]
RulesOption = Annotated[str, option("RULES", "Use this rule set; see 'reversi rules list'.")]
GameRulesOption = Annotated[
    str, option("RULES", "Use this rule set for games that name none; see 'reversi rules list'.")
]
ToMoveOption = Annotated[
    str, option("black|white", "Set the side to move where the text does not give it.", "--to-move")
]


def _encoding(name: str) -> str:
    if not name:
        return ""
    from reversi.text.decoding import check_encoding

    try:
        return check_encoding(name)
    except InputError as error:
        raise typer.BadParameter(str(error)) from None


PositionColumnsOption = Annotated[
    list[str] | None,
    option(
        "WHAT=COLUMN",
        "Read a table of positions with these columns: board=2,score=eval,to_move=side.",
        "--columns",
        show_default="guessed",
    ),
]
EncodingOption = Annotated[
    str,
    option(
        "NAME",
        "Read texts in this encoding: shift_jis, gb18030, cp1251, …",
        "--encoding",
        callback=_encoding,
        show_default="what the file says, else UTF-8 or Windows-1252",
    ),
]


def seconds_option(value: float | None) -> float | None:
    """Refuse an option of seconds that is not a number."""
    if value is not None and math.isnan(value):
        raise typer.BadParameter("give a number of seconds, at least 0")
    return value


PositionTimeOption = Annotated[
    float | None, option("SECONDS", "Search each position for SECONDS (instead of --level).", "--time")
]
NodesOption = Annotated[
    int | None,
    option("N", "Visit N positions, and give what was found until then.", "--nodes", min=1, max=MAX_NODES),
]
TotalTimeOption = Annotated[
    float | None, option("SECONDS", "Limit the time of the run.", "--total-time", min=0, callback=seconds_option)
]
QuietOption = Annotated[
    bool,
    typer.Option("-q", "--quiet", help="In line mode, show the board only on request."),
]
ThreadsOption = Annotated[int, option("N", "Search with N threads.", min=1, max=1024)]
PositionThreadsOption = Annotated[int, option("N", "Use N threads per position.", "--threads", min=1, max=1024)]
RunThreadsOption = Annotated[
    int | None, option("N", "Use N threads for the run.", "--threads", min=1, max=1024, show_default="usable CPUs")
]
HashOption = Annotated[int, option("MB", "Use a hash table of MB megabytes.", "--hash", min=1, max=MAX_HASH_MB)]
