"""Arguments that only look like options: a board usually begins with empty squares, which are dashes."""

from __future__ import annotations

import re
from collections.abc import Iterable

_BOARD = re.compile(r"-[-.*XxOoBbWw|/\s]{14,}")


def protect_boards(arguments: Iterable[str]) -> list[str]:
    """The arguments with a blank before each one that is a board, so that no parser takes it for an option."""
    return [f" {argument}" if _BOARD.match(argument) else argument for argument in arguments]
