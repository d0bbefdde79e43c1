"""Ten files in eight encodings, through every format and back: the bytes are those of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import run_command
from reversi import open_records
from reversi.games import Games, write_records
from reversi.inputs import load_game, read_position, read_positions
from reversi.records.formats.registry import known_formats
from reversi.records.formats.wthor.header import WthorKind
from reversi.records.formats.wthor.names import stored_name

# The encoding, and Black, White, the event and a comment. In Shift_JIS and GB18030 the last byte of a character
# can be a backslash or a bracket: 才能, 表, 従 and 朷 have such.
FILES = {
    "mail.pgn": ("utf-8", "Åsa Öberg", "王伟", "Noël’s – “cup”", "Ο Žižka ♥ 健"),
    "marked.pgn": ("utf-8-sig", "Šárka", "Łukasz", "Été", "ß"),
    "windows.pgn": ("utf-16", "Åsa", "李小龙", "Été 2024", "従 Ž"),
    "french.pgn": ("cp1252", "Šárka O’Neill", "Noël Lefèvre", "Été – hiver", "it’s “good” … œuf €"),
    "swedish.pgn": ("latin-1", "Åsa Öberg", "Größe", "Mästerskap", "På återseende"),
    "japan.pgn": ("shift_jis", "才能", "健", "表彰式", "ソ十貼能表"),
    "japan-2.pgn": ("shift_jis", "従", "山田たろう", "オセロ", "ー゛構暴"),
    "china.pgn": ("gb18030", "王伟", "李小龙", "朷猎赛", "亊乗俓"),
    "korea.pgn": ("euc_kr", "김철수", "이영희", "오셀로 대회", "좋은 수"),
    "russia.pgn": ("cp1251", "Иванов", "Пётр", "Кубок – «лето»", "хорошо"),
}
OURS = ("utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1")  # read without a word
WHOLE = ("pgn", "sgf", "csv", "jsonl", "parquet")  # hold a whole record
FORMATS = [format_.name for format_ in known_formats() if format_.name != "database"]


def original(file: str) -> bytes:
    """The file: the text that this program writes, in another encoding."""
    encoding, black, white, event, comment = FILES[file]
    tags = {"Event": event, "Site": "?", "Date": "2024.05.01", "Round": "?", "Black": black, "White": white}
    head = "".join(f'[{name} "{value}"]\n' for name, value in {**tags, "Result": "*"}.items())
    return f"{head}\n1. f5 {{{comment}}} 1... d6 2. c3 d3 *\n".encode(encoding)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", FORMATS)
def test_a_file_through_a_format_and_back(tmp_path: Path, file: str, name: str) -> None:
    encoding, black, white, _, comment = FILES[file]
    source, between, back = tmp_path / file, tmp_path / "between", tmp_path / "back.pgn"
    source.write_bytes(original(file))
    (record,) = open_records(source, encoding="" if encoding in OURS else encoding)
    try:
        lost = write_records(between, [record], name)
    except ValueError:
        assert name in ("eothello", "logbook", "obf")  # which hold neither a game without a result nor a game
        return
    (read,) = open_records(between, report=lambda _: None)
    assert read.moves == record.moves
    write_records(back, [read])
    if name in WHOLE:
        assert back.read_bytes().decode().encode(encoding) == source.read_bytes()
        assert not lost
    else:
        assert lost
    if name == "wthor":  # in Windows-1252
        assert (read.black, read.white) == tuple(stored_name(name, WthorKind.PLAYERS) for name in (black, white))
    elif name != "transcript":
        assert (read.black, read.white) == (black, white)
    if name == "ggf":
        assert read.line.nodes[0].comments == (comment,)


@pytest.mark.parametrize("file", FILES)
def test_each_command_and_function_takes_the_encoding(tmp_path: Path, file: str) -> None:
    encoding, black, _white, _, comment = FILES[file]
    path = tmp_path / file
    path.write_bytes(original(file))
    named = "" if encoding in OURS else encoding
    assert [record.black for record in Games(path, encoding=named)] == [black]
    assert len(load_game(str(path), encoding=named)) == 4
    assert read_position(path, encoding=named).empties == 56
    obf = tmp_path / "a.obf"
    obf.write_bytes(
        f"---------------------------OX------XO--------------------------- X; % {comment}\n".encode(encoding)
    )
    (entry,) = read_positions(obf, encoding=named)
    assert entry.comment == comment


def test_commands_that_read_positions_take_the_encoding(tmp_path: Path) -> None:
    path, games = tmp_path / "a.obf", tmp_path / "a.pgn"
    line = "---------------------------OX------XO--------------------------- X % 表彰式\n"
    path.write_bytes(line.encode("shift_jis"))
    games.write_bytes(original("japan.pgn"))
    named = ("--encoding", "shift_jis")
    assert run_command("position", "convert", path, "--to", "obf", *named).stdout == line
    for words in (
        ("diagram", path),
        ("explore", games, games, "--no-values"),
        ("openings", "name", games),
        ("book", "make", games, "--output", tmp_path / "a.book", "--games", "1", "--plies", "2", "--depth", "1"),
    ):
        done = run_command(*words, *named)
        assert (done.returncode, "encoding" in done.stderr) == (0, False), done
        assert run_command(*words[:2], "--encoding", "klingon").returncode == 2


@pytest.mark.parametrize("encoding", ["cp1252", "shift_jis", "gb18030", "euc_kr", "cp1251"])
def test_names_of_wthor_in_another_encoding(tmp_path: Path, encoding: str) -> None:
    _, black, white, *_ = next(parts for parts in FILES.values() if parts[0] == encoding)
    source, games = tmp_path / "a.pgn", tmp_path / "a.wtb"
    source.write_bytes(
        original("mail.pgn").replace("Åsa Öberg".encode(), b"Zoe Q").replace("王伟".encode(), b"Ann Q")
    )
    write_records(games, open_records(source))
    names = games.with_suffix(".JOU")
    data = names.read_bytes()
    for old, new in ((b"Zoe Q", black), (b"Ann Q", white)):
        at = data.index(old)
        data = data[:at] + new.encode(encoding).ljust(20, b"\0") + data[at + 20 :]
    names.write_bytes(data)
    (record,) = open_records(games, encoding=encoding)
    assert (record.black, record.white) == (black, white)
    done = run_command("record", "validate", games, "--encoding", encoding, "--unfinished")
    assert f"({black}–{white})" in done.stdout
