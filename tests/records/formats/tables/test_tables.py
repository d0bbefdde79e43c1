"""Tables of games: what is guessed, what is read, and what is wrong with them."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from files import new_file
from record_samples import random_record
from reversi import Position, RecordError, parse_rules
from reversi.errors import InputError
from reversi.games import open_records
from reversi.inputs.input import resolve
from reversi.records import Entry, Record, read_games, recognize
from reversi.records.conversion import Conversion
from reversi.records.formats.registry import FORMATS, format_named, recognize_binary, text_format_named
from reversi.records.formats.tables.columns import ColumnsError, parse_columns
from reversi.records.formats.tables.table import TableOptions
from reversi.records.sources.opening import open_source
from reversi.records.validation import FileDone, Validation
from reversi.records.validation.game import validate_entry
from reversi.text import format_board
from table_samples import SAMPLES, Sample, games, moves

HEADER = "moves,black,white,result\n"
LINES = [f"{moves(record)},{record.black.replace(',', '')},{record.white},{record.result}\n" for record in games()]


def written(folder: Path, data: bytes | str, name: str = "t.csv") -> Path:
    return new_file(folder / name, data.encode() if isinstance(data, str) else data)


def read(path: Path, columns: str = "") -> tuple[list[Entry], list[str]]:
    with open_source(str(path)) as source:
        options = TableOptions(parse_columns([columns] if columns else []))
        entries = list(source.entries(options=options))
        return entries, source.notes


def parquet_of(folder: Path, sample: Sample) -> Path:
    if sample.name.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    return written(folder, sample.data(), sample.name)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_tables_of_other_shapes(tmp_path: Path, sample: Sample) -> None:
    path = parquet_of(tmp_path, sample)
    entries, (note,) = read(path)
    option = sample.columns if " " not in sample.columns else f'"{sample.columns}"'
    unread = f"; not read: {', '.join(sample.unread)}" if sample.unread else ""
    assert note == f"{path}: columns guessed: {option}{unread}"
    for entry, record in zip(entries, games(), strict=True):
        assert validate_entry(entry).findings == ()
        assert (entry.record.moves, entry.record.result) == (record.moves, record.result)
        assert {name for name, value in entry.record.tags.items() if value.strip("?.")} == {*sample.tags}
        for name in {"Black", "White"} & {*sample.tags}:
            assert entry.record.tags[name] == record.tags[name]
        if "Date" in sample.tags:
            assert "2024" in entry.record.tags["Date"]
    assert read(path, sample.columns)[0] == entries
    assert read(path, sample.columns)[1] == []  # nothing is guessed


def test_dates_are_those_of_records(tmp_path: Path) -> None:
    by_name = {sample.name: sample for sample in SAMPLES}
    for name in ("comma.csv", "lines.jsonl"):
        entries, _ = read(written(tmp_path, by_name[name].data(), name))
        assert [entry.record.tags["Date"] for entry in entries] == [record.tags["Date"] for record in games()]
    assert entries[0].record.tags["Time"] == "18:30:00Z"


def _refused(path: Path, match: str, columns: str = "") -> None:
    with pytest.raises(InputError, match=match):
        read(path, columns)
    with pytest.raises(RecordError, match=match):
        list(open_records(path, columns=parse_columns([columns]) if columns else None))
    tables = TableOptions(parse_columns([columns] if columns else []))
    (done,) = Validation(tables=tables).check([str(path)])
    assert isinstance(done, FileDone)
    assert done.games == 0
    assert done.error


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (
            "".join([HEADER, *LINES[:3], ",x,y,1-0\n", *LINES[3:]]),
            "line 5 has no moves in column moves; give --columns moves=moves,black=black",
        ),
        (
            "".join([HEADER, *LINES[:3], "f5d6,x\n"]),
            "line 5: the row has 2 cells; the table has 4 columns; give --col",
        ),
        ("".join([HEADER, *LINES[:3], '"f5d6,x\n']), "line 5: a quote is not closed"),
        (HEADER, "the table has a header and no games$"),
        (
            "a,b\nf5d6c3d3,c4c3d3c5b2\nf5d6c3d3c4f4f6,c4c3d3\n",
            r"columns a and b have moves \(start=b where they come first\); give --columns moves=a",
        ),
        ("", "empty, nothing in it"),
        (" \n\n", "empty, nothing in it"),
        (bytes(range(256)) * 10, "binary data, not text"),
        ("".join([HEADER, *LINES, "f5d6,x\0,y,*\n"]), "binary data, not text"),
        ("".join([HEADER, *LINES, f"f5d6,{'x' * 1_100_000},y,*\n"]), "line 14 has more than 1048576 bytes"),
        ("name,age\nAnn,3\n", "no game in a known format"),
        ('{"name":"x","version":3}\n', "JSON, and its first object has no moves"),
        ('{\n "name": "x",\n "scripts": {"a": "b"}\n}\n', "JSON, and its first object has no moves"),
        (
            '{"moves":"f5d6","black":"a"}\n{"moves":\n',
            "line 2: the file ends inside the game; give --columns moves=moves",
        ),
    ],
    ids=range(14),
)
def test_what_is_not_certain_or_no_table(tmp_path: Path, data: bytes | str, match: str) -> None:
    _refused(written(tmp_path, data), match)


@pytest.mark.parametrize(
    ("data", "columns", "games"),
    [
        ("startpos,moves,black\nf5d6c3,d3c4,Ann\nf5f6e6,f4,Bob\n", "", ["f5d6c3d3c4", "f5f6e6f4"]),
        ("moves,setup\nd3c4,f5d6c3\ne6f4,\n", "", ["f5d6c3d3c4", "e6f4"]),
        ('{"setup":"f5d6c3","moves":"d3c4"}\n{"setup":"f5d6c3","moves":["d3"]}\n', "", ["f5d6c3d3c4", "f5d6c3d3"]),
        ("pre,moves\nf5d6c3,d3c4\nf5f6e6,f4\n", "moves=moves,start=pre", ["f5d6c3d3c4", "f5f6e6f4"]),
        ("opening,moves\nf5d6c3,f5d6c3d3\nf5f6,f5f6e6\n", "", ["f5d6c3d3", "f5f6e6"]),
        ("fen,moves\n---------------------------XO------OX--------------------------- X,f4d3\n", "", ["f4d3"]),
    ],
)
def test_moves_that_are_on_the_board_already(tmp_path: Path, data: str, columns: str, games: list[str]) -> None:
    path = written(tmp_path, data)
    read = open_records(path, columns=parse_columns([columns]) if columns else None, report=lambda _: None)
    assert ["".join(map(str, record.moves)) for record in read] == games


def test_a_column_of_moves_is_never_left_out_silently(tmp_path: Path) -> None:
    why = r"columns moves and pre have moves \(start=pre where they come first\); give --columns moves=moves"
    _refused(written(tmp_path, "pre,moves\nf5d6c3,d3c4\nf5f6e6,f4d3\n"), why)


@pytest.mark.parametrize(
    ("columns", "match"),
    [
        ("moves=5", r"column '5' does not exist; the table has 4 columns: moves, black, white, result"),
        ("moves=Zug", "column 'Zug' does not exist"),
        ("moves=moves,Elo=rating", "column 'rating' does not exist"),
    ],
)
def test_columns_that_do_not_exist(tmp_path: Path, columns: str, match: str) -> None:
    _refused(written(tmp_path, "".join([HEADER, *LINES])), match, columns)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("zug=3", "'zug' is not one of moves, black, white"),
        ("moves", "write what a column says and its name or number: moves=3"),
        ("moves=", "write what a column says"),
        ("moves=1,moves=2", "moves is given twice"),
        ("black=2", "give the column of the moves, too: moves=3"),
        ("moves=1,Result=2", "'Result' is not one of"),
    ],
)
def test_columns_that_are_not_written_so(text: str, match: str) -> None:
    with pytest.raises(ColumnsError, match=match) as caught:
        parse_columns([text])
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_columns_with_commas_and_several_options() -> None:
    assert parse_columns(["moves=a, b,black=2", "BlackElo=x=y"]) == {
        "moves": "a, b",
        "black": "2",
        "BlackElo": "x=y",
    }
    assert parse_columns([]) == {}


def test_rows_that_cannot_be_read_are_findings_with_their_lines(tmp_path: Path) -> None:
    many = "".join([HEADER, *LINES * 9])  # past the rows that are looked at
    first = many.count("\n")
    bad = (
        f'f5d6,"a\nb\n\nc",d,*\nf5d6,x\nf5d6,x,y,*,z\nf5zz,x,y,*\n,x,y,*\nf5d6,x,y,what\nf5d6,{"x" * 70_000},y,*\n'
        'f5d6,"x,y,*\nf5d6c3,"Ann ""A""",Bob,,\nf5a1,x,y,*\n'
    )
    entries, _ = read(written(tmp_path, many + bad + "".join(LINES)))
    found = [
        (entry.line - first, finding.line, finding.message)
        for entry in entries
        for finding in validate_entry(entry).findings
    ]
    assert [(line, message) for line, _, message in found] == [
        (5, "the row has 2 cells; the table has 4 columns"),
        (6, "the row has 5 cells; the table has 4 columns"),
        (7, "'zz' is not a move"),
        (8, "column moves has no moves"),
        (9, "'what' is not a result"),
        (10, "column black has 70000 characters; the limit is 65536"),
        (11, "a quote is not closed; lines after it that are not whole rows are part of it"),
        (13, "a1: flips nothing; legal: f4 d6 f6"),
    ]
    assert all(line + first == number for line, number, _ in found)
    quoted, *_, after = (entry for entry in entries if entry.line - first in (1, 12))
    assert (quoted.record.black, after.record.black) == ("a b  c", 'Ann "A"')
    assert len(entries) == 9 * len(LINES) + 10 + len(LINES)


