"""One small cluster for all tests of the package."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reversi.work import Connection, connect


@pytest.fixture(scope="package")
def local() -> Iterator[Connection]:
    """Two worker processes on this machine."""
    pytest.importorskip("distributed")
    with connect("local:2") as connection:
        yield connection
