"""Clusters: as fast as threads, nothing lost where they fail, what a network costs, and how far they scale.

    python benchmarks/cluster.py compare hard-20.obf            # with threads and on ``local:2``
    python benchmarks/cluster.py overhead hard-20.obf           # the CPU time of a task, a position and a message
    sudo python benchmarks/cluster.py faults                    # commands while hosts and networks fail
    sudo python benchmarks/cluster.py network                   # how busy workers are where messages take time
    sudo python benchmarks/cluster.py memory                    # of client and scheduler, for many small positions
    python benchmarks/cluster.py sample hard-20.obf out.jsonl   # what positions cost, for the following
    python benchmarks/cluster.py costs out.jsonl                # fitted, and extrapolated to 36 empty squares
    python benchmarks/cluster.py simulate out.jsonl             # on 8, 64, 512 and 4,096 workers
    python benchmarks/cluster.py check out.jsonl                # the simulation against Dask on this machine

Each has options (``--help``). The hosts are network namespaces of this machine, which only root can make, on
Linux. A switch in this process carries their frames: no module of the kernel is needed but ``tun``, and nothing
leaves the machine.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import heapq
import itertools
import json
import math
import os
import pickle
import random
import re
import resource
import select
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import typer

from reversi import PASS, Move, Position
from reversi.games import open_records
from reversi.inputs.input import positions_in
from reversi.records.replay import positions
from reversi.solver import Batch, Question, SearchSettings, SolveProgress, Solver, SolveRun
from reversi.solver.batch import READ_AHEAD
from reversi.solver.costs import FIRST_RATE, estimated_nodes
from reversi.solver.jobs import SolveWork, kept_solver
from reversi.text import format_board
from reversi.work import Tls, connect
from reversi.work.cluster.bundles import Rate, Waiting
from reversi.work.cluster.connection import Connection
from reversi.work.cluster.workers import ClusterWorkers
from reversi.work.jobs import Job, Work

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tests" / "support")]

from certificates import Authority, Certificate  # noqa: E402
from other_package import other_package  # noqa: E402

app = typer.Typer(no_args_is_help=True, help=__doc__, rich_markup_mode=None)
A = TypeVar("A")
Client = subprocess.Popen[bytes]
COMMANDS = ("solve", "match", "analyze", "prove")
REVERSI = [sys.executable, "-m", "reversi"]
EMPTIES, WANTED = (16, 18, 20, 22, 24, 26, 28), 36  # of a sample of games, and what the published proof solved:
PUBLISHED_POSITIONS, PUBLISHED_NODES = 1_505_367_525, 1_526_001_455_595_489_506  # arXiv:2310.19387, section 4


def positions_of(path: Path) -> list[Position]:
    """The positions of a file."""
    return [each.position for each in positions_in(path.read_text("utf-8")) if each.position is not None]


def played_on(position: Position, empties: int, chance: random.Random) -> Position:
    """A position that random moves lead to, with some empty squares or at the end of the game."""
    while position.empties > empties and not position.is_over:
        position = position.play(chance.choice(list(position.legal_moves) or [PASS]))
    return position


def later(empties: int, chance: random.Random) -> Position:
    """A position of a random game with some empty squares, before its end."""
    found = (played_on(Position(), empties, chance) for _ in itertools.count())
    return next(each for each in found if each.empties == empties and not each.is_over)


def cpu_s(process: int) -> float:
    """The CPU time of a process so far, on Linux."""
    words = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


# --- positions, what they cost, and runs on other clusters


@app.command()
def sample(source: Path, out: Path, seconds: float = 0.0) -> None:
    """Solve positions on one thread, each with a fresh table, and add a line to OUT for each.

    They are those of a file, each once, or for some seconds of CPU time what random moves from them lead to; of a
    folder of WTHOR's games they are positions of random games, asked who wins.
    """
    seconds = seconds or (120 if source.is_dir() else 0)
    chance, end = random.Random(time.time_ns()), time.process_time() + seconds
    with out.open("a", encoding="utf-8") as stream:
        for position in _drawn(source, chance) if seconds else positions_of(source):
            if seconds and time.process_time() > end:
                break
            solver, began = Solver(256), time.process_time()
            nodes = solver.ask(position, Question(wld=source.is_dir()), threads=1).score.nodes
            used, mobility = time.process_time() - began, position.legal_moves.placements.bit_count()
            line = {"empties": position.empties, "mobility": mobility, "nodes": nodes, "cpu_s": round(used, 5)}
            print(json.dumps(line | {"estimated": round(estimated_nodes(position))}), file=stream, flush=True)


def _drawn(source: Path, chance: random.Random) -> Iterator[Position]:
    """Positions without end: of games of a folder, or up to 12 random moves after those of a file."""
    if source.is_file():
        for start in iter(functools.partial(chance.choice, positions_of(source)), None):
            position = played_on(start, start.empties - chance.randrange(1, 13), chance)
            if not position.is_over:
                yield position
    wanted, files = itertools.cycle(EMPTIES), sorted(source.glob("*.wtb"))
    while True:
        games = list(open_records(chance.choice(files)))
        for record in chance.sample(games, min(len(games), 24)):
            empties = next(wanted)
            found = (each for each in positions(record) if each.empties == empties)
            yield from (each for each in found if each.legal_moves.placements)


@app.command()
def costs(out: Path) -> None:
    """Fit the nodes of a sample, check what the solver estimates, and extrapolate to 36 empty squares.

    The interval holds 95 % of the results when the positions are drawn again. It supposes that the growth stays
    the same beyond the sample; the growth of its halves shows how far that may be wrong.
    """
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    names = ("empties", "mobility", "estimated", "nodes", "cpu_s")
    empties, mobility, estimated, nodes, seconds = np.array([[line[name] for name in names] for line in lines]).T
    logs, rate, seen = np.log2(np.maximum(1, nodes)), nodes.sum() / seconds.sum(), len(lines) * 2 // 3
    print(f"{len(lines)} positions, {rate / 1e6:.1f} million nodes per second of one core")
    for name, columns in {"empties": [empties], "empties, mobility": [empties, np.log2(1 + mobility)]}.items():
        given = np.column_stack([np.ones(len(lines)), *columns])
        weights = np.linalg.lstsq(given[:seen], logs[:seen], rcond=None)[0]
        wrong, found = logs[seen:] - given[seen:] @ weights, ", ".join(f"{weight:.3f}" for weight in weights)
        print(f"{name}: log2 nodes = {found}; rms error {wrong.std():.2f} on {len(wrong)} unseen positions")
    error, share = np.mean((logs - np.log2(estimated)) ** 2) ** 0.5, estimated.sum() / nodes.sum()
    print(f"estimated_nodes: rms error {error:.2f}, sum {share:.2f} of the nodes")
    halves = {"lower half": empties <= np.median(empties), "upper half": empties >= np.median(empties)}
    for name, part in {"all": empties > 0, **halves}.items():
        growth, there = 2 ** np.polyfit(empties[part], logs[part], 1)[0], _there(empties[part], logs[part])
        print(f"{name}: {growth:.2f} times the nodes for an empty square, {there:.2g} at {WANTED}")
    chance = np.random.default_rng(1)
    draws = (chance.integers(0, len(lines), len(lines)) for _ in range(2_000))
    low, high = np.quantile([_there(empties[drawn], logs[drawn]) for drawn in draws], (0.025, 0.975))
    prices = np.array([_there(empties, logs), low, high, PUBLISHED_NODES / PUBLISHED_POSITIONS])
    print(f"{WANTED} empty squares: the fit, its interval, and the published proof by another program")
    hours = prices / rate / 3600
    rows = {"nodes": prices, "core-hours": hours, "core-hours of the whole proof": hours * PUBLISHED_POSITIONS}
    for name, row in rows.items():
        print(f"  {row[0]:.2g} {name}, {row[1]:.2g} to {row[2]:.2g}; {row[3]:.2g}")


def _there(empties: np.ndarray, logs: np.ndarray) -> float:
    """The mean of nodes at 36 empty squares: the line of their logarithms, plus what their mean exceeds it by."""
    slope, base = np.polyfit(empties, logs, 1)
    excess = np.log2(np.mean(2 ** (logs - base - slope * empties)))
    return float(2 ** (base + slope * WANTED + excess))


Item = tuple[float, float]
"""A position: its estimated nodes, and the seconds that it takes."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A cluster, how long its messages take, and what they cost: ``overhead`` measures the costs."""

    workers: int  # processes of one thread each
    start_s: float = (
        1.5  # from the start of the command to the first task on a worker, and from the last to the end
    )
    latency_s: float = 0.0005  # that a message takes
    client_s: float = 0.0014  # what the client does for a task, both ways
    scheduler_s: float = 0.0020  # what the scheduler does for a task
    worker_s: float = 0.0023  # what a worker does for a task in addition to its positions
    news_s: float = 0.0002  # what client and scheduler do for a message about progress or a heartbeat
    position_s: float = 0.0001  # what the client does for a position: it reads, sends, takes back and writes it
    death_s: float = 0.0  # mean seconds until a worker dies; 0 for never
    restart_s: float = 10.0  # until its successor works
    slow: float = 0.0  # share of workers that are slow
    slowness: float = 3.0  # how many times as long they take
    frontier: int = 0  # tasks that exist at a time, as open positions of a proof; 0 for no limit
    expand_s: float = 0.0  # what the client does to find one more of these


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a simulated run took."""

    seconds: float
    speedup: float  # over one worker without a cluster
    tasks: int
    lost: int  # tasks that died with their worker
    client: float  # share of the time that it is busy
    scheduler: float
    workers: float
    is_narrow: bool  # the frontier has fewer tasks than there are workers

    @property
    def limit(self) -> str:
        """What keeps the run from being faster."""
        if self.workers > 0.9:
            return "workers"
        if max(self.client, self.scheduler) > 0.7:
            return "client" if self.client > self.scheduler else "scheduler"
        return "frontier" if self.is_narrow else "start and end"


@dataclass(slots=True)
class _Server:
    """The client or the scheduler: one message after another; progress and heartbeats take some of its time."""

    load: float
    free_at: float = 0.0
    busy: float = 0.0

    def serve(self, at: float, cost: float) -> float:
        """Handle a message that comes at a time; return when it is done."""
        took = cost / max(0.01, 1.0 - self.load)
        self.free_at = max(self.free_at, at) + took
        self.busy += took
        return self.free_at


def simulate(items: list[Item], plan: Plan, seed: int = 1) -> Outcome:
    """Replay positions on a cluster: two tasks for each thread are under way, or as many as the frontier has."""
    chance, rate, left = random.Random(seed), Rate(FIRST_RATE), deque(items)
    waiting, progress = Waiting[float](rate), min(plan.workers, 100) * plan.news_s
    client, scheduler = _Server(progress), _Server(progress + plan.workers * 0.2 * plan.news_s)
    slow = [plan.slowness if chance.random() < plan.slow else 1.0 for _ in range(plan.workers)]
    deaths = [chance.expovariate(1 / plan.death_s) if plan.death_s else math.inf for _ in slow]
    free = [(0.0, worker) for worker in range(plan.workers)]
    under_way: list[
        tuple[float, int, float, float, int]
    ] = []  # when its report leaves, number, nodes, seconds, size
    now, busy_s, tasks, lost = 0.0, 0.0, 0, 0
    while left or len(waiting) or under_way:
        while not len(waiting) and left:
            for _ in range(min(READ_AHEAD, len(left))):
                waiting.add(*left.popleft())
        if not len(waiting) or len(under_way) >= min(2 * plan.workers, plan.frontier or 2 * plan.workers):
            done, _, nodes, took, size = heapq.heappop(under_way)
            rate.learn(nodes, took)
            arrived = scheduler.serve(done + plan.latency_s, plan.scheduler_s / 2) + plan.latency_s
            now = client.serve(arrived, plan.client_s / 2 + plan.position_s * size)
            continue
        seconds, nodes = waiting.next_task(plan.workers, are_last=not left)
        tasks += 1
        sent = client.serve(now, plan.client_s / 2 + plan.expand_s) + plan.latency_s
        ready = scheduler.serve(sent, plan.scheduler_s / 2)
        while True:
            since, worker = heapq.heappop(free)
            began, took = max(since, ready) + plan.latency_s, plan.worker_s + sum(seconds) * slow[worker]
            end = min(began + took, max(began, deaths[worker]))
            busy_s += end - began
            if end == began + took:
                break
            lost, ready, back = lost + 1, end, end + plan.restart_s  # the task goes to another worker
            deaths[worker] = back + chance.expovariate(1 / plan.death_s)
            heapq.heappush(free, (back, worker))
        heapq.heappush(free, (end, worker))
        heapq.heappush(under_way, (end, tasks, nodes, took, len(seconds)))
    whole_s, work_s = now + plan.start_s, sum(seconds for _, seconds in items)
    busy = [each.load + each.busy / whole_s for each in (client, scheduler)]
    is_narrow, workers = 0 < plan.frontier < plan.workers, busy_s / (plan.workers * whole_s)
    return Outcome(whole_s, work_s / whole_s, tasks, lost, busy[0], busy[1], workers, is_narrow)


@app.command("simulate")
def predict(
    out: Path,
    workers: list[int] = [8, 64, 512, 4096],  # noqa: B006
    positions: int = 0,
    times: float = 1.0,
    plan: list[str] = [],  # noqa: B006
) -> None:
    """Replay a sample, or as many positions drawn from it, on clusters: time, speed-up, and what limits the run.

    ``--times`` lets each take so many times as long; ``--plan slow=0.05`` changes a cost of a `Plan`.
    """
    items = _items(out, positions, times)
    changes: Any = {name: float(value) for name, _, value in (each.partition("=") for each in plan)}
    print(f"{len(items):,} positions, {sum(seconds for _, seconds in items) / 3600:,.1f} core-hours")
    print("workers |     time | speed-up | tasks | lost | client | scheduler | workers | limit")
    for number in workers:
        found = simulate(items, replace(Plan(number), **changes))
        busy = f"{found.client:.0%} | {found.scheduler:.0%} | {found.workers:.0%}"
        row = f"{found.seconds:7.0f}s | {found.speedup:8.1f} | {found.tasks:,} | {found.lost} | {busy}"
        print(f"{number:7} | {row} | {found.limit}", flush=True)


def _items(path: Path, count: int = 0, times: float = 1.0) -> list[Item]:
    """The positions of a sample, or ``count`` drawn from them, which take ``times`` as long."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    found = [(line["estimated"] * times, line["cpu_s"] * times) for line in lines]
    return random.Random(2).choices(found, k=count) if count else found


