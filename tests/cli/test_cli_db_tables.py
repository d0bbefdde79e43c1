"""``record convert --table``, ``db sql``, ``db sources`` and ``db players``, run as a user runs them."""

from __future__ import annotations

import csv
import functools
import io
import json
import os
import signal
import time
from pathlib import Path

import pytest

from command_line import Done, Started, run_command
from files import new_file
from record_samples import NAMED_GAMES, saved
from reversi import Position
from reversi.games import Database, Selection
from reversi.records import parse_record
from table_questions import asked_in_duckdb, asked_in_polars, explored

pytest.importorskip("duckdb", reason="the database needs DuckDB")
pytest.importorskip("numpy", reason="the database needs NumPy")

WTHOR = Path(__file__).parents[3] / "shared" / "data" / "wthor"
GAMES = [
    *NAMED_GAMES,
    parse_record('[Black "Cy"]\n[White "Ada"]\n\n1. f5 d6 2. c3 d3 3. c4 f4 *\n'),
]
run = functools.partial(run_command, "db")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("database")
    games = saved(folder / "games.pgn", *GAMES)
    assert run("import", games, "--db", folder / "games.duckdb").returncode == 0
    return folder / "games.duckdb"


def test_sql(database: Path) -> None:
    query = "select black, year, null as nothing, score / 3 as third from games order by game"
    done = run("sql", query, "--db", database).ends(0, err="reversi: 3 rows\n")
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["black", "year", "nothing", "third"],
        ["Ada", "1997", "5.33333"],
        ["Bob", "1998", "-8"],
        ["Cy"],
    ]
    done = run("sql", "-", "--db", database, "--json", data=query)
    assert json.loads(done.stdout.splitlines()[1]) == {
        "black": "Bob",
        "year": 1998,
        "nothing": None,
        "third": -8.0,
    }
    done = run("sql", "select 'a,b' as x, 'é' as x", "--db", database, "--csv")
    assert list(csv.reader(io.StringIO(done.stdout))) == [["x", "x"], ["a,b", "é"]]
    done = run("sql", "select 1 as x, 'nan'::float as x, [1.5, null] as y", "--db", database, "--json")
    assert json.loads(done.stdout) == {"x": 1, "x_1": None, "y": [1.5, None]}


@pytest.mark.parametrize(
    "query", ["selec 1", "delete from players", "copy games to 'x'", "", "select 1; select 2"]
)
def test_a_wrong_query(database: Path, query: str) -> None:
    before = database.read_bytes()
    done = run("sql", query, "--db", database)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("reversi: the query ")
    assert database.read_bytes() == before


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize(
    "query",
    [
        "select count(*) from range(100000000) a, range(100000) b where a.range * b.range % 7 = 3",
        "select range from range(1000000000000)",
    ],
    ids=["work", "rows"],
)
def test_a_signal_ends_a_query(database: Path, name: str, query: str, tmp_path: Path) -> None:
    before = {file.name: file.read_bytes() for file in database.parent.iterdir()}
    with (tmp_path / "out").open("wb") as out:
        process = Started("db", "sql", "-", "--csv", "--db", database, stdout=out)
        process.stdin.write(" " * 100_000)  # more than a pipe holds: the command reads its query
        process.stdin.write(query)
        process.stdin.close()
        process.stdin = None  # type: ignore[assignment]
        time.sleep(0.3)
        process.send_signal(getattr(signal, name))
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert {file.name: file.read_bytes() for file in database.parent.iterdir()} == before


def test_one_form_of_answers(database: Path) -> None:
    assert run("sql", "select 1", "--csv", "--json", "--db", database).returncode == 2


def copied(source: Path, target: Path | str, *more: str, table: str = "games") -> Done:
    return run_command("record", "convert", source, target, "--table", table, *more)


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".arrow"])
def test_a_table_of_a_database(database: Path, suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="tables need pyarrow")
    pl = pytest.importorskip("polars", reason="tables need polars")
    # CSV has no types: an old polars infers a type of keys that does not hold all of them
    read_csv = functools.partial(pl.read_csv, infer_schema_length=0)
    read = {".parquet": pl.read_parquet, ".csv": read_csv, ".arrow": pl.read_ipc}[suffix]
    out = tmp_path / f"out{suffix}"
    copied(database, out).ends(0, out="", err=f"reversi: {out}: 3 games written\n")
    assert read(out)["black"].to_list() == ["Ada", "Bob", "Cy"]
    assert copied(database, out).returncode == 73
    assert copied(database, out, "--force", table="positions").returncode == 0
    assert len(read(out)) == 21


