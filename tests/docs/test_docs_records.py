"""The examples in docs/records.md are as this program writes them, and what it says of formats is so."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from command_line import Done, run_process
from random_games import random_game
from reversi.records import format_record, parse_record, validate_record
from reversi.records.formats.ggf.reader import read_ggf
from reversi.records.formats.ggf.writer import format_ggf
from reversi.records.formats.registry import FORMATS, read_games
from reversi.records.formats.sgf.reader import MAX_TREES, read_sgf
from reversi.records.formats.sgf.writer import format_sgf
from reversi.records.record import MAX_DEPTH
from reversi.records.sources.decoding import MAX_BYTES, MAX_LINE_BYTES
from reversi.text.decoding import MAX_LINE

PAGE = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")


def test_the_example_is_in_the_form_that_is_written() -> None:
    example = PAGE.split("```\n")[1]
    record = parse_record(example)
    assert validate_record(record).valid
    assert format_record(record) == example


def test_the_limits_are_those_of_the_code() -> None:
    assert (MAX_BYTES, MAX_LINE_BYTES, MAX_DEPTH, MAX_LINE) == (1 << 30, 1 << 20, 100, 65_536)
    for limit in ("1 GiB", "1 MiB", "65,536 characters", "at most 100 deep"):
        assert limit in " ".join(PAGE.split())


def example(section: str) -> str:
    return PAGE.split(f"### {section}\n")[1].split("```\n")[1]


def test_the_games_in_ggf_and_sgf_are_one_game() -> None:
    (ggf,), (sgf,) = read_ggf(example("GGF")), read_sgf(example("SGF"))
    assert format_ggf(ggf.record) + "\n" == example("GGF") == format_ggf(sgf.record) + "\n"
    assert format_sgf(sgf.record) == example("SGF")
    assert [entry.record.moves for entry in read_games(example("Lists of eOthello"))] == [ggf.record.moves]
    assert f"nested at most {MAX_TREES} deep" in " ".join(PAGE.split())


def test_the_table_of_formats_is_that_of_the_registry() -> None:
    table = ["| format | suffixes | lost | partly lost |", "|---|---|---|---|"]
    for form in FORMATS:
        suffixes = ", ".join(f"`{suffix}`" for suffix in form.suffixes)
        holds = form.holds
        lost, partly = (", ".join(names) or "nothing" for names in (holds.wholly, holds.partly))
        table.append(f"| `{form.name}` | {suffixes} | {lost} | {partly} |")
    assert "\n\n" + "\n".join(table) + "\n\n" in PAGE


@pytest.mark.thorough
def test_a_format_of_another_package(tmp_path: Path) -> None:
    code = PAGE.split("## A format of your own")[1].split("```python\n")[1].split("```")[0]
    (tmp_path / "reversi_squares.py").write_text(code, encoding="utf-8")
    points = (
        PAGE.split("```toml\n")[1]
        .split("```")[0]
        .replace('project.entry-points."reversi.formats"', "reversi.formats")
    )
    package = tmp_path / "reversi_squares-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: reversi-squares\nVersion: 1\n")
    (package / "entry_points.txt").write_text(points.replace("project.entry-points.", "").replace('"', ""))
    environment = {"PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])}

    def run(*arguments: str, text: str = "") -> Done:
        return run_process("record", *arguments, data=text, environment=environment)

    transcript = "".join(str(ply.move) for ply in random_game("othello", 7) if not ply.move.is_pass)
    run("convert", "-", str(tmp_path / "a.squares"), text=transcript).ends(0)
    text = (tmp_path / "a.squares").read_text()
    assert text.startswith("squares\n")
    assert run("convert", str(tmp_path / "a.squares"), "-", "--to", "transcript").stdout.strip() == transcript
    assert (
        run("convert", "-", "-", "--from", "squares", "--to", "transcript", text=text).stdout.strip() == transcript
    )
    wrong = run("validate", "-", text=text.replace(" ", " 64 ", 1))
    assert (wrong.returncode, "'64' is not a square from 0 to 63 [invalid-move]" in wrong.stdout) == (1, True)
    assert "squares" in run("convert", "--help").stdout

    pgn = '[Black "Ann"]\n[White "Bob"]\n[Result "40-24"]\n\n1. f5 d6 2. c3 40-24\n'
    run("convert", "-", str(tmp_path / "b.squares"), text=pgn)
    assert (tmp_path / "b.squares").read_text() == "squares\nAnn;Bob;40-24;37 43 18\n"
    back = run("convert", str(tmp_path / "b.squares"), "-", "--to", "pgn").stdout
    assert '[Black "Ann"]' in back
    assert back.endswith("1. f5 d6 2. c3 40-24\n")
    torn = run("validate", "-", text="squares\nAnn;Bob;*;37\nAnn;Bob\nAnn;Bob;*;37\n")
    assert "game 2 (?–?):line 3: give Black, White, the result and the moves" in torn.stdout
    assert "3 games" in torn.stdout
    code = code.replace("entry.record.result = result", 'entry.record.tags["Result"] = result')
    (tmp_path / "reversi_squares.py").write_text(code, encoding="utf-8")
    told = run("validate", "-", text="squares\nAnn;Bob;*;37\n").stdout
    assert "game 1 (Ann–Bob):line 2: the tag Result cannot be set" in told
    assert "set record.result" in told