@dataclass(frozen=True, slots=True)
class SleepWork:
    """Sleeps through a duration; its answer is how long it slept."""

    seconds: float

    def do(self, _: Job[Any, Any], /) -> float:
        """Sleep."""
        began = time.perf_counter()
        time.sleep(self.seconds)
        return time.perf_counter() - began


@app.command()
def check(out: Path, solve: Path | None = None) -> None:
    """Compare simulations with Dask on 1 and 2 local workers, which sleep through a sample, or solve a file."""
    items = _items(out)
    for what, count in itertools.product(("sleeping", "solving") if solve else ("sleeping",), (1, 2)):
        predicted, began = simulate(items, Plan(count)).seconds, time.monotonic()
        with connect(f"local:{count}") as connection:
            if what == "sleeping" or solve is None:
                _done(
                    connection,
                    [SleepWork(item[1]) for item in items],
                    FIRST_RATE * sum(item[1] for item in items) / len(items),
                )
            else:
                with Batch(enumerate(positions_of(solve)), cluster=connection) as batch:
                    deque(batch, maxlen=0)
        took = time.monotonic() - began
        times = f"predicted {predicted:.1f} s, measured {took:.1f} s, {predicted / took - 1:+.0%}"
        print(f"{what}, {count} workers: {times}", flush=True)


