"""Connections to clusters: addresses, peers that do not answer, Ctrl-C while a cluster starts."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from command_line import Started, run_command
from files import new_file
from reversi.errors import InputError
from reversi.work import ClusterError, Connection, Tls, connect
from reversi.work.cluster.versions import fingerprint

pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")

from distributed.comm.core import CommClosedError  # noqa: E402

START = f"{'-' * 27}OX------XO{'-' * 27} X"


@pytest.mark.parametrize(
    "address",
    [
        "local:x",
        "local:99999",
        "locals",
        "missing.json",
        "/missing/scheduler.json",
        "http://x:1",
        "tcp://x",
        "x:1 y",
    ],
)
def test_a_wrong_address_is_named(address: str) -> None:
    with (
        pytest.raises(InputError, match=r"neither an address such as tls://.* nor a scheduler file"),
        connect(address),
    ):
        pass


def test_a_folder_is_no_scheduler_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^cannot read: "), connect(str(tmp_path)):
        pass


@pytest.mark.parametrize(
    "content", ["", "address", "[1]", "{}", '{"address": 5}', '{"address": "x"}', "[" * 100_000]
)
def test_a_wrong_scheduler_file_is_named(tmp_path: Path, content: str) -> None:
    path = new_file(tmp_path / "scheduler.json", content)
    with pytest.raises(InputError, match="not a scheduler file"), connect(str(path)):
        pass


def test_a_scheduler_file_is_read(local: Connection, credentials: Tls, tmp_path: Path) -> None:
    path = new_file(tmp_path / "scheduler.json", f'{{"address": "{local.client.scheduler.address}"}}')
    with connect(str(path), credentials) as connection:
        assert connection.threads == 2


def test_a_peer_that_does_not_answer_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as peer:
        address = f"tcp://127.0.0.1:{peer.getsockname()[1]}"
        with (
            pytest.raises(ClusterError, match=r"cannot connect: no answer within 0\.3 s"),
            connect(address, timeout_s=0.3),
        ):
            pass


def test_a_worker_is_no_scheduler(local: Connection, credentials: Tls) -> None:
    worker = next(iter(local.client.nthreads()))
    message = rf"^{worker}: cannot connect: not a scheduler with encryption$"
    with pytest.raises(ClusterError, match=message), connect(worker, credentials):
        pass


@pytest.mark.parametrize(
    "words",
    [b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x15\x03\x03\0\x02\x01\0", b"\xff" * 9],
)
def test_another_program_is_no_scheduler(words: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with contextlib.suppress(OSError):
                while True:
                    peer, _ = server.accept()
                    with peer:
                        peer.sendall(words * 10)
                        peer.recv(1)  # until the other side has read it

        threading.Thread(target=answer, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ClusterError, match=rf"^{address}: cannot connect: not a scheduler$"), connect(address):
            pass
        server.shutdown(socket.SHUT_RDWR)


def test_commands_name_a_wrong_address(tmp_path: Path) -> None:
    done = run_command("solve", START, "--cluster", tmp_path / "missing.json").ends(2, out="")
    assert done.stderr.startswith(f"reversi: --cluster {tmp_path / 'missing.json'}: neither an address ")
    assert done.stderr.count("\n") == 1


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["solve", START], id="solve"),
        pytest.param(["prove", START, "--store", "a.sqlite"], id="prove", marks=pytest.mark.slow),
        pytest.param(["match", "1", "1"], id="match", marks=pytest.mark.slow),
    ],
)
def test_ctrl_c_while_local_processes_start(tmp_path: Path, words: list[str]) -> None:
    with Started(*words, "--cluster", "local:1", cwd=tmp_path, start_new_session=True) as process:
        client = psutil.Process(process.pid)
        while not any(_is_worker(child, client) for child in client.children(recursive=True)):
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as the terminal does
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err in ("", "reversi: interrupted; the same command continues a.sqlite\n")


def _is_worker(process: Any, client: Any) -> bool:
    try:  # a child of the fork server, or one of the client
        return bool(process.ppid() != client.pid or "--multiprocessing-fork" in process.cmdline())
    except psutil.Error:
        return False


def test_a_worker_that_does_not_answer_keeps_nobody_back() -> None:
    answers = {"gone": CommClosedError("gone"), "slow": TimeoutError(), "here": fingerprint()}
    connection = Connection("c", SimpleNamespace(run=lambda *_, **__: answers))
    assert connection.call(fingerprint) == {"here": fingerprint()}
    connection.check_versions()
    answers["old"] = ValueError("old")
    with pytest.raises(ClusterError, match=r"^worker old does not run this package \(old\); install version "):
        connection.check_versions()
