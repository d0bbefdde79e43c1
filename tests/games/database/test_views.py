"""The tables of a database: SQL, Arrow, polars, and files that other programs read."""

from __future__ import annotations

import csv
import datetime
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from files import new_file
from record_samples import random_record
from reversi import Position, canonical_key, parse_rules
from reversi._core import canonical_square
from reversi._system import arrow as arrow_module
from reversi.errors import InputError, ResourceError
from reversi.games import Database, QueryError, Selection
from reversi.games.database.rows import rules_salt
from reversi.games.database.views import PART
from reversi.records import Entry, Record, parse_record
from reversi.records.formats.game_columns import GAMES, IN_DATABASE, POSITIONS, row_of
from reversi.records.formats.tables.parquet_table import FORMAT as PARQUET
from reversi.records.replay import position_after, positions
from table_questions import asked_in_duckdb, asked_in_polars, explored

pytest.importorskip("duckdb", reason="the database needs DuckDB")
pytest.importorskip("numpy", reason="the database needs NumPy")
pl = pytest.importorskip("polars", reason="tables need polars")
pq = pytest.importorskip("pyarrow.parquet", reason="tables need pyarrow")

GAMES_OF_TESTS = [
    '[Black "Ada"]\n[White "Bob"]\n[Date "1997.05.01"]\n[Event "O\\"pen"]\n[WthorTheoretical "35"]\n'
    '[WthorDepth "24"]\n\n1. f5 d6 2. c3 d3 3. c4 f4 40-24\n',
    '[Black "Bob"]\n[White "Ada"]\n[Date "1998"]\n[WthorTheoretical "35"]\n[WthorDepth "0"]\n\n'
    "1. e6 f4 2. c3 c4 3. d3 c2 20-44\n",
    '[Note "[\\"WthorTheoretical\\",\\"12\\"]"]\n\n1. f5 f6 2. e6 f4 {good} *\n',
    "1. f5 a1 *\n",
    '[Black "Ada"]\n[WthorTheoretical "99"]\n\n1. d3 c5 32-32\n',
]


def filled(path: Path, *records: Record) -> Path:
    with Database(path, create=True) as database, database.importing() as importing:
        importing.add_source("games.pgn", (Entry(number, 0, one) for number, one in enumerate(records, 1)))
    return path


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("views")
    return filled(folder / 'the "games".duckdb', *map(parse_record, GAMES_OF_TESTS))


@pytest.fixture(scope="module")
def database(path: Path) -> Iterator[Database]:
    with Database(path) as database:
        yield database


def test_tables_of_converted_games_agree_with_those_of_a_database(tmp_path: Path) -> None:
    legal = [text for text in GAMES_OF_TESTS if "a1" not in text]
    records = [*map(parse_record, legal), *map(random_record, range(8))]
    path = filled(tmp_path / "games.duckdb", *records)
    writer = PARQUET.writer()
    written = b"".join([*map(writer.add, records), writer.finish()])
    converted = pl.read_parquet(io.BytesIO(written))
    with Database(path) as database:
        of_database = database.to_polars()
    assert converted.columns == list(GAMES)
    assert set(of_database.columns) == GAMES.keys() | IN_DATABASE.keys()
    assert converted.schema == of_database.select(list(GAMES)).schema
    assert converted.rows(named=True) == of_database.select(list(GAMES)).rows(named=True)


@pytest.mark.parametrize("table", ["games", "positions"])
def test_tables_say_what_their_columns_mean(database: Database, table: str) -> None:
    columns = POSITIONS if table == "positions" else GAMES | IN_DATABASE
    schema = database.to_arrow(table).schema
    file = pq.read_schema(io.BytesIO(b"".join(database.table(table).pieces("parquet"))))
    for one in (schema, file):
        assert one.metadata[b"source"] == database.path.name.encode()
        assert set(one.names) == columns.keys()
        for field in one:
            assert field.metadata[b"description"].decode() == columns[field.name].meaning
            assert field.metadata.get(b"unit", b"").decode() == columns[field.name].unit
    writer = PARQUET.writer()
    file = pq.read_schema(io.BytesIO(writer.add(parse_record(GAMES_OF_TESTS[0])) + writer.finish()))
    assert file.metadata[b"source"] == b"reversi record"
    assert file.field("score").metadata[b"unit"] == b"discs"


