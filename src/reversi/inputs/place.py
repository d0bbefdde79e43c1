"""The notation of a place in a file of games: ``FILE#3@20``, the third game after ply 20."""

from __future__ import annotations

from typing import NamedTuple

import reversi._regex as re
from reversi._system.paths import exists, is_folder
from reversi._system.zip_files import zipped_size
from reversi.errors import InputError

_PLACE = re.compile(r"(?P<path>.+?)(?:#(?P<game>[0-9]{1,9}))?(?:@(?P<ply>[0-9]{1,4}))?", re.DOTALL)


class PlaceError(InputError):
    """A place that cannot be, as ``FILE#0``."""


class Place(NamedTuple):
    """A file, and perhaps one game of it and one ply.

    Attributes:
        path: the file, or ``-``.
        game: the number of the game, from 1, or ``None`` for any.
        ply: the number of turns played, or ``None`` for all.
    """

    path: str
    game: int | None = None
    ply: int | None = None


def is_file(path: str) -> bool:
    """Return whether a file has the name, perhaps in a zip; pipes and devices are files, folders are not."""
    return (exists(path) and not is_folder(path)) or zipped_size(path) is not None


def parse_place(text: str) -> Place:
    """Return the place that ``FILE#3@20`` names: third game, after ply 20. ``@0`` is the start, no ``@`` the end.

    A file of that literal name wins.

    Raises:
        PlaceError: the game is number 0.
    """
    match = _PLACE.fullmatch(text)
    if match is None or (match["game"] is None and match["ply"] is None) or is_file(text):
        return Place(text)
    game = None if match["game"] is None else int(match["game"])
    if game == 0:
        raise PlaceError(f"{text}: games count from 1")
    return Place(match["path"], game, None if match["ply"] is None else int(match["ply"]))
