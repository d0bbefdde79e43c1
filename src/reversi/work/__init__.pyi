"""The public names; the package loads them when they are first used."""

from .cancel import Cancel as Cancel
from .cluster.connection import (
    ClusterError as ClusterError,
    Connection as Connection,
    Tls as Tls,
    connect as connect,
)
from .cluster.versions import Fingerprint as Fingerprint, fingerprint as fingerprint
from .cluster.workers import ClusterWorkers as ClusterWorkers
from .jobs import Call as Call, Job as Job, Work as Work
from .processes import Processes as Processes, WorkerDied as WorkerDied
from .threads import Threads as Threads
from .workers import Workers as Workers
