"""Workers of ``reversi --cluster`` as jobs of Slurm or SGE. It needs dask-jobqueue: pip install dask-jobqueue

    python batch.py slurm --jobs 8 --cores 16 --memory 32GB --hours 12 --interface ib0
    reversi solve positions.obf --cluster scheduler.json --output results.jsonl --resume

The first line runs the scheduler here, on a login node or in a job of its own, submits the jobs, and keeps as many
of them until it is ended with Ctrl-C. ``--show`` prints the script of a job instead. All machines have the
certificates of tls.py. The commands of this package find the scheduler by the file scheduler.json.
"""

from __future__ import annotations

import argparse
import json
import threading
from pathlib import Path
from typing import Any

PROLOGUE = ["source ~/reversi/bin/activate"]  # what makes this package known on the machines of the jobs


def make_cluster(options: argparse.Namespace) -> Any:
    """Return a cluster of dask-jobqueue: one worker process with one thread for each core of a job."""
    from dask_jobqueue.sge import SGECluster
    from dask_jobqueue.slurm import SLURMCluster
    from distributed import Security

    settings = {
        "security": Security(require_encryption=True),
        "cores": options.cores,
        "processes": options.cores,
        "memory": options.memory,
        "walltime": f"{options.hours:02d}:00:00",
        "interface": options.interface,
        "python": "python",
        "job_script_prologue": PROLOGUE,
        "worker_extra_args": [
            "--memory-limit",
            "0",
            "--no-dashboard",
        ],  # Dask shall not pause a worker for its table
        "scheduler_options": {"dashboard": False},
    }
    if options.system == "slurm":
        return SLURMCluster(**settings)
    # SGE counts slots, not cores, and dask-jobqueue asks for one; smp is the usual name of cores of one machine
    return SGECluster(**settings, job_extra_directives=[f"-pe {options.environment} {options.cores}"])


def main() -> None:
    """Start the jobs and wait, or show the script of one."""
    parser = argparse.ArgumentParser(description="Run workers for reversi --cluster as jobs of a batch system.")
    parser.add_argument("system", choices=("slurm", "sge"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cores", type=int, default=16, help="of one job")
    parser.add_argument("--memory", default="32GB", help="of one job")
    parser.add_argument("--hours", type=int, default=12)
    parser.add_argument("--interface", help="the network that the machines share, such as ib0 or eth0")
    parser.add_argument("--environment", default="smp", help="the parallel environment of SGE")
    parser.add_argument("--scheduler-file", type=Path, default=Path("scheduler.json"))
    parser.add_argument("--show", action="store_true", help="print the script of a job, and submit none")
    options = parser.parse_args()
    with make_cluster(options) as cluster:
        if options.show:
            print(cluster.job_script())
            return
        options.scheduler_file.write_text(json.dumps({"address": cluster.scheduler_address}))
        cluster.adapt(minimum_jobs=options.jobs, maximum_jobs=options.jobs)  # jobs that end are submitted again
        threading.Event().wait()


if __name__ == "__main__":
    main()
