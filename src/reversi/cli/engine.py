"""``reversi engine``: run as an engine that another program controls."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

import typer

from reversi._system.limits import check_memory
from reversi.cli.console import command, named_options, rules_option, stdin_buffer
from reversi.cli.engine_options import EngineHashOption, level_option
from reversi.cli.option_groups import excludes
from reversi.cli.options import RulesOption, ThreadsOption
from reversi.cli.tree import Commands
from reversi.engine.levels import MAX_LEVEL, parse_level
from reversi.protocols.serving import Server, serve
from reversi.protocols.thinking import DEFAULT_PROTOCOL_LEVEL, EngineSettings, Thinker, Thinking
from reversi.protocols.xboard import XBoardServer
from reversi.rules import Rules
from reversi.text.terminal import safe

_Make: TypeAlias = Callable[[Thinking, Callable[[str], object], Rules], Server]
"""Makes the server of a protocol."""

_PIECE: Final = 1 << 16


@dataclass(frozen=True)
class _Search:
    """The options of an engine, named as the fields of `EngineSettings`."""

    level: Annotated[
        str | None,
        level_option(
            "Play at this level; with a clock, at this level at most. By default "
            f"{DEFAULT_PROTOCOL_LEVEL} without a clock, and as deep as the time allows with a clock.",
        ),
    ] = None
    time_s: Annotated[
        float | None, typer.Option("--time", metavar="SECONDS", help="Search at most SECONDS per move.")
    ] = None
    depth: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=MAX_LEVEL, help="Search N placements deep (instead of --level)."),
    ] = None
    threads: ThreadsOption = 1
    hash_mb: EngineHashOption = None
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="Use this seed to choose between equally good moves.")
    ] = 0
    book: Annotated[bool, typer.Option("--book/--no-book", help="Play the first moves from the opening book.")] = (
        False
    )
    ponder: Annotated[bool, typer.Option("--ponder/--no-ponder", help="Think on the opponent's time, too.")] = (
        False
    )


def register(app: Commands) -> None:
    """Add the command group to ``app``."""
    group = Commands()
    for name, make, text in _PROTOCOLS:
        group.command(name, help=text, table=excludes("--level", "--time", "--depth"))(_command(make))
    app.add_typer(group, name="engine", help="Run as an engine that another program controls.")


def _gtp() -> _Make:
    from reversi.protocols.gtp import GtpServer

    return GtpServer


def _nboard() -> _Make:
    from reversi.protocols.nboard import NBoardServer

    return NBoardServer


def _xboard() -> _Make:
    return XBoardServer


_PROTOCOLS: Final = (
    (
        "gtp",
        _gtp,
        """Speak the Go Text Protocol (GTP), for match runners, GoGui and Quarry.

        Example: reversi engine gtp --level 10

        Example: printf 'genmove black\\nshowboard\\nquit\\n' | reversi engine gtp
        """,
    ),
    (
        "nboard",
        _nboard,
        """Speak the NBoard protocol, for NBoard and similar programs.

        Example: reversi engine nboard

        Example: printf 'nboard 2\\nset depth 8\\nhint 3\\n' | reversi engine nboard
        """,
    ),
    (
        "xboard",
        _xboard,
        """Speak the reversi dialect of the XBoard protocol.

        Example: reversi engine xboard

        Example: printf 'protover 2\\nnew\\nusermove P@f5\\n' | reversi engine xboard
        """,
    ),
)


def _command(load: Callable[[], _Make]) -> Callable[..., None]:
    @command
    def run(search: _Search, rules: RulesOption = "othello") -> None:
        level = None if search.level is None else parse_level(search.level)
        _serve(load(), rules, EngineSettings(**vars(search) | {"level": level}))

    return run


def _serve(make: _Make, rules: str, settings: EngineSettings) -> None:
    """Answer standard input until it ends."""
    rule_set = rules_option(rules)
    with named_options():
        if settings.hash_mb is not None:
            check_memory(settings.hash_mb)
        thinker = Thinker(settings)
        server = make(thinker, _say, rule_set)
    thinker.prepare(rule_set)
    try:
        serve(server, _reader())
    finally:
        thinker.stop_pondering()


def _reader() -> Callable[[], bytes]:
    """Return a function that reads the next bytes of standard input."""
    stream = stdin_buffer()
    try:
        # not through its buffer: a thread that waits for a line would hold its lock when the program ends
        return functools.partial(os.read, stream.fileno(), _PIECE)
    except OSError:  # not a file of the system
        return functools.partial(stream.read, _PIECE)


def _say(text: str) -> None:
    sys.stdout.write(safe(text))
    sys.stdout.flush()
