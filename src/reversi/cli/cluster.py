"""``--cluster ADDRESS`` and the options of encrypted connections, for every command that has them."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

from reversi.cli.console import err, fail
from reversi.cli.option_groups import Table, needs
from reversi.cli.options import option
from reversi.cli.status import Status
from reversi.errors import InputError, ResourceError

if TYPE_CHECKING:
    from reversi.work.cluster.connection import Connection


@dataclass(frozen=True)
class Cluster:
    """``--cluster ADDRESS`` and the files of an encrypted connection."""

    TABLE: ClassVar[Table] = (
        *needs("--tls-ca", "--cluster"),
        *needs("--tls-ca", "--tls-cert"),
        *needs("--tls-cert", "--cluster"),
        *needs("--tls-cert", "--tls-ca"),
        *needs("--tls-key", "--tls-cert"),
    )

    cluster: Annotated[
        str,
        option("ADDRESS", "Use a Dask cluster: local or local:N processes, tls://HOST:PORT, or a scheduler file."),
    ] = ""
    tls_ca: Annotated[str, option("FILE", "Trust this authority for the cluster's certificates.")] = ""
    tls_cert: Annotated[str, option("FILE", "Show this certificate to the cluster.")] = ""
    tls_key: Annotated[str, option("FILE", "Use this key of the certificate, if not in its file.")] = ""

    def __bool__(self) -> bool:
        return bool(self.cluster)

    @contextlib.contextmanager
    def connection(self, *, check: bool = True) -> Iterator[Connection | None]:
        """Connect to the cluster; ``None`` without one. A wrong address ends the command.

        Without ``check`` its workers may have other versions.
        """
        if not self:
            yield None
            return
        from reversi.work.cluster.connection import ClusterError, Tls, connect, load_dask

        with contextlib.ExitStack() as stack:
            stack.callback(gc.freeze)  # or Python visits all objects when it ends
            try:
                load_dask()
                gc.freeze()  # the objects of Dask stay to the end
                _quiet()
                tls = Tls(self.tls_ca, self.tls_cert, self.tls_key) if self.tls_ca else None
                connection = stack.enter_context(connect(self.cluster, tls, check=check))
            except ClusterError:
                raise
            except (InputError, ResourceError) as error:
                fail(Status.USAGE, f"--cluster {self.cluster}: {error}")
            if check and not connection.threads:
                err(f"reversi: --cluster {self.cluster}: no worker yet; waiting for one")
            yield connection


def _quiet() -> None:
    """Keep the log of Dask from standard error; an error ends the command with one line."""
    import logging

    for name in list(logging.root.manager.loggerDict):  # Dask gave each of its loggers a level when it was loaded
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