def test_a_wrong_column_is_given_up(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER + "".join(LINES * 100))
    with pytest.raises(RecordError, match="'Ann' is not a move; 1000 findings up to line 1001 and not a game"):
        read(path, "moves=black")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|", ":", "^", " "])
def test_any_separator_and_line_end(tmp_path: Path, separator: str, end: str) -> None:
    rows = [f"{number}{separator}{moves(record)}{separator}x" for number, record in enumerate(games(), 1)]
    header = separator.join(("number", "moves", "more"))
    for lines, column in ((rows, "2"), ([header, *rows], "moves")):
        path = written(tmp_path, end.join(lines) + end)
        entries, notes = read(path, f"moves={column}" if separator == " " else "")
        assert [entry.record.moves for entry in entries] == [record.moves for record in games()]
        assert notes == (
            []
            if separator == " "
            else [
                f"{path}: columns guessed: moves={column}; not read: "
                + ("1, 3" if column == "2" else "number, more")
            ]
        )


def test_marks_of_encodings(tmp_path: Path) -> None:
    text = HEADER.replace("black", "Schwärzer") + "".join(LINES)
    for data in (text.encode(), text.encode("utf-8-sig"), text.encode("latin-1")):
        entries, _ = read(written(tmp_path, data), "moves=moves,black=Schwärzer")
        assert entries[0].record.black == "Ann-0 A."


