"""What commands load when they start: what they need, and nothing that makes every start slower.

benchmarks/startup.py says what a start costs in time.
"""

from __future__ import annotations

import json
import sys

import pytest

from command_line import ENVIRONMENT, run_python

LOADED = """
import atexit, sys
before = set(sys.modules)
atexit.register(lambda: sys.stderr.write(repr(sorted(set(sys.modules) - before))))
from reversi.cli import main
main()
"""

# The command itself, without the modules of the kernel, which depend on the processor.
OWN = {
    "--version": "_lazy _system _system.held_signals _version cli cli.signals cli.status cli.streams",
    "perft 1": "_core _kernel _lazy _regex _system _system.held_signals _version arguments color errors "
    "rules score text text.counting text.terminal "
    "cli cli.app cli.arguments cli.console cli.signals cli.option_groups cli.options cli.perft "
    "cli.status cli.streams cli.tree",
}
# Of other people, at most.
OTHERS = {"--version": set(), "perft 1": {"annotated_doc", "shellingham", "typer"}}
# Modules of Python that take long, and that only some commands need.
HEAVY = {
    "asyncio", "concurrent", "csv", "ctypes", "decimal", "email", "http", "json", "logging", "multiprocessing",
    "random", "socket", "sqlite3", "ssl", "statistics", "tempfile", "tomllib", "unittest", "xml", "zipfile",
}  # fmt: skip


def loaded(arguments: str) -> set[str]:
    done = run_python("-c", LOADED, *arguments.split(), env=ENVIRONMENT, check=True)
    return set(json.loads(done.stderr.splitlines()[-1].replace("'", '"')))


@pytest.mark.parametrize("arguments", OWN)
def test_what_a_command_loads(arguments: str) -> None:
    modules = loaded(arguments)
    own = {name for name in modules if name.startswith("reversi.") and not name.startswith("reversi._kernel.")}
    assert own == {f"reversi.{name}" for name in OWN[arguments].split()}
    others = {name.partition(".")[0] for name in modules} - {"reversi", "cython_runtime"} - sys.stdlib_module_names
    assert {name for name in others if not name.startswith("_cython_")} <= OTHERS[arguments]
    assert modules & HEAVY == set()


@pytest.mark.parametrize(
    ("arguments", "unasked"),
    [
        ("--version", ("typing", "dataclasses")),
        ("play --help", ("reversi.games.database", "reversi.cli.db", "reversi.analysis")),
        ("play --ui line", ("reversi.inputs", "reversi.records.formats", "reversi.protocols.client", "logging")),
        ("hint f5d6c3", ("reversi.records.formats", "reversi.protocols.client", "reversi.session", "hashlib")),
        ("record stats --help", ("reversi.cli.record.convert", "reversi.cli.record.show")),
        (
            "record show examples/games.ggf",
            ("importlib.metadata", "reversi.games.games", "reversi.games.database"),
        ),
        ("record convert examples/games.ggf - --to pgn", ("importlib.metadata",)),
    ],
)
def test_a_command_loads_nothing_that_somebody_else_asks_for(arguments: str, unasked: tuple[str, ...]) -> None:
    assert not {name for name in loaded(arguments) if name.startswith(unasked)}
