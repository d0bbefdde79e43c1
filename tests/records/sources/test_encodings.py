"""Files of games in any encoding: declared, marked, named by somebody, or none of these."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from files import new_file
from reversi import InputError, open_records

PGN = '[Event "x"]\n[Black "{}"]\n[White "{}"]\n\n1. f5 d6 *\n'
SGF = "(;FF[4]GM[2]CA[{}]PB[{}]PW[{}];B[f5];W[d6])\n"


def players(path: Path, encoding: str = "") -> tuple[list[str], list[str]]:
    told: list[str] = []
    games = open_records(path, encoding=encoding, report=told.append)
    return [name for game in games for name in (game.black, game.white)], told


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("utf-8", ["Åsa Öberg", "王伟"]),
        ("utf-8-sig", ["Åsa Öberg", "王伟"]),
        ("utf-16", ["Åsa Öberg", "王伟"]),
        ("cp1252", ["Šárka O’Neill", "it’s – good"]),
        ("latin-1", ["Åsa Öberg", "Größe"]),
        ("shift_jis", ["才能", "従"]),
        ("gb18030", ["王伟", "李小龙"]),
        ("euc_kr", ["김철수", "이영희"]),
        ("big5", ["王大明", "李小龍"]),
        ("cp1251", ["Иванов", "Пётр"]),
    ],
)
def test_names_are_read_in_the_encoding_that_somebody_says(
    tmp_path: Path, encoding: str, names: list[str]
) -> None:
    texts = {
        "a.pgn": PGN.format(*names),
        "a.ggf": "(;GM[Othello]PB[{}]PW[{}]B[f5]W[d6];)\n".format(*names),
        "a.csv": "black,white,moves\n{},{},f5d6\n".format(*names),
        "a.jsonl": '{{"black": "{}", "white": "{}", "moves": "f5d6"}}\n'.format(*names),
        "a.sgf": SGF.format("UTF-8", *names),
    }
    for name, text in texts.items():
        path = new_file(tmp_path / name, text.encode(encoding))
        assert players(path, encoding)[0] == names, name
        if encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"):
            assert players(path)[0] == names, name
        path.write_bytes(gzip.compress(text.encode(encoding)))
        assert players(path, encoding)[0] == names, name


def test_each_game_in_sgf_has_the_encoding_that_it_declares(tmp_path: Path) -> None:
    path = tmp_path / "a.sgf"
    path.write_bytes(
        SGF.format("Shift_JIS", "才能", "従").encode("shift_jis")
        + SGF.format("UTF-8", "Åsa", "王").encode()
        + SGF.format("GB18030", "王伟", "李").encode("gb18030")
        + SGF.replace("CA[{}]", "").format("Šárka", "b").encode("cp1252")
    )
    assert players(path) == (["才能", "従", "Åsa", "王", "王伟", "李", "Šárka", "b"], [])
    path.write_bytes(SGF.format("klingon", "Š", "b").encode("cp1252"))
    assert players(path) == (["Š", "b"], [f"{path}: line 1: CA: 'klingon' is not an encoding; give --encoding"])


@pytest.mark.parametrize(
    ("encoding", "names", "reading"),
    [
        ("gb18030", ["王伟", "李小龙"], "line 2: 'ÍõÎ°' may be '王伟' (gb18030)"),
        ("shift_jis", ["山田たろう", "健"], "may be '山田たろう' (shift_jis)"),
        ("euc_kr", ["김철수", "이영희"], "may be '김철수' (euc_kr)"),
        ("latin-1", ["Åsa Öberg", "Größe"], ""),
        ("latin-1", ["Noël Lefèvre", "Çelik"], ""),
        ("cp1252", ["Šárka O’Neill", "it’s – “good”"], ""),
    ],
)
def test_another_reading_is_said_and_not_taken(
    tmp_path: Path, encoding: str, names: list[str], reading: str
) -> None:
    path = new_file(tmp_path / "a.pgn", PGN.format(*names).encode(encoding))
    _, told = players(path)
    assert [reading in line and "--encoding" in line for line in told] == [True] * bool(reading)


def test_an_encoding_that_there_is_not(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'klingon' is not an encoding"):
        list(open_records(tmp_path, encoding="klingon"))


def test_joined_files_have_marks_between_their_games(tmp_path: Path) -> None:
    game, mark = PGN.format("a", "b").encode("utf-8-sig"), b"\xef\xbb\xbf"
    games = {
        "a.pgn": game + b"\n" + game + b"\x1a",
        "a.sgf": mark + SGF.format("UTF-8", "a", "b").encode() + mark + b"(;FF[4]PB[a]PW[b];B[f5])",
        "a.ggf": b"(;GM[Othello]PB[a]PW[b]B[f5];)\n" + mark + b"(;GM[Othello]PB[a]PW[b]B[f5]W[d6];)\n",
        "a.csv": b"black,white,moves\na,b,f5d6\n" + mark + b"a,b,f5f6\n",
    }
    for name, data in games.items():
        path = new_file(tmp_path / name, data)
        assert players(path)[0] == ["a", "b"] * 2, name
