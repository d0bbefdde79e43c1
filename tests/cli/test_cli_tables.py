"""Tables of games in every command that reads games, and the question about their columns."""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

import pytest

from children import Child
from command_line import ENVIRONMENT, run_command
from files import new_file
from patience import SOON_S
from record_samples import random_record
from reversi import open_records, parse_rules
from reversi.records import Record, format_record, parse_record, positions, read_games, validate_record
from table_samples import SAMPLES, games

BY_NAME = {sample.name: sample for sample in SAMPLES}
ROWS = "table;first;second;moves\n1;Ann;Bob;f5d6c3d3c4\n2;Cid;Dee;f5f6e6f4\n3;Eve;Fay;\n"
GUESS = "moves=moves,black=first,white=second"


def sample(folder: Path, name: str = "comma.csv") -> Path:
    return new_file(folder / name, BY_NAME[name].data())


def doubtful(folder: Path) -> Path:
    return new_file(folder / "club.csv", ROWS)


def test_every_command_reads_tables_and_says_how(tmp_path: Path) -> None:
    path = sample(tmp_path)
    note = f'reversi: {path}: columns guessed: "{BY_NAME["comma.csv"].columns}"\n'
    count = len(games())
    for command, expected in (
        (
            ("validate", path),
            f"{count} games in 1 file: {count} valid, 0 of them ended early, 0 unfinished; 0 findings\n",
        ),
        (("stats", path), f"{count} games in 1 file"),
        (("filter", path, "--player", "Bob"), '[Event "?"]'),
        (("merge", path), '[Event "?"]'),
        (("dedupe", path), '[Event "?"]'),
        (("convert", path, "-", "--to", "pgn"), '[Event "?"]'),
        (("show", f"{path}#3@4"), "Game 3: Ann-2, A. (Black) – Bob 0 (White)"),
        (("split", path, "--by", "year", "--into", tmp_path / "years"), ""),
    ):
        done = run_command("record", *command)
        assert (done.returncode, done.stderr.count(note)) == (0, 1), done.stderr
        assert done.stdout.startswith(expected), done.stdout
        again = ("--force",) if command[0] == "split" else ()
        chosen = run_command("record", *command, *again, "--columns", "moves=Transcript")
        assert "guessed" not in chosen.stderr
    done = run_command("analyze", f"{path}#1", "--level", "1", "--json")
    assert json.loads(done.stdout.splitlines()[0])["tags"]["Black"] == "Ann-0, A."
    assert note in done.stderr
    done = run_command("solve", f"{path}#1", "--json")
    assert (done.returncode, note in done.stderr) == (0, True)
    done = run_command("position", "convert", path, "--to", "board")
    assert len(done.stdout.splitlines()) == count
    assert note in done.stderr


