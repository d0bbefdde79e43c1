"""Checks of an archive of games: replayed in the core, validated, by the command, written and validated as text.

    python benchmarks/records.py [FOLDER] [--workers 2] [--repeats 5] [--json]

FOLDER has WTHOR files; without it, the program makes 100,000 random games. Every figure is the median of several
repeats: elapsed time, since several workers share the work, and processor time, which says more on a busy machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from reversi import PASS, Position, Random
from reversi.records.formats.registry import format_named
from reversi.records.formats.wthor.header import HEADER_BYTES
from reversi.records.formats.wthor.reader import SIZE, read_wthor_file, replay_chunk
from reversi.records.record import Record
from reversi.records.validation.validation import FileDone, Validation
from yardstick import factors

MADE = 100_000
TEXT_GAMES = 12_000
FORMATS = ["pgn", "sgf", "ggf", "csv", "jsonl", "transcript", "eothello", "logbook"]


@dataclass(frozen=True)
class Figure:
    """One measurement: its name, the number of games, and the medians of elapsed and processor seconds."""

    what: str
    games: int
    seconds: float
    processor: float

    @property
    def rate(self) -> float:
        """Games per second."""
        return self.games / self.seconds


def make(folder: Path, count: int) -> None:
    """Random games in files of 5,000."""
    random, start = Random(1), Position()
    games: list[bytes] = []
    for _ in range(min(count, 5000)):
        position, codes = start, bytearray()
        while moves := position.legal_moves:
            move = moves.choice(random)
            position = position.play(move)
            if move is not PASS:
                codes.append(11 + move.index % 8 + 10 * (move.index // 8))
        black, white = position.count.black, position.count.white
        score = 64 - white if black > white else black if black < white else 32
        games.append(struct.pack("<3H2B60s", 0, 0, 0, score, score, bytes(codes)))
    header = struct.pack("<4BIHH4B", 20, 26, 11, 20, len(games), 0, 2026, 8, 0, 24, 0)
    for number in range(max(1, count // len(games))):
        (folder / f"made-{number}.wtb").write_bytes(header + b"".join(games))


def timed(what: str, games: int, repeats: int, work: Callable[[], object]) -> Figure:
    """The medians of the times that ``work`` takes, in this process and in those that it started."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter(), sum(os.times()[:4])
        work()
        times.append((time.perf_counter() - began[0], sum(os.times()[:4]) - began[1]))
    seconds, processor = (statistics.median(column) for column in zip(*times, strict=True))
    return Figure(what, games, seconds, processor)


def validated(path: Path, workers: int) -> int:
    """Check everything below a path; the number of games."""
    events = Validation(workers=workers).check([str(path)])
    return sum(event.games for event in events if isinstance(event, FileDone))


def command(path: Path, workers: int) -> None:
    """Check it with the command, including its start."""
    run = [sys.executable, "-m", "reversi", "record", "validate", str(path), "--workers", str(workers)]
    done = subprocess.run(run, check=False, capture_output=True, env=dict(os.environ))
    if done.returncode > 1:
        raise SystemExit(done.stderr.decode())


def measure(folder: Path, workers: int, repeats: int) -> list[Figure]:
    """All figures."""
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".wtb")
    if not files:
        raise SystemExit(f"{folder}: the folder has no file of games (.wtb)")
    games = validated(folder, 1)
    chunks = [path.read_bytes()[HEADER_BYTES:] for path in files]
    whole = sum(len(chunk) // SIZE for chunk in chunks)
    figures = [timed("replayed in the core, one thread", whole, repeats, partial(replayed, chunks))]
    counts = sorted({1, workers})
    for number in counts:
        figures += [
            timed(f"validated, {who(number)}", games, repeats, partial(validated, folder, number)),
            timed(f"the command, {who(number)}", games, repeats, partial(command, folder, number)),
        ]
    entries = list(islice((entry for path in files for entry in read_wthor_file(path)), TEXT_GAMES))
    with tempfile.TemporaryDirectory() as name:
        for form in FORMATS:
            text = Path(name, f"games.{form}")
            write = partial(written, [entry.record for entry in entries], form, text)
            figures.append(timed(f"written as {form}", len(entries), max(1, repeats // 2), write))
            figures += [
                timed(
                    f"as {form}, {who(number)}",
                    len(entries),
                    max(1, repeats // 2),
                    partial(validated, text, number),
                )
                for number in (counts if form == "pgn" else [1])
            ]
    return figures


def written(records: list[Record], form: str, path: Path) -> None:
    """Write records to a file."""
    writer = format_named(form).writer()
    path.write_bytes(b"".join([*map(writer.add, records), writer.finish()]))


def replayed(chunks: list[bytes]) -> None:
    """Replay games in the core."""
    for chunk in chunks:
        replay_chunk(chunk)


def who(workers: int) -> str:
    """Return the number of workers in words."""
    return f"{workers} worker{'s' if workers > 1 else ''}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    yardstick = factors()
    with tempfile.TemporaryDirectory() as name:
        if options.folder is None:
            make(Path(name), MADE)
        figures = measure(options.folder or Path(name), options.workers, options.repeats)
    if options.json:
        print(json.dumps({"yardstick": yardstick, "figures": [asdict(figure) for figure in figures]}))
        return
    print(f"yardstick {yardstick}")
    print(f"{'':34} {'games':>8} {'seconds':>8} {'games/s':>10} {'processor':>10}")
    for figure in figures:
        row = f"{figure.what:34} {figure.games:8} {figure.seconds:8.2f} {figure.rate:10,.0f}"
        print(f"{row} {figure.processor:8.2f} s")


if __name__ == "__main__":
    main()
