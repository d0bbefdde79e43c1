"""What the commands on records share: files of games, their names, and counts in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from reversi.cli.console import Exit, read_bytes
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.reading import TextFormat, read_games, recognise
from reversi.records.entry import Entry
from reversi.records.files import MAX_BYTES, decode_records
from reversi.rules import Rules

RulesOption = Annotated[str, typer.Option(help="Rule set of games that do not name their own.")]


def read_text(path: str) -> str:
    """The text of a file of records.

    Raises:
        Exit: there is no such file, or it holds no text that could be records.
    """
    name = source_name(path)
    try:
        return decode_records(read_bytes(path, MAX_BYTES), name)
    except InputError as error:
        raise Exit(Status.BAD_DATA, str(error)) from None


def text_games(text: str, rules: Rules, form: TextFormat | None = None) -> Iterator[Entry]:
    """The games of a text in a form that is read whole.

    Raises:
        InputError: there is no game in it, or they are in GGF.
    """
    form = form or recognise(text)
    if form is TextFormat.GGF:
        raise InputError("games in GGF, which can only be shown")
    return read_games(text, rules=rules, form=form)


def source_name(path: str) -> str:
    """What a message calls the source of records."""
    return "standard input" if path == "-" else path


def counted(number: int, what: str) -> str:
    """A number of things in words."""
    return f"{number} {what}{'' if number == 1 else 's'}"