def test_comments_blank_lines_and_headers_again(tmp_path: Path) -> None:
    text = "# made by hand\n\n" + HEADER + "\n" + "".join(LINES) + HEADER + LINES[0]
    entries, _ = read(written(tmp_path, text))
    assert [entry.line for entry in entries] == [*range(5, 17), 18]


@pytest.mark.parametrize(
    ("head", "foot"),
    [
        ("sep=;\r\n", ""),
        ('"sep=;"\n', ""),
        ("Club championship 2024;;;\n;;;\nUpdated by Ann;;;\n", ""),
        ("Club championship 2024\n\n", ""),
        ("", "|---|---|---|---|\n"),
    ],
)
def test_what_programs_write_above_and_below_a_table(tmp_path: Path, head: str, foot: str) -> None:
    table = HEADER.replace(",", ";") + "".join(line.replace(",", ";") for line in LINES)
    entries, _ = read(written(tmp_path, head + table + foot))
    assert [entry.record for entry in entries] == [
        entry.record for entry in read(written(tmp_path, table, "u.csv"))[0]
    ]
    assert [entry.line for entry in entries] == [head.count("\n") + 2 + at for at in range(len(LINES))]


def test_a_table_in_a_frame(tmp_path: Path) -> None:
    rows = [HEADER, *LINES]
    framed = ["| " + row.strip().replace(",", " | ") + " |\n" for row in rows]
    framed.insert(1, "|:---|---|---:|---|\n")
    entries, _ = read(written(tmp_path, "".join(framed), "t.md"))
    assert [entry.record for entry in entries] == [
        entry.record for entry in read(written(tmp_path, "".join(rows)))[0]
    ]


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("#;Tavolo;Nero;Bianco;Mosse\n1;3;Ann;Bob;f5d6c3\n", "moves=Mosse,black=Nero,white=Bianco"),
        ("Joueur Noir,Joueur Blanc,Coups\nAnn,Bob,f5d6c3\n", "moves=Coups,black=Joueur Noir,white=Joueur Blanc"),
        ("黑,白,棋谱\nAnn,Bob,f5d6c3\n", "moves=棋谱,black=黑,white=白"),
        ('"f5d6c3"\n"f5f6e6"\n', "moves=1"),
        ("Game 1: f5d6c3\nGame 2: f5f6e6\n", "moves=2"),
    ],
)
def test_tables_of_people(tmp_path: Path, table: str, columns: str) -> None:
    entries, (note,) = read(written(tmp_path, table))
    assert columns in note
    assert [entry.record.line.transcript for entry in entries] == ["f5d6c3", "f5f6e6"][: len(entries)]
    assert "black" not in columns or (entries[0].record.black, entries[0].record.white) == ("Ann", "Bob")


