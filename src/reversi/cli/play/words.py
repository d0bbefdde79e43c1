"""The commands of the line dialogue of ``reversi play``: one table for the help, completion and the docs."""

from __future__ import annotations

import difflib
from typing import Final, NamedTuple

__all__ = ["WORDS", "Word", "find_word", "help_text", "markdown_table", "suggestion"]


class Word(NamedTuple):
    """A command of the dialogue.

    Attributes:
        name: the word.
        arguments: its arguments, as the help shows them.
        meaning: its effect.
        short: other words for it, those of Edax among them.
    """

    name: str
    arguments: str
    meaning: str
    short: tuple[str, ...] = ()


WORDS: Final = (
    Word("undo", "[N]", "take back your last move, or your last N moves", ("u",)),
    Word("redo", "[N]", "redo a turn that you took back, or N turns", ("r",)),
    Word("hint", "[N]", "show the N best moves (default 3)", ("h",)),
    Word("explain", "[MOVE]", "say why a move, or each of the best moves, is good or bad"),
    Word("go", "", "let the engine play this move for you", ("g",)),
    Word("pause", "", "stop the clocks and the engines; go then plays one move at a time", ("wait",)),
    Word("continue", "", "let the clocks and the engines run again", ("c",)),
    Word("play", "MOVES", "play several moves for both sides, as in play f5d6", ("force",)),
    Word("flip", "SQUARES|all", "with --flipping manual: flip these discs, or flip them back", ("turn",)),
    Word("done", "", "with --flipping manual: finish your flips"),
    Word("moves", "", "list the legal moves"),
    Word("board", "", "show the board again", ("show", "b")),
    Word("clock", "", "show the clocks", ("time",)),
    Word("rules", "", "explain the rules of this game"),
    Word("new", "[RULES]", "begin another game", ("init", "i")),
    Word("opening", "NAME", "begin another game with a named opening"),
    Word("xot", "[SEED]", "begin another game with a random balanced opening"),
    Word("setboard", "BOARD", "begin another game from a board, a line of OBF or a transcript"),
    Word("mode", "[0-3]", "show or set who plays: you Black (0), White (1), neither (2) or both (3)", ("m",)),
    Word("level", "[N]", "show or set the engine's level", ("l",)),
    Word(
        "open",
        "FILE[#G][@P]",
        "look at the G-th game of a file after ply P; continue plays it from there",
        ("load",),
    ),
    Word("save", "FILE", "save the game so far", ("s",)),
    Word("record", "", "show the record of the game", ("pgn",)),
    Word("resign", "", "resign the game"),
    Word("help", "", "show this help", ("?",)),
    Word("quit", "", "leave; reversi play --resume continues an unfinished game", ("q", "exit")),
)
"""Every word, in the order of the help."""

_BY_NAME: Final = {name: word for word in WORDS for name in (word.name, *word.short)}


def find_word(text: str) -> Word | None:
    """Return the command with this name, in any case, or ``None``."""
    return _BY_NAME.get(text.lower())


def suggestion(text: str) -> str | None:
    """Return the command name that a mistyped word resembles most, or ``None``."""
    close = difflib.get_close_matches(text.lower(), [name for name in _BY_NAME if len(name) > 1], n=1)
    return close[0] if close else None


def help_text() -> str:
    """Return the help: moves first, then every command."""
    rows = [("f5", "place a disc on f5"), ("--", "pass; the program plays forced passes for you")]
    rows += [(f"{word.name} {word.arguments}".strip(), _meaning(word)) for word in WORDS]
    width = max(len(left) for left, _ in rows)
    return "\n".join(f"{left:{width}}  {right}" for left, right in rows)


def _meaning(word: Word) -> str:
    return f"{word.meaning} ({', '.join(word.short)})" if word.short else word.meaning


def markdown_table() -> str:
    """Return the same as a table for the documentation."""
    rows = ["| type | also | what it does |", "|---|---|---|"]
    for word in WORDS:
        typed = f"{word.name} {word.arguments}".strip().replace("|", "\\|")
        also = ", ".join(f"`{name}`" for name in word.short)
        rows.append(f"| `{typed}` | {also} | {word.meaning} |")
    return "\n".join(rows) + "\n"
