"""``reversi record tidy``: one clean file of messy ones, and a report of what becomes of each game."""

from __future__ import annotations

import functools
import gzip
import json
import re
import zipfile
from pathlib import Path

import pytest

from command_line import run_command
from record_samples import random_record
from reversi.games import open_records
from reversi.records import Record, format_record, format_records, parse_record
from reversi.records.record import Tags

run = functools.partial(run_command, "record", "tidy")

GOOD = parse_record('[Event "Cup"]\n[Date "2004.11.28"]\n[Black "Ann"]\n[White "Bob"]\n\n1. f5 f6 2. e6 f4 *\n')
WRONG = (
    '[Date "05.04.2004"]\n[Black "Ann"]\n[White "Cy"]\n[Termination "time forfeit"]\n\n'
    "1. f5 d6 (1... f6 2. e6 a1) 2. c3 d3 3. c4 a1 4. b3 40-24\n"
)
WORD = '[Date "2004"]\n[Black "Ann"]\n[White "Dan"]\n\n1. f5 d6 2. c3 zz 3. c4 *\n'
START = '[Black "Ann"]\n[SetUp "1"]\n[Board "XO X"]\n\n1. f5 *\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "messy"
    folder.mkdir()
    spelt = format_record(GOOD).replace("2004.11.28", "28 Nov 2004").replace("Ann", "A. Nn")
    (folder / "a.pgn").write_text("\n".join((spelt, WRONG, WORD, START)), encoding="utf-8", newline="")
    (folder / "b.pgn.gz").write_bytes(gzip.compress(format_record(GOOD).encode("utf-16")))
    return folder


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_wrong_games_are_left_out_and_reported(folder: Path, tmp_path: Path) -> None:
    aliases, out, report = tmp_path / "names.txt", tmp_path / "clean.pgn", tmp_path / "report.json"
    aliases.write_text("A. Nn = Ann\n", encoding="utf-8", newline="")
    done = run(folder, "-o", out, "--aliases", aliases, "--report", report).ends(1)
    assert out.read_text(encoding="utf-8") == format_record(GOOD)
    a, b = str(folder / "a.pgn"), str(folder / "b.pgn.gz")
    found = rows(report)
    where = {
        (str(row["file"]), row["game"]): row for row in found if "two readings" not in str(row) and "file" in row
    }
    assert set(where) == {(a, 2), (a, 3), (a, 4), (b, 1)}
    assert all(str(where[a, game]["message"]).endswith("; left out") for game in (2, 3, 4))
    assert where[b, 1]["same_as"] == {"file": a, "game": 1}
    assert where[b, 1]["reason"] == "repeats"
    assert [(row["tag"], row["old"], row["new"], row["games"]) for row in found if "tag" in row] == [
        ("Black", "A. Nn", "Ann", 1),
        ("Date", "28 Nov 2004", "2004.11.28", 1),
    ]
    assert "2 tags changed: 1 Black, 1 Date" in done.stderr


def test_a_report_of_nothing_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    games, report = tmp_path / "a.pgn", tmp_path / "report.json"
    games.write_text(format_record(GOOD), encoding="utf-8", newline="")
    report.write_text('{"message":"of yesterday"}')
    run(games, "-o", tmp_path / "b.pgn", "--report", report, "--force").ends(0)
    assert rows(report) == []
    run(games, tmp_path / "none.pgn", "-o", tmp_path / "c.pgn", "--report", report).ends(66)
    assert [row["message"] for row in rows(report)] == [f"{tmp_path / 'none.pgn'}: no such file"]


@pytest.mark.parametrize("form", ["pgn", "sgf"])
def test_wrong_games_are_cut(form: str, folder: Path, tmp_path: Path) -> None:
    out, report = tmp_path / f"clean.{form}", tmp_path / "report.txt"
    done = run(folder / "a.pgn", "-o", out, "--cut", "--report", report, "--dates", "mdy").ends(1)
    assert [(str(one.start), one.moves, one.result, one.tags["Date"]) for one in open_records(out)] == [
        (str(wanted.start), wanted.moves, "*", wanted.tags["Date"])
        for wanted in (
            GOOD,
            parse_record('[Date "2004.05.04"]\n\n1. f5 d6 2. c3 d3 3. c4 *\n'),
            parse_record('[Date "2004.??.??"]\n\n1. f5 d6 2. c3 *\n'),
        )
    ]
    if form == "pgn":
        cut = list(open_records(out))[1]
        assert [line.moves for line in cut.line.nodes[1].variations] == [
            parse_record("1. f5 f6 2. e6 *").moves[1:]
        ]
        assert "Termination" not in cut.tags
    lines = report.read_text(encoding="utf-8").splitlines()
    ends = [line.rsplit("; ", 1)[1] for line in lines if ":game" in line]
    assert ends == [*["kept up to there"] * 3, "left out"]  # two of them about the second game
    assert "3 games reported: 2 kept, 1 left out" in done.stderr


