"""The checks of this project, one session each: ``nox --list`` shows them, ``nox -s lint types`` runs two.

``.ci/run`` runs what must hold before a change is merged; these sessions are for work on one thing at a time.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.sessions = ["lint", "types", "tests"]
nox.options.default_venv_backend = "venv"

LEVELS = ("portable", "x86-64-v3", "x86-64-v4", "neon")
NOT_SLOW = ("-m", "not slow")  # the thorough tests too
SANITIZE = "-fsanitize=address,undefined"


@nox.session
def lint(session: nox.Session) -> None:
    """Check format, style, the order of imports and the workflows."""
    session.install(".[dev]")
    session.run("ruff", "format", "--check", ".")
    session.run("ruff", "check", ".")
    session.run("lint-imports")
    session.run(
        "check-jsonschema",
        "--builtin-schema",
        "vendor.github-workflows",
        *map(str, sorted(Path(".github/workflows").glob("*.yml"))),
    )
    session.run("zizmor", "--offline", "--no-progress", ".github")


@nox.session
def types(session: nox.Session) -> None:
    """Check types: strict on the package, its stub against the compiled module, and what users' checkers see."""
    session.install(".[dev]")
    session.run("mypy")
    session.cd(session.create_tmp())
    session.run("python", "-m", "mypy.stubtest", "reversi._core")
    session.run("pyright", "--verifytypes", "reversi", "--ignoreexternal")


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests but the slow ones; arguments go to pytest (``nox -s tests -- -m slow``)."""
    session.install(".[dev]")
    session.run("python", "-m", "pytest", *NOT_SLOW, *session.posargs)


@nox.session
def lowest(session: nox.Session) -> None:
    """Run the tests but the slow ones with the lowest versions that pyproject.toml allows; use Python 3.11."""
    session.install("uv")
    python = str(Path(session.bin, "python"))
    session.run("uv", "pip", "install", "--python", python, "--resolution", "lowest-direct", ".[test-all]")
    session.run("python", "-m", "pytest", *NOT_SLOW, *session.posargs)


@nox.session
@nox.parametrize("isa", LEVELS)
def isa(session: nox.Session, isa: str) -> None:
    """Run the tests but the slow ones under one instruction-set level; skip a level this machine does not have."""
    session.install(".[dev]")
    environment = {"REVERSI_ISA": isa}
    try:
        session.run("python", "-c", "import reversi._core", env=environment, silent=True)
    except nox.command.CommandFailed:
        session.skip(f"this machine does not run {isa}")
    session.run("python", "-m", "pytest", *NOT_SLOW, *session.posargs, env=environment)


@nox.session
def newest_typer(session: nox.Session) -> None:
    """Say whether commands still start slowly with the newest Typer, above the bound in pyproject.toml."""
    session.install(".[test]")
    session.install("--upgrade", "typer")
    version = session.run("python", "-c", "import typer; print(typer.__version__)", silent=True)
    try:
        session.run("python", "-m", "pytest", "-q", "tests/cli/test_cli_startup.py")
    except nox.command.CommandFailed:
        found = "loads modules that commands do not need: the bound in pyproject.toml stays"
    else:
        found = "loads nothing needless: the bound in pyproject.toml can go"
    notice = "::notice::" if "GITHUB_ACTIONS" in os.environ else ""
    sys.stdout.write(f"{notice}Typer {str(version).strip()} {found}\n")


@nox.session
def sanitizers(session: nox.Session) -> None:
    """Test the compiled modules under the address and undefined-behavior sanitizers (gcc, Linux)."""
    session.install(".[dev]")
    session.run("python", "-m", "pip", "uninstall", "-qqy", "reversi-engine")
    flags = f"-O1 -g {SANITIZE} -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
    build = ("python", "setup.py", "-q", "build_ext", "--inplace", "--force")
    # the sanitizers' libraries below are those of gcc, and setup.py would choose clang
    session.run(*build, env={"CC": "gcc", "CFLAGS": flags, "LDFLAGS": SANITIZE})
    libraries = [
        subprocess.run(
            ["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    try:
        session.run(
            "python",
            "-m",
            "pytest",
            "--timeout",
            "0",
            *(
                session.posargs
                or [
                    "tests/core",
                    "--ignore=tests/core/test_bits.py",  # compiles a program of its own
                    "tests/solver/test_solver.py",
                    "tests/records/formats",
                    "tests/text",
                ]
            ),
            env={
                "LD_PRELOAD": " ".join(libraries),
                "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter leaves memory to the system at its end
                "PYTHONMALLOC": "malloc",
                "PYTHONPATH": "src",
            },
        )
    finally:
        session.run(*build)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Fuzz the record readers (atheris) and the solver (``nox -s fuzz -- 500000``: runs per reader)."""
    session.install(".[dev]")
    runs = session.posargs[0] if session.posargs else "20000"
    folder = session.create_tmp()
    for reader in ("wthor", "wthor-names", "transcript", "pgn", "sgf", "obf", "ggf", "eothello"):
        corpus = str(Path(folder, reader))
        session.run("python", "tests/fuzz/fuzz_records.py", "--reader", reader, "--runs", runs, "--corpus", corpus)
    session.run("python", "tests/fuzz/fuzz_pgn_readers.py", "--runs", runs)
    session.run("python", "tests/fuzz/fuzz_solver.py", "--games", "50")
    session.run("python", "tests/fuzz/fuzz_threads.py")