@app.command()
def compare(path: Path, processes: int = 2, runs: int = 1) -> None:
    """Solve with threads and on local processes in turn; on a busy machine only the user time says something."""
    best: dict[str, np.ndarray] = {}
    values: list[dict[int, int]] = []
    ways = {"threads": ["--threads", str(processes)], "cluster": ["--cluster", f"local:{processes}"]}
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, options) in enumerate(list(ways.items()) * runs):
            output, before, began = Path(folder, str(number)), _used(), time.perf_counter()
            run = [*REVERSI, "solve", str(path), *options, "--output", str(output)]
            subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
            took = np.array([time.perf_counter() - began, *(_used() - before)])
            lines = [json.loads(line) for line in output.read_bytes().splitlines()]
            nodes = sum(line["nodes"] for line in lines)
            times = "{:.2f} s, user {:.1f} s, system {:.1f} s".format(*took)
            print(f"{name}: {len(lines)} results, {nodes:,d} nodes, {times}", flush=True)
            values.append({line["index"]: line["score"] for line in lines})
            best[name] = np.minimum(took, best.get(name, took))
    print("same values" if all(found == values[0] for found in values) else "DIFFERENT VALUES")
    time_s, user_s, _ = best["cluster"] / best["threads"]
    print(f"cluster/threads, best of {runs}: time {time_s:.2f}, user time {user_s:.2f}")


