"""Solving on a cluster: as fast as threads, and nothing lost or doubled when processes die.

    python benchmarks/cluster.py fit     FILE [--seconds 60]
    python benchmarks/cluster.py compare FILE [--processes 2] [--runs 1]
    python benchmarks/cluster.py resume  FILE [--kills 10]
    python benchmarks/cluster.py attack  FILE [--seconds 300] [--every 20] [--workers 4]
    python benchmarks/cluster.py resume-proof FILE [--kills 5] [--rules RULES] [--frontier-empties N]
    python benchmarks/cluster.py attack-proof FILE [--seconds 300] [--every 20] [--workers 4] [--rules …]
    python benchmarks/cluster.py overhead FILE

FILE is a file of positions, such as hard-20.obf. ``fit`` measures the nodes of positions made from these by
random moves, fits them by empty squares and mobility, and checks the fit on a third of them. ``compare`` solves
the file with threads and on ``local:N`` and compares values, wall-clock time and user time of all processes; on
a busy machine only the user time says something. ``resume`` kills the client, a worker and the scheduler in
turn, at random moments, continues the file of results, and looks for every position once. ``attack`` kills a
worker every few seconds while runs go on, which must end with every position once. ``resume-proof`` and
``attack-proof`` do the same while ``reversi prove --cluster --store`` proves each position, and compare the values
with those of the solver. ``overhead`` measures what a task, a position and a message cost client, scheduler and
worker in CPU time (on Linux), with the positions of FILE, played on to 5 empty squares.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import itertools
import json
import math
import os
import pickle
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from reversi import Move, Position
from reversi.inputs.input import positions_in
from reversi.rules import OTHELLO, Rules, parse_rules
from reversi.solver import Question, SearchSettings, Solution, SolveProgress, Solver, SolveRun
from reversi.solver.costs import estimated_nodes
from reversi.solver.jobs import SolveWork, kept_solver
from reversi.text import format_board
from reversi.work import connect
from reversi.work.cluster.workers import ClusterWorkers

HERE = "127.0.0.1"
LOOPBACK = ("--no-dashboard", "--dashboard-address", f"{HERE}:0")


def positions_of(path: Path, rules: Rules = OTHELLO) -> list[Position]:
    """The positions of a file."""
    entries = positions_in(path.read_text("utf-8"), rules)
    return [entry.position for entry in entries if entry.position is not None]


# --- the model of costs


def fit(path: Path, seconds: float) -> None:
    """Fit nodes by empty squares and mobility."""
    chance, starts, rows = random.Random(7), positions_of(path), []
    end = time.process_time() + seconds
    while time.process_time() < end:
        position = chance.choice(starts)
        wanted = position.empties - chance.randrange(1, 13)
        while position.empties > wanted and not position.is_over:
            position = position.play(chance.choice(list(position.legal_moves)))
        if not position.is_over:
            nodes = Solver(16).ask(position, Question()).score.nodes
            mobility = position.legal_moves.placements.bit_count()
            rows.append((position.empties, math.log2(1 + mobility), max(1, nodes), estimated_nodes(position)))
    data = np.array(rows)
    wanted_log, seen = np.log2(data[:, 2]), len(rows) * 2 // 3
    for name, columns in (("empties", [0]), ("empties, mobility", [0, 1])):
        given = np.c_[np.ones(len(rows)), data[:, columns]]
        weights = np.linalg.lstsq(given[:seen], wanted_log[:seen], rcond=None)[0]
        wrong = wanted_log[seen:] - given[seen:] @ weights
        found = ", ".join(f"{weight:.3f}" for weight in weights)
        print(f"{name}: log2 nodes = {found}; rms error {wrong.std():.2f} on {len(wrong)} unseen positions")
    wrong = wanted_log - np.log2(data[:, 3])
    share = data[:, 3].sum() / data[:, 2].sum()
    print(
        f"estimated_nodes: rms error {(wrong**2).mean() ** 0.5:.2f}, sum of predictions {share:.2f} of the nodes"
    )


# --- against threads


def compare(path: Path, processes: int, runs: int) -> None:
    """Solve with threads and on local processes in turn; compare the best runs of both."""
    best: dict[str, tuple[float, float]] = {}
    values: list[dict[int, int]] = []
    ways = {"threads": ["--threads", str(processes)], "cluster": ["--cluster", f"local:{processes}"]}
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, options) in enumerate(list(ways.items()) * runs):
            output, before, began = Path(folder, str(number)), _used(), time.perf_counter()
            run = [*_solve(path), *options, "--output", str(output)]
            subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
            seconds, (user, system) = time.perf_counter() - began, _used() - before
            lines = [json.loads(line) for line in output.read_bytes().splitlines()]
            nodes = sum(line["nodes"] for line in lines)
            print(f"{name}: {len(lines)} results, {nodes:,d} nodes,", end=" ")
            print(f"{seconds:.2f} s, user {user:.1f} s, system {system:.1f} s", flush=True)
            values.append({line["index"]: line["score"] for line in lines})
            earlier = best.get(name, (math.inf, math.inf))
            best[name] = min(seconds, earlier[0]), min(user, earlier[1])
    print("same values" if all(found == values[0] for found in values) else "DIFFERENT VALUES")
    (seconds, user), (longer, more) = best["threads"], best["cluster"]
    print(f"cluster/threads, best of {runs}: time {longer / seconds:.2f}, user time {more / user:.2f}")


def _used() -> np.ndarray:
    """The user and system time of all processes that were started and have ended."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return np.array([found.ru_utime, found.ru_stime])


