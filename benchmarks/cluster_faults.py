"""What becomes of commands on a cluster whose network, machines, clocks and certificates fail.

    sudo python benchmarks/cluster_faults.py [--quick] [--only WORD ...] [--commands WORD ...] [--markdown]

Four hosts are made on this machine (see cluster_hosts.py): a scheduler, two with a worker each, and a client. It
runs ``reversi solve``, ``analyze``, ``match`` and ``prove --cluster tls://...`` while one fault after another
strikes. After a command that ends early, the same command with ``--resume`` continues its file once the fault is
over. A row of the table says how a command ended, what it said, what was done before the run that continued, and
whether its file is right at the end: the values of one process without a cluster, each of them once. The exit
status is 1 where one is not.

``--quick`` has less work, a partition of 20 s instead of 60 s, and a Dask that counts a machine as lost after 12
seconds instead of 30. ``--only`` chooses faults by words of their names.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reversi import PASS, Move, Position, Random
from reversi.solver import Solver
from reversi.text import format_board

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "tests" / "support")]

from certificates import Authority, Certificate  # noqa: E402
from cluster_hosts import Host, Switch, hosts, what_is_missing, wrong_clock  # noqa: E402
from other_package import WEIGHTS, other_package  # noqa: E402

PORT = 8786
COMMANDS = ("solve", "analyze", "match", "prove")
_START_S = 600.0  # a busy machine takes minutes
_RUN_S = 900.0
_PROVED = 65536  # bytes of a store with some results


@dataclass(frozen=True)
class Size:
    """How much of everything.

    Attributes:
        solve_s: CPU time of the positions to solve.
        games: of a match and of an analysis.
        prove_empties: empty squares of the position to prove.
        partition_s: how long hosts are cut off.
        tcp_s: how long Dask waits for a silent host.
    """

    solve_s: float
    games: int
    prove_empties: int
    partition_s: float
    tcp_s: float


QUICK = Size(solve_s=3, games=10, prove_empties=18, partition_s=20, tcp_s=12)  # Dask takes no less than 11 s
FULL = Size(solve_s=10, games=20, prove_empties=20, partition_s=60, tcp_s=30)


@dataclass(frozen=True)
class Row:
    """How a command ended.

    Attributes:
        fault: what went wrong.
        command: the command.
        status: its exit status.
        said: what it wrote to standard error, in one line.
        again: what the run with ``--resume`` had to do, in words; empty where there was none.
        verdict: ``right``, or what is wrong.
        seconds: from the start of the command to its end.
    """

    fault: str
    command: str
    status: int
    said: str
    again: str
    verdict: str
    seconds: float


# --- the work


@dataclass
class Job:
    """A command with its file and its right results.

    Attributes:
        name: the command.
        words: its arguments, without those of the cluster and of the file.
        option: the option that names its file.
        resume: the words that continue the file.
        expected: its results in one process; `found` reads those of a file.
    """

    name: str
    words: list[str]
    option: str
    resume: list[str]
    expected: list[Any] = field(default_factory=list)

    def found(self, file: Path) -> list[Any]:
        """The results in a file, sorted; empty before there are any."""
        if not file.exists():
            return []
        if self.name == "prove":  # what it has proved, before the run ends
            with contextlib.suppress(sqlite3.Error), contextlib.closing(_read_only(file)) as store:
                return [position for (position,) in store.execute("select position from bounds")]
            return []
        text = file.read_text("utf-8")
        if self.name == "match":
            return sorted(_played(game) for game in text.split("[Event ")[1:] if game.endswith("\n\n"))
        rows = [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]
        if self.name == "solve":
            return sorted((row["index"], row["score"]) for row in rows)
        return sorted(json.dumps(_lasting(row), sort_keys=True) for row in rows)

    def under_way(self, file: Path) -> bool:
        """Whether a run has done something; nobody else reads a store that is in use."""
        if self.name == "prove":
            return file.exists() and file.stat().st_size > _PROVED
        return bool(self.found(file))


def _read_only(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{file}?mode=ro", uri=True)


def _played(game: str) -> str:
    """Who played what in a game of a match, without times."""
    tags = re.findall(r'\[((?:Round|Black|White|Result) "[^"]*")\]', game)
    return " ".join([*tags, *re.sub(r"\{[^}]*\}", "", game.rpartition("]\n")[2]).split()])


def _lasting(value: object) -> object:
    """What is equal in every run: not times and nodes."""
    if isinstance(value, dict):
        changing = ("nodes", "time", "time_s", "seconds", "total_time", "nps", "best", "pv")
        return {key: _lasting(item) for key, item in value.items() if key not in changing}
    return [_lasting(item) for item in value] if isinstance(value, list) else value


def later(empties: int, seed: int) -> Position:
    """A position with some empty squares that random moves lead to."""
    chance = Random(seed)
    while True:
        position = Position()
        while position.empties > empties and not position.is_over:
            moves: list[Move] = list(position.legal_moves) or [PASS]
            position = position.play(moves[chance.below(len(moves))])
        if position.empties == empties and not position.is_over:
            return position


def make_jobs(folder: Path, size: Size, environment: dict[str, str]) -> dict[str, Job]:
    """Make the input of all commands, and run each once in one process."""
    lines, seed, began = [], 0, time.process_time()
    while time.process_time() - began < size.solve_s:
        position = later(19, seed)
        Solver(16).solve(position)
        lines.append(format_board(position))
        seed += 1
    positions, games = folder / "positions.obf", folder / "games.pgn"
    positions.write_text("".join(f"{line}\n" for line in lines))
    proved = folder / "proved.txt"
    proved.write_text(f"{format_board(later(size.prove_empties, 5))}\n")
    match = ["match", "4", "5", "--games", str(size.games), "--seed", "1"]
    jobs = {
        "solve": Job("solve", ["solve", str(positions)], "--output", ["--resume"]),
        "match": Job("match", match, "--save", ["--resume"]),
        "analyze": Job("analyze", ["analyze", str(games), "--level", "6"], "--output", ["--resume"]),
        "prove": Job(
            "prove", ["prove", str(proved), "--frontier-empties", str(size.prove_empties - 5)], "--store", []
        ),
    }
    for job in jobs.values():
        file = games if job.name == "match" else folder / f"{job.name}.alone"
        run = [sys.executable, "-m", "reversi", *job.words, job.option, str(file)]
        done = subprocess.run(run, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError(f"{job.name} fails in one process: {done.stderr}")
        job.expected = job.found(file) if job.name != "prove" else [done.stdout.strip().splitlines()[0]]
    return jobs


# --- the cluster


class Box:
    """A scheduler, two hosts with workers and a client, and what runs on them."""

    def __init__(
        self, folder: Path, size: Size, switch: Switch, machines: list[Host], jobs: dict[str, Job]
    ) -> None:
        self.folder, self.size, self.switch, self.jobs = folder, size, switch, jobs
        self.scheduler, self.one, self.two, self.client = machines
        self.authority = Authority(folder, "right")
        self.certificate = self.authority.certificate("all")
        self.address = f"tls://{self.scheduler.address}:{PORT}"
        self.log = folder / "dask.log"
        self.variables = environment(size)
        self._files = 0

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        words = ["scheduler", "--host", self.scheduler.address, "--port", str(PORT), "--protocol", "tls"]
        before = self._schedulers()
        process = self._dask(self.scheduler, [*words, "--no-dashboard"], self.certificate, {})
        end = time.monotonic() + _START_S
        while self._schedulers() == before:
            if process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"the scheduler does not start:\n{self.log.read_text()[-3000:]}")
            time.sleep(0.1)
        return process

    def start_worker(
        self,
        host: Host,
        *,
        certificate: Certificate | None = None,
        package: Path | None = None,
        more: dict[str, str] | None = None,
        joins: bool = True,
        threads: int = 1,
    ) -> subprocess.Popen[bytes]:
        """Start a worker; wait until the scheduler knows it, unless it will not get that far."""
        variables = dict(more or {})
        if package is not None:
            variables["PYTHONPATH"] = str(package)
        before = self._registered()
        place = ["--local-directory", str(self.folder / host.name), "--name", f"{host.name}-{before}"]
        words = [
            "worker",
            self.address,
            "--no-nanny",
            "--nthreads",
            str(threads),
            "--memory-limit",
            "0",
            "--no-dashboard",
            *place,
        ]
        process = self._dask(host, words, certificate or self.certificate, variables)
        if joins:
            self.await_workers(before + 1)
        return process

    def await_workers(self, count: int) -> None:
        """Wait until as many workers as ``count`` have come since the start, those that have gone included."""
        end = time.monotonic() + _START_S
        while self._registered() < count:
            if time.monotonic() > end:
                raise AssertionError(f"the workers do not come:\n{self.log.read_text()[-3000:]}")
            time.sleep(0.1)

    def start(self, job: Job, file: Path, *, resume: bool = False) -> subprocess.Popen[bytes]:
        """Start a command on the client, with a new file or one that it continues."""
        return self.reversi(
            [*job.words, *(job.resume if resume else []), job.option, str(file)], file.with_suffix(".err")
        )

    def reversi(
        self, words: list[str], log: Path, certificate: Certificate | None = None, address: str = ""
    ) -> subprocess.Popen[bytes]:
        """Start ``reversi ... --cluster`` on the client."""
        files = certificate or self.certificate
        tls = ["--tls-ca", str(files.authority), "--tls-cert", str(files.file)]
        whole = [sys.executable, "-m", "reversi", *words, "--cluster", address or self.address, *tls]
        with log.with_suffix(".out").open("wb") as output:
            return self.client.start(whole, self.variables, log, output=output.fileno())

    def new_file(self, job: Job) -> Path:
        self._files += 1
        return self.folder / f"{job.name}-{self._files}.results"

    def _dask(
        self, host: Host, words: list[str], certificate: Certificate, more: dict[str, str]
    ) -> subprocess.Popen[bytes]:
        tls = ["--tls-ca-file", str(certificate.authority), "--tls-cert", str(certificate.file)]
        whole = [sys.executable, "-m", "dask", *words, *tls, "--tls-key", str(certificate.file)]
        return host.start(whole, {**self.variables, **more}, self.log)

    def _registered(self) -> int:
        return self.log.read_text().count("Register worker") if self.log.exists() else 0

    def _schedulers(self) -> int:
        return self.log.read_text().count("Scheduler at:") if self.log.exists() else 0


def environment(size: Size) -> dict[str, str]:
    """The variables of all processes."""
    source = Path(__file__).parents[1] / "src"
    path = os.pathsep.join(filter(None, [str(source), os.environ.get("PYTHONPATH", "")]))
    timeout = f"{size.tcp_s:g}s"
    return {
        **os.environ,
        "PYTHONPATH": path,
        "PYTHONUNBUFFERED": "1",
        "NO_COLOR": "1",
        "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": timeout,
        "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": timeout,
    }


# --- one run


def run(box: Box, fault: str, job: Job, strike: Callable[[], None], heal: Callable[[], None]) -> Row:
    """Run a command, let the fault strike at its first results, and continue its file where it ends early.

    Args:
        box: the cluster.
        fault: the name of the fault.
        job: the command.
        strike: what goes wrong; it returns when the command may go on.
        heal: what is mended before the command runs again.
    """
    file, began = box.new_file(job), time.monotonic()
    process = box.start(job, file)
    while process.poll() is None and not job.under_way(file):
        _check_time(process, began)
        time.sleep(0.05)
    missed = process.poll() is not None and strike is not _nothing
    if process.poll() is None:
        strike()
    status = _status(process, began)
    seconds, again = time.monotonic() - began, ""
    said = said_in(file.with_suffix(".err")).replace(f"{box.folder}/", "")
    if status:
        before = len(job.found(file))
        heal()
        file.with_suffix(".err").write_text("")
        process = box.start(job, file, resume=True)
        last = _status(process, time.monotonic())
        known = f"{before} bounds" if job.name == "prove" else f"{before} of {len(job.expected)}"
        again = f"continued with {known} done"
        if last:
            again += f", ended with {last}: {said_in(file.with_suffix('.err'))}"
    if missed:
        again = "the command was done before the fault"
    return Row(fault, job.name, status, said, again, verdict(job, file), seconds)


def verdict(job: Job, file: Path) -> str:
    """``right`` where a file has every result once, and no other; else what is wrong."""
    if job.name == "prove":
        lines = file.with_suffix(".out").read_text().strip().splitlines()
        found: list[Any] = lines[:1]
    else:
        found = job.found(file)
    if found == job.expected:
        return "right"
    missing = [row for row in job.expected if row not in found]
    more = [row for row in found if row not in job.expected]
    return f"WRONG: {len(found)} results, {len(missing)} missing, {len(more)} others: {more[:1]} for {missing[:1]}"


def said_in(log: Path) -> str:
    """What a command wrote to standard error, in one line, but for progress and the rows of a result."""
    return (
        " / ".join(line.strip() for line in log.read_text().splitlines() if line.strip()) if log.exists() else ""
    )


def _status(process: subprocess.Popen[bytes], began: float) -> int:
    while process.poll() is None:
        _check_time(process, began)
        time.sleep(0.05)
    return process.wait()


def _check_time(process: subprocess.Popen[bytes], began: float) -> None:
    if time.monotonic() - began > _RUN_S:
        process.kill()
        raise AssertionError(f"a command hangs: {process.args!r}")


# --- the faults


FAULTS: dict[str, Callable[[Box], Iterator[Row]]] = {}


def fault(name: str) -> Callable[[Callable[[Box, str], Iterator[Row]]], None]:
    """Add a fault to the table."""

    def add(function: Callable[[Box, str], Iterator[Row]]) -> None:
        FAULTS[name] = lambda box: function(box, name)

    return add


def _nothing() -> None: ...


def _start(box: Box) -> None:
    box.start_scheduler()
    box.start_worker(box.one)
    box.start_worker(box.two)


@fault("none")
def _none(box: Box, name: str) -> Iterator[Row]:
    _start(box)
    for job in box.jobs.values():
        yield run(box, name, job, _nothing, _nothing)


@fault("50 ms delay each way, 1 % lost")
def _slow(box: Box, name: str) -> Iterator[Row]:
    _start(box)
    box.switch.delay_s, box.switch.loss = 0.05, 0.01
    for job in box.jobs.values():
        yield run(box, name, job, _nothing, _nothing)


def _partition(box: Box, name: str, host: Host) -> Iterator[Row]:
    def strike() -> None:
        host.cut()
        time.sleep(box.size.partition_s)
        host.mend()

    for job in box.jobs.values():
        _start(box)
        yield run(box, name, job, strike, lambda: _ensure_workers(box))
        _restart(box)


def _ensure_workers(box: Box) -> None:
    """Start everything again, as the people of a cluster do when it has lost its parts."""
    _restart(box)
    _start(box)


def _restart(box: Box) -> None:
    """End all of the cluster; its machines stay."""
    for host in (box.scheduler, box.one, box.two):
        host.lose_power()
        host.mend()
    box.log.unlink(missing_ok=True)


@fault("worker cut off")
def _worker_cut(box: Box, name: str) -> Iterator[Row]:
    yield from _partition(box, name, box.one)


@fault("scheduler cut off")
def _scheduler_cut(box: Box, name: str) -> Iterator[Row]:
    yield from _partition(box, name, box.scheduler)


@fault("client cut off")
def _client_cut(box: Box, name: str) -> Iterator[Row]:
    yield from _partition(box, name, box.client)


@fault("worker host dies")
def _worker_dies(box: Box, name: str) -> Iterator[Row]:
    for job in box.jobs.values():
        _start(box)
        yield run(box, name, job, box.one.lose_power, _nothing)
        _restart(box)


@fault("a worker host has just died")
def _just_died(box: Box, name: str) -> Iterator[Row]:
    for job in box.jobs.values():
        _start(box)
        box.one.lose_power()
        yield run(box, name, job, _nothing, _nothing)
        _restart(box)


@fault("scheduler host dies and comes back")
def _scheduler_dies(box: Box, name: str) -> Iterator[Row]:
    def strike() -> None:
        box.scheduler.lose_power()
        time.sleep(3)
        box.scheduler.mend()
        box.start_scheduler()

    for job in box.jobs.values():
        _start(box)
        yield run(box, name, job, strike, lambda: _ensure_workers(box))
        _restart(box)


@fault("clock of a worker 2 minutes wrong")
def _clock(box: Box, name: str) -> Iterator[Row]:
    box.start_scheduler()
    box.start_worker(box.one, more=wrong_clock(box.folder, 120))
    box.start_worker(box.two, more=wrong_clock(box.folder, -120))
    for job in box.jobs.values():
        yield run(box, name, job, _nothing, _nothing)


def _refused(box: Box, name: str, certificate: Certificate | None = None, address: str = "") -> Row:
    """Run ``solve``, which shall end at once with one line; the same command without the fault is right."""
    job, began = box.jobs["solve"], time.monotonic()
    file = box.new_file(job)
    process = box.reversi([*job.words, job.option, str(file)], file.with_suffix(".err"), certificate, address)
    status = _status(process, began)
    seconds, said = time.monotonic() - began, said_in(file.with_suffix(".err"))
    verdict = "refused" if status == 2 and " / " not in said and not file.exists() else "WRONG"
    return Row(name, job.name, status, said, "", verdict, seconds)


def _checked(box: Box, name: str) -> Row:
    """Run ``doctor``, which shall say what is wrong."""
    log, began = box.folder / "doctor.err", time.monotonic()
    status = _status(box.reversi(["doctor"], log), began)
    wrong = [line for line in log.with_suffix(".out").read_text().splitlines() if "WRONG: " in line]
    said = " / ".join(line.partition("WRONG: ")[2] for line in wrong)
    return Row(
        name, "doctor", status, said, "", "found" if status == 1 and said else "WRONG", time.monotonic() - began
    )


@fault("a worker of another version")
def _version(box: Box, name: str) -> Iterator[Row]:
    _start(box)
    box.start_worker(box.one, package=other_package(box.folder / "old", version="0.0.1"))
    yield _refused(box, name)
    yield _checked(box, name)


@fault("a worker without weights")
def _weights(box: Box, name: str) -> Iterator[Row]:
    _start(box)
    box.start_worker(box.one, package=other_package(box.folder / "bare", without=[WEIGHTS]))
    yield _refused(box, name)
    yield _checked(box, name)


@fault("a worker of another version joins later")
def _late_version(box: Box, name: str) -> Iterator[Row]:
    package = other_package(box.folder / "late", version="0.0.1")

    def strike() -> None:
        box.start_worker(box.one, package=package)

    for job in box.jobs.values():
        _start(box)
        yield run(box, name, job, strike, lambda: _ensure_workers(box))
        _restart(box)


@fault("a client with a wrong certificate")
def _wrong(box: Box, name: str) -> Iterator[Row]:
    _start(box)
    yield _refused(box, name, Authority(box.folder, "other").certificate("client"))
    other = Authority(box.folder, "third").certificate("client")
    yield _refused(box, f"{name}, the right authority", Certificate(box.certificate.authority, other.file))


@fault("a client with an expired certificate")
def _expired(box: Box, name: str) -> Iterator[Row]:
    _start(box)
    yield _refused(box, name, box.authority.certificate("expired", valid_s=3600))


@fault("a client without a certificate")
def _without(box: Box, name: str) -> Iterator[Row]:
    _start(box)
    job, began = box.jobs["solve"], time.monotonic()
    for address in (box.address, box.address.replace("tls", "tcp")):
        file = box.new_file(job)
        words = [sys.executable, "-m", "reversi", *job.words, job.option, str(file), "--cluster", address]
        began = time.monotonic()
        status = _status(box.client.start(words, box.variables, file.with_suffix(".err")), began)
        said = said_in(file.with_suffix(".err"))
        right = status == 2 and " / " not in said and not file.exists()
        where = "" if address == box.address else ", tcp://"
        yield Row(
            f"{name}{where}", "solve", status, said, "", "refused" if right else "WRONG", time.monotonic() - began
        )


@fault("an expired certificate of the scheduler")
def _expired_scheduler(box: Box, name: str) -> Iterator[Row]:
    box.certificate, good = box.authority.certificate("expired-scheduler", valid_s=3600), box.certificate
    box.start_scheduler()
    box.certificate = good
    yield _refused(box, name)


@fault("workers with a wrong, an expired and a future certificate")
def _workers_refused(box: Box, name: str) -> Iterator[Row]:
    _start(box)
    box.start_worker(box.one, certificate=Authority(box.folder, "other").certificate("worker"), joins=False)
    box.start_worker(box.two, certificate=box.authority.certificate("expired", valid_s=3600), joins=False)
    box.start_worker(box.two, certificate=box.authority.certificate("future", age_s=-120), joins=False)
    for job in box.jobs.values():
        yield run(box, name, job, _nothing, _nothing)


# --- the table


def all_rows(size: Size, only: list[str], commands: list[str]) -> Iterator[Row]:
    """Let the faults strike one after another."""
    with tempfile.TemporaryDirectory(prefix="reversi-box-") as place:
        folder = Path(place)
        jobs = make_jobs(folder, size, environment(size))
        jobs = {name: job for name, job in jobs.items() if name in commands}
        for number, (name, function) in enumerate(FAULTS.items()):
            if only and not any(word in name for word in only):
                continue
            own = folder / str(number)
            own.mkdir()
            with hosts("scheduler", "one", "two", "client") as (switch, machines):
                yield from function(Box(own, size, switch, machines, jobs))


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description="Let the hosts of a cluster fail while commands run on it.")
    parser.add_argument("--quick", action="store_true", help="less work, shorter partitions")
    parser.add_argument("--only", nargs="+", metavar="WORD", default=[], help="only faults with such words")
    parser.add_argument("--commands", nargs="+", choices=COMMANDS, default=list(COMMANDS))
    parser.add_argument("--partition", type=float, metavar="SECONDS", help="cut hosts off for so long")
    parser.add_argument("--markdown", action="store_true", help="write a table in Markdown")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # which deletes the hosts
    if why := what_is_missing():
        print(f"skipped: {why}", file=sys.stderr)
        return
    size = QUICK if options.quick else FULL
    if options.partition:
        size = replace(size, partition_s=options.partition, tcp_s=min(FULL.tcp_s, options.partition / 2))
    wrong = 0
    if options.markdown:
        print("| fault | command | exit status | what it said | then | results | time |")
        print("|---|---|---:|---|---|---|---:|")
    for row in all_rows(size, options.only, options.commands):
        wrong += row.verdict.startswith("WRONG")
        cells = [row.fault, row.command, str(row.status), row.said, row.again, row.verdict, f"{row.seconds:.0f} s"]
        print(f"| {' | '.join(cells)} |" if options.markdown else "  ".join(cells), flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
