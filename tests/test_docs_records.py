"""The example in docs/records.md is as this program writes it."""

from __future__ import annotations

from pathlib import Path

from reversi.records import MAX_BYTES, MAX_DEPTH, MAX_LINE_BYTES, parse_record, validate_record, write_record
from reversi.text.decoding import MAX_LINE

PAGE = (Path(__file__).parent.parent / "docs" / "records.md").read_text(encoding="utf-8")


def test_the_example_is_in_the_form_that_is_written() -> None:
    example = PAGE.split("```\n")[1]
    record = parse_record(example)
    assert validate_record(record).valid
    assert write_record(record) == example


def test_the_limits_are_those_of_the_code() -> None:
    assert (MAX_BYTES, MAX_LINE_BYTES, MAX_DEPTH, MAX_LINE) == (1 << 30, 1 << 20, 100, 65_536)
    for limit in ("1 GiB", "1 MiB", "65,536 characters", "at most 100\ndeep"):
        assert limit in PAGE