def _solve(path: Path) -> list[str]:
    return [sys.executable, "-m", "reversi", "solve", str(path), "--json"]


def _check(path: Path) -> list[str]:
    """The option that compares results with annotated scores, if there are any."""
    entries = positions_in(path.read_text("utf-8"))
    return ["--check"] if any(entry.annotated or entry.score is not None for entry in entries) else []


# --- processes that die


class Own:
    """A scheduler and workers of one thread each on the loopback, in processes to be killed."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.file = folder / "scheduler.json"
        self._log = (folder / "log").open("ab")
        self._folder = folder
        self.scheduler: subprocess.Popen[bytes]
        self.workers: list[subprocess.Popen[bytes]] = []
        self._count = workers
        self.start_scheduler()

    def start_scheduler(self) -> None:
        """Start a scheduler and its workers."""
        self.file.unlink(missing_ok=True)
        self.scheduler = self._start(
            "scheduler", "--port", "0", "--no-dashboard", "--dashboard-address", f"{HERE}:0"
        )
        while not self.file.exists() or not self.file.read_bytes().strip():
            time.sleep(0.05)
        self.workers = [self._worker() for _ in range(self._count)]

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        command = [
            sys.executable,
            "-m",
            "dask",
            kind,
            "--host",
            HERE,
            "--scheduler-file",
            str(self.file),
            *options,
        ]
        return subprocess.Popen(command, stdout=self._log, stderr=self._log, cwd=self._folder)

    def _worker(self) -> subprocess.Popen[bytes]:
        return self._start("worker", "--nthreads", "1", "--no-nanny", "--memory-limit", "0", *LOOPBACK)

    def kill_worker(self, number: int) -> None:
        """Kill a worker, and start another one."""
        self._kill(self.workers[number])
        self.workers[number] = self._worker()

    def kill_scheduler(self) -> None:
        """Kill the scheduler; its workers end."""
        for process in (self.scheduler, *self.workers):
            self._kill(process)

    def _kill(self, process: subprocess.Popen[bytes]) -> None:
        process.send_signal(signal.SIGKILL)
        process.wait()

    def close(self) -> None:
        """End everything."""
        self.kill_scheduler()
        self._log.close()


@contextlib.contextmanager
def own_cluster(folder: Path, workers: int) -> Iterator[Own]:
    """A cluster that ends with the block."""
    own = Own(folder, workers)
    try:
        yield own
    finally:
        own.close()


def _lines(output: Path) -> int:
    return output.read_bytes().count(b"\n") if output.exists() else 0


def _verdict(path: Path, output: Path) -> None:
    """See that every position has one result, and that the results are right."""
    lines = [json.loads(line) for line in output.read_bytes().splitlines()]
    counts = Counter(line["index"] for line in lines)
    positions = positions_of(path)
    once = sorted(counts) == list(range(1, len(positions) + 1)) and set(counts.values()) == {1}
    wrong = sum(line.get("ok") is False for line in lines)
    print(
        f"{len(lines)} lines for {len(positions)} positions: {'each once' if once else 'NOT EACH ONCE'}; ", end=""
    )
    print(f"{sum(line.get('ok') is True for line in lines)} right, {wrong} wrong by the annotated scores")


def resume(path: Path, kills: int) -> None:
    """Kill the client, a worker, the scheduler in turn, and continue."""
    chance = random.Random(3)
    count = len(positions_of(path))
    with tempfile.TemporaryDirectory() as name, own_cluster(Path(name), 2) as own:
        output = Path(name, "results.jsonl")
        command = [*_solve(path), *_check(path), "--output", str(output), "--resume", "--cluster", str(own.file)]
        moments = sorted(chance.randrange(1, max(2, count - 10)) for _ in range(kills))
        client: subprocess.Popen[str] | None = None
        for number, moment in enumerate(moments):
            who = ("client", "worker", "scheduler")[number % 3]
            if client is None:
                client = _client(command)
            while client.poll() is None and _lines(output) < moment:
                time.sleep(0.005)
            time.sleep(chance.random() / 2)
            if who == "client":
                client.kill()
            elif who == "worker":
                own.kill_worker(chance.randrange(2))
            else:
                own.kill_scheduler()
            held = _lines(output)
            print(f"kill {number + 1}: {who} after {held} lines", end="", flush=True)
            if who != "worker":
                message = client.communicate()[1]
                print(f"; status {client.returncode} {message.strip()}", end="")
                client = None
            if who == "scheduler":
                own.start_scheduler()
            print(flush=True)
        if client is not None:
            client.communicate()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        _verdict(path, output)


def _client(command: list[str], output: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
    return subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE, text=True)


class Attacker:
    """Kills a random worker every few seconds, up to a moment.

    Attributes:
        killed: the workers killed so far.
    """

    def __init__(self, own: Own, workers: int, seconds: float, every: float) -> None:
        self._own, self._workers, self._every = own, workers, every
        self._chance = random.Random(5)
        self._end, self._due = time.monotonic() + seconds, time.monotonic() + every
        self.killed = 0

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() >= self._end

    def wait(self, client: subprocess.Popen[str]) -> None:
        """Wait until a client ends, and kill workers meanwhile."""
        while client.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                client.wait(max(0.0, self._due - time.monotonic()) if self._due < self._end else None)
            if time.monotonic() >= self._due and self._due < self._end:
                self._own.kill_worker(self._chance.randrange(self._workers))
                self.killed += 1
                self._due += self._every


def attack(path: Path, seconds: float, every: float, workers: int) -> None:
    """Kill a worker every few seconds; start the run anew while there is time left."""
    with tempfile.TemporaryDirectory() as name, own_cluster(Path(name), workers) as own:
        attacker = Attacker(own, workers, seconds, every)
        runs = 0
        while not attacker.is_over:
            runs += 1
            output = Path(name, f"results{runs}.jsonl")
            command = [*_solve(path), *_check(path), "--output", str(output), "--cluster", str(own.file)]
            client = _client(command)
            attacker.wait(client)
            print(f"run {runs}: status {client.returncode}, {attacker.killed} workers killed so far; ", end="")
            _verdict(path, output)


# --- the same for proofs


def resume_proof(path: Path, kills: int, rules: Rules, options: list[str]) -> None:
    """Kill the client, a worker, the scheduler in turn while a position is proved, and continue from the store."""
    chance = random.Random(3)
    for position in positions_of(path, rules):
        expected = _value(position)
        with tempfile.TemporaryDirectory() as name, own_cluster(Path(name), 2) as own:
            command = _prove(position, Path(name, "store.sqlite"), own, options)
            client = _client(command, subprocess.PIPE)
            for number in range(kills):
                with contextlib.suppress(subprocess.TimeoutExpired):
                    client.wait(1 + 3 * chance.random())
                if client.poll() is not None:
                    print("done before", end=" ")
                    break
                who = ("client", "worker", "scheduler")[number % 3]
                print(f"kill {number + 1}: {who}", end="; ", flush=True)
                if who == "worker":
                    own.kill_worker(chance.randrange(2))
                    continue
                if who == "client":
                    client.kill()
                else:
                    own.kill_scheduler()
                print(f"status {client.wait()}", end="; ")
                if who == "scheduler":
                    own.start_scheduler()
                client = _client(command, subprocess.PIPE)
            _proof_verdict(client, expected)


def attack_proof(path: Path, seconds: float, every: float, workers: int, rules: Rules, options: list[str]) -> None:
    """Kill a worker every few seconds; prove the positions again and again while there is time left."""
    found = [(position, _value(position)) for position in positions_of(path, rules)]
    with tempfile.TemporaryDirectory() as name, own_cluster(Path(name), workers) as own:
        attacker = Attacker(own, workers, seconds, every)
        for number, (position, expected) in enumerate(itertools.cycle(found)):
            if attacker.is_over:
                break
            command = _prove(position, Path(name, f"store{number}.sqlite"), own, options)
            client = _client(command, subprocess.PIPE)
            attacker.wait(client)
            print(f"{attacker.killed} workers killed so far", end="; ")
            _proof_verdict(client, expected)


def _value(position: Position) -> int:
    return Solver(256).ask(position, Question()).score.lower


def _prove(position: Position, store: Path, own: Own, options: list[str]) -> list[str]:
    text = f" {position.cells} {position.to_move.symbol}"  # the blank: it is no option
    rest = ["--rules", str(position.rules), "--store", str(store), "--cluster", str(own.file), "--json", *options]
    return [sys.executable, "-m", "reversi", "prove", text, *rest]


def _proof_verdict(client: subprocess.Popen[str], expected: int) -> None:
    """See that a proof ended with the right value."""
    output, message = client.communicate()
    fields = json.loads(output) if client.returncode == 0 else {}
    is_right = fields.get("lower") == fields.get("upper") == expected
    print(
        f"status {client.returncode} {message.strip()}{output.strip()}: {'right' if is_right else 'WRONG'}",
        flush=True,
    )


# --- what messages cost


def overhead(path: Path) -> None:
    """Measure the costs that `cluster_simulator.py` assumes."""
    chance, found = random.Random(1), []
    for start in positions_of(path) * 20:
        position = start
        while position.empties > 5 and not position.is_over:
            position = position.play(chance.choice(list(position.legal_moves)))
        if not position.is_over:
            found.append(position)
    with (
        tempfile.TemporaryDirectory() as name,
        own_cluster(Path(name), 1) as own,
        connect(str(own.file)) as connection,
    ):
        while not connection.threads:
            time.sleep(0.05)
        processes = {"client": os.getpid(), "scheduler": own.scheduler.pid, "worker": own.workers[0].pid}

        def report(what: str, count: int, before: dict[str, float]) -> None:
            used = ", ".join(
                f"{each} {1e3 * (cpu_s(process) - before[each]) / count:.2f} ms"
                for each, process in processes.items()
            )
            print(f"{what} ({count}): {used}", flush=True)

        def now() -> dict[str, float]:
            return {each: cpu_s(process) for each, process in processes.items()}

        solver = functools.partial(kept_solver, SearchSettings(1))
        workers: ClusterWorkers[int, Solution] = ClusterWorkers(connection, "position")
        for repeat, count in enumerate((10, 1000)):
            before, sent, came = now(), 0, 0
            while came < count:
                while workers.is_free and sent < count:
                    workers.send(sent, SolveWork(found[sent % len(found)], Question(), solver))
                    sent += 1
                came += workers.next(1.0) is not None
            if repeat:
                report("a task of one position", count, before)
        workers.close()

        text = "\n".join(format_board(position) for position in found)
        before = now()
        output = Path(name, "results.jsonl")
        with SolveRun(lambda: positions_in(text), output=output, hash_mb=1, cluster=connection) as run:
            assert sum(1 for _ in run) == len(found)
        report("a position, from the file to the line of its result", len(found), before)

        connection.client.subscribe_topic("overhead", lambda event: None)
        before, count = now(), 5000
        connection.client.submit(talk, count, pure=False).result()
        time.sleep(1)
        report("a message about progress", count, before)


def talk(count: int) -> None:
    """Send messages, in a task on a worker."""
    from distributed import get_worker

    worker = get_worker()
    progress = pickle.dumps(SolveProgress(-2, 4, Move.parse("a1"), 1_000_000, 1.0), pickle.HIGHEST_PROTOCOL)
    news = {"task": 1, "job": 1, "amount": 1_000_000, "progress": progress}
    for _ in range(count):
        worker.log_event("overhead", news)


def cpu_s(process: int) -> float:
    """The CPU time of a process so far."""
    words = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Do what the command line asks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = ("fit", "compare", "resume", "attack", "resume-proof", "attack-proof", "overhead")
    parser.add_argument("what", choices=what)
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--kills", type=int)
    parser.add_argument("--every", type=float, default=20)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--rules", type=parse_rules, default=OTHELLO, help="of the positions of a proof")
    parser.add_argument("--frontier-empties", metavar="N", help="as for 'reversi prove'")
    asked = parser.parse_args()
    options = ["--frontier-empties", asked.frontier_empties] if asked.frontier_empties else []
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if asked.what == "fit":
        fit(asked.file, asked.seconds or 60)
    elif asked.what == "compare":
        compare(asked.file, asked.processes, asked.runs)
    elif asked.what == "resume":
        resume(asked.file, asked.kills or 10)
    elif asked.what == "overhead":
        overhead(asked.file)
    elif asked.what == "resume-proof":
        resume_proof(asked.file, asked.kills or 5, asked.rules, options)
    elif asked.what == "attack-proof":
        attack_proof(asked.file, asked.seconds or 300, asked.every, asked.workers, asked.rules, options)
    else:
        attack(asked.file, asked.seconds or 300, asked.every, asked.workers)


if __name__ == "__main__":
    main()
