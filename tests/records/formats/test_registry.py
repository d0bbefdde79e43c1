"""The registry of formats: names, suffixes, order, and formats that travel to other processes."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from record_samples import random_record
from reversi import InputError, RecordError, Rules
from reversi.records import (
    TextFormat,
    capabilities,
    format_named,
    known_formats,
    read_games,
    recognize,
    register_format,
)
from reversi.records.entry import Entry
from reversi.records.formats import registry
from reversi.records.formats.format import Format
from reversi.records.formats.registry import FORMATS, POSITIONS, text_format_named
from reversi.records.formats.transcript import format_record_moves, read_transcripts
from reversi.records.record import Record

TEXTS = [form for form in FORMATS if isinstance(form, TextFormat)]


def named(form: Format) -> str:
    return form.name


def test_names_and_suffixes_are_distinct() -> None:
    names = [form.name for form in FORMATS]
    suffixes = [suffix for form in FORMATS for suffix in form.suffixes]
    assert len(set(names)) == len(names)
    assert len(set(suffixes)) == len(suffixes)
    assert all(
        (form.suffixes or form.name == "csv") and suffix.startswith(".")
        for form in FORMATS
        for suffix in form.suffixes
    )


@pytest.mark.parametrize("form", [*FORMATS, POSITIONS], ids=named)
def test_a_format_is_itself_in_another_process(form: Format) -> None:
    assert pickle.loads(pickle.dumps(form)) is form


def test_names_that_no_format_has() -> None:
    assert format_named("ggf").title == "GGF"
    with pytest.raises(ValueError, match="'doc' is not a format; the formats are ggf, sgf"):
        format_named("doc")
    with pytest.raises(ValueError, match="WTHOR is not a text format"):
        text_format_named("wthor")


def test_positions_are_not_games() -> None:
    board = "-" * 27 + "OX------XO" + "-" * 27 + " X"
    assert recognize(board) is POSITIONS
    with pytest.raises(RecordError, match="positions, not games"):
        read_games(board)
    with pytest.raises(RecordError, match="positions, not games"):
        POSITIONS.writer().add(random_record(1))


def _read(text: str, rules: Rules) -> Iterator[Entry]:
    return read_transcripts(text.removeprefix("<mine>"), rules=rules)


def _write(record: Record, number: int) -> str:
    return format_record_moves(record)


def _is_mine(text: str) -> bool:
    return text.startswith("<mine>")


def mine(**changes: Any) -> TextFormat:
    content: dict[str, Any] = {
        "name": "mine",
        "title": "my own",
        "suffixes": (".mine",),
        "holds": capabilities(),
        "recognize": _is_mine,
        "read": _read,
        "write": _write,
        "before": "<mine>",
    }
    return TextFormat(**content | changes)


@pytest.fixture
def no_other_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(registry, "_installed", {})


@pytest.mark.usefixtures("no_other_formats")
def test_a_registered_format_is_one_of_them() -> None:
    form = mine()
    assert recognize("<mine>f5d6") is None
    register_format(form)
    assert known_formats() == (*FORMATS, form)
    assert format_named("mine") is text_format_named("mine") is recognize("<mine>f5d6") is form
    assert registry.target_format(".MINE") is form
    (entry,) = read_games("<mine>f5d6")
    assert [str(move) for move in entry.record.moves] == ["f5", "d6"]
    assert recognize("f5d6") is text_format_named("transcript")  # those of this package first


@pytest.mark.usefixtures("no_other_formats")
def test_a_registered_format_is_replaced_only_on_demand() -> None:
    first, second = mine(), mine(title="second")
    register_format(first)
    for form in (first, second):
        with pytest.raises(InputError, match="the name 'mine'; replace=True puts it in its place"):
            register_format(form)
    register_format(second, replace=True)
    assert known_formats() == (*FORMATS, second)
    with pytest.raises(InputError, match=r"another format has the name 'ggf'$"):
        register_format(mine(name="ggf"), replace=True)


@pytest.mark.usefixtures("no_other_formats")
def test_a_registered_format_wins_over_a_table() -> None:
    text = "# pipes\nAnn|Bob|f5d6c3\nAda|Ben|f5f6e6\n"
    assert recognize(text) is format_named("csv")
    form = mine(name="pipes", suffixes=(".pipes",), recognize=lambda text: text.startswith("# pipes"))
    register_format(form)
    assert recognize(text) is form


@pytest.mark.usefixtures("no_other_formats")
def test_a_registered_format_stays_in_its_process() -> None:
    register_format(mine())
    with pytest.raises(InputError, match="'mine' is registered in this process alone"):
        pickle.dumps(format_named("mine"))


@pytest.mark.usefixtures("no_other_formats")
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "ggf"}, "another format has the name 'ggf'"),
        ({"name": "positions"}, "another format has the name 'positions'"),
        ({"name": "My Own"}, "a word such as 'ggf', not 'My Own'"),
        ({"suffixes": (".pgn",)}, "the format 'pgn' has the suffix '.pgn'"),
        ({"suffixes": ("mine",)}, "begins with a dot"),
    ],
)
def test_a_format_that_would_hide_another_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        register_format(mine(**changes))
    assert known_formats() == FORMATS


def test_a_feature_that_does_not_exist_is_refused() -> None:
    assert capabilities("players", "results").lost.keys() & {"players", "results"} == set()
    with pytest.raises(InputError, match=r"^there is no feature 'result'; the features are players, "):
        capabilities("result")
