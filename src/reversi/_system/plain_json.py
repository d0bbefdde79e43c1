"""JSON that others may have written: strange numbers are refused, and a damaged field is named."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias, TypeVar

from reversi.arguments import excerpt
from reversi.errors import InputError, ReversiError

_DIGITS: Final = 20  # of a whole number: more than 64 bits have
_SHOWN: Final = 40
DAMAGE: Final = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError)
"""What code raises that meets another value than it expects."""

Built = TypeVar("Built")
_Place: TypeAlias = tuple[Any, ...]
"""The names of fields and the indices of items on the way to a value."""


def loads(text: str | bytes) -> Any:
    """Return the value of a text, as `json.loads` does.

    Raises:
        ValueError: it is not JSON, or has `NaN`, `Infinity`, a number beyond those of a float (``1e400``), or a
            whole number of more than 20 digits.
        RecursionError: it is nested too deep.
    """
    return json.loads(text, parse_float=_float, parse_int=_int, parse_constant=_refused)


def _float(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refused(text)


def _int(text: str) -> int:
    return int(text) if len(text) <= _DIGITS else _refused(text)


def _refused(text: str) -> Any:
    raise ValueError(f"{text[:_DIGITS]} is not a number here")


def read_fields(fields: Any, build: Callable[[Any], Built]) -> Built:
    """Return what a function makes of the values of JSON; where that fails, name the field that it read last.

    Args:
        fields: the values.
        build: reads each field where it needs it, so that Python's own errors are about that field.

    Raises:
        InputError: a field is missing or has a wrong value, or ``build`` says what is wrong.
    """
    try:
        return build(fields)
    except DAMAGE as error:
        _say_again(error)
    read: list[tuple[_Place, Any]] = []  # watching costs time: only where something is wrong
    try:
        return build(_watched(fields, (), read))
    except DAMAGE as error:
        _say_again(error)
    if not read:
        raise InputError("not a JSON object")
    place, value = read[-1]
    raise InputError(f"{_words(place)} has a wrong value: {json.dumps(value, default=ascii)[:_SHOWN]}")


def read_json(text: str | bytes | Mapping[str, Any], build: Callable[[Any], Built], what: str) -> Built:
    """Return what a function makes of a text of JSON, or of its values.

    Raises:
        InputError: they are not ``what``.
    """
    try:
        return read_fields(text if isinstance(text, Mapping) else loads(text), build)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not {what} in JSON ({' '.join(str(error).split())})") from None


def _say_again(error: Exception) -> None:
    """Raise an error of this package, which says what is wrong, again; all of them are about the input here."""
    if isinstance(error, InputError):
        raise error
    if isinstance(error, ReversiError):
        raise InputError(str(error)) from None


def _words(place: _Place) -> str:
    parts = (f"item {key + 1}" if isinstance(key, int) else excerpt(key) for key in reversed(place))
    return " of ".join(parts)


def _watched(value: Any, place: _Place, read: list[tuple[_Place, Any]]) -> Any:
    """Return a value; as an object or a list, one that notes what is read from it."""
    if isinstance(value, dict):
        return _Object(value, place, read)
    return _List(value, place, read) if isinstance(value, list) else value


class _Object(dict[Any, Any]):
    def __init__(self, value: dict[Any, Any], place: _Place, read: list[tuple[_Place, Any]]) -> None:
        super().__init__(value)
        self._place, self._read = place, read

    def __getitem__(self, key: Any) -> Any:
        place = (*self._place, key)
        if key not in self:
            raise InputError(f"{_words(place)} is missing")
        value = super().__getitem__(key)
        self._read.append((place, value))
        return _watched(value, place, self._read)

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] if key in self else default  # noqa: SIM401 - this is that `get`

    def items(self) -> Any:
        return ((key, self[key]) for key in self)

    def values(self) -> Any:
        return (self[key] for key in self)


class _List(list[Any]):
    def __init__(self, value: list[Any], place: _Place, read: list[tuple[_Place, Any]]) -> None:
        super().__init__(value)
        self._place, self._read = place, read

    def __getitem__(self, at: Any) -> Any:
        value = super().__getitem__(at)
        if isinstance(at, slice):
            return _List(value, self._place, self._read)
        place = (*self._place, at)
        self._read.append((place, value))
        return _watched(value, place, self._read)

    def __iter__(self) -> Iterator[Any]:
        return (self[at] for at in range(len(self)))
