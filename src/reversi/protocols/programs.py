"""Other programs that play, as users name them: ``gtp:COMMAND``, ``nboard:COMMAND``, ``python:MODULE:CLASS``.

Each is code that runs with the rights of the user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reversi.arguments import check_type, excerpt
from reversi.errors import InputError
from reversi.protocols.process import split_command

if TYPE_CHECKING:
    from reversi.engine.player import Player
    from reversi.protocols.client import ExternalEngine

PROGRAM_KINDS: Final = ("gtp", "nboard", "python")


def check_program(text: str) -> None:
    """Refuse a text that cannot name a program; whether it exists, its start says.

    Raises:
        InputError: an unknown kind, an empty or badly quoted command, or no class.
    """
    check_type("text", text, str)
    kind, _, command = text.partition(":")
    if kind not in PROGRAM_KINDS:
        raise InputError(
            f"{excerpt(text)} is not a program; write gtp:COMMAND, nboard:COMMAND, or python:MODULE:CLASS"
        )
    if kind == "python":
        from reversi.protocols.bots import check_bot

        check_bot(command)
    else:
        split_command(command)


def open_engine(
    text: str, *, name: str = "", answer_s: float | None = None, move_s: float | None = None
) -> ExternalEngine:
    """Return the client of an external engine, which starts at its first use.

    Args:
        text: ``gtp:COMMAND`` or ``nboard:COMMAND``.
        name: the engine's name in messages; by default its command.
        answer_s: seconds in which it must answer a command that does not think.
        move_s: seconds in which it must move without a clock and without a time.

    Raises:
        InputError: the text is neither, or a number is out of range.
    """
    check_type("text", text, str)
    check_type("name", name, str)
    from reversi.protocols.client import ANSWER_S, MOVE_S
    from reversi.protocols.gtp_client import GtpEngine
    from reversi.protocols.nboard_client import NBoardEngine

    kind, _, command = text.partition(":")
    if kind not in ("gtp", "nboard"):
        what = "a bot, not an external engine" if kind == "python" else "not an external engine"
        raise InputError(f"{excerpt(text)} is {what}; write gtp:COMMAND or nboard:COMMAND")
    check_program(text)
    made = GtpEngine if kind == "gtp" else NBoardEngine
    return made(
        command.strip(),
        name=name,
        answer_s=ANSWER_S if answer_s is None else answer_s,
        move_s=MOVE_S if move_s is None else move_s,
    )


def open_program(text: str, *, name: str = "") -> Player:
    """Return the player that a program is.

    Raises:
        InputError: the text names none.
        PlayerError: a bot cannot be made; an external engine fails at its first use.
    """
    kind, _, command = text.partition(":")
    if kind != "python":
        return open_engine(text, name=name)
    from reversi.protocols.bots import load_bot

    return load_bot(command)
