"""Games and positions to go on with, out of files and pasted text; openings that have been played."""

from __future__ import annotations

import io
import tracemalloc
from pathlib import Path

import pytest

from files import new_file
from reversi import InputError, Position, Square, parse_rules
from reversi.inputs.input import Input, MissingInputError, load_game, parse_position, resolve
from reversi.inputs.place import Place, PlaceError
from reversi.openings.games import drawn_game, opening_game
from reversi.records import Record
from reversi.records.limits import MAX_STRANGE
from reversi.render import svg
from reversi.text import format_board

ROOT = Path(__file__).parents[2]
WTHOR = ROOT.parent / "shared" / "data" / "wthor"


def test_games_of_a_file() -> None:
    game = load_game(str(ROOT / "examples" / "games.pgn"))
    assert (len(game), game.can_redo, game.is_over) == (63, 0, True)
    game = load_game(f"{ROOT / 'examples' / 'games.pgn'}#5@3")
    assert (len(game), str(game.rules), game.can_redo > 0) == (3, "adjacent,optional-skip,board=4x4", True)
    assert "After ply 3, Black a3" in svg(game)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("1. f5 d6 *\n", "#2", "game 2 does not exist: the input has 1 game"),
        ("1. f5 d6 *\n\n1. f5 *\n", "#3", "game 3 does not exist: the input has 2 games"),
        ("1. f5 d6 *\n", "@3", "game 1: ply 3 does not exist: the game has 2 plies"),
        ("1. f5 d6 *\n", "#0", "games count from 1"),
        ('[Event "a]\n\n1. f5 d6 *\n', "", "game 1: "),
        ("1. f5 f5 *\n", "", "ply 2 (White): "),
        ("\0\1\2", "", ""),
        ("", "", ""),
    ],
)
def test_missing_places(tmp_path: Path, text: str, place: str, message: str) -> None:
    file = new_file(tmp_path / "games.pgn", text)
    with pytest.raises(InputError) as caught:
        load_game(f"{file}{place}")
    assert message in str(caught.value)
    assert "games.pgn" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_game(str(tmp_path / "none.pgn"))
    with pytest.raises(InputError, match="standard input"):
        load_game("-")


def test_the_meaning_of_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.pgn").write_text("1. f5 d6 *\n\n1. f5 *\n")
    Path("f5d6").write_text("1. f5 *\n")
    for text, name, place in (
        ("games.pgn", "games.pgn", ("games.pgn", None, None)),
        ("games.pgn#2@1", "games.pgn", ("games.pgn", 2, 1)),
        ("-#2", "standard input", ("-", 2, None)),
        ("f5d6", "f5d6", ("f5d6", None, None)),  # a file of that name wins
        ("f5d6c3", "", ("f5d6c3", None, None)),
    ):
        found = resolve(text)
        assert (found.name, tuple(found.place)) == (name, place)
    with pytest.raises(PlaceError, match="games count from 1"):
        resolve("games.pgn#0")
    with pytest.raises(MissingInputError, match=r"^none\.pgn: no such file"):
        resolve("none.pgn")
    for text in ("", " \n", "???\n!!!", "q" * 81, "\x01" * 30):
        with pytest.raises(InputError) as wrong:
            resolve(text)
        assert not isinstance(wrong.value, MissingInputError)


def test_games_and_positions_of_an_input(tmp_path: Path) -> None:
    file = new_file(tmp_path / "games.pgn", "1. f5 d6 *\n\n1. f5 *\n")
    start = Position()
    f5 = start.play("f5")
    assert [entry.number for entry in resolve(str(file)).entries()] == [1, 2]
    assert [entry.number for entry in resolve(f"{file}#2").entries()] == [2]
    assert [entry.position for entry in resolve(str(file)).positions()] == [f5.play("d6"), f5]
    assert [entry.position for entry in resolve(f"{file}@0").positions()] == [start, start]
    for call in (resolve(f"{file}#3").entries, resolve(f"{file}#3").positions):
        with pytest.raises(InputError, match="game 3 does not exist: the input has 2 games"):
            list(call())
    board = format_board(start)
    means = {"f5d6": False, "a\tf5d6": False, "(;GM[2];B[f5])": True, board: False}
    assert {text: Input(Place(text), text).means_games for text in means} == means
    assert Input(Place("", ply=1), "f5d6").means_games
    assert [entry.record.moves for entry in resolve("f5d6").entries()] == [(Square("f5"), Square("d6"))]
    read = resolve("-#2", stdin=lambda: io.BytesIO(file.read_bytes()))
    assert [entry.number for entry in read.entries()] == [2]
    with pytest.raises(InputError, match="standard input"):
        resolve("-").text  # noqa: B018


