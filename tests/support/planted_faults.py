"""Which faults do the tests catch? Plant one after the other in ``src/``, and run the tests that run its line.

    python tests/support/planted_faults.py cover DATA  # which test runs which line: three times the tests
    python tests/support/planted_faults.py run DATA    # plant each fault of planted_faults.tsv

A fault is a changed comparison, sign or constant, or a removed line. `planted_faults.tsv` keeps the same places:
the module, the qualified name, the changed code and its number within the function. Where a function moves, its
fault moves along; where the code is gone, the program says so, and ``choose`` finds other places:

    python tests/support/planted_faults.py choose DATA > tests/support/planted_faults.tsv

A fault is caught when a test fails, or takes more than a minute. The fastest tests come first, and those beyond
half a minute are left out (``--seconds``). Nothing in the tree changes: the tests run in a copy of it.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import csv
import functools
import importlib
import itertools
import json
import math
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest

LIST: Final = Path(__file__).with_suffix(".tsv")
KINDS: Final = ("comparison", "sign", "constant", "line")
TEST_S: Final = 60
LIMIT_S: Final = 900.0
_COMPARISONS: Final = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
_SIGNS: Final = {ast.Add: ("+", "-"), ast.Sub: ("-", "+")}


@dataclass(frozen=True)
class Fault:
    """A fault: one change of one function.

    Attributes:
        kind: what changes, one of `KINDS`.
        module: the file, from ``src/reversi/`` on.
        name: the qualified name of the function.
        code: what is there, as `ast.unparse` writes it.
        number: among the same in that function, from 0.
    """

    kind: str
    module: str
    name: str
    code: str
    number: int


@dataclass(frozen=True)
class Place:
    """Where a fault goes in a file, in bytes, and what stands there with it."""

    line: int
    begin: int
    end: int
    text: bytes


class _Places(ast.NodeVisitor):
    """All faults that a module can get."""

    def __init__(self, module: str, source: bytes) -> None:
        self.found: dict[Fault, Place] = {}
        self._module, self._source = module, source
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._names: list[str] = []
        self._in_function = False
        self._count: Counter[tuple[str, str, str]] = Counter()

    def _add(self, kind: str, node: ast.expr | ast.stmt, begin: int, end: int, text: str) -> None:
        name, code = ".".join(self._names), ast.unparse(node)
        key = kind, name, code
        self.found[Fault(kind, self._module, name, code, self._count[key])] = Place(
            node.lineno, begin, end, text.encode()
        )
        self._count[key] += 1

    def _begin(self, node: ast.expr | ast.stmt) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def _between(
        self, kind: str, node: ast.expr, left: ast.expr, right: ast.expr, change: tuple[str, str]
    ) -> None:
        begin, end = self._end(left), self._begin(right)
        at = self._source.find(change[0].encode(), begin, end)
        if at >= 0:
            self._add(kind, node, at, at + len(change[0]), change[1])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._names.append(node.name)
        for child in node.body:
            self.visit(child)
        self._names.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        outer, self._in_function = self._in_function, True
        self._names.append(node.name)
        for child in node.body[ast.get_docstring(node) is not None :]:
            self.visit(child)
        self._names.pop()
        self._in_function = outer

    def visit_Assert(self, node: ast.Assert) -> None:
        pass

    def visit_Compare(self, node: ast.Compare) -> None:
        if self._in_function and len(node.ops) == 1 and type(node.ops[0]) in _COMPARISONS:
            change = _COMPARISONS[type(node.ops[0])]
            self._between("comparison", node, node.left, node.comparators[0], change)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        texts = any(
            isinstance(side, ast.JoinedStr | ast.List | ast.Tuple)
            or (isinstance(side, ast.Constant) and isinstance(side.value, str))
            for side in (node.left, node.right)
        )
        if self._in_function and type(node.op) in _SIGNS and not texts:
            self._between("sign", node, node.left, node.right, _SIGNS[type(node.op)])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if self._in_function and isinstance(node.op, ast.USub):
            begin = self._begin(node)
            self._add("sign", node, begin, begin + 1, "")
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass  # its places are those of the whole string in Python 3.11

    def visit_Constant(self, node: ast.Constant) -> None:
        if self._in_function and isinstance(node.value, bool | int | float):
            changed = not node.value if isinstance(node.value, bool) else node.value + 1
            self._add("constant", node, self._begin(node), self._end(node), repr(changed))

    def generic_visit(self, node: ast.AST) -> None:
        if self._in_function and (
            isinstance(node, ast.AugAssign | ast.Raise)
            or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
        ):
            self._add("line", node, self._begin(node), self._end(node), "pass")
        super().generic_visit(node)


def places(tree: Path) -> dict[Fault, Place]:
    """Return all faults that the modules of a tree can get."""
    found: dict[Fault, Place] = {}
    for path in sorted((tree / "src/reversi").rglob("*.py")):
        source = path.read_bytes()
        visitor = _Places(path.relative_to(tree / "src/reversi").as_posix(), source)
        visitor.visit(ast.parse(source))
        found.update(visitor.found)
    return found


def located(fault: Fault, where: dict[Fault, Place]) -> Fault | None:
    """Return a fault where its code is now: in its place, or the only one of its kind elsewhere; else ``None``."""
    if fault in where:
        return fault
    function = fault.name.rpartition(".")[2]
    alike = [f for f in where if (f.kind, f.code) == (fault.kind, fault.code)]
    for same in (
        [f for f in alike if f.module == fault.module and f.name.rpartition(".")[2] == function],
        [f for f in alike if f.name.rpartition(".")[2] == function and f.number == fault.number],
        [f for f in alike if f.name.rpartition(".")[2] == function],
    ):
        if len(same) == 1:
            return same[0]
    return None


# --- which test runs which line: a plugin for pytest while coverage measures


_failed: set[str] = set()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Name the lines that a test runs after the test, in its processes too, and write its time if it passed."""
    from coverage import Coverage

    measuring = Coverage.current()
    assert measuring is not None
    measuring.switch_context(item.nodeid)
    os.environ["PLANTED_FAULTS_TEST"] = item.nodeid
    before = sum(os.times()[:4])
    result = yield
    del os.environ["PLANTED_FAULTS_TEST"]
    measuring.switch_context("")
    if item.nodeid not in _failed:
        with Path(os.environ["PLANTED_FAULTS_TIMES"]).open("a", encoding="utf-8") as times:
            times.write(json.dumps([item.nodeid, round(sum(os.times()[:4]) - before, 3)]) + "\n")
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember what has failed: it would catch every fault."""
    if report.failed:
        _failed.add(report.nodeid)


_MEASURED: Final = """\
[run]
data_file = {data}
source_pkgs = reversi
parallel = true
context = ${{PLANTED_FAULTS_TEST-}}
"""


def cover(data: Path, tree: Path) -> int:
    """Run the quick tests of a tree under coverage, in as many processes as pyproject.toml says."""
    data.mkdir(parents=True, exist_ok=True)
    settings = data / "rc"
    settings.write_text(_MEASURED.format(data=data / "lines"))
    environ = os.environ | {"PLANTED_FAULTS_TIMES": str(data / "times.jsonl")}
    environ["PYTHONPATH"] = os.pathsep.join([str(tree / "src"), str(Path(__file__).parent)])
    # not the interrupts at any moment: one of them may meet coverage's own lock
    interrupts = "tests/solver/test_stopping.py::test_an_interrupt_at_any_moment_leaves_no_hold_and_no_thread"
    tests = (
        "-m",
        "pytest",
        "-q",
        "-m",
        "not slow",
        "-p",
        "planted_faults",
        "-p",
        "no:cacheprovider",
        "--deselect",
        interrupts,
    )
    # each Python that starts with this variable measures itself: workers of the tests, and what tests start
    measured = environ | {"COVERAGE_PROCESS_START": str(settings)}
    code = subprocess.run([sys.executable, *tests], cwd=tree, env=measured, check=False).returncode
    combine = (sys.executable, "-m", "coverage", "combine", "-q", f"--rcfile={settings}")
    return subprocess.run(combine, cwd=tree, env=environ, check=False).returncode or code


class Tests:
    """Which test runs which line, as `cover` has measured it.

    Args:
        data: the folder.
        tree: of the measured package.
    """

    def __init__(self, data: Path, tree: Path) -> None:
        from coverage import CoverageData

        self._times: dict[str, float] = {}
        for path in sorted(data.glob("*.jsonl")):
            for line in path.read_text(encoding="utf-8").splitlines():
                test, seconds = json.loads(line)
                self._times[test] = seconds
        self._measured = []
        for path in sorted(data.glob("lines*")):
            self._measured.append(CoverageData(str(path)))
            self._measured[-1].read()
        self._tree = tree

    @functools.cache  # noqa: B019 - one object for each run
    def _lines(self, module: str) -> dict[int, set[str]]:
        lines: dict[int, set[str]] = {}
        for measured in self._measured:
            path = str((self._tree / "src/reversi" / module).resolve())
            for line, names in measured.contexts_by_lineno(path).items():
                lines.setdefault(line, set()).update(names)
        return lines

    def of(self, fault: Fault, place: Place) -> list[str]:
        """Return the tests that run the line of a fault, the fastest first."""
        tests = self._lines(fault.module).get(place.line, set()) & self._times.keys()
        return sorted(tests, key=lambda test: (self._times[test], test))

    def within(self, tests: list[str], seconds: float) -> list[str]:
        """Return as many of the tests as fit in a time, at least one."""
        total, chosen = 0.0, tests[:1]
        for test in tests[1:]:
            total += self._times[test] + 0.005
            if total > seconds:
                break
            chosen.append(test)
        return chosen


# --- planting


class Copy:
    """A copy of a tree, in which faults are planted; use it as a context manager."""

    def __init__(self, tree: Path) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="planted-faults-")
        self.tree = Path(self._folder.name) / "tree"
        ignored = shutil.ignore_patterns(".git", "__pycache__", "build", ".*_cache", "*.c")
        shutil.copytree(tree, self.tree, ignore=ignored, symlinks=True)
        self._second = int(time.time()) - 10**6

    def __enter__(self) -> Copy:
        return self

    def __exit__(self, *exc: object) -> None:
        self._folder.cleanup()

    def write(self, module: str, source: bytes) -> None:
        """Write a module, later than before: Python compares the second at which it compiled it."""
        path = self.tree / "src/reversi" / module
        path.write_bytes(source)
        self._second += 1
        os.utime(path, (self._second, self._second))

    def plant(self, fault: Fault, place: Place, tests: list[str]) -> str:
        """Return the test that catches a fault, or what else does; "" for nothing."""
        source = (self.tree / "src/reversi" / fault.module).read_bytes()
        self.write(fault.module, source[: place.begin] + place.text + source[place.end :])
        try:
            failed, code = self.failing(tests, "-x", limit_s=LIMIT_S)
            if code == pytest.ExitCode.USAGE_ERROR:  # what the fault removes has no test
                failed, code = self.failing([test for test in tests if test not in failed], "-x", limit_s=LIMIT_S)
        except TimeoutError:
            return "the tests do not end"
        finally:
            self.write(fault.module, source)
        if failed:
            return failed[0]
        return f"pytest ends with {code}" if code else ""

    def failing(self, tests: list[str], *options: str, limit_s: float = math.inf) -> tuple[list[str], int]:
        """Return which of the tests fail or do not exist, and the exit status of pytest.

        Raises:
            TimeoutError: the tests do not end within the limit.
        """
        words = [
            "-q",
            "-n",
            "0",
            "-m",
            "not slow",
            "-p",
            "no:cacheprovider",
            "--tb=no",
            f"--timeout={TEST_S}",
            *options,
            *tests,
        ]
        output = self.tree.parent / "output"
        give_up = time.monotonic() + limit_s
        process = os.fork()
        if not process:
            self._run(words, output)
        try:
            ended, status = 0, 0
            while not ended:
                if time.monotonic() > give_up:
                    raise TimeoutError
                time.sleep(0.05)
                ended, status = os.waitpid(process, os.WNOHANG)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process, signal.SIGKILL)
        failed = set()
        for line in output.read_text(errors="replace").splitlines():
            if found := re.match(r"(?:FAILED|ERROR:? (?:not found: )?)(?P<test>.*)", line):
                failed.add(found["test"].strip().removeprefix(f"{self.tree}/"))
        # a test that does not exist is named without its parameters
        known = [
            t
            for t in tests
            if t.partition("[")[0] in failed or any(f"{f} - ".startswith(f"{t} - ") for f in failed)
        ]
        return known, os.waitstatus_to_exitcode(status)

    def _run(self, words: list[str], output: Path) -> NoReturn:
        """Run pytest in this process, which has the libraries of other people but not the package."""
        os.setsid()
        os.chdir(self.tree)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        sys.dont_write_bytecode = False
        os.environ["PYTHONPATH"] = str(self.tree / "src")
        sys.path[0] = str(self.tree / "src")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(1, 2)
        code = 1
        try:
            code = int(pytest.main(words))
            sys.stdout.flush()
        finally:
            os._exit(code)


def _load_libraries() -> None:
    """Import what the tests import, so that it is imported once."""
    for name in ("hypothesis", "numpy", "textual.app", "textual.pilot", "typer", "xdist"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    assert "reversi" not in sys.modules


def read_list(path: Path = LIST) -> list[Fault]:
    """Return the kept faults."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t")
        return [Fault(kind, module, name, code, int(number)) for kind, module, name, code, number in rows]


