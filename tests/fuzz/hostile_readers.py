"""Measure every reader, and every use of its games, at n and 4n bytes."""

from __future__ import annotations

import contextlib
import gc
import io
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from reversi.errors import InputError
from reversi.games.identity import Duplicates, identify
from reversi.inputs.input import positions_in
from reversi.records.conversion import Conversion
from reversi.records.facts import facts_of
from reversi.records.formats.format import Format, TextFormat
from reversi.records.formats.registry import FORMATS, TEXT_FORMATS, read_games, recognize
from reversi.records.sources.cutting import cut_text
from reversi.records.sources.decoding import decode_records
from reversi.records.sources.kinds import HEAD_BYTES, FileKind, Recognized
from reversi.records.sources.opening import GameSource
from reversi.records.validation.pieces import check_entries
from reversi.text.decoding import decode_text

MOST: Final = 6.0
"""The limit of the ratio of the CPU times for 4n and n bytes."""


def _drain(items: Iterable[object]) -> None:
    for _ in items:
        pass


def _text(data: bytes) -> None:
    GameSource("-", io.BytesIO(data[HEAD_BYTES:]), data[:HEAD_BYTES], Recognized(FileKind.TEXT)).text()


def _recognize(data: bytes) -> None:
    text = decode_text(data, "x")
    _drain(cut_text(text, recognize(text), 10_000))


def _positions(data: bytes) -> None:
    _drain(positions_in(decode_text(data, "x")))


def _facts(data: bytes) -> None:
    duplicates = Duplicates()
    for entry in read_games(decode_records(data, "x")):
        facts_of(entry.record)
        duplicates.add(identify(entry.record))
    duplicates.found(lambda number: "")


def _games(form: TextFormat | None) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        _drain(check_entries(read_games(decode_records(data, "x"), format_=form), False, 200))

    return read


def _converted(form: Format) -> Callable[[bytes], None]:
    def convert(data: bytes) -> None:
        _drain(Conversion(form, lambda _: None).pieces(read_games(decode_records(data, "x"))))

    return convert


READERS: Final[dict[str, Callable[[bytes], None]]] = {
    "text": _text,
    "recognize": _recognize,
    "games": _games(None),
    "positions": _positions,
    "facts": _facts,
    **{f"as {form.name}": _games(form) for form in TEXT_FORMATS},
    **{f"to {form.name}": _converted(form) for form in FORMATS},
}
"""Each reads a file's bytes, and raises nothing but an ``InputError``."""


def seconds(read: Callable[[bytes], None], data: bytes) -> float:
    """Return the CPU time of reading, in seconds."""
    gc.disable()  # the collector would look through what other tests left behind
    try:
        began = time.process_time()
        with contextlib.suppress(InputError):
            read(data)
        return time.process_time() - began
    finally:
        gc.enable()


@dataclass
class Growth:
    """The CPU times of reading n and 4n bytes: the least of all tries, since other processes only add to them.

    Attributes:
        small: CPU seconds for n bytes.
        large: CPU seconds for 4n bytes.
    """

    small: float
    large: float

    @property
    def ratio(self) -> float:
        """The ratio of both; less than a millisecond counts as one."""
        return self.large / max(self.small, 0.001)


def growth(read: Callable[[bytes], None], small: bytes, large: bytes, tries: int = 6) -> Growth:
    """Measure two inputs, again while the larger one seems to cost too much."""
    found = Growth(seconds(read, small), seconds(read, large))
    for _ in range(tries - 1):
        if found.ratio < MOST:
            break
        found.small = min(found.small, seconds(read, small))
        found.large = min(found.large, seconds(read, large))
    return found
