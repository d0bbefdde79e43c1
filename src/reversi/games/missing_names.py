"""Games in WTHOR whose names are missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from reversi._system.paths import STANDARD_INPUT, source_name
from reversi.records.formats.wthor.names import find_wthor_names
from reversi.records.formats.wthor.wthor_format import FORMAT as WTHOR
from reversi.records.record import Record
from reversi.records.sources.opening import GameSource
from reversi.text.counting import counted


class MissingNames:
    """Counts the games of a file in WTHOR that have numbers without names."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._players = 0
        self._tournaments = 0

    @classmethod
    def of(cls, source: GameSource) -> MissingNames | None:
        """Return a count for the games of a source, ``None`` where they are not in WTHOR."""
        return cls(source.path) if source.format is WTHOR else None

    def add(self, record: Record) -> None:
        tags = record.tags
        if "?" in (tags["Black"], tags["White"]):
            sides = ("Black", "White")
            self._players += any(tags[side] == "?" and tags.get(f"Wthor{side}", "0") != "0" for side in sides)
        if tags["Event"] == "?":
            self._tournaments += tags.get("WthorTournament", "0") != "0"

    def warnings(self) -> Iterator[tuple[tuple[Path, str] | None, str]]:
        """Yield what each warning is about and its text: files of names that are missing, or lack names."""
        files = (None, None) if self._path == STANDARD_INPUT else find_wthor_names(Path(self._path))
        for games, path, suffix, what in (
            (self._players, files[0], ".JOU", "players"),
            (self._tournaments, files[1], ".TRN", "tournaments"),
        ):
            if not games:
                continue
            unknown = f"{source_name(self._path)}: the names of the {what} are unknown"
            if path is not None:
                yield None, f"{unknown} in {counted(games, 'game')}: {path} does not have their numbers"
            elif self._path == STANDARD_INPUT:
                yield None, f"{unknown}; name the file, with its {suffix} beside it, in place of standard input"
            else:
                folder = Path(self._path).parent
                beside = folder / f"WTHOR{suffix}"
                yield (folder, suffix), f"{unknown}: {beside} is missing; put it there and run again"
