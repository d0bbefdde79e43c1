"""``--cluster ADDRESS`` and the options of encrypted connections, for every command that has them."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from reversi.cli.console import err, fail
from reversi.cli.status import Status
from reversi.errors import InputError, ResourceError

if TYPE_CHECKING:
    from reversi.work.cluster.connection import Connection, Tls

ClusterOption = Annotated[
    str,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Use a Dask cluster: local or local:N processes, tls://HOST:PORT, or a scheduler file.",
    ),
]
TlsCaOption = Annotated[
    str, typer.Option("--tls-ca", metavar="FILE", help="Trust this authority for the cluster's certificates.")
]
TlsCertOption = Annotated[
    str, typer.Option("--tls-cert", metavar="FILE", help="Show this certificate to the cluster.")
]
TlsKeyOption = Annotated[
    str, typer.Option("--tls-key", metavar="FILE", help="Use this key of the certificate, if not in its file.")
]


def tls_option(cluster: str, ca: str, cert: str, key: str) -> Tls | None:
    """Return the files of an encrypted connection, if any; a wrong choice ends the command."""
    if not (ca or cert or key):
        return None
    if not cluster:
        fail(Status.USAGE, "--tls-ca, --tls-cert and --tls-key are for --cluster")
    if not (ca and cert):
        fail(Status.USAGE, "an encrypted connection needs both --tls-ca and --tls-cert")
    from reversi.work.cluster.connection import Tls

    return Tls(ca, cert, key)


@contextlib.contextmanager
def cluster_connection(cluster: str, tls: Tls | None, *, check: bool = True) -> Iterator[Connection | None]:
    """Connect to the cluster that ``--cluster`` names; ``None`` without one. A wrong address ends the command.

    Without ``check`` its workers may have other versions.
    """
    if not cluster:
        yield None
        return
    from reversi.work.cluster.connection import ClusterError, connect, load_dask

    with contextlib.ExitStack() as stack:
        stack.callback(gc.freeze)  # or Python visits all objects when it ends
        try:
            load_dask()
            gc.freeze()  # the objects of Dask stay to the end
            _quiet()
            connection = stack.enter_context(connect(cluster, tls, check=check))
        except ClusterError as error:
            fail(Status.USAGE, str(error))
        except (InputError, ResourceError) as error:
            fail(Status.USAGE, f"--cluster {cluster}: {error}")
        if check and not connection.threads:
            err(f"reversi: --cluster {cluster}: no worker yet; waiting for one")
        yield connection


def _quiet() -> None:
    """Keep the log of Dask from standard error; an error ends the command with one line."""
    import logging

    for name in list(logging.root.manager.loggerDict):  # Dask gave each of its loggers a level when it was loaded
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
