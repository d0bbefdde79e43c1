"""JSON that others may have written: what is no number of a size that anything here has is refused."""

from __future__ import annotations

import json
import math
from typing import Any, Final

_DIGITS: Final = 20  # of a whole number: more than 64 bits have


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
