"""The numbers of the players of a database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

TIDY: Final = (
    "delete from players where id not in (select black from games where black is not null"
    " union all select white from games where white is not null)"
)
"""Removes names without a game."""


class PlayerNumbers:
    """The numbers of players by their names.

    Args:
        run: runs SQL on the database and returns the rows.
    """

    def __init__(self, run: Callable[..., list[tuple[Any, ...]]]) -> None:
        self._run = run
        ((self._last,),) = run("select coalesce(max(id), 0) from players")
        self._numbers: dict[str, int] = {name: number for number, name in run("select id, name from players")}
        self._new: list[tuple[int, str]] = []

    def __getitem__(self, name: str) -> int | None:
        """Return the number of a player, and give a new one to a new player; `None` for an unknown player."""
        if not name:
            return None
        if name not in self._numbers:
            self._last += 1
            self._numbers[name] = self._last
            self._new.append((self._last, name))
        return self._numbers[name]

    def save(self) -> None:
        """Write the new players."""
        if self._new:
            numbers, names = map(list, zip(*self._new, strict=True))
            self._run(
                "insert into players by name select unnest(?::integer[]) as id, unnest(?::varchar[]) as name",
                [numbers, names],
            )
            self._new.clear()
