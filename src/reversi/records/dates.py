"""The date of a game, however it is written: as a record has it, its year, and what it says."""

from __future__ import annotations

import datetime
import re
from functools import lru_cache
from typing import Final

_DATE: Final = re.compile(
    r"([12][0-9]{3}|\?{1,4})(?:([.\-/])(0?[1-9]|1[0-2]|\?{1,2}|00)(?:\2(0?[1-9]|[12][0-9]|3[01]|\?{1,2}|00))?)?"
    r"(?:[T_ ]+([0-9][0-9:.]{3,}\S*(?: \S+)?))?"
)
_COMPACT: Final = re.compile(r"(?<![0-9])([12][0-9]{3})(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])(?![0-9])")
_SECONDS: Final = re.compile(r"[0-9]{9,11}")
_FIRST: Final = re.compile(r"[12][0-9]{3}(?![0-9])")
_YEAR: Final = re.compile(r"(?<![0-9])[12][0-9]{3}(?![0-9])")
_ZONE: Final = re.compile(r"\.(?=[A-Za-z])")


@lru_cache(1 << 12)
def read_date(text: str) -> tuple[str, str]:
    """Return a date as a record has it, and the time of day, empty where there is none.

    The year comes first (``1996-05-06``, ``1996/5``, ``19960506``, ``2003.12.15_13:24:03.MST``), or it is a number
    of seconds since 1970. Any other text stays as it is.
    """
    word = _COMPACT.sub(r"\1.\2.\3", text.strip(), count=1)
    if _SECONDS.fullmatch(word):
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=int(word))
        return moment.strftime("%Y.%m.%d"), moment.strftime("%H:%M:%S UTC")
    found = _DATE.fullmatch(word)
    if found is None or not found[1].isdecimal():
        return text, ""
    month, day = (f"{int(part):02}" if part and part.strip("?0") else "??" for part in (found[3], found[4]))
    return f"{found[1]}.{month}.{day}", _ZONE.sub(" ", found[5] or "")


@lru_cache(1 << 12)
def year_in(date: str) -> int | None:
    """Return the year of a date, ``None`` if it has none, or if more than one number could be the year.

    A year has four digits, from 1000 to 2999. It comes first, as in ``1997.05.01``, ``1997/98`` or ``19970501``,
    or is the only such number, as in ``01.05.1997``, ``May 1997`` or ``c. 1997``.
    """
    text = date.strip()
    if _FIRST.match(text) or _COMPACT.match(text):
        return int(text[:4])
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
    found = _DATE.fullmatch(_COMPACT.sub(r"\1.\2.\3", text, count=1))
    if found is None or found[5]:
        rest = text.replace("" if year is None else str(year), "", 1).strip("?.-/ ")
        return (*parts, f"date {text}") if rest else tuple(parts)
    for name, value in (("month", found[3]), ("day", found[4])):
        if value and value.strip("?0"):
            parts.append(f"{name} {int(value):02}")
    return tuple(parts)


def full_date(text: str) -> datetime.date | None:
    """Return the date that a text gives; ``None`` unless year, month and day are known."""
    parts = dict(part.split(" ", 1) for part in parts_of(text))
    try:
        return datetime.date(*(int(parts[name]) for name in ("year", "month", "day")))
    except (KeyError, ValueError):
        return None
