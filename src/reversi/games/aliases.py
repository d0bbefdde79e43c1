"""Names that are one person or event by somebody's word: a file of lines such as ``Oh J. = Oh, Joung-Mok``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Final

from reversi.arguments import FilePath, excerpt, open_file
from reversi.errors import InputError
from reversi.games.names import has_words, name_identity
from reversi.records.sources.encodings import is_utf_8, likelier_reading
from reversi.text.counting import counted
from reversi.text.decoding import decode_text

_MOST: Final = 1 << 24  # bytes of a file


class AliasError(InputError):
    """A file of aliases that cannot be understood; the message names the line."""


class Aliases:
    """Other names of players, and of events.

    Args:
        pairs: an alias, and the name that it stands for.
        events: the same for events.

    Raises:
        AliasError: an alias stands for two names, or for another alias.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]] = (), events: Iterable[tuple[str, str]] = ()) -> None:
        self._events = Aliases(events) if (events := tuple(events)) else None
        self._names: dict[str, str] = {}  # by the identity of the alias
        self._pairs = tuple(pairs)
        for alias, name in self._pairs:
            there = self._names.setdefault(name_identity(alias), name)
            if name_identity(there) != name_identity(name):
                raise AliasError(f"{excerpt(alias)} is an alias of both {excerpt(there)} and {excerpt(name)}")
        for alias, name in self._pairs:
            last = self._names.get(name_identity(name), name)
            if name_identity(last) != name_identity(name):
                raise AliasError(
                    f"{excerpt(alias)} is an alias of {excerpt(name)}, which is one of {excerpt(last)};"
                    f" write {excerpt(alias)} = {excerpt(last)}"
                )

    def __repr__(self) -> str:
        return f"<Aliases of {counted(len(self._pairs) + len(self.events._pairs), 'name')}>"

    def __bool__(self) -> bool:
        return bool(self._names or self._events)

    def __reduce__(self) -> tuple[type[Aliases], tuple[tuple[tuple[str, str], ...], ...]]:
        return type(self), (self._pairs, self.events._pairs)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Each alias of a player, and the name that it stands for."""
        return self._pairs

    @property
    def events(self) -> Aliases:
        """The other names of events."""
        return self._events or NO_ALIASES

    @classmethod
    def of(cls, path: FilePath, encoding: str = "") -> Aliases:
        """Read a file: a line for each alias, ``Alias = Name``. Those below a line ``[events]`` are of events.

        A line ``[players]`` ends them. Blank lines, and lines that begin with #, are skipped.

        Args:
            path: the file.
            encoding: the encoding of a file that is not in UTF-8.

        Raises:
            AliasError: a line is not of this form, or the file is in an encoding that nobody names.
            InputError: there is no such encoding.
            MissingFileError: the file does not exist.
            OSError: it cannot be read.
        """
        path = Path(path)
        with open_file(path) as stream:
            data = stream.read(_MOST + 1)
        if len(data) > _MOST:
            raise AliasError(f"more than {_MOST >> 20} MB", source=str(path))
        encoding = "" if is_utf_8(data) else encoding
        if doubt := "" if encoding else likelier_reading(data):
            raise AliasError(doubt, source=str(path))
        pairs: dict[str, list[tuple[str, str]]] = {"[players]": [], "[events]": []}
        section = pairs["[players]"]
        for number, line in enumerate(decode_text(data, str(path), encoding).splitlines(), 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            if line.strip().lower() in pairs:
                section = pairs[line.strip().lower()]
                continue
            alias, equals, name = (part.strip() for part in line.partition("="))
            if not (alias and equals and name):
                raise AliasError(f"line {number}: {excerpt(line)}: write Alias = Name", source=str(path))
            section.append((alias, name))
        try:
            return cls(*pairs.values())
        except AliasError as error:
            raise AliasError(str(error), source=str(path)) from None

    def name_of(self, name: str) -> str:
        """Return the name that an alias stands for, in any of its spellings; other names as they are."""
        return self._names.get(name_identity(name), name)

    def has_words(self, name: str, words: str) -> bool:
        """Return whether a name, or another name of the same person, has all of some words; see `has_words`."""
        if not self._names or not words:
            return has_words(name, words)
        person = self.name_of(name)
        others = self._others.get(name_identity(person), ())
        return any(has_words(one, words) for one in (name, person, *others))

    @cached_property
    def _others(self) -> dict[str, tuple[str, ...]]:
        others: dict[str, tuple[str, ...]] = {}
        for alias, name in self._pairs:
            others[name_identity(name)] = (*others.get(name_identity(name), ()), alias)
        return others


NO_ALIASES: Final = Aliases()
"""Every name is a person."""
