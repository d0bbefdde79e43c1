"""One small cluster for all tests of the package."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from reversi.work import Connection, Tls, connect


@pytest.fixture(scope="package")
def _cluster() -> Iterator[Connection]:
    pytest.importorskip("distributed")
    with connect("local:2") as connection:
        yield connection


@pytest.fixture
def local(_cluster: Connection) -> Connection:
    """Two worker processes on this machine, both alive again where the test before killed one."""
    until = time.monotonic() + 60
    while len(_cluster.call(os.getpid)) < 2:
        assert time.monotonic() < until, "a worker did not start again within a minute"
        time.sleep(0.1)
    return _cluster


@pytest.fixture
def credentials(local: Connection, tmp_path: Path) -> Tls:
    """The credentials of that cluster, as files."""
    security = local.client.security
    files = tmp_path / "ca.pem", tmp_path / "cert.pem", tmp_path / "key.pem"
    for file, text in zip(
        files, (security.tls_ca_file, security.tls_client_cert, security.tls_client_key), strict=True
    ):
        file.write_text(text, encoding="ascii")
    return Tls(*map(str, files))