DATES = [
    ("1997.05.01", datetime.date(1997, 5, 1), 1997),
    ("19970501", datetime.date(1997, 5, 1), 1997),
    ("1997-5-1", datetime.date(1997, 5, 1), 1997),
    ("1997.05/01", None, 1997),
    ("1997.02.30", None, 1997),
    ("1997.05.??", None, 1997),
    ("1997", None, 1997),
    ("01.05.1997", None, 1997),
    ("c. 1998", None, 1998),
    ("????.05.01", None, None),
    ("soon", None, None),
]


def test_dates(tmp_path: Path) -> None:
    records = [parse_record(f'[Black "{text}"]\n[Date "{text}"]\n\n1. f5 *\n') for text, _, _ in DATES]
    records[0].tags["Black"] = "Ada"
    found = [(date, year) for _, date, year in DATES]
    assert [(row["date"], row["year"]) for row in map(row_of, records)] == found
    path = filled(tmp_path / "games.duckdb", *records)
    with Database(path) as database:
        assert list(database.sql("select date, year from games order by number").rows()[1]) == found
        texts = [text for (text,) in database.sql("select tags['Date'] from games order by number").rows()[1]]
    assert texts == [text for text, _, _ in DATES]


def test_a_tag_that_is_there_twice(tmp_path: Path) -> None:
    game = parse_record('[Annotator "Ann"]\n[Annotator "Bob"]\n[Site "?"]\n\n1. f5 *\n')
    assert row_of(game)["tags"] == {"Annotator": "Ann"}
    assert parse_record(row_of(game)["record"]) == game
    with Database(filled(tmp_path / "games.duckdb", game)) as database:
        assert database.to_arrow().column("tags").to_pylist() == [[("Annotator", "Ann")]]
        (row,) = csv.DictReader(io.StringIO(b"".join(database.table("games").pieces("csv")).decode()))
        assert row["tags"] == '{"Annotator":"Ann"}'


def test_the_games(database: Database) -> None:
    frame = database.to_polars()
    rows = frame.rows(named=True)
    assert database.to_arrow("games").column_names == frame.columns
    first, second, third, illegal, last = rows
    wanted = {"game": 1, "source": "games.pgn", "number": 1, "black": "Ada", "white": "Bob", "event": 'O"pen'}
    wanted |= {"year": 1997, "date": datetime.date(1997, 5, 1), "result": "40-24", "score": 16, "winner": "black"}
    wanted |= {"moves": "f5d6c3d3c4f4"}
    assert {name: first[name] for name in wanted} == wanted
    assert (first["theoretical_score"], first["theoretical_empties"]) == (6, 24)
    assert (second["theoretical_score"], second["theoretical_empties"], second["winner"]) == (6, 22, "white")
    assert (third["theoretical_score"], third["black"], third["winner"], third["score"]) == (None,) * 4
    assert third["record"].endswith("{good} *\n")
    assert (illegal["legal"], illegal["plies"]) == (False, 1)
    assert (last["theoretical_score"], last["theoretical_empties"], last["winner"]) == (None, None, "draw")
    assert len({row["game_key"] for row in rows}) == len({row["play_key"] for row in rows}) == 5


