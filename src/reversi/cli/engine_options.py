"""Options of commands that search with the engine: apart from the others, because they need its levels."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer

from reversi.arguments import MAX_HASH_MB, excerpt
from reversi.cli.console import fail
from reversi.cli.option_groups import Flag, Table, excludes
from reversi.cli.options import option
from reversi.cli.status import Status
from reversi.engine.levels import (
    AUTO,
    HINT_LEVEL,
    LADDER,
    LEVEL_CHOICES,
    NAMED_LEVELS,
    parse_level,
)
from reversi.errors import InputError
from reversi.openings.book import STANDARD, Book, BookError, Books, open_books
from reversi.rules import Rules


def check_level(text: str | None) -> str | None:
    """Refuse a level that does not exist."""
    if text is not None:
        try:
            parse_level(text)
        except InputError:
            raise typer.BadParameter(f"give {LEVEL_CHOICES}, not {excerpt(text)}") from None
    return text


def complete_level(incomplete: str) -> list[str]:
    """Return the levels that begin with a text, for the completion of the shell; the names without any."""
    return [name for name in map(str, LADDER if incomplete else NAMED_LEVELS) if name.startswith(incomplete)]


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


def book_option(default: str) -> Any:
    """Return ``--book FILE``, which may be repeated.

    Args:
        default: which books there are without it, in words.
    """
    return option(
        "FILE",
        f"Use the opening book in FILE; {STANDARD} is the built-in one. Repeat it for several: the first with a"
        " move for a position answers.",
        "--book",
        show_default=default,
    )


@dataclass(frozen=True)
class BookOptions:
    """The opening books of a command that uses one without being asked."""

    TABLE: ClassVar[Table] = excludes("--book", "--no-book")

    book: Annotated[list[str] | None, book_option(f"those of the configuration file, else {STANDARD}")] = None
    no_book: Annotated[bool, Flag("Use no opening book.")] = False

    def open(self, *rules: Rules) -> Books | None:
        """Return the books; ``None`` for no book.

        Args:
            rules: books that were given must be for one of these; by default for any.
        """
        if self.no_book:
            return None
        if self.book:
            return open_books(self.book, rules)
        from reversi.cli.config import configured_books

        configured = configured_books()
        names = [STANDARD] if configured is None else configured
        return open_books(names) if names else None

    def check(self, books: Books | None, rules: Rules) -> None:
        """Refuse rules that no book that was given is for, by a `BookError`."""
        given = books.books if self.book and books is not None else ()
        if given and not any(book.names == (STANDARD,) or book.rules.same_play(rules) for book in given):
            raise BookError(f"{books}: for {given[0].rules}, not for {rules}")


def own_book(path: str) -> Book:
    """Return the book in a file, which may change; the built-in one ends the command."""
    if path == STANDARD:
        copy = f"'reversi book prune {STANDARD} --output FILE' copies it"
        fail(Status.USAGE, f"{STANDARD} is the built-in book, which does not change; {copy}")
    return open_books([path]).books[0]


def book_journal(path: str, rules: Rules) -> Path:
    """Return the journal of the book in a file, for games of these rules; no such book ends the command."""
    from reversi.openings.journal import journal_of

    book = own_book(path)
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
        "MB",
        "Use a hash table of MB megabytes.",
        "--hash",
        min=1,
        max=MAX_HASH_MB,
        show_default="1 to 128, by the level or time",
    ),
]
