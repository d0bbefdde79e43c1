"""One small cluster for all tests of the package."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reversi.work import Connection, Tls, connect


@pytest.fixture(scope="package")
def local() -> Iterator[Connection]:
    """Two worker processes on this machine."""
    pytest.importorskip("distributed")
    with connect("local:2") as connection:
        yield connection


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
