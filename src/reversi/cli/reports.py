"""``--html FILE`` of the commands: games as one HTML page to step through."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from reversi._system.files import Target
from reversi.cli.console import fail, refused
from reversi.cli.options import option
from reversi.cli.outputs import write_pieces
from reversi.cli.status import Status

if TYPE_CHECKING:
    from reversi.render import ReportGame, ReportTable

HtmlOption = Annotated[
    str,
    option(
        "FILE",
        "Write a report to FILE: one HTML page to step through the games; - is standard output.",
        "--html",
        show_default=False,
    ),
]


def source_label(name: str, number: int) -> str:
    """Return what a report says about where a game is from: ``games.pgn#3``; "" for a pasted game.

    The folder stays out of it: reports are made to be given away.
    """
    return f"{Path(name).name}#{number}" if name else ""


def check_page(games: int, option: str) -> None:
    """End the command where the games are too many for a page, which an option asks for."""
    from reversi.render.report.data import MAX_GAMES

    if games > MAX_GAMES:
        fail(Status.USAGE, f"{option}: a report has at most {MAX_GAMES:,} games, not {games:,}; select fewer")


def write_report(
    output: Target | None, games: Iterable[ReportGame], title: str = "", tables: Sequence[ReportTable] = ()
) -> None:
    """Write a report to a file, or to standard output for ``None``; end the command where that is not possible.

    Args:
        output: the file, as `reversi.cli.outputs.check_output` returns it.
        games: the games.
        title: what the page is called; the players or the number of games when not given.
        tables: tables above the games.
    """
    from reversi.render import html_report

    with refused():
        page = html_report(games, title=title, tables=tables)
    write_pieces(output, [page.encode("ascii")])
