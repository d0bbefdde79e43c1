"""Checks of what callers give, with one form of message."""

from __future__ import annotations

import math
import os
import sys
from types import NoneType
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Protocol, TypeAlias

import reversi._regex as re
from reversi.errors import ArgumentError, InputError, MissingFileError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import UnionType

    from typing_extensions import TypeIs

FilePath: TypeAlias = str | os.PathLike[str]
"""The name of a file, as callers give it."""


_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Frame(Protocol):
    """A table in memory, of polars, pandas, PyArrow, DuckDB or any library that knows Arrow's interface for it."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return its batches as Arrow defines them."""


MAX_FILE: Final = 64 << 20
"""The most bytes of a file that is held whole: far more than this program writes."""
MAX_HASH_MB: Final = (1 << 31) - 1
MAX_NODES: Final = (1 << 63) - 1
MAX_THREADS: Final = 4096
COLORS: Final = "give Color.BLACK or Color.WHITE"
TEXT_TO_POSITION: Final = "Position.parse reads text"
"""What to do with text where a position is expected."""


def check_type(name: str, value: object, *kinds: type, advice: str = "") -> None:
    """Refuse a value of another type.

    Raises:
        ArgumentError: the message names the types, and gives the advice.
    """
    if not isinstance(value, kinds):
        expected = " or ".join(map(with_article, kinds))
        advice = advice and f"; {advice}"
        given = "None" if value is None else type(value).__name__
        if given in {kind.__name__ for kind in kinds}:
            given = f"{type(value).__module__}.{given}"
        raise ArgumentError(f"{name} must be {expected}, not {given}{advice}")


def excerpt(value: object, length: int = 40) -> str:
    """Return the beginning of a value for a message, on one line and without control characters.

    Args:
        value: a text, which comes in quotes, or any other value, as `repr` writes it.
        length: the most characters of it.
    """
    text = value if isinstance(value, str) else repr(value)
    shown = text[:length] + ("…" if len(text) > length else "")
    shown = _UNPRINTABLE.sub(lambda match: ascii(match[0])[1:-1], shown)
    return f"'{shown}'" if isinstance(value, str) else shown


def is_frame(value: object) -> TypeIs[Frame]:
    return hasattr(value, "__arrow_c_stream__")


def with_article(kind: type) -> str:
    """Return the name of a type with its article: `an Ending`."""
    if kind is NoneType:
        return "None"
    return f"a{'n' * (kind.__name__[0] in 'AEIOaeio')} {kind.__name__}"


def is_number(value: object, kinds: type | UnionType = int) -> bool:
    """Return whether a value has a type of numbers; ``bool`` is none."""
    return isinstance(value, kinds) and not isinstance(value, bool)


def not_one(value: object, kinds: type | UnionType, message: str) -> InputError | ArgumentError:
    """Return the error for a value that is not what it should be: of another type, or outside the limits."""
    return (InputError if is_number(value, kinds) else ArgumentError)(message)


def check_count(
    name: str, value: Any, most: int | None = None, *, least: int = 1, unit: str = "", optional: bool = False
) -> None:
    """Refuse a value that is not a whole number within the limits; ``None`` passes where it is ``optional``.

    Raises:
        ArgumentError: another type (``bool`` too); the message gives the limits.
        InputError: outside; the same.
    """
    if optional and value is None:
        return
    if not is_number(value) or value < least or (most is not None and value > most):
        limits = f"at least {least}" if most is None else f"from {least} to {most}"
        wrong = f"{name} must be a whole number{unit and f' of {unit}'}, {limits}, not {excerpt(value)}"
        raise not_one(value, int, wrong)


def check_seconds(name: str, value: Any, *, optional: bool = False) -> None:
    """Refuse a time limit that is not a number of seconds from 0; infinity is no limit.

    ``None`` passes where it is ``optional``.

    Raises:
        ArgumentError: another type (``bool`` too).
        InputError: negative, or not a number.
    """
    if optional and value is None:
        return
    if not is_number(value, int | float) or not value >= 0:
        raise not_one(value, int | float, f"{name} must be a number of seconds, at least 0, not {excerpt(value)}")


def check_time_s(time_s: object) -> None:
    """Refuse a time to think that is not a number of seconds above 0.

    Raises:
        ArgumentError: another type (``bool`` too).
        InputError: 0 or less, infinity, or not a number.
    """
    check_seconds("time_s", time_s)
    if time_s in (0, math.inf):
        raise InputError(f"time_s must be a number of seconds above 0, not {excerpt(time_s)}")


def check_window(window: object) -> None:
    """Refuse a window that is not two whole numbers in order.

    Raises:
        ArgumentError: it is anything else.
        InputError: they are not in order.
    """
    if not (isinstance(window, tuple | list) and len(window) == 2 and all(map(is_number, window))):
        raise ArgumentError(f"window must be two whole numbers, not {excerpt(window)}")
    if window[0] > window[1]:
        raise InputError(f"window must give the lower score first, not {window[0]}..{window[1]}")


def caller_level() -> int:
    """Return the ``stacklevel`` of a warning that names the line of the program that uses this package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "reversi":
        frame, level = frame.f_back, level + 1
    return level


def read_up_to(stream: BinaryIO, name: str, most: int = MAX_FILE) -> bytes:
    """Return what a file holds, unless that is more than ``most`` bytes.

    Raises:
        InputError: it is; the message calls the file ``name``.
    """
    data = stream.read(most + 1)
    if len(data) > most:
        raise InputError(f"has more than {most >> 20} MB, and what belongs here has less", source=name)
    return data


def lines_up_to(stream: BinaryIO, most: int) -> Iterator[bytes]:
    """Yield the lines of a file, up to one of more than ``most`` bytes, of which the first ``most + 1`` come."""
    while line := stream.readline(most + 1):
        yield line
        if len(line) > most:
            return


def open_file(path: FilePath) -> BinaryIO:
    """Open a file to read its bytes.

    Raises:
        ArgumentError: the path has another type.
        MissingFileError: the file does not exist.
        OSError: it cannot be opened.
    """
    check_type("path", path, str, os.PathLike)
    try:
        return open(path, "rb")  # noqa: PTH123 - the caller closes it
    except FileNotFoundError:
        raise MissingFileError(f"{os.fspath(path)}: no such file") from None
