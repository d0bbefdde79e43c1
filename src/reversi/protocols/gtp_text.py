"""The text of GTP, the Go Text Protocol, version 2: command lines, colors, vertices and answers.

Source: Gunnar Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2", 2002
(lysator.liu.se/~gunnar/gtp). A vertex is a square of the Othello board: a letter, then the row counted from the
top.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import reversi._regex as re
from reversi._core import PASS, Move
from reversi.color import Color
from reversi.errors import InvalidMoveError

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_ID = re.compile(r"[0-9]{1,10}")
_COLORS: Final = {"b": Color.BLACK, "black": Color.BLACK, "w": Color.WHITE, "white": Color.WHITE}
_PASSES: Final = ("pass", "pa", "--")


@dataclass(frozen=True, slots=True)
class GtpCommand:
    """One command line.

    Attributes:
        name: the command; empty where the line has an id alone.
        arguments: its arguments.
        id: the number before it as it was written, or "" for none.
    """

    name: str
    arguments: tuple[str, ...] = ()
    id: str = ""


def clean_line(line: str) -> str:
    """Return a line as the protocol prescribes: without control characters and comment, a tab as a blank."""
    return _CONTROL.sub("", line).replace("\t", " ").partition("#")[0].strip(" ")


def parse_command(line: str) -> GtpCommand | None:
    """Read a command line; ``None`` for a line that holds none (blank, or only a comment)."""
    words = [word for word in clean_line(line).split(" ") if word]
    if not words:
        return None
    number = words.pop(0) if _ID.fullmatch(words[0]) else ""
    return GtpCommand(words[0] if words else "", tuple(words[1:]), number)


def format_answer(text: str, number: str = "", *, failed: bool = False) -> str:
    """Return an answer with its empty line: ``=5 text``, or ``?5 text`` for a failure."""
    head = f"{'?' if failed else '='}{number}"
    return f"{head} {text}\n\n" if text else f"{head}\n\n"


def parse_color(text: str) -> Color | None:
    """Read a color, ``b``, ``black``, ``w`` or ``white`` in any case; ``None`` for anything else."""
    return _COLORS.get(text.lower())


def parse_vertex(text: str) -> Move | None:
    """Read a square or a pass in any case; ``None`` for anything else."""
    if text.lower() in _PASSES:
        return PASS
    try:
        move = Move.parse(text.lower())
    except InvalidMoveError:
        return None
    return None if move.is_pass else move


def format_vertex(move: Move) -> str:
    """Return a move as GTP writes it: ``f5``, ``pass``."""
    return "pass" if move.is_pass else str(move)
