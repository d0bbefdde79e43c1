"""Analyzing games: how fast, how exact, mistakes without a reason, and whether a killed run loses anything.

    python benchmarks/analysis.py speed  GAMES [--games 1000] [--level 10] [--exact-from 18] [--workers 1 2]
    python benchmarks/analysis.py errors GAMES [--games 60] [--exact-from 22]
    python benchmarks/analysis.py reasons GAMES... [--games 15] [--level 12] [--exact-from 18] [--show 50]
    python benchmarks/analysis.py kills  GAMES [--games 60] [--kills 10]

GAMES is a file of games, such as WTH_2009.wtb; the games are a random sample with a fixed seed. ``speed`` gives
games per second, and processor time, which says more on a busy machine. ``errors`` analyzes the games with exact
values and with heuristic values alone, and compares the losses of the turns that both judge. ``reasons`` takes
games of each file, counts the moves that lose six discs or more without a reason against them, with the expected
lines and without, and shows some of these moves. ``kills`` kills ``reversi analyze --output FILE --resume`` at
random moments, and counts every game in the file at the end.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from reversi import Analysis, Rules
from reversi.analysis import AnalysisRun, AnalyzedTurn, Analyzer, GameInput, analyzer
from reversi.engine.levels import Level, level_for
from reversi.records import Record, format_records
from reversi.records.sources.opening import open_source
from reversi.session.sentences import remark_lines
from reversi.text import format_board

HEAD = b'{"index":'
LEVELS = (4, 6, 8, 10, 12, 14)


def sample(path: Path, count: int) -> list[Record]:
    """Some games of a file."""
    with open_source(str(path)) as source:
        records = [entry.record for entry in source.entries() if entry.record.moves]
    return random.Random(5).sample(records, min(count, len(records)))


def speed(records: list[Record], level: int, exact_from: int, workers: list[int]) -> None:
    """Games per second."""
    games = [GameInput(index, "", index, record) for index, record in enumerate(records, 1)]
    print("workers  games  seconds  games/s  processor s  games per processor second")
    for count in workers:
        began, used = time.perf_counter(), time.process_time()
        with AnalysisRun(lambda: games, level=level, exact_from=exact_from, workers=count) as run:
            done = sum(game.analysis.complete for game in run)
        seconds, used = time.perf_counter() - began, time.process_time() - used
        rates = f"{done / seconds:7.1f}  {used:11.1f}  {done / used:.1f}"
        print(f"{count:7d}  {done:5d}  {seconds:7.1f}  {rates}", flush=True)


def errors(records: list[Record], exact_from: int) -> None:
    """The errors of heuristic losses."""
    truth = [Analyzer(level=10, exact_from=exact_from).analyze(record) for record in records]
    # heuristic values all the way: nothing is solved
    with patch.multiple(analyzer, _SURELY_SOLVED=0, _CHEAP_NODES=0, level_for=_unsolved):
        _compare(records, truth, exact_from)


def _unsolved(number: int, *rules: Rules) -> Level:
    return replace(level_for(number, *rules), solve_from=0, exact_from=0)


def _compare(records: list[Record], truth: list[Analysis], exact_from: int) -> None:
    print("level  turns  rms error of the loss  mean loss  exact mean loss  best moves with a sign")
    for level in LEVELS:
        guess = Analyzer(level=level, exact_from=0)
        wrong, found, right, best, signs = [], 0, 0, 0, 0
        for record, known in zip(records, truth, strict=True):
            for one, other in zip(guess.analyze(record).turns, known.turns, strict=True):
                if one.forced or not max(17, level + 1) <= one.position.empties <= exact_from:
                    continue
                wrong.append(one.loss - other.loss)
                found, right = found + one.loss, right + other.loss
                if not other.loss:
                    best += 1
                    signs += one.judgement is not None and one.judgement.is_error
        rms = (sum(error * error for error in wrong) / len(wrong)) ** 0.5
        means = f"{found / len(wrong):9.2f}  {right / len(wrong):15.2f}"
        print(f"{level:5d}  {len(wrong):5d}  {rms:21.2f}  {means}  {100 * signs / best:20.1f} %", flush=True)


def mistakes(records: list[Record], level: int, exact_from: int, show: int) -> None:
    """Moves that lose much, and the reasons against them."""
    judge = Analyzer(level=level, exact_from=exact_from)
    found: list[tuple[AnalyzedTurn, AnalyzedTurn | None]] = []
    for record in records:
        turns = judge.analyze(record).turns
        found += [
            (turn, after)
            for turn, after in itertools.zip_longest(turns, turns[1:])
            if turn.loss >= 6 and not turn.is_best
        ]
    silent = dict.fromkeys(("with the expected lines", "without"), 0)
    shown = random.Random(5).sample(range(len(found)), min(show, len(found)))
    for number, (turn, after) in enumerate(found):
        line = after.pv if after else ()
        known = functools.partial(remark_lines, turn.position, turn.move, better=turn.pv[0])
        said = known(20, line=line, better_line=turn.pv[1:])
        for name, texts in zip(silent, (said, known(20)), strict=True):
            silent[name] += not any(text.startswith("-") for text in texts)
        if number in shown:
            print(format_board(turn.position))
            print(f"{turn.move} {turn.score}, then {' '.join(map(str, line))}")
            print(f"{turn.best_score} with {' '.join(map(str, turn.pv))}")
            print(*said, "", sep="\n", flush=True)
    print(f"{len(found)} moves of {len(records)} games lose six discs or more; without a reason against them:")
    for name, count in silent.items():
        print(f"{name}: {count}, {100 * count / len(found):.1f} %")


def kills(records: list[Record], times: int) -> None:
    """Kill a run, continue it, and look for every game."""
    with tempfile.TemporaryDirectory() as folder:
        games, path = Path(folder, "games.pgn"), Path(folder, "a.jsonl")
        games.write_text("".join(format_records(records)), encoding="utf-8")
        command = [sys.executable, "-m", "reversi", "analyze", str(games), "--level", "8", "--exact-from", "14"]
        command += ["--output", str(path), "--resume"]
        chance = random.Random(1)
        for number in range(1, times + 1):
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            before = path.stat().st_size if path.exists() else 0
            wanted = before + chance.randrange(1, 80_000)
            while process.poll() is None and (not path.exists() or path.stat().st_size < wanted):
                time.sleep(0.002)
            process.kill()
            status = process.wait()
            data = path.read_bytes()
            print(f"kill {number}: status {status}, {data.count(HEAD)} lines begun", flush=True)
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        found = sorted(json.loads(line)["game"] for line in path.read_bytes().splitlines())
        print("each game once" if found == list(range(1, len(records) + 1)) else f"wrong: {found}")


def main() -> None:
    """Do what the command line asks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "errors", "reasons", "kills"))
    parser.add_argument("files", metavar="GAMES", type=Path, nargs="+")
    parser.add_argument("--games", type=int)
    parser.add_argument("--level", type=int)
    parser.add_argument("--exact-from", type=int)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--show", type=int, default=0)
    asked = parser.parse_args()
    count = asked.games or {"speed": 1000, "reasons": 15}.get(asked.what, 60)
    records = [record for path in asked.files for record in sample(path, count)]
    exact_from = 18 if asked.exact_from is None else asked.exact_from
    if asked.what == "speed":
        speed(records, asked.level or 10, exact_from, asked.workers)
    elif asked.what == "reasons":
        mistakes(records, asked.level or 12, exact_from, asked.show)
    elif asked.what == "errors":
        errors(records, 22 if asked.exact_from is None else asked.exact_from)
    else:
        kills(records, asked.kills)


if __name__ == "__main__":
    main()
