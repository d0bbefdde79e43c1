"""``reversi play`` and ``reversi hint`` as a user or a script meets them: processes, pipes, files, signals."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from children import Child
from command_line import Done, Started, run_command, run_process
from random_games import random_game
from reversi import PASS, Color, Move, parse_rules
from reversi.game.game import Game
from reversi.records.formats.pgn.reader import parse_record
from reversi.records.from_game import game_from_record
from reversi.records.record import format_record
from reversi.text import format_board

HUMANS = ("--black", "human", "--white", "human")
ENGINES = ("--black", "engine", "--white", "engine", "--level", "1")


def play(*arguments: str, lines: Iterable[object] = ()) -> Done:
    return run_command("play", *arguments, data="".join(f"{line}\n" for line in lines))


def saved(path: Path) -> Game:
    text = path.read_text(encoding="utf-8")
    record = parse_record(text)
    assert format_record(record) == text
    return game_from_record(record)


def plies(output: str) -> list[str]:
    """The moves that were shown, in order."""
    return [match[1] for match in re.finditer(r"^\d+\. (?:Black|White) ([a-h][1-8])", output, re.MULTILINE)]


def test_an_opening() -> None:
    done = play(*HUMANS, lines=["f5", "D6"]).ends(0, err="")
    assert done.stdout == (
        "Black: human. White: human. Rules: othello.\n"
        "  a b c d e f g h\n"
        "1 - - - - - - - -\n"
        "2 - - - - - - - -\n"
        "3 - - - . - - - -\n"
        "4 - - . O X - - -\n"
        "5 - - - X O . - -\n"
        "6 - - - - . - - -\n"
        "7 - - - - - - - -\n"
        "8 - - - - - - - -\n"
        "Black to move. Discs: Black 2, White 2.\n"
        "1. Black f5, flips e5; White to move.\n"
        "  a b c d e f g h\n"
        "1 - - - - - - - -\n"
        "2 - - - - - - - -\n"
        "3 - - - - - - - -\n"
        "4 - - - O X . - -\n"
        "5 - - - X X X - -\n"
        "6 - - - . - . - -\n"
        "7 - - - - - - - -\n"
        "8 - - - - - - - -\n"
        "White to move. Discs: Black 4, White 1.\n"
        "2. White d6, flips d5; Black to move.\n"
        "  a b c d e f g h\n"
        "1 - - - - - - - -\n"
        "2 - - - - - - - -\n"
        "3 - - . - - - - -\n"
        "4 - - . O X - - -\n"
        "5 - - . O X X - -\n"
        "6 - - . O - - - -\n"
        "7 - - . - - - - -\n"
        "8 - - - - - - - -\n"
        "Black to move. Discs: Black 3, White 3.\n"
        "Unfinished: discs 3-3, Black to move.\n"
    )


def test_disc_count_and_score_apart() -> None:
    done = play(*HUMANS, lines=["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5", "a1"]).ends(0)
    assert done.stdout.endswith("Result: Black wins 13-0 (by 64)\nthe game is over: Black wins 13-0 (by 64).\n")


def test_lines_after_the_end_are_obeyed() -> None:
    done = play(*HUMANS, "-q", lines=["f5", "resign", "record", "undo", "undo", "d3", "quit", "moves"]).ends(0)
    shown = done.stdout.splitlines()
    assert shown[1:4] == ["White resigns.", "Result: Black wins by resignation (1-0)", "Discs: 4-1"]
    assert shown[-5:] == [
        "1. f5 1-0",
        "The game continues.",
        "Took back f5.",
        "1. Black d3, flips d4; White to move.",
        "Unfinished: discs 4-1, White to move.",
    ]


def test_a_whole_game_beside_any_disc_validates(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    done = play(*ENGINES, "--rules", "adjacent,optional-skip", "--seed", "3", "--save", str(file)).ends(0)
    game = saved(file)
    assert game.is_over
    assert game.position.empties == 0
    assert done.stdout.endswith(f"Result: {game.result}\n")
    run_command("record", "validate", str(file)).ends(0)


def test_hint_moves_board_help() -> None:
    options = (*HUMANS, "--level", "2", "--no-book")
    done = play(*options, lines=["hint", "hint 1", "moves", "board", "help", "hint 0", "hint x"]).ends(0)
    hints = re.findall(
        r"^[a-h][1-8] +[+-]\d+ heuristic, (?:even|\w+ ahead)  [a-h]\d .*$", done.stdout, re.MULTILINE
    )
    assert len(hints) == 4
    assert "\nd3 c4 f5 e6\n" in done.stdout
    assert done.stdout.count("1 - - - - - - - -\n") == 2
    assert "undo [N]" in done.stdout
    assert done.stdout.count("is not a whole number from 1 to 9999.") == 2


def test_wrong_input_gets_one_line_and_the_game_continues() -> None:
    wrong = ["i9", "a1", "d4", "udno", "hint 1 2", "save", "resign now", "\x1b[2J", "ü", "x" * 100_000, "", "  "]
    done = play(*HUMANS, lines=[*wrong, "f5"]).ends(0)
    assert plies(done.stdout) == ["f5"]
    answers = done.stdout.split("White 2.\n")[1].split("1. Black f5, flips e5; White to move.")[0].splitlines()
    assert len(answers) == 10
    assert answers[0] == "'i9' is neither a move nor a command; type a square as in f5, p to pass, or help"
    assert answers[1] == "a1: flips nothing; legal: d3 c4 f5 e6."
    assert answers[2] == "d4: the square is occupied; legal: d3 c4 f5 e6."
    assert "did you mean 'undo'?" in answers[3]
    assert "\x1b" not in done.stdout
    assert max(map(len, answers)) < 200


@pytest.mark.thorough
def test_bytes_that_are_no_text() -> None:
    done = run_process("play", *HUMANS, data=b"\xff\xfe\x00\x80\n\xef\xbb\xbff5\nf5\nquit").ends(0)
    assert plies(done.stdout) == ["f5"]


def test_end_of_input_saves(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    run_command("play", *HUMANS, "--save", str(file), data="f5\nd6").ends(0, prints="Unfinished: discs 3-3")
    assert [str(move) for move in saved(file).moves] == ["f5", "d6"]
    assert not saved(file).is_over
    assert [path.name for path in tmp_path.iterdir()] == ["game.pgn"]


def test_quit_leaves_what_follows_unread(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    assert play(*HUMANS, "--save", str(file), lines=["f5", "quit", "d6"]).returncode == 0
    assert len(saved(file)) == 1


def test_names_that_no_file_can_have(tmp_path: Path) -> None:
    done = play(*HUMANS, lines=[f"save {tmp_path}/a\0b", f"save {tmp_path}/{'x' * 500}", f"save {tmp_path}", "f5"])
    assert done.returncode == 0
    assert done.stdout.count("cannot write: ") == 3
    assert plies(done.stdout) == ["f5"]


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="other systems change the names of files")
def test_a_terminal_that_has_no_such_letters(tmp_path: Path) -> None:
    lines = f"f5\nsave {tmp_path / 'größe.pgn'}\n"
    run_process("play", *HUMANS, data=lines, environment={"PYTHONIOENCODING": "ascii"}).ends(0, prints="Saved ")
    assert [path.name for path in tmp_path.iterdir()] == ["größe.pgn"]


def test_a_file_that_cannot_be_written_is_known_before_the_game(tmp_path: Path) -> None:
    done = play(*HUMANS, "--save", str(tmp_path / "no" / "where.pgn"), lines=["f5"]).ends(73)
    assert len(done.stderr.splitlines()) == 1
    assert "cannot write" in done.stderr
    assert plies(done.stdout) == []


@pytest.mark.parametrize(
    ("option", "value", "status"),
    [
        ("--rules", "chess", 2),
        ("--level", "0", 2),
        ("--black", "robot", 2),
        ("--clock", "soon", 2),
        ("--to-move", "green", 2),
        ("--start", "XOXO", 66),
        ("--start", "-" * 63 + " X", 65),
    ],
)
def test_wrong_options(option: str, value: str, status: int) -> None:
    done = play(*HUMANS, option, value, lines=["f5"]).ends(status)
    assert done.stderr.strip()
    assert plies(done.stdout) == []


def test_starting_from_a_position() -> None:
    done = play(*HUMANS, "--start", "f5d6c3", lines=["d3"])
    assert plies(done.stdout) == ["d3"]
    assert "White to move. Discs: Black 5, White 2.\n" in done.stdout
    done = play(*HUMANS, "--to-move", "white", lines=["e3"])
    assert plies(done.stdout) == ["e3"]


def test_hand_overs_are_shown(tmp_path: Path) -> None:
    """White skips whenever it may, so that Black runs out of discs and is handed White's."""
    rules = "adjacent,optional-skip,board=4x4"
    game = Game(parse_rules(rules))
    while not game.is_over:
        moves = game.position.legal_moves
        game.play(PASS if game.to_move is Color.WHITE and moves.can_pass else moves[0])
    file = tmp_path / "game.pgn"
    done = play(*HUMANS, "--rules", rules, "--save", str(file), lines=game.moves)
    handed = game.supply.handed_to_black
    assert handed > 0
    assert done.stdout.count("Black has no disc left: White hands one over.\n") == handed
    assert "Handed over: 1 to Black." in done.stdout
    lines = [line for line in done.stdout.splitlines() if "Discs: " in line]
    assert ["Supply: " in line for line in lines[:3]] == [False, False, True]  # from the first pass on
    assert saved(file).supply == game.supply


