"""What this program keeps as JSON between its runs: damage, later versions, and other programs at the same file.

Each such text is one object; the first key says what it is, and holds the version of the format.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from reversi._system.files import write_atomically
from reversi._system.locks import beside
from reversi._system.plain_json import DAMAGE, loads, read_fields
from reversi.arguments import excerpt, open_file, read_up_to
from reversi.errors import InputError

_WAIT_S: Final = 5.0  # for another program that changes the same file

State = TypeVar("State")


def read_state(
    text: str | bytes,
    key: str,
    build: Callable[[dict[str, Any]], State],
    *,
    what: str,
    remedy: str,
    version: int = 1,
) -> State:
    """Return what a text keeps.

    Args:
        text: the text.
        key: the key that says what the text is, with the version of its format.
        build: makes the value from the object.
        what: what the text should be, in words.
        remedy: what a person can do.
        version: the version that ``build`` reads.

    Raises:
        InputError: the text is something else, another version of this program wrote it, or it is damaged.
    """
    try:
        fields = loads(text)
        found = fields[key]
    except DAMAGE:
        raise InputError(f"not {what}; {remedy}") from None
    if found != version:
        saved = f"saved in format {excerpt(found)}; this version reads format {version}"
        raise InputError(f"{saved}; {remedy}")
    try:
        return read_fields(fields, build)
    except InputError as error:
        raise InputError(f"damaged: {error}; {remedy}") from None


class StateFile(Generic[State]):
    """A file of state that several running programs may change.

    Args:
        path: the file; the first change creates it, and its folder.
        new: returns the state where there is no file.
        parse: reads the bytes of the file.
        text: returns a state as the text of the file.
    """

    def __init__(
        self,
        path: Path,
        *,
        new: Callable[[], State],
        parse: Callable[[bytes], State],
        text: Callable[[State], str],
    ) -> None:
        self.path = path
        self._new = new
        self._parse = parse
        self._text = text

    def read(self) -> State:
        """Return what the file keeps.

        Raises:
            InputError: it is not such a file, is damaged, or a later version wrote it; the message names it.
            OSError: it cannot be read.
        """
        try:
            with open_file(self.path) as stream:
                data = read_up_to(stream, str(self.path))
        except FileNotFoundError:
            return self._new()
        try:
            return self._parse(data)
        except InputError as error:
            raise error.located(str(self.path)) from None

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other programs from changing the file; this makes its folder.

        Raises:
            OSError: that is not possible.
        """
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with beside(self.path, wait_s=_WAIT_S):
            yield

    def change(self, change: Callable[[State], object]) -> State:
        """Read the file, change the state, and write it whole or not at all; return the state.

        Raises:
            InputError: as for `read`; the file stays as it is.
            OSError: the file cannot be read or written.
        """
        with self.locked():
            state = self.read()
            change(state)
            write_atomically(self.path, self._text(state))
        return state
