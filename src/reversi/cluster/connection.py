"""Connections to Dask clusters: local processes, a scheduler at an address, a scheduler file."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from reversi._system.limits import check_memory, usable_cpus
from reversi.arguments import MAX_THREADS, check_count
from reversi.cluster.versions import Fingerprint, fingerprint
from reversi.errors import InputError, ResourceError

if TYPE_CHECKING:
    from distributed import LocalCluster, Security

__all__ = ["MISSING", "ClusterError", "Connection", "Tls", "connect"]

MISSING: Final = "a cluster needs Dask: pip install 'reversi-engine[cluster]'"
"""The message of the error if the extra is not installed."""

_LOCAL = re.compile(r"local(?::([0-9]{1,4}))?", re.ASCII)
_CONNECT_S: Final = 10
_LOCAL_SETTINGS: Final[dict[str, object]] = {
    "distributed.scheduler.worker-ttl": "30s",  # silence after which a worker counts as dead
    # a table is not data of Dask's: its size is checked before, and no worker pauses because of it
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    # what nobody looks at here, and what takes 4 % of the CPU time of a search
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "2s",
    "distributed.scheduler.active-memory-manager.start": False,
}
"""Settings of Dask for the processes of ``local``."""


class ClusterError(ResourceError):
    """The cluster cannot be reached, has other versions, or is lost."""


@dataclass(frozen=True, slots=True)
class Tls:
    """The files of an encrypted connection, in PEM form.

    Attributes:
        ca: the certificate of the authority that signed the scheduler's certificate.
        cert: the certificate of this client.
        key: its key; empty when the certificate's file has it.
    """

    ca: str
    cert: str
    key: str = ""

    def security(self) -> Security:
        """Return these files as Dask takes them; connections without encryption are refused.

        Raises:
            InputError: one of them cannot be read.
        """
        from distributed import Security

        for file in filter(None, (self.ca, self.cert, self.key)):
            try:
                Path(file).open("rb").close()
            except OSError as error:
                raise InputError(f"{file}: cannot read: {error.strerror or error}") from None
        return Security(
            require_encryption=True,
            tls_ca_file=self.ca,
            tls_client_cert=self.cert,
            tls_client_key=self.key or self.cert,
        )


class Connection:
    """A connection to a scheduler; made by `connect`.

    Attributes:
        address: the address, as the caller wrote it.
        client: the client of Dask.
        local: the number of processes started for this connection; ``None`` for another cluster.
    """

    def __init__(self, address: str, client: Any, local: int | None = None) -> None:
        self.address = address
        self.client = client
        self.local = local

    def check_table(self, hash_mb: int) -> None:
        """Refuse tables that do not fit in memory, if the workers are on this machine.

        Raises:
            TableSizeError: they do not fit.
        """
        check_memory(hash_mb * (self.local or 1))

    def check_versions(self, mine: Fingerprint | None = None) -> None:
        """Compare the versions of package, weights and rules on every worker with those of this process.

        Args:
            mine: compare with these versions instead.

        Raises:
            ClusterError: a worker has another version, or none.
        """
        mine = mine or fingerprint()
        for worker, theirs in sorted(self.call(fingerprint).items()):
            refuse(worker, theirs, mine)

    def call(self, function: Callable[..., object], *args: object) -> dict[str, object]:
        """Call a function once on every worker, and return what it returns or raises there, by worker.

        Raises:
            ClusterError: the connection to the scheduler is lost.
        """
        try:
            found: dict[str, object] = self.client.run(function, *args, on_error="return")
        except (OSError, RuntimeError) as error:
            raise ClusterError(f"{self.address}: {_in_a_line(error)}") from None
        return found

    @property
    def threads(self) -> int:
        """The threads of all workers at the moment."""
        found: dict[str, int] = self.client.nthreads()
        return sum(found.values())


def refuse(worker: str, theirs: object, mine: Fingerprint) -> None:
    """Refuse a worker with another fingerprint, or with an error in place of a fingerprint.

    Raises:
        ClusterError: the fingerprints differ.
    """
    if not isinstance(theirs, Fingerprint):
        raise ClusterError(
            f"worker {worker} does not run this package ({_in_a_line(theirs)}); "
            f"install version {mine.package} there"
        )
    if difference := mine.difference(theirs):
        raise ClusterError(
            f"worker {worker} has {difference}; install version {mine.package} of this package there"
        )


@contextlib.contextmanager
def connect(address: str, tls: Tls | None = None, *, timeout_s: float = _CONNECT_S) -> Iterator[Connection]:
    """Connect to a cluster, and compare the versions of all its workers with those of this process.

    Args:
        address: ``local`` or ``local:4`` starts worker processes on this machine, which listen on the loopback
            only and end with the connection; ``tcp://host:8786``, ``tls://host:8786`` or ``host:8786`` is a
            scheduler; a path is a scheduler file.
        tls: the files of an encrypted connection.
        timeout_s: seconds to wait for the scheduler.

    Raises:
        ClusterError: the cluster cannot be reached, or a worker has another version.
        ResourceError: the extra is not installed.
        InputError: the number of local processes is outside its limits, or a file of the encryption is missing.
    """
    if find_spec("distributed") is None:
        raise ResourceError(MISSING)
    local = _LOCAL.fullmatch(address)
    if local is not None and tls is not None:
        raise InputError(f"{address} needs no TLS: its processes listen on this machine only")
    if address.startswith("tls://") and tls is None and not _has_tls_files():
        raise InputError("an encrypted connection needs the files of an authority and of a certificate")
    with contextlib.ExitStack() as stack:
        if local is not None:
            count = usable_cpus() if local[1] is None else int(local[1])
            check_count("the number of local processes", count, MAX_THREADS)
            cluster = stack.enter_context(_local_cluster(count))
            client = stack.enter_context(_client(address, timeout_s, address=cluster.scheduler_address))
            connection = Connection(address, client, count)
        else:
            where: dict[str, Any] = (
                {"scheduler_file": address} if Path(address).is_file() else {"address": address}
            )
            if tls is not None:
                where["security"] = tls.security()
            connection = Connection(address, stack.enter_context(_client(address, timeout_s, **where)))
        connection.check_versions()
        yield connection


def _has_tls_files() -> bool:
    """Whether the configuration of Dask names the files of encrypted connections."""
    import dask

    return bool(dask.config.get("distributed.comm.tls.ca-file", None))


@contextlib.contextmanager
def _client(name: str, timeout_s: float, **where: Any) -> Iterator[Any]:
    from distributed import Client

    try:
        client = Client(timeout=timeout_s, set_as_default=False, name="reversi", **where)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ClusterError(f"{name}: cannot connect: {_in_a_line(error)}") from None
    try:
        yield client
    finally:
        with contextlib.suppress(OSError, TimeoutError):
            client.close(timeout=2)


@contextlib.contextmanager
def _local_cluster(count: int) -> Iterator[LocalCluster]:
    """Start a scheduler in this process and worker processes of one thread each, on the loopback."""
    import logging

    import dask
    from distributed import LocalCluster

    with dask.config.set(_LOCAL_SETTINGS):
        try:
            cluster = LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                memory_limit=0,
                dashboard_address="127.0.0.1:0",
                worker_dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
                scheduler_kwargs={"dashboard": False},
                preload=["reversi.cluster.work"],
            )
        except (OSError, RuntimeError) as error:
            raise ClusterError(f"cannot start {count} local processes: {_in_a_line(error)}") from None
        try:
            yield cluster
        finally:
            with contextlib.suppress(OSError, TimeoutError):
                cluster.close(timeout=5)


def _in_a_line(error: object) -> str:
    text = " ".join(str(error).split())
    return text or type(error).__name__