def test_the_positions(tmp_path: Path) -> None:
    records = [random_record(seed) for seed in range(40)]
    path = filled(tmp_path / "games.duckdb", *records)
    with Database(path) as database:
        frame = database.to_polars("positions")
        boards = database.to_arrow("positions").to_pylist()
        plies = dict(database.sql("select game, plies from games where legal").rows()[1])
    assert sum(plies.values()) + len(plies) == len(frame)
    assert frame.select("game", "ply").rows() == [
        (game, ply) for game in sorted(plies) for ply in range(plies[game] + 1)
    ]
    for row in boards:
        position = position_after(records[row["game"] - 1], row["ply"])
        assert (row["board"], row["mover"]) == (position.cells, position.to_move.name.casefold())
        assert row["empties"] == position.empties
    checked = 0
    for (game,), rows in frame.group_by("game"):
        record = records[game - 1]
        if str(record.rules) != "othello" or any(node.flips is not None for node in record.line.nodes):
            continue
        position = record.start
        for row in rows.sort("ply").rows(named=True):
            assert row["key"] == canonical_key(position)
            if row["move"] is None:
                assert (row["canonical_move"], row["ply"]) == (None, plies[game])
                continue
            node = record.line.nodes[row["ply"]]
            assert row["move"] == str(node.move)
            square = canonical_square(position, node.move)
            assert row["canonical_move"] == (
                "--" if square == 64 else f"{'abcdefgh'[square % 8]}{square // 8 + 1}"
            )
            position = position.play(node.move)
            checked += 1
    assert checked > 100


def test_sql_has_the_boards_of_copies(tmp_path: Path) -> None:
    flipped = '[Black "Ada"]\n\n1. f5 {[%flips ]} d6 *\n'
    records = [*map(random_record, range(30)), *map(parse_record, [*GAMES_OF_TESTS, flipped])]
    with Database(filled(tmp_path / "games.duckdb", *records)) as database:
        whole = database.to_polars("positions")
        names = ", ".join(whole.columns)
        assert database.sql(f"select {names} from positions order by game, ply").to_polars().equals(whole)
        last = database.sql(f"select ply, board from positions where game = {len(records)} order by ply").rows()[1]
        assert [board for _, board in last] == [one.cells for one in positions(records[-1])]


def test_sql_has_the_key_of_a_text(database: Database) -> None:
    asked = "select distinct game from positions where key = position_key('{}') order by game"
    for text in ("F5 D6 C3", position_after(parse_record("1. f5 d6 2. c3 *"), 3).cells + " O"):
        assert [*database.sql(asked.format(text)).rows()[1]] == [(1,), (2,)]
    small = "position_key('f5', rules := 'othello,misere')"
    assert [*database.sql(f"select {small}, position_key(null)").rows()[1]] == [
        (
            canonical_key(
                Position(parse_rules("othello,misere")).play("f5"), rules_salt(parse_rules("othello,misere"))
            ),
            None,
        )
    ]
    for wrong, why in (
        ("Tiger", "position_key: 'Tiger' is neither a board"),
        (str(database.path), "is neither a board"),
    ):
        with pytest.raises(QueryError, match=why):
            list(database.sql("select position_key('{}')".format(wrong.replace("'", "''"))).rows()[1])


def test_other_programs_count_what_explore_counts(database: Database, tmp_path: Path) -> None:
    file = new_file(tmp_path / "positions.parquet", b"".join(database.table("positions").pieces("parquet")))
    for position in map(Position.from_moves, ("", "f5", "d3", "f5d6c3d3c4")):
        wanted = explored(database, position)
        assert wanted
        assert asked_in_polars(file, position) == wanted
        assert asked_in_duckdb(file, position) == wanted