def _used() -> np.ndarray:
    """The user and system time of all processes that were started and have ended."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return np.array([found.ru_utime, found.ru_stime])


# --- hosts


def what_is_missing() -> str:
    """Why hosts cannot be made here; empty where they can."""
    if not hasattr(os, "geteuid") or os.geteuid() or not Path("/dev/net/tun").exists():
        return "only root may make network namespaces, on Linux with /dev/net/tun"
    if missing := [name for name in ("ip", "unshare") if shutil.which(name) is None]:
        return f"needs {', '.join(missing)} (packages iproute2 and util-linux)"
    probe = f"reversi-probe-{os.getpid()}"
    done = subprocess.run(["ip", "netns", "add", probe], capture_output=True, text=True, check=False)
    if done.returncode:
        return f"network namespaces are not permitted here: {done.stderr.strip()}"
    _ip("netns", "delete", probe)
    return ""


class Switch:
    """Carries frames between ports, each of which is an open TAP device, in a thread.

    Attributes:
        delay_s: seconds that a frame takes from one host to another.
        loss: the part of the frames that is lost.
        cut: ports of which every frame is lost, as when the cable is out.
    """

    def __init__(self) -> None:
        self.delay_s, self.loss, self.cut = 0.0, 0.0, set[int]()
        self._chance, self._is_closed = random.Random(0), False
        self._ports: list[int] = []
        self._owners: dict[bytes, int] = {}
        self._waiting: list[tuple[float, int, int, bytes]] = []  # when, number, to which port, what
        self._thread = threading.Thread(target=self._run, name="switch", daemon=True)
        self._thread.start()

    def add(self, device: int) -> int:
        """Add an open TAP device; return the number of its port."""
        os.set_blocking(device, False)
        self._ports.append(device)
        return len(self._ports) - 1

    def close(self) -> None:
        self._is_closed = True
        self._thread.join()
        for device in self._ports:
            os.close(device)

    def _run(self) -> None:
        numbers = itertools.count()
        while not self._is_closed:
            due = self._waiting[0][0] - time.monotonic() if self._waiting else 0.05  # new ports are soon seen
            ready = select.select(ports := self._ports[:], [], [], min(max(due, 0.0), 0.05))[0]
            for port, data in ((ports.index(each), self._read(each)) for each in ready):
                self._owners[data[6:12]] = port
                owner = self._owners.get(data[:6])
                for other in range(len(ports)) if owner is None else (owner,):
                    if data and other != port not in self.cut and self._chance.random() >= self.loss:
                        item = time.monotonic() + self.delay_s, next(numbers), other, data
                        heapq.heappush(self._waiting, item)
            while self._waiting and self._waiting[0][0] <= time.monotonic():
                _, _, port, data = heapq.heappop(self._waiting)
                if port not in self.cut:
                    with contextlib.suppress(OSError):
                        os.write(self._ports[port], data)

    def _read(self, device: int) -> bytes:
        with contextlib.suppress(OSError):  # the card is down
            return os.read(device, 65536)
        return b""


class Host:
    """A machine: a network namespace with its own name and Ethernet card, and the processes started in it."""

    def __init__(self, name: str, number: int, switch: Switch) -> None:
        self.name, self.address = name, f"10.213.77.{number}"
        self._switch, self._space = switch, f"reversi-{os.getpid()}-{name}"
        self._processes: list[Client] = []
        device, card = os.open("/dev/net/tun", os.O_RDWR), f"rv{os.getpid() % 100000}h{number}"
        set_interface, tap_without_header = 0x400454CA, 0x1002
        fcntl.ioctl(device, set_interface, struct.pack("16sH22x", card.encode(), tap_without_header))
        self._port = switch.add(device)
        _ip("netns", "add", self._space)
        _ip("link", "set", card, "netns", self._space)
        for words in (f"address add {self.address}/24 dev {card}", f"link set {card} up", "link set lo up"):
            _ip("-n", self._space, *words.split())

    def start(
        self, words: Sequence[str], variables: Mapping[str, str], log: Path, *, output: Path | None = None
    ) -> Client:
        """Start a program on this machine; what it writes goes to the end of a log, its results to ``output``."""
        rename = ["unshare", "--uts", "sh", "-c", f'hostname {self.name} && exec "$@"', "sh"]
        with log.open("ab") as errors, (output or log).open("ab") as results:
            process = subprocess.Popen(
                ["ip", "netns", "exec", self._space, *rename, *words],
                stdin=subprocess.DEVNULL,
                stdout=results,
                stderr=errors,
                env=dict(variables),
                start_new_session=True,
            )
        self._processes.append(process)
        return process

    def cut(self) -> None:
        """Take the machine off the network; its processes go on."""
        self._switch.cut.add(self._port)

    def mend(self) -> None:
        """Put the machine on the network again."""
        self._switch.cut.discard(self._port)

    def lose_power(self) -> None:
        """End all processes at once. Nobody hears of it: the network is cut first."""
        self.cut()
        while pids := _ip("netns", "pids", self._space).split():
            for process in map(int, pids):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.05)
        for started in self._processes:
            started.wait()
        self._processes.clear()

    def delete(self) -> None:
        self.lose_power()
        _ip("netns", "delete", self._space)


def _ip(*words: str) -> str:
    return subprocess.run(["ip", *words], check=True, stdout=subprocess.PIPE, text=True).stdout


@contextlib.contextmanager
def hosts(*names: str) -> Iterator[tuple[Switch, list[Host]]]:
    """Make machines on one network; nothing of them is left afterwards."""
    switch, made = Switch(), list[Host]()
    try:
        for number, name in enumerate(names, 1):
            made.append(Host(name, number, switch))
        yield switch, made
    finally:
        for host in made:
            host.delete()
        switch.close()


# --- a cluster on hosts


@dataclass(frozen=True)
class Size:
    """How much of everything."""

    solve_s: float = 3  # CPU time of the positions to solve
    games: int = 10  # of a match and of an analysis
    prove_empties: int = 18  # of the position to prove
    partition_s: float = 20  # how long hosts are cut off
    tcp_s: float = 12  # how long Dask waits for a silent host; it takes no less than 11
    kills: int = 4  # how often processes die in turn
    attack_s: float = 4  # between two deaths of a worker


QUICK, FULL = Size(), Size(10, 20, 20, 60, 30, 10, 20)


class Box:
    """A scheduler, two hosts for workers and a client, and what runs on them."""

    def __init__(self, folder: Path, size: Size, switch: Switch, machines: list[Host]) -> None:
        self.folder, self.size, self.switch = folder, size, switch
        self.scheduler, self.one, self.two, self.client = machines
        self.authority = Authority(folder, "right")
        self.certificate = self.authority.certificate("all")
        self.address = f"tls://{self.scheduler.address}:8786"
        self.log = folder / "dask.log"
        paths = [str(HERE.parent / "src"), str(HERE), os.environ.get("PYTHONPATH", "")]
        timeouts = dict.fromkeys(("TCP", "CONNECT"), f"{size.tcp_s:g}s")
        self.variables = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
            "PYTHONUNBUFFERED": "1",
            "NO_COLOR": "1",
            **{f"DASK_DISTRIBUTED__COMM__TIMEOUTS__{name}": value for name, value in timeouts.items()},
        }

    def start_scheduler(self) -> Client:
        """Start the scheduler, and wait for it."""
        words = ["scheduler", "--host", self.scheduler.address, "--port", "8786", "--protocol", "tls"]
        return self._dask(self.scheduler, words, "Scheduler at:", self.certificate, {})

    def start_worker(
        self, host: Host, *, certificate: Certificate | None = None, threads: int = 1, **variables: str
    ) -> Client:
        """Start a worker, and wait until the scheduler knows it, unless it has a certificate of its own."""
        place = ["--local-directory", str(self.folder / host.name), "--name", f"{host.name}-{time.time_ns()}"]
        words = ["worker", self.address, "--no-nanny", "--nthreads", str(threads), "--memory-limit", "0", *place]
        sign = "" if certificate else "Register worker"
        return self._dask(host, words, sign, certificate or self.certificate, variables)

    def start(self) -> None:
        """Start a scheduler and workers on both hosts, after the end of what ran there."""
        for host in (self.scheduler, self.one, self.two):
            host.lose_power()
            host.mend()
        self.start_scheduler()
        for host in (self.one, self.two):
            self.start_worker(host)

    def reversi(self, words: Sequence[str], file: Path) -> Client:
        """Start ``reversi ... --cluster`` on the client; its output lies beside a file."""
        for suffix in (".out", ".err"):
            file.with_suffix(suffix).unlink(missing_ok=True)
        tls = ["--tls-ca", str(self.certificate.authority), "--tls-cert", str(self.certificate.file)]
        whole = [*REVERSI, *words, "--cluster", self.address, *tls]
        return self.client.start(whole, self.variables, file.with_suffix(".err"), output=file.with_suffix(".out"))

    def _dask(
        self, host: Host, words: list[str], sign: str, files: Certificate, variables: Mapping[str, str]
    ) -> Client:
        before = self._count(sign)
        tls = ["--tls-ca-file", str(files.authority), "--tls-cert", str(files.file), "--tls-key", str(files.file)]
        whole = [sys.executable, "-m", "dask", *words, "--no-dashboard", *tls]
        process, end = host.start(whole, {**self.variables, **variables}, self.log), time.monotonic() + 600
        while sign and self._count(sign) == before:
            if process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"{words[0]} does not start:\n{self.log.read_text()[-3000:]}")
            time.sleep(0.1)
        return process

    def _count(self, sign: str) -> int:
        return self.log.read_text().count(sign) if self.log.exists() else 0


@contextlib.contextmanager
def box(size: Size = QUICK) -> Iterator[Box]:
    """Make four hosts, and the folder of what they write."""
    with (
        tempfile.TemporaryDirectory(prefix="reversi-box-") as place,
        hosts("scheduler", "one", "two", "client") as (switch, machines),
    ):
        yield Box(Path(place), size, switch, machines)


# --- commands, and what goes wrong


@dataclass
class Task:
    """A command, the option that names its file, and its results in one process."""

    name: str
    words: list[str]
    option: str = "--output"
    expected: list[Any] = field(default_factory=list)

    def found(self, file: Path) -> list[Any]:
        """The whole results in a file, sorted, without times and nodes; of a proof the positions with bounds."""
        if not file.exists():
            return []
        if self.name == "prove":
            with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(file)) as store:
                return list(store.execute("select position from bounds"))
            return []
        text = file.read_text("utf-8")
        if self.name == "match":
            return sorted(_played(game) for game in text.split("[Event ")[1:] if game.endswith("\n\n"))
        rows = [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]
        return sorted(json.dumps(_lasting(row), sort_keys=True) for row in rows)

    def is_under_way(self, file: Path) -> bool:
        """Whether a run has done something; nobody else reads a store that is in use."""
        return file.exists() and file.stat().st_size > (65536 if self.name == "prove" else 0)

    def verdict(self, file: Path) -> str:
        """``right`` where a file has every result once, and no other; else what is wrong."""
        found = self.found(file)
        if self.name == "prove":
            found = file.with_suffix(".out").read_text().strip().splitlines()[:1]
        missing = [row for row in self.expected if row not in found]
        more = [row for row in found if row not in self.expected]
        differs = (
            f"WRONG: {len(found)} results, {len(missing)} missing: {missing[:1]}, {len(more)} others: {more[:1]}"
        )
        return "right" if found == self.expected else differs


def _played(game: str) -> str:
    """Who played what in a game of a match, without times."""
    tags = re.findall(r'\[((?:Round|Black|White|Result) "[^"]*")\]', game)
    return " ".join([*tags, *re.sub(r"\{[^}]*\}", "", game.rpartition("]\n")[2]).split()])


def _lasting(value: object) -> object:
    """What is equal in every run."""
    if isinstance(value, dict):
        changing = ("nodes", "time", "time_s", "seconds", "total_time", "nps", "best", "pv")
        return {key: _lasting(item) for key, item in value.items() if key not in changing}
    return [_lasting(item) for item in value] if isinstance(value, list) else value


def make_tasks(
    folder: Path, size: Size, solve: Path | None, prove: Path | None, more: list[str]
) -> dict[str, Task]:
    """Make the input of the commands, or take that of a person, and run each once in one process."""
    chance, games, lines, began = random.Random(1), folder / "games.pgn", list[str](), time.process_time()
    while solve is None and time.process_time() - began < size.solve_s:
        position = later(19, chance)
        Solver(16).solve(position)
        lines.append(format_board(position))
    (folder / "positions.obf").write_text("\n".join(lines))
    (folder / "proved.txt").write_text(format_board(later(size.prove_empties, chance)))
    frontier = [] if prove else ["--frontier-empties", str(size.prove_empties - 5)]
    match = ["match", "4", "5", "--games", str(size.games), "--seed", "1"]
    tasks = (
        Task("solve", ["solve", str(solve or folder / "positions.obf"), "--json"]),
        Task("match", match, "--save"),
        Task("analyze", ["analyze", str(games), "--level", "6"]),
        Task("prove", ["prove", str(prove or folder / "proved.txt"), *frontier, *more], "--store"),
    )
    for task in tasks:
        file = games if task.name == "match" else folder / f"{task.name}.alone"
        done = subprocess.run(
            [*REVERSI, *task.words, task.option, str(file)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise AssertionError(f"{task.name} fails in one process: {done.stderr}")
        task.expected = task.found(file) if task.name != "prove" else done.stdout.strip().splitlines()[:1]
    return {task.name: task for task in tasks}


class Row(NamedTuple):
    """How a command ended: its exit status, what it wrote to standard error, and how its file was continued."""

    fault: str
    command: str
    status: int
    said: str
    again: str
    verdict: str
    seconds: float


@dataclass(frozen=True)
class Fault:
    """What goes wrong: before commands start, or at their first results, in as many runs as the size says."""

    name: str
    before: Callable[[Box], object] = lambda _: None
    strike: Callable[[Box, Client], object] | None = None
    strikes: Callable[[Size], int] = lambda _: 1

    def rows(self, box: Box, tasks: dict[str, Task]) -> Iterator[Row]:
        """Run each command, and continue its file where it ends early."""
        for task in tasks.values():
            box.start()
            self.before(box)
            file = box.folder / f"{task.name}-{time.time_ns()}.results"
            words, left, began = [*task.words, task.option, str(file)], self.strikes(box.size), time.monotonic()
            ends, again = list[tuple[int | None, str, float]](), list[str]()
            while not ends or (ends[-1][0] and len(ends) <= self.strikes(box.size)):
                if ends:
                    box.start()  # as the people of a cluster do when it has lost its parts
                    again.append(f"continued with {len(task.found(file))} results")
                resume = ["--resume"] if ends and task.name != "prove" else []
                process = box.reversi([*words, *resume], file)
                if self.strike and left:
                    wait(process, until=functools.partial(task.is_under_way, file))
                    time.sleep(random.random() if ends else 0)
                    again += ["done before the fault"] if process.poll() is not None else []
                    self.strike(box, process)
                    left -= 1
                status = wait(process)
                said = said_in(file.with_suffix(".err")).replace(f"{box.folder}/", "")
                ends.append((status, said, time.monotonic() - began))
            if len(ends) > 1 and ends[-1][0]:
                again.append(f"ended with {ends[-1][0]}: {ends[-1][1]}")
            status, said, seconds = ends[0]
            yield Row(self.name, task.name, status or 0, said, ", ".join(again), task.verdict(file), seconds)
            box.switch.delay_s = box.switch.loss = 0.0


def wait(process: Client, *, until: Callable[[], bool] = lambda: False) -> int | None:
    """Wait until a command ends, or something is so; return its exit status."""
    end = time.monotonic() + 900
    while process.poll() is None and not until():
        if time.monotonic() > end:
            process.kill()
            raise AssertionError(f"a command hangs: {process.args!r}")
        time.sleep(0.05)
    return process.poll()


def said_in(log: Path) -> str:
    """What a command wrote to standard error, in one line."""
    return " / ".join(line.strip() for line in log.read_text().splitlines() if line.strip())


def _cut_off(name: str) -> Callable[[Box, Client], None]:
    def strike(box: Box, _: Client) -> None:
        host: Host = getattr(box, name)
        host.cut()
        time.sleep(box.size.partition_s)
        host.mend()

    return strike


def _scheduler_dies(box: Box, _: Client) -> None:
    box.scheduler.lose_power()
    time.sleep(3)
    box.scheduler.mend()
    box.start_scheduler()


def _again_and_again(box: Box, process: Client) -> None:
    while process.poll() is None:
        box.one.lose_power()
        box.one.mend()
        box.start_worker(box.one)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(box.size.attack_s)


def _in_turn(box: Box, _: Client) -> None:
    host = random.choice((box.scheduler, box.client, box.one))
    host.lose_power()
    host.mend()
    if host is box.scheduler:
        box.start()  # its workers end with it


def _slow(box: Box) -> None:
    box.switch.delay_s, box.switch.loss = 0.05, 0.01


def _wrong_clocks(box: Box) -> None:
    """Replace the workers by two with other clocks."""
    for host, ahead_s in ((box.one, 120), (box.two, -120)):
        folder = box.folder / f"clock{ahead_s}"
        folder.mkdir(exist_ok=True)
        lines = ["import time", "_right = time.time", f"time.time = lambda: _right() + {ahead_s}"]
        (folder / "sitecustomize.py").write_text("\n".join(lines))
        host.lose_power()
        host.mend()
        box.start_worker(host, PYTHONPATH=os.pathsep.join([str(folder), box.variables["PYTHONPATH"]]))


def _another_version(box: Box, _: Client) -> None:
    package = other_package(box.folder / f"other{time.time_ns()}", version="0.0.1")
    box.start_worker(box.one, PYTHONPATH=str(package))


def _refused_workers(box: Box) -> None:
    wrong = Authority(box.folder, "other").certificate("worker")
    expired, future = (box.authority.certificate(f"worker{age}", age_s=age, valid_s=3600) for age in (7200, -120))
    for certificate in (wrong, expired, future):
        box.start_worker(box.two, certificate=certificate)


FAULTS = (
    Fault("none"),
    Fault("50 ms delay each way, 1 % lost", _slow),
    Fault("worker cut off", strike=_cut_off("one")),
    Fault("scheduler cut off", strike=_cut_off("scheduler")),
    Fault("client cut off", strike=_cut_off("client")),
    Fault("worker host dies", strike=lambda box, _: box.one.lose_power()),
    Fault("a worker host has just died", lambda box: box.one.lose_power()),
    Fault("a worker dies again and again", strike=_again_and_again),
    Fault("scheduler host dies and comes back", strike=_scheduler_dies),
    Fault("client, workers and scheduler die in turn", strike=_in_turn, strikes=lambda size: size.kills),
    Fault("clocks of workers 2 minutes wrong", _wrong_clocks),
    Fault("a worker of another version joins later", strike=_another_version),
    Fault("workers with a wrong, an expired and a future certificate", _refused_workers),
)


def all_rows(size: Size, only: Sequence[str], tasks: dict[str, Task]) -> Iterator[Row]:
    """Let the faults strike one after another."""
    for fault in FAULTS:
        if not only or any(word in fault.name for word in only):
            with box(size) as made:
                yield from fault.rows(made, tasks)


@app.command()
def faults(
    full: bool = False,
    only: list[str] = [],  # noqa: B006
    commands: list[str] = list(COMMANDS),  # noqa: B006
    solve: Path | None = None,
    prove: Path | None = None,
    proving: str = "",
    markdown: bool = False,
) -> None:
    """Run commands on a cluster while something fails, and continue a file whose run ended early.

    A row says how a command ended, what it said, and whether its file is right at the end: the results of one
    process, each once; the exit status is 1 where one is not. ``--full`` has more work, and partitions of 60 s
    instead of 20. ``--only`` chooses faults by a word. ``--solve`` and ``--prove`` name files with positions, and
    ``--proving`` options of ``reversi prove``, in place of what is made.
    """
    demand_hosts()
    wrong, size = False, FULL if full else QUICK
    if markdown:
        print("| fault | command | exit status | what it said | then | results | time |")
        print("|---|---|---:|---|---|---|---:|")
    with tempfile.TemporaryDirectory(prefix="reversi-tasks-") as folder:
        tasks = make_tasks(Path(folder), size, solve, prove, proving.split())
        for row in all_rows(size, only, {name: tasks[name] for name in commands}):
            wrong |= row.verdict.startswith("WRONG")
            cells = [*map(str, row[:-1]), f"{row.seconds:.0f} s"]
            print(f"| {' | '.join(cells)} |" if markdown else "  ".join(cells), flush=True)
    sys.exit(wrong)


def demand_hosts() -> None:
    """End where hosts cannot be made; delete them at SIGTERM."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if why := what_is_missing():
        print(f"skipped: {why}", file=sys.stderr)
        sys.exit(0)


