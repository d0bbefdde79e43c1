from __future__ import annotations

from pathlib import Path

import pytest

from reversi import InputError
from reversi.inputs.place import Place, parse_place


@pytest.mark.parametrize(
    ("text", "path", "game", "ply"),
    [
        ("a.pgn", "a.pgn", None, None),
        ("a.pgn#3", "a.pgn", 3, None),
        ("a.pgn#3@20", "a.pgn", 3, 20),
        ("a.pgn@0", "a.pgn", None, 0),
        ("-#2@5", "-", 2, 5),
        ("dir#1/a.pgn#3", "dir#1/a.pgn", 3, None),
        ("a#b.pgn", "a#b.pgn", None, None),
        ("a.pgn#x", "a.pgn#x", None, None),
        ("a.pgn@20#3", "a.pgn@20", 3, None),
        ("", "", None, None),
    ],
)
def test_places(text: str, path: str, game: int | None, ply: int | None) -> None:
    assert parse_place(text) == Place(path, game, ply)


def test_a_file_of_the_literal_name_wins(tmp_path: Path) -> None:
    name = str(tmp_path / "a.pgn#3@20")
    assert parse_place(name) == Place(str(tmp_path / "a.pgn"), 3, 20)
    Path(name).write_text("")
    assert parse_place(name) == Place(name)


def test_games_count_from_1() -> None:
    with pytest.raises(InputError, match="a#0: games count from 1"):
        parse_place("a#0")
