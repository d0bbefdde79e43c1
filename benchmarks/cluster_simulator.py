"""A run on a cluster, simulated: what 8 or 4,096 workers gain, and what limits them.

    python benchmarks/cluster_simulator.py measure FILE OUT
    python benchmarks/cluster_simulator.py predict OUT [--workers 8 64 512 4096] [--positions N] …
    python benchmarks/cluster_simulator.py check   OUT [--solve FILE]

``measure`` solves the positions of FILE one after another on one thread, and writes the estimated nodes and the
CPU time of each to OUT. ``predict`` replays these durations on N workers. It sizes and orders the tasks with
the code of `reversi.work`; one client and one scheduler handle one message after another; workers may be
slow, or die and lose their task. It prints the time, the speed-up over one worker without a cluster, how busy
client, scheduler and workers are, and what limits the run. ``check`` compares predictions with Dask on 1 and 2
local workers: workers that sleep through the durations, so that it needs no quiet machine, and with ``--solve
FILE`` workers that solve.

The costs of a message are those that `benchmarks/cluster.py overhead` measures.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from reversi.inputs.input import positions_in
from reversi.solver import Batch, Question, Solver
from reversi.solver.batch import READ_AHEAD
from reversi.solver.costs import FIRST_RATE, estimated_nodes
from reversi.work import connect
from reversi.work.cluster.bundles import Rate, Waiting
from reversi.work.cluster.workers import ClusterWorkers
from reversi.work.jobs import Job

Item = tuple[float, float]
"""A position: its estimated nodes, and the seconds that it takes."""
HEARTBEATS_PER_S = 0.2  # of a worker of a large cluster


@dataclass(frozen=True, slots=True)
class Plan:
    """A cluster and the costs of its messages.

    Attributes:
        workers: worker processes of one thread each.
        start_s: seconds from the start of the command to the first task on a worker, and from the last to the end.
        latency_s: seconds that a message takes.
        client_s: what the client does for a task, both ways.
        scheduler_s: what the scheduler does for a task.
        worker_s: what a worker does for a task in addition to its positions.
        news_s: what client and scheduler do for a message about progress or a heartbeat.
        position_s: what the client does for a position: it reads, estimates, sends, takes back and writes it.
        death_s: mean seconds until a worker dies; 0 for never.
        restart_s: seconds until its successor works.
        slow: share of workers that are slow.
        slowness: how many times as long they take.
        frontier: tasks that exist at a time; 0 for no limit. A proof has as many as its tree has open positions.
        expand_s: what the client does to find one more of these.
    """

    workers: int
    start_s: float = 1.5
    latency_s: float = 0.0005
    client_s: float = 0.0014
    scheduler_s: float = 0.0020
    worker_s: float = 0.0023
    news_s: float = 0.0002
    position_s: float = 0.0001
    death_s: float = 0.0
    restart_s: float = 10.0
    slow: float = 0.0
    slowness: float = 3.0
    frontier: int = 0
    expand_s: float = 0.0


@dataclass(slots=True)
class Outcome:
    """What a simulated run took.

    Attributes:
        seconds: wall-clock time.
        work_s: the sum of the durations of all positions.
        tasks: tasks that came back.
        lost: tasks that died with their worker.
        client: share of the time that the client is busy.
        scheduler: share of the time that the scheduler is busy.
        workers: share of the time that the workers are busy.
        starved: share of the workers' time in which they wait for a task.
        is_narrow: whether the frontier has fewer tasks than there are workers.
    """

    seconds: float = 0.0
    work_s: float = 0.0
    tasks: int = 0
    lost: int = 0
    client: float = 0.0
    scheduler: float = 0.0
    workers: float = 0.0
    starved: float = 0.0
    is_narrow: bool = False

    @property
    def speedup(self) -> float:
        """How many times as fast as one worker without a cluster."""
        return self.work_s / self.seconds

    @property
    def limit(self) -> str:
        """What keeps the run from being faster."""
        if self.workers > 0.9:
            return "workers"
        if max(self.client, self.scheduler) > 0.7:
            return "client" if self.client > self.scheduler else "scheduler"
        return "frontier" if self.is_narrow and self.starved > 0.1 else "start and end"


@dataclass(slots=True)
class _Server:
    """The client or the scheduler: one message after another."""

    load: float  # the share of its time that progress and heartbeats take
    free_at: float = 0.0
    busy: float = 0.0

    def serve(self, at: float, cost: float) -> float:
        """Handle a message that comes at a time; return when it is done."""
        took = cost / max(0.01, 1.0 - self.load)
        self.free_at = max(self.free_at, at) + took
        self.busy += took
        return self.free_at


@dataclass(frozen=True, slots=True)
class _Task:
    nodes: float
    seconds: float
    count: int


@dataclass(slots=True, eq=False)
class _Worker:
    slowness: float
    dies_at: float
    idle_since: float = 0.0


class _Run:
    """A run under way."""

    def __init__(self, items: list[Item], plan: Plan, seed: int) -> None:
        self.plan = plan
        self.chance = random.Random(seed)
        progress = min(plan.workers, 100) * plan.news_s
        self.client = _Server(progress)
        self.scheduler = _Server(progress + plan.workers * HEARTBEATS_PER_S * plan.news_s)
        self.items, self.read = items, 0
        self.rate = Rate(FIRST_RATE)
        self.waiting: Waiting[float] = Waiting(self.rate)
        self.events: list[tuple[float, int, Callable[..., None], tuple[Any, ...]]] = []
        self.count = 0
        self.ready: deque[_Task] = deque()
        self.idle: deque[_Worker] = deque()
        for _ in range(plan.workers):
            slow = self.chance.random() < plan.slow
            self.idle.append(_Worker(plan.slowness if slow else 1.0, self.next_death(0.0)))
        self.sent = self.came = self.lost = 0
        self.busy_s = self.starved_s = 0.0

    def run(self) -> float:
        """Return the seconds until the last result."""
        now = 0.0
        self.send(now)
        while self.events:
            now, _, event, about = heapq.heappop(self.events)
            event(now, *about)
        return now

    def at(self, when: float, event: Callable[..., None], *about: Any) -> None:
        """Let something happen."""
        self.count += 1
        heapq.heappush(self.events, (when, self.count, event, about))

    def send(self, now: float) -> None:
        """Send tasks as the client does: two for each thread, or as many as the frontier has."""
        plan = self.plan
        most = min(2 * plan.workers, plan.frontier or 2 * plan.workers)
        while self.sent - self.came < most:
            if not len(self.waiting):
                part = self.items[self.read : self.read + READ_AHEAD]
                self.read += READ_AHEAD
                for item in part:
                    self.waiting.add(*item)
                if not part:
                    return
            durations, nodes = self.waiting.next_task(plan.workers, are_last=self.read >= len(self.items))
            self.sent += 1
            done = self.client.serve(now, plan.client_s / 2 + plan.expand_s)
            task = _Task(nodes, sum(durations), len(durations))
            self.at(done + plan.latency_s, self.schedule, task)

    def schedule(self, now: float, task: _Task) -> None:
        """A task reaches the scheduler."""
        self.at(self.scheduler.serve(now, self.plan.scheduler_s / 2), self.become_ready, task)

    def become_ready(self, now: float, task: _Task) -> None:
        """A task waits for a worker."""
        self.ready.append(task)
        self.hand_out(now)

    def become_idle(self, now: float, worker: _Worker) -> None:
        """A worker waits for a task."""
        worker.idle_since = now
        self.idle.append(worker)
        self.hand_out(now)

    def hand_out(self, now: float) -> None:
        """Give tasks that are ready to idle workers."""
        plan = self.plan
        while self.ready and self.idle:
            worker, task = self.idle.popleft(), self.ready.popleft()
            self.starved_s += now - worker.idle_since
            began = now + plan.latency_s
            took = plan.worker_s + task.seconds * worker.slowness
            if began + took > worker.dies_at:
                died = max(began, worker.dies_at)
                self.busy_s += died - began
                self.at(died, self.die, worker, task)
            else:
                self.busy_s += took
                self.at(began + took, self.finish, worker, task)

    def die(self, now: float, worker: _Worker, task: _Task) -> None:
        """A worker dies with its task, which goes to another one."""
        self.lost += 1
        worker.dies_at = self.next_death(now + self.plan.restart_s)
        self.at(now + self.plan.restart_s, self.become_idle, worker)
        self.ready.appendleft(task)
        self.hand_out(now)

    def finish(self, now: float, worker: _Worker, task: _Task) -> None:
        """A worker has done a task; its report goes to the scheduler, and from there to the client."""
        self.rate.learn(task.nodes, task.seconds * worker.slowness)
        arrived = self.scheduler.serve(now + self.plan.latency_s, self.plan.scheduler_s / 2)
        self.at(arrived + self.plan.latency_s, self.report, task)
        self.become_idle(now, worker)

    def report(self, now: float, task: _Task) -> None:
        """The report of a task reaches the client, which writes its results."""
        cost = self.plan.client_s / 2 + self.plan.position_s * task.count
        self.at(self.client.serve(now, cost), self.take)

    def take(self, now: float) -> None:
        """The client has taken a task."""
        self.came += 1
        self.send(now)

    def next_death(self, now: float) -> float:
        """Return when a worker that begins now dies."""
        return now + self.chance.expovariate(1 / self.plan.death_s) if self.plan.death_s else float("inf")


def simulate(items: list[Item], plan: Plan, seed: int = 1) -> Outcome:
    """Replay positions on a cluster."""
    run = _Run(items, plan, seed)
    seconds = run.run() + plan.start_s
    total = plan.workers * seconds
    return Outcome(
        seconds,
        sum(item[1] for item in items),
        run.came,
        run.lost,
        run.client.load + run.client.busy / seconds,
        run.scheduler.load + run.scheduler.busy / seconds,
        run.busy_s / total,
        run.starved_s / total,
        0 < plan.frontier < plan.workers,
    )


# --- measured durations


def measure(path: Path, out: Path) -> None:
    """Solve the positions of a file on one thread, and write what each takes."""
    solver = Solver(256)
    with out.open("w", encoding="utf-8") as stream:
        for entry in positions_in(path.read_text("utf-8")):
            if entry.position is None:
                continue
            began = time.process_time()
            nodes = solver.ask(entry.position, Question(), threads=1).score.nodes
            used = time.process_time() - began
            line = {"estimated": round(estimated_nodes(entry.position)), "nodes": nodes, "cpu_s": round(used, 5)}
            print(json.dumps(line), file=stream)


def items_of(path: Path, count: int = 0, times: float = 1.0) -> list[Item]:
    """Return the positions of a measured file, or ``count`` drawn from them, which take ``times`` as long."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    found = [(line["estimated"] * times, line["cpu_s"] * times) for line in lines]
    return random.Random(2).choices(found, k=count) if count else found


