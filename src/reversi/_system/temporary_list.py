"""A list in a temporary file, for more objects than memory has room for."""

from __future__ import annotations

import os
import pickle
import tempfile
from array import array
from collections.abc import Iterator
from typing import Final, Generic, Self, TypeVar

Kept = TypeVar("Kept")

_IN_MEMORY: Final = 1 << 23  # bytes before there is a file


class TemporaryList(Generic[Kept]):
    """Objects that are appended, then read by number. Use it in a `with` statement, which removes the file.

    Raises:
        OSError: the temporary file cannot be written or read.
    """

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY, prefix="reversi-")  # noqa: SIM115 - closed at the end
        self._places = array("Q")
        self._end = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._places)

    def append(self, kept: Kept) -> None:
        """Append an object. All are appended before the first is read."""
        self._places.append(self._end)
        self._end += self._file.write(pickle.dumps(kept, pickle.HIGHEST_PROTOCOL))

    def __getitem__(self, number: int) -> Kept:
        """Return an object by its number, counted from 0."""
        self._file.seek(self._places[number], os.SEEK_SET)
        kept: Kept = pickle.load(self._file)
        return kept

    def __iter__(self) -> Iterator[Kept]:
        return (self[number] for number in range(len(self)))
