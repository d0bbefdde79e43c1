"""What ``reversi`` alone shows at a terminal: what a player begins with, one key each."""

from __future__ import annotations

from typing import Final, NamedTuple

import typer

from reversi.cli.console import out


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


CHOICES: Final = (
    Choice("learn", "the game in three minutes", ("learn",)),
    Choice("play", "against the engine, which follows your results", ("play",)),
    Choice("continue", "the game that you left", ("play", "--resume", "")),
    Choice("review", "your last game", ("play", "--view", "review")),
    Choice("train", "with exercises from your games", ("train",)),
    Choice("explore", "every move, with its value and the games that played it", ("play", "--view", "explore")),
)


def chosen() -> tuple[str, ...]:
    """Show the menu, and wait for a key; return the words of the command, none where the person leaves.

    Raises:
        KeyboardInterrupt: the person pressed Ctrl-C.
    """
    out("What would you like to do? Press a key.\n")
    for choice in CHOICES:
        out(f"  {choice.name[0]}  {choice.name:<8}  {choice.meaning}")
    out("  q  leave; 'reversi --help' lists every command")
    while True:
        try:
            key = typer.getchar().lower()
        except EOFError:
            return ()
        if key in ("q", "\x1b", "\x04", ""):
            return ()
        for choice in CHOICES:
            if key == choice.name[0]:
                out(f"\nreversi {' '.join(filter(None, choice.words))}")
                return choice.words