@nox.session
def coverage(session: nox.Session) -> None:
    """Measure which lines the tests run, without the slow ones, child processes included, and print the table."""
    session.install(".[dev]")
    session.run("coverage", "erase")
    # not the interrupts at any moment: one of them may meet coverage's own lock
    interrupts = "tests/solver/test_stopping.py::test_an_interrupt_at_any_moment_leaves_no_hold_and_no_thread"
    session.run("coverage", "run", "-m", "pytest", *NOT_SLOW, "--deselect", interrupts, *session.posargs)
    session.run("coverage", "combine", success_codes=[0, 1])
    session.run("coverage", "report")


@nox.session
def faults(session: nox.Session) -> None:
    """Plant faults in modules, one after the other, and list those that some tests do not notice.

    ``nox -s faults -- src/reversi/text/transcripts.py tests/text`` names modules and tests; what begins with ``-``
    goes to pytest. Children of tests, such as workers, meet the faults, too. Tests that look at the sources of a
    module or at the stack see those of mutmut: leave them out with ``--deselect=TEST``.
    """
    session.install("-e", ".[test-all]", "mutmut>=3.8")
    tree = Path(session.create_tmp(), "tree")
    shutil.rmtree(tree, ignore_errors=True)
    # without the sources of the compiled modules, which the tests would compare with these
    ignored = shutil.ignore_patterns(".*", "build", "*.pyx", "*.pxi", "*.h", "__pycache__")
    shutil.copytree(Path(__file__).parent, tree, ignore=ignored)
    settings = {
        "source_paths": ["src"],
        "only_mutate": [word for word in session.posargs if word.startswith("src/")],
        "pytest_add_cli_args_test_selection": [word for word in session.posargs if word.startswith("tests/")],
        "pytest_add_cli_args": [*NOT_SLOW, "-n", "0", *(word for word in session.posargs if word.startswith("-"))],
        "also_copy": ["docs", "examples", "README.md", "CHANGELOG.md"],
    }
    with (tree / "pyproject.toml").open("a") as stream:
        stream.writelines(
            ["\n[tool.mutmut]\n", *(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())]
        )
    session.chdir(tree)
    changed = Path("mutants", "src").resolve()
    changed.mkdir(parents=True)  # Python never looks again for a folder that was not there
    session.run("mutmut", "run", env={"PYTHONPATH": str(changed)})
    session.run("mutmut", "results")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation site; ``nox -s docs -- serve`` shows it while you write."""
    session.install(".[docs]")
    session.run("mkdocs", *(session.posargs or ["build", "--strict"]), env={"NO_MKDOCS_2_WARNING": "1"})


@nox.session
def package(session: nox.Session) -> None:
    """Build the sdist and the wheel from it, and check their metadata."""
    session.install("build", "twine")
    folder = session.create_tmp()
    session.run("python", "-m", "build", "-o", folder, ".")
    session.run("twine", "check", "--strict", *map(str, Path(folder).iterdir()))
