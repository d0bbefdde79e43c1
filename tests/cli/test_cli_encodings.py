"""``--encoding`` in commands that read one text beside games: a game to play, openings, aliases, SQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import Done, run_command
from reversi.errors import InputError
from reversi.games import Database
from reversi.games.aliases import AliasError, Aliases
from reversi.games.repertoire import Repertoire
from reversi.match.openings import read_openings
from reversi.openings import read_xot

# in Shift_JIS the second byte of the first name is \ and that of the second ]: without it the game is another one
GAME = "(;GM[2]FF[4]PB[才能]PW[従];B[f5];W[d6];B[c3];W[d3];B[c4];W[f4])"
LIST = "f5d6c3d3\n"
HUMANS = ("--black", "human", "--white", "human")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder with a game in Shift_JIS, and a list of openings in UTF-16 without a mark."""
    (tmp_path / "game.sgf").write_bytes(GAME.encode("shift_jis"))
    (tmp_path / "list.txt").write_bytes(LIST.encode("utf-16-le"))
    return tmp_path


@pytest.mark.parametrize(
    ("command", "lines"),
    [
        (("play", *HUMANS, "--load", "{game}"), "save {out}\n"),
        (("play", *HUMANS), "open {game}\nsave {out}\n"),
    ],
)
def test_a_game_is_opened_in_an_encoding(command: tuple[str, ...], lines: str, files: Path) -> None:
    names = {"game": files / "game.sgf", "out": files / "out.pgn"}
    words = [word.format(**names) for word in command]
    run_command(*words, "--encoding", "shift_jis", data=lines.format(**names)).ends(0)
    text = names["out"].read_text(encoding="utf-8")
    assert '[Black "才能"]\n[White "従"]' in text
    assert "1. f5 d6 2. c3 d3 3. c4 f4" in text


def test_a_game_in_another_encoding_is_not_written_into_its_file(tmp_path: Path) -> None:
    """The file would have two encodings, and no reader for both."""
    file = tmp_path / "game.pgn"
    file.write_bytes('[Black "山本"]\n[White "佐藤"]\n\n1. f5 d6 2. c3 *\n'.encode("shift_jis"))
    before = file.read_bytes()
    given = ("--load", file, "--encoding", "shift_jis", *HUMANS)
    run_command("play", *given, "--save", file, data="d3\n").ends(65, says="left unchanged; choose another file")
    run_command("play", *given, data=f"d3\nsave {file}\n").ends(0, prints="left unchanged; choose another file")
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "command",
    [
        ("play", *HUMANS, "--start", "{list}"),
        ("play", *HUMANS, "--hold", "{list}"),
        ("play", *HUMANS, "--xot", "1", "--xot-list", "{list}"),
        ("openings", "draw", "--list", "{list}"),
        ("match", "beginner-1", "beginner-1", "--games", "2", "--openings", "{list}", "--save", "{out}"),
        ("bench", "solve", "{list}", "--problems", "2"),
        ("explore", "f5", "--no-values", "--repertoire", "{list}"),
    ],
    ids=" ".join,
)
def test_a_list_is_read_in_an_encoding(command: tuple[str, ...], files: Path) -> None:
    names = {"list": files / "list.txt", "out": files / "out.pgn"}

    def run(*more: str) -> Done:
        return run_command(*(word.format(**names) for word in command), *more)

    run().ends(65, says="binary data")
    done = run("--encoding", "utf-16-le")
    assert "binary data" not in done.stderr, done.stderr
    run("--encoding", "none").ends(2, says="'none' is not an encoding")


def test_openings_are_read_in_an_encoding(files: Path) -> None:
    path = files / "list.txt"
    assert [str(line) for line in read_xot(path, "utf-16-le")] == ["f5d6c3d3"]
    assert [str(one) for one in read_openings(path, encoding="utf-16-le")] == ["f5d6c3d3"]
    (game,) = read_openings(files / "game.sgf", 6, "shift_jis")
    assert str(game) == "f5d6c3d3c4f4"
    assert len(Repertoire.read(path, encoding="utf-16-le")) > 0
    for read in (read_xot, lambda path, name: read_openings(path, encoding=name)):
        with pytest.raises(InputError, match="'none' is not an encoding"):
            read(path, "none")


def test_aliases_are_read_in_an_encoding(tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="the database needs DuckDB")
    games, names, other = (tmp_path / name for name in ("games.pgn", "names.txt", "utf-8.txt"))
    games.write_text('[Black "山本"]\n[White "佐藤"]\n\n1. f5 d6 2. c3 *\n', encoding="shift_jis")
    names.write_text("山本 = 山本太郎\n", encoding="shift_jis")
    other.write_text("佐藤 = 佐藤花子\n", encoding="utf-8")
    with pytest.raises(AliasError, match="; --encoding says it"):
        Aliases.of(names)
    assert Aliases.of(names, "shift_jis").name_of("山本") == "山本太郎"
    assert Aliases.of(other, "shift_jis").name_of("佐藤") == "佐藤花子"  # UTF-8 is what it is
    db, merged = tmp_path / "games.duckdb", tmp_path / "merged.pgn"
    given = ("--encoding", "shift_jis", "--aliases", names)
    run_command("record", "merge", games, "-o", merged, *given).ends(0)
    assert '[Black "山本太郎"]' in merged.read_text(encoding="utf-8")
    found = run_command("record", "filter", games, "--list", "--player", "山本太郎", *given).ends(0)
    assert found.stdout
    run_command("db", "import", games, "--db", db, "--encoding", "shift_jis").ends(0)
    run_command("db", "aliases", names, "--db", db).ends(65, says="--encoding says it")
    run_command("db", "aliases", names, "--db", db, "--encoding", "shift_jis").ends(0)
    query = "select count(*) as games from games where black = '山本太郎'".encode("shift_jis")
    done = run_command("db", "sql", "-", "--json", "--db", db, "--encoding", "shift_jis", data=query)
    assert done.stdout == '{"games":1}\n'
    with Database(db) as database:
        assert [(game.black, game.white) for game in database.records()] == [("山本太郎", "佐藤")]