@pytest.mark.parametrize("table", ["games", "positions"])
def test_files_have_what_the_table_has(database: Database, table: str) -> None:
    frame = database.to_polars(table)
    files = {form: b"".join(database.table(table).pieces(form)) for form in ("parquet", "csv", "arrow")}
    assert pl.read_parquet(io.BytesIO(files["parquet"])).equals(frame)
    assert pl.read_ipc(io.BytesIO(files["arrow"])).equals(frame)
    types = {name: pl.String if name == "tags" else type_ for name, type_ in frame.schema.items()}
    read = pl.read_csv(io.BytesIO(files["csv"]), schema_overrides=types)
    if table == "games":
        # a map: in older versions of polars a list of structs
        tags = [
            dict(tags if isinstance(tags, dict) else (pair.values() for pair in tags))
            for tags in frame["tags"].to_list()
        ]
        assert [json.loads(text) for text in read["tags"]] == tags
        read, frame = read.drop("tags"), frame.drop("tags")
    assert read.equals(frame)


def test_another_table(database: Database) -> None:
    with pytest.raises(InputError, match="the tables are games and positions"):
        database.to_arrow("players; drop table games")


def test_without_the_extra(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    for use in (database.to_arrow, database.to_polars, lambda: list(database.table("games").pieces("csv"))):
        with pytest.raises(ResourceError) as caught:
            use()
        assert str(caught.value) == arrow_module.MISSING


@pytest.mark.parametrize(
    "query",
    [
        "delete from players",
        "update sources set path = ''",
        "drop table players",
        "create table mine as select 1",
        "copy games to 'out.csv'",
        "export database 'out'",
        "select * from read_csv('/etc/hosts')",
        "select * from '/etc/hosts'",
        "select * from read_text('/etc/hosts')",
        "attach 'other.duckdb' as other",
        "install httpfs",
        "set threads = 1",
        "selec 1",
        "",
        "select 1; select 2",
    ],
)
def test_queries_only_read_and_only_the_database(
    path: Path, database: Database, query: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = path.read_bytes()
    with pytest.raises(QueryError) as caught:
        list(database.sql(query).rows()[1])
    assert "\n" not in str(caught.value)
    assert (path.read_bytes(), [*tmp_path.iterdir(), *path.parent.iterdir()]) == (before, [path])
    # other questions are left alone
    assert database.sql("select count(*) from games").rows()[1].__next__() == (5,)
    assert database.count() == 5
    assert database.rows("select max(id) from games") == [(5,)]


def test_exploring_some_games(database: Database) -> None:
    position = Position.from_moves("f5d6c3d3c4")
    assert database.explore(position).games == 2
    found = database.explore(position, Selection(years=(1998, None)))
    assert [(str(tally.move), tally.games) for tally in found.moves] == [("b3", 1)]
    assert database.explore(position, Selection(black="ada", results=frozenset({"black"}))).games == 1
    assert database.explore(position, Selection(player=("ada", "bob"))).games == 2
    rare = database.explore(Position.from_moves("f5"), minimum=2)
    assert (rare.games, len(rare.moves), rare.rare) == (4, 1, 1)


@pytest.mark.parametrize("table", ["games", "positions"])
def test_a_table_is_written_in_parts(tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PART, table, 2)
    path = filled(tmp_path / "games.duckdb", *[random_record(seed) for seed in range(7)])
    with Database(path, low_memory=True) as database:
        pieces = b"".join(database.table(table).pieces("parquet"))
        whole = database.to_polars(table)
    assert pl.read_parquet(io.BytesIO(pieces)).equals(whole)
    assert len(pl.read_parquet(io.BytesIO(pieces))["game"].unique()) == 7
    from pyarrow import parquet

    assert parquet.ParquetFile(io.BytesIO(pieces)).num_row_groups == 4


def test_unknown_players_are_null_in_both_tables(tmp_path: Path) -> None:
    record = parse_record('[Black "???"]\n[White "Ada"]\n\n1. f5 d6 *\n')
    writer = PARQUET.writer()
    made = pl.read_parquet(io.BytesIO(writer.add(record) + writer.finish()))
    with Database(filled(tmp_path / "games.duckdb", record)) as database:
        ours = database.to_polars()
    assert made["black"].to_list() == ours["black"].to_list() == [None]
    assert made["white"].to_list() == ours["white"].to_list() == ["Ada"]
