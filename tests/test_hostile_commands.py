"""Time and memory of every command that reads are linear in the length of a hostile text.

The tests compare CPU times with each other, never with a clock. The larger set has the mark `slow`.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from typing import Final

import pytest

if not hasattr(os, "fork"):
    pytest.skip("the measurements need os.fork", allow_module_level=True)

from hostile import FILES
from hostile_commands import COMMANDS, OTHERS, SIZES, Commands
from hostile_readers import MOST

SIZE: Final = 4_000
LARGEST: Final = 64_000
MEGABYTES: Final = 60
"""What a command may hold in memory beside a small multiple of the text."""

DATABASE_MEGABYTES: Final = 128
"""The memory limit that an import gives DuckDB."""


@pytest.fixture(scope="module")
def measured() -> Iterator[Commands]:
    with Commands() as commands:
        yield commands


def wrong(commands: Commands, command: str, name: str, size: int, most: int) -> str:
    """Compare the costs of n and 4n bytes; return what is wrong with them, nothing where nothing is."""
    found = commands.growth(command, FILES[name], size, most, MOST)
    held = DATABASE_MEGABYTES if command == "db import" else MEGABYTES
    linear = found.ratio < MOST and found.megabytes < held + 4e-6 * found.size
    ended = found.status in (0, 1, 2, 3, 65) and found.error != "Traceback"
    return "" if linear and ended else f"{command}, {name}: {found}"


def skip_without(command: str) -> None:
    if command.startswith("db ") and importlib.util.find_spec("duckdb") is None:
        pytest.skip("DuckDB is not installed")


def test_every_command_that_reads_is_measured() -> None:
    """A new command joins by its arguments in `command_tree.RUNS`; one that reads no text is named here."""
    others = (
        "bench perft, book convert, book info, book merge, db info, db players list, db players merge,"
        " db players rename, db sources list, db sources remove, db sql, doctor, history delete,"
        " history export, history off, history on, history show, learn, match, openings draw, openings list,"
        " openings repertoire make, openings show, perft, play"
    )
    assert {*f"{others}, rules list, rules show".split(", ")} == OTHERS


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("command", "name", "size"),
    [
        ("record validate", "pgn: brackets", 64_000),
        ("record stats", "pgn: alternatives", 16_000),
        ("solve", "transcript: one move on a line", 8_000),
        ("hint", "transcript: one move on a line", 1_000),
    ],
)
def test_the_worst(measured: Commands, command: str, name: str, size: int) -> None:
    skip_without(command)
    assert not wrong(measured, command, name, size, 4 * size)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command(measured: Commands, command: str) -> None:
    skip_without(command)
    found = (wrong(measured, command, name, SIZES.get(command, SIZE), LARGEST) for name in FILES)
    assert not "\n".join(filter(None, found))
