"""``reversi diagram``: any input to any form of picture, with honest exit statuses."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from command_line import run_command
from files import new_file
from reversi import Game, Position, parse_rules
from reversi.render import latex, markdown, plain_text, svg

GAME = '[Black "<Ada>"]\n[White "Bob & Co"]\n\n1. f5 d6 2. c3 d3 3. c4 *\n'
ENDGAME = "OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX X"


def played(moves: str, rules: str = "othello") -> Game:
    game = Game(parse_rules(rules))
    game.play_all(moves[at : at + 2] for at in range(0, len(moves), 2))
    return game


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return new_file(tmp_path / "games.pgn", f"{GAME}\n{GAME.replace('3. c4', '3. e3').replace('Ada', 'Eve')}")


def test_svg_is_written_to_standard_output() -> None:
    run_command("diagram", "f5d6c3").ends(0, out=svg(played("f5d6c3")), err="")


@pytest.mark.parametrize(
    ("suffix", "expected"),
    [(".svg", svg), (".txt", plain_text), (".tex", latex), (".md", markdown), (".SVG", svg)],
)
def test_the_name_decides_the_form(suffix: str, expected: object, tmp_path: Path) -> None:
    output = tmp_path / f"out{suffix}"
    done = run_command("diagram", "f5d6c3", "-o", output, "--legal", "--flips", "--caption", "Żółw")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert callable(expected)
    assert output.read_text(encoding="utf-8") == expected(
        played("f5d6c3"), legal_moves=True, flips=True, caption="Żółw"
    )


@pytest.mark.parametrize(("suffix", "begin"), [("png", b"\x89PNG"), ("gif", b"GIF89a"), ("apng", b"\x89PNG")])
def test_pictures_of_pixels(suffix: str, begin: bytes, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="pictures as PNG need resvg-py")
    pytest.importorskip("PIL", reason="animations need Pillow")
    output = tmp_path / f"out.{suffix}"
    options = ["--size", "80", *(() if suffix == "png" else ("--delay", "100"))]
    assert run_command("diagram", "f5d6c3", "-o", output, *options).returncode == 0
    assert output.read_bytes().startswith(begin)
    printed = tmp_path / "printed"
    assert (
        run_command("diagram", "f5d6c3", "--format", suffix, *options, redirection=f">{printed}").returncode == 0
    )
    assert printed.read_bytes() == output.read_bytes()


def test_the_extra_is_named_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    output = tmp_path / "x.png"
    done = run_command("diagram", "f5", "-o", output)
    assert (done.returncode, output.exists()) == (2, False)
    assert done.stderr.endswith('need resvg and Pillow: pip install "reversi-engine[plot]"\n')


def test_a_game_of_a_file(games: Path) -> None:
    done = run_command("diagram", f"{games}#2@3", "--numbers").ends(0)
    root = ET.fromstring(done.stdout)
    assert root[0].text == "Game <Eve> – Bob & Co, after ply 3, Black c3, White to move, discs 5-2"
    assert "Moves: f5d6c3." in (root[1].text or "")
    assert ET.fromstring(run_command("diagram", f"{games}#1@0").stdout)[0].text == (
        "Game <Ada> – Bob & Co, at the start, Black to move, discs 2-2"
    )
    assert run_command("diagram", "-", data=GAME).stdout == run_command("diagram", f"{games}#1").stdout


def test_a_picture_is_of_one_game(games: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.svg"
    done = run_command("diagram", games, "-o", output)
    assert (done.returncode, output.exists()) == (2, False)
    assert done.stderr == (
        f"reversi: {games} has more than one position or game (line 6); a picture shows one: give {games}#2, say\n"
    )
    done = run_command("diagram", "-", data="f5\nf5d6\n").ends(2, out="")
    assert "standard input has more than one position or game (line 2)" in done.stderr


def test_text_is_of_all_games(games: Path) -> None:
    done = run_command("diagram", games, "--to", "txt").ends(0, err="")
    one, two = (plain_text(played(moves)) for moves in ("f5d6c3d3c4", "f5d6c3d3e3"))
    assert done.stdout == f"{one}\n{two}"


def test_a_bad_game_is_reported_and_the_others_are_drawn(tmp_path: Path) -> None:
    path = new_file(tmp_path / "games.pgn", f"{GAME.replace('d6', 'a1')}\n{GAME}")
    done = run_command("diagram", path, "--to", "txt").ends(65, out=plain_text(played("f5d6c3d3c4")))
    assert done.stderr.count("\n") == 1
    assert f"{path}:1: ply 2 (White): a1 is not allowed" in done.stderr
    assert run_command("diagram", f"{path}#1@1", "--to", "txt").stdout == plain_text(played("f5"))


def test_boards_suites_and_rules(tmp_path: Path) -> None:
    suite = new_file(tmp_path / "suite.obf", f"{ENDGAME}; f3:+0 % the third\n")
    done = run_command("diagram", suite, "--to", "txt")
    assert done.stdout.startswith("% the third\n  a b c d e f g h\n1 O O O O O O O -\n")
    board = "-" * 5 + "OX--XO" + "-" * 5 + " X"
    done = run_command("diagram", board, "--rules", "othello,board=4x4")
    assert done.stdout == svg(Position(parse_rules("othello,board=4x4")))
    assert run_command("diagram", "1. f5 d6 2. c3", "--to", "txt").stdout == plain_text(played("f5d6c3"))


def test_inputs_without_a_position_and_long_comments(tmp_path: Path) -> None:
    output = tmp_path / "x.svg"
    done = run_command("diagram", "-", "-o", output, data="% nothing\n")
    assert (done.returncode, output.exists()) == (65, False)
    assert done.stderr == "reversi: standard input contains no positions\n"
    done = run_command("diagram", "-", "--to", "txt", data=f"{ENDGAME}; % {'x' * 5000}\n").ends(0)
    assert len(done.stdout.splitlines()[0]) == 202
    done = run_command("diagram", "-", data="f5d6 % a first\n")
    assert ">a first</text>" in done.stdout
    assert "Last move: d6" in done.stdout


def test_scores_on_squares() -> None:
    done = run_command("diagram", ENDGAME, "--solve")
    root = ET.fromstring(done.stdout)
    assert "Losses: f3 0, a4 0, c8 6, e8 0." in (root[1].text or "")
    assert (root[1].text or "").endswith("Values: f3 +0, a4 +0, c8 -6, e8 +0.")
    done = run_command("diagram", "f5d6", "--hint", "--level", "2", "--value", "a1=x", "--loss", "a1=3")
    words = ET.fromstring(done.stdout)[1].text or ""
    assert "Losses: a1 3" in words
    assert words.count("~") == len(played("f5d6").position.legal_moves)
    over = "X" * 64 + " X"
    assert run_command("diagram", over, "--solve").returncode == 0


def test_marks_are_drawn() -> None:
    done = run_command(
        *("diagram", "f5d6c3", "--theme", "print", "--no-coordinates", "--no-last-move", "--value", "d3=+4"),
        *("--arrow", "d3-f5", "--arrow", "a1-a8", "--highlight", "a1", "--loss", "d3=2.5", "--size", "200"),
        *("--black-color", "red", "--white-color", "#0f0", "--title", "A <title>"),
    )
    assert done.stdout == svg(
        played("f5d6c3"),
        theme="print",
        coordinates=False,
        last_move=False,
        values={"d3": "+4"},
        arrows=["d3-f5", "a1-a8"],
        highlights=["a1"],
        losses={"d3": 2.5},
        size=200,
        black="red",
        white="#0f0",
        title="A <title>",
    )
    assert run_command("diagram", "f5d6c3", "--numbers-from", "2").stdout == svg(
        played("f5d6c3"), numbers=True, numbers_from=2
    )


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["f5", "--theme", "pink"], 2, "theme: 'pink' does not exist; give one of green, wood,"),
        (["f5", "-o", "x.doc"], 2, "x.doc: give --to, or a name that ends in .svg, .png, .gif, .apng, .txt"),
        (["f5", "-o", "x"], 2, "x: give --to"),
        (["f5", "--value", "a1"], 2, "--value 'a1': give a square and what it shows, as d3=4"),
        (["f5", "--loss", "a1=x"], 2, "--loss: 'x' is not a number of discs"),
        (["f5", "--loss", "a1=-4"], 2, "losses: -4.0 is not a number of discs, at least 0"),
        (["f5", "--highlight", "z1"], 2, "highlights: 'z1' is not a square; give one from a1 to h8"),
        (["f5", "--arrow", "a1"], 2, "arrows: 'a1' is not an arrow"),
        (["f5", "--size", "9"], 2, "size must be a whole number of pixels, from 40 to 4096, not 9"),
        (["f5", "--delay", "100"], 2, "--delay is for animations; write to a .gif or .apng file"),
        (
            ["c2", "--rules", "othello,board=6x6", "--highlight", "h8"],
            2,
            "highlights: h8 is outside the 6x6 board",
        ),
        (["f5a1"], 65, "ply 2 (White): a1 is not allowed"),
        (["nofile.pgn"], 66, "nofile.pgn: no such file"),
        (["f5", "-o", "no/such/folder/x.svg"], 73, "no/such/folder/x.svg: cannot write"),
    ],
)
def test_wrong_usage(arguments: list[str], status: int, message: str) -> None:
    done = run_command("diagram", *arguments).ends(status, out="")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


def test_there_is_no_such_ply(games: Path) -> None:
    run_command("diagram", f"{games}#1@9").ends(65, err=f"{games}:1: ply 9 does not exist: the game has 5 plies\n")
    done = run_command("diagram", f"{games}#9")
    assert (done.returncode, done.stderr) == (
        65,
        f"reversi: {games}: game 9 does not exist: the input has 2 games\n",
    )


def test_an_existing_file_needs_force(tmp_path: Path) -> None:
    output = new_file(tmp_path / "x.svg", "mine")
    done = run_command("diagram", "f5", "-o", output)
    assert (done.returncode, output.read_text()) == (73, "mine")
    assert run_command("diagram", "f5", "-o", output, "--force").returncode == 0
    assert output.read_text().startswith("<svg")


def test_examples_come_first_in_the_help() -> None:
    done = run_command("diagram", "--help").ends(0)
    assert 0 < done.stdout.index("Examples:\n  reversi diagram") < done.stdout.index("--output")
