"""``reversi record validate`` on folders, archives and whatever else lies there."""

from __future__ import annotations

import bz2
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import ENVIRONMENT, Done, Started, run_command, run_with_terminal
from patience import SOON_S
from record_samples import illegal, random_record
from reversi import Square
from reversi.records import format_records
from wthor_samples import SHARED, game, jou, random_game, trn, wtb

COMMAND = [sys.executable, "-m", "reversi", "record", "validate"]


def run(*arguments: str | Path, data: bytes = b"") -> Done:
    return run_command("record", "validate", *arguments, data=data)


def archive(folder: Path) -> Path:
    (folder / "sub").mkdir(parents=True)
    (folder / "WTHOR.JOU").write_bytes(jou())
    (folder / "wthor.trn").write_bytes(trn())
    (folder / "WTH_2020.wtb").write_bytes(wtb([random_game(seed, black=4) for seed in range(30)]))
    (folder / "sub" / "games").write_bytes(wtb([game(random_record(1).moves[:20], 40)]))
    return folder


def test_an_archive(tmp_path: Path) -> None:
    folder = archive(tmp_path / "a")
    for workers in ("1", "2"):
        done = run(folder, "--workers", workers).ends(0, err="")
        assert done.stdout == "31 games in 2 files: 31 valid, 1 of them ended early, 0 unfinished; 0 findings\n"
    done = run(folder / "*.wtb", folder / "sub" / "games", "--unfinished", "--json")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"file": str(folder / "sub" / "games"), "game": 1, "ended_early": True, "plies": 20, "result": "40-24"},
        {"summary": {"files": 2, "games": 31, "valid": 31, "unfinished": 0, "ended_early": 1, "findings": 0}},
    ]


def test_findings_in_wthor(tmp_path: Path) -> None:
    folder = archive(tmp_path / "a")
    data = bytearray((folder / "WTH_2020.wtb").read_bytes())
    data[16 + 6] ^= 1  # the first game's score
    data[16 + 68 * 4 + 8 + 9] = 44  # the tenth move of the fifth
    (folder / "WTH_2020.wtb").write_bytes(data)
    done = run(folder)
    first, second, last = done.stdout.splitlines()
    assert done.returncode == 1
    place = f"{folder / 'WTH_2020.wtb'}:game"
    assert first.startswith(f"{place} 1 (Åsa Ångström–Björn): the recorded result is ")
    assert first.endswith(" [result-mismatch]")
    assert second.startswith(f"{place} 5 (Åsa Ångström–Björn):ply 10: d4: the square is occupied; legal: ")
    assert last == "31 games in 2 files: 29 valid, 1 of them ended early, 0 unfinished; 2 findings"
    found = json.loads(run(folder, "--json", "--max-errors", "1").stdout.splitlines()[0])
    assert (found["game"], found["ply"], found["line"], found["code"]) == (1, None, None, "result-mismatch")


def test_standard_input(tmp_path: Path) -> None:
    done = run("-", data=wtb([random_game(1), game([Square("a1")], 0)])).ends(1)
    assert done.stdout.startswith("standard input:game 2 (?–?):ply 1: a1: flips nothing; ")


def test_only_names(tmp_path: Path) -> None:
    (tmp_path / "WTHOR.JOU").write_bytes(jou())
    done = run(tmp_path).ends(65)
    assert done.stderr == f"reversi: {tmp_path / 'WTHOR.JOU'}: only names of players and tournaments, not games\n"


def test_paths_that_name_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    run(tmp_path / "empty").ends(65, err=f"reversi: {tmp_path / 'empty'}: no file in this folder\n")
    for path in (tmp_path / "none", tmp_path / "*.pgn"):
        run(path).ends(66, err=f"reversi: {path}: no such file\n")
    assert run(tmp_path, "--workers", "-1").returncode == 2


def mixed(folder: Path, *, sparse: int) -> Path:
    """A folder of everything."""
    archive(folder)
    text = "".join(format_records([random_record(1), illegal(2), random_record(3)]))
    (folder / "a.pgn").write_text(text, encoding="utf-8")
    (folder / "b.txt").write_text("f5d6c3d3c4\n")
    (folder / "empty.pgn").write_bytes(b"")
    (folder / "packed.pgn.bz2").write_bytes(bz2.compress(text.encode()))
    (folder / "picture.pgn").write_bytes(b"\xff\xd8\xff\xe0\0\x10JFIF" + bytes(range(256)) * 50)
    (folder / "cut.wtb").write_bytes(wtb([random_game(1)] * 4)[:-70])
    for name, head in (
        ("holes.pgn", text.encode()),
        ("sparse", b""),
        ("wide.wtb", wtb([random_game(1)], count=9**7)),
    ):
        with (folder / name).open("wb") as stream:
            stream.write(head)
            stream.truncate(sparse)
    return folder