# --- what messages and a network cost


@app.command()
def overhead(path: Path) -> None:
    """Measure the CPU times that a `Plan` assumes, with positions played on to 5 empty squares."""
    chance = random.Random(1)
    found = [played_on(start, 5, chance) for start in positions_of(path) * 20]
    found = [position for position in found if not position.is_over]
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        file, variables = Path(name, "scheduler.json"), os.environ | {"PYTHONPATH": str(HERE)}
        place = ["--host", "127.0.0.1", "--scheduler-file", str(file), "--no-dashboard"]
        kinds = {"scheduler": ["--port", "0"], "worker": ["--nthreads", "1", "--no-nanny", "--memory-limit", "0"]}
        processes = {"client": os.getpid()}
        for kind, options in kinds.items():
            words = [sys.executable, "-m", "dask", kind, *place, *options, "--dashboard-address", "127.0.0.1:0"]
            process = subprocess.Popen(words, cwd=name, env=variables, stderr=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.kill)
            processes[kind] = process.pid
            wait(process, until=lambda: file.exists() and file.stat().st_size > 0)
        connection = stack.enter_context(connect(str(file), timeout_s=60))
        while not connection.threads:
            time.sleep(0.05)

        def used_s(act: Callable[[], object]) -> Counter[str]:
            before = {each: cpu_s(process) for each, process in processes.items()}
            act()
            return Counter({each: cpu_s(process) - before[each] for each, process in processes.items()})

        def report(what: str, count: int, used: Counter[str]) -> None:
            costs = ", ".join(f"{each} {1e3 * used[each] / count:.2f} ms" for each in processes)
            print(f"{what} ({count}): {costs}", flush=True)

        solver = functools.partial(kept_solver, SearchSettings(1))
        work = [SolveWork(position, Question(), solver) for position in found]
        _done(connection, work[:10])
        tasks = [work[n % len(work)] for n in range(1000)]
        report("a task of one position", len(tasks), used_s(lambda: _done(connection, tasks)))
        text, output = "\n".join(map(format_board, found)), Path(name, "results.jsonl")
        run = stack.enter_context(
            SolveRun(lambda: positions_in(text), output=output, hash_mb=1, cluster=connection)
        )
        solved = used_s(lambda: deque(run, maxlen=0))
        report("a position, from the file to the line of its result", len(found), solved)
        connection.client.subscribe_topic("overhead", lambda event: None)

        def news() -> None:
            connection.client.submit(talk, 1000, pure=False).result()
            time.sleep(1)  # the last messages come after the result

        began = time.monotonic()
        used = used_s(news)
        took_s = time.monotonic() - began
        used.subtract(used_s(lambda: time.sleep(took_s)))  # what a connection costs without a message
        report("a message about progress", 1000, used)


