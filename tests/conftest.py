"""For every test: the package that it meets, where games are saved, what its processes do when it ends."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import reversi
from children import end_children
from tested_copy import wrong_copy

# a busy machine is no failure
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("first try", settings.get_profile("any machine"), max_examples=40, derandomize=True)
settings.load_profile("any machine")

# a shell that starts the tests in the background has Ctrl-C ignored, and commands would inherit that
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

SUITES = Path(__file__).parents[2] / "shared" / "data" / "suites"


COPY = Path(reversi.__file__).parent


def pytest_report_header() -> str:
    """Say which copy of the package is tested."""
    return f"reversi: {COPY}"


def pytest_configure(config: pytest.Config) -> None:
    """Without the thorough tests, try few examples, always the same; refuse to test another copy."""
    if "not thorough" in config.option.markexpr:
        settings.load_profile("first try")
    if problem := wrong_copy(COPY):
        raise pytest.UsageError(problem)


@pytest.fixture(scope="session")
def suites() -> Path:
    """The folder of public endgame suites, which is not part of the project."""
    if not SUITES.is_dir():
        pytest.skip(f"no endgame suites at {SUITES}")
    return SUITES


@pytest.fixture(scope="session", autouse=True)
def _games_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the games that tests play apart from those of the person who runs the tests."""
    before = os.environ.get("REVERSI_STATE")
    os.environ["REVERSI_STATE"] = str(tmp_path_factory.mktemp("state"))
    yield
    if before is None:
        del os.environ["REVERSI_STATE"]
    else:
        os.environ["REVERSI_STATE"] = before


@pytest.fixture(autouse=True)
def _no_process_left() -> Iterator[None]:
    """End the processes that a test leaves behind, those that would never end among them."""
    with end_children():
        yield


@pytest.fixture
def close() -> Iterator[Callable[[Path, int], None]]:
    """Give a folder a mode for the time of a test, and skip the test where that closes nothing, as for root."""
    modes: dict[Path, int] = {}

    def close(folder: Path, mode: int = 0) -> None:
        modes[folder] = folder.stat().st_mode
        folder.chmod(mode)
        if os.access(folder, os.W_OK):
            pytest.skip("this user may read and write anywhere")

    yield close
    for folder, mode in modes.items():
        folder.chmod(mode)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write the names of skipped tests to the file ``SKIPPED_TESTS``; .ci/run runs them with more packages."""
    path = os.environ.get("SKIPPED_TESTS")
    if path:
        names = {report.nodeid for report in terminalreporter.stats.get("skipped", [])}
        Path(path).write_text("".join(f"{name}\n" for name in sorted(names)), encoding="utf-8")