EXPECTED = {
    "empty.pgn": "empty, nothing in it",
    "holes.pgn": "binary data, not text",
    "packed.pgn.bz2": "packed with bzip2; unpack it first",
    "picture.pgn": "a JPEG picture, not records",
    "sparse": "nothing but zero bytes, no game in it",
}


@pytest.mark.parametrize("sparse", [1 << 22, pytest.param(1 << 30, marks=pytest.mark.slow)], ids=["small", "1 GB"])
def test_a_folder_of_everything(tmp_path: Path, sparse: int) -> None:
    folder = mixed(tmp_path / "mixed", sparse=sparse)
    done = run(folder, "--workers", "2").ends(65)
    expected = [f"reversi: {folder / name}: {why}" for name, why in EXPECTED.items()]
    assert done.stderr.splitlines() == [*expected[:-1], f"{expected[-1]}; skipped", "reversi: 1 file skipped"]
    first, second, third, last = done.stdout.splitlines()
    assert first.startswith(f"{folder / 'a.pgn'}:game 2 (Ada–Björn):ply 6: d4: the square is occupied; ")
    assert second.startswith(f"{folder / 'cut.wtb'}:game 3 (?–?): the file ends inside this game, of 4 that ")
    assert third.startswith(f"{folder / 'wide.wtb'}:game ")
    assert "nothing but zero bytes from this game on" in third
    assert last.endswith(" 3 findings")


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the memory from /proc")
def test_a_folder_of_everything_takes_little_memory(tmp_path: Path) -> None:
    folder = mixed(tmp_path / "mixed", sparse=1 << 30)
    code = (
        "import contextlib, sys\nfrom reversi.cli import main\n"
        f"sys.argv = ['reversi', 'record', 'validate', {str(folder)!r}]\n"
        "with contextlib.suppress(SystemExit):\n    main()\n"
        "sys.stderr.writelines(line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=120, check=True, env=ENVIRONMENT
    )
    used = int(done.stderr.decode().split("VmHWM:")[1].split()[0])
    assert 10_000 < used < 300_000  # kB, the most at any time


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_stops_the_workers(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    good = "".join(format_records(random_record(seed) for seed in range(100)))
    path.write_text("".join(format_records([illegal(1)])) + "\n" + "\n".join([good] * 120), encoding="utf-8")
    words = ("record", "validate", str(path), "--json", "--workers", "2")
    with Started(*words, start_new_session=True) as process:
        assert json.loads(process.stdout.readline())["game"] == 1
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers, too
        _, err = process.communicate(timeout=SOON_S)
    assert (process.returncode, err) == (130, "")


def test_the_archive() -> None:
    if not SHARED.is_dir():
        pytest.skip(f"no {SHARED}")
    done = run(*sorted(SHARED.glob("WTH_*.wtb")), "--workers", "2").ends(0, err="")
    assert (
        done.stdout
        == "107197 games in 34 files: 107197 valid, 413 of them ended early, 0 unfinished; 0 findings\n"
    )
    assert run(SHARED).returncode == 0


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="terminals of Unix")
def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    game = "".join(format_records([random_record(1)]))
    path.write_text("\n".join([game] * 60_000), encoding="utf-8")
    out, shown = run_with_terminal("record", "validate", path, "--workers", "1")
    assert out == "60000 games in 1 file: 60000 valid, 0 of them ended early, 0 unfinished; 0 findings\n"
    assert " games checked, 0 findings" in shown
    assert run(path, "--workers", "1").stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of Unix")
def test_a_terminal_shows_more_lines_than_it_holds() -> None:
    names = ["folder/" * 500 + f"{number}.pgn" for number in range(20)]  # 70,000 characters
    out, shown = run_with_terminal("record", "validate", *names)
    assert out == "0 games in 0 files: 0 valid, 0 of them ended early, 0 unfinished; 0 findings\n"
    assert shown.count(": no such file") == 20
