"""What holds for every format of the registry that is text; a new one adds its pieces here, and is tested."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from copy import deepcopy

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from fuzz_formats import READERS
from record_samples import RECORDS, TEXT, random_record, seed_with_pass
from reversi import OTHELLO, RecordError
from reversi.records import (
    Code,
    Entry,
    Line,
    Node,
    Record,
    Tags,
    TextFormat,
    format_record,
    losses,
    read_games,
    recognize,
)
from reversi.records.dialects import put_in_passes
from reversi.records.formats.eothello import HEADER
from reversi.records.formats.format import Format
from reversi.records.formats.registry import FORMATS, format_named
from reversi.records.formats.tables.parquet_table import FORMAT as PARQUET
from reversi.records.formats.tables.table import read_table
from reversi.records.notes import clean_comments

TEXTS = [format_ for format_ in FORMATS if isinstance(format_, TextFormat)]
GAMES = [format_ for format_ in TEXTS if format_.name != "obf"]  # which has positions
WHOLE = [format_ for format_ in TEXTS if format_.name in ("csv", "ggf", "jsonl", "pgn", "sgf")]
"""Formats that hold whatever a record has, where nothing is said to be lost."""

NOTHING = {
    "csv": ("moves,black\n", "the table has a header and no games"),
    "eothello": (f"{HEADER}\n", "no game"),
    "ggf": ("f5d6", "a game in GGF"),
    "jsonl": ("[]\n", "the table has no rows"),
    "logbook": ("\n\n", "the text contains no games"),
    "obf": ("% nothing\n", "no position"),
    "pgn": ("hello world", "the text contains no games"),
    "quest": ("[]\n", "the text contains no games"),
    "sgf": ("f5d6", "a game in SGF"),
    "transcript": ("hello", "the text contains no games"),
}
"""A text without a game in each format, and how it is refused."""

CUT = {
    "ggf": {Code.TRUNCATED},
    "pgn": {Code.TRUNCATED},
    "quest": {Code.TRUNCATED, Code.SYNTAX},
    "sgf": {Code.TRUNCATED, Code.SYNTAX},
}
"""How the rest of a cut game is reported in the formats whose games have an end."""

START = "8 ---------------------------O*------*O--------------------------- *"
PIECES = {
    "csv": '/moves/black/result/,/;/\n/"/""/f5d6/f5d6c3/Ann/1-0/3/#/record/tags/{}/start/rules/othello/x/\t',
    "eothello": f"/{HEADER}\n/f/5/d/6/1/,/-/0/f5d6c4/1056798,1,/\n",
    "ggf": f"/(;/;)/GM[Othello]/TY[8a]/BO[{START}]/B[f5]/W[d6|1|2]/W[PA]/RE[+2:r]/[/]/KM[1]/DT[1]/\n/2 /CO[x]/Q/"
    "RE[1e9]/TI[1|2]/TB[1]/TW[2]",
    "jsonl": '/{"moves":"f5d6"}/{/}/[/]/"moves":/["f5"]/"record":/"tags":/,/:/\n/"/1/null/"rules":"x"/'
    '"start":/{"a":1}',
    "logbook": "/+f5/-d6/+c3/-d3/: +02/ 7/ 0/\n/+/x",
    "obf": f"/{START[2:66]}/ X/ O/;/ d3:+2/ f5:-4/ PS:0/\n/% /:",
    "pgn": '/[Event "x"]/\n/1. /f5/d6 /{/}/(/)/$1/*/1-0/--/;/[',
    "quest": '/{"moves":["f5","d6"]}/{/}/[/]/"moves":/"f5"/,/\n/"/\\/1',
    "sgf": "(;/(/;/)/GM[2]/SZ[8]/AB[d4]/B[f5]/W[d6]/W[]/C[a]/RE[B+2]/TAG[a:b]/[/]/\\/\n/V[1]/KV[exact]/BL[3]/"
    "NAG[7]/FLIPS[d4]/TE[2]/PL[W]/AE[a1]/X[y]/IT[]",
    "transcript": f"/f5/d6/c3/F5/--/pass/\n/ /% /1. /x/{START[2:66]}/ X",
}
"""Pieces of a text in each format, the first of which begins it; a bar stands for a slash."""


def named(format_: TextFormat) -> str:
    return format_.name


def written(format_: TextFormat, records: Sequence[Record]) -> str:
    writer = format_.writer()
    return b"".join([*map(writer.add, records), writer.finish()]).decode()


def read(format_: TextFormat, text: str) -> list[Entry]:
    return list(format_.read(text, OTHELLO))


def is_written(format_: TextFormat, record: Record) -> bool:
    try:
        written(format_, [record])
    except RecordError:
        return False
    return True


def writes_its_passes(record: Record) -> bool:
    """Whether reading would put no pass into a record that is not legal anyway."""
    copy = deepcopy(record)
    put_in_passes(copy)
    return format_record(copy) == format_record(record)


def test_every_format_is_here() -> None:
    assert {*NOTHING} == {*PIECES} == {*map(named, TEXTS)}


@pytest.mark.parametrize("format_", GAMES, ids=named)
def test_what_a_format_writes_it_recognizes_and_reads(format_: TextFormat) -> None:
    records = [random_record(seed) for seed in (1, 2, seed_with_pass(1), 3)]
    text = written(format_, records)
    assert recognize(text) is format_
    entries = list(read_games(text))
    assert [entry.findings for entry in entries] == [[]] * len(records)
    assert [entry.record.moves for entry in entries] == [record.moves for record in records]


@pytest.mark.parametrize("format_", GAMES, ids=named)
def test_a_file_that_is_cut_keeps_the_games_before(format_: TextFormat) -> None:
    """What a cut leaves of the last game is its beginning, or is reported."""
    records = [random_record(seed) for seed in (1, 2, 3)]
    text, before = written(format_, records), len(written(format_, records[:2]))
    for cut in range(before, len(text) - 1, 3):
        first, second, *last = read(format_, text[:cut])
        assert ([*first.findings], [*second.findings], len(last) <= 1) == ([], [], True)
        assert [first.record.moves, second.record.moves] == [record.moves for record in records[:2]]
        for entry in last:
            assert entry.findings or entry.record.moves == records[2].moves[: len(entry.record.moves)]
            ends = CUT.get(format_.name)
            assert ends is None or (entry.findings and {finding.code for finding in entry.findings} <= ends)


@pytest.mark.parametrize("format_", TEXTS, ids=named)
def test_a_text_without_a_game_is_refused(format_: TextFormat) -> None:
    text, message = NOTHING[format_.name]
    with pytest.raises(RecordError, match=message):
        read(format_, text)


@pytest.mark.thorough
@pytest.mark.parametrize("format_", WHOLE, ids=named)
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(record=RECORDS.filter(writes_its_passes))
def test_a_record_of_which_nothing_is_lost_is_read_back(format_: TextFormat, record: Record) -> None:
    if format_.name == "ggf" and (
        record.line.lists_flips or losses(record, "ggf") or not is_written(format_, record)
    ):
        return
    (entry,) = read(format_, written(format_, [record]))
    assert entry.record == record


SIGNATURES = [
    f"(;GM[Othello]PC[x]TY[8]BO[{START}]B[f5]W[d6];)",
    "(;GM[2]SZ[8]B[f5])",
    f"{HEADER}\n1056798,1,f5d6",
    "\nblack;white;moves\na;b;f5d6\n",
    '{"position":{"moves":[1]},"moves":["f5"]}',
    '\n[Event "x"]\n[White "x"]\n\n1. f5 d6 *\n',
    "+f5 : +02\n-d6",
    f"{START[2:66]} X; f5:+2;",
    "f5d6c3d3",
    "%",
    "",
]
"""How texts in other formats begin, and what begins no text."""


@st.composite
def annotated_games(draw: st.DrawFn) -> Record:
    """Legal games with tags, comments, variations and the like, as text of the formats has them."""
    made = random_record(draw(st.integers(0, 10**6)), plies=draw(st.integers(4, 200)))
    texts = st.sampled_from(SIGNATURES) | TEXT
    made.tags.update({f"Tag{number}": draw(texts) for number in range(draw(st.integers(0, 20)))})
    for name in draw(st.sets(st.sampled_from(["Event", "Site", "Round", "Black", "Annotator", "Date"]))):
        made.tags[name] = draw(texts)
    comments = st.lists(texts, max_size=2)
    made.line.comments = clean_comments(draw(comments))
    for number in draw(st.sets(st.integers(0, len(made.line.nodes) - 1), max_size=4)):
        node = made.line.nodes[number]
        node.comments = clean_comments(draw(comments))
        node.clock = draw(st.none() | st.integers(0, 3600))
        node.nags = draw(st.sampled_from([(), (1,), (2, 6)]))
        if draw(st.booleans()):
            node.variations = (Line([Node(move) for move in made.moves[number : number + 2]]),)
    return made


@pytest.mark.parametrize("format_", [*GAMES, PARQUET], ids=lambda format_: format_.name)
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(records=st.lists(annotated_games(), min_size=1, max_size=3))
def test_what_is_written_is_recognized_and_comes_back(format_: Format, records: list[Record]) -> None:
    if format_ is PARQUET:
        pytest.importorskip("pyarrow", reason="Parquet needs the extra tables")
    writer = format_.writer()
    data = b""
    written = []
    for record in records:
        with contextlib.suppress(RecordError):  # the format cannot hold the game
            data += writer.add(record)
            written.append(record)
    data += writer.finish()
    if not written:
        return
    if isinstance(format_, TextFormat):
        assert recognize(data.decode()) is format_
        entries = list(read_games(data.decode()))
    else:
        entries = list(read_table(PARQUET.table(io.BytesIO(data))))
    assert [entry.findings for entry in entries] == [[]] * len(written)
    assert [entry.record.moves for entry in entries] == [record.moves for record in written]
    for entry, record in zip(entries, written, strict=True):
        if not format_.holds.losses(record):
            assert entry.record == record


@pytest.mark.parametrize("name", ["csv", "jsonl", "parquet"])
def test_a_table_has_what_is_read_of_it_and_no_more(name: str) -> None:
    if name == "parquet":
        pytest.importorskip("pyarrow", reason="Parquet needs the extra tables")
    many, long, huge = random_record(1), random_record(2), random_record(3)
    many.tags = Tags([*many.tags.pairs, *((f"Tag{number}", "x") for number in range(5000))])
    long.line.comments = (('a "quoted" word ' * 12_000).strip(),)
    huge.line.comments = ("x" * (1 << 20),)
    writer = format_named(name).writer()
    data = writer.add(many) + writer.add(long)
    with pytest.raises(RecordError, match=r"column record has \d+ characters; the limit is 1048576"):
        writer.add(huge)
    huge.line.comments = ()
    huge.tags["Event"] = "x" * 65_537
    with pytest.raises(RecordError, match="column event has 65537 characters; the limit is 65536"):
        writer.add(huge)
    data += writer.finish()
    if name == "parquet":
        entries = list(read_table(PARQUET.table(io.BytesIO(data))))
    else:
        entries = list(read_games(data.decode()))
    assert [(entry.record, entry.findings) for entry in entries] == [(many, []), (long, [])]


@pytest.mark.parametrize("format_", TEXTS, ids=named)
@given(data=st.data())
def test_any_pieces(format_: TextFormat, data: st.DataObject) -> None:
    begin, *pieces = (piece.replace("|", "/") for piece in PIECES[format_.name].split("/"))
    text = begin + data.draw(st.lists(st.sampled_from(pieces)).map("".join) | st.text(max_size=40))
    if format_.name in READERS:
        READERS[format_.name].check(text.encode())
    try:
        entries = read(format_, text)
    except RecordError:
        assert format_.name not in ("ggf", "sgf") or "(;" not in text
        return
    assert [entry.number for entry in entries] == [*range(1, len(entries) + 1)]
    for entry in entries:
        if format_ in WHOLE and not entry.findings and writes_its_passes(entry.record):
            (again,) = read(format_, written(format_, [entry.record]))
            assert again.record == entry.record


@pytest.mark.parametrize("format_", GAMES, ids=named)
def test_what_a_format_loses_is_named(format_: TextFormat) -> None:
    record = random_record(1)
    record.line = Line([Node(node.move, comments=("a comment",), nags=(1,)) for node in record.line.nodes])
    (entry,) = read(format_, written(format_, [record]))
    assert entry.record.moves == record.moves
    assert (entry.record == record) == (losses(record, format_.name) == [])