# --- the commands


def predict(items: list[Item], workers: list[int], plan: Plan) -> None:
    """Print a row for each number of workers."""
    hours = sum(seconds for _, seconds in items) / 3600
    print(f"{len(items):,} positions, {hours:,.1f} core-hours")
    print("workers |     time | speed-up | tasks | lost | client | scheduler | workers | limit")
    for count in workers:
        found = simulate(items, replace(plan, workers=count))
        print(
            f"{count:7} | {found.seconds:7.0f}s | {found.speedup:8.1f} | {found.tasks:,} | {found.lost} | "
            f"{found.client:.0%} | {found.scheduler:.0%} | {found.workers:.0%} | {found.limit}",
            flush=True,
        )


@dataclass(frozen=True, slots=True)
class SleepWork:
    """Sleeps through a duration; its answer is how long it slept."""

    seconds: float

    def do(self, _: Job[Any, Any], /) -> float:
        """Sleep."""
        began = time.perf_counter()
        time.sleep(self.seconds)
        return time.perf_counter() - began


def check(path: Path, solve: Path | None) -> None:
    """Compare predictions with Dask on 1 and 2 local workers."""
    items = items_of(path)
    for count in (1, 2):
        predicted = simulate(items, Plan(count)).seconds
        _compare("sleeping", count, predicted, _sleep(items, count))
    if solve is not None:
        for count in (1, 2):
            predicted = simulate(items, Plan(count)).seconds
            _compare("solving", count, predicted, _solve(solve, count))


