"""Files without an end, and without an end of the line: what reads a file reads up to a limit."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_line import run_command
from reversi import InputError
from reversi.arguments import MAX_FILE, lines_up_to, read_up_to
from reversi.solver.proofs.certificate import read_certificate


class Endless(io.RawIOBase):
    """A file of one character without an end."""

    def __init__(self, character: bytes) -> None:
        self.given = 0
        self._character = character

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        buffer[:] = self._character * len(buffer)
        self.given += len(buffer)
        return len(buffer)


@pytest.mark.parametrize(
    ("read", "most"),
    [
        (lambda stream: read_up_to(stream, "x", 1 << 20), 2 << 20),
        (read_certificate, 1 << 20),
    ],
)
@pytest.mark.parametrize("character", [b"\0", b"{"])
def test_no_more_is_read_than_the_limit(read: Callable[[Any], Any], most: int, character: bytes) -> None:
    endless = Endless(character)
    with pytest.raises(InputError):
        read(io.BufferedReader(endless))
    assert endless.given <= most


def test_lines_are_those_of_the_file() -> None:
    text = b"a\n" + b"b" * 9 + b"\n" + b"c" * 10 + b"\nd\n"
    assert list(lines_up_to(io.BytesIO(text), 10)) == [b"a\n", b"b" * 9 + b"\n", b"c" * 10 + b"\n"]


def test_commands_say_the_limit(tmp_path: Path) -> None:
    huge = tmp_path / "huge"
    with huge.open("wb") as stream:
        stream.truncate(MAX_FILE + 1)
    done = run_command("play", "--resume", huge)
    assert (done.returncode, done.stderr) == (
        65,
        f"reversi: --resume: {huge}: has more than 64 MB, and what belongs here has less\n",
    )
    for command in (
        ("bench", "solve", "examples/endgames.obf", "--compare"),
        ("openings", "draw", "--list"),
        ("match", "1", "1", "--openings"),
        ("solve", "examples/endgames.obf", "--weights"),
    ):
        done = run_command(*command, huge).ends(65)
        assert f"{huge}: has more than 64 MB" in done.stderr, command
    with huge.open("wb") as stream:
        stream.truncate(2 << 20)
    run_command("analyze", "--summary", huge).ends(65, err=f"{huge}:1: the line has more than 1 MB\n")
    done = run_command("proof", "check", "-", data=b"{" * (1 << 20))
    assert (done.returncode, done.stderr) == (
        1,
        "reversi: standard input:1: not a line of a proof: more than 4096 bytes\n",
    )
