"""The players of a database: their numbers, and the names that they had before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from reversi.games.aliases import Aliases
from reversi.games.names import name_identity

TIDY: Final = (
    "delete from players where id not in (select black from games where black is not null"
    " union all select white from games where white is not null)"
)
"""Removes names without a game."""


def kept_aliases(run: Callable[..., list[tuple[Any, ...]]]) -> Aliases:
    """Return the names that players and events had before they were renamed."""
    rows = run("select alias, name, event from aliases order by alias, name")
    players, events = (
        [(alias, name) for alias, name, event in rows if event is of_event] for of_event in (False, True)
    )
    return Aliases(players, events)


def keep_aliases(run: Callable[..., list[tuple[Any, ...]]], names: Mapping[str, str], *, event: bool) -> None:
    """Keep the names that players or events get now, by the names they have had."""
    now = {name_identity(alias): name for alias, name in names.items()}
    new = set(map(name_identity, names.values()))
    kept = {
        name_identity(alias): (alias, now.get(name_identity(name), name))
        for alias, name in run("select alias, name from aliases where event = ?", [event])
        if name_identity(alias) not in new
    }
    kept |= {name_identity(alias): (alias, name) for alias, name in names.items() if alias != name}
    run("delete from aliases where event = ?", [event])
    if kept:
        run(
            "insert into aliases select unnest(?::varchar[]), unnest(?::varchar[]), ?",
            [*map(list, zip(*kept.values(), strict=True)), event],
        )


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
