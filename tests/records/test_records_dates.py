"""Years in dates of every spelling, and what becomes of them."""

from __future__ import annotations

import pytest

from reversi.records import Code, parse_record, validate_record
from reversi.records.dates import has_unknown_year
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