def choose(data: Path, tree: Path, count: int, seed: int, other: Path | None) -> None:
    """Write a list of faults in lines that tests run; with another tree, only those that it can get, too."""
    tests, where = Tests(data, tree), places(tree)
    elsewhere = None if other is None else places(other)
    pick = random.Random(seed)
    chosen: list[Fault] = []
    for kind in KINDS:
        faults = sorted((f for f in where if f.kind == kind), key=lambda f: (f.module, f.name, f.code, f.number))
        pick.shuffle(faults)
        fitting = (
            f for f in faults if tests.of(f, where[f]) and (elsewhere is None or located(f, elsewhere) is not None)
        )
        chosen += itertools.islice(fitting, count // len(KINDS))
    pick.shuffle(chosen)  # the first hundred are a fair sample, too
    writer = csv.writer(sys.stdout, delimiter="\t", lineterminator="\n")
    writer.writerows((f.kind, f.module, f.name, f.code, f.number) for f in chosen)


def run(data: Path, tree: Path, only: set[int], budget_s: float) -> None:
    """Plant the kept faults, and print for each which test catches it."""
    _load_libraries()
    tests, where, counts, catching = Tests(data, tree), places(tree), Counter[str](), Counter[str]()
    with Copy(tree) as copy:
        for number, kept in enumerate(read_list(), 1):
            if only and number not in only:
                continue
            began = time.perf_counter()
            fault = located(kept, where)
            running = [] if fault is None else tests.of(fault, where[fault])
            running = tests.within(running, budget_s)
            catcher = copy.plant(fault, where[fault], running) if fault and running else ""
            outcome = "gone" if fault is None else "not run" if not running else "caught" if catcher else "missed"
            counts[outcome] += 1
            if catcher in running:
                catching[catcher] += 1
            now = fault or kept
            line = (number, outcome, now.kind, f"{now.module}:{now.name}", now.code.split("\n")[0][:80], catcher)
            seconds = time.perf_counter() - began
            print(*line, f"{len(running)} tests", f"{seconds:.0f} s", sep="\t", flush=True)
        print(", ".join(f"{count} {outcome}" for outcome, count in counts.most_common()), flush=True)
        if catching:
            for test in copy.failing(sorted(catching))[0]:
                print(f"fails without a fault, too ({catching[test]} caught): {test}")


def main(arguments: list[str] | None = None) -> Any:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("cover", "choose", "run"))
    parser.add_argument("data", type=Path, help="the folder of the measurement")
    parser.add_argument("--tree", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--also-in", type=Path, help="choose: another tree that can get the faults, too")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=25)
    parser.add_argument("--only", default="", help="run: these numbers, as in 7,9")
    parser.add_argument(
        "--seconds", type=float, default=30.0, help="run: the tests of a fault, as they were measured"
    )
    given = parser.parse_args(arguments)
    data, tree = given.data.resolve(), given.tree.resolve()
    if given.command == "cover":
        return cover(data, tree)
    if given.command == "choose":
        return choose(data, tree, given.count, given.seed, given.also_in)
    return run(data, tree, {int(number) for number in given.only.split(",") if number}, given.seconds)


if __name__ == "__main__":
    sys.exit(main())