def test_output_with_a_seed_is_stable() -> None:
    arguments = (*ENGINES, "--rules", "othello,board=6x6", "--seed", "5")
    first, second = play(*arguments).stdout, run_process("play", *arguments).stdout
    assert first == second
    assert "\x1b" not in first
    assert "> " not in first
    assert first.splitlines()[-1].startswith("Result: ")


def test_clock(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    done = play(*HUMANS, "--clock", "90:00+10", "--save", str(file), lines=["f5", "d6", "c3", "d3", "undo"])
    assert done.returncode == 0
    assert "Clock: Black 1:30:00, White 1:30:00." in done.stdout
    assert saved(file).time_left(Color.BLACK) == pytest.approx(5410, abs=9)
    assert saved(file).time_left(Color.WHITE) == pytest.approx(5410, abs=9)
    assert '[TimeControl "1:30:00+10"]' in file.read_text()


@pytest.mark.skipif(os.name == "nt", reason="a directory in use is not renamed there")
def test_a_file_that_can_no_longer_be_written_does_not_end_the_game(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with Started("play", *HUMANS, "--save", folder / "game.pgn") as process:
        for line in process.stdout:
            if line.startswith("Black to move"):
                break
        folder.rename(tmp_path / "elsewhere")
        shown, err = process.communicate("f5\nd6\n", timeout=60)
    assert process.returncode == 73
    assert plies(shown) == ["f5", "d6"]
    assert len(err.splitlines()) == 1
    assert "cannot write" in err


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_at_a_terminal_there_is_a_prompt(tmp_path: Path) -> None:
    import pty

    file = tmp_path / "game.pgn"
    main, other = pty.openpty()
    process = Child(
        [sys.executable, "-m", "reversi", "play", *HUMANS, "--save", str(file)],
        stdin=other,
        stdout=other,
        stderr=other,
        env={**os.environ, "TERM": "dumb"},
    )
    os.close(other)
    seen = _until(main, b"Black> ")
    os.write(main, b"f5\r")
    seen += _until(main, b"White> ")
    os.write(main, b"\x04")
    process.wait(timeout=60)
    os.close(main)
    assert process.returncode == 0
    assert b"1. Black f5, flips e5; White to move." in seen
    assert [str(move) for move in saved(file).moves] == ["f5"]


def _until(descriptor: int, text: bytes) -> bytes:
    seen = b""
    while text not in seen:
        seen += os.read(descriptor, 1024)
    return seen


def test_hint_command() -> None:
    done = run_command("hint", "f5d6c3", "-n", "2", "--level", "2").ends(0)
    lines = done.stdout.splitlines()
    assert lines[0] == "------------------X--------OX------OXX-----O-------------------- O".replace(
        "------------------X--------OX------OXX-----O", _board_after("f5", "d6", "c3")[:44]
    )
    assert len(lines) == 3
    form = r" {4}[a-h][1-8]  [+-]\d+ heuristic depth \d+, \w+(?: ahead)?  [a-h]\d.*"
    assert all(re.fullmatch(form, line) for line in lines[1:])


def _board_after(*moves: str) -> str:
    game = Game()
    game.play_all(moves)
    return format_board(game.position)


def test_hint_json_near_the_end_is_exact() -> None:
    game = random_game("othello", 4)
    while game.position.empties < 8 or game.must_pass:
        game.undo()
    assert game.position.empties <= 10
    done = run_command("hint", format_board(game.position), "--json", "-n", "64").ends(0)
    found = json.loads(done.stdout)
    assert found["board"] == game.position.cells
    assert (found["index"], found["line"], found["rules"]) == (1, 1, "othello")
    assert {entry["kind"] for entry in found["moves"]} == {"exact"}
    assert sorted(Move.parse(entry["move"]) for entry in found["moves"]) == list(game.position.legal_moves)
    scores = [entry["score"] for entry in found["moves"]]
    assert scores == sorted(scores, reverse=True)
    assert all(entry["pv"][0] == entry["move"] for entry in found["moves"])


def test_hint_of_a_finished_game_and_of_nothing() -> None:
    over = "X" * 64 + " O"
    run_command("hint", over).ends(0, prints="game over: Black wins 64-0")
    assert json.loads(run_command("hint", over, "--json").stdout)["moves"] == []
    assert run_command("hint", "-", data="").returncode == 65
    done = run_command("hint", "-", data="f5d6c3\nf5f5\n").ends(65, says="standard input:2")
    assert len(done.stdout.splitlines()) == 4


def test_hint_under_other_rules() -> None:
    done = run_command(
        "hint", "X---" + "-" * 12 + " X", "--rules", "adjacent,misere,board=4x4", "--json", "-n", "9"
    ).ends(0)
    assert [entry["move"] for entry in json.loads(done.stdout)["moves"]] != []


# --- an opening to hold


def test_the_engine_holds_an_opening_until_somebody_leaves_it(tmp_path: Path) -> None:
    hold = ("--black", "engine:1", "--white", "human", "-q", "--seed", "3", "--hold")
    done = play(*hold, "Tiger", lines=["d6", "d3", "f4"]).ends(0, err="")
    assert plies(done.stdout)[:6] == ["f5", "d6", "c3", "d3", "c4", "f4"]
    assert "5. Black c4, flips d4; White to move.\nThe opening to hold ends here.\n6. White f4, " in done.stdout
    done = play(*hold, "f5d6c3", lines=["f6"]).ends(0, err="")
    assert "2. White f6, flips e5; Black to move.\nWhite leaves the opening: f6 instead of d6.\n" in done.stdout
    file = tmp_path / "mine.pgn"
    file.write_text("1. f5 d6 (1... f4 2. g3) 2. c5 *\n", encoding="utf-8")
    done = play("--hold", str(file), *hold[:-1], "--state", str(tmp_path), lines=["f4", "save"]).ends(0, err="")
    assert plies(done.stdout)[:3] == ["f5", "f4", "g3"]


def test_a_resumed_game_holds_its_opening(tmp_path: Path) -> None:
    state = ("--state", str(tmp_path), "-q")
    play(*state, "--white", "engine:1", "--hold", "f5f4", lines=["undo"]).ends(0)
    play(*state, "--white", "engine:1", "--black", "human", "--hold", "f5f4e3f6", lines=["f5"]).ends(0)
    done = play("--resume", *state, lines=["e3"]).ends(0, err="")
    assert plies(done.stdout)[:2] == ["e3", "f6"]


@pytest.mark.parametrize(
    ("text", "status", "says"),
    [
        ("Tigr", 66, "Tigr: no such file, and no opening is called 'Tigr'; did you mean Tiger?"),
        ("none.pgn", 66, "none.pgn: no such file"),
        ("f5a1", 65, "game 1: ply 2: a1 is not allowed: flips nothing"),
        ('[Rules "adjacent"]\n\n1. f5 *', 65, "its rules are adjacent, not othello"),
    ],
)
def test_what_is_no_repertoire(text: str, status: int, says: str) -> None:
    for option in ("--hold", "--repertoire"):
        done = play(option, text, *HUMANS).ends(status, out="", says=says)
        assert done.stderr.count("\n") == 1
