"""Cells that a spreadsheet would run."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from reversi.text.spreadsheet import spreadsheet_cell


def read_back(cell: str) -> str:
    """Read a cell as the documentation says."""
    start = cell.lstrip("'")[:1]
    return cell[1:] if cell.startswith("'") and start and start in "=+-@\t\r\n＝＋－＠" else cell


@pytest.mark.parametrize(
    "text",
    ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "'=1", "＝1", "-- f5", "=", "--x", "-a1"],
)
def test_what_a_spreadsheet_could_run(text: str) -> None:
    assert spreadsheet_cell(text) == f"'{text}"
    assert read_back(spreadsheet_cell(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "-4",
        "+4",
        "-4.5",
        "+1e-7",
        "--",
        "--f5",
        "f5--",
        "--OX-- X",
        "--OX-- O --",
        "1997.05.01",
        "",
        "Ada",
        "O'Neil",
    ],
)
def test_what_stays(text: str) -> None:
    assert spreadsheet_cell(text) == read_back(text) == text


@given(st.text("'=+-@a1\t ＝"))
def test_every_text_reads_back(text: str) -> None:
    assert read_back(spreadsheet_cell(text)) == text
