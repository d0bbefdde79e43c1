"""The date of a game, however it is written: as a record has it, its year, and what it says."""

from __future__ import annotations

import datetime
from functools import lru_cache
from typing import Final

import reversi._regex as re

_DATE: Final = re.compile(
    r"([12][0-9]{3}|\?{1,4})(?:([.\-/])(0?[1-9]|1[0-2]|\?{1,2}|00)(?:\2(0?[1-9]|[12][0-9]|3[01]|\?{1,2}|00))?)?"
    r"(?:[T_ ]+([0-9][0-9:.]{3,}\S*(?: \S+)?))?"
)
_COMPACT: Final = re.compile(r"(?<![0-9])([12][0-9]{3})(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])(?![0-9])")
_SECONDS: Final = re.compile(r"[0-9]{9,11}")
_FIRST: Final = re.compile(r"[12][0-9]{3}(?![0-9])")
_YEAR: Final = re.compile(r"(?<![0-9])[12][0-9]{3}(?![0-9])")
_DAY_OR_MONTH: Final = re.compile(r"([0-9]{1,2})([./-])([0-9]{1,2})\2([12][0-9]{3})")
_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_NAMED: Final = re.compile(
    r"(?:(?P<day>[0-9]{1,2})(?:st|nd|rd|th|\.)?[ -])?(?P<month>[a-z]{3,9})\.?"
    r"(?:[ ](?P<later>[0-9]{1,2})(?:st|nd|rd|th)?)?,?[ -](?P<year>[12][0-9]{3})"
)
_MOST_DAYS: Final = 31
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
def spelt_alike(text: str, *, day_first: bool | None = None) -> str:
    """Return a date as ``2004.05.28``, whether the year is first or last and the month has a number or a name.

    Any other text stays as it is, and so does a date that has two readings, such as 05.04.2004.

    Args:
        text: the date.
        day_first: which number of such a date is the day; ``None`` while unknown.
    """
    word = " ".join(text.casefold().split())
    if found := _DAY_OR_MONTH.fullmatch(word):
        year, readings = found[4], _readings(int(found[1]), int(found[3]))
        if len(readings) > 1 and day_first is not None:
            readings = [readings[not day_first]]
        month, day = readings[0] if len(readings) == 1 else (0, 0)
    elif (found := _NAMED.fullmatch(word)) and any(name.startswith(found["month"]) for name in _MONTHS):
        year = found["year"]
        month = next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(found["month"]))
        day = int(found["day"] or found["later"] or 0)
    else:
        date, time = read_date(text)
        return text if time else date
    if not month or (day and not _exists(int(year), month, day)):
        return text
    return f"{year}.{month:02}.{f'{day:02}' if day else '??'}"


def has_two_readings(date: str) -> bool:
    """Return whether the first number of a date can be the day or the month: 05.04.2004."""
    found = _DAY_OR_MONTH.fullmatch(date.strip())
    return found is not None and len(_readings(int(found[1]), int(found[3]))) > 1


def _readings(one: int, other: int) -> list[tuple[int, int]]:
    """Return what month and day two numbers can be, with the day first before the month first."""
    found = dict.fromkeys(((other, one), (one, other)))
    return [(month, day) for month, day in found if 1 <= month <= len(_MONTHS) and 1 <= day <= _MOST_DAYS]


def _exists(year: int, month: int, day: int) -> bool:
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return True


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


@lru_cache(1 << 12)
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


@lru_cache(1 << 12)
def moment_in(date: str, time: str) -> str:
    """Return when a game was played, as ``2004.05.28 12:33:18``: such texts have the order of time.

    The time of the day may be unknown. Empty where the day is.
    """
    day = full_date(date)
    return "" if day is None else f"{day:%Y.%m.%d} {time}".rstrip()


@lru_cache(1 << 12)
def full_date(text: str) -> datetime.date | None:
    """Return the date that a text gives; ``None`` unless year, month and day are known."""
    parts = dict(part.split(" ", 1) for part in parts_of(text))
    try:
        return datetime.date(*(int(parts[name]) for name in ("year", "month", "day")))
    except (KeyError, ValueError):
        return None
