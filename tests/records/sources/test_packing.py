"""Files packed with gzip and zstd."""

from __future__ import annotations

import gzip
import io
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from files import new_file
from record_samples import random_record
from reversi.errors import InputError
from reversi.games import open_records
from reversi.inputs.input import resolve
from reversi.records import format_record, format_records
from reversi.records.sources import opening, packing
from reversi.records.sources.opening import open_source
from reversi.records.validation import FileDone, Validation
from wthor_samples import random_game, wtb

TEXT = "".join(format_record(random_record(seed)) + "\n" for seed in range(30))


def _zstd() -> Any:
    try:
        return packing._load_zstd("x")
    except InputError:
        return None


def _zstd_compress(data: bytes) -> bytes:
    zstd = _zstd()
    if zstd is None:
        pytest.skip("zstd needs Python 3.14 or backports.zstd")
    return bytes(zstd.compress(data))


PACKINGS = {".gz": gzip.compress, ".zst": _zstd_compress}
packings = pytest.mark.parametrize("suffix", PACKINGS)


def packed(folder: Path, suffix: str, data: bytes, name: str = "games.pgn") -> Path:
    return new_file(folder / f"{name}{suffix}", PACKINGS[suffix](data))


@packings
def test_games_are_those_of_the_plain_file(tmp_path: Path, suffix: str) -> None:
    plain = new_file(tmp_path / "games.pgn", TEXT)
    path = packed(tmp_path, suffix, TEXT.encode())
    assert list(open_records(path)) == list(open_records(plain))
    assert sum(1 for _ in open_records(tmp_path)) == 60  # in a folder, too
    with open_source("-", io.BytesIO(path.read_bytes())) as source:
        assert len(list(source.entries())) == 30
    assert [entry.record for entry in resolve(f"{path}#3").entries()] == [random_record(2)]
    assert len(list(resolve(str(path)).positions())) == 30
    events = list(Validation(workers=2).check([str(path)]))
    assert [(event.games, event.valid) for event in events if isinstance(event, FileDone)] == [(30, 30)]


@packings
def test_games_that_are_not_text(tmp_path: Path, suffix: str) -> None:
    data = wtb([random_game(seed) for seed in range(2000)])
    path = packed(tmp_path, suffix, data, "games.wtb")
    assert sum(1 for _ in open_records(path, report=lambda _: None)) == 2000


@packings
def test_two_files_behind_one_another(tmp_path: Path, suffix: str) -> None:
    path = packed(tmp_path, suffix, TEXT.encode())
    path.write_bytes(path.read_bytes() * 2)
    assert sum(1 for _ in open_records(path)) == 60


@packings
def test_a_long_file_is_read_in_pieces(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LONG_BYTES", 1 << 17)
    text = TEXT * 40
    path = packed(tmp_path, suffix, text.encode())
    with open_source(str(path)) as source:
        assert source.is_long
        assert sum(1 for _ in source.entries()) == 1200
    broken = TEXT * 20 + '[Event "x"]\n\n1. f5 {no end\n\n' + TEXT * 20  # where no cut is right
    path = packed(tmp_path, suffix, broken.encode())
    with open_source(str(path)) as source:
        assert sum(1 for _ in source.entries()) > 600
    (done,) = [event for event in Validation(workers=2).check([str(path)]) if isinstance(event, FileDone)]
    assert done.games > 600


@packings
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: data[:20], "cut off"),
        (lambda data: data[: len(data) // 2] + bytes(50) + data[len(data) // 2 + 50 :], "damaged"),
    ],
)
def test_damaged_files(tmp_path: Path, suffix: str, change: Callable[[bytes], bytes], why: str) -> None:
    path = packed(tmp_path, suffix, TEXT.encode() * 20)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(InputError, match=rf"games\.pgn{suffix}: packed with \w+, and {why}$"):
        list(open_records(path))


@packings
def test_the_unpacked_size_has_a_limit(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MAX_BYTES", 1 << 20)
    path = packed(tmp_path, suffix, b"f5d6\n" * 300_000, "moves.txt")
    assert path.stat().st_size < 10_000
    with pytest.raises(InputError, match="more than 1048576 bytes when it is unpacked; split it"):
        list(open_records(path))


def test_what_unpacks_to_something_else(tmp_path: Path) -> None:
    for data, why in (
        (b"", "empty, nothing in it"),
        (gzip.compress(b"f5d6"), "packed with gzip; unpack it first"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG picture, not records"),
    ):
        path = packed(tmp_path, ".gz", data)
        with pytest.raises(InputError, match=why):
            list(open_records(path))


def test_zstd_without_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("compression", "compression.zstd", "backports", "backports.zstd"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    path = new_file(tmp_path / "games.pgn.zst", b"\x28\xb5\x2f\xfd" + bytes(itertools.repeat(0, 20)))
    with pytest.raises(InputError, match=r"games\.pgn\.zst: packed with zstd, .* \"reversi-engine\[zstd\]\""):
        list(open_records(path))


def test_of_a_file_that_is_cut_off_the_games_before_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn.gz"
    path.write_bytes(
        gzip.compress("".join(format_records(random_record(seed) for seed in range(40))).encode())[:-400]
    )
    told: list[str] = []
    assert 20 < len(list(open_records(path, report=told.append))) < 40
    assert any(
        line.endswith("games.pgn.gz: packed with gzip, and cut off; what is there is read") for line in told
    )
