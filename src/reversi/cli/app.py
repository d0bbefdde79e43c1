"""The command tree: which commands there are. Each one's options and output are in a module of its name."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from reversi import __version__
from reversi.cli.console import out

COMMANDS = ("bench", "db", "doctor", "hint", "openings", "perft", "play", "position", "record", "rules", "solve")


def _version(wanted: bool) -> None:
    if wanted:
        out(f"reversi {__version__}")
        raise typer.Exit()


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def build_app(arguments: Sequence[str]) -> typer.Typer:
    """The command tree that these arguments need: the one command they name, or all of them."""
    app = typer.Typer(
        help="Play, record, validate and solve Othello and its house variants.",
        no_args_is_help=True,
        add_completion=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    named = arguments[0] if arguments else ""
    # each command's module loads what it needs of the library: the others are left alone
    for command in (named,) if named in COMMANDS else COMMANDS:
        import_module(f"reversi.cli.{command}").register(app)
    return app
