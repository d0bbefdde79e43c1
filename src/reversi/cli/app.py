"""The command tree: which commands there are, and in which module each one's options and output are."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Final, NamedTuple

import typer

from reversi import __version__
from reversi._lazy import core_problem
from reversi.arguments import excerpt
from reversi.cli.console import err, out, reason
from reversi.cli.status import Status
from reversi.cli.streams import flushed, full_output, quiet_pipe
from reversi.cli.tree import Commands, UsageError
from reversi.errors import InstructionSetError

_PLACES = """Every command that reads a file also takes a place in it: FILE#3@20 is game 3 of FILE after ply 20,
FILE#3 the end of that game, FILE#3@0 its start. FILE@20 is each game after ply 20, or the first game
where the command takes only one. If a file has exactly this name, the command reads that file."""
"""The explanation of places in the help of ``reversi``; the other help texts refer to it."""


class Group(NamedTuple):
    """A group of commands.

    Attributes:
        help: the help of the group.
        commands: the commands, by name.
        default: the command that the group runs when none is named; see `Commands`.
    """

    help: str
    commands: dict[str, str | Group]
    default: str = ""


def _in(module: str, *names: str) -> dict[str, str | Group]:
    return dict.fromkeys(names, module)


COMMANDS: Final[dict[str, str | Group]] = {
    "play": "play.command",
    "learn": "learn",
    "hint": "hint",
    "explore": "explore",
    "analyze": "analyze",
    "train": Group(
        """Train with exercises, built-in ones and those from your games, and learn your openings.

        Example: reversi train make my-games.pgn --player ada

        Example: reversi train

        Example: reversi train openings mine.pgn

        Example: reversi train stats

        Without a command, 'reversi train' is 'reversi train play'.
        """,
        {
            "make": "train.make",
            **_in("train.command", "play", "openings"),
            **_in("train.reports", "list", "stats"),
        },
        default="play",
    ),
    "history": Group(
        """Show your games against the engine: results, mean loss, mistakes.

        'reversi play' keeps the history on this machine only.

        Example: reversi history

        Example: reversi history export my-games.pgn

        Example: reversi history off

        Without a command, 'reversi history' is 'reversi history show'.
        """,
        _in("history", "show", "export", "on", "off", "delete"),
        default="show",
    ),
    "solve": "solve",
    "match": "match",
    "diagram": "diagram",
    "record": Group(
        "Show, check, convert, count, filter, merge and split games.",
        {
            "show": "record.show",
            "validate": "record.validate",
            "convert": "record.convert",
            "stats": "record.stats",
            "filter": "record.filter",
            "merge": "record.merge",
            "split": "record.split",
            "dedupe": "record.dedupe",
            "tidy": "record.tidy",
        },
    ),
    "db": Group(
        "Keep games in a database, and query it in SQL.",
        {
            "import": "db.import_games",
            "update": "db.import_games",
            "sql": "db.sql",
            "info": "db.info",
            "aliases": "db.aliases",
            "sources": Group(
                "List the files that games came from, or remove one.", _in("db.sources", "list", "remove")
            ),
            "players": Group(
                "List the players, rename one, or merge the names of one person.",
                _in("db.players", "list", "rename", "merge"),
            ),
        },
    ),
    "position": Group("Show positions, or convert them between text forms.", _in("position", "show", "convert")),
    "openings": Group(
        "List, show and name openings, draw one for a game, make a repertoire, or review your games by it.",
        {
            **_in("openings", "list", "show", "name", "draw"),
            "repertoire": Group(
                "Propose a repertoire for you to edit, or check one.", _in("repertoire", "make", "check")
            ),
            "review": "opening_review",
        },
    ),
    "book": Group(
        "Make, grow, show, merge and convert opening books.",
        {
            **_in("book", "make", "show", "info"),
            **_in("book_growing", "grow", "prune"),
            **_in("book", "merge", "convert"),
        },
    ),
    "engine": Group(
        "Run as an engine that another program controls.", _in("engine", "gtp", "nboard", "xboard", "json")
    ),
    "prove": "prove",
    "proof": Group("Check certificates of solved positions, which 'reversi prove' writes.", _in("proof", "check")),
    "rules": Group("List the rule sets, or explain one.", _in("rules", "list", "show")),
    "perft": "perft",
    "bench": Group("Measure the speed of the solver or of the move generator.", _in("bench", "solve", "perft")),
    "doctor": "doctor",
}
"""Every command, in the order of the help (what most people use first), and the module with its function.