@pytest.mark.parametrize(
    ("conditions", "games"),
    [
        (("--black", "Ada"), [1]),
        (("--year", "1998"), [2]),
        (("--result", "undecided"), [3]),
        (("--player", "nobody"), []),
        ((), [1, 2, 3]),
    ],
)
@pytest.mark.parametrize("table", ["games", "positions"])
def test_conditions_select_the_games_of_a_table(
    database: Path, conditions: tuple[str, ...], games: list[int], table: str
) -> None:
    pytest.importorskip("pyarrow", reason="tables need pyarrow")
    every, some = (
        list(csv.DictReader(io.StringIO(copied(database, "-", "--to", "csv", *more, table=table).ends(0).stdout)))
        for more in ((), conditions)
    )
    assert some == [row for row in every if int(row["game"]) in games]
    with Database(database) as opened:
        chosen = Selection(black="Ada")
        rows = opened.to_arrow(table, chosen).to_pylist()
        assert {row["game"] for row in rows} == {1}
        assert [row for row in opened.to_arrow(table).to_pylist() if row["game"] == 1] == rows


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A database of games with names that a spreadsheet would run."""
    texts = [
        '[Event "@SUM(A1:A9)"]\n[Date "=1+1"]\n[Black "=cmd|\' /C x\'!A0"]\n[White "+Bob"]\n\n1. f5 d6 *\n',
        '[Event "-4"]\n[Black "-7.5"]\n[White "+4"]\n\n1. f5 f6 *\n',
        '[SetUp "1"]\n[Board "---------------------------OX------XO--------------------------- O"]\n'
        '[Black "\'=1"]\n\n1... e3 *\n',
    ]
    games = saved(tmp_path / "=games.pgn", *map(parse_record, texts))
    assert run("import", games, "--db", tmp_path / "games.duckdb").returncode == 0
    return tmp_path / "games.duckdb"


@pytest.mark.parametrize(
    "command",
    ["record convert {} - --table games --to csv", "db sql select|*|from|games|order|by|game --csv --db {}"],
)
def test_csv_for_a_spreadsheet(hostile: Path, command: str) -> None:
    if command.startswith("record"):
        pytest.importorskip("pyarrow", reason="tables need pyarrow")
    words = [word.replace("|", " ") for word in command.format(hostile).split()]
    raw, safe = (
        list(csv.DictReader(io.StringIO(run_command(*words, *more).stdout, newline="")))
        for more in ((), ("--spreadsheet",))
    )
    changed = {
        (row["game"], name): (row[name], cells[name])
        for row, cells in zip(raw, safe, strict=True)
        for name in row
        if row[name] != cells[name]
    }
    columns = ["black", "white", "event"]
    assert list(changed) == [*(("1", name) for name in columns), ("3", "black")]
    assert all(cell == f"'{text}" for text, cell in changed.values())
    assert [raw[1][name] for name in ("event", "black", "white")] == ["-4", "-7.5", "+4"]
    assert raw[2]["start"].startswith("-")


def test_a_file_that_a_spreadsheet_would_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("=1+1.pgn").write_text("1. f5 *\n")
    assert run("import", "=1+1.pgn", "--db", "games.duckdb").returncode == 0
    done = run("sql", "select source, -4 as '=x' from games", "--csv", "--spreadsheet", "--db", "games.duckdb")
    assert done.stdout == "source,'=x\n'=1+1.pgn,-4\n"


def test_only_csv_is_for_a_spreadsheet(database: Path) -> None:
    for done in (
        copied(database, "out.parquet", "--spreadsheet"),
        run("sql", "select 1", "--spreadsheet", "--db", database),
        run("sql", "select 1", "--json", "--spreadsheet", "--db", database),
    ):
        assert (done.returncode, done.stdout, done.stderr[:22]) == (2, "", "reversi: --spreadsheet")


def test_a_table_needs_a_form_and_a_database(database: Path, tmp_path: Path) -> None:
    games = database.parent / "games.pgn"
    for done, status, message in (
        (copied(database, tmp_path / "out.doc"), 2, "--table writes parquet, csv, arrow; give --to with one"),
        (copied(database, tmp_path / "out.pgn"), 2, "--table writes parquet, csv, arrow; give --to with one"),
        (
            copied(games, tmp_path / "out.csv"),
            65,
            f"{games}: not a DuckDB database; give one, as 'reversi db import ",
        ),
        (copied(games, tmp_path / "out.csv", "--year", "1997"), 65, "PATH... --db FILE' makes of games\n"),
        (
            run_command("record", "convert", games, "-", "--to", "arrow"),
            2,
            "--to arrow needs --table; give it too",
        ),
    ):
        assert (done.returncode, done.stdout, message in done.stderr) == (status, "", True), done
        assert list(tmp_path.iterdir()) == []


@pytest.fixture
def changing(database: Path, tmp_path: Path) -> Path:
    """A database that a test may change."""
    return new_file(tmp_path / "copy.duckdb", database.read_bytes())


def test_sources(changing: Path, database: Path) -> None:
    path = str(database.parent / "games.pgn")
    (line,) = run("sources", "list", "--db", changing).stdout.splitlines()
    assert (line.split()[:2], line.endswith(f"  {path}")) == (["1", "3"], True)
    fields = json.loads(run("sources", "list", "--db", changing, "--json").stdout)
    assert (fields["source"], fields["file"], fields["games"]) == (1, path, 3)
    done = run("sources", "remove", path, "--db", changing, "--dry-run")
    assert done.stdout == f"{path}: 3 games would be removed, with 21 positions and 3 players\n"
    done = run("sources", "remove", "2", "--db", changing).ends(2, out="")
    assert done.stderr == "reversi: source 2 does not exist; 'reversi db sources list' lists them\n"
    assert json.loads(run("info", "--db", changing, "--json").stdout)["games"] == 3
    done = run("sources", "remove", "1", "--db", changing)
    assert (done.returncode, done.stdout) == (0, f"{path}: 3 games removed, with 21 positions and 3 players\n")
    assert json.loads(run("info", "--db", changing, "--json").stdout)["games"] == 0


def test_a_name_of_two_sources(changing: Path, tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    for moves in ("1. f5 f4", "1. f5 f6"):
        games.write_text(f"{moves} *\n")
        assert run("import", games, "--db", changing).returncode == 0
    done = run("sources", "remove", games, "--db", changing).ends(2, out="")
    assert done.stderr == f"reversi: {games}: 2 sources have that name; give a number: 2, 3\n"


def test_players(changing: Path) -> None:
    done = run("players", "list", "--db", changing)
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["3", "1997–1998", "Ada"],
        ["2", "1997–1998", "Bob"],
        ["1", "Cy"],
    ]
    assert run("players", "list", "cy", "--db", changing).stderr == "reversi: 1 player\n"
    done = run("players", "list", "--twins", "--db", changing)
    assert (done.stdout, done.stderr) == ("", "reversi: 0 pairs\n")
    data = '[Black "Bobby"]\n[Date "1998"]\n\n1. e6 f4 2. c3 c4 3. d3 c2 20-44\n'
    assert run("import", "-", "--db", changing, data=data).returncode == 0
    done = run("players", "list", "--twins", "--db", changing)
    assert done.stdout.split() == ["1", "Bob", "–", "Bobby"]
    run("players", "rename", "cy", "Cyrus", "--db", changing).ends(0, out="Cy: 1 game renamed to Cyrus\n")
    done = run("players", "rename", "Bob", "Cyrus", "--db", changing).ends(2, out="")
    assert done.stderr == "reversi: player 'Cyrus' exists; 'reversi db players merge' joins two names\n"
    done = run("players", "merge", "Bob", "cyrus", "--db", changing, "--dry-run")
    assert done.stdout == "Cyrus: 1 game would be renamed to Bob\n"
    done = run("players", "merge", "Bob", "cyrus", "--db", changing, "--json")
    assert json.loads(done.stdout) == {
        "names": ["Cyrus"],
        "name": "Bob",
        "games": 1,
        "repeated": 0,
        "dry_run": False,
    }
    assert run("players", "merge", "ada", "nobody", "--db", changing).returncode == 2


def test_words_that_fit_several_players(changing: Path, tmp_path: Path) -> None:
    games = new_file(tmp_path / "games.pgn", '[Black "Ada Lovelace"]\n[White "Ada Byron"]\n\n1. f5 f4 *\n')
    assert run("import", games, "--db", changing).returncode == 0
    done = run("players", "rename", "a", "Eve", "--db", changing).ends(2, out="")
    assert done.stderr == ("reversi: 'a' fits 3 players; give the whole name: Ada; Ada Byron; Ada Lovelace\n")
    done = run("players", "rename", "Ada", "Eve", "--db", changing)  # a whole name is that name only
    assert done.stdout == "Ada: 3 games renamed to Eve\n"


def test_changes_need_a_database(tmp_path: Path) -> None:
    for arguments in (("sources", "remove", "1"), ("players", "rename", "a", "b"), ("players", "merge", "a", "b")):
        done = run(*arguments, "--db", tmp_path / "none.duckdb")
        assert (done.returncode, list(tmp_path.iterdir())) == (66, [])


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_archive_as_parquet(tmp_path: Path) -> None:
    """Queries in polars and DuckDB equal `Database.explore`. Times and sizes are printed, not asserted."""
    if not WTHOR.is_dir():
        pytest.skip(f"no {WTHOR}")
    pytest.importorskip("pyarrow", reason="tables need pyarrow")
    pytest.importorskip("polars", reason="tables need polars")
    path = tmp_path / "archive.duckdb"
    assert run("import", WTHOR, "--db", path).returncode == 0
    for table in ("games", "positions"):
        before = time.process_time()
        assert copied(path, tmp_path / f"{table}.parquet", table=table).returncode == 0
        spent = time.process_time() - before
        print(f"{table}: {(tmp_path / f'{table}.parquet').stat().st_size / 1e6:.1f} MB, {spent:.1f} s")
    file = tmp_path / "positions.parquet"
    with Database(path) as database:
        for moves in ("", "f5", "f5d6", "f5d6c3d3c4", "f5f6e6f4e3"):
            position = Position.from_moves(moves)
            wanted = explored(database, position)
            assert len(wanted) >= 1
            assert asked_in_polars(file, position) == wanted
            assert asked_in_duckdb(file, position) == wanted
