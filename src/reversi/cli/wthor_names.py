"""What the commands say of games in WTHOR whose names are missing."""

from __future__ import annotations

from pathlib import Path

from reversi.cli.console import err
from reversi.cli.record_files import counted
from reversi.records.recognise import FileKind
from reversi.records.record import Record
from reversi.records.wthor_names import find_wthor_names
from reversi.sources import STANDARD_INPUT, GameSource, source_name

__all__ = ["WthorNamesCheck"]


class WthorNamesCheck:
    """Finds the files of names that are missing, and names each once."""

    def __init__(self) -> None:
        self._told: set[tuple[Path, str]] = set()

    def of(self, source: GameSource) -> _Names | None:
        """What is to look at the games of a source, ``None`` where they are not of WTHOR."""
        return _Names(source.path, self._told) if source.kind is FileKind.WTHOR_GAMES else None


class _Names:
    """Counts the games of a file that have numbers without names."""

    def __init__(self, path: str, told: set[tuple[Path, str]]) -> None:
        self._path = path
        self._told = told
        self._players = 0
        self._tournaments = 0

    def look_at(self, record: Record) -> None:
        """Count a game."""
        tags = record.tags
        if "?" in (tags["Black"], tags["White"]):
            sides = ("Black", "White")
            self._players += any(tags[side] == "?" and tags.get(f"Wthor{side}", "0") != "0" for side in sides)
        if tags["Event"] == "?":
            self._tournaments += tags.get("WthorTournament", "0") != "0"

    def warn(self) -> None:
        """Say which file of names is missing, or lacks names, on standard error."""
        found = (None, None) if self._path == STANDARD_INPUT else find_wthor_names(Path(self._path))
        for games, path, suffix, what in (
            (self._players, found[0], ".JOU", "players"),
            (self._tournaments, found[1], ".TRN", "tournaments"),
        ):
            if not games:
                continue
            unknown = f"reversi: {source_name(self._path)}: the names of the {what} are unknown"
            if path is not None:
                err(f"{unknown} in {counted(games, 'game')}: {path} does not have their numbers")
            elif self._path == STANDARD_INPUT:
                err(f"{unknown}; name the file, with its {suffix} beside it, in place of standard input")
            elif (key := (Path(self._path).parent, suffix)) not in self._told:
                self._told.add(key)
                beside = key[0] / f"WTHOR{suffix}"
                err(f"{unknown}: {beside} is missing; put it there and run again")
