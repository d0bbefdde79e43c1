"""Games and positions to go on with, out of files and pasted text; openings that have been played."""

from __future__ import annotations

from pathlib import Path

import pytest

from reversi import InputError, Position, parse_rules
from reversi.openings.games import drawn_game, opening_game
from reversi.records.places import load_game, parse_position

ROOT = Path(__file__).parents[2]
WTHOR = ROOT.parent / "shared" / "data" / "wthor"


def test_games_of_a_file() -> None:
    record, ply = load_game(str(ROOT / "examples" / "games.pgn"))
    assert (record.tags["Round"], ply) == ("1", None)
    record, ply = load_game(f"{ROOT / 'examples' / 'games.pgn'}#5@3")
    assert (record.tags["Round"], str(record.rules), ply) == ("5", "adjacent,optional-skip,board=4x4", 3)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("1. f5 d6 *\n", "#2", "there is no game 2: there is 1"),
        ("1. f5 d6 *\n\n1. f5 *\n", "#3", "there is no game 3: there are 2"),
        ("1. f5 d6 *\n", "@3", "there is no ply 3: game 1 has 2"),
        ("1. f5 d6 *\n", "#0", "games count from 1"),
        ('[Event "a]\n\n1. f5 d6 *\n', "", "game 1: "),
        ("\0\1\2", "", ""),
        ("", "", ""),
    ],
)
def test_what_is_not_there(tmp_path: Path, text: str, place: str, message: str) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(text, encoding="utf-8")
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


@pytest.mark.skipif(not WTHOR.is_dir(), reason="needs the WTHOR archive in ../shared/data")
def test_a_game_of_an_archive() -> None:
    file = sorted(WTHOR.glob("*.wtb"))[0]
    record, ply = load_game(f"{file}#3@20")
    assert ply == 20
    assert len(record.moves) >= 20
    assert record.black != "?"


def test_pasted_positions() -> None:
    assert parse_position("f5d6") == Position().play("f5").play("d6")
    assert str(parse_position("X" + "-" * 15 + " O", parse_rules("adjacent,board=4x4"))) == "X" + "-" * 15 + " O"
    with pytest.raises(InputError, match="2 positions; give one"):
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
    file = tmp_path / "xot.txt"
    file.write_text("% two\nf5d6c3d3\nf5f6e6f4\n")
    drawn = {"".join(map(str, drawn_game(Position(), seed, file).moves)) for seed in range(20)}
    assert drawn == {"f5d6c3d3", "f5f6e6f4"}
    assert drawn_game(Position(), 7, file).moves == drawn_game(Position(), 7, file).moves
    for seed in (-1, 1 << 64):
        with pytest.raises(InputError, match="seed"):
            drawn_game(Position(), seed, file)
    file.write_text("f5d6c3d3\nf5f5\n")
    with pytest.raises(InputError, match="line 2"):
        drawn_game(Position(), 1, file)
    with pytest.raises(FileNotFoundError):
        drawn_game(Position(), 1, tmp_path / "none")
