"""``reversi play``: a game, line by line, at a terminal or through a pipe."""

from __future__ import annotations

import contextlib
import datetime
import enum
import io
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, TextIO

import typer

from reversi import __version__
from reversi._core import Position
from reversi.atomic import write_atomically
from reversi.cli.console import Exit, command, err, fail, out, rules_option
from reversi.cli.dialogue import Dialogue
from reversi.cli.pasted import entries, read_input, to_move_option
from reversi.cli.status import Status
from reversi.clock import GameClock, TimeControl
from reversi.color import Color
from reversi.engine import DEFAULT_LEVEL, MAX_LEVEL, Engine
from reversi.errors import InputError
from reversi.game import Game
from reversi.records.from_game import record_from_game
from reversi.records.pgn_writer import write_record
from reversi.rules import Rules

_LONGEST_LINE: Final = 4096


class Player(enum.Enum):
    """Who plays a colour."""

    HUMAN = "human"
    ENGINE = "engine"


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("play")(_play)


@command
def _play(
    black: Annotated[Player, typer.Option(help="Who plays Black, who moves first.")] = Player.HUMAN,
    white: Annotated[Player, typer.Option(help="Who plays White.")] = Player.ENGINE,
    rules: Annotated[str, typer.Option(help="Rule set; see 'reversi rules list'.")] = "othello",
    start: Annotated[
        str,
        typer.Option(
            metavar="POSITION", help="Start from a board, or from the end of a transcript; a file or - as well."
        ),
    ] = "",
    to_move: Annotated[
        str,
        typer.Option("--to-move", metavar="black|white", help="The side to move where --start does not say it."),
    ] = "",
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the game here, anew after every move.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Makes the engine play the same game again; by default it varies.")
    ] = None,
    level: Annotated[int, typer.Option(min=1, max=MAX_LEVEL, help="The engine's strength.")] = DEFAULT_LEVEL,
    clock: Annotated[
        str, typer.Option(metavar="TIME", help="Time for each player, as in 5:00+3 (3 seconds more per move).")
    ] = "",
) -> None:
    """Play a game, one line at a time: f5 places a disc, -- passes, help lists what else there is.

    Example: reversi play

    Example: reversi play --black engine --white human --rules adjacent,optional-skip

    Example: printf 'f5\\nd6\\nquit\\n' | reversi play --white human --save game.pgn
    """
    game = Game(_start(start, rules_option(rules), to_move))
    control = _time_control(clock)
    seed = int.from_bytes(os.urandom(7), "big") if seed is None else seed
    players = {Color.BLACK: black, Color.WHITE: white}
    engines = {color: Engine(level, seed) if who is Player.ENGINE else None for color, who in players.items()}
    names = {color: "human" if engines[color] is None else f"engine level {level}" for color in Color}
    saver = _Saver(game, save, _tags(names, control))
    dialogue = Dialogue(
        game,
        engines,
        Engine(level, seed),
        read=_reader(),
        say=out,
        save=saver.save,
        clock=None if control is None else GameClock(control),
    )
    out(f"Black: {names[Color.BLACK]}. White: {names[Color.WHITE]}. Rules: {game.rules}.")
    try:
        dialogue.run()
    except KeyboardInterrupt:
        with contextlib.suppress(ValueError):  # outside the main thread no second interrupt can come
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        saver.save(None)
        raise
    if saver.status is not Status.DONE:
        raise Exit(saver.status)


def _start(text: str, rules: Rules, to_move: str) -> Position:
    side = to_move_option(to_move)
    if not text:
        start = Position(rules)
        return start if side is None else start.with_to_move(side)
    pasted = read_input(text)
    found = list(entries(pasted, rules, side))
    if len(found) != 1:
        fail(Status.BAD_DATA, f"{pasted.name or '--start'}: {len(found)} positions; a game starts from one")
    if found[0].position is None:
        fail(Status.BAD_DATA, f"{pasted.name or '--start'}: {found[0].error}")
    return found[0].position


def _time_control(text: str) -> TimeControl | None:
    try:
        return TimeControl.parse(text) if text else None
    except InputError as error:
        fail(Status.USAGE, f"--clock: {error}")


def _tags(names: dict[Color, str], control: TimeControl | None) -> dict[str, str]:
    tags = {
        str(color): name if name == "human" else f"reversi {__version__} {name.removeprefix('engine ')}"
        for color, name in names.items()
    }
    tags["Date"] = datetime.datetime.now().astimezone().strftime("%Y.%m.%d")
    if control is not None:
        tags["TimeControl"] = str(control)
    return tags


class _Saver:
    """Writes the record of a game to files, and remembers whether that failed."""

    def __init__(self, game: Game, path: Path | None, tags: dict[str, str]) -> None:
        self._game = game
        self._path = path
        self._tags = tags
        self._saved = False
        self.status = Status.DONE

    def save(self, path: Path | None) -> str:
        """Save to ``path``, or for ``None`` to where the game is always saved; what failed, or ""."""
        if path is not None:
            return self._write(path)
        if self._path is None:
            return ""
        failure = self._write(self._path)
        if not failure:
            self._saved = True
        elif not self._saved:  # before the first move: better no game than one that gets lost
            fail(Status.CANNOT_WRITE, failure)
        elif self.status is Status.DONE:
            self.status = Status.CANNOT_WRITE
            err(f"reversi: {failure}")
        return failure

    def _write(self, path: Path) -> str:
        try:
            write_atomically(path, write_record(record_from_game(self._game, self._tags)))
        except OSError as error:
            return f"{path}: cannot write: {error.strerror or error}"
        except ValueError as error:  # a name that no file can have
            return f"{path}: cannot write: {error}"
        return ""


def _reader() -> Callable[[str], str | None]:
    """The function that gets the next line: with a prompt at a terminal, silently from a pipe."""
    stream = sys.stdin
    if stream is None or stream.closed:
        return lambda prompt: None
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="surrogateescape")  # as in the names of files
    if isinstance(sys.stdout, io.TextIOWrapper):  # answers may name what was typed
        sys.stdout.reconfigure(errors="backslashreplace")
    if stream.isatty() and sys.stdout.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - gives the prompt line editing and a history
        return _ask
    return lambda prompt: _read_line(stream)


def _ask(prompt: str) -> str | None:
    sys.stdout.flush()
    try:
        return input(prompt)
    except EOFError:
        out()
        return None
    except KeyboardInterrupt:
        out()
        raise


def _read_line(stream: TextIO) -> str | None:
    """One line, only the beginning of one that is longer than any command."""
    sys.stdout.flush()
    line = rest = stream.readline(_LONGEST_LINE)
    while rest and not rest.endswith("\n"):
        rest = stream.readline(_LONGEST_LINE)
    return line.removeprefix("\ufeff") if line else None
