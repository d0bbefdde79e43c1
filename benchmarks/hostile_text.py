"""Measure every reader, and every command that reads, on every hostile text, at n and 4n bytes.

    python benchmarks/hostile_text.py [commands|readers] [--only WORD] [--text WORD] [--size N] [--details FILE]

The texts come from `tests/fuzz/hostile.py`. All times are CPU times. For each command and reader the program
prints the text with the largest ratio time(4n) / time(n), the slowest text with its seconds per megabyte, and
the text that takes the most memory. Memory is the peak above what the command takes for a small file; the
readers share a process, so they have none. `--details` writes every figure to a file, one on a line. The exit
status is 1 where a ratio reaches 6.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, TextIO

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "fuzz"))

from hostile import FILES
from hostile_commands import COMMANDS, SIZES, Commands
from hostile_readers import MOST, READERS, growth

SIZE: Final = 4_000
LARGEST: Final = 128_000


class Row(NamedTuple):
    """A command or reader on a text: 4n, the ratio, and the CPU seconds, megabytes and status for 4n bytes."""

    text: str
    size: int
    ratio: float
    seconds: float
    megabytes: float
    status: int = 0
    error: str = ""

    @property
    def pace(self) -> float:
        """CPU seconds for a megabyte."""
        return self.seconds * 1e6 / self.size


def of_reader(name: str, text: str, size: int) -> Row:
    """Measure a reader, with longer texts while the time is too short or the ratio too large.

    Where one reader takes over from another, the time makes one step; a ratio that stays is that of the reader.
    """
    while True:
        small, large = FILES[text](size), FILES[text](4 * size)
        found = growth(READERS[name], small, large, tries=4)
        ratio = found.large / max(found.small, 0.003)
        enough = found.large >= 0.02 and ratio < MOST
        if enough or 16 * size > (LARGEST if ratio < MOST else 4 * LARGEST):
            return Row(text, 4 * size, ratio, found.large, 0)
        size *= 4


def rows(options: argparse.Namespace) -> Iterator[tuple[str, Iterator[Row]]]:
    """Yield each command and reader, with its rows."""
    texts = [text for text in FILES if all(word in text for word in options.text)]
    wanted: Callable[[str], bool] = lambda name: not options.only or any(word in name for word in options.only)  # noqa: E731
    if options.what != "readers":
        with Commands() as commands:
            for name in filter(wanted, COMMANDS):
                yield (
                    name,
                    (
                        Row(
                            text, *commands.growth(name, FILES[text], SIZES.get(name, options.size), LARGEST, MOST)
                        )
                        for text in texts
                    ),
                )
    if options.what != "commands":
        for name in filter(wanted, READERS):
            yield f"reader: {name}", (of_reader(name, text, options.size) for text in texts)


def print_row(name: str, found: list[Row]) -> None:
    """Print the worst of the rows of a command."""
    steep, slow = max(found, key=lambda row: row.ratio), max(found, key=lambda row: row.pace)
    most = max(found, key=lambda row: row.megabytes)
    print(
        f"| {name} | {len(found)} | {steep.text} | {steep.ratio:.1f} | {slow.text} | {slow.pace:.1f} "
        f"| {most.text} | {max(0.0, most.megabytes):.0f} |",
        flush=True,
    )


def main() -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("what", nargs="?", choices=["all", "commands", "readers"], default="all")
    parser.add_argument("--only", action="append", default=[], help="only what has this word in its name")
    parser.add_argument("--text", action="append", default=[], help="only the texts with this word")
    parser.add_argument("--size", type=int, default=SIZE, help=f"the first n, in bytes (default {SIZE})")
    parser.add_argument("--details", type=argparse.FileType("w"), help="write every figure to this file")
    options = parser.parse_args()
    details: TextIO | None = options.details
    print("| command | texts | steepest | ratio | slowest | s/MB | most memory | MB |")
    print("|---|---:|---|---:|---|---:|---|---:|")
    bad: list[tuple[str, Row]] = []
    for name, measured in rows(options):
        found = []
        for row in measured:
            found.append(row)
            if details is not None:
                print(
                    name, *(f"{one:.3f}" if isinstance(one, float) else one for one in row), sep="\t", file=details
                )
                details.flush()
            if row.ratio >= MOST or row.status not in (0, 1, 2, 3, 65):
                bad.append((name, row))
        print_row(name, found)
    for name, row in bad:
        print(f"{name}: {row}", file=sys.stderr)
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
