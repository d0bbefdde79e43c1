from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from reversi._system.files import AtomicFiles, _remove_stale, write_atomically


def test_new_and_replaced(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    write_atomically(file, "one\ntwé\n")
    assert file.read_bytes() == "one\ntwé\n".encode()
    write_atomically(file, "three\n")
    assert file.read_bytes() == b"three\n"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_permissions(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    before = os.umask(0o027)
    try:
        write_atomically(file, "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    file.chmod(0o604)
    write_atomically(file, "y")
    assert stat.S_IMODE(file.stat().st_mode) == 0o604


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    file, link = tmp_path / "game.pgn", tmp_path / "link.pgn"
    file.write_text("old")
    link.symlink_to(file)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"


@pytest.mark.skipif(os.name == "nt", reason="POSIX devices")
def test_a_device_is_written_to() -> None:
    write_atomically(Path(os.devnull), "x")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        write_atomically(tmp_path / "no" / "file", "x")
    with pytest.raises(OSError):  # noqa: PT011 - the message differs between systems
        write_atomically(tmp_path, "x")


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.pgn"
    file.write_text("old")

    def interrupt(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(file, "new")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(os.name == "nt", reason="no lock tells a stale file there")
def test_what_a_killed_program_left_goes(tmp_path: Path) -> None:
    stale, other = tmp_path / ".reversi-0123456789abcdef.tmp", tmp_path / ".others.tmp"
    stale.write_text("half")
    other.write_text("")
    script = """
import os, pathlib, signal, sys
from reversi._system.files import atomic_stream
with atomic_stream(pathlib.Path(sys.argv[1])) as stream:
    stream.write(b"half")
    print(flush=True)
    sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "x")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        assert not stale.exists()
        assert len(list(tmp_path.glob(".reversi-*"))) == 1
        _remove_stale.cache_clear()
        write_atomically(tmp_path / "y", "whole")  # what is being written stays
        assert len(list(tmp_path.glob(".reversi-*"))) == 1
        writer.kill()
    _remove_stale.cache_clear()  # as in another program
    write_atomically(tmp_path / "y", "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".others.tmp", "y"]


def test_many_files_appear_together(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    old.chmod(0o604)
    with AtomicFiles() as files:
        files.append(old, b"1")
        files.append(new, b"2")
        files.append(old, b"3")
        assert old.read_text() == "old"
        assert not new.exists()
    assert (old.read_text(), new.read_text()) == ("13", "2")
    assert sorted(tmp_path.iterdir()) == [new, old]
    if os.name != "nt":
        assert stat.S_IMODE(old.stat().st_mode) == 0o604


def test_an_error_leaves_many_files_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    (tmp_path / "folder").mkdir()

    def fill(files: AtomicFiles) -> None:
        for name in ("old", "new", "folder"):
            files.append(tmp_path / name, b"1")

    with pytest.raises(OSError, match="not a regular file"), AtomicFiles() as files:
        fill(files)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "old"]
    assert (tmp_path / "old").read_text() == "old"


@pytest.mark.skipif(os.name == "nt", reason="no lock tells a stale file there")
def test_many_files_of_a_killed_program_go(tmp_path: Path) -> None:
    script = """
import pathlib, sys
from reversi._system.files import AtomicFiles
with AtomicFiles() as files:
    files.append(pathlib.Path(sys.argv[1]), b"half")
    files.append(pathlib.Path(sys.argv[2]), b"half")
    print(flush=True)
    sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "a"), str(tmp_path / "b")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        _remove_stale.cache_clear()
        write_atomically(tmp_path / "y", "whole")  # what is being written stays
        assert len(list(tmp_path.glob(".reversi-*"))) == 3
        writer.kill()
    _remove_stale.cache_clear()  # as in another program
    write_atomically(tmp_path / "y", "whole")
    assert [path.name for path in tmp_path.iterdir()] == ["y"]
