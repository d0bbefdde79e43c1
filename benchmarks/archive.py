"""An archive of games: validated, imported, explored, copied, cleared of duplicates; CPU time and peak memory.

    python benchmarks/archive.py FOLDER [--trees OLD NEW] [--sizes 1 2 4] [--take 4] [--only import] [--markdown]

FOLDER has WTHOR files with their names. The program copies them under other years, so that an archive of several
times the size has other games, and writes the same games as PGN-like text with dates, comments and clocks. Every
figure is a command with one worker in its own process: processor seconds, and the most memory that it had. The
commands are the same for all trees, which are folders with `src/reversi` and its compiled modules.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from reversi.records import format_records
from reversi.records.formats.wthor.reader import read_wthor_file
from reversi.records.record import Record

YEAR_AT: Final = 10
"""Where the header of a WTHOR file has the year."""

APART: Final = 60
"""Years between a game and its copy."""

COMMANDS: Final = {
    "validate": ["record", "validate", "{games}", "--workers", "1"],
    "import": ["db", "import", "{games}", "--db", "{out}/games.duckdb", "--workers", "1"],
    "import again": ["db", "import", "{games}", "--db", "{out}/games.duckdb", "--workers", "1"],
    "explore": ["explore", "f5d6c3d3c4", "{out}/games.duckdb", "--no-values"],
    "games, text": ["record", "filter", "{out}/games.duckdb", "-o", "{out}/games.pgn"],
    "games, parquet": ["record", "filter", "{out}/games.duckdb", "-o", "{out}/records.parquet"],
    **{
        f"{table}, {form}": [
            *("record", "convert", "{out}/games.duckdb", f"{{out}}/{table}.{form}", "--table", table)
        ]
        for table, form in (
            ("games", "csv"),
            ("positions", "csv"),
            ("positions", "parquet"),
            ("positions", "arrow"),
        )
    },
    "dedupe": ["record", "dedupe", "{games}", "-o", "{out}/one.pgn", "--workers", "1"],
    "merge, parquet": ["record", "merge", "{games}", "-o", "{out}/merged.parquet"],
    "convert, parquet": ["record", "convert", "{file}", "{out}/converted.parquet"],
    "filter, parquet": ["record", "filter", "{games}", "--year", "1900-", "-o", "{out}/some.parquet"],
}
"""Each command. `{file}` is one file of games, which WTHOR years are not."""


@dataclass(frozen=True)
class Figure:
    """What a command took: its tree, games, processor seconds and megabytes."""

    tree: str
    form: str
    size: int
    what: str
    games: int
    seconds: float
    memory: int


def copies(folder: Path, target: Path, size: int, take: int) -> int:
    """Copy WTHOR files ``size`` times under other years; return the number of games."""
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".wtb")[::take]
    for names in (path for path in folder.iterdir() if path.suffix.lower() in (".jou", ".trn")):
        shutil.copy(names, target)
    games = 0
    for copy in range(size):
        for path in files:
            data = bytearray(path.read_bytes())
            (count, year) = struct.unpack_from("<I2xH", data, 4)
            struct.pack_into("<H", data, YEAR_AT, year + APART * copy)
            (target / f"{path.stem}-{copy}.wtb").write_bytes(data)
            games += count
    return games


def as_text(folder: Path, target: Path) -> None:
    """Write the games of WTHOR files as text with dates, comments and clocks."""
    with target.open("w", encoding="utf-8") as file:
        for path in sorted(folder.glob("*.wtb")):
            records = (annotated(entry.record, entry.number) for entry in read_wthor_file(path))
            file.writelines(f"{text}\n" if number else text for number, text in enumerate(format_records(records)))
            file.write("\n")


def annotated(record: Record, number: int) -> Record:
    """Add what the records of other programs have: a full date, a round, a clock, some comments."""
    record.tags["Date"] = f"{record.tags['Date'][:4]}.{number % 12 + 1:02}.{number % 28 + 1:02}"
    record.tags["Round"] = str(number % 11 + 1)
    for ply, node in enumerate(record.line.nodes):
        if ply % 2:
            node.clock = 1500.0 - 20 * ply
        if ply % 20 == 7:
            node.comments = ("a comment of some words",)
    return record


def measured(tree: Path, command: list[str]) -> tuple[float, int]:
    """Run a command; return its processor seconds and the most megabytes it had."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    process = subprocess.Popen(
        [sys.executable, "-m", "reversi", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment,
    )
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode > 1:
        raise SystemExit(f"{' '.join(command)}: {errors.decode()}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024


def figures(options: argparse.Namespace) -> Iterator[Figure]:
    """Yield all figures: for each size the trees in turn, so that a busy machine slows all of them."""
    wanted = {name: command for name, command in COMMANDS.items() if not options.only or name in options.only}
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as name:
            work = Path(name)
            (work / "wthor").mkdir()
            games = copies(options.folder, work / "wthor", size, options.take)
            forms = {"wthor": work / "wthor"}
            if "text" in options.forms:
                forms["text"] = work / "games.pgn"
                as_text(work / "wthor", work / "games.pgn")
            for form in options.forms:
                for tree in options.trees:
                    (work / tree.name / form).mkdir(parents=True)
                for what, command in wanted.items():
                    if "{file}" in command and not forms[form].is_file():
                        continue
                    for tree in options.trees:
                        out = work / tree.name / form
                        words = [word.format(games=forms[form], file=forms[form], out=out) for word in command]
                        yield Figure(tree.name, form, size, what, games, *measured(tree, words))
                for tree in options.trees:
                    shutil.rmtree(work / tree.name / form)


def table(found: list[Figure]) -> Iterator[str]:
    """Yield the lines of a table in Markdown: a row for each form and command, a column for each tree and size."""
    columns = list(dict.fromkeys((figure.tree, figure.size) for figure in found))
    games = {figure.size: figure.games for figure in found}
    titles = [f"{tree}, {size}x ({games[size]:,} games)" for tree, size in columns]
    yield "| | " + " | ".join(titles) + " |"
    yield "|" + " --- |" * (len(columns) + 1)
    cells = {(figure.form, figure.what, figure.tree, figure.size): figure for figure in found}
    for form, what in dict.fromkeys((figure.form, figure.what) for figure in found):
        row = [cells.get((form, what, tree, size)) for tree, size in columns]
        texts = ["" if figure is None else f"{figure.seconds:.1f} s, {figure.memory} MB" for figure in row]
        yield f"| {form}: {what} | " + " | ".join(texts) + " |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--trees", nargs="+", type=Path, default=[Path(__file__).resolve().parent.parent])
    parser.add_argument("--sizes", nargs="+", type=int, default=[1, 2, 4])
    parser.add_argument("--forms", nargs="+", choices=["wthor", "text"], default=["wthor", "text"])
    parser.add_argument("--take", type=int, default=4, help="take every Nth file")
    parser.add_argument("--only", action="append", choices=list(COMMANDS))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--markdown", action="store_true", help="print a table in Markdown at the end")
    options = parser.parse_args()
    kept: list[Figure] = []
    progress = sys.stderr if options.json or options.markdown else sys.stdout
    titles = f"{'tree':12} {'form':6} {'size':>4} {'games':>8} {'':20} {'processor':>11} {'memory':>8}"
    print(titles, file=progress)
    for figure in figures(options):
        kept.append(figure)
        what = f"{figure.tree:12} {figure.form:6} {figure.size:3}x {figure.games:8} {figure.what:20}"
        print(f"{what} {figure.seconds:9.2f} s {figure.memory:5} MB", file=progress, flush=True)
        if options.json:
            print(json.dumps(asdict(figure)), flush=True)
    if options.markdown:
        print("\n".join(table(kept)))


if __name__ == "__main__":
    main()