def _compare(what: str, count: int, predicted: float, measured: float) -> None:
    print(
        f"{what}, {count} workers: predicted {predicted:.1f} s, measured {measured:.1f} s,"
        f" {predicted / measured - 1:+.0%}",
        flush=True,
    )


def _sleep(items: list[Item], count: int) -> float:
    began = time.monotonic()
    left = iter(items)
    with (
        connect(f"local:{count}") as connection,
        ClusterWorkers[None, float](connection, "position", rate=FIRST_RATE, read_ahead=READ_AHEAD) as workers,
    ):
        is_first = True
        while is_first or workers.is_busy:
            while workers.is_free and (item := next(left, None)) is not None:
                workers.send(None, SleepWork(item[1]), item[0])
            is_first = False
            workers.next(0.1)
    return time.monotonic() - began


def _solve(path: Path, count: int) -> float:
    began = time.monotonic()
    found = [entry.position for entry in positions_in(path.read_text("utf-8")) if entry.position is not None]
    with connect(f"local:{count}") as connection, Batch(enumerate(found), cluster=connection) as batch:
        assert len(list(batch)) == len(found)
    return time.monotonic() - began


def main() -> None:
    """Do what the command line asks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    measuring = commands.add_parser("measure")
    measuring.add_argument("file", type=Path)
    measuring.add_argument("out", type=Path)
    predicting = commands.add_parser("predict")
    predicting.add_argument("out", type=Path)
    predicting.add_argument("--workers", type=int, nargs="+", default=[8, 64, 512, 4096])
    predicting.add_argument(
        "--positions", type=int, default=0, help="draw so many positions from the measured ones"
    )
    predicting.add_argument("--times", type=float, default=1.0, help="let each take so many times as long")
    for name in (each.name for each in fields(Plan) if each.name != "workers"):
        kind = int if name == "frontier" else float
        predicting.add_argument(f"--{name.replace('_', '-')}", type=kind, default=getattr(Plan(1), name))
    checking = commands.add_parser("check")
    checking.add_argument("out", type=Path)
    checking.add_argument("--solve", type=Path)
    asked = vars(parser.parse_args())
    command = asked.pop("command")
    if command == "measure":
        measure(asked["file"], asked["out"])
    elif command == "check":
        check(asked["out"], asked["solve"])
    else:
        out, workers = asked.pop("out"), asked.pop("workers")
        predict(items_of(out, asked.pop("positions"), asked.pop("times")), workers, Plan(1, **asked))


if __name__ == "__main__":
    main()
