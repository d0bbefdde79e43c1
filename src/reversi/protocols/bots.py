"""Bots: players written in Python, named ``python:MODULE:CLASS`` or ``python:FILE.py:CLASS``.

A bot is code that runs in this process with the rights of the user.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from reversi._system.paths import may_exist, real_path
from reversi.engine.player import Player, described
from reversi.errors import InputError, PlayerError


def check_bot(text: str) -> tuple[str, str]:
    """Return the module (or file) and the class that a text names.

    Raises:
        InputError: it names none.
    """
    module, colon, name = text.rpartition(":")
    if not (colon and module.strip() and name.strip().isidentifier()):
        raise InputError(f"python:{text}: write python:MODULE:CLASS or python:FILE.py:CLASS")
    return module.strip(), name.strip()


def load_bot(text: str) -> Player:
    """Return a new object of the class that a text names; modules are looked for in the current folder, too, last.

    Raises:
        InputError: the text names no class.
        PlayerError: the module cannot be imported, or the class makes no player.
    """
    place, name = check_bot(text)
    try:
        module = _module(place)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise PlayerError(text, f"cannot be imported: {described(error)}") from error
    made = getattr(module, name, None)
    if made is None:
        raise PlayerError(text, f"{place} has no class {name}")
    try:
        player = made()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise PlayerError(text, f"cannot be made: {described(error)}") from error
    if not isinstance(player, Player):
        raise PlayerError(text, "has no method choose(position, clock)")
    return player


def _module(place: str) -> ModuleType:
    if not place.endswith(".py"):
        folder = str(Path.cwd())
        if folder not in sys.path:
            sys.path.append(folder)
        return importlib.import_module(place)
    path = real_path(place)
    spec = importlib.util.spec_from_file_location(f"reversi_bot_{path.stem}", path)
    if spec is None or spec.loader is None or not may_exist(path):
        raise FileNotFoundError(f"no such file: {place}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
