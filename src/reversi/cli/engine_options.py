"""Options of commands that search with the engine: apart from the others, because they need its levels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from reversi.cli.console import fail, reading
from reversi.cli.options import option
from reversi.cli.status import Status
from reversi.engine.levels import AUTO, BEGINNER_LEVELS, HINT_LEVEL, LADDER, LEVEL_CHOICES, parse_level
from reversi.errors import InputError
from reversi.openings.book import Book, default_book
from reversi.rules import Rules


def check_level(text: str | None) -> str | None:
    """Refuse a level that does not exist."""
    if text is not None:
        try:
            parse_level(text)
        except InputError:
            raise typer.BadParameter(f"give {LEVEL_CHOICES}, not {text!r:.40}") from None
    return text


def complete_level(incomplete: str) -> list[str]:
    """Return the levels that begin with a text, for the completion of the shell; the names without any."""
    return [name for name in map(str, LADDER if incomplete else BEGINNER_LEVELS) if name.startswith(incomplete)]


def check_level_or_auto(text: str | None) -> str | None:
    """Refuse a level that does not exist; ``auto`` is one."""
    return text if text == AUTO else check_level(text)


def level_option(help: str, *, auto: bool = False, **more: Any) -> Any:  # noqa: A002 - Typer's name
    """Return an option for a level; the command reads its text with `level_value`.

    Args:
        help: what it does.
        auto: whether ``auto`` is a level too.
        more: more arguments of the option.
    """
    check = check_level_or_auto if auto else check_level
    return typer.Option(metavar="LEVEL", callback=check, autocompletion=complete_level, help=help, **more)


def level_value(text: str | None, default: int) -> int | str:
    """Return the level that an option gave."""
    return default if text is None else parse_level(text)


def open_book(path: str) -> Book:
    """Return the book in a file, or the built-in one for an empty path; a damaged one ends the command."""
    with reading(path):
        return Book(Path(path)) if path else default_book()


def book_journal(path: str, rules: Rules) -> Path:
    """Return the journal of the book in a file, for games of these rules; no such book ends the command."""
    from reversi.openings.journal import journal_of

    book = open_book(path)
    if not book.rules.same_play(rules):
        fail(Status.USAGE, f"--add-to-book: {path} is a book for {book.rules}, the games are of {rules}")
    return journal_of(path)


AddToBookOption = Annotated[
    str,
    option(
        "BOOK",
        "Write each finished game to the journal of this book, from which 'reversi book grow' takes it.",
        "--add-to-book",
    ),
]
LevelOption = Annotated[
    str | None,
    level_option("Search at this level; a higher one searches deeper.", show_default=str(HINT_LEVEL)),
]
EngineHashOption = Annotated[
    int | None,
    option(
        "MB", "Use a hash table of MB megabytes.", "--hash", min=1, show_default="1 to 128, by the level or time"
    ),
]
