"""Where games come from: files, folders, patterns, standard input."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from files import new_file
from record_samples import random_record
from reversi import InputError
from reversi._system.paths import source_name
from reversi.records import format_record
from reversi.records.formats.registry import text_format_named
from reversi.records.sources.decoding import MAX_LINE_BYTES
from reversi.records.sources.finding import FoundFile, find_files
from reversi.records.sources.kinds import FileKind
from reversi.records.sources.opening import open_source
from wthor_samples import jou, random_game, wtb

TEXT = format_record(random_record(1)).encode()


def make(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(TEXT)


def found(*paths: str | Path) -> list[str]:
    return [file.path for file in find_files(map(str, paths))]


def test_folders_are_searched_in_order(tmp_path: Path) -> None:
    make(tmp_path, "b.pgn", "a/z.txt", "a/b/c.wtb", ".hidden", ".git/x", "c.pgn")
    assert found(tmp_path) == [str(tmp_path / name) for name in ("b.pgn", "c.pgn", "a/z.txt", "a/b/c.wtb")]
    assert found("-", tmp_path / "a") == ["-", str(tmp_path / "a" / "z.txt"), str(tmp_path / "a" / "b" / "c.wtb")]


def test_patterns(tmp_path: Path) -> None:
    make(tmp_path, "b.pgn", "a.pgn", "a/x.pgn", "a/y.txt")
    assert found(tmp_path / "*.pgn") == [str(tmp_path / "a.pgn"), str(tmp_path / "b.pgn")]
    assert found(tmp_path / "**" / "*.pgn") == [str(tmp_path / name) for name in ("a.pgn", "a/x.pgn", "b.pgn")]
    assert sorted(found(tmp_path / "**")) == sorted(
        str(tmp_path / name) for name in ("a.pgn", "b.pgn", "a/x.pgn", "a/y.txt")
    )
    assert found(tmp_path / "?") == [str(tmp_path / "a" / "x.pgn"), str(tmp_path / "a" / "y.txt")]
    make(tmp_path, "[1].pgn")
    assert found(tmp_path / "[1].pgn") == [str(tmp_path / "[1].pgn")]


def test_what_names_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert list(find_files([str(tmp_path / "empty"), str(tmp_path / "*.no"), str(tmp_path / "no.pgn")])) == [
        FoundFile(str(tmp_path / "empty"), error="no file in this folder"),
        FoundFile(str(tmp_path / "*.no"), error="no such file", missing=True),
        FoundFile(str(tmp_path / "no.pgn")),  # opening it tells
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_pipes_and_loops_in_folders_are_left_aside(tmp_path: Path) -> None:
    make(tmp_path, "a.pgn")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "link.pgn").symlink_to(tmp_path / "a.pgn")
    (tmp_path / "broken.pgn").symlink_to(tmp_path / "nowhere")
    assert found(tmp_path) == [str(tmp_path / name) for name in ("a.pgn", "broken.pgn", "link.pgn")]


def test_games_of_any_form(tmp_path: Path) -> None:
    make(tmp_path, "a.pgn")
    (tmp_path / "b.bin").write_bytes(wtb([random_game(1, black=1)]))
    (tmp_path / "c.jou").write_bytes(jou())
    with open_source(str(tmp_path / "a.pgn")) as source:
        assert source.kind is FileKind.TEXT
        (entry,) = source.entries(format_=text_format_named("pgn"))
        assert entry.record == random_record(1)
    with open_source(str(tmp_path / "b.bin")) as source:
        assert source.kind is FileKind.GAMES
        (entry,) = source.entries()
        assert (entry.record.black, entry.record.moves) == ("Ada", random_record(1).moves)
        assert source.problems == []
    (tmp_path / "c.jou").write_bytes(b"x")
    with open_source(str(tmp_path / "b.bin")) as source:
        (entry,) = source.entries()
        assert entry.record.black == "?"
        assert source.problems == [f"{tmp_path / 'c.jou'}: 1 bytes are not a WTHOR header, which has 16"]


def test_names_are_no_games(tmp_path: Path) -> None:
    path = new_file(tmp_path / "x.jou", jou())
    with open_source(str(path)) as source, pytest.raises(InputError, match="WTHOR names, no games"):
        source.entries()


@pytest.mark.parametrize("size", [1, 3, 40])
def test_standard_input_of_any_form(size: int) -> None:
    data = wtb([random_game(seed) for seed in range(size * 40)])  # up to more than what is looked at first
    with open_source("-", io.BytesIO(data)) as source:
        assert len(list(source.entries())) == size * 40
    text = TEXT * size * 10
    with open_source("-", io.BytesIO(text)) as source:
        assert source.text().encode() == text
    with pytest.raises(ValueError, match="- needs stdin"):
        open_source("-")
    assert source_name("-") == "standard input"


def test_what_is_refused(tmp_path: Path) -> None:
    path = new_file(tmp_path / "x", b"BZh91AY")
    with pytest.raises(InputError, match=r"x: packed with bzip2; unpack it first$"):
        open_source(str(path))
    with pytest.raises(InputError, match="standard input: empty, nothing in it"):
        open_source("-", io.BytesIO())
    with pytest.raises(FileNotFoundError):
        open_source(str(tmp_path / "none"))
    with pytest.raises(OSError, match=r"(?i)directory|denied"):
        open_source(str(tmp_path))


class Counting(io.BytesIO):
    taken = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.taken += len(data)
        return data


def test_what_is_no_text_is_not_read_to_its_end() -> None:
    stream = Counting(TEXT * 200 + b"\0" * (100 << 20))
    with open_source("-", stream) as source, pytest.raises(InputError, match="binary data, not text"):
        source.text()
    assert stream.taken < 20 << 20
    stream = Counting(TEXT * 200 + b"x" * (100 << 20))
    line = TEXT.count(b"\n") * 200 + 1
    with open_source("-", stream) as source, pytest.raises(InputError, match=f"line {line} has more than 1048576"):
        source.text()
    assert stream.taken < 40 << 20


def test_the_longest_line() -> None:
    for ends in (b"", b"\r", b"\n"):
        text = TEXT + b";" + b"x" * (MAX_LINE_BYTES - 1) + ends + (b"f5" if ends else b"")
        with open_source("-", io.BytesIO(text)) as source:
            assert len(source.text()) == len(text.decode())
        with open_source("-", io.BytesIO(TEXT + b"x" + text[len(TEXT) :])) as source, pytest.raises(InputError):
            source.text()


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege here")
def test_patterns_of_any_folders_end_where_links_lead_back(tmp_path: Path) -> None:
    make(tmp_path, "a/x.txt", "a/b/y.txt", "z.txt", ".hidden/no.txt", "c/b/w.txt")
    for folder in ("a", "a/b"):
        (tmp_path / folder / "up").symlink_to("..", target_is_directory=True)
        (tmp_path / folder / "me").symlink_to(".", target_is_directory=True)
    texts = [str(tmp_path / name) for name in ("a/b/y.txt", "a/x.txt", "c/b/w.txt", "z.txt")]
    for pattern in ("**/*.txt", "**/**/*.txt", "**/*", "**", "**/"):
        assert sorted(found(tmp_path / pattern if pattern != "**/" else f"{tmp_path}/**/")) == texts, pattern
    assert found(tmp_path / "**" / "b" / "*.txt") == [texts[0], texts[2]]
    assert found(tmp_path / "**" / "b" / "**" / "y.*") == [texts[0]]
    assert found(tmp_path / "[ac]" / "**" / "?.txt") == texts[:3]
    assert found(tmp_path / "no" / "**") == [str(tmp_path / "no" / "**")]


def test_patterns_from_the_folder_where_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a/x[1].txt", "y.txt", "-", "[d]/z.txt")
    monkeypatch.chdir(tmp_path)
    here = os.path.join(os.curdir, "-")  # noqa: PTH118
    names = [here, "y.txt", str(Path("[d]", "z.txt")), str(Path("a", "x[1].txt"))]
    for path in (".", "**", "./**", "**/*", "*"):
        assert sorted(found(path)) == sorted(names), path
    assert sorted(found("**/*.txt")) == sorted(names[1:])
