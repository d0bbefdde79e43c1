"""Schedulers and workers of Dask as people start them: processes of their own, on the loopback."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from certificates import Certificate
from children import Child

HERE = "127.0.0.1"
_START_S = 120


def free_port() -> int:
    """A port that nobody listens on at the moment."""
    with socket.create_server((HERE, 0)) as server:
        port: int = server.getsockname()[1]
    return port


@contextlib.contextmanager
def dask_cluster(
    folder: Path, *packages: Path | None, certificate: Certificate | None = None, tls: bool = False
) -> Iterator[str]:
    """Run a scheduler and a worker for each of ``packages``; yield the address of the scheduler.

    Args:
        folder: for their files.
        packages: for each worker the folder of the package that it imports; ``None`` for the one under test.
        certificate: that of all of them; without one the connections are not encrypted.
        tls: whether they find certificates in the settings of Dask.
    """
    address = f"{'tls' if certificate or tls else 'tcp'}://{HERE}:{free_port()}"
    options = ["--host", HERE, "--no-dashboard", "--dashboard-address", f"{HERE}:0"]
    if certificate is not None:
        files = str(certificate.authority), str(certificate.file)
        options += ["--tls-ca-file", files[0], "--tls-cert", files[1], "--tls-key", files[1]]
    scheduler = ["scheduler", "--port", address.rpartition(":")[2], *options]
    worker = ["worker", address, *options, "--no-nanny", "--nthreads", "1", "--memory-limit", "0"]
    with contextlib.ExitStack() as stack:
        stack.enter_context(_dask(folder, scheduler, None))
        for number, package in enumerate(packages):
            stack.enter_context(
                _dask(folder, [*worker, "--name", f"w{number}", "--local-directory", str(folder)], package)
            )
        if packages:
            _await_workers(address, len(packages))
        else:
            _await_port(int(address.rpartition(":")[2]))
        yield address


@contextlib.contextmanager
def _dask(folder: Path, words: list[str], package: Path | None) -> Iterator[None]:
    variables = dict(os.environ)
    if package is not None:
        variables["PYTHONPATH"] = str(package)
    with (folder / "dask.log").open("ab") as log:
        process = Child([sys.executable, "-m", "dask", *words], stdout=log, stderr=log, env=variables, cwd=folder)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def _await_port(port: int) -> None:
    end = time.monotonic() + _START_S
    while True:
        with contextlib.suppress(OSError), socket.create_connection((HERE, port)):
            return
        assert time.monotonic() < end, "the scheduler does not start"
        time.sleep(0.05)


def _await_workers(address: str, count: int) -> None:
    from distributed import Client

    with Client(address, timeout=_START_S, set_as_default=False) as client:
        end = time.monotonic() + _START_S
        while len(client.nthreads()) < count:
            assert time.monotonic() < end, "the workers do not start"
            time.sleep(0.05)