def test_the_one_start_of_an_input(tmp_path: Path) -> None:
    games, boards = tmp_path / "games.pgn", tmp_path / "boards.txt"
    games.write_text("1. f5 d6 *\n\n1. f5 *\n")
    boards.write_text(f"{format_board(Position())}\n{format_board(Position().play('f5'))}\n")
    record, ply = resolve(f"{games}#2@1").start()
    assert isinstance(record, Record)
    assert (len(record.moves), ply) == (1, 1)
    assert resolve(str(boards)).start() == (Position(), None)
    assert resolve(f"{boards}#2").start() == (Position().play("f5"), None)
    assert resolve(format_board(Position())).start() == (Position(), None)
    with pytest.raises(InputError, match="more than one position"):
        resolve(f"{format_board(Position())}\n{format_board(Position())}").start()
    with pytest.raises(InputError, match="standard input"):
        resolve("-").start()


def test_an_input_without_a_position_is_given_up() -> None:
    text = "rubbish\n" * (MAX_STRANGE + 1)
    with pytest.raises(InputError, match=f"^line 1: .*none of the {MAX_STRANGE} entries"):
        list(Input(Place(""), text).positions())
    unknown = ("-" * 27 + "XO" + "-" * 6 + "OX" + "-" * 27 + "\n") * (MAX_STRANGE + 1)
    assert len(list(Input(Place(""), unknown).positions(ask=lambda _: None))) == MAX_STRANGE + 1


def test_long_entries_without_a_position_are_not_held_in_memory() -> None:
    text = ("x" * 60_000 + "\n") * 100
    entries = Input(Place(""), text).positions()
    tracemalloc.start()
    try:
        first = next(entries)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
    assert (first.index, first.error is not None) == (1, True)
    assert len(list(entries)) == 99


@pytest.mark.skipif(not WTHOR.is_dir(), reason="needs the WTHOR archive in ../shared/data")
def test_a_game_of_an_archive() -> None:
    file = sorted(WTHOR.glob("*.wtb"))[0]
    game = load_game(f"{file}#3@20")
    assert len(game) == 20
    assert game.can_redo > 20


def test_pasted_positions() -> None:
    assert parse_position("f5d6") == Position().play("f5").play("d6")
    line = "X" + "-" * 15 + " O"
    assert format_board(parse_position(line, parse_rules("adjacent,board=4x4"))) == line
    with pytest.raises(InputError, match="more than one position; give one"):
        parse_position("f5\nd3\n")
    with pytest.raises(InputError):
        parse_position("f5f5")
    with pytest.raises(InputError):
        parse_position("")


def test_openings() -> None:
    game, name = opening_game(Position(), "TIGER opening")
    assert (name, "".join(map(str, game.moves))) == ("Tiger", "f5d6c3d3c4")
    with pytest.raises(InputError, match="did you mean Tiger"):
        opening_game(Position(), "tigr")
    with pytest.raises(InputError, match="cannot be played under the rules othello,board=6x6"):
        opening_game(Position(parse_rules("othello,board=6x6")), "tiger")


def test_drawn_openings(tmp_path: Path) -> None:
    file = new_file(tmp_path / "xot.txt", "% two\nf5d6c3d3\nf5f6e6f4\n")
    drawn = {"".join(map(str, drawn_game(Position(), seed, file).moves)) for seed in range(20)}
    assert drawn == {"f5d6c3d3", "f5f6e6f4"}
    assert drawn_game(Position(), 7, str(file)).moves == drawn_game(Position(), 7, file).moves
    for seed in (-1, 1 << 64):
        with pytest.raises(InputError, match="seed"):
            drawn_game(Position(), seed, file)
    file.write_text("f5d6c3d3\nf5f5\n")
    with pytest.raises(InputError, match="line 2"):
        drawn_game(Position(), 1, file)
    with pytest.raises(FileNotFoundError):
        drawn_game(Position(), 1, tmp_path / "none")


def test_a_long_path_is_a_missing_file(tmp_path: Path) -> None:
    """Names with folders are longer than the text that a person mistypes."""
    path = tmp_path / "folder" / ("name-" * 20) / "games.pgn"
    with pytest.raises(MissingInputError, match="no such file"):
        resolve(str(path))
