"""``reversi record``, run as a user runs it."""

from __future__ import annotations

import functools
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import ENVIRONMENT, Started, run_command
from files import new_file
from patience import SOON_S
from record_samples import final, from_wthor, illegal, playok, random_record, saved, seed_with_pass
from reversi import PASS, Kind, Position, Square, parse_rules
from reversi.records import (
    Entry,
    Line,
    Node,
    Record,
    RecordedScore,
    Tags,
    format_record,
    format_records,
    known_formats,
)
from reversi.records.formats.eothello import format_eothello
from reversi.records.formats.ggf.writer import format_ggf
from reversi.records.formats.pgn.reader import read_records
from reversi.records.formats.sgf.writer import format_sgf
from reversi.records.formats.transcript import format_record_moves, read_transcripts
from reversi.records.formats.wthor.writer import pack_wthor
from reversi.records.sources.opening import GameSource

GOOD = random_record(seed_with_pass(1))
FORMAT_NAMES = ", ".join(form.name for form in known_formats())


run = functools.partial(run_command, "record")


# --- validate


def test_valid_files(tmp_path: Path) -> None:
    one = saved(tmp_path / "one.pgn", GOOD, random_record(1, plies=9))
    two = new_file(tmp_path / "two.txt", format_record_moves(GOOD) + "\n")
    done = run("validate", one, two).ends(0, err="")
    assert done.stdout == "3 games in 2 files: 3 valid, 0 of them ended early, 1 unfinished; 0 findings\n"


def test_findings_name_file_game_players_and_ply(tmp_path: Path) -> None:
    path = saved(
        tmp_path / "a.pgn", GOOD, Record(Tags({"Black": "Ada", "White": "Björn"}), line=Line([Node(Square("a1"))]))
    )
    done = run("validate", path).ends(1, err="")
    first, last = done.stdout.splitlines()
    assert first == f"{path}:game 2 (Ada–Björn):ply 1: a1: flips nothing; legal: d3 c4 f5 e6 [illegal-move]"
    assert last == "2 games in 1 file: 1 valid, 0 of them ended early, 0 unfinished; 1 finding"


def test_findings_as_json(tmp_path: Path) -> None:
    wrong = random_record(3)
    wrong.result = "1-63"
    text = "".join(format_records([illegal(2, 7), GOOD, wrong]))
    path = new_file(tmp_path / "a.pgn", text.replace(" -- ", " ", 1)[:-8])
    done = run("validate", path, "--json").ends(1, err="")
    *findings, summary = map(json.loads, done.stdout.splitlines())
    assert [list(found) for found in findings] == [["file", "game", "ply", "line", "code", "message"]] * 3
    assert [(found["file"], found["game"], found["ply"], found["code"]) for found in findings] == [
        (str(path), 1, 7, "duplicate-square"),
        (str(path), 2, GOOD.moves.index(PASS) + 1, "pass-required"),
        (str(path), 3, None, "truncated"),
    ]
    assert findings[0]["line"] == 9
    assert findings[0]["message"].startswith("d4: the square is occupied; legal: ")
    assert summary == {
        "summary": {"files": 1, "games": 3, "valid": 0, "unfinished": 0, "ended_early": 0, "findings": 3}
    }


def test_standard_input_and_foreign_games() -> None:
    done = run("validate", "-", "--json", data=playok(GOOD) + "\n" + from_wthor(GOOD, "1-63")).ends(1)
    finding = json.loads(done.stdout.splitlines()[0])
    assert (finding["file"], finding["game"], finding["code"], finding["ply"]) == ("-", 2, "result-mismatch", None)