def test_dates_with_two_readings_are_named(folder: Path) -> None:
    done = run(folder, "--cut")
    where = folder / "a.pgn"
    assert f"{where}:game 2: the date 05.04.2004 has two readings; give --dates dmy or --dates mdy" in done.stderr
    assert "the date" not in run(folder, "--cut", "--dates", "dmy").stderr


def test_dates_are_spelt_alike_elsewhere_too(folder: Path) -> None:
    done = run_command("record", "merge", folder / "a.pgn", "--dates", "dmy")
    assert '[Date "2004.04.05"]' in done.stdout
    assert '[Date "2004.11.28"]' in done.stdout
    assert "--dates" in run_command("record", "merge", folder / "a.pgn", "--dates", "ymd").stderr


# --- a folder of all kinds of files


NAMES = ("Åsa Öberg", "Tom O’Neill", "Šárka N.", "Ann Lee", "Bo Li")
SPELT = ("ÅSA ÖBERG", "O’Neill, Tom", "Sárka N.", "Lee Ann", "Bo-Li")
FORMS = ("pgn", "sgf", "ggf", "csv", "jsonl", "wtb")
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "windows-1252")
FILES = 60


def played(seed: int, names: tuple[str, ...] = NAMES, date: str = "{y}.{m:02}.{d:02}") -> Record:
    record = random_record(seed)
    year, month, day = 2000 + seed % 20, seed % 12 + 1, seed % 28 + 1
    tags = {"Event": f"Cup {seed % 3}", "Date": date.format(y=year, m=month, d=day)}
    record.tags = Tags({**tags, "Black": names[seed % 5], "White": names[(seed + 1 + seed // 5) % 5]})
    return record


def written(folder: Path, number: int) -> set[int]:
    """Write a file into a folder; return the numbers of the whole games in it."""
    seeds = {number % 45, (number * 7 + 3) % 45}
    form, encoding = FORMS[number % len(FORMS)], ENCODINGS[number // len(FORMS) % len(ENCODINGS)]
    date = "{d:02}.{m:02}.{y}" if number % 5 == 1 and form == "pgn" else "{y}.{m:02}.{d:02}"
    names = SPELT if number % 4 == 1 and form == "pgn" else NAMES
    text = "".join(format_records(played(seed, names, date) for seed in sorted(seeds)))
    path = folder / f"{number:02}.pgn"
    if form != "pgn":
        path.write_text(text, encoding="utf-8", newline="")
        place = folder / f"{number:02}" / f"{{year}}.{form}" if form == "wtb" else path.with_suffix(f".{form}")
        assert run_command("record", "convert", path, place).returncode == 0, (number, form)
        path.unlink()
        return seeds
    if number % 9 == 0:  # the last game has a wrong move, the one before is whole
        text += "\n" + format_record(played(100 + number)).replace("7. ", "7. a1 ")
    data = text.encode(encoding, "replace")
    if number in (12, 42):  # half a download: the second game breaks off
        packed = gzip.compress(data, 0)
        path = path.with_suffix(".pgn.gz")
        path.write_bytes(packed[: len(packed) * 3 // 4])
        return {min(seeds)}
    path.write_bytes(data)
    return seeds


@pytest.mark.thorough
@pytest.mark.parametrize("cut", [False, True])
def test_a_folder_of_all_kinds_of_files(cut: bool, tmp_path: Path) -> None:
    folder, out, report = tmp_path / "messy", tmp_path / "clean.pgn", tmp_path / "report.json"
    folder.mkdir()
    wanted = set().union(*(written(folder, number) for number in range(FILES)))
    with zipfile.ZipFile(folder / "more.zip", "w", zipfile.ZIP_DEFLATED) as more:
        for path in sorted(folder.rglob("*")):  # the files and folders 20 to 29
            if path.is_file() and path.relative_to(folder).parts[0].startswith("2"):
                more.write(path, path.relative_to(folder))
                path.unlink()
    (folder / "notes.doc").write_bytes(b"\xd0\xcf\x11\xe0 not games")
    done = run(folder, "-o", out, "--report", report, "--dates", "dmy", *(["--cut"] if cut else []))
    assert done.returncode in (1, 65)
    clean = list(open_records(out))
    moves = [one.moves for one in clean if len(one.moves) > 40]
    assert len(moves) == len(set(moves))
    assert set(moves) >= {played(seed).moves for seed in wanted}
    ((count, games),) = re.findall(r"clean.pgn: ([0-9]+) of ([0-9]+) games written", done.stderr)
    assert int(count) == len(clean)
    told = [row for row in rows(report) if "game" in row]
    out_of_it = {(row["file"], row["game"]) for row in told if not str(row["message"]).endswith("up to there")}
    assert len(out_of_it) == int(games) - int(count)
    assert any("notes.doc" in str(row.get("file")) for row in rows(report))
    assert sum(".gz" in str(row.get("file")) and "game" not in row for row in rows(report)) == 2
