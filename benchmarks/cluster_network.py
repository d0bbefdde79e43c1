"""What a network costs a cluster: how busy workers are where messages take their time, and what memory it takes.

    sudo python benchmarks/cluster_network.py efficiency [--threads 16] [--seconds 20]
    sudo python benchmarks/cluster_network.py memory [--positions 100000]

Hosts are made on this machine (see cluster_hosts.py), with encryption. ``efficiency`` lets workers sleep
through positions of 10 ms, 100 ms and 10 s, which needs no CPUs, at delays of 0, 5 and 50 ms each way. It
writes the part of their time that the threads sleep, beside what cluster_simulator.py predicts, and the CPU time
of a position in client, scheduler and workers, which a busy machine does not change. ``memory`` solves
many small positions with ``reversi solve --cluster``, and prints the most memory that client and scheduler had.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

from reversi import PASS, Position, Random
from reversi.solver.batch import READ_AHEAD
from reversi.solver.costs import FIRST_RATE
from reversi.text import format_board
from reversi.work import Tls, connect
from reversi.work.cluster.workers import ClusterWorkers

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "tests" / "support")]

from cluster_faults import QUICK, Box  # noqa: E402
from cluster_hosts import hosts, what_is_missing  # noqa: E402
from cluster_simulator import Plan, SleepWork, simulate  # noqa: E402

DELAYS_S = (0.0, 0.005, 0.05)
DURATIONS_S = (0.01, 0.1, 10.0)
LEAST_EACH = 4  # positions for each thread


def efficiency(threads: int, seconds: float) -> None:
    """Print the table."""
    print(
        "| a position | positions | delay | busy | predicted | time | predicted | client | scheduler | workers |"
    )
    print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for delay_s in DELAYS_S:
        with tempfile.TemporaryDirectory(prefix="reversi-box-") as place:
            folder = Path(place)
            with hosts("scheduler", "one", "two", "client") as (switch, machines):
                box = Box(folder, QUICK, switch, machines, {})
                box.variables["PYTHONPATH"] += f"{os.pathsep}{Path(__file__).parent}"
                others = [box.start_scheduler()]
                others += [box.start_worker(host, threads=threads // 2) for host in (box.one, box.two)]
                switch.delay_s = delay_s
                for duration_s in DURATIONS_S:
                    count = max(LEAST_EACH * threads, round(seconds * threads / duration_s))
                    words = [sys.executable, __file__, "sleep", box.address, str(box.authority.file)]
                    words += [str(box.certificate.file), str(count), str(duration_s)]
                    answer, before = folder / "answer", [cpu_s(process.pid) for process in others]
                    with answer.open("wb") as output:
                        box.client.start(words, box.variables, folder / "err", output=output.fileno()).wait()
                    found = json.loads(answer.read_text() or "{}")
                    if not found:
                        raise AssertionError((folder / "err").read_text())
                    items = [(FIRST_RATE * duration_s, duration_s)] * count
                    plan = Plan(threads, start_s=0.0, latency_s=delay_s)
                    predicted = simulate(items, plan)
                    busy = found["slept_s"] / (threads * found["wall_s"])
                    used = [cpu_s(process.pid) - was for process, was in zip(others, before, strict=True)]
                    each = [1000 * part / count for part in (found["cpu_s"], used[0], sum(used[1:]))]
                    print(
                        f"| {duration_s * 1000:,.0f} ms | {count:,} | {delay_s * 1000:.0f} ms | {busy:.0%} | "
                        f"{predicted.workers:.0%} | {found['wall_s']:.1f} s | {predicted.seconds:.1f} s | "
                        f"{' | '.join(f'{part:.2f} ms' for part in each)} |",
                        flush=True,
                    )


def sleep(address: str, authority: str, certificate: str, count: int, duration_s: float) -> None:
    """Be the client of one run, and print what it took."""
    with connect(address, Tls(authority, certificate), timeout_s=60) as connection:
        began, used, slept_s, left = time.monotonic(), time.process_time(), 0.0, count
        with ClusterWorkers[None, float](
            connection, "position", rate=FIRST_RATE, read_ahead=READ_AHEAD
        ) as workers:
            while left or workers.is_busy:
                while left and workers.is_free:
                    workers.send(None, SleepWork(duration_s), FIRST_RATE * duration_s)
                    left -= 1
                job = workers.next(0.1)
                if job is not None:
                    slept_s += job.result() or 0.0
        wall_s, used = time.monotonic() - began, time.process_time() - used
    print(json.dumps({"slept_s": slept_s, "wall_s": wall_s, "cpu_s": used}))


def memory(count: int) -> None:
    """Print the most memory of client and scheduler."""
    with tempfile.TemporaryDirectory(prefix="reversi-box-") as place:
        folder, chance = Path(place), Random(1)
        positions = folder / "positions.obf"
        with positions.open("w") as stream:
            for _ in range(count):
                position = Position()
                while position.empties > 4 and not position.is_over:
                    moves = list(position.legal_moves) or [PASS]
                    position = position.play(moves[chance.below(len(moves))])
                stream.write(f"{format_board(position)}\n")
        with hosts("scheduler", "one", "two", "client") as (switch, machines):
            box = Box(folder, QUICK, switch, machines, {})
            scheduler = box.start_scheduler()
            box.start_worker(box.one)
            box.start_worker(box.two)
            idle = highest_mb(scheduler.pid)
            output, began = folder / "results.jsonl", time.monotonic()
            client = box.reversi(["solve", str(positions), "--output", str(output)], folder / "err")
            highest = 0.0
            while client.poll() is None:
                highest = max(highest, highest_mb(client.pid))
                time.sleep(0.2)
            seconds, rows = time.monotonic() - began, output.read_bytes().count(b"\n")
            print(f"{rows:,} of {count:,} positions in {seconds:.0f} s, exit status {client.returncode}")
            print(f"client: {highest:.0f} MB; scheduler: {highest_mb(scheduler.pid):.0f} MB, {idle:.0f} MB before")


def cpu_s(process: int) -> float:
    """The CPU time of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def highest_mb(process: int) -> float:
    """The most memory that a process had, in MB; 0 when it has ended."""
    try:
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


def main() -> None:
    """Do what the command line asks."""
    parser = argparse.ArgumentParser(description="Measure a cluster on a network with delays.")
    commands = parser.add_subparsers(dest="command", required=True)
    measuring = commands.add_parser("efficiency")
    measuring.add_argument("--threads", type=int, default=16, help="of all workers")
    measuring.add_argument("--seconds", type=float, default=20, help="of a run, at least")
    remembering = commands.add_parser("memory")
    remembering.add_argument("--positions", type=int, default=100_000)
    sleeping = commands.add_parser("sleep", help="the client of one run; efficiency starts it")
    for name in ("address", "authority", "certificate"):
        sleeping.add_argument(name)
    sleeping.add_argument("count", type=int)
    sleeping.add_argument("duration_s", type=float)
    asked = vars(parser.parse_args())
    command = asked.pop("command")
    if command == "sleep":
        sleep(**asked)
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # which deletes the hosts
    if why := what_is_missing():
        print(f"skipped: {why}", file=sys.stderr)
        return
    if command == "memory":
        memory(asked["positions"])
    else:
        efficiency(**asked)


if __name__ == "__main__":
    main()