def _done(connection: Connection, work: Iterable[Work[A]], costs: float = 0.0) -> list[A | None]:
    """Let workers do things, which cost as much, together in tasks; those without costs are tasks of their own."""
    left, answers, is_first = iter(work), list[A | None](), True
    rate, ahead = (FIRST_RATE, READ_AHEAD) if costs else (None, 1)
    with ClusterWorkers[None, A](connection, "position", rate=rate, read_ahead=ahead) as workers:
        while is_first or workers.is_busy:
            while workers.is_free and (one := next(left, None)) is not None:
                workers.send(None, one, costs)
            is_first = False
            if (job := workers.next(0.1)) is not None:
                answers.append(job.result())
    return answers


def talk(count: int) -> None:
    """Send messages, in a task on a worker, one after another: Dask sends those of one moment together."""
    from distributed import get_worker

    progress = pickle.dumps(SolveProgress(-2, 4, Move.parse("a1"), 1_000_000, 1.0), pickle.HIGHEST_PROTOCOL)
    for _ in range(count):  # to the client
        time.sleep(0.01)  # as many as a client gets at most
        get_worker().log_event("overhead", {"task": 1, "job": 1, "amount": 1_000_000, "progress": progress})


@app.command()
def network(threads: int = 16, seconds: float = 20.0) -> None:
    """Let workers sleep through positions at several delays: how busy they are, and what is simulated."""
    demand_hosts()
    print(
        "| a position | positions | delay | busy | predicted | time | predicted | client | scheduler | workers |"
    )
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for delay_s in (0.0, 0.005, 0.05):
        with box() as made:
            others = [made.start_scheduler()]
            others += [made.start_worker(host, threads=threads // 2) for host in (made.one, made.two)]
            made.switch.delay_s = delay_s
            for duration_s in (0.01, 0.1, 10.0):
                count = max(4 * threads, round(seconds * threads / duration_s))
                files = [made.authority.file, made.certificate.file]
                words = [
                    sys.executable,
                    __file__,
                    "sleep",
                    made.address,
                    *map(str, files),
                    str(count),
                    str(duration_s),
                ]
                answer, before = made.folder / "answer", [cpu_s(process.pid) for process in others]
                answer.unlink(missing_ok=True)
                wait(made.client.start(words, made.variables, made.folder / "err", output=answer))
                if not answer.read_text():
                    raise AssertionError((made.folder / "err").read_text())
                found = json.loads(answer.read_text())
                plan = Plan(threads, start_s=0.0, latency_s=delay_s)
                predicted = simulate([(FIRST_RATE * duration_s, duration_s)] * count, plan)
                busy = found["slept_s"] / (threads * found["wall_s"])
                used = [cpu_s(process.pid) - was for process, was in zip(others, before, strict=True)]
                each = (f"{1000 * part / count:.2f} ms" for part in (found["cpu_s"], used[0], sum(used[1:])))
                shares = f"{delay_s * 1000:.0f} ms | {busy:.0%} | {predicted.workers:.0%}"
                times = f"{found['wall_s']:.1f} s | {predicted.seconds:.1f} s | {' | '.join(each)}"
                print(f"| {duration_s * 1000:,.0f} ms | {count:,} | {shares} | {times} |", flush=True)


@app.command(hidden=True)
def sleep(address: str, authority: str, certificate: str, count: int, duration_s: float) -> None:
    """Be the client of one run of ``network``, and print what it took."""
    with connect(address, Tls(authority, certificate), timeout_s=60) as connection:
        began, used = time.monotonic(), time.process_time()
        slept = _done(connection, [SleepWork(duration_s)] * count, FIRST_RATE * duration_s)
        wall_s, used = time.monotonic() - began, time.process_time() - used
    print(json.dumps({"slept_s": sum(filter(None, slept)), "wall_s": wall_s, "cpu_s": used}))


@app.command()
def memory(positions: int = 100_000) -> None:
    """Print the most memory that client and scheduler have while they solve positions with 4 empty squares."""
    demand_hosts()
    chance = random.Random(1)
    with box() as made:
        source, output = made.folder / "positions.obf", made.folder / "results.jsonl"
        source.write_text("\n".join(format_board(later(4, chance)) for _ in range(positions)))
        scheduler = made.start_scheduler()
        made.start_worker(made.one)
        made.start_worker(made.two)
        idle, began, highest = highest_mb(scheduler.pid), time.monotonic(), 0.0
        client = made.reversi(["solve", str(source), "--output", str(output)], made.folder / "solve")
        while client.poll() is None:
            highest = max(highest, highest_mb(client.pid))
            time.sleep(0.2)
        seconds, rows = time.monotonic() - began, output.read_bytes().count(b"\n")
        print(f"{rows:,} of {positions:,} positions in {seconds:.0f} s, exit status {client.returncode}")
        print(f"client: {highest:.0f} MB; scheduler: {highest_mb(scheduler.pid):.0f} MB, {idle:.0f} MB before")


def highest_mb(process: int) -> float:
    """The most memory that a process had, in MB; 0 when it has ended."""
    with contextlib.suppress(OSError):
        found = re.search(r"VmHWM:\s*(\d+)", Path(f"/proc/{process}/status").read_text())
        return int(found[1]) / 1024 if found else 0.0
    return 0.0


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import cluster

    cluster.app()  # workers know the classes by the name of the module
