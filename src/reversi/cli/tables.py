"""The option ``--columns`` of commands, and the question about columns that are guessed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from reversi.cli.console import asked, err, is_terminal_err, is_terminal_in, refused
from reversi.cli.options import option
from reversi.records.formats.tables.columns import ROLES, Columns, ColumnsError, Guess, parse_columns
from reversi.records.formats.tables.table import TableOptions


def _completed(incomplete: str) -> list[str]:
    """Return what the shell may complete: what a column says, after those that are given."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{role}=" for role in ROLES if role.startswith(last)] if "=" not in last else []


ColumnsOption = Annotated[
    list[str] | None,
    option(
        "WHAT=COLUMN",
        "Read tables (CSV, JSON lines, Parquet) with these columns: moves=3,black=Name,white=Opponent.",
        "--columns",
        show_default="guessed",
        autocompletion=_completed,
    ),
]


def table_options(
    columns: list[str] | None, before: Callable[[], None] = lambda: None, encoding: str = ""
) -> TableOptions:
    """Return how tables are read: as ``--columns`` says; else a person at the terminal is asked about a guess.

    Args:
        columns: the values of the option.
        before: called before a question is written.
        encoding: the encoding of texts.
    """
    with refused("--columns"):
        wanted = parse_columns(columns or ())
    if wanted or not (is_terminal_in() and is_terminal_err()):
        return TableOptions(wanted, encoding=encoding)
    return TableOptions(confirm=_Question(before), encoding=encoding)


class _Question:
    """Asks about a guess, once for all tables with the same columns."""

    def __init__(self, before: Callable[[], None]) -> None:
        self._before = before
        self._answers: dict[tuple[object, ...], Columns | None] = {}

    def __call__(self, name: str, guess: Guess) -> Columns | None:
        key = (*guess.columns.items(), guess.unread)
        if key not in self._answers:
            self._before()
            self._answers[key] = _asked(name, guess)
        return self._answers[key]


def _asked(name: str, guess: Guess) -> Columns | None:
    err(f"{name}: {guess}" if guess.columns else f"{name}: {guess.doubt}; columns: {', '.join(guess.unread)}")
    if guess.columns and guess.doubt:
        err(f"not certain: {guess.doubt}")
    has_moves = "moves" in guess.columns
    choices = "Enter for yes, n for no, or other columns" if has_moves else "The columns"
    while True:
        line = asked(f"{'Read it so? ' if has_moves else ''}{choices} (moves=3,black=Name,…): ")
        answer = line.strip()
        if not line or answer.casefold() in ("n", "no"):
            return None
        if has_moves and answer.casefold() in ("", "y", "yes"):
            return guess.columns
        try:
            if columns := parse_columns([answer.strip('"')] if answer else []):
                return columns
        except ColumnsError as error:
            err(str(error))
