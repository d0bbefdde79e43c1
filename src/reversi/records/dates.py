"""The year in the date of a game, however the date is written."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["has_unknown_year", "year_in"]

_FIRST: Final = re.compile(r"([12][0-9]{3})(?:(?![0-9])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?![0-9]))")
_YEAR: Final = re.compile(r"(?<![0-9])[12][0-9]{3}(?![0-9])")


@lru_cache(1 << 12)
def year_in(date: str) -> int | None:
    """Return the year of a date, ``None`` if it has none, or if more than one number could be the year.

    A year has four digits, from 1000 to 2999. It comes first, as in ``1997.05.01``, ``1997/98`` or ``19970501``,
    or is the only such number, as in ``01.05.1997``, ``May 1997`` or ``c. 1997``.
    """
    text = date.strip()
    first = _FIRST.match(text)
    if first is not None:
        return int(first[1])
    years = set(_YEAR.findall(text))
    return int(years.pop()) if len(years) == 1 else None


def has_unknown_year(date: str) -> bool:
    """Return whether a date says something about the year that `year_in` does not understand."""
    return year_in(date) is None and "?" not in date and re.search("[1-9]", date) is not None
