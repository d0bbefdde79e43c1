"""Long files are cut between games while they are read."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from files import new_file
from reversi.records import Entry
from reversi.records.formats.registry import read_games
from reversi.records.sources.cutting import CutError, cut_file, read_pieces
from reversi.records.sources.opening import GameSource, open_source
from reversi.records.validation.validation import Validation, ValidationEvent

PGN = '[Event "x"]\n[Black "a"]\n\n1. f5 d6 (f6 e6) {one} 2. c3\n*\n\n'
SGF = "(;GM[2]FF[4];B[f5];W[d6](;B[c3])(;B[c4]))\n"
TEXTS = {
    "pgn": PGN * 300,
    "sgf": SGF * 300,
    "ggf": "(;GM[Othello]PB[a]PW[b]B[f5]W[d6];)\n" * 300,
    "quest": '{"players":["a","b"],"position":{"moves":[{"m":"f5"}]}}\n' * 300,
    "eothello": "eOthello_game_id,winner,game_moves\n" + "1,1,f5d6\n" * 900,
    "logbook": "+f5-d6+c3: +4 0\n" * 900,
    "wrong games": (PGN + '[Event "x"]\n\n1. f5 zz *\n\n') * 200,
    "DOS line ends": PGN.replace("\n", "\r\n") * 200,
    "a game that looks like many": SGF * 200 + "(;GM[2]C[" + "\n(;GM[2]\n" * 300 + "])\n" + SGF * 200,
    "an old line end": PGN * 200 + PGN.replace("\n", "\r") + PGN * 200,
    "transcripts": "f5d6\n" * 2000,
    "rubbish": "[\n" * 3000,
}


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read files of 4,000 bytes as long ones."""
    monkeypatch.setattr("reversi.records.sources.opening.LONG_BYTES", 4000)
    monkeypatch.setattr("reversi.records.sources.cutting._BEGINNING", 3000)
    monkeypatch.setattr("reversi.records.sources.decoding._CHUNK", 1000)
    monkeypatch.setattr("reversi.records.sources.cutting._OVERLAP", 500)
    monkeypatch.setattr("reversi.records.sources.cutting.PIECE_CHARS", 700)


def outcome(entries: Iterator[Entry]) -> tuple[list[Entry], str]:
    found = []
    try:
        for entry in entries:
            found.append(entry)
    except Exception as error:
        return found, str(error)
    return found, ""


def lines(entries: list[Entry]) -> list[list[int]]:
    """The lines of every turn, which equality of records leaves out."""
    return [[node.source_line for node in entry.record.line.nodes] for entry in entries]


@pytest.mark.parametrize("name", TEXTS)
def test_a_long_file_reads_as_its_text(name: str, tmp_path: Path) -> None:
    path = new_file(tmp_path / "games", TEXTS[name].encode())
    found = outcome(read_games(path.read_bytes().decode()))
    with open_source(str(path)) as source:
        assert source.is_long
        read = outcome(source.entries())
    assert read == found
    assert lines(read[0]) == lines(found[0])


@pytest.mark.parametrize("name", list(TEXTS)[:8])
def test_a_long_file_is_never_one_text(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = new_file(tmp_path / "games", TEXTS[name].encode())
    monkeypatch.delattr(GameSource, "text")
    with open_source(str(path)) as source:
        assert len(list(source.entries())) >= 200


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    "name", ["pgn", "wrong games", "a game that looks like many", "an old line end", "rubbish"]
)
def test_validation_of_a_long_file(
    name: str, workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = new_file(tmp_path / "games", TEXTS[name].encode())

    def check() -> list[ValidationEvent]:
        return list(Validation(workers=workers, stopped=True).check([str(path)]))

    found = check()
    monkeypatch.setattr("reversi.records.sources.opening.LONG_BYTES", 1 << 40)
    assert found == check()


@pytest.mark.parametrize(("name", "games"), [("an old line end", 100), ("transcripts", 0)])
def test_what_cannot_be_cut(name: str, games: int) -> None:
    pieces = cut_file(io.BytesIO(TEXTS[name].encode()), "x")
    found, error = outcome(read_pieces(pieces))
    assert (len(found) >= games, error) == (True, str(CutError()))


class _Endless(io.RawIOBase):
    """A file of games of thirty megabytes."""

    left = 500
    part = PGN.encode() * 1000

    def read(self, size: int = -1) -> bytes:
        self.left -= 1
        return self.part if self.left > 0 else b""


def test_the_text_of_a_long_file_is_not_held() -> None:
    count = 0
    tracemalloc.start()
    try:
        for _, piece in cut_file(_Endless(), "x"):  # type: ignore[arg-type]
            count += len(piece.text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count > 20_000_000
    assert peak < 2_000_000
