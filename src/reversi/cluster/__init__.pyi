"""The public names; the package loads them when they are first used."""

from .analysis import ClusterAnalysis as ClusterAnalysis
from .batch import ClusterBatch as ClusterBatch
from .connection import ClusterError as ClusterError, Connection as Connection, Tls as Tls, connect as connect
from .cost import CostModel as CostModel
from .match import ClusterCrew as ClusterCrew
from .proving import ClusterWorkers as ClusterWorkers
from .versions import Fingerprint as Fingerprint, fingerprint as fingerprint
