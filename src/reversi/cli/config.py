"""The configuration file: a TOML file of the user, with opening books, and engines that have names.

It is ``config.toml`` in the user's configuration folder, or the file that ``REVERSI_CONFIG`` names::

    book = ["mine.book", "standard"]

    [engines]
    rhino = "gtp:gtp-rhino"
    edax = "nboard:edax -nboard -l 12"
    booked = "engine:8 book=mine.book"

Paths of books are relative to its folder.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import reversi._regex as re
from reversi.arguments import excerpt, read_up_to
from reversi.cli.console import fail, reason
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.openings.book import book_path
from reversi.protocols.programs import check_program

_NAME = re.compile(r"[A-Za-z][\w.+-]{0,39}")
_KEYS = {"book", "engines"}
_RESERVED = {"human", "engine", "gtp", "nboard", "python"}


def config_path() -> Path:
    """Return the path of the configuration file, which need not exist."""
    if given := os.environ.get("REVERSI_CONFIG"):
        return Path(given)
    from platformdirs import user_config_path

    return user_config_path("reversi", appauthor=False) / "config.toml"


def configured_books() -> list[str] | None:
    """Return the opening books that the configuration file names; ``None`` where it says nothing about them."""
    path, values = _read()
    books = values.get("book")
    if books is None:
        return None
    names = [books] if isinstance(books, str) else books
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        fail(Status.BAD_DATA, f'{path}: book must be a file or a list of files: book = ["mine.book", "standard"]')
    return [book_path(name, path.parent) for name in names]


def named_engines() -> dict[str, str]:
    """Return the engines of the configuration file: their names, and texts such as ``gtp:COMMAND``."""
    return _engines(*_read())


def _read() -> tuple[Path, dict[str, Any]]:
    """Return the configuration file and its values; none without a file, and a damaged one ends the command."""
    path = config_path()
    try:
        with path.open("rb") as stream:
            data = read_up_to(stream, str(path))
    except FileNotFoundError:
        if os.environ.get("REVERSI_CONFIG"):
            fail(Status.NO_INPUT, f"{path}: no such file; REVERSI_CONFIG names it")
        return path, {}
    except OSError as error:
        fail(Status.NO_INPUT, f"{path}: cannot read: {reason(error)}")
    import tomllib

    try:
        values = tomllib.loads(data.decode("utf-8"))
    except ValueError as error:  # of UTF-8 too
        fail(Status.BAD_DATA, f"{path}: {error}")
    if unknown := sorted(set(values) - _KEYS):
        fail(
            Status.BAD_DATA,
            f"{path}: unknown key {excerpt(unknown[0])}; the file has book and the table [engines]",
        )
    return path, values


def _engines(path: Path, values: dict[str, Any]) -> dict[str, str]:
    from reversi.session.players import books_in, parse_side

    table = values.get("engines", {})
    if not isinstance(table, dict):
        fail(Status.BAD_DATA, f"{path}: engines must be a table: [engines]")
    for name, text in table.items():
        if not _NAME.fullmatch(name) or name.lower() in _RESERVED:
            fail(Status.BAD_DATA, f"{path}: {excerpt(name)} cannot be the name of an engine")
        try:
            if not isinstance(text, str):
                raise InputError("write a text such as gtp:COMMAND")
            if not text.startswith("engine"):
                check_program(text)
                continue
            plain, books = books_in(text, path.parent)
            parse_side(plain)
            table[name] = " book=".join((plain, *books))
        except InputError as error:
            fail(Status.BAD_DATA, f"{path}: engine {name}: {error}")
    return table


def named_engine(text: str) -> tuple[str, str]:
    """Return an engine that the configuration file names, and this name; another text as it is, without a name."""
    if not _NAME.fullmatch(text) or text.lower() in _RESERVED or text not in (engines := named_engines()):
        return text, ""
    return engines[text], text
