"""The processes of ``local``: who may come in, and what they leave alone."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
from pathlib import Path
from typing import Any

import pytest

from command_line import run_python
from reversi.work import ClusterError, Connection, connect

pytest.importorskip("distributed")


def addresses(local: Connection) -> list[str]:
    """All addresses that the processes listen at."""
    workers = local.workers()
    return [local.client.scheduler.address, *workers, *(worker["nanny"] for worker in workers.values())]


def test_only_the_client_may_come_in(local: Connection) -> None:
    from distributed import Security, rpc

    async def identity(address: str, **options: Any) -> object:
        async with rpc(address, timeout=5, **options) as there:
            return await there.identity()

    strangers = Security(), Security.temporary()
    assert all(address.startswith("tls://127.0.0.1:") for address in addresses(local))
    for address in addresses(local):
        mine = local.client.security.get_connection_args("client")
        assert asyncio.run(identity(address, connection_args=mine))
        for security in strangers:
            for protocol in ("tcp", "tls"):
                other = address.replace("tls", protocol)
                with pytest.raises((OSError, RuntimeError, TypeError, ValueError)):
                    asyncio.run(identity(other, connection_args=security.get_connection_args("client")))


def test_a_stranger_gets_a_message(local: Connection) -> None:
    address = local.client.scheduler.address.replace("tls", "tcp")
    with (
        pytest.raises(ClusterError, match="where it wants encryption, the address begins with tls"),
        connect(address),
    ):
        pass


def test_the_files_of_the_processes_are_nobody_elses(local: Connection) -> None:
    def folder(dask_worker: Any) -> str:
        return str(dask_worker.local_directory)

    for found in local.call(folder).values():
        (mine,) = (each for each in Path(str(found)).parents if each.name.startswith("reversi-"))
        assert not stat.S_IMODE(mine.stat().st_mode) & 0o077


def test_an_interrupt_is_the_business_of_the_client(local: Connection) -> None:
    def found() -> object:
        return signal.getsignal(signal.SIGINT)

    assert list(local.call(found).values()) == [signal.SIG_IGN] * 2


PROGRAM = """
import os
import sys
from reversi.work import connect

if __name__ == "__main__":
    before, path = dict(os.environ), [*sys.path]
    with connect("local:1") as connection:
        print(connection.threads, *connection.call(os.getcwd).values(), flush=True)
        connection.call(lambda: print("not a result", flush=True))
        (variables,) = connection.call(lambda: dict(os.environ)).values()
        for name in ("PYTHONSAFEPATH", "OMP_NUM_THREADS", "PYTHONPATH"):
            assert variables.get(name) == os.environ.get(name) == before.get(name), name
    assert sys.path == path
"""


@pytest.mark.parametrize(
    "variables",
    [pytest.param({}, marks=pytest.mark.thorough), {"PYTHONSAFEPATH": "1", "OMP_NUM_THREADS": "3"}],
    ids=["unset", "set"],
)
def test_the_environment_and_the_output_are_left_alone(variables: dict[str, str], tmp_path: Path) -> None:
    program, here = tmp_path / "program.py", tmp_path / "here"
    program.write_text(PROGRAM, encoding="utf-8")
    here.mkdir()
    environment = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONSAFEPATH", "OMP_NUM_THREADS")
    }
    done = run_python(program, cwd=here, env=environment | variables)
    assert (done.stdout, done.stderr) == (f"1 {here}\n", "not a result\n")
