"""The year, month and day in the date of a game, however the date is written."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_FIRST: Final = re.compile(r"([12][0-9]{3})(?:(?![0-9])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?![0-9]))")
_PARTS: Final = re.compile(
    r"(?:[12][0-9]{3}|\?{1,4})(?:([.\-/]?)(0?[1-9]|1[0-2]|\?{1,2}|00)(?:\1(0?[1-9]|[12][0-9]|3[01]|\?{1,2}|00))?)?"
)
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


@lru_cache(1 << 12)
def parts_of(date: str) -> tuple[str, ...]:
    """Return what a date says, one text for each part: ``year 2004``, ``month 01``, ``day 05``.

    Unknown parts are left out. The part that is left when only the year is understood is ``date`` and the text, so
    that ``05.01.2004`` and ``28.11.2004`` say different things.
    """
    text = " ".join(date.casefold().split())
    year = year_in(date)
    parts = [] if year is None else [f"year {year}"]
    found = _PARTS.fullmatch(text)
    if found is None:
        rest = text.replace("" if year is None else str(year), "", 1).strip("?.-/ ")
        return (*parts, f"date {text}") if rest else tuple(parts)
    for name, value in zip(("month", "day"), found.groups()[1:], strict=True):
        if value and value.isdecimal() and int(value):
            parts.append(f"{name} {int(value):02}")
    return tuple(parts)
