"""``reversi db``, run as a user runs it."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from children import Child
from command_line import ENVIRONMENT, Started, run_command
from files import new_file
from patience import SOON_S
from record_samples import NAMED_GAMES, random_record, saved
from reversi.games import Database, DatabaseError
from reversi.records import Tags, parse_record
from reversi.records.formats.wthor.names import parse_wthor_names
from reversi.records.formats.wthor.writer import pack_wthor

pytest.importorskip("duckdb", reason="the database needs DuckDB")
pytest.importorskip("numpy", reason="the database needs NumPy")

WTHOR = Path(__file__).parents[3] / "shared" / "data" / "wthor"
GAMES = [
    *NAMED_GAMES,
    parse_record('[Black "Cy"]\n[White "Ada"]\n\n1. f5 f6 2. e6 f4 *\n'),
]
OF_ONE_YEAR = [replace(game, tags=Tags({**game.tags, "Date": "1997"})) for game in GAMES]

run = functools.partial(run_command, "db")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "games.duckdb"
    done = run("import", saved(tmp_path / "games.pgn", *GAMES), "--db", path).ends(0)
    assert done.stdout.startswith(f"3 games in 1 file: 3 added to {path}, 0 already there; ")
    return path


def test_memory_that_is_not_enough(tmp_path: Path) -> None:
    path = tmp_path / "games.duckdb"
    games = saved(tmp_path / "games.pgn", *(random_record(seed) for seed in range(300)))
    done = run("import", games, "--db", path, "--memory", "4").ends(3, out="")
    (line,) = done.stderr.splitlines()
    assert line == (
        f"reversi: {path}: 4.0 MiB of memory is not enough for DuckDB; give it more (memory_mb, --memory MB), or"
        " import fewer games at a time"
    )
    assert not path.exists()
    assert run("import", games, "--db", path, "--memory", "200").returncode == 0


def test_what_is_written_is_whole(tmp_path: Path) -> None:
    """A list to read has 20 rows; JSON has all, unless --limit says otherwise."""
    database = tmp_path / "games.duckdb"
    games = [parse_record(f'[Black "Ada {number}"]\n[White "Bob"]\n\n1. f5 *\n') for number in range(25)]
    assert run("import", saved(tmp_path / "games.pgn", *games), "--db", database).returncode == 0
    done = run("players", "list", "--db", database)
    assert done.stdout.count("\n") == 20
    assert done.stderr.endswith("; these are the first 20 (--limit)\n")
    assert run("players", "list", "--db", database, "--json").stdout.count("\n") == 26
    assert run("players", "list", "--db", database, "--limit", "0").stdout.count("\n") == 26
    assert run("players", "list", "--db", database, "--limit", "4", "--json").stdout.count("\n") == 4
    stats = run_command("record", "stats", tmp_path / "games.pgn", "--json")
    assert len(json.loads(stats.stdout)["players"]) == 26


def test_importing_again(database: Path, tmp_path: Path) -> None:
    done = run("import", tmp_path / "games.pgn", "--db", database, "--json")
    file, last = map(json.loads, done.stdout.splitlines())
    assert file == {
        "file": str(tmp_path / "games.pgn"),
        "games": 3,
        "added": 0,
        "known": 3,
        "named": 0,
        "illegal": 0,
    }
    assert last["summary"] | {"time_s": 0} == {
        "files": 1,
        "games": 3,
        "added": 0,
        "known": 3,
        "named": 0,
        "reasons": {"repeats": 3, "less": 0, "more": 0, "other": 0, "event": 0, "several": 0},
        "illegal": 0,
        "twins": 0,
        "broken": 0,
        "time_s": 0,
    }
    done = run("info", "--db", database, "--json")
    assert json.loads(done.stdout)["games"] == 3
    assert run("info", "--db", database).stdout.startswith(f"{database}: 3 games of 1997–1998 by 3 players")


def test_a_file_is_replaced(tmp_path: Path) -> None:
    old, new, path = tmp_path / "old" / "year.pgn", tmp_path / "new" / "year.pgn", tmp_path / "games.duckdb"
    for folder in (old.parent, new.parent):
        folder.mkdir()
    saved(old, *(random_record(seed) for seed in range(4)))
    saved(new, *(random_record(seed) for seed in (1, 2, 5)))
    assert run("import", old, "--db", path).returncode == 0
    done = run("update", new, "--db", path)
    assert done.returncode == 0, done.stderr
    assert ": 1 added to" in done.stdout
    assert "2 already there, 2 gone; " in done.stdout
    assert done.stderr == f"reversi: {new} replaces {old}\n"
    assert run("update", new, "--db", path).stderr == ""
    assert run("sql", "select count(*) as n from games", "--db", path, "--json").stdout == '{"n":3}\n'
    new.write_text(
        new.read_text(encoding="utf-8") + '\n[Black "Eve"]\n\n1. f5 xyz 2. d6 *\n', encoding="utf-8", newline=""
    )
    done = run("update", new, "--db", path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"reversi: {path} is unchanged; mend the files, or import them"
    assert run("update", tmp_path / "none.pgn", "--db", path).returncode == 66
    assert run("sql", "select count(*) as n from games", "--db", path, "--json").stdout == '{"n":3}\n'
    assert "1 added" in run("update", saved(tmp_path / "more.pgn", random_record(9)), "--db", path).stdout
    run("import", saved(old.parent / "more.pgn", random_record(10)), "--db", path)
    done = run("update", saved(new.parent / "more.pgn", random_record(10)), "--db", path)
    assert (done.returncode, "remove one of these first" in done.stderr) == (2, True)


def test_a_file_with_other_games_replaces_none_of_another_folder(tmp_path: Path) -> None:
    old, new, path = (tmp_path / name for name in ("2001/games.pgn", "2002/games.pgn", "games.duckdb"))
    for folder in (old.parent, new.parent):
        folder.mkdir()
    run("import", saved(old, *(random_record(seed) for seed in range(4))), "--db", path)
    done = run("update", saved(new, *(random_record(seed) for seed in range(3, 8))), "--db", path, "--json")
    assert (done.returncode, done.stdout) == (2, "")  # nothing happened
    assert done.stderr == (
        f"reversi: {new} has 1 of 4 games of {old}, so it does not replace this file;"
        " import it to add its games, or remove that file first\n"
    )
    assert run("sql", "select count(*) as n from games", "--db", path, "--json").stdout == '{"n":4}\n'
    run("import", new, "--db", path)
    done = run("update", saved(new, random_record(20)), "--db", path, "--json").ends(0)  # the same path
    assert [json.loads(line).get("gone") for line in done.stdout.splitlines()] == [4, None]


def test_a_failed_update_lists_no_file(tmp_path: Path) -> None:
    games = saved(tmp_path / "good.pgn", *GAMES)
    broken = new_file(tmp_path / "broken.pgn", "1. f5 xyz 2. d6 *\n")
    done = run("update", games, broken, "--db", tmp_path / "games.duckdb", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert "is unchanged; mend the files" in done.stderr


def test_the_environment_names_the_database(database: Path) -> None:
    assert run("info", environment={"REVERSI_DB": str(database)}).returncode == 0


def test_bad_files_are_reported_and_the_rest_is_imported(tmp_path: Path) -> None:
    database = tmp_path / "x.duckdb"
    junk = new_file(tmp_path / "junk.txt", "hello\n")
    broken = new_file(tmp_path / "broken.pgn", '[Black "Ada"]\n\n1. f5 xyz 2. d6 *\n\n[Black "Bob"]\n\n1. f5 *\n')
    done = run("import", junk, broken, tmp_path / "missing.pgn", "--db", database).ends(66)
    assert done.stdout.startswith("2 games in 1 file: 1 added")
    assert len(done.stderr.splitlines()) == 3
    assert "game 1" in done.stderr
    assert "left out" in done.stderr


def test_nothing_to_import_leaves_nothing(tmp_path: Path) -> None:
    database = tmp_path / "x.duckdb"
    assert run("import", tmp_path / "missing.pgn", "--db", database).returncode == 66
    assert not database.exists()


def test_files_that_are_not_databases(tmp_path: Path) -> None:
    junk, table = tmp_path / "junk.duckdb", tmp_path / "eo.csv"
    junk.write_bytes(b"no database" * 1000)
    table.write_text("eOthello_game_id,winner,game_moves\n1,1,f5d6\n")
    games = saved(tmp_path / "a.pgn", *GAMES)
    for arguments, status, message in (
        (("info", "--db", tmp_path / "missing.duckdb"), 66, "does not exist"),
        (("info", "--db", junk), 65, "not a DuckDB database"),
        (("info", "--db", table), 65, "not a DuckDB database; give one"),
        (("import", games, "--db", junk), 65, "not a DuckDB database"),
        (("import", games, "--db", table), 65, "not a DuckDB database"),
        (("import", games, "--db", tmp_path / "none" / "x.duckdb"), 73, "does not exist"),
        (("info", "--db", tmp_path), 2, "is a folder"),
    ):
        done = run(*arguments).ends(status, out="", says=message)
        assert len(done.stderr.splitlines()) == 1
    assert junk.read_bytes() == b"no database" * 1000


READS = (
    "analyze {}",
    "db info --db {}",
    "db sources list --db {}",
    "explore f5 {} --no-values",
    "record convert {} - --to pgn",
    "record convert {} - --to csv --table games",
    "record dedupe {}",
    "record filter {}",
    "record merge {}",
    "record show {}",
    "record stats {}",
    "record validate {}",
)


def test_a_database_that_cannot_be_read(database: Path, tmp_path: Path) -> None:
    """Its content is bad, it does not exist, and another program writes to it: the same everywhere."""
    damaged = new_file(tmp_path / "damaged.duckdb", database.read_bytes()[:6000])
    for command, (path, status, why) in itertools.product(
        READS, ((damaged, 65, "damaged"), (tmp_path / "none.duckdb", 66, "no"))
    ):
        done = run_command(*command.format(path).split())
        assert (done.returncode, f"reversi: {path}: " in done.stderr, why in done.stderr) == (status, True, True)
    code = f"import reversi.games as g; d = g.Database({str(database)!r}, write=True); print(flush=True); input()"
    with Child([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        for command in READS:
            done = run_command(*command.format(database).split())
            assert (done.returncode, done.stderr.count(f"{database}: ")) == (66, 1), command
            assert "in use by another process; wait for it to end" in done.stderr
        other.communicate(b"\n", timeout=SOON_S)


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 130), ("SIGKILL", -9)])
def test_an_interrupted_import_leaves_the_database_unchanged(tmp_path: Path, name: str, status: int) -> None:
    database = tmp_path / "games.duckdb"
    assert run("import", saved(tmp_path / "games.pgn", *GAMES), "--db", database).returncode == 0
    illegal = parse_record('[Black "Eve"]\n\n1. a1 *\n')
    games = saved(tmp_path / "many.pgn", *[random_record(seed) for seed in range(300)], illegal)
    process = Started("db", "import", games, "-", "--db", database)  # its standard input never ends
    assert "[illegal-move]" in process.stderr.readline()  # the first file is read
    process.send_signal(getattr(signal, name))
    _, err = process.communicate(timeout=60)
    assert process.returncode == status
    assert "Traceback" not in err
    assert status < 0 or err == f"reversi: interrupted; {database} is unchanged\n"
    assert json.loads(run("info", "--db", database, "--json").stdout)["games"] == 3


@contextlib.contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Within the block, no file grows beyond this size, as on a full disk."""
    resource = pytest.importorskip("resource", reason="no limits of files here")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [1 << 10, 1 << 13, 3 << 12, 1 << 14, 1 << 16, 1 << 18])
