"""Whatever commands write, given back to the reader of positions: what it shows, or a refusal."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from command_line import run_command
from command_tree import ENDGAME, EXERCISE, INPUTS, RUNS, arguments_of, commands, prepare
from reversi import Position, parse_rules
from reversi.errors import InputError
from reversi.inputs.input import Input
from reversi.inputs.place import Place
from reversi.text import parse_board

OPENING = Position().play("f5").play("d6")
GAME = OPENING.play("c3").play("d3").play("c4")
END, TASK = parse_board(ENDGAME), parse_board(EXERCISE)
SMALL = Position(parse_rules("othello,board=4x4"))

# what each command shows, as text and as JSON; those that are not here show neither positions nor games
SHOWN = {
    "analyze --json": [GAME],
    "book show": [OPENING],
    "book show --json": [OPENING],
    "db sql --json": [GAME],
    "diagram --to txt": [OPENING],
    "diagram --to md": [OPENING],
    "diagram --to txt --numbers": [OPENING],
    "diagram --to md --numbers": [OPENING],
    "diagram --to txt --legal --value c3=+2 --value d4=X": [OPENING],
    "explore --json": [OPENING],
    "hint": [OPENING],
    "hint --explain": [OPENING],
    "hint --json": [OPENING],
    "history export": [SMALL],
    "openings name --json": [OPENING],
    "openings repertoire make": [GAME.play("f4").play("c5")],
    "openings show": [GAME],
    "openings show --json": [GAME],
    "position convert": [OPENING],
    "position show": [OPENING],
    "position show --json": [OPENING],
    "proof check": [END],
    "proof check --json": [END],
    "record convert": [GAME],
    "record dedupe": [GAME],
    "record filter": [GAME],
    "record filter --json": [GAME],
    "record merge": [GAME],
    "record show": [GAME],
    "record tidy": [GAME],
    "record show --json": [GAME],
    "record show --range 1-2": [Position().play("f5"), OPENING],
    "solve --json": [END],
    "solve --json --all-moves": [END],
    "train list --json": [TASK],
    "train make": [TASK],
    "train openings": [OPENING],
    "train play": [TASK],
}
DRAWN_BY_CHANCE = ("play", "openings draw", "openings draw --json", "openings list", "openings list --json")
RUN = sorted(
    {*RUNS, *SHOWN} - {"doctor", "match", "bench perft", "bench solve"}
    | {f"{name} --json" for name, one in commands().items() if any("--json" in it.opts for it in one.params)}
    - {"doctor --json", "match --json", "prove --json", "bench solve --json", "bench perft --json"}
    - {"book info --json"}  # its best line is a game, which another command here makes longer
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outputs")
    prepare(folder)
    run_command(*arguments_of("db import", folder))
    return folder


def given(text: str) -> Input:
    return Input(Place("-"), stdin=lambda: io.BytesIO(text.encode()))


def read(text: str) -> list[Position]:
    """Return the positions of a text; nothing for one that is refused."""
    try:
        return [entry.position for entry in given(text).positions() if entry.position is not None]
    except InputError:
        return []


def output(run: str, folder: Path) -> str:
    name = max((name for name in RUNS if run.startswith(name)), key=len)
    return run_command(
        *arguments_of(name, folder), *run.removeprefix(name).split(), data=INPUTS.get(name, "")
    ).stdout


@pytest.mark.parametrize("run", [run for run in RUN if run not in DRAWN_BY_CHANCE])
def test_every_output_is_read_as_what_it_shows(run: str, folder: Path) -> None:
    text = output(run, folder)
    assert read(text) == SHOWN.get(run, [])


def test_lists_and_games_by_chance(folder: Path) -> None:
    assert len(read(output("openings list", folder))) == output("openings list", folder).count("\n")
    assert read(output("openings list", folder)) == read(output("openings list --json", folder))
    for run in ("openings draw", "openings draw --json"):
        (drawn,) = read(output(run, folder))
        assert drawn.empties == 52
    log = output("play", folder)
    (end,) = read(log)
    assert end.is_over
    assert f"({end.rules})" not in log
    assert str(end.count) in log


@pytest.mark.parametrize("run", [run for run in SHOWN if SHOWN[run] and not run.startswith(("history", "record"))])
def test_positions_are_not_read_as_games(run: str, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text(output(run, folder))
    done = run_command("record", "convert", file, "-", "--to", "transcript")
    is_game = run.startswith(("analyze", "db sql", "openings name", "openings repertoire", "openings show"))
    assert ("f5d6" in done.stdout) == is_game
    assert is_game or (done.returncode, done.stdout) == (65, "")


PASSED = "adjacent,optional-skip"


@pytest.mark.parametrize(
    ("moves", "rules"),
    [
        ("f5d6--", PASSED),
        ("f5d6----", "othello,optional-skip"),
        ("c2", "othello,board=6x6,start=parallel"),
        (f"{'X' * 32}{'O' * 32} X", "othello"),  # a draw
        (f"{'X' * 18}{'O' * 18} O", "othello,board=6x6"),
        ("e6f4e3f6g5d6e7f5c5", "othello"),  # 13-0
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        ("position", "show"),
        ("position", "show", "--json"),
        ("position", "convert", "--to", "diagram"),
        ("diagram", "--to", "txt"),
        ("diagram", "--to", "md"),
        ("hint", "--level", "1", "--json"),
    ],
)
def test_rules_passes_and_ends_are_kept(command: tuple[str, ...], moves: str, rules: str) -> None:
    text = run_command(*command, moves, "--rules", rules).stdout
    wanted = read(run_command("position", "convert", moves, "--rules", rules, "--to", "json").stdout)
    (position,) = read(text)
    if position.is_over and (command[1] == "show" or command[-1] == "md"):  # the side to move does not matter
        assert [(one.cells, one.rules, one.state) for one in wanted] == [
            (position.cells, position.rules, position.state)
        ]
    else:
        assert [position] == wanted


@pytest.mark.parametrize("start", ["", f"{OPENING.cells} X; "])
@pytest.mark.parametrize("more", [(), ("--numbers-from", "3")])
def test_numbers_of_moves_are_read_as_the_game(start: str, more: tuple[str, ...]) -> None:
    moves = f"{start}c3d3c4f4" if start else "f5d6c3d3c4f4"
    for form in ("txt", "md"):
        text = run_command("diagram", moves, "--numbers", "--to", form, *more).stdout
        if start and more:
            with pytest.raises(InputError, match="number all of its moves"):
                next(given(text).positions())
        else:
            assert read(text) == [GAME.play("f4")]


def test_several_positions_of_several_rules() -> None:
    path = "examples/games.pgn"
    wanted = read(run_command("position", "show", path, "--json").stdout)
    for words in (["position", "show", path], ["position", "convert", path, "--to", "diagram"]):
        found = read(run_command(*words).stdout)
        assert [(one.cells, one.rules) for one in found] == [(one.cells, one.rules) for one in wanted]
    text = run_command("record", "show", "examples/games.pgn#4", "--range", "1-3").stdout
    assert {str(one.rules) for one in read(text)} == {"adjacent,board=4x6"}


def test_a_game_played_line_by_line(tmp_path: Path) -> None:
    text = run_command(
        *("play", "--ui", "line", "--black", "human", "--white", "human", "--state", tmp_path),
        data="f5\nd6\nquit\n",
    ).stdout
    assert read(text) == [OPENING]
    boards = text[text.index("2. White d6") :]
    assert read(boards) == [OPENING]
