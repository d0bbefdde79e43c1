"""What is kept for the next session: what the screen shows, who plays, and the step of the first lesson."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal, TypeAlias

from reversi._system.files import naming
from reversi._system.state_files import StateFile
from reversi.errors import InputError

Switch: TypeAlias = Literal["marks", "flips", "evaluation"]
"""What the screen shows or not."""
Preference: TypeAlias = Literal["theme", "view", "name", "lesson"] | Switch


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
        return self._kept().get("theme", "")

    @property
    def view(self) -> str:
        """How the board is seen, as in `BoardTheme.view`; "" without a choice."""
        return self._kept().get("view", "")

    @property
    def name(self) -> str:
        """The name of the person who plays here, "" without one or where the file cannot be read."""
        return self._kept().get("name", "")

    @property
    def lesson(self) -> int:
        """The step of the first lesson to continue at, from 0; 0 without one."""
        text = self._kept().get("lesson", "")
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0

    def is_on(self, what: Switch, otherwise: bool) -> bool:
        """Return whether something is to be shown; ``otherwise`` where nobody has chosen."""
        return self._kept().get(what, "on" if otherwise else "off") == "on"

    def keep(self, what: Preference, value: str | int) -> None:
        """Keep a choice.

        Raises:
            OSError: the file cannot be written; the message names it.
        """
        if self._file is None or self._kept().get(what, "") == str(value):
            return
        with naming(self._file.path):
            self._file.change(lambda kept: kept.update({what: str(value)}))

    def _kept(self) -> dict[str, str]:
        try:
            return {} if self._file is None else self._file.read()
        except (OSError, InputError):
            return {}


def _choices(data: bytes) -> dict[str, str]:
    """Return the choices that a file keeps; a damaged one keeps none."""
    try:
        kept = dict(json.loads(data))
    except (ValueError, TypeError, RecursionError):
        return {}
    return {key: text for key, text in kept.items() if isinstance(text, str) and text.isprintable()}


def _text(choices: dict[str, str]) -> str:
    return json.dumps(choices) + "\n"