def test_import_of_a_table(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    pytest.importorskip("numpy")
    path, database = sample(tmp_path, "lines.jsonl"), tmp_path / "games.duckdb"
    done = run_command("db", "import", path, "--db", database)
    assert (done.returncode, f"{len(games())} added" in done.stdout) == (0, True)
    assert "columns guessed: moves=moves,black=black" in done.stderr
    listed = new_file(tmp_path / "listed.jsonl", run_command("record", "filter", database, "--json").stdout)
    done = run_command("record", "validate", listed)
    count = len(games())
    assert (done.stdout, done.stderr) == (
        f"{count} games in 1 file: {count} valid, 0 of them ended early, 0 unfinished; 0 findings\n",
        "",
    )
    for suffix in ("csv", "parquet"):
        pytest.importorskip("pyarrow")
        out = tmp_path / f"out.{suffix}"
        assert run_command("record", "convert", database, out, "--table", "games").returncode == 0
        done = run_command("db", "import", out, "--db", database)
        assert (done.returncode, f"0 added to {database}, {count} already there" in done.stdout) == (0, True), done
        assert "guessed" not in done.stderr


def test_games_that_a_database_lists_are_read_as_they_were(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    pytest.importorskip("numpy")
    records = [random_record(seed, parse_rules("adjacent,optional-skip,board=6x6")) for seed in range(3)]
    records.append(
        parse_record(
            '[Date "1998.05.12"]\n[Round "2"]\n[Board "'
            + "-" * 27
            + "XO------OX"
            + "-" * 27
            + ' O"]\n\n1... f5 {why?} 2. d6 1-0\n'
        )
    )
    records.append(flipped_by_hand())
    path, database, listed = tmp_path / "games.pgn", tmp_path / "games.duckdb", tmp_path / "listed.jsonl"
    path.write_text("".join(map(format_record, records)), encoding="utf-8")
    assert run_command("db", "import", path, "--db", database).returncode == 0
    done = run_command("record", "filter", database, "--sort", "year", "--json")
    listed.write_text(done.stdout, encoding="utf-8")
    assert sorted(map(format_record, open_records(listed))) == sorted(map(format_record, records))
    first = json.loads(listed.read_text(encoding="utf-8").splitlines()[0])
    assert (first["date"], first["file"], first["game"]) == ("1998-05-12", str(database), 4)


def flipped_by_hand() -> Record:
    """Return a game that goes on as no game does whose discs are all flipped."""
    record = parse_record("1. f5 d6 2. c3 {[%flips d4]} 2... d3 3. c4 {[%flips]} *")
    assert [str(finding.code) for finding in validate_record(record).findings] == ["wrong-flips"]
    return record


def test_games_of_an_analysis_keep_the_flips_by_hand(tmp_path: Path) -> None:
    pgn, out = tmp_path / "games.pgn", tmp_path / "out.jsonl"
    pgn.write_text(format_record(flipped_by_hand()), encoding="utf-8")
    analyzed = json.loads(run_command("analyze", pgn, "--level", "1", "--json").stdout.splitlines()[0])
    out.write_text(json.dumps(analyzed), encoding="utf-8")
    (read,) = open_records(out)
    assert list(positions(read)) == list(positions(flipped_by_hand()))
    out.write_text(json.dumps({**analyzed, "flips": {"99": ["e4"]}}), encoding="utf-8")
    done = run_command("record", "validate", out)
    assert (
        done.returncode,
        'line 1: the flips \'{"99": ["e4"]}\' are not squares of its plies' in done.stdout,
    ) == (
        1,
        True,
    )


@pytest.mark.thorough
def test_games_of_an_analysis_are_read_again(tmp_path: Path) -> None:
    pgn = new_file(tmp_path / "games.pgn", "".join(format_record(record) + "\n" for record in games()[:2]))
    out = tmp_path / "out.jsonl"
    out.write_text(run_command("analyze", pgn, "--level", "1", "--json").stdout.splitlines()[0] + "\n")
    done = run_command("record", "convert", out, "-", "--to", "pgn")
    (entry,) = read_games(done.stdout)
    assert (entry.record.moves, entry.record.black) == (games()[0].moves, games()[0].black)


def test_a_guess_that_is_not_certain_ends_with_the_option_to_write(tmp_path: Path) -> None:
    path = doubtful(tmp_path)
    for command in (
        ("validate", path),
        ("stats", path),
        ("convert", path, "-", "--to", "pgn"),
        ("show", f"{path}#1"),
    ):
        done = run_command("record", *command).ends(65)
        assert f"{path}: line 4 has no moves in column moves; give --columns {GUESS}" in done.stderr
    done = run_command("record", "validate", path, "--columns", GUESS).ends(1)
    assert done.stdout == (
        f"{path}:game 3 (Eve–Fay):line 4: column moves has no moves [syntax]\n"
        "3 games in 1 file: 2 valid, 0 of them ended early, 2 unfinished; 1 finding\n"
    )


def test_columns_of_several_options_and_tags(tmp_path: Path) -> None:
    path = doubtful(tmp_path)
    done = run_command(
        "record", "convert", path, "-", "--to", "pgn", "--columns", "moves=4,black=2", "--columns", "Table=table"
    ).ends(1)
    assert [entry.record.tags["Table"] for entry in read_games(done.stdout)] == ["1", "2"]
    assert done.stderr.startswith(f"{path}:game 3 (Eve–?):line 4: column moves has no moves [syntax]")


@pytest.mark.parametrize(
    ("columns", "status", "message"),
    [
        ("zug=4", 2, "--columns: 'zug' is not one of moves, black"),
        ("black=2", 2, "--columns: give the column of the moves, too: moves=3"),
        ("moves=Zug", 65, "column 'Zug' does not exist; the table has 4 columns: table, first, second, moves"),
    ],
)
def test_wrong_columns(tmp_path: Path, columns: str, status: int, message: str) -> None:
    run_command("record", "validate", doubtful(tmp_path), "--columns", columns).ends(status, says=message)


def test_a_folder_with_tables(tmp_path: Path) -> None:
    for name in ("comma.csv", "lines.jsonl", "array.json"):
        sample(tmp_path, name)
    (tmp_path / "README.md").write_text("Games, and more, of 2024.\n")
    (tmp_path / "people.csv").write_text("name,age\nAnn,3\n")
    done = run_command("record", "validate", tmp_path).ends(65, says="people.csv: ")
    assert "README.md: no games in a known format; skipped" in done.stderr
    assert done.stdout.startswith(f"{3 * len(games())} games in 3 files")


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("answers", "status", "valid", "last"),
    [
        ("\n", 1, 2, ""),
        ("yes\n", 1, 2, ""),
        ("n\n", 65, 0, "the columns are not confirmed; give --columns"),
        ("", 65, 0, "the columns are not confirmed; give --columns"),
        ("zug=3\nmoves=4,black=first\n", 1, 2, ""),
    ],
)
def test_a_person_is_asked(tmp_path: Path, answers: str, status: int, valid: int, last: str) -> None:
    path = doubtful(tmp_path)
    code, screen = _at_terminal(["record", "validate", str(path), str(path)], answers)
    assert code == status
    assert (
        screen.count(f"{path}: columns guessed: {GUESS}; not read: table") == 1
    )  # once for tables that are alike
    assert "not certain: line 4 has no moves in column moves" in screen
    assert ("'zug' is not one of moves, black" in screen) == ("zug" in answers)
    assert f"{2 * valid} valid" in screen
    assert last in screen


def _at_terminal(arguments: list[str], answers: str) -> tuple[int, str]:
    import pty

    leader, follower = pty.openpty()
    with os.fdopen(leader, "rb+", buffering=0) as terminal:
        process = Child(
            [sys.executable, "-m", "reversi", *arguments],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=ENVIRONMENT,
        )
        os.close(follower)
        shown = bytearray()

        def read() -> None:
            try:
                while data := terminal.read(4096):
                    shown.extend(data)
            except OSError:  # as Linux ends a terminal
                pass

        thread = threading.Thread(target=read)
        thread.start()
        terminal.write(answers.encode() or b"\x04")
        code = process.wait(SOON_S)
        thread.join(SOON_S)
    return code, shown.decode("utf-8", "replace").replace("\r\n", "\n")
