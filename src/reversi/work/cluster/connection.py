"""Connections to Dask clusters: local processes, a scheduler at an address, a scheduler file."""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, TypeVar

import reversi._regex as re
from reversi._system.children import starting_processes
from reversi._system.limits import check_memory, usable_cpus
from reversi._system.paths import is_file, may_exist
from reversi.arguments import MAX_THREADS, check_count, check_seconds, check_type
from reversi.errors import InputError, MissingExtraError, ResourceError
from reversi.evaluation.weights import WeightsError
from reversi.work.cluster.versions import Fingerprint, fingerprint

if TYPE_CHECKING:
    from distributed import LocalCluster, Security
    from distributed.utils import LoopRunner

MISSING: Final = "a cluster needs Dask and cryptography: pip install 'reversi-engine[cluster]'"
"""The message of the error if the extra is not installed."""

T = TypeVar("T", bound=Any)

_ADDRESS = re.compile(r"(?:(?:tcp|tls|ucx|wss?)://)?[^/\s]+:([0-9]{1,5})", re.ASCII)
_ENCRYPTED: Final = ("tls://", "wss://")
_CONNECT_S: Final = 10
_CONNECT_ERRORS: Final = (
    OSError,
    KeyError,
    ImportError,
    RuntimeError,
    TypeError,
    ValueError,
    MemoryError,
    OverflowError,
    struct.error,
)
"""What Dask raises where a connection does not come about."""
_UNKNOWN_SCHEME: Final = "unknown address scheme"  # in an error of Dask
_CLOSE_S: Final = 5
_MOST_PORT: Final = (1 << 16) - 1
_LOCAL: Final = re.compile(r"local(?::([0-9]{1,4}))?", re.ASCII)
_LOCAL_SETTINGS: Final[dict[str, object]] = {
    "distributed.scheduler.worker-ttl": "30s",  # silence after which a worker counts as dead
    "distributed.deploy.lost-worker-timeout": "1h",  # until a dead worker is given up: loading its code takes time
    "distributed.worker.profile.enabled": False,  # it takes CPU time, and nobody looks at it
    "distributed.nanny.pre-spawn-environ": {},  # variables that engines of a worker would have, too
    # pages without encryption that nobody looks at
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
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
            InputError: one of them cannot be read, is something else, or the key is not that of the certificate.
        """
        from distributed import Security

        for file in filter(None, (self.ca, self.cert, self.key)):
            try:
                Path(file).open("rb").close()
            except OSError as error:
                raise InputError(f"{file}: cannot read: {error.strerror or error}") from None
        context = ssl.create_default_context()
        try:
            context.load_verify_locations(self.ca)
        except ssl.SSLError as error:
            raise InputError(f"{self.ca}: not the certificate of an authority ({error.reason})") from None
        try:
            context.load_cert_chain(self.cert, self.key or None, password="")  # or OpenSSL asks for one
        except ssl.SSLError as error:
            files = f"{self.cert} and {self.key}" if self.key else self.cert
            raise InputError(f"{files}: not a certificate and its key ({error.reason})") from None
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
        check_type("address", address, str)
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

        A worker that does not answer is left out: Dask gives its tasks to others, and one that comes back is
        compared at its first task.

        Raises:
            ClusterError: the connection to the scheduler is lost.
        """
        answers: dict[str, object] = self._asked(self.client.run, function, *args, on_error="return")
        return {worker: answer for worker, answer in answers.items() if not _is_silent(answer)}

    def ask_each(
        self,
        function: Callable[..., object],
        *args: object,
        workers: Iterable[str] | None = None,
        timeout_s: float,
    ) -> dict[str, object]:
        """Call a function once on every worker, apart from each other.

        Args:
            function: what to call.
            args: its arguments.
            workers: the addresses of the workers; ``None`` for all.
            timeout_s: seconds to wait for them.

        Returns:
            What each returns or raises, by its address; a `TimeoutError` for one that does not answer in time.

        Raises:
            ClusterError: the connection to the scheduler is lost.
        """

        async def ask(worker: str) -> object:
            asked = self.client.run(function, *args, workers=[worker], on_error="return", asynchronous=True)
            try:
                return (await asyncio.wait_for(asked, timeout_s)).get(worker, TimeoutError())
            except TimeoutError as error:
                return error

        async def ask_all() -> dict[str, object]:
            return dict(zip(addresses, await asyncio.gather(*map(ask, addresses)), strict=True))

        addresses = sorted(self.workers() if workers is None else workers)
        answers: dict[str, object] = self._asked(self.client.sync, ask_all)
        return answers

    def workers(self) -> dict[str, dict[str, Any]]:
        """Return what the scheduler knows of each worker, by its address; see Dask's ``scheduler_info``.

        Raises:
            ClusterError: the connection to the scheduler is lost.
        """
        return dict(self._asked(self.client.sync, self.client.scheduler.identity)["workers"])

    def _asked(self, call: Callable[..., Any], *args: object, **options: object) -> Any:
        """Return what a call of Dask's client returns, or say that the connection is lost."""
        try:
            return call(*args, **options)
        except (OSError, RuntimeError) as error:
            raise ClusterError(f"{self.address}: {_in_a_line(error)}") from None

    @property
    def threads(self) -> int:
        """The threads of all workers at the moment."""
        threads: dict[str, int] = self.client.nthreads()
        return sum(threads.values())


def refuse(worker: str, theirs: object, mine: Fingerprint) -> None:
    """Refuse a worker with another fingerprint, or with an error in place of a fingerprint.

    Raises:
        ClusterError: the fingerprints differ.
    """
    if why := fault(theirs, mine):
        raise ClusterError(f"worker {worker} {why}")


def fault(theirs: object, mine: Fingerprint) -> str:
    """Return why a worker cannot work for this process, in words; empty where it can.

    Args:
        theirs: the fingerprint of the worker, or the error in its place.
        mine: the fingerprint of this process.
    """
    if not isinstance(theirs, Fingerprint):
        if _is_silent(theirs):
            return "does not answer; look at its machine and at the network"
        if isinstance(theirs, WeightsError):
            return f"has no weights: {_in_a_line(theirs)}"
        return f"does not run this package ({_in_a_line(theirs)}); install version {mine.package} there"
    if difference := mine.difference(theirs):
        return f"has {difference}; install version {mine.package} of this package there"
    return ""


def _is_silent(answer: object) -> bool:
    """Whether an answer is only that none came."""
    from distributed.comm.core import CommClosedError

    return isinstance(answer, CommClosedError | TimeoutError)


def load_dask() -> None:
    """Import Dask.

    Raises:
        MissingExtraError: the extra is not installed.
    """
    if find_spec("distributed") is None or find_spec("cryptography") is None:
        raise MissingExtraError(MISSING)
    import distributed  # noqa: F401


@contextlib.contextmanager
def connect(
    address: str, tls: Tls | None = None, *, timeout_s: float = _CONNECT_S, check: bool = True
) -> Iterator[Connection]:
    """Connect to a cluster, and compare the versions of all its workers with those of this process.

    Args:
        address: ``local`` or ``local:4`` starts worker processes on this machine, which listen on the loopback
            only, with TLS and credentials of their own, and end with the connection; ``tls://host:8786``,
            ``tcp://host:8786`` or ``host:8786`` is a scheduler; a path is a scheduler file.
        tls: the files of an encrypted connection.
        timeout_s: seconds to wait for the scheduler.
        check: ``False`` leaves out the comparison, to look at a cluster that has other versions.

    Raises:
        ClusterError: the cluster cannot be reached, or a worker has another version.
        MissingExtraError: the extra is not installed.
        InputError: the address is something else, the number of local processes is outside its limits, or a file
            of the encryption is missing.
    """
    check_type("address", address, str)
    check_type("tls", tls, Tls, NoneType)
    check_seconds("timeout_s", timeout_s)
    load_dask()
    import dask

    local = _LOCAL.fullmatch(address)
    scheduler = "" if local is not None else _scheduler(address)
    if local is not None and tls is not None:
        raise InputError(f"{address} needs no files for TLS: its processes have credentials of their own")
    configured = dask.config.get("distributed.comm.tls.ca-file", None)
    if scheduler.startswith("tls://") and tls is None and not configured:
        raise InputError("an encrypted connection needs the files of an authority and of a certificate")
    security = None if tls is None else tls.security()
    if security is not None and "://" not in scheduler:
        scheduler = f"tls://{scheduler}"
    elif security is not None and not scheduler.startswith(_ENCRYPTED):
        raise InputError("a connection without encryption has no certificate; use tls:// or leave out --tls-ca")
    count = None
    if local is not None:
        count = usable_cpus() if local[1] is None else int(local[1])
        check_count("the number of local processes", count, MAX_THREADS)
    with contextlib.ExitStack() as stack:
        loop = stack.enter_context(_event_loop())
        if count is not None:
            cluster = stack.enter_context(_local_cluster(count, loop))
            scheduler, security = cluster.scheduler_address, cluster.security
        client = stack.enter_context(_client(address, scheduler, security, timeout_s, loop))
        connection = Connection(address, client, count)
        if check and count is None:  # local processes have the same files
            connection.check_versions()
        yield connection


def _scheduler(text: str) -> str:
    """Return the address of a scheduler: the text itself, or the address in the scheduler file that it names."""
    if not is_file(text):
        if _is_address(text):
            return text
        if not may_exist(text):
            raise InputError("neither an address such as tls://10.0.0.1:8786 or local:4, nor a scheduler file")
    try:
        address = json.loads(Path(text).read_bytes())["address"]
    except OSError as error:
        raise InputError(f"cannot read: {error.strerror or error}") from None
    except (ValueError, LookupError, TypeError, RecursionError):
        address = None
    if isinstance(address, str) and _is_address(address):
        return address
    raise InputError("not a scheduler file; 'dask scheduler --scheduler-file FILE' writes one")


def _is_address(text: str) -> bool:
    match = _ADDRESS.fullmatch(text)
    return match is not None and int(match[1]) <= _MOST_PORT


@contextlib.contextmanager
def _event_loop() -> Iterator[LoopRunner]:
    """Run an event loop in a thread of its own. Ctrl-C is for this process: what the loop starts never sees it."""
    from distributed.utils import LoopRunner

    runner = LoopRunner()
    with starting_processes():
        runner.start()
    try:
        yield runner
    finally:
        runner.stop()


@contextlib.contextmanager
def _client(
    name: str, address: str, security: Security | None, timeout_s: float, loop: LoopRunner
) -> Iterator[Any]:
    from distributed import Client, Security

    security = security or Security()

    async def ask() -> None:
        from distributed import rpc

        async with rpc(address, connection_args=security.get_connection_args("client")) as scheduler:
            await scheduler.ncores()

    def make() -> Client:
        client = Client.__new__(Client)
        try:
            Client.__init__(
                client,
                address,
                loop=loop.loop,
                security=security,
                timeout=timeout_s,
                set_as_default=False,
                name="reversi",
            )
        except BaseException:
            # else it closes when it is collected: in the thread of the next event loop, which waits for that
            with contextlib.suppress(Exception):
                client.close(timeout=_CLOSE_S)
            raise
        return client

    try:
        # a client that does not get an answer waits for one when it ends, too
        loop.run_sync(ask, callback_timeout=timeout_s)
        client = _whole(make)
    except TimeoutError:
        raise ClusterError(f"{name}: cannot connect: no answer within {timeout_s:g} s") from None
    except _CONNECT_ERRORS as error:
        raise ClusterError(f"{name}: cannot connect: {_why(error, address)}") from None
    try:
        yield client
    finally:
        with contextlib.suppress(OSError, TimeoutError):
            client.close(timeout=_CLOSE_S)


@contextlib.contextmanager
def _local_cluster(count: int, loop: LoopRunner) -> Iterator[LocalCluster]:
    """Start a scheduler in this process and worker processes of one thread each.

    They listen on the loopback, and take only connections with the credentials that Dask makes for this cluster.
    Their files, which Dask puts into the import path, lie in a folder that nobody else may enter.
    """
    import logging
    from tempfile import TemporaryDirectory

    import dask
    from distributed import LocalCluster, Nanny

    class SafeNanny(Nanny):
        async def instantiate(self) -> Any:
            with starting_processes():
                return await super().instantiate()

    with (
        TemporaryDirectory(prefix="reversi-", ignore_cleanup_errors=True) as folder,
        dask.config.set({**_LOCAL_SETTINGS, "temporary-directory": folder}),
    ):
        try:
            cluster = _whole(
                LocalCluster,
                loop=loop.loop,
                n_workers=count,
                threads_per_worker=1,
                worker_class=SafeNanny,
                security=True,
                host="127.0.0.1",
                memory_limit=0,  # a table is not data of Dask's; its size is checked before
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
                scheduler_kwargs={"dashboard": False},
                preload=["reversi.work.cluster.remote"],
            )
        except (OSError, RuntimeError) as error:
            hint = "a program that connects needs: if __name__ == '__main__':"
            raise ClusterError(f"cannot start {count} local processes: {_in_a_line(error)}; {hint}") from None
        try:
            yield cluster
        finally:
            with contextlib.suppress(OSError, TimeoutError):
                cluster.close(timeout=_CLOSE_S)
            sys.path[:] = [each for each in sys.path if not each.startswith(folder)]


def _whole(make: Callable[..., T], *args: object, **options: object) -> T:
    """Return what ``make`` makes. Dask cannot close what has half started, so Ctrl-C closes it afterwards."""
    with ThreadPoolExecutor(1) as maker:
        made = maker.submit(make, *args, **options)
        try:
            return made.result()
        except KeyboardInterrupt:
            with contextlib.suppress(*_CONNECT_ERRORS):
                made.result().close(timeout=_CLOSE_S)
            raise


def _why(error: BaseException, address: str) -> str:
    """Return why no connection came about, in words, from what lies behind an error of Dask."""
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            why = cause.verify_message or _in_a_line(cause)
            return f"its certificate is not valid here: {why}; look at --tls-ca, the certificate and both clocks"
    said = " ".join(map(str, causes))
    if "WRONG_VERSION_NUMBER" in said:
        return "not a scheduler with encryption"
    if address.startswith("tls://") and any(word in said for word in ("SSLError", "SSLEOFError", "reset by peer")):
        return "it does not accept this certificate, which may be another authority's, expired or not yet valid"
    if any(isinstance(cause, ConnectionResetError) for cause in causes):
        return "it ends the connection; where it wants encryption, the address begins with tls://"
    if isinstance(error, OSError | ImportError | KeyError) or _UNKNOWN_SCHEME in said:
        return _in_a_line(error)
    # a worker does not know what schedulers are asked; Dask takes the words of another program for lengths
    return "not a scheduler" + (" with encryption" if address.startswith("tls://") else "")


def _in_a_line(error: object) -> str:
    text = " ".join(str(error).split())
    return text or type(error).__name__
