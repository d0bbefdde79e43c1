from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from children import Child
from files import new_file
from reversi._system.files import AtomicFiles, KeptError, Target, _remove_stale, atomic_stream, write_atomically
from reversi._system.locks import lock_descriptor


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


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
@pytest.mark.parametrize("mode", [0o600, 0o640, None])
def test_nobody_reads_meanwhile_who_could_not_before(tmp_path: Path, mode: int | None) -> None:
    file = tmp_path / "game.pgn"
    if mode is not None:
        file.write_text("x")
        file.chmod(mode)
    expected = 0o644 if mode is None else mode

    def modes() -> set[int]:
        others = [path.stat() for path in tmp_path.iterdir() if path != file]
        return {stat.S_IMODE(other.st_mode) for other in others if other.st_size}

    before = os.umask(0o022)
    try:
        with atomic_stream(file) as stream:
            stream.write(b"secret")
            stream.flush()
            assert modes() == {expected}
        with AtomicFiles() as files:
            files.append(file, b"secret")
            files.append(file, b" too")
            assert modes() == {expected}
    finally:
        os.umask(before)
    assert file.read_bytes() == b"secret too"
    assert stat.S_IMODE(file.stat().st_mode) == expected


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
    with pytest.raises(OSError, match="no does not exist; create it first"):
        write_atomically(tmp_path / "no" / "file", "x")
    with pytest.raises(OSError):  # noqa: PT011 - the message differs between systems
        write_atomically(tmp_path, "x")


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = new_file(tmp_path / "game.pgn", "old")

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
    with Child(
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

    with pytest.raises(OSError, match="Is a directory"), AtomicFiles() as files:
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
    with Child(
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


# --- a name that something else takes meanwhile


def _no_links(self: Path, target: object) -> None:
    raise PermissionError(1, "Operation not permitted")


def _write_while(target: Target, appear: Callable[[], None]) -> None:
    with atomic_stream(target) as stream:
        stream.write(b"mine")
        appear()


@pytest.fixture(params=["links", "no links"])
def any_system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "no links":  # FAT, some network file systems
        monkeypatch.setattr(Path, "hardlink_to", _no_links)


@pytest.mark.usefixtures("any_system")
def test_a_new_file(tmp_path: Path) -> None:
    write_atomically(Target.of(tmp_path / "new", replace=False), "mine")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("new", "mine")]


@pytest.mark.usefixtures("any_system")
@pytest.mark.parametrize("name", ["out.pgn", "out", "ö" * 120 + ".pgn"])
@pytest.mark.parametrize("what", ["file", "empty file", "folder", "link", "link to nothing"])
def test_what_appears_meanwhile_stays(what: str, name: str, tmp_path: Path) -> None:
    out, other = tmp_path / name, tmp_path / "other"
    other.write_text("theirs")

    def appear() -> None:
        match what:
            case "file":
                out.write_text("theirs")
            case "empty file":
                out.touch()
            case "folder":
                out.mkdir()
            case "link":
                out.symlink_to(other)
            case _:
                out.symlink_to(tmp_path / "nothing")

    with pytest.raises(KeptError) as caught:
        _write_while(Target.of(out, replace=False), appear)
    (kept,) = caught.value.kept
    assert (kept.parent, kept.suffix, kept.read_text()) == (tmp_path, out.suffix, "mine")
    assert str(kept) in str(caught.value)
    assert (out.is_dir(), out.is_symlink()) == (what == "folder", what.startswith("link"))
    if what in ("file", "link"):
        assert out.read_text() == "theirs"
    assert other.read_text() == "theirs"
    assert not (tmp_path / "nothing").exists()
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.usefixtures("any_system")
def test_each_of_two_writers_of_a_new_file_keeps_its_own(tmp_path: Path) -> None:
    out = tmp_path / "out.pgn"
    with pytest.raises(KeptError):
        _write_while(
            Target.of(out, replace=False), lambda: write_atomically(Target.of(out, replace=False), "theirs")
        )
    assert out.read_text() == "theirs"
    assert (tmp_path / "out-2.pgn").read_text() == "mine"


def test_an_empty_file_counts_as_new_once(tmp_path: Path) -> None:
    out = tmp_path / "out.pgn"
    out.touch()
    out.chmod(0o604)
    first, second = (Target.of(out, replace=False) for _ in range(2))
    write_atomically(first, "first")
    with pytest.raises(KeptError):
        write_atomically(second, "second")
    assert out.read_text() == "first"
    assert (tmp_path / "out-2.pgn").read_text() == "second"
    if os.name != "nt":
        assert stat.S_IMODE(out.stat().st_mode) == 0o604


def test_an_empty_file_that_another_run_writes_to_stays(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.touch()
    target = Target.of(out, replace=False)
    with out.open("ab") as stream:
        assert lock_descriptor(stream.fileno())
        with pytest.raises(KeptError):
            write_atomically(target, "mine")
        stream.write(b"theirs")
    assert out.read_text() == "theirs"


def test_work_for_a_name_that_became_a_folder_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "out.pgn"
    target = Target.of(out)
    out.mkdir()
    with pytest.raises(KeptError, match=r"directory; the result is in .*out-2\.pgn"):
        write_atomically(target, "mine")
    assert (tmp_path / "out-2.pgn").read_text() == "mine"


def test_what_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        Target.of(tmp_path)
    with pytest.raises(FileNotFoundError):
        Target.of(tmp_path / "no" / "file")


def test_many_files_take_only_free_names(tmp_path: Path) -> None:
    files = AtomicFiles(replace=False)
    for name in ("a", "b", "c"):
        files.append(tmp_path / name, b"mine")
    (tmp_path / "b").write_text("theirs")
    (tmp_path / "c").write_text("theirs")
    with pytest.raises(KeptError) as caught:
        files.commit()
    assert caught.value.kept == (tmp_path / "b-2", tmp_path / "c-2")
    texts = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert texts == {"a": "mine", "b": "theirs", "c": "theirs", "b-2": "mine", "c-2": "mine"}


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("exists", [True, False])
def test_many_files_replace_links(exists: bool, tmp_path: Path) -> None:
    outside, link = tmp_path / "outside", tmp_path / "in" / "2020.pgn"
    link.parent.mkdir()
    if exists:
        outside.write_text("theirs")
    link.symlink_to(outside)
    with AtomicFiles() as files:
        files.append(link, b"mine")
    assert (link.is_symlink(), link.read_text()) == (False, "mine")
    assert (outside.read_text() if exists else outside.exists()) == ("theirs" if exists else False)