def test_a_first_import_without_room_leaves_nothing(tmp_path: Path, size: int) -> None:
    games = saved(tmp_path / "many.pgn", *[random_record(seed) for seed in range(300)])
    database = tmp_path / "games.duckdb"
    with files_up_to(size):
        done = run("import", games, "--db", database)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (73, "", 1)
    assert done.stderr.startswith(f"reversi: {database}: ")
    assert list(tmp_path.iterdir()) == [games]


def test_an_import_without_room_leaves_older_games(database: Path, tmp_path: Path) -> None:
    games = saved(tmp_path / "many.pgn", *[random_record(seed) for seed in range(300)])
    with files_up_to(1 << 18):
        done = run("import", games, "--db", database)
    assert (done.returncode, done.stdout) == (73, "")
    assert json.loads(run("info", "--db", database, "--json").stdout)["games"] == 3
    assert run("import", games, "--db", database).returncode == 0
    assert json.loads(run("info", "--db", database, "--json").stdout)["games"] == 303


def test_a_log_without_its_database_stays(tmp_path: Path) -> None:
    games = saved(tmp_path / "games.pgn", *GAMES)
    log = new_file(tmp_path / "games.duckdb.wal", b"games")
    done = run("import", games, "--db", tmp_path / "games.duckdb").ends(73, out="")
    assert "put the database back, or move the log away" in done.stderr
    assert (sorted(tmp_path.iterdir()), log.read_bytes()) == ([log, games], b"games")


