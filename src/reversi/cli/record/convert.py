"""``reversi record convert``: games from one form to another."""

from __future__ import annotations

from typing import Annotated

import typer

from reversi.cli.console import command
from reversi.cli.outputs import Inputs
from reversi.cli.record.output import WritingOptions
from reversi.cli.record.streams import ReadingOptions
from reversi.cli.selection import ChangesOptions


@command
def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="Games; - is standard input.")],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT",
            help="The file to write; - is standard output. A folder, or a name with {year}, gets a file for each"
            " year.",
        ),
    ],
    writing: WritingOptions,
    changes: ChangesOptions,
    reading: ReadingOptions,
) -> None:
    """Convert games to another format, and report what that format cannot hold.

    The content of IN decides its format; the name of OUT decides the new one. WTHOR keeps the names of players and
    tournaments in files beside OUT.

    Example: reversi record convert playok.pgn games.pgn

    Example: reversi record convert WTH_1984.wtb games.sgf

    Example: reversi record convert ggs.ggf - --to transcript
    """
    with writing.writer(target, Inputs(source), default=None) as writer:
        writer.write_all(reading.games([source], writer.outcome), changes.read(), 1)
