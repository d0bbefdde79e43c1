"""For every test: games that tests play are not kept among those of the person who runs them."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _games_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    before = os.environ.get("REVERSI_STATE")
    os.environ["REVERSI_STATE"] = str(tmp_path_factory.mktemp("state"))
    yield
    if before is None:
        del os.environ["REVERSI_STATE"]
    else:
        os.environ["REVERSI_STATE"] = before
