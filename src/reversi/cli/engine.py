"""``reversi engine``: run as an engine that another program controls."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, TypeAlias

import typer

from reversi._system.limits import check_memory
from reversi.cli.console import command, fail, named_options, rules_option, stdin_buffer
from reversi.cli.engine_options import BookOptions, EngineHashOption, book_option, level_option
from reversi.cli.option_groups import Table, excludes
from reversi.cli.options import PositionThreadsOption, RulesOption, ThreadsOption, option
from reversi.cli.status import Status
from reversi.cli.streams import is_read, quiet_pipe
from reversi.engine.levels import MAX_LEVEL, parse_level
from reversi.protocols.serving import DEFAULT_QUEUE, Server, serve
from reversi.protocols.thinking import DEFAULT_PROTOCOL_LEVEL, EngineSettings, Thinker
from reversi.rules import Rules
from reversi.text.terminal import safe

_Make: TypeAlias = Callable[[Thinker, Callable[[str], object], Rules], Server]
"""Makes the server of a protocol."""

_PIECE: Final = 1 << 16


@dataclass(frozen=True)
class _Search:
    """The options of an engine, named as the fields of `EngineSettings`."""

    TABLE: ClassVar[Table] = excludes("--level", "--time", "--depth")

    level: Annotated[
        str | None,
        level_option(
            "Play at this level; with a clock, at this level at most. By default "
            f"{DEFAULT_PROTOCOL_LEVEL} without a clock, and as deep as the time allows with a clock.",
        ),
    ] = None
    time_s: Annotated[float | None, option("SECONDS", "Search at most SECONDS per move.", "--time")] = None
    depth: Annotated[
        int | None, option("N", "Search N placements deep (instead of --level).", min=1, max=MAX_LEVEL)
    ] = None
    threads: ThreadsOption = 1
    hash_mb: EngineHashOption = None
    seed: Annotated[int, option("N", "Use this seed to choose between equally good moves.", min=0)] = 0
    ponder: Annotated[bool, typer.Option(help="Think on the opponent's time, too.")] = False


@dataclass(frozen=True)
class _EngineBooks(BookOptions):
    """The opening books of an engine, which has none without being asked."""

    book: Annotated[list[str] | None, book_option("none")] = None


@command
def gtp(search: _Search, books: _EngineBooks, rules: RulesOption = "othello") -> None:
    """Speak the Go Text Protocol (GTP), for match runners, GoGui and Quarry.

    Example: reversi engine gtp --level 10

    Example: printf 'genmove black\\nshowboard\\nquit\\n' | reversi engine gtp
    """
    from reversi.protocols.gtp import GtpServer

    _serve(GtpServer, search, books, rules)


@command
def nboard(search: _Search, books: _EngineBooks, rules: RulesOption = "othello") -> None:
    """Speak the NBoard protocol, for NBoard and similar programs.

    Example: reversi engine nboard

    Example: printf 'nboard 2\\nset depth 8\\nhint 3\\n' | reversi engine nboard
    """
    from reversi.protocols.nboard import NBoardServer

    _serve(NBoardServer, search, books, rules)


@command
def xboard(search: _Search, books: _EngineBooks, rules: RulesOption = "othello") -> None:
    """Speak the reversi dialect of the XBoard protocol.

    Example: reversi engine xboard

    Example: printf 'protover 2\\nnew\\nusermove P@f5\\n' | reversi engine xboard
    """
    from reversi.protocols.xboard import XBoardServer

    _serve(XBoardServer, search, books, rules)


@dataclass(frozen=True)
class _Service:
    """The options of a service, named as the arguments of `JsonService`."""

    concurrency: Annotated[
        int | None, option("N", "Search N questions at once.", min=1, max=1024, show_default="usable CPUs")
    ] = None
    threads: PositionThreadsOption = 1
    hash_mb: EngineHashOption = None
    queue: Annotated[
        int, option("N", "Hold N questions; read no further until one is answered.", min=1, max=1_000_000)
    ] = DEFAULT_QUEUE


@command
def json(options: _Service, books: BookOptions, rules: RulesOption = "othello") -> None:
    """Answer questions as lines of JSON, many at once, for web pages, bots and scripts.

    Each line of standard input is a question with an id. Each answer is a line with this id, as soon as it is
    found. At the end of the input all questions are still answered.

    Example: reversi engine json --concurrency 4

    Example: echo '{"id": 1, "ask": "hint", "position": "f5d6c3"}' | reversi engine json
    """
    from reversi.protocols.json_service import JsonService

    rule_set = rules_option(rules)
    book = books.open(rule_set)
    with named_options():
        service = JsonService(_say, rules=rule_set, book=book, is_read=is_read, **vars(options))
    with _unread_dropped():
        service.serve(_reader())
    if service.refused:
        wrong = f"lines that are not questions: {service.refused:,} of {service.lines:,}"
        fail(Status.BAD_DATA, f"{wrong}; their answers say why")
    if service.failed:
        fail(Status.NO_RESULT, f"questions without a result: {service.failed:,}; their answers say why")


def _serve(make: _Make, search: _Search, books: _EngineBooks, rules: str) -> None:
    """Answer standard input until it ends."""
    level = None if search.level is None else parse_level(search.level)
    rule_set = rules_option(rules)
    book = books.open(rule_set) if books.book else None
    settings = EngineSettings(**vars(search) | {"level": level}, book=book)
    with named_options():
        if settings.hash_mb is not None:
            check_memory(settings.hash_mb)
        thinker = Thinker(settings)
        server = make(thinker, _say, rule_set)
    thinker.prepare(rule_set)
    try:
        with _unread_dropped():
            serve(server, _reader())
    finally:
        thinker.stop_pondering()


@contextlib.contextmanager
def _unread_dropped() -> Iterator[None]:
    """After an interrupt within the block, write nothing more: who has stopped reading holds nothing up."""
    try:
        yield
    except KeyboardInterrupt:
        quiet_pipe()
        raise


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
