"""``reversi position``, run as a user runs it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from children import Child
from command_line import Done, run_command
from files import new_file

START = "---------------------------OX------XO---------------------------"
MUST_PASS = "XXXXXXXX" * 7 + "XXXXXXO-"


def run(*arguments: str | bytes | Path, data: bytes | str = b"") -> Done:
    return run_command("position", *arguments, data=data)


def test_show_draws_the_board_with_the_legal_moves() -> None:
    done = run("show", "F5d6c3").ends(0, err="")
    assert done.stdout == "\n".join(
        [
            "  a b c d e f g h",
            "1 - - - - - - - -",
            "2 - - - - - - - -",
            "3 - - X . - . - -",
            "4 - - - X X . - -",
            "5 - - - O X X . -",
            "6 - - - O - - - -",
            "7 - - - - - - - -",
            "8 - - - - - - - -",
            "White (O) to move: d3 f3 f4 g5",
            "Discs 5-2 (Black-White), 57 empty",
            "",
        ]
    )


def test_show_under_other_rules() -> None:
    done = run("show", "-----OX--XO----- O --", "--rules", "adjacent,optional-skip,board=4x4")
    assert done.stdout.splitlines()[-3:] == [
        "White (O) to move, after a pass: a1 b1 c1 d1 a2 d2 a3 d3 a4 b4 c4 d4",
        "Discs 2-2 (Black-White), 12 empty",
        "Rules adjacent,optional-skip,board=4x4",
    ]


@pytest.mark.parametrize("text", [f"{START} X", "f5d6c3", f"{MUST_PASS} O", "X" * 63 + "- O"])
def test_what_is_shown_is_read_again(text: str) -> None:
    drawn, data = run("show", text).stdout, run("show", text, "--json").stdout
    assert run("show", "-", data=data).stdout == drawn
    if "Game over" not in drawn:
        assert run("show", "-", data=drawn).stdout == drawn


def test_the_numbers_of_a_diagram_are_read_as_its_moves() -> None:
    picture = run_command("diagram", "f5d6c3", "--numbers", "--to", "txt").stdout
    assert run("show", "-", data=picture).stdout == run("show", "f5d6c3").stdout


def test_show_a_forced_pass_and_the_end() -> None:
    assert "White (O) to move: must pass" in run("show", f"{MUST_PASS} O").stdout
    done = run("show", "X" * 63 + "- O")
    assert done.stdout.splitlines()[-1] == "Game over: Black wins 63-0 (by 64), 1 empty"


@pytest.mark.skipif(os.name == "nt", reason="opening a folder is refused otherwise there")
@pytest.mark.parametrize("command", ["solve", "record show", "proof check", "train play", "book show"])
def test_a_folder_is_no_file(command: str, tmp_path: Path) -> None:
    done = run_command(*command.split(), tmp_path).ends(66, out="")
    assert done.stderr == f"reversi: {tmp_path}: cannot read: this is a folder; name a file\n"


def test_an_end_by_two_passes_is_named_wherever_a_position_is_shown(tmp_path: Path) -> None:
    skipped = new_file(tmp_path / "skipped.pgn", '[Rules "othello,optional-skip"]\n\n1. -- -- 2-2\n')
    for command in (("position", "show"), ("record", "show"), ("hint",)):
        done = run_command(*command, skipped).ends(0)
        assert "game over, after two passes: draw 2-2" in done.stdout.lower()


def test_json_of_a_position() -> None:
    done = run("show", f"{START} X", "--json")
    assert json.loads(done.stdout) == {
        "index": 1,
        "line": 1,
        "board": START,
        "to_move": "X",
        "after_pass": False,
        "rules": "othello",
        "empties": 60,
        "legal_moves": ["d3", "c4", "f5", "e6"],
        "over": False,
        "discs": "2-2",
        "black": 2,
        "white": 2,
    }


def test_json_of_a_pass_and_of_the_end() -> None:
    found = [
        json.loads(line)
        for line in run("show", "-", "--json", data=f"{MUST_PASS} O\n{'X' * 63}- O").stdout.split("\n")[:2]
    ]
    assert (found[0]["legal_moves"], found[0]["over"]) == (["--"], False)
    assert "score" not in found[0]
    assert (found[1]["legal_moves"], found[1]["over"], found[1]["score"], found[1]["discs"]) == (
        [],
        True,
        -64,
        "63-0",
    )


def test_a_file_of_many_with_bad_lines(tmp_path: Path) -> None:
    file = tmp_path / "boards.txt"
    file.write_bytes(
        f"\ufeff% list\r\n{START} X; F5:+0; % caf\u00e9\r\nrubbish\r\n{START[2:]} X\r\nf5d6\r\n".encode()
    )
    done = run("show", str(file), "--json").ends(65)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(entry["index"], entry["line"]) for entry in found] == [(1, 2), (4, 5)]
    assert found[0]["annotated"] == [{"move": "f5", "score": 0}]
    assert found[0]["comment"] == "caf\u00e9"
    assert done.stderr.splitlines() == [
        f"{file}:3: 'rubbish' is neither a board, nor a line of OBF, nor a transcript",
        f"{file}:4: 62 cells where the 8x8 board has 64",
    ]


def test_show_numbers_several_positions() -> None:
    done = run("show", "-", data=f"f5d6\n\n{START} X; F5:+0; D3:-2; % easy\n").ends(0)
    lines = done.stdout.splitlines()
    assert lines[0] == "Position 1 (line 1)"
    assert lines[12:15] == ["", "Position 2 (line 3)", "easy"]
    assert lines[-1] == "Scores as given: f5 +0, d3 -2"


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("board", [f"{START} X"]),
        ("obf", [f"{START} X; F5:+0; PS:-2; % note"]),
        ("diagram", ["% note", "  a b c d e f g h", "1 - - - - - - - -"]),
    ],
)
def test_convert(form: str, expected: list[str]) -> None:
    done = run("convert", f"{START} X; f5:0; ps:-2; % note", "--to", form).ends(0)
    assert done.stdout.splitlines()[: len(expected)] == expected


def test_convert_to_json_is_what_show_writes() -> None:
    assert run("convert", "f5", "--to", "json").stdout == run("show", "f5", "--json").stdout


def test_what_is_written_can_be_read_back() -> None:
    rules = ("--rules", "othello,optional-skip,board=6x6")
    first = run("convert", "-", "--to", "board", *rules, data="--\n-- d2\nc2 --\n-- --\n").stdout
    assert [line.split(" ", 1)[1] for line in first.splitlines()] == ["O --", "X", "X --", "X ended"]
    diagrams = run("convert", "-", "--to", "diagram", *rules, data=first).stdout
    obf = run("convert", "-", "--to", "obf", *rules, data=diagrams).stdout
    assert run("convert", "-", "--to", "board", *rules, data=obf).stdout == first


def test_a_file_of_that_name_wins_over_a_pasted_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "f5d6").write_text("f5d6c3\n")
    monkeypatch.chdir(tmp_path)
    done = run("convert", "f5d6", "--to", "board")
    assert done.stdout.count("X") + done.stdout.count("O") - 1 == 7  # discs after three moves, and the side


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ((START,), 65, "--to-move"),
        ((f"{START[1:]} X",), 65, "63 cells where the 8x8 board has 64"),
        (("-----OX--XO----- X",), 65, "--rules othello,board=4x4"),
        (("f5f5",), 65, "ply 2 (White): f5 is not allowed"),
        (("",), 65, "the text is empty"),
        (("-",), 65, "standard input: empty, nothing in it"),
        ((f"{START} X", "--to-move", "white"), 65, "the text says that Black is to move"),
        (("*",), 66, "*: no such file, and neither a board"),
        (("no-such-file.obf",), 66, "no-such-file.obf: no such file"),
        ((".",), 66, "."),
        ((f"{START} X", "--rules", "othelo"), 2, "did you mean 'othello'?"),
        ((f"{START} X", "--to-move", "red"), 2, "--to-move 'red': give black or white"),
        ((f"{START} X", "--jason"), 2, "--json"),
        ((), 2, "INPUT"),
    ],
)
def test_errors_are_one_line_with_the_right_status(arguments: tuple[str, ...], status: int, message: str) -> None:
    done = run("show", *arguments).ends(status, out="", says=message)
    if status != 2:
        assert len(done.stderr.splitlines()) == 1


def test_a_form_that_does_not_exist() -> None:
    run("convert", "f5", "--to", "svg").ends(2, says="diagram")


def test_binary_data(tmp_path: Path) -> None:
    file = new_file(tmp_path / "picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    run("show", str(file)).ends(65, err=f"reversi: {file}: a PNG picture, not records\n")


def test_a_huge_line_is_refused_with_one_line(tmp_path: Path) -> None:
    file = new_file(tmp_path / "huge", b"abc" * 5_000_000)
    done = run("show", str(file))
    assert (done.returncode, len(done.stderr.splitlines())) == (65, 1)
    assert len(done.stderr) < 300 + len(str(file))


def test_control_characters_of_a_file_do_not_reach_the_terminal() -> None:
    done = run("show", "-", data=f"{START} X; F5:+0; % \x1b[31mred\n\x1b[2Jrubbish\n").ends(65)
    assert "\x1b" not in done.stdout + done.stderr
    assert "\\x1b[31mred" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are Unicode there")
def test_an_argument_that_is_not_utf8() -> None:
    done = run("convert", START.encode() + b" X % caf\xe9", "--to", "obf")
    assert done.returncode in {0, 65}
    run("convert", START.encode() + b" X; % caf\xe9", "--to", "obf").ends(0, out=f"{START} X % caf\u00e9\n")


def test_help_shows_examples() -> None:
    for name in ("show", "convert"):
        run(name, "--help").ends(0, prints=f"reversi position {name} f5d6c3")


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")
@pytest.mark.parametrize(
    ("typed", "status", "side"), [("what?\nw\n", 0, "O"), ("\x04", 65, None), ("\x03", 130, None)]
)
def test_a_person_at_a_terminal_is_asked_for_the_side(typed: str, status: int, side: str | None) -> None:
    import pty

    leader, follower = pty.openpty()
    with Child(
        [sys.executable, "-m", "reversi", "position", "convert", START, "--to", "board"],
        stdin=follower,
        stderr=follower,
        stdout=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=_make_controlling_terminal,
    ) as process:
        os.close(follower)
        asked = b""
        while b"?" not in asked:
            asked += os.read(leader, 1000)
        os.write(leader, typed.encode())
        out, _ = process.communicate(timeout=60)
        os.close(leader)
    assert b"Side to move" in asked
    assert process.returncode == status
    assert out.decode() == (f"{START} {side}\n" if side else "")


def _make_controlling_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_a_file_without_a_position_is_reported_once(tmp_path: Path) -> None:
    path = new_file(tmp_path / "a.txt", "f5f5\n" * 5000)
    done = run("show", path).ends(65, out="")
    assert done.stderr.startswith(f"reversi: {path}:1: ply 2 (White): ")
    assert done.stderr.endswith("; none of the 1000 entries up to line 1000 is a position\n")
    assert done.stderr.count("\n") == 1
    path.write_text("f5f5\n" * 999 + "f5\n" + "f5f5\n" * 999)
    done = run("show", path, "--json").ends(65)
    assert (done.stdout.count("\n"), done.stderr.count("\n")) == (1, 2 * 999)
