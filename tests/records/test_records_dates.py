"""Years in dates of every spelling, and what becomes of them."""

from __future__ import annotations

import pytest

from reversi.records import Code, parse_record, validate_record
from reversi.records.dates import has_two_readings, has_unknown_year, spelt_alike
from reversi.records.formats.wthor.reader import read_wthor
from reversi.records.formats.wthor.writer import pack_wthor


@pytest.mark.parametrize(
    ("date", "lost"),
    [
        ("01.05.24", True),
        ("in 1997 or 1998", True),
        ("20245", True),
        ("0800", True),
        ("", False),
        ("????.05.01", False),
        ("199?", False),
        ("0000.00.00", False),
        ("spring", False),
        ("5/1/2024", False),
        ("c. 1998", False),
    ],
)
def test_a_year_that_is_lost_is_a_finding(date: str, lost: bool) -> None:
    record = parse_record("1. f5 d6 *")
    record.tags["Date"] = date
    assert has_unknown_year(date) is lost
    assert [found.code for found in validate_record(record).findings] == [Code.UNKNOWN_YEAR] * lost


@pytest.mark.parametrize(
    ("date", "year"), [("01.05.2024", "2024"), ("0105.2024", "2024"), ("May 1998", "1998"), ("0105.??.??", "0105")]
)
def test_years_in_wthor(date: str, year: str) -> None:
    record = parse_record("1. f5 d6 *")
    record.tags["Date"] = date
    (entry,) = read_wthor(pack_wthor([record]).games)
    assert entry.record.tags["Date"] == f"{year}.??.??"


@pytest.mark.parametrize(
    ("date", "alike", "dmy", "mdy"),
    [
        ("05.04.2004", "05.04.2004", "2004.04.05", "2004.05.04"),
        ("5/4/2004", "5/4/2004", "2004.04.05", "2004.05.04"),
        ("28.11.2004", "2004.11.28", "2004.11.28", "2004.11.28"),
        ("11/28/2004", "2004.11.28", "2004.11.28", "2004.11.28"),
        ("5.5.2004", "2004.05.05", "2004.05.05", "2004.05.05"),
        ("31.04.2004", "31.04.2004", "31.04.2004", "31.04.2004"),
        ("13.13.2004", "13.13.2004", "13.13.2004", "13.13.2004"),
        ("5 Jan 2004", "2004.01.05", "2004.01.05", "2004.01.05"),
        ("1-Feb-1999", "1999.02.01", "1999.02.01", "1999.02.01"),
        ("1. May 1997", "1997.05.01", "1997.05.01", "1997.05.01"),
        ("Jan. 5th, 2004", "2004.01.05", "2004.01.05", "2004.01.05"),
        ("January 2004", "2004.01.??", "2004.01.??", "2004.01.??"),
        ("1996-5-6", "1996.05.06", "1996.05.06", "1996.05.06"),
        ("19960506", "1996.05.06", "1996.05.06", "1996.05.06"),
        ("1996.05.06 12:30:00", "1996.05.06 12:30:00", "1996.05.06 12:30:00", "1996.05.06 12:30:00"),
        ("2004", "2004.??.??", "2004.??.??", "2004.??.??"),
        ("????.??.??", "????.??.??", "????.??.??", "????.??.??"),
        ("Spring 2004", "Spring 2004", "Spring 2004", "Spring 2004"),
        ("Mars 2004 5", "Mars 2004 5", "Mars 2004 5", "Mars 2004 5"),
        ("Maybe 2004", "Maybe 2004", "Maybe 2004", "Maybe 2004"),
    ],
)
def test_dates_spelt_alike(date: str, alike: str, dmy: str, mdy: str) -> None:
    assert [spelt_alike(date, day_first=first) for first in (None, True, False)] == [alike, dmy, mdy]
    assert has_two_readings(date) is (dmy != mdy)
