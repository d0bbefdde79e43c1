"""What ``reversi`` alone shows at a terminal: what a player begins with, one key each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import typer

from reversi._system.paths import exists
from reversi.cli.console import out
from reversi.cli.state import database_path, state_folder


class Choice(NamedTuple):
    """A line of the menu; its key is the first letter of its name.

    Attributes:
        name: the word.
        meaning: its effect.
        words: the command that it runs.
    """

    name: str
    meaning: str
    words: tuple[str, ...]


def choices(state: Path, database: Path) -> Iterator[Choice]:
    """Yield what a person can do, of a state folder and a database only what is there."""
    from reversi.cli.history import history_path
    from reversi.errors import InputError
    from reversi.person.history import History
    from reversi.session.saving import SessionFolder

    try:
        has_games = bool(History(history_path(state)).games)
    except (InputError, OSError):
        has_games = True  # the command says what is wrong with the file
    yield Choice("learn", "the game in three minutes", ("learn",))
    yield Choice("play", "a game with an engine of your level", ("play",))
    if SessionFolder(state / "games").unfinished():
        yield Choice("continue", "the game that you left", ("play", "--resume", ""))
    if has_games:
        yield Choice("review", "your last game", ("play", "--view", "review"))
    yield Choice("train", "exercises at your level", ("train",))
    if has_games:
        yield Choice("history", "your results and usual mistakes", ("history",))
    games = " and games" if exists(database) else ""
    yield Choice("explore", f"every move with its value{games}", ("play", "--view", "explore"))


def chosen() -> tuple[str, ...]:
    """Show the menu, and wait for a key; return the words of the command, none where the person leaves.

    Raises:
        KeyboardInterrupt: the person pressed Ctrl-C.
    """
    given = os.environ.get("REVERSI_STATE")
    state = state_folder(Path(given) if given else None)
    offered = {choice.name[0]: choice for choice in choices(state, database_path(""))}
    out("What would you like to do? Press a key.\n")
    for key, choice in offered.items():
        out(f"  {key}  {choice.name:<8}  {choice.meaning}")
    out("  q  quit      'reversi --help' lists every command")
    while True:
        try:
            key = typer.getchar().lower()
        except EOFError:
            return ()
        if key in ("q", "\x1b", "\x04", ""):
            return ()
        if key in offered:
            words = offered[key].words
            out(f"\nreversi {' '.join(filter(None, words))}")
            return words
