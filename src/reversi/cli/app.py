"""The command tree: which commands there are. Each one's options and output are in a module of its name."""

from __future__ import annotations

from typing import Annotated

import typer

from reversi import __version__
from reversi.cli import bench, doctor, hint, perft, play, position, record, rules, solve
from reversi.cli.console import out

app = typer.Typer(
    help="Play, record, validate and solve Othello and its house variants.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        out(f"reversi {__version__}")
        raise typer.Exit()


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


bench.register(app)
doctor.register(app)
hint.register(app)
perft.register(app)
play.register(app)
position.register(app)
record.register(app)
rules.register(app)
solve.register(app)
