"""The public names; the package loads them when they are first used."""

from .awaiting import in_thread as in_thread
from .cancel import Cancel as Cancel
from .cluster.connection import (
    ClusterError as ClusterError,
    Connection as Connection,
    Tls as Tls,
    connect as connect,
)
