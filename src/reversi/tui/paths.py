"""Completing the name of a file while a person types it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from reversi._system.paths import expanded, is_folder

_MOST: Final = 10_000  # names of a folder to look at


def complete_path(text: str) -> tuple[str, list[str]]:
    """Return a path completed as far as it is certain, and the names that it can become.

    A folder ends with a slash. Hidden names need their dot. A text that begins no path stays as it is.

    Args:
        text: the beginning of a path; ``~`` is the home folder.
    """
    head, name = os.path.split(text)
    folder = expanded(head) if head else Path()
    try:
        with os.scandir(folder) as entries:
            found = [
                f"{entry.name}/" if is_folder(entry.path) else entry.name
                for _, entry in zip(range(_MOST), entries, strict=False)
                if entry.name.startswith(name) and (name.startswith(".") or not entry.name.startswith("."))
            ]
    except (OSError, ValueError):
        return text, []
    if not found:
        return text, []
    first, last = min(found), max(found)  # what these two share, all share
    same = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    return text[: len(text) - len(name)] + first[:same], sorted(found)
