"""Checks of this installation, and what it finds on this machine.

Each usable build of the compiled code runs in a process of its own and answers two questions with known answers:
the leaves of the game tree at depth 8, and the value of a small endgame. All must give the known answers, and
agree on the number of nodes and on the evaluation.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import platform
import subprocess
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.requirements import InvalidRequirement, Requirement

import reversi
from reversi._core import COMPILER, ISA, USABLE_ISAS, Position
from reversi._system.children import run_python
from reversi._system.limits import usable_cpus, usable_memory_mb
from reversi._version import __version__
from reversi.evaluation.weights import WeightsError, check_default_weights, evaluate, weights_version
from reversi.solver.solver import Solver
from reversi.text.boards import parse_board

DISTRIBUTION: Final = "reversi-engine"
_DEVELOPER_EXTRAS: Final = frozenset({"dev", "docs", "test", "test-all", "test-base"})
_LEVELS: Final = {"x86-64-v4": "_kernel.v4", "x86-64-v3": "_kernel.v3", "neon": "_kernel.neon"}
_PERFT_8: Final = 390216
_ENDGAME: Final = "XXXX-O----XXO-OXXXXOOOXXOXOOOXXX-OXOOXOO-OOOOXOX--XXXOOX---X-XOX X"
_ENDGAME_SCORE: Final = -4
# The program of the process that lets one build answer.
_ASK: Final = f"import dataclasses, json, {__name__} as it; print(json.dumps(dataclasses.asdict(it.own_answer())))"


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the installation.

    Attributes:
        name: the part that was checked.
        ok: whether it is sound; ``None`` when it could not be checked.
        message: what the check found.
    """

    name: str
    ok: bool | None
    message: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of all checks.

    Attributes:
        version: the version of this package.
        path: its folder.
        python: the interpreter and its version.
        platform: the operating system and the kind of machine.
        cpu: the processor's name, empty when the system does not say.
        isas: each build of the compiled code for this kind of machine, best first: ``usable``, ``not built`` in
            this installation, or ``not supported`` by the processor or its system.
        isa: the build in use.
        forced: whether ``REVERSI_ISA`` chose it.
        compiler: the compiler that made the builds, and its version.
        threads: CPUs that this process may use.
        memory_mb: memory that this process may use, in MB (2**20 bytes); ``None`` when the system does not say.
        weights: the checksum of the evaluation's weights, empty when they cannot be read.
        extras: the missing requirements of each extra that adds to what the program does; ``None`` when the
            package is only on the path, not installed.
        checks: the checks, in the order they were made.
    """

    version: str
    path: str
    python: str
    platform: str
    cpu: str
    isas: dict[str, str]
    isa: str
    forced: bool
    compiler: str
    threads: int
    memory_mb: int | None
    weights: str
    extras: dict[str, list[str]] | None
    checks: tuple[Check, ...]

    @property
    def is_sound(self) -> bool:
        """Whether no check has failed."""
        return all(check.ok is not False for check in self.checks)


def diagnose(environment: Mapping[str, str]) -> Diagnosis:
    """Check everything, in about a second.

    Args:
        environment: the environment variables for the processes that it starts.
    """
    weights, weights_check = _weights()
    builds = compare_builds([_ask(isa, environment) for isa in USABLE_ISAS])
    return Diagnosis(
        version=__version__,
        path=str(Path(reversi.__file__).parent),
        python=_python(),
        platform=platform.platform(),
        cpu=_cpu(),
        isas=_isas(),
        isa=ISA,
        forced=bool(environment.get("REVERSI_ISA", "").strip()),
        compiler=COMPILER,
        threads=usable_cpus(),
        memory_mb=usable_memory_mb(),
        weights=weights,
        extras=_extras(),
        checks=(*builds, weights_check),
    )


# --- the compiled code


@dataclass(frozen=True, slots=True)
class BuildAnswer:
    """The answers of one build of the compiled code.

    Attributes:
        isa: the build.
        leaves: perft 8 of the standard start.
        score: the value of a small endgame, in discs.
        kind: the kind of that value.
        nodes: the positions that the solver visited for it.
        evaluation: its learned evaluation in discs; ``None`` without weights.
        error: why the build gave no answer; empty when it did.
    """

    isa: str
    leaves: int = 0
    score: int = 0
    kind: str = ""
    nodes: int = 0
    evaluation: float | None = None
    error: str = ""

    def check(self) -> Check:
        """Compare the answer with the known values."""
        name = f"compiled code for {self.isa}"
        if self.error:
            return Check(name, False, self.error)
        ok = self.leaves == _PERFT_8 and (self.score, self.kind) == (_ENDGAME_SCORE, "exact")
        message = f"perft 8 is {self.leaves}, the endgame is {self.score:+d} {self.kind} in {self.nodes} nodes"
        return Check(name, ok, message if ok else f"{message}; should be {_PERFT_8} and {_ENDGAME_SCORE:+d} exact")


def own_answer() -> BuildAnswer:
    """Answer the questions with the build that this process uses."""
    position = parse_board(_ENDGAME)
    score = Solver(16, evaluation=False).solve(position).score
    try:
        evaluation = evaluate(position).discs
    except WeightsError:
        evaluation = None
    return BuildAnswer(ISA, Position().perft(8), score.value, str(score.kind), score.nodes, evaluation)


def _ask(isa: str, environment: Mapping[str, str]) -> BuildAnswer:
    """Ask one build in a process of its own: a process has one build, and a broken one may crash."""
    variables = {**environment, "REVERSI_ISA": isa, "PYTHONIOENCODING": "utf-8"}
    try:
        child = run_python(_ASK, variables, 60)
        if child.returncode:
            words = child.stderr.decode(errors="replace").strip().splitlines()
            return BuildAnswer(isa, error=f"exit status {child.returncode}{': ' + words[-1] if words else ''}")
        answer = BuildAnswer(**json.loads(child.stdout))
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return BuildAnswer(isa, error=f"cannot run: {error}")
    if answer.isa != isa:
        return BuildAnswer(isa, error=f"the build {answer.isa} ran instead")
    return answer


def compare_builds(answers: Sequence[BuildAnswer]) -> list[Check]:
    """Check each answer, and that all agree."""
    return [*(answer.check() for answer in answers), _agreement(answers)]


def _agreement(answers: Sequence[BuildAnswer]) -> Check:
    name = "builds agree"
    asked = [answer for answer in answers if not answer.error]
    if not asked:
        return Check(name, None, "no build could run")
    for what, values in (
        ("numbers of nodes", {answer.nodes for answer in asked}),
        ("evaluations", {answer.evaluation for answer in asked}),
    ):
        if len(values) > 1:
            return Check(name, False, f"different {what}: {', '.join(map(str, values))}")
    return Check(name, True, "equal leaves, score, nodes and evaluation")


def _isas() -> dict[str, str]:
    """Return the builds for this kind of machine."""
    x86 = platform.machine().lower() in ("x86_64", "amd64")
    states = {}
    for isa, module in _LEVELS.items():
        if isa in USABLE_ISAS:
            states[isa] = "usable"
        elif isa.startswith("x86") is x86 and (x86 or platform.machine().lower() in ("arm64", "aarch64")):
            built = importlib.util.find_spec(f"reversi.{module}") is not None
            states[isa] = "not supported" if built else "not built"
    return {**states, "portable": "usable"}


# --- the rest


def _weights() -> tuple[str, Check]:
    name = "evaluation weights"
    try:
        check_default_weights()
        checksum = weights_version()
    except WeightsError as error:
        return "", Check(name, False, str(error))
    return checksum, Check(name, True, f"checksum {checksum}")


def _python() -> str:
    text = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{text} free-threaded" if sysconfig.get_config_var("Py_GIL_DISABLED") else text


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    except OSError:
        pass
    return platform.processor()


def _extras() -> dict[str, list[str]] | None:
    """Return the missing requirements of each extra but those for people who change the program."""
    try:
        distribution = importlib.metadata.distribution(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        return None
    missing: dict[str, list[str]] = {
        extra: []
        for extra in sorted(distribution.metadata.get_all("Provides-Extra") or [])
        if extra not in _DEVELOPER_EXTRAS
    }
    included: dict[str, set[str]] = {}
    for text in distribution.requires or []:
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            continue  # another program's metadata; nothing of ours
        marker = requirement.marker
        if marker is None or marker.evaluate({"extra": ""}):
            continue  # the base install needs it
        for extra, names in missing.items():
            if not marker.evaluate({"extra": extra}):
                continue
            if requirement.name == DISTRIBUTION:
                included[extra] = requirement.extras
            elif not _is_installed(requirement.name):
                names.append(requirement.name)
    for extra, parts in included.items():
        missing[extra] += sorted({name for part in parts for name in missing[part]})
    return missing


def _is_installed(name: str) -> bool:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True
