"""``reversi record stats``, ``filter``, ``merge``, ``dedupe`` and ``split``, run as a user runs them."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import ENVIRONMENT, run_command
from files import new_file
from record_samples import random_record, saved
from reversi.records import Record, parse_record
from reversi.records.formats.pgn.reader import read_records
from reversi.records.formats.wthor.writer import pack_wthor
from reversi.records.record import Tags

SHARED = Path(__file__).parents[3] / "shared" / "data"
GAMES = [
    parse_record(
        '[Black "Ada"]\n[White "Bob"]\n[Date "1997"]\n[Event "Open"]\n\n1. f5 d6 2. c3 d3 3. c4 f4 40-24\n'
    ),
    parse_record('[Black "Bob"]\n[White "Ada"]\n[Date "1998"]\n\n1. e6 f4 2. c3 c4 3. d3 c2 20-44\n'),
    parse_record('[Black "Cy"]\n[White "Ada"]\n\n1. f5 f6 2. e6 f4 *\n'),
]
BROKEN = '[Black "Eve"]\n\n1. f5 xyz 2. d6 *\n'


run = functools.partial(run_command, "record")


def read(text: str) -> list[Record]:
    return [entry.record for entry in read_records(text)] if text else []


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return saved(tmp_path / "games.pgn", *GAMES)


# --- stats


def test_stats(games: Path) -> None:
    done = run("stats", games).ends(0, err="")
    lines = done.stdout.splitlines()
    assert lines[0] == "3 games in 1 file: 0 finished, 2 ended early, 1 unfinished"
    assert lines[1] == "Black won 1 (33.3 %), White won 1 (33.3 %), drawn 0 (0.0 %), without a result 1 (33.3 %)"
    assert lines[2] == "Black's lead -4.00 discs on average, from -24 to +16"
    rows = [line.split() for line in lines]
    assert ["Tiger", "1", "1", "0", "0", "+16.0"] in rows
    assert ["1998", "1", "0", "0", "1", "-24.0"] in rows
    assert ["Ada", "3", "2", "0", "0", "2", "100.0", "%", "+20.0", "1", "1997", "1998"] in rows


def test_stats_as_json(games: Path) -> None:
    found = json.loads(run("stats", games, "--json", "--top", "1").stdout)
    assert {name: found[name] for name in ("files", "games", "black", "draws", "white", "undecided", "score")} == {
        "files": 1,
        "games": 3,
        "black": 1,
        "draws": 0,
        "white": 1,
        "undecided": 1,
        "score": -4.0,
    }
    assert found["years"] == [
        {"year": 1997, "games": 1, "black": 1, "draws": 0, "white": 0, "score": 16.0},
        {"year": 1998, "games": 1, "black": 0, "draws": 0, "white": 1, "score": -24.0},
    ]
    assert [player["name"] for player in found["players"]] == ["Ada"]
    assert len(found["openings"]) == 1


def test_stats_of_what_holds_no_games(tmp_path: Path, games: Path) -> None:
    junk = new_file(tmp_path / "junk.txt", "hello\n")
    done = run("stats", tmp_path / "missing.pgn", junk).ends(66, out="")
    assert len(done.stderr.splitlines()) == 2
    done = run("stats", junk, games).ends(65)
    assert done.stdout.startswith("3 games in 1 file")


def test_broken_games_are_told_and_left_out(tmp_path: Path, games: Path) -> None:
    broken = new_file(tmp_path / "broken.pgn", BROKEN)
    done = run("stats", broken, games).ends(1, says="xyz")
    assert done.stderr.rstrip().endswith("; left out")
    assert "0 with an illegal move, 1 malformed" in done.stdout
    done = run("merge", broken, games).ends(1)
    assert read(done.stdout) == GAMES
    assert "3 of 4 games written" in done.stderr


# --- filter


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ((), [0, 1, 2]),
        (("--player", "ada", "--year", "1997-", "--white", "bob"), [0]),
        (("--opening", "tiger", "--opening", "f5d6c3d3c4b3"), [0, 1]),
        (("--opening", "tiger", "--position", "f5d6c3d3c4b3"), [1]),
        (("--position", "f5f6e6", "--result", "black", "--result", "undecided"), [2]),
        (("--tag", "Event=open", "--result", "white"), []),
    ],
)
def test_filter(games: Path, arguments: tuple[str, ...], found: list[int]) -> None:
    done = run("filter", games, *arguments).ends(0)
    assert read(done.stdout) == [GAMES[index] for index in found]
    of = "3" if len(found) == 3 else f"{len(found)} of 3"
    assert done.stderr == f"reversi: {of} games written\n"


@pytest.fixture(params=["file", "database"])
def archive(games: Path, request: pytest.FixtureRequest) -> Path:
    """The games as a file, and as a database."""
    if request.param == "file":
        return games
    pytest.importorskip("duckdb", reason="the database needs DuckDB")
    path = games.with_suffix(".duckdb")
    assert run_command("db", "import", games, "--db", path).returncode == 0
    return path


def test_a_list(archive: Path) -> None:
    done = run("filter", archive, "--list", "--player", "ada", "--year", "1997-").ends(0, err="reversi: 2 games\n")
    assert done.stdout == (
        f"1997    40-24  Ada – Bob                                     Open, Tiger  [{archive}#1]\n"
        f"1998    20-44  Bob – Ada                                     Aubrey  [{archive}#2]\n"
    )
    done = run("filter", archive, "--sort", "score", "--limit", "1", "--json")
    row = json.loads(done.stdout)
    assert (row["file"], row["game"], row["black"], row["score"]) == (str(archive), 1, "Ada", 16)
    assert done.stderr == "reversi: 3 games; these are the first 1 (--limit)\n"
    done = run("filter", archive, "--sort", "score", "--limit", "2")
    assert (read(done.stdout), done.stderr) == (GAMES[:2], "reversi: 2 of 3 games written\n")
    assert run("filter", archive, "--list", "--sort", "year", "--limit", "0").stdout.count("\n") == 3


def test_a_list_to_read_has_twenty_games(tmp_path: Path) -> None:
    games = saved(tmp_path / "games.pgn", *(random_record(seed) for seed in range(25)))
    done = run("filter", games, "--list")
    assert (done.stdout.count("\n"), done.stderr) == (20, "reversi: 25 games; these are the first 20 (--limit)\n")
    assert run("filter", games, "--json").stdout.count("\n") == 25


def test_twins(games: Path, tmp_path: Path) -> None:
    other = parse_record('[Black "Eve"]\n[White "Bob"]\n[Date "1997"]\n\n1. f5 d6 2. c3 d3 3. c4 f4 40-24\n')
    done = run("filter", games, saved(tmp_path / "more.pgn", other, GAMES[0]), "--twins")
    assert read(done.stdout) == [GAMES[0], other, GAMES[0]]
    done = run("filter", games, "--twins", "--sort", "year").ends(2, out="")
    assert done.stderr.startswith("reversi: --sort and --twins exclude each other: ")


def test_without_a_path_the_games_are_those_of_the_database(games: Path, tmp_path: Path) -> None:
    place = {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    done = run("filter", "--list", environment=place)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (66, "", 1)
    assert "'reversi db import PATH...' creates it, or name the files to read" in done.stderr
    pytest.importorskip("duckdb", reason="the database needs DuckDB")
    place["REVERSI_DB"] = str(tmp_path / "games.duckdb")
    assert run_command("db", "import", games, environment=place).returncode == 0
    assert run("filter", "--list", environment=place).stdout.count("games.duckdb#") == 3


def test_filter_to_a_file(games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.pgn"
    assert run("filter", games, "--player", "bob", "-o", out).stdout == ""
    assert read(out.read_text(encoding="utf-8")) == GAMES[:2]
    run("filter", games, "--player", "nobody", "-o", tmp_path / "none.pgn").ends(0, says="the file is not written")
    assert not (tmp_path / "none.pgn").exists()
    assert run("filter", games, "-o", tmp_path / "none" / "x.pgn").returncode == 73


@pytest.mark.parametrize("arguments", [("--year", "97"), ("--opening", "tigr"), ("--position", "f5x9")])
def test_wrong_conditions_are_wrong_usage(games: Path, arguments: tuple[str, str]) -> None:
    done = run("filter", games, *arguments).ends(2, out="")
    assert len(done.stderr.splitlines()) == 1


def test_filtering_standard_input(games: Path) -> None:
    done = run("filter", "-", "--player", "cy", data=games.read_text(encoding="utf-8"))
    assert read(done.stdout) == GAMES[2:]


def test_the_form_is_forced(games: Path) -> None:
    assert run("filter", games, "--from", "pgn", "--player", "cy").returncode == 0
    done = run("stats", games, "--from", "sgf")
    assert done.returncode in (1, 65)
    assert done.stderr
    assert run("merge", games, "--from", "jpeg").returncode == 2


# --- merge and dedupe


def test_merge_and_dedupe(games: Path, tmp_path: Path) -> None:
    other = saved(tmp_path / "other.pgn", random_record(1), GAMES[1])
    turned = tmp_path / "turned.txt"
    turned.write_text("f5d6c3\nd3c5f6\n")  # one game twice, mirrored
    out, once = tmp_path / "all.pgn", tmp_path / "once.pgn"
    run("merge", games, other, turned, "-o", out).ends(0, out="")
    merged = read(out.read_text(encoding="utf-8"))
    assert len(merged) == 7
    assert merged[:5] == [*GAMES, random_record(1), GAMES[1]]
    done = run("dedupe", out, "-o", once).ends(0)
    assert done.stderr.splitlines()[1] == "reversi: 2 games left out: 2 repeated; --report FILE lists them"
    assert read(once.read_text(encoding="utf-8")) == [*GAMES, random_record(1), merged[6]]
    assert run("dedupe", games, "--same", "moves").returncode == 0
    done = run("dedupe", games, "--same", "moves,colour").ends(2)
    assert "games have no 'colour' to compare; choose from moves, players" in done.stderr


def test_the_games_left_out_are_listed(tmp_path: Path) -> None:
    text = '[Black "A"]\n[White "B"]\n[Date "{}"]\n\n1. f5 d6 2. c3 *\n\n'
    games = tmp_path / "games.pgn"
    games.write_text("".join(text.format(date) for date in ("2004", "2004.01.05", "2004.11.28", "2004.11.28")))
    for to in ("pgn", "sgf", "ggf"):
        report, out = tmp_path / f"{to}.txt", tmp_path / f"once.{to}"
        done = run("dedupe", games, "-o", out, "--report", report).ends(0)
        assert "2 games left out: 1 repeated, 1 that could be several games" in done.stderr
        assert report.read_text(encoding="utf-8").splitlines() == [
            f"{games}:game 1 (A – B, 2004) could be several games; one is {games}:game 2 (A – B, 2004.01.05)",
            f"{games}:game 4 (A – B, 2004.11.28) repeats {games}:game 3 (A – B, 2004.11.28)",
        ]
        dates = [game.tags["Date"] for game in read(run("merge", out).stdout)]
        assert dates == ["2004.01.05", "2004.11.28"]
    done = run("dedupe", games, "-o", tmp_path / "same", "--to", "pgn", "--report", tmp_path / "same")
    assert (done.returncode, "name the same file" in done.stderr) == (2, True)
    assert run("dedupe", games, "--report", games).returncode == 73


# --- games that are wrong


@pytest.mark.parametrize(
    ("to", "invalid", "kept"),
    [("pgn", "keep", 1), ("pgn", "drop", 0), ("ggf", "keep", 1), ("ggf", "drop", 0), ("wthor", "keep", 0)],
)
@pytest.mark.parametrize("command", ["convert", "merge", "dedupe", "filter", "split"])
def test_wrong_games_are_kept_where_they_can_be_and_reported(
    tmp_path: Path, command: str, to: str, invalid: str, kept: int
) -> None:
    games, report, out = tmp_path / "games.pgn", tmp_path / "report.txt", tmp_path / "out"
    games.write_text(f'[Black "Ada"]\n[Date "1997"]\n\n1. f5 d6 2. a1 *\n\n{BROKEN}\n[Date "1997"]\n\n1. f5 *\n')
    targets: dict[str, list[str | Path]] = {"convert": [out], "split": ["--into", out]}
    target = targets.get(command, ["-o", out])
    arguments = [games, *target, "--to", to, "--report", report, "--force"]
    done = run(command, *arguments, *([] if invalid == "keep" else ["--invalid", invalid])).ends(1)
    assert f"reversi: 2 games reported: {kept} kept, {2 - kept} left out\n" in done.stderr
    assert f": {1 + kept} of 3 games written" in done.stderr
    assert sorted(report.read_text(encoding="utf-8").splitlines()) == [
        f"{games}:game 1 (Ada–?):ply 3: a1: flips nothing; legal: c3 c4 c5 c6 c7 [illegal-move]"
        + ("" if kept else "; left out"),
        f"{games}:game 2 (Eve–?):ply 2: 'xyz' is not a move [invalid-move]; left out",
    ]
    failed = run(command, *arguments, "--invalid", "fail").ends(1)
    assert failed.stderr.splitlines()[1:] == ["reversi: --invalid fail: ended at the first game that is wrong"]
    assert len(report.read_text(encoding="utf-8").splitlines()) == 1


# --- split


def test_split(games: Path, tmp_path: Path) -> None:
    folder = tmp_path / "years"
    done = run("split", games, "--by", "year", "--into", folder).ends(0)
    assert done.stdout.splitlines() == [
        f"{folder / '1997.pgn'}: 1 game",
        f"{folder / '1998.pgn'}: 1 game",
        f"{folder / 'unknown.pgn'}: 1 game",
    ]
    assert read((folder / "1998.pgn").read_text(encoding="utf-8")) == [GAMES[1]]
    run("split", games, "--by", "year", "--into", folder).ends(73, says="--force")
    assert run("split", games, "--by", "year", "--into", folder, "--force").returncode == 0
    assert sorted(path.name for path in folder.iterdir()) == ["1997.pgn", "1998.pgn", "unknown.pgn"]
    parts = run("split", games, "--every", "2", "--into", tmp_path / "parts")
    assert [line.rpartition(": ")[2] for line in parts.stdout.splitlines()] == ["2 games", "1 game"]
    assert run("split", games).returncode == 2


# --- real files


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_archive() -> None:
    if not (SHARED / "wthor").is_dir():
        pytest.skip(f"no {SHARED / 'wthor'}")
    found = json.loads(run("stats", SHARED / "wthor", "--json", "--top", "3").stdout)
    assert (found["games"], found["files"], found["illegal"], found["broken"]) == (109146, 35, 0, 0)
    assert found["finished"] + found["ended_early"] == 109146
    assert found["passes"]["most"] == 15
    assert found["years"][0]["year"] == 1977


# --- what is found beside games


def test_names_beside_games_are_no_trouble(tmp_path: Path) -> None:
    files = pack_wthor([Record(Tags({**dict(game.tags), "Date": "1997"}), line=game.line) for game in GAMES])
    names = [tmp_path / f"WTHOR.{suffix}" for suffix in ("JOU", "TRN")]
    for path, data in zip(names, (files.players.pack(), files.tournaments.pack()), strict=True):
        path.write_bytes(data)
    done = run("stats", *names).ends(65, out="")
    assert done.stderr == f"reversi: {names[0]} and 1 more: only names of players and tournaments, not games\n"
    (tmp_path / "WTH_1997.wtb").write_bytes(files.games)
    for paths in ([tmp_path], sorted(tmp_path.iterdir())):
        done = run("stats", *paths).ends(0, err="")
        assert done.stdout.startswith("3 games in 1 file")


def test_an_empty_folder_is_the_same_to_all(tmp_path: Path) -> None:
    for command in ("stats", "validate"):
        run(command, tmp_path).ends(65, err=f"reversi: {tmp_path}: no file in this folder\n")


@pytest.mark.skipif(os.name == "nt", reason="a shell of another system")
def test_standard_input_that_is_closed(games: Path, tmp_path: Path) -> None:
    for arguments in (
        ("record", "convert", games, tmp_path / "games.sgf"),
        ("record", "show", games),
        ("record", "show", games, "--step"),
        ("record", "stats", games),
        ("position", "show", "f5"),
        ("openings", "name", "f5"),
    ):
        run_command(*arguments, redirection="<&-").ends(0)
    for words in (
        ("record", "convert", "-", tmp_path / "more.sgf"),
        ("record", "show", "-"),
        ("record", "stats", "-"),
        ("record", "validate", "-"),
        ("position", "show", "-"),
    ):
        done = run_command(*words, redirection="<&-").ends(66)
        assert done.stderr == "reversi: standard input is closed; give a file, or data on standard input\n"
    shell = ["sh", "-c", '"$@" <&-', "sh", sys.executable, "-m", "reversi", "record", "show", "-"]
    in_a_shell = subprocess.run(shell, capture_output=True, text=True, timeout=60, check=False, env=ENVIRONMENT)
    assert (in_a_shell.returncode, in_a_shell.stderr) == (done.returncode, done.stderr)


def test_split_by_long_names(tmp_path: Path) -> None:
    event = "\u9ed2\u767d" * 60
    record = parse_record(f'[Event "{event}"]\n\n1. f5 *\n')
    done = run("split", saved(tmp_path / "games.pgn", record), "--by", "event", "--into", tmp_path / "out")
    assert (done.returncode, done.stderr) == (
        0,
        f"reversi: {tmp_path / 'out'}: 1 game written to 1 file\n",
    )
    (path,) = (tmp_path / "out").iterdir()
    assert event.startswith(path.stem)
    assert len(path.stem) == 66


def test_one_player_given_twice_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    record = random_record(1)
    record.tags["Black"], record.tags["White"] = "Ada", "Björn"
    saved(path, record)
    done = run_command("record", "filter", path, "--player", "Ada", "--player", "Ada").ends(0, out="")
    assert done.stderr.splitlines() == [
        "reversi: --player 'Ada' is given twice, which selects games between two such players",
        "reversi: 0 of 1 game written",
    ]


@pytest.mark.parametrize("command", ["convert", "merge", "dedupe", "filter", "split"])
def test_several_years_are_not_one_file_of_wthor(games: Path, tmp_path: Path, command: str) -> None:
    made = tmp_path / "made"
    if command == "split":
        done = run(command, games, "--every", "9", "--to", "wthor", "--into", made)
        way = "split the games by year (--by year)"
    else:
        target = tmp_path / "all.wtb"
        done = run(command, games, *([target] if command == "convert" else ["-o", target]))
        way = f"write to {tmp_path / 'all_{year}.wtb'} for one file for each year"
    assert done.returncode == 65
    assert "games of 1997 and 1998; a WTHOR file has the games of one year" in done.stderr
    assert way in done.stderr
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path != games]


@pytest.mark.parametrize("target", ["years/", "years/W_{year}.wtb"])
@pytest.mark.parametrize("command", ["convert", "merge", "dedupe", "filter", "split"])
def test_a_file_of_wthor_for_each_year(games: Path, tmp_path: Path, command: str, target: str) -> None:
    made = tmp_path / "years"
    output = f"{tmp_path}/{target}"
    to = ["--to", "wthor"] if target.endswith("/") else []
    if command == "split":
        done = run(command, games, "--by", "year", "--to", "wthor", "--into", made)
    else:
        done = run(command, games, *([output] if command == "convert" else ["-o", output]), *to)
    assert done.returncode == 0, done.stderr
    prefix = "WTH" if to or command == "split" else "W"
    assert {path.name for path in made.iterdir()} >= {f"{prefix}_1997.wtb", f"{prefix}_1998.wtb", "WTHOR.JOU"}
    back = json.loads(run("stats", made, "--json").stdout)
    assert {year["year"]: year["games"] for year in back["years"]} == {1997: 1, 1998: 1}
    again = run("merge", games, "-o", output, *to)
    assert command == "split" or (again.returncode == 73 and "exists; --force overwrites it" in again.stderr)


def test_other_formats_for_each_year(games: Path, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    assert run("merge", games, "-o", tmp_path / "here").returncode == 0
    assert {path.name for path in (tmp_path / "here").iterdir()} >= {"1997.pgn", "1998.pgn"}
    assert run("convert", games, tmp_path / "{year}.ggf").returncode == 0
    assert {path.name for path in tmp_path.glob("*.ggf")} >= {"1997.ggf", "1998.ggf"}
    done = run("convert", games, f"{tmp_path}/new/")
    assert (done.returncode, "is a folder; give --to" in done.stderr) == (2, True)
    done = run("merge", games, "-o", f"{tmp_path}/{{year}}/a.pgn")
    assert (done.returncode, "belongs into the name of the file" in done.stderr) == (2, True)


@pytest.mark.parametrize("command", ["stats", "validate", "merge"])
def test_other_files_of_a_folder_are_skipped(tmp_path: Path, command: str) -> None:
    saved(tmp_path / "games.pgn", *GAMES)
    readme = new_file(tmp_path / "README", "Read me\nThis archive has games.\n")
    done = run(command, tmp_path).ends(0, says=f"reversi: {readme}: no games in a known format; skipped\n")
    assert "reversi: 1 file skipped\n" in done.stderr
    assert run(command, readme).returncode == 65
    assert run(command, f"{tmp_path}/READ*").returncode == 65
    (tmp_path / "broken.pgn").write_text("nothing here\n")
    assert run(command, tmp_path).returncode == 65


def test_bytes_behind_the_games_are_no_game(tmp_path: Path) -> None:
    path = new_file(tmp_path / "WTH_2020.wtb", pack_wthor([random_record(1), random_record(2)]).games + b"xyz")
    done = run("validate", path)
    assert (done.returncode, "goes on behind its end" in done.stdout) == (1, True)
    assert "\n2 games in 1 file: 2 valid" in done.stdout
    done = run("stats", path, "--json")
    assert (done.returncode, json.loads(done.stdout)["games"]) == (1, 2)
    assert json.loads(done.stdout)["broken"] == 0


@pytest.mark.parametrize("command", ["stats", "validate"])
def test_names_alone_are_named(tmp_path: Path, command: str) -> None:
    path = new_file(tmp_path / "WTHOR.JOU", pack_wthor([random_record(1)]).players.pack())
    run(command, path).ends(65, err=f"reversi: {path}: only names of players and tournaments, not games\n")


def test_wthor_as_pgn_and_back_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "games.wtb"
    for seed in range(50):
        record = random_record(seed)
        path.write_bytes(pack_wthor([record]).games)
        if "--" in map(str, record.moves):
            break
    assert run("convert", path, tmp_path / "games.pgn").returncode == 0
    done = run("convert", tmp_path / "games.pgn", tmp_path / "again.wtb")
    assert (tmp_path / "again.wtb").read_bytes() == path.read_bytes()
    assert "does not hold" not in done.stderr


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("f5d6c3d3\nc4f4\n", 1),
        ("f5d6c3\nd3c4\n", 1),
        ("f5d6\nc4c3\n", 2),
        ("f5d6\nf4e6\n", 1),
    ],
)
def test_lines_of_one_game_of_transcripts(text: str, games: int) -> None:
    assert json.loads(run("stats", "-", "--json", data=text).stdout)["games"] == games
