from pathlib import Path

import pytest

SUITES = Path(__file__).parents[3] / "shared" / "data" / "suites"


@pytest.fixture(scope="session")
def suites() -> Path:
    """The folder of public endgame suites, which is not part of the project."""
    if not SUITES.is_dir():
        pytest.skip(f"no endgame suites at {SUITES}")
    return SUITES
