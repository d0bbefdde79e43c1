"""Proofs on a cluster: the jobs of a `reversi.solver.proofs.Prover` as tasks of Dask."""

from __future__ import annotations

from dataclasses import dataclass

from reversi.cluster.batch import kept_solver
from reversi.cluster.connection import Connection
from reversi.cluster.pool import Pool
from reversi.cluster.work import RunningTask
from reversi.solver.batch import DEFAULT_BATCH_HASH_MB
from reversi.solver.proofs.jobs import Found, Job, do_job

__all__ = ["ClusterWorkers", "ProofWork"]


@dataclass(frozen=True, slots=True)
class ProofWork:
    """How a worker does a job: with the solver of its process.

    Attributes:
        hash_mb: size of the table of each worker process in MB (2**20 bytes).
        evaluation: whether the learned evaluation helps.
    """

    hash_mb: int
    evaluation: bool = True

    def do(self, item: Job, task: RunningTask) -> Found | None:
        """Do a job; a stop ends it without an answer."""
        found = do_job(kept_solver(self.hash_mb, self.evaluation), item, task.cancel)
        task.finish(found.nodes)
        return None if task.cancel.cancelled else found


class ClusterWorkers:
    """The workers of a cluster, for a `reversi.solver.proofs.Prover`.

    Args:
        connection: the cluster; see `reversi.cluster.connect`.
        hash_mb: size of the table of each worker process in MB (2**20 bytes).

    Raises:
        TableSizeError: the tables of local workers do not fit in memory.
    """

    def __init__(self, connection: Connection, *, hash_mb: int = DEFAULT_BATCH_HASH_MB) -> None:
        connection.check_table(hash_mb)
        work = ProofWork(hash_mb)
        self._pool: Pool[Job, Found] = Pool(connection, lambda: work, lambda job: job, "position")

    @property
    def threads(self) -> int:
        """The threads of all workers."""
        return self._pool.threads

    @property
    def is_free(self) -> bool:
        """Whether another job can be sent."""
        return self._pool.is_free

    def send(self, job: Job) -> None:
        """Begin a job."""
        self._pool.send([job])

    def withdraw(self, jobs: list[Job]) -> None:
        """Stop needless jobs; nothing comes back of them."""
        needless = set(jobs)
        self._pool.withdraw([task for task in self._pool.running if task.items[0] in needless])

    def next(self, timeout: float) -> Found | None:
        """Return what the next job found; ``None`` after ``timeout`` seconds without one.

        Raises:
            ClusterError: the connection to the scheduler is lost, a worker has another version, or a job ends
                every worker that gets it.
            TableSizeError: the workers have not enough memory for the table.
        """
        returned = self._pool.next(timeout)
        return returned.answers[0][1] if returned is not None and returned.answers else None

    def close(self) -> None:
        """Stop everything; the connection stays."""
        self._pool.close()