def test_flips_by_hand(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.pgn", Record(line=Line([Node(Square("f5"), flips=())])))
    run("validate", path).ends(1, prints="ply 1: f5: flipped none; by the rules: e5 [wrong-flips]")
    assert run("validate", path, "--accept-flips").returncode == 0


def test_max_errors(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.pgn", *(illegal(2, ply) for ply in range(3, 9)))
    done = run("validate", path, path, "--max-errors", "2").ends(1)
    assert len(done.stdout.splitlines()) == 3
    assert done.stdout.endswith("; 2 findings\n")
    assert done.stderr == "reversi: stopped after 2 findings (--max-errors)\n"
    two_in_one = format_record(illegal(2, 3))[:-20]
    assert run("validate", "-", "--max-errors", "1", data=two_in_one).stdout.endswith("; 1 finding\n")


def test_bad_files_are_told_and_the_rest_is_checked(tmp_path: Path) -> None:
    good = saved(tmp_path / "good.pgn", GOOD)
    binary, empty, words = tmp_path / "binary", tmp_path / "empty", tmp_path / "words"
    binary.write_bytes(bytes(range(256)) * 100)
    empty.write_bytes(b"\n")
    words.write_text("nothing of a game\n")
    done = run("validate", binary, empty, words, good).ends(65)
    assert done.stdout == "1 game in 1 file: 1 valid, 0 of them ended early, 0 unfinished; 0 findings\n"
    assert done.stderr.splitlines() == [
        f"reversi: {binary}: binary data, not text",
        f"reversi: {empty}: empty, nothing in it",
        f"reversi: {words}: line 1: 'nothing' is neither a tag nor a move; "
        f"the text contains no game in a known format ({FORMAT_NAMES});"
        " 'reversi position show' reads moves among other words",
    ]
    missing = run("validate", tmp_path / "none.pgn", words, good).ends(66)
    assert missing.stderr.splitlines()[0] == f"reversi: {tmp_path / 'none.pgn'}: no such file"


def test_a_long_line_of_garbage(tmp_path: Path) -> None:
    path = new_file(tmp_path / "garbage", b"a" * (50 << 20))
    done = run("validate", path).ends(65)
    assert done.stderr == f"reversi: {path}: line 1 has more than 1048576 bytes: this is not a record\n"


def test_boards_are_no_games() -> None:
    done = run("validate", "-", data="-" * 27 + "OX------XO" + "-" * 27 + " X\n")
    assert done.returncode == 65
    assert done.stderr.startswith("reversi: standard input: positions, not games; read_positions reads them")


def test_games_in_ggf() -> None:
    text = (
        "(;GM[Othello]PB[Ada]BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6];)"
    )
    done = run("validate", "-", data=text)
    assert (done.returncode, done.stdout) == (
        0,
        "1 game in 1 file: 1 valid, 0 of them ended early, 1 unfinished; 0 findings\n",
    )
    run("convert", "-", "-", "--to", "transcript", data=text).ends(0, out="f5d6\n")
    run("show", "-", data=text).ends(0, prints="Ply 2 of 2: White d6")


def test_encodings_and_line_ends(tmp_path: Path) -> None:
    text = format_record(GOOD).replace("\n", "\r\n")
    path = tmp_path / "a.pgn"
    for data in (text.encode("utf-8-sig"), text.encode("latin-1")):
        path.write_bytes(data)
        assert run("validate", path).returncode == 0
        assert "White: " not in (shown := run("show", path).stdout)
        assert shown.startswith("Game 1: Ada (Black) – Björn (White)\n")


def test_control_characters_stay_off_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes(b'[Black "\x1b[31mred\x9b"]\n[White "\x07"]\n\n1. f5 \x1b[2Jd6 {\x1b]0;x\x07} *\n')
    for command, *options in (["validate"], ["show"], ["show", "--json"], ["validate", "--json"]):
        done = run(command, path, *options)
        assert done.returncode in (1, 65)
        assert not set(done.stdout + done.stderr) & set(map(chr, [*range(10), *range(11, 32), *range(127, 160)]))
    assert "\\x1b" in run("validate", path).stdout


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise there")
def test_head_ends_quietly(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.pgn", *[illegal(2, 3)] * 3000)
    done = subprocess.run(
        f'"{sys.executable}" -m reversi record validate --max-errors 0 "{path}" | head -1',
        shell=True,
        capture_output=True,
        timeout=60,
        check=False,
        env=ENVIRONMENT,
    )
    assert (done.stdout.count(b"\n"), done.stderr) == (1, b"")


def test_a_file_of_findings_alone_is_reported_once(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.pgn", *[illegal(2, 3)] * 1500)
    done = run("validate", path).ends(65)
    assert done.stdout.endswith(
        "1001 games in 1 file: 0 valid, 0 of them ended early, 0 unfinished; 1001 findings\n"
    )
    assert done.stdout.count("\n") == 1
    assert done.stderr.startswith(f"reversi: {path}:game 1 ")
    assert done.stderr.endswith("1001 such findings in the first 1001 games, of which none is valid\n")
    assert run("validate", "--max-errors", "0", path).stdout.count("\n") == 1501


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="signals are otherwise there")
def test_an_interrupt_keeps_what_was_found(tmp_path: Path) -> None:
    first = saved(tmp_path / "a.pgn", illegal(2, 3))
    with Started("record", "validate", first, "-", "--json") as process:
        finding = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=SOON_S)
    assert (process.returncode, err) == (130, "")
    assert finding["code"] == "duplicate-square"


# --- convert


def test_foreign_to_ours_and_again(tmp_path: Path) -> None:
    source, target, again = tmp_path / "in.pgn", tmp_path / "out.pgn", tmp_path / "again.pgn"
    source.write_text(playok(GOOD) + "\n" + from_wthor(GOOD, GOOD.result), encoding="utf-8")
    run("convert", source, target).ends(0, out="", err=f"reversi: {target}: 2 games written\n")
    text = target.read_bytes().decode()
    first, second = read_records(text)
    assert (first.record.moves, second.record.moves) == (GOOD.moves, GOOD.moves)
    assert (first.record.tags["WhiteElo"], first.ours, second.ours) == ("1314", True, True)
    assert run("convert", target, again).returncode == 0
    assert again.read_bytes() == target.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again.pgn", "in.pgn", "out.pgn"]


def test_to_transcripts_tells_what_is_lost(tmp_path: Path) -> None:
    full = Record(
        Tags({"Black": "A"}),
        line=Line(
            [
                Node(
                    Square("f5"),
                    ("c",),
                    (1,),
                    60,
                    RecordedScore(1, Kind.EXACT),
                    None,
                    (Line([Node(Square("c4"))]),),
                )
            ]
        ),
        result="1-0",
    )
    source, target = saved(tmp_path / "in.pgn", GOOD, full), tmp_path / "out.txt"
    done = run("convert", source, target).ends(0)
    first, tags, second = done.stderr.splitlines()
    assert tags == f"reversi: {target}: tags not held: Event, Date, Round"
    assert first == (
        f"reversi: {target}: a transcript does not hold: players (2 games), other tags (1 game), "
        "results (2 games), comments (1 game), glyphs (1 game), clocks (1 game), "
        "evaluations (1 game), variations (1 game)"
    )
    assert second == f"reversi: {target}: 2 games written"
    games = [entry.record.moves for entry in read_transcripts(target.read_text())]
    assert games == [GOOD.moves, full.moves]


def test_from_transcripts(tmp_path: Path) -> None:
    target = tmp_path / "out.pgn"
    done = run("convert", "-", target, data=f"{format_record_moves(GOOD)}\nf5d6\n").ends(0)
    assert done.stderr == f"reversi: {target}: 2 games written\n"
    first, second = read_records(target.read_text())
    assert (first.record.moves, first.record.result, second.record.result) == (GOOD.moves, GOOD.result, "*")


def test_to_standard_output_and_with_rules(tmp_path: Path) -> None:
    rules = parse_rules("adjacent,optional-skip,board=4x4")
    record = random_record(1, rules)
    source = new_file(tmp_path / "in", format_record_moves(record))
    done = run("convert", source, "-", "--to", "pgn", "--rules", str(rules))
    assert done.returncode == 0
    assert done.stderr == "reversi: 1 game written\n"
    (entry,) = read_records(done.stdout)
    assert (entry.record.rules, entry.record.moves) == (rules, record.moves)
    assert run("convert", source, "-", "--to", "pgn").returncode == 1


def test_wrong_games_are_told_and_left_out(tmp_path: Path) -> None:
    odd = random_record(3)
    odd.result = "1-63"
    by_hand = Record(line=Line([Node(Square("f5"), flips=())]))
    source = saved(tmp_path / "in.pgn", illegal(2, 7), GOOD, odd, by_hand)
    target = tmp_path / "out.txt"
    done = run("convert", source, target).ends(1)
    lines = done.stderr.splitlines()
    assert lines[0].startswith(f"{source}:game 1 (Ada–Björn):ply 7: d4: ")
    assert lines[0].endswith(" [duplicate-square]")
    assert lines[1].endswith(" [result-mismatch]")
    assert lines[2] == f"{source}:game 4: discs were flipped by hand, which a transcript cannot hold; left out"
    assert lines[-2] == "reversi: 3 games reported: 2 kept, 1 left out; --report FILE lists them"
    assert lines[-1] == f"reversi: {target}: 3 of 4 games written"
    assert target.read_text().splitlines()[1:] == [format_record_moves(GOOD), format_record_moves(odd)]
    assert run("convert", source, tmp_path / "out.pgn").stderr.splitlines()[-1].endswith("4 games written")


def test_nothing_is_written_when_nothing_is_right(tmp_path: Path) -> None:
    source, target = saved(tmp_path / "in.pgn", illegal(2, 7)), tmp_path / "out.pgn"
    target.write_text("as it was")
    assert run("convert", source, target, "--force", "--invalid", "drop").returncode == 1
    assert run("convert", "-", target, "--force", data="hello").returncode == 65
    assert run("convert", tmp_path / "none", target, "--force").returncode == 66
    assert target.read_text() == "as it was"


def test_where_it_cannot_be_written(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.pgn", GOOD)
    target = tmp_path / "no such folder" / "out.pgn"
    done = run("convert", source, target).ends(73)
    assert (
        done.stderr == f"reversi: {target}: cannot write: folder {target.parent} does not exist; create it first\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="permissions are otherwise there")
def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path: Path) -> None:
    source, target = saved(tmp_path / "in.pgn", GOOD), tmp_path / "out.pgn"
    target.write_text("old")
    target.chmod(0o640)
    assert run("convert", source, target, "--force").returncode == 0
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert target.read_text(encoding="utf-8") == format_record(GOOD)


def test_a_form_that_cannot_be_told(tmp_path: Path) -> None:
    for target, where in ((tmp_path / "out.xyz", str(tmp_path / "out.xyz")), ("-", "standard output")):
        done = run("convert", saved(tmp_path / "in.pgn", GOOD), target).ends(2)
        assert f"reversi: {where}: give --to with one of {FORMAT_NAMES}" in done.stderr
    assert run("convert", "a", "b", "--to", "xyz").returncode == 2


# --- show


def test_show_the_end(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.pgn", GOOD)
    done = run("show", path).ends(0, err="")
    lines = done.stdout.splitlines()
    assert lines[0] == "Game 1: Ada (Black) – Björn (White)"
    assert f"Result: {GOOD.result}" in lines
    assert f"Ply {len(GOOD.moves)} of {len(GOOD.moves)}: " in done.stdout
    assert lines[-1] == f"Game over: {final(GOOD).count}"
    assert "  a b c d e f g h" in lines


def test_show_a_ply_with_its_notes(tmp_path: Path) -> None:
    node = Node(
        Square("f5"), ("well", "done"), (), 312, RecordedScore(4, Kind.EXACT), (Square("e5"),), (Line(), Line())
    )
    path = saved(tmp_path / "a.pgn", Record(line=Line([node, Node(Square("d6"))], ("before",))))
    assert run("show", path, "--ply", "1").stdout == "\n".join(
        [
            "Game 1: ? (Black) – ? (White)",
            "Result: *",
            "before",
            "",
            "Ply 1 of 2: Black f5, clock 0:05:12, value +4 exact, flipped by hand: e5, 2 variations",
            "well",
            "done",
            "  a b c d e f g h",
            "1 - - - - - - - -",
            "2 - - - - - - - -",
            "3 - - - - - - - -",
            "4 - - - O X . - -",
            "5 - - - X X X - -",
            "6 - - - . - . - -",
            "7 - - - - - - - -",
            "8 - - - - - - - -",
            "Discs 4-1 (Black-White), White to move: f4 d6 f6",
            "",
        ]
    )


def test_show_names_games_and_plies(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.pgn", GOOD, random_record(2), random_record(3, plies=8))
    start = run("show", f"{path}#2@0")
    assert "Game 2: " in start.stdout
    assert "Ply 0 of " in start.stdout
    first = run("show", path, "--ply", "3").ends(0)
    assert first.stderr == f"reversi: {path} has several games; this is the first, the next is {path}#2\n"
    objects = [
        json.loads(line) for line in run("show", f"{path}#3", "--range", "2-", "--json").stdout.splitlines()
    ]
    assert [(one["game"], one["ply"], one["plies"]) for one in objects] == [(3, ply, 8) for ply in range(2, 9)]
    assert objects[0]["move"] == str(random_record(3).moves[1])
    assert (objects[0]["tags"]["Black"], objects[0]["result"], objects[0]["file"]) == ("Ada", "*", str(path))
    steps = run("show", f"{path}#3", "--step")
    assert steps.stdout.count("\nPly ") == 9


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["{path}#4"], 65, "game 4 does not exist: the input has 3 games"),
        (["{path}#3@9"], 65, "ply 9 does not exist: the game has 8 plies"),
        (["{path}", "--range", "5-3"], 2, "give two plies as in 10-20"),
        (["{path}", "--range", "x"], 2, "give two plies as in 10-20"),
        (["{path}@3", "--ply", "4"], 2, "give only one of"),
        (["{path}#0"], 2, "games count from 1"),
        (["{path}.none"], 66, "no such file"),
        (["{path}", "--rules", "chess"], 2, "unknown word 'chess'"),
    ],
)
def test_show_what_is_not_there(tmp_path: Path, arguments: list[str], status: int, message: str) -> None:
    path = saved(tmp_path / "a.pgn", GOOD, random_record(2), random_record(3, plies=8))
    run("show", *(argument.format(path=path) for argument in arguments)).ends(status, out="", says=message)


def test_show_a_wrong_game_as_far_as_it_is_right(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.pgn", illegal(2, 7))
    done = run("show", path).ends(1, prints="Ply 6 of ")
    assert done.stderr.endswith("[duplicate-square]\n")
    assert run("show", path, "--ply", "5").returncode == 1
    assert run("show", path, "--ply", "7").returncode == 65


def test_show_standard_input_and_pasted_moves() -> None:
    assert "Ply 3 of 3: Black c3" in run("show", "-", data="f5d6c3").stdout
    assert "Ply 3 of 3: Black c3" in run("show", "f5d6c3").stdout
    assert "Ply 2 of 3: White d6" in run("show", "--", "-@2", data="1. f5 d6 2. c3 *").stdout


def test_help_has_examples() -> None:
    for command in ("show", "validate", "convert"):
        run(command, "--help").ends(0, prints="Example")
    assert run().returncode in (0, 2)


# --- every form


def test_forms_are_told_by_content_or_forced(tmp_path: Path) -> None:
    files = {
        "a": format_ggf(GOOD) + "\n",
        "b": format_sgf(GOOD),
        "c": format_eothello(GOOD) + "\n",
        "d": format_record_moves(GOOD) + "\n",
        "e": format_record(GOOD),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = run("validate", *(tmp_path / name for name in files)).ends(0, err="")
    assert done.stdout == "5 games in 5 files: 5 valid, 0 of them ended early, 0 unfinished; 0 findings\n"
    assert run("validate", "--from", "sgf", tmp_path / "b").returncode == 0
    run("validate", "--from", "sgf", tmp_path / "d").ends(65, says="a game in SGF begins with '(;'")
    assert "Ada (Black)" in run("show", tmp_path / "b", "--from", "sgf").stdout
    assert run("show", tmp_path / "b", "--from", "what").returncode == 2


def test_converting_there_and_back_through_every_form(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.pgn", GOOD)
    for suffix in (".sgf", ".ggf", ".csv", ".txt", ".wtb"):
        target, back = tmp_path / f"out{suffix}", tmp_path / f"back{suffix}.pgn"
        assert run("convert", source, target).returncode == 0
        assert run("convert", target, back).returncode == 0
        (entry,) = read_records(back.read_text(encoding="utf-8"))
        assert entry.record.moves == GOOD.moves
        if suffix in (".sgf", ".csv"):
            assert back.read_bytes() == Path(source).read_bytes()
    assert (tmp_path / "out.JOU").is_file()


def test_wthor_on_standard_output_has_no_place_for_names(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.pgn", random_record(3))
    command = [sys.executable, "-m", "reversi", "record", "convert", str(source), "-", "--to", "wthor"]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False, env=ENVIRONMENT)
    assert (done.returncode, len(done.stdout)) == (0, 16 + 68)
    assert b"names (.JOU), which need a file beside the output" in done.stderr


def test_results_kept_as_recorded_are_told(tmp_path: Path) -> None:
    cut = Record(Tags({"Termination": "resignation"}), line=Line(GOOD.line.nodes[:20]), result="40-24")
    done = run("convert", saved(tmp_path / "in.pgn", cut), tmp_path / "out.ggf")
    assert done.stderr.splitlines() == [
        f"reversi: {tmp_path / 'out.ggf'}: 1 game not ended on the board, with the result as recorded",
        f"reversi: {tmp_path / 'out.ggf'}: 1 game written",
    ]
    assert "RE[+16.000:r]" in (tmp_path / "out.ggf").read_text()


def test_games_that_a_form_cannot_have_are_left_out(tmp_path: Path) -> None:
    other = Record(start=Position(parse_rules("adjacent")), line=Line([Node(Square("c3"))]))
    source = saved(tmp_path / "in.pgn", other)
    done = run("convert", source, tmp_path / "out.ggf").ends(1)
    assert done.stderr.splitlines() == [
        f"{source}:game 1: rules adjacent: games in GGF are played by those of othello; left out",
        "reversi: 1 game reported: 0 kept, 1 left out; --report FILE lists them",
        f"reversi: {tmp_path / 'out.ggf'}: the file is not written, because it would contain no games",
    ]
    assert not (tmp_path / "out.ggf").exists()


def test_the_confidence_of_values_is_shown_as_scores_have_it() -> None:
    text = "1. f5 {[%eval +4 heuristic]} d6 {[%eval -3 selective 95%]} 2. c3 {[%eval +2 exact]} *\n"
    shown = map(json.loads, run("show", "-", "--json", "--range", "1-", data=text).stdout.splitlines())
    assert [one["eval"]["confidence"] for one in shown] == [None, 95, 100]


def test_times_of_turns_are_shown() -> None:
    text = format_ggf(Record(line=Line([Node(Square("f5"), elapsed=1.5)])))
    assert "Ply 1 of 1: Black f5, took 0:00:01.5" in run("show", "-", data=text).stdout
    assert json.loads(run("show", "-", "--json", data=text).stdout)["elapsed"] == 1.5


def test_glyphs_flips_and_variations_are_shown() -> None:
    text = "1. f5 $2 $99 (1. d3 c3) 1... d6 {[%flips e5]} 2. -- $1 *\n"
    said = run("show", "-", "--range", "1-", data=text).stdout
    assert "Ply 1 of 3: Black f5 ? $99, 1 variation\n" in said
    assert "Ply 2 of 3: White d6, flipped by hand: e5\n" in said
    shown = list(map(json.loads, run("show", "-", "--json", "--range", "0-2", data=text).stdout.splitlines()))
    assert [one["glyphs"] for one in shown] == [[], [2, 99], []]
    assert [one["flips"] for one in shown] == [None, None, ["e5"]]
    assert [one["variations"] for one in shown] == [0, 1, 0]


def test_a_source_that_breaks_off_is_not_the_targets_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = new_file(tmp_path / "games.wtb", pack_wthor([random_record(seed) for seed in range(3)]).games)

    def broken(self: GameSource, **_: object) -> Iterator[Entry]:
        yield Entry(1, 1, random_record(1))
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(GameSource, "entries", broken)
    done = run("convert", games, tmp_path / "out.pgn").ends(66)
    assert done.stderr.splitlines() == [
        f"reversi: {games}: cannot read: Input/output error",
        f"reversi: {tmp_path / 'out.pgn'}: 1 game written",
    ]


def test_the_turn_after_a_pass_says_so(tmp_path: Path) -> None:
    path = new_file(tmp_path / "a.pgn", '[Event "?"]\n[Rules "othello,optional-skip"]\n\n1. f5 -- 2. c3 *\n')
    done = run_command("record", "show", path, "--ply", "2")
    assert done.stdout.splitlines()[-1].startswith("Discs 4-1 (Black-White), Black to move, after a pass: ")
