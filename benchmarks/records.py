"""Games of an archive checked: replayed in the core, validated with one worker and several, by the command, as
text.

    python benchmarks/records.py [FOLDER] [--workers 2] [--repeats 5] [--json]

FOLDER has files of games in WTHOR; without one, 100,000 random games are made in that format. Every figure is the
median of several repeats by the clock on the wall, since the work is shared: on a busy machine it says little.
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
from reversi.records import write_records
from reversi.records.wthor import SIZE, read_wthor_file, replay_chunk
from reversi.records.wthor_header import HEADER_BYTES
from reversi.validation import FileDone, Validation
from yardstick import factors

MADE = 100_000
TEXT_GAMES = 12_000


@dataclass(frozen=True)
class Figure:
    """One measurement: what, how many games, and the median of the seconds."""

    what: str
    games: int
    seconds: float

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


def median(repeats: int, work: Callable[[], object]) -> float:
    """The median of the seconds that ``work`` takes."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def validated(path: Path, workers: int) -> int:
    """Check everything below a path; the number of games."""
    events = Validation(workers=workers).check([str(path)])
    return sum(event.games for event in events if isinstance(event, FileDone))


def command(path: Path, workers: int) -> None:
    """The same by the command, its start included."""
    run = [sys.executable, "-m", "reversi", "record", "validate", str(path), "--workers", str(workers)]
    done = subprocess.run(run, check=False, capture_output=True, env=dict(os.environ))
    if done.returncode > 1:
        raise SystemExit(done.stderr.decode())


def measure(folder: Path, workers: int, repeats: int) -> list[Figure]:
    """All figures."""
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".wtb")
    if not files:
        raise SystemExit(f"{folder}: no file of games (.wtb)")
    games = validated(folder, 1)
    chunks = [path.read_bytes()[HEADER_BYTES:] for path in files]
    figures = [
        Figure(
            "replayed in the core, one thread",
            sum(len(chunk) // SIZE for chunk in chunks),
            median(repeats, lambda: [replay_chunk(chunk) for chunk in chunks]),
        )
    ]
    counts = sorted({1, workers})
    for number in counts:
        figures += [
            Figure(f"validated, {who(number)}", games, median(repeats, partial(validated, folder, number))),
            Figure(f"the command, {who(number)}", games, median(repeats, partial(command, folder, number))),
        ]
    with tempfile.TemporaryDirectory() as name:
        text = Path(name, "games.pgn")
        entries = list(islice((entry for path in files for entry in read_wthor_file(path)), TEXT_GAMES))
        text.write_text("".join(write_records(entry.record for entry in entries)), encoding="utf-8")
        for number in counts:
            seconds = median(max(1, repeats // 2), partial(validated, text, number))
            figures.append(Figure(f"as text, {who(number)}", len(entries), seconds))
    return figures


def who(workers: int) -> str:
    """So many workers in words."""
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
    for figure in figures:
        print(f"{figure.what:40} {figure.games:8} games {figure.seconds:8.3f} s {figure.rate:12,.0f} games/s")


if __name__ == "__main__":
    main()
