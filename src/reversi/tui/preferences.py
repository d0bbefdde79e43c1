"""The choices that the full screen keeps for the next session: the theme."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from reversi._system.files import write_atomically

__all__ = ["Preferences"]

_THEME: Final = "theme"


class Preferences:
    """A small file of choices.

    Args:
        path: the file; saving makes its folder. ``None`` keeps nothing.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    @property
    def theme(self) -> str:
        """The name of the kept theme, "" without one or where the file cannot be read."""
        if self._path is None:
            return ""
        try:
            theme = json.loads(self._path.read_bytes())[_THEME]
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return ""
        return theme if isinstance(theme, str) else ""

    def keep_theme(self, name: str) -> None:
        """Keep the name of a theme.

        Raises:
            OSError: the file cannot be written; the message names it.
        """
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(self._path, json.dumps({_THEME: name}) + "\n")
        except OSError as error:
            raise OSError(f"{self._path}: cannot write: {error.strerror or error}") from None