def test_a_row_with_one_cell_is_a_title_only_above_others_and_without_moves(tmp_path: Path) -> None:
    entries, _ = read(written(tmp_path, "f5d6c3;;\nf5f6e6;Ann;Bob\n"))
    assert [str(entry.record.line.transcript) for entry in entries] == ["f5d6c3", "f5f6e6"]
    entries, _ = read(written(tmp_path, "moves;;\nf5f6e6;Ann;Bob\n", "u.csv"), "moves=moves")
    assert len(entries) == 1
    prose = "One\nTwo\nThree\nFour\nf5d6c3;Ann;Bob\n"
    assert [recognize(text) is format_named("csv") for text in (prose, prose.replace("Four\n", ""))] == [
        False,
        True,
    ]


def test_one_file_after_another_of_the_same_columns(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv.gz"):
        data = (HEADER + "".join(LINES)).encode()
        written(tmp_path, gzip.compress(data) if name.endswith(".gz") else data, name)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert sum(1 for _ in open_records(tmp_path)) == 2 * len(LINES)
    assert [str(warning.message).partition(": ")[2] for warning in caught] == [
        "columns guessed: moves=moves,black=black,white=white,result=result"
    ] * 2
    assert sum(1 for _ in open_records(tmp_path, columns={"moves": 1})) == 2 * len(LINES)


def test_results_in_numbers(tmp_path: Path) -> None:
    """What a number says shows in the games that ended on the board."""
    made = games()
    signs = [(score > 0) - (score < 0) for score in (_lead(record) for record in made)]
    columns = {
        "lead": [f"{_lead(record)}" for record in made],
        "discs": [str((64 + _lead(record)) // 2) for record in made],
        "winner": [str(sign) for sign in signs],
        "player": [str({1: 1, 0: 0, -1: 2}[sign]) for sign in signs],
        "points": [str({1: "1", 0: "0.5", -1: "0"}[sign]) for sign in signs],
        "words": [{1: "Black", 0: "draw", -1: "WHITE"}[sign] for sign in signs],
        "by": [
            {1: f"B+{_lead(record)}", 0: "draw", -1: f"W+{-_lead(record)}"}[sign]
            for record, sign in zip(made, signs, strict=True)
        ],
        "names": [{1: "Ann", 0: "draw", -1: "Bob"}[sign] for sign in signs],
    }
    for kind, values in columns.items():
        lines = [f"{moves(record)};{value};Ann;Bob\n" for record, value in zip(made, values, strict=True)]
        wrong = f"{moves(made[0])};{values[[signs.index(-signs[0])][0]]};Ann;Bob\n"
        entries, _ = read(written(tmp_path, "moves;result;black;white\n" + "".join(lines) + wrong))
        found = [validate_entry(entry).findings for entry in entries]
        assert found[:-1] == [()] * len(made), kind
        assert [str(finding.code) for finding in found[-1]] == ["result-mismatch"], kind


def _lead(record: Record) -> int:
    black, white = map(int, record.result.split("-"))
    empty = 64 - black - white
    return black - white + (empty if black > white else -empty if white > black else 0)


def _table(format_: str, rows: list[dict[str, object]]) -> bytes:
    """Return a table with the same rows in each format."""
    names = list(rows[0])
    if format_ == "csv":
        lines = [";".join(names), *(";".join(str(row[name]) for name in names) for row in rows)]
        return ("\n".join(lines) + "\n").encode()
    if format_ == "parquet":
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        sink = io.BytesIO()
        pq.write_table(pa.Table.from_pylist(rows), sink)
        return sink.getvalue()
    if format_ == "json":
        return json.dumps({"games": rows}).encode()
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _sign(record: Record) -> int:
    return (_lead(record) > 0) - (_lead(record) < 0)


DECIDED = [record for record in games() if _lead(record)]
MEANINGS: dict[str, tuple[dict[str, Callable[[Record], object]], str]] = {
    "discs under the names of players": (
        {
            "moves": moves,
            "black": lambda record: int(record.result.split("-")[0]),
            "white": lambda record: int(record.result.split("-")[1]),
        },
        "moves=moves,result=black,white_discs=white",
    ),
    "numbers of players": (
        {"moves": moves, "black": lambda record: 7, "white": lambda record: _lead(record) % 5},
        "moves=moves,black=black,white=white",
    ),
    "0 for Black": (
        {"moves": moves, "winner": lambda record: int(_sign(record) < 0)},
        "moves=moves,result=winner",
    ),
    "1 for Black": (
        {"moves": moves, "winner": lambda record: int(_sign(record) > 0)},
        "moves=moves,result=winner",
    ),
    "-1 for Black": ({"moves": moves, "winner": lambda record: -_sign(record)}, "moves=moves,result=winner"),
    "White's lead": ({"moves": moves, "score": lambda record: -_lead(record)}, "moves=moves,result=score"),
    "squares": (
        {"actions": lambda record: [move.index for move in record.moves]},
        "moves=actions",
    ),
    "squares of WTHOR": (
        {
            "moves": lambda record: " ".join(
                str(11 + move.index % 8 + 10 * (move.index // 8)) for move in record.moves if not move.is_pass
            )
        },
        "moves=moves",
    ),
}


@pytest.mark.parametrize("format_", ["csv", "json", "jsonl", "parquet"])
@pytest.mark.parametrize("meaning", MEANINGS)
def test_finished_games_decide_what_columns_mean(tmp_path: Path, meaning: str, format_: str) -> None:
    columns, option = MEANINGS[meaning]
    rows = [{name: make(record) for name, make in columns.items()} for record in DECIDED]
    path = written(tmp_path, _table(format_, rows), f"t.{format_}")
    entries, (note,) = read(path)
    assert note.partition("guessed: ")[2] == option
    assert [entry.record.moves for entry in entries] == [record.moves for record in DECIDED]
    assert [entry.record.result for entry in entries] == [record.result for record in DECIDED]
    assert all(validate_entry(entry).findings == () for entry in entries)
    assert read(path, option)[0] == entries


@pytest.mark.parametrize(
    ("header", "cells", "match"),
    [
        (
            "black;white",
            lambda at, record: record.result.replace("-", ";") if at % 3 == 0 else f"{at};9",
            r"columns black and white: as discs \(result=black,white_discs=white\) they fit \d of 11 finished"
            r" games; as players they name 55 and 9; give --columns moves=moves,black=black,white=white",
        ),
        (
            "score",
            lambda at, record: _lead(record) + 2,
            r"column score has no results: as Black's lead it fits 0 of 11 finished games, as .* it fits 0"
            r" of 11 finished games; give --columns moves=moves$",
        ),
    ],
    ids=["discs or players", "neither lead nor discs"],
)
def test_finished_games_contradict_every_reading(
    tmp_path: Path, header: str, cells: Callable[[int, Record], object], match: str
) -> None:
    lines = [f"{moves(record)};{cells(at, record)}\n" for at, record in enumerate(DECIDED)]
    _refused(written(tmp_path, f"moves;{header}\n" + "".join(lines)), match)


@pytest.mark.parametrize("format_", ["csv", "json", "jsonl", "parquet"])
@pytest.mark.parametrize("option", ["moves=move,result=result,id=game_id", "moves=move,result=result,ply=ply"])
def test_a_row_for_each_move(tmp_path: Path, option: str, format_: str) -> None:
    rows = [
        {"game_id": number, "ply": ply, "color": "BW"[ply % 2], "move": str(move), "result": record.result}
        for number, record in enumerate(DECIDED)
        for ply, move in enumerate(record.moves)
    ]
    if "ply=" in option:
        rows = [{name: value for name, value in row.items() if name != "game_id"} for row in rows]
    path = written(tmp_path, _table(format_, rows), f"t.{format_}")
    entries, (note,) = read(path)
    assert note.partition("guessed: ")[2].startswith(f"{option}; a row for each move; not read: ")
    assert [(entry.record.moves, entry.record.result) for entry in entries] == [
        (record.moves, record.result) for record in DECIDED
    ]
    assert read(path, option)[0] == entries


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('["f5d6c3","f5f6e6"]', 2),
        ('["f5","d6","c3"]', 1),
        ('[["f5","d6","c3"],["f5","f6"]]', 2),
        ('[["f5","d6","c3"]]\n[["f5","f6"]]\n', 2),
        ("[[37,43,18],[37,45]]", 2),
        ("[37,43,18]", 1),
        ("[37,43,18]\n[37,45]\n", 2),
        ('{"games":["f5d6c3","f5f6e6"]}', 2),
        ('{"moves":["f5d6c3","f5f6e6"]}', 2),
        ('{"moves":["f5","f6"]}', 1),
        ('{"version":2,"games":[{"moves":"f5d6c3"},{"moves":"f5f6e6"}]}', 2),
    ],
)
def test_arrays_of_games(text: str, count: int) -> None:
    entries = list(read_games(text))
    assert len(entries) == count
    assert all(not entry.findings and validate_entry(entry).findings == () for entry in entries)


def _own(format_: str, records: list[Record]) -> bytes:
    if format_ == "parquet":
        pytest.importorskip("pyarrow")
    conversion = Conversion(format_named(format_), lambda trouble: pytest.fail(str(trouble)))
    return b"".join(conversion.pieces(Entry(at, 0, record) for at, record in enumerate(records, 1)))


@pytest.mark.parametrize("format_", ["csv", "jsonl", "parquet"])
def test_own_tables_lose_nothing(tmp_path: Path, format_: str) -> None:
    records = [random_record(seed) for seed in range(5)]
    records += [random_record(seed, parse_rules("adjacent,board=6x6,optional-skip"), 12) for seed in range(5)]
    records[1].tags["Annotator"] = 'x "y", z'
    records[2].line.nodes[3].comments = ("a comment", "and more")
    records.append(Record())
    data = _own(format_, records)
    entries, notes = read(written(tmp_path, data, f"own.{format_}"))
    assert [entry.record for entry in entries] == records
    assert notes == []
    assert [entry.record for entry in resolve(f"{tmp_path}/own.{format_}#3").entries()] == [records[2]]


def test_moves_are_those_of_the_rules_that_the_row_names(tmp_path: Path) -> None:
    rules = parse_rules("othello,board=6x6")
    start = Position(rules).play("c2").play("b2")
    lines = [
        f"{moves(random_record(1))};;\n",
        f"{moves(random_record(2, rules))};{rules};\n",
        f"{moves(random_record(3, rules, start=start))};{rules};{format_board(start)}\n",
    ]
    entries, (note,) = read(written(tmp_path, "moves;rules;start\n" + "".join(lines)))
    assert note.partition(": ")[2] == "columns guessed: moves=moves,rules=rules,start=start"
    assert [validate_entry(entry).findings for entry in entries] == [(), (), ()]
    assert entries[2].record.start == start


def test_a_year_counts_where_the_date_is_unknown() -> None:
    """As in a part of the columns of the project's own tables."""
    notes: list[str] = []
    read = list(read_games("moves,date,year\nf5d6,,1984\nf5f6,1998-05-12,1998\nf5f4,,\n", notes=notes))
    assert [entry.record.tags["Date"] for entry in read] == ["1984.??.??", "1998.05.12", "????.??.??"]
    assert notes == ["columns guessed: moves=moves,date=date,year=year"]


def test_own_tables_of_games_under_several_rules() -> None:
    rules = parse_rules("adjacent,board=6x6")
    records = [random_record(1), *(random_record(seed, rules, 12) for seed in range(5))]
    assert [entry.record for entry in read_games(_own("csv", records).decode())] == records


@pytest.mark.parametrize(
    "tags",
    [
        '{"Annotator":"Ann"}',
        '[["Annotator","Ann"]]',
        {"Annotator": "Ann"},
        [["Annotator", "Ann"]],
        [{"k": "Annotator", "v": "Ann"}],
    ],
)
def test_tags_of_any_shape(tags: object) -> None:
    row = {
        "moves": "f5d6",
        "rules": None,
        "start": None,
        "record": None,
        "tags": tags,
        "black": "Bob",
        "date": "2024-05-01",
    }
    (entry,) = read_games(json.dumps(row) + "\n")
    assert (entry.findings, dict(entry.record.tags)["Annotator"], entry.record.black) == ([], "Ann", "Bob")
    assert entry.record.tags["Date"] == "2024.05.01"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tags": "{"}, "the tags '{' are not JSON"),
        ({"tags": [1]}, "the tags are not names with values"),
        ({"tags": {"a b": "x"}}, "'a b' cannot be the name of a tag"),
        ({"rules": "chess"}, "chess"),
        ({"start": "x"}, "1 cell where the 8x8 board has 64"),
        ({"record": "x"}, "the record cannot be read"),
        ({"record": '[Event "a"]\n\n*\n\n[Event "b"]\n\n*\n'}, "the record has more than one game"),
        ({"result": "what"}, "'what' is not a result"),
    ],
)
def test_wrong_cells_of_own_tables(change: dict[str, object], message: str) -> None:
    row = {"moves": "f5d6", "rules": None, "start": None, "record": None, "tags": None, "result": None}
    (entry,) = read_games(json.dumps(row | change) + "\n")
    assert message in entry.findings[0].message
    assert entry.findings[0].line == 1


def test_objects_that_are_not_on_lines() -> None:
    text = '[{"moves": "f5d6",\n "black": "a"},\n {"moves": ["f5", "f6"]}, 3, {"moves": nul}]\n{"moves": "f5d6c3"}'
    entries = list(read_games(text, options=TableOptions({"moves": "moves", "black": "black"})))
    assert [(entry.line, len(entry.record.moves)) for entry in entries if not entry.findings] == [
        (1, 2),
        (3, 2),
        (4, 3),
    ]
    assert [finding.message for entry in entries for finding in entry.findings] == [
        "'3, {\"moves\": nul}]' is not an object",
    ]


def test_json_of_others_is_not_called_quest() -> None:
    quest = '{"id":"17","players":["a","b"],"position":{"moves":[{"m":"f5"}]}}'
    assert recognize(quest) is format_named("quest")
    assert recognize('{"moves":["f5","d6"],"black":"a"}') is format_named("jsonl")
    assert recognize('{"name":"moves","x":["moves"]}') is None
    with pytest.raises(RecordError, match="JSON, and its first object has no moves"):
        list(read_games('{"name":"x","moved":3,"position":"start"}'))


@pytest.mark.parametrize(
    "text",
    [
        "f5,d6,c3\n",
        "f5d6c3\nf5f6e6\n",
        "1. f5 d6 2. c3 d3\n",
        "f5 d6 c3 -- d3\n",
        "f5d6;c3\n",
        "-" * 27 + "OX------XO" + "-" * 27 + "; d3c5\n" + "-" * 27 + "OX------XO" + "-" * 27 + "; f5d6\n",
        "1,-1,f5d6c3d3\n",
        "+f5-d6+c3-d3: +04 1\n",
        '[Event "a, b"]\n\n1. f5 d6 *\n',
        "(;GM[2];B[f5];W[d6])\n",
    ],
)
def test_texts_that_are_no_tables(text: str) -> None:
    format_ = recognize(text)
    assert format_ is not None
    assert format_.name not in ("csv", "jsonl")


def test_parquet_that_is_damaged(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    data = _own("parquet", games())
    assert recognize_binary(data[:100], len(data)) is format_named("parquet")
    for wrong in (data[: len(data) // 2], b"PAR1" + bytes(range(200)) + b"PAR1", b"PAR1"):
        _refused(written(tmp_path, wrong, "x.parquet"), "Parquet that cannot be read: ")
    with open_source("-", io.BytesIO(data)) as source:  # which cannot be read from its end
        assert [entry.record for entry in source.entries()] == games()
    with open_source(str(written(tmp_path, gzip.compress(data), "x.parquet.gz"))) as source:
        assert [entry.record for entry in source.entries()] == games()


def test_parquet_without_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    path = written(tmp_path, b"PAR1" + bytes(20) + b"PAR1", "x.parquet")
    with pytest.raises(
        InputError, match=r'tables need pyarrow and polars: pip install "reversi-engine\[tables\]"'
    ):
        read(path)


def test_an_answer_about_a_guess(tmp_path: Path) -> None:
    path = written(tmp_path, "".join([HEADER, *LINES[:3], ",x,y,1-0\n", *LINES[3:]]))
    asked = []

    def confirm(name: str, guess: object) -> dict[str, str] | None:
        asked.append((name, str(guess)))
        return {"moves": "1"}

    with open_source(str(path)) as source:
        entries = list(source.entries(options=TableOptions(confirm=confirm)))
        assert source.notes == []
    assert len(entries) == 13
    assert entries[0].record.black == "?"
    assert asked == [(str(path), "columns guessed: moves=moves,black=black,white=white,result=result")]
    with (
        open_source(str(path)) as source,
        pytest.raises(ColumnsError, match="the columns are not confirmed; give"),
    ):
        list(source.entries(options=TableOptions(confirm=lambda name, guess: None)))


def test_memory_does_not_grow_with_the_table(tmp_path: Path) -> None:
    import tracemalloc

    peaks = []
    for times in (40, 160):
        path = written(tmp_path, HEADER + "".join(LINES) * times)
        with open_source(str(path)) as source:
            tracemalloc.start()
            for _ in source.entries():
                pass
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0] + 2_500_000  # a chunk of text


def test_every_table_has_its_place() -> None:
    names = [format_.name for format_ in FORMATS]
    assert names.index("eothello") < names.index("csv") < names.index("transcript")
    assert names.index("quest") < names.index("jsonl") < names.index("pgn")


def test_a_name_is_not_enough_where_the_cells_say_something_else(tmp_path: Path) -> None:
    lines = ["result,score,variant,board,moves\n"]
    for number, record in enumerate(games()):
        lines.append(f"after {number} s,{_lead(record)},classic,{number},{moves(record)}\n")
    entries, (note,) = read(written(tmp_path, "".join(lines)))
    assert note.partition(": ")[2] == "columns guessed: moves=moves,result=score; not read: result, variant, board"
    assert [entry.record.result for entry in entries] == [record.result for record in games()]


def test_names_of_columns_are_shown_on_one_line() -> None:
    text = '{"a\\u0007b":"x","c\\nd":"y"}\n'
    with pytest.raises(RecordError, match=r"^a table without a column of moves \(the columns: a b, c d\); give"):
        list(read_games(text, format_=text_format_named("jsonl")))
    notes: list[str] = []
    (entry,) = read_games('{"mo\\u0007ves":"f5d6"}\n', notes=notes)
    assert (entry.findings, notes) == ([], ['columns guessed: "moves=mo ves"'])