def test_a_first_import_in_use_by_another_leaves_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process creates the file at the same moment, and either has it open or has closed it."""
    games, path = saved(tmp_path / "games.pgn", *GAMES), tmp_path / "games.duckdb"
    assert run("import", games, "--db", path).returncode == 0
    with Database(path):
        monkeypatch.setattr(Path, "exists", lambda _: False)
        with pytest.raises(DatabaseError, match="already open"):
            Database(path, create=True)
    assert path.is_file()
    with Database(path, create=True) as database:
        assert database.info().games == 3
    assert path.is_file()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_archive(tmp_path: Path) -> None:
    """The tournament games of 1977 to 2010 and 2019. Times are printed, not asserted."""
    if not WTHOR.is_dir():
        pytest.skip(f"no {WTHOR}")
    database = tmp_path / "archive.duckdb"
    done = run("import", WTHOR, "--db", database).ends(0)
    assert done.stdout.startswith("109146 games in 35 files: 109146 added")
    print(done.stdout)
    line = json.loads(run_command("explore", "f5d6c3d3c4", database, "--no-values", "--json").stdout)
    print(line["time_s"])
    assert line["games"] == 40246
    assert [(move["move"], move["archive"]["games"]) for move in line["moves"]][:2] == [("f4", 38849), ("b3", 744)]


def piped(*arguments: str | Path, output: int) -> subprocess.CompletedProcess[str]:
    """A command whose standard output is given."""
    return subprocess.run(
        [sys.executable, "-m", "reversi", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
        env=ENVIRONMENT,
        encoding="utf-8",
    )


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise here")
def test_a_reader_that_has_gone_does_not_fail(database: Path, tmp_path: Path) -> None:
    many = saved(tmp_path / "many.pgn", *map(random_record, range(300)))
    assert run("import", many, "--db", database).returncode == 0
    for arguments in (
        ("record", "filter", database, "--list", "--limit", "0"),
        ("record", "filter", database, "--json"),
        ("explore", "f5d6", database, "--no-values", "--json"),
    ):
        reading, writing = os.pipe()
        os.close(reading)
        try:
            done = piped(*arguments, output=writing)
        finally:
            os.close(writing)
        assert (done.returncode, done.stderr.strip()) in (
            (0, ""),
            (0, "reversi: 303 games"),
            (0, "reversi: 3 players"),
        ), done


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_output_does_not_fail(database: Path) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = piped("explore", "f5d6", database, "--json", "--no-values", output=full.fileno())
    assert done.returncode == 73
    assert done.stderr.startswith("reversi: standard output: cannot write: ")


@pytest.mark.skipif(os.name == "nt", reason="names and folders of other systems")
def test_databases_that_no_name_and_no_folder_can_hold(tmp_path: Path) -> None:
    games = saved(tmp_path / "games.pgn", *GAMES)
    for name, status in (("x" * 300, 73), (b"\xe9.duckdb", 73), (tmp_path / "nowhere" / "x", 73)):
        done = run("import", games, "--db", os.fsdecode(name)).ends(status)
        assert done.stderr.count("\n") == 1
    done = run("info", "--db", "x" * 300)
    assert (done.returncode, done.stderr.count("\n")) == (66, 1)
    if Path("/proc/self").exists():
        done = run("import", games, "--db", "/proc/x.duckdb")
        assert (done.returncode, done.stderr) == (
            73,
            "reversi: /proc/x.duckdb: cannot be opened: No such file or directory\n",
        )


def test_a_database_among_what_is_imported(tmp_path: Path) -> None:
    saved(tmp_path / "games.pgn", *GAMES)
    for _ in range(2):
        for paths in ([tmp_path], sorted(tmp_path.iterdir())):
            done = run("import", *paths, "--db", tmp_path / "games.duckdb").ends(0, err="")
            assert done.stdout.startswith("3 games in 1 file")
    done = run("import", tmp_path / "games.duckdb", "--db", tmp_path / "games.duckdb")
    assert (done.returncode, done.stderr) == (65, "reversi: the input has no games\n")


# --- names that are missing, illegal games, twins


def wthor_files(folder: Path) -> tuple[Path, Path, Path]:
    """A file of two games in WTHOR, of players and tournaments, the names elsewhere than the games."""
    (folder / "names").mkdir()
    (folder / "bare").mkdir()
    full = folder / "names" / "games.wtb"
    files = pack_wthor(OF_ONE_YEAR[:2])
    full.write_bytes(files.games)
    full.with_suffix(".JOU").write_bytes(files.players.pack())
    full.with_suffix(".TRN").write_bytes(files.tournaments.pack())
    bare = new_file(folder / "bare" / "games.wtb", files.games)
    return full, bare, folder / "games.duckdb"


def test_missing_names_of_wthor_are_reported_and_filled_in_later(tmp_path: Path) -> None:
    full, bare, db = wthor_files(tmp_path)
    done = run("import", bare, "--db", db)
    assert (done.returncode, done.stdout.partition(";")[0]) == (
        0,
        f"2 games in 1 file: 2 added to {db}, 0 already there",
    )
    assert done.stderr.splitlines() == [
        f"reversi: {bare}: the names of the {what} are unknown: {bare.parent / name} is missing;"
        " put it there and run again"
        for what, name in (("players", "WTHOR.JOU"), ("tournaments", "WTHOR.TRN"))
    ]
    done = run("import", full, "--db", db)
    more = "1 repeated, 1 with more details"  # the event without a number has a name, too
    assert done.stderr == f"reversi: already there: {more}; --report FILE lists them\n"
    assert "0 added to" in done.stdout
    assert "2 already there (2 of them get their names)" in done.stdout
    done = run_command("record", "filter", db, "--player", "ada", "--event", "open", "--json")
    assert [json.loads(line)["white"] for line in done.stdout.splitlines()] == ["Bob"]


def test_names_that_a_file_of_names_lacks(tmp_path: Path) -> None:
    full, bare, db = wthor_files(tmp_path)
    names = pack_wthor(OF_ONE_YEAR[2:]).players.names[:1]
    players = parse_wthor_names(full.with_suffix(".JOU").read_bytes())
    bare.with_suffix(".jou").write_bytes(replace(players, names=names).pack())
    bare.with_suffix(".trn").write_bytes(full.with_suffix(".TRN").read_bytes())
    done = run("import", bare, "--db", db)
    (line,) = done.stderr.splitlines()
    assert f"players are unknown in 2 games: {bare.with_suffix('.jou')} does not have their numbers" in line


def test_converting_without_names_warns(tmp_path: Path) -> None:
    _, bare, _ = wthor_files(tmp_path)
    done = run_command("record", "convert", bare, tmp_path / "out.pgn").ends(0)
    assert f"{bare.parent / 'WTHOR.JOU'} is missing" in done.stderr
    piped = run_command("record", "stats", "-", data=bare.read_bytes())
    assert "the names of the players are unknown; name the file" in piped.stderr


def test_illegal_games_are_reported(tmp_path: Path) -> None:
    games, db = tmp_path / "games.txt", tmp_path / "games.duckdb"
    games.write_text("f6d6c3\nf5f4\n")
    done = run("import", games, "--db", db).ends(1)
    assert done.stderr.splitlines() == [
        f"{games}:game 1 (?–?):ply 1: f6: flips nothing; legal: d3 c4 f5 e6 [illegal-move]",
        f"reversi: 1 game with an illegal move; {db} does not have their positions",
    ]
    assert "2 added" in done.stdout
    assert json.loads(run("info", "--json", "--db", db).stdout)["positions"] == 3
    done = run("import", games, "--db", db, "--json")
    assert [json.loads(line).get("illegal") for line in done.stdout.splitlines()] == [1, None]
    assert json.loads(done.stdout.splitlines()[1])["summary"]["illegal"] == 1


def test_the_games_already_there_are_counted_and_listed(tmp_path: Path) -> None:
    text = '[Black "A"]\n[White "B"]\n[Date "{}"]\n\n1. f5 d6 2. c3 *\n\n'
    files = []
    for number, date in enumerate(("2004.01.05", "2004.11.28", "2004", "2004.01.05")):
        files.append(tmp_path / f"{number}.pgn")
        files[-1].write_text(text.format(date))
    db, report = tmp_path / "new.duckdb", tmp_path / "report.txt"
    done = run("import", *files, "--db", db, "--report", report).ends(0, prints="2 added")
    assert done.stderr == "reversi: already there: 1 repeated, 1 that could be several games\n"
    assert report.read_text(encoding="utf-8").splitlines() == [
        f"{files[2]}:game 1 (A – B) could be several games; one is game 1 of the database",
        f"{files[3]}:game 1 (A – B) repeats game 1 of the database",
    ]
    done = run("import", *files, "--db", tmp_path / "other.duckdb")
    assert done.stderr.endswith("; --report FILE lists them\n")
    done = run("import", *files, "--db", db)  # the database has what these files say
    assert ("0 added" in done.stdout, done.stderr) == (True, "")
    done = run("import", *files, "--db", db, "--json")
    reasons = json.loads(done.stdout.splitlines()[-1])["summary"]["reasons"]
    assert sum(reasons.values()) == 4
    assert run("import", *files, "--db", db, "--report", files[0]).returncode == 73
    done = run("import", *files, "--db", db, "--same", "moves")
    assert (done.returncode, "compares games by all that is known" in done.stderr) == (2, True)
    done = run("import", *files, "--db", tmp_path / "moves.duckdb", "--same", "moves")
    assert "1 added" in done.stdout


def test_twins_are_reported_and_listed(database: Path, tmp_path: Path) -> None:
    other = parse_record('[Black "Eve"]\n[White "Bob"]\n[Date "1997"]\n\n1. f5 d6 2. c3 d3 3. c4 f4 40-24\n')
    games = saved(tmp_path / "more.pgn", other, GAMES[0])
    done = run("import", games, "--db", database)
    assert (done.returncode, done.stderr) == (
        0,
        "reversi: same moves and year as an earlier game, other names: 1;"
        f" 'reversi record filter {database} --list --twins' lists them\n",
    )
    done = run_command("record", "filter", database, "--twins", "--json")
    assert [json.loads(line)["black"] for line in done.stdout.splitlines()] == ["Ada", "Eve"]
    done = run_command(
        "record", "dedupe", games, saved(tmp_path / "first.pgn", GAMES[0]), "-o", tmp_path / "o.pgn"
    )
    assert "same moves and year as an earlier game, other names: 1; --twins lists them" in done.stderr
    done = run_command("record", "dedupe", "--twins", games, "-o", tmp_path / "p.pgn")
    assert "Ada – Bob, 1997: same moves and year as an earlier game; game 2 written" in done.stderr
