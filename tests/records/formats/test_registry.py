"""The registry of formats: names, suffixes, order, and formats that travel to other processes."""

from __future__ import annotations

import pickle

import pytest

from record_samples import random_record
from reversi import RecordError
from reversi.records import FORMATS, POSITIONS, TextFormat, format_named, read_games, recognize, text_format_named
from reversi.records.formats.format import Format
from reversi.records.formats.registry import game_form

TEXTS = [form for form in FORMATS if isinstance(form, TextFormat)]


def named(form: Format) -> str:
    return form.name


def test_names_and_suffixes_are_distinct() -> None:
    names = [form.name for form in FORMATS]
    suffixes = [suffix for form in FORMATS for suffix in form.suffixes]
    assert len(set(names)) == len(names)
    assert len(set(suffixes)) == len(suffixes)
    assert all(form.suffixes and suffix.startswith(".") for form in FORMATS for suffix in form.suffixes)


@pytest.mark.parametrize("form", [*FORMATS, POSITIONS], ids=named)
def test_a_format_is_itself_in_another_process(form: Format) -> None:
    assert pickle.loads(pickle.dumps(form)) is form


def test_names_that_no_format_has() -> None:
    assert format_named("ggf").title == "GGF"
    with pytest.raises(ValueError, match="'doc' is not a format; the formats are ggf, sgf"):
        format_named("doc")
    with pytest.raises(ValueError, match="WTHOR is not a text format"):
        text_format_named("wthor")


@pytest.mark.parametrize("form", [form for form in TEXTS if form.name != "obf"], ids=named)
def test_what_a_format_writes_it_recognizes_and_reads(form: TextFormat) -> None:
    records = [random_record(seed) for seed in (1, 2, 3)]
    writer = form.writer()
    text = b"".join([*map(writer.add, records), writer.finish()]).decode()
    assert recognize(text) is form
    assert [entry.record.moves for entry in read_games(text)] == [record.moves for record in records]


def test_positions_are_not_games() -> None:
    board = "-" * 27 + "OX------XO" + "-" * 27 + " X"
    assert recognize(board) is POSITIONS
    with pytest.raises(RecordError, match="positions, not games"):
        read_games(board)
    with pytest.raises(RecordError, match="positions, not games"):
        POSITIONS.writer().add(random_record(1))
    assert game_form(board) is game_form("f5d6c3") is None
    assert game_form("f5d6c3", 2) is text_format_named("transcript")
    assert game_form("(;GM[2];B[f5])") is text_format_named("sgf")