The function has the name of the command; after a name that Python knows, an underscore: ``list_``.
"""

_COMPLETION: Final = "_REVERSI_COMPLETE"
"""Is set while the shell completes a line, which is not in the arguments."""

# What Typer says about values, in plainer words; from 0.29 on it says what pydantic says.
_PLAINER = {
    r"Value error, ": "",
    r"Input should be a valid integer, unable to parse string as an integer": "give a whole number",
    r"(?<=: )'.*' is not a valid int(eger)?( range)?$": "give a whole number",
    r"Input should be a valid number, unable to parse string as a number": "give a number",
    r"(?<=: )'.*' is not a valid float( range)?$": "give a number",
    r"Input should be less than or equal to ": "give at most ",
    r"Input should be greater than or equal to ": "give at least ",
}
_OUTSIDE = r"([-+.e\d]+) is not in the range (?:([-.\d]+)<=)?x(?:<=([-.\d]+)|>=([-.\d]+))?$"

_LONGEST = 60  # characters of an argument that a message has whole


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


def build_app(arguments: Sequence[str] | None = None) -> Commands:
    """Return the command tree that these arguments need: the one command they name, or what the help lists.

    Without arguments, as while the shell completes a line, it is the whole tree.
    """
    app = Commands(
        help=f"""Play, record, validate and solve Othello and its house variants.

        Example: reversi play

        Example: reversi hint f5d6c3

        Example: reversi solve endgames.obf

        'reversi COMMAND --help' explains a command.

        {_PLACES}
        """,
        add_completion=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    _add(app, COMMANDS, arguments)
    return app


def _add(group: Commands, commands: dict[str, str | Group], arguments: Sequence[str] | None) -> None:
    """Add the command that the first argument names to a group; all of them where it names none.

    A command's module loads what it needs of the library: the others are left alone.
    """
    named = arguments[0] if arguments else ""
    for name in (named,) if named in commands else commands:
        found = commands[name]
        if isinstance(found, Group):
            inner = Commands(default=found.default)
            if arguments is None or name == named:
                _add(inner, found.commands, arguments and arguments[1:])
            group.add_typer(inner, name=name, help=found.help)
        else:
            module = import_module(f"reversi.cli.{found}")
            group.add(name, getattr(module, f"{name}_", None) or getattr(module, name))


def run(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name, or those that a person at a terminal chooses; return the status."""
    if not arguments and _COMPLETION not in os.environ:
        from reversi.cli.line_reader import at_terminal

        if at_terminal():
            return _run_chosen()
    return _run(arguments)


def _run_chosen() -> int:
    """Run what a person chooses, one command after the other, until they leave."""
    from reversi.cli.home import chosen

    try:
        while words := chosen():
            if (status := _run(words)) == Status.INTERRUPTED:
                return status
            out("")
    except KeyboardInterrupt:
        return int(Status.INTERRUPTED)
    return flushed(0)


def _run(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name; return its exit status."""
    try:
        app = build_app(None if _COMPLETION in os.environ else arguments)
        return flushed(app(arguments, prog_name="reversi", standalone_mode=False) or 0)
    except InstructionSetError as error:
        err(f"reversi: {error}")
        return int(Status.USAGE)
    except ImportError as error:
        if not (message := core_problem(error)):
            raise
        err(f"reversi: {message}")
        return int(Status.USAGE)
    except (typer.Abort, KeyboardInterrupt):
        return int(Status.INTERRUPTED)
    except OSError as error:  # of the help and the completion; commands handle their own
        if error.filename is None:
            return full_output(error)
        if "--install-completion" not in arguments:
            raise
        err(f"reversi: {error.filename}: cannot write: {reason(error)}")
        return int(Status.CANNOT_WRITE)
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        return quiet_pipe()  # Typer exits with 1 when the reader of the help has closed the pipe
    except Exception as error:
        if not isinstance(error, UsageError):
            raise
        return _usage(error, arguments)


def _usage(error: UsageError, arguments: Sequence[str]) -> int:
    """Say in one line what is wrong with the arguments; without any, show the help."""
    command = "reversi" if error.ctx is None else error.ctx.command_path
    message = error.format_message()
    if error.ctx is not None and message == error.ctx.get_help():  # a group without a command
        sys.stderr.write(f"{message}\n")
    else:
        message = " ".join(message.rstrip(".").split())
        for theirs, ours in _PLAINER.items():
            message = re.sub(theirs, ours, message)
        message = re.sub(_OUTSIDE, _bound, message)
        for word in (part for argument in arguments for part in (argument, argument.partition("=")[2])):
            if len(word) > _LONGEST:  # Click's own messages have it whole
                message = message.replace(repr(word), excerpt(word)).replace(word, excerpt(word))
        err(f"{command}: {message[:1].lower()}{message[1:]}; see '{command} --help'")
    return int(Status.USAGE)


def _bound(match: re.Match[str]) -> str:
    value, low, high, only = match.groups()
    least = low or only
    return f"give at least {least}" if least and float(value) < float(least) else f"give at most {high}"
