"""Arguments that no parser takes as they are meant: boards that begin with dashes, options that need no value."""

from __future__ import annotations

import re
from collections.abc import Iterable

_BOARD = re.compile(r"-[-.*XxOoBbWw|/\s]{14,}")

_VALUE_OR_NONE = ("--xot", "--resume")  # the options of play that may stand without a value


def protect_boards(arguments: Iterable[str]) -> list[str]:
    """The arguments with a blank before each one that is a board, so that no parser takes it for an option."""
    return [f" {argument}" if _BOARD.match(argument) else argument for argument in arguments]


def complete_options(arguments: Iterable[str]) -> list[str]:
    """The arguments of ``play`` with an empty value where an option has none: ``--xot`` becomes ``--xot=``."""
    given = list(arguments)
    if "play" not in given[:1]:
        return given
    following = [*given[1:], "--"]
    return [
        f"{argument}=" if argument in _VALUE_OR_NONE and after.startswith("-") and after != "-" else argument
        for argument, after in zip(given, following, strict=False)
    ]
