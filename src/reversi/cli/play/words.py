"""The words that the line dialogue of ``reversi play`` knows: one table for the help, completion and the docs."""

from __future__ import annotations

import difflib
from typing import Final, NamedTuple

__all__ = ["WORDS", "Word", "find_word", "help_text", "markdown_table", "suggestion"]


class Word(NamedTuple):
    """A command of the dialogue.

    Attributes:
        name: the word.
        arguments: what may follow it, as the help shows it.
        meaning: what it does.
        short: other words for the same; those that Edax has are among them.
    """

    name: str
    arguments: str
    meaning: str
    short: tuple[str, ...] = ()


WORDS: Final = (
    Word("undo", "[N]", "take back your last move, or your last N", ("u",)),
    Word("redo", "[N]", "play what was taken back again", ("r",)),
    Word("hint", "[N]", "show the best N moves (3)", ("h",)),
    Word("explain", "[MOVE]", "why a move is good or bad, or each of the best ones"),
    Word("go", "", "let the engine play this move for you", ("g",)),
    Word("pause", "", "stop the clocks and the engines; go then plays one move at a time", ("wait",)),
    Word("continue", "", "let the clocks and the engines run again", ("c",)),
    Word("play", "MOVES", "play several moves for both sides, as in play f5d6", ("force",)),
    Word("turn", "SQUARES|all", "with --flipping manual: turn these discs, or turn them back", ("flip",)),
    Word("done", "", "with --flipping manual: end your turn"),
    Word("moves", "", "list what may be played"),
    Word("board", "", "show the board again", ("show", "b")),
    Word("clock", "", "show the clocks", ("time",)),
    Word("rules", "", "explain the rules of this game"),
    Word("new", "[RULES]", "begin another game", ("init", "i")),
    Word("opening", "NAME", "begin another game with a named opening"),
    Word("xot", "[SEED]", "begin another game with a random balanced opening"),
    Word("setboard", "BOARD", "begin another game from a board, a line of OBF or a transcript"),
    Word("mode", "[0-3]", "who plays: 0 you Black, 1 you White, 2 engine both, 3 you both", ("m",)),
    Word("level", "[N]", "show or set the engine's level", ("l",)),
    Word(
        "open",
        "FILE[#G][@P]",
        "look at a recorded game, the G-th of the file after ply P, and play on with continue",
        ("load",),
    ),
    Word("save", "FILE", "save the game so far", ("s",)),
    Word("record", "", "show the record of the game", ("pgn",)),
    Word("resign", "", "give up"),
    Word("help", "", "show this", ("?",)),
    Word("quit", "", "leave; reversi play --resume continues an unfinished game", ("q", "exit")),
)
"""Every word, in the order of the help."""

_BY_NAME: Final = {name: word for word in WORDS for name in (word.name, *word.short)}


def find_word(text: str) -> Word | None:
    """The word that a line begins with, under any of its names, in any case."""
    return _BY_NAME.get(text.lower())


def suggestion(text: str) -> str | None:
    """The word that a mistyped one is most like."""
    close = difflib.get_close_matches(text.lower(), [name for name in _BY_NAME if len(name) > 1], n=1)
    return close[0] if close else None


def help_text() -> str:
    """The help: moves first, then every word."""
    rows = [("f5", "place a disc on f5"), ("--", "pass; a turn without a placement is passed by itself")]
    rows += [(f"{word.name} {word.arguments}".strip(), _meaning(word)) for word in WORDS]
    width = max(len(left) for left, _ in rows)
    return "\n".join(f"{left:{width}}  {right}" for left, right in rows)


def _meaning(word: Word) -> str:
    return f"{word.meaning} ({', '.join(word.short)})" if word.short else word.meaning


def markdown_table() -> str:
    """The same as a table for the documentation."""
    rows = ["| type | also | what it does |", "|---|---|---|"]
    for word in WORDS:
        typed = f"{word.name} {word.arguments}".strip().replace("|", "\\|")
        also = ", ".join(f"`{name}`" for name in word.short)
        rows.append(f"| `{typed}` | {also} | {word.meaning} |")
    return "\n".join(rows) + "\n"
