"""What is kept for the next session: the theme, the name of the person, and the step of the first lesson."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from reversi._system.state_files import StateFile
from reversi.errors import InputError

_THEME: Final = "theme"
_NAME: Final = "name"
_LESSON: Final = "lesson"


class Preferences:
    """A small file of choices.

    Args:
        path: the file; saving makes its folder. ``None`` keeps nothing.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._file = None if path is None else StateFile(path, new=dict, parse=_choices, text=_text)

    @property
    def theme(self) -> str:
        """The name of the kept theme, "" without one or where the file cannot be read."""
        return self._kept().get(_THEME, "")

    @property
    def name(self) -> str:
        """The name of the person who plays here, "" without one or where the file cannot be read."""
        return self._kept().get(_NAME, "")

    def keep_theme(self, name: str) -> None:
        """Keep the name of a theme.

        Raises:
            OSError: the file cannot be written; the message names it.
        """
        self._keep(_THEME, name)

    def keep_name(self, name: str) -> None:
        """Keep the name of the person who plays here.

        Raises:
            OSError: the file cannot be written; the message names it.
        """
        self._keep(_NAME, name)

    @property
    def lesson(self) -> int:
        """The step of the first lesson to continue at, from 0; 0 without one."""
        text = self._kept().get(_LESSON, "")
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0

    def keep_lesson(self, step: int) -> None:
        """Keep the step of the first lesson to continue at, 0 for its beginning.

        Raises:
            OSError: the file cannot be written; the message names it.
        """
        if step != self.lesson:
            self._keep(_LESSON, str(step))

    def _kept(self) -> dict[str, str]:
        try:
            return {} if self._file is None else self._file.read()
        except (OSError, InputError):
            return {}

    def _keep(self, key: str, text: str) -> None:
        if self._file is None:
            return
        try:
            self._file.change(lambda kept: kept.update({key: text}))
        except OSError as error:
            raise OSError(f"{self._file.path}: cannot write: {error.strerror or error}") from None


def _choices(data: bytes) -> dict[str, str]:
    """Return the choices that a file keeps; a damaged one keeps none."""
    try:
        kept = dict(json.loads(data))
    except (ValueError, TypeError, RecursionError):
        return {}
    return {key: text for key, text in kept.items() if isinstance(text, str) and text.isprintable()}


def _text(choices: dict[str, str]) -> str:
    return json.dumps(choices) + "\n"
