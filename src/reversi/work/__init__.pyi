"""The public names; the package loads them when they are first used."""

from .cancel import Cancel as Cancel
from .cluster.connection import (
    ClusterError as ClusterError,
    Connection as Connection,
    Tls as Tls,
    connect as connect,
)
