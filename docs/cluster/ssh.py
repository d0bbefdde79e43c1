"""A scheduler and workers for ``reversi --cluster`` on machines that SSH reaches. It needs asyncssh.

    python ssh.py first second third --processes 16
    reversi solve positions.obf --cluster scheduler.json --output results.jsonl --resume

The scheduler runs on the first machine, worker processes of one thread each on all of them, until Ctrl-C ends
them. Each machine has the same version of this package, in the same folder, and the certificates of tls.py. The
commands of this package find the scheduler by the file scheduler.json.
"""

from __future__ import annotations

import argparse
import json
import threading
from pathlib import Path
from typing import Any


def make_cluster(options: argparse.Namespace) -> Any:
    """Return a cluster of Dask on these machines."""
    from distributed import Security, SSHCluster

    first = options.machines[0]
    return SSHCluster(
        [first, *options.machines],  # the scheduler's machine, then those of the workers
        scheduler_options={"protocol": "tls://", "port": 8786, "dashboard": False},
        worker_options={"nthreads": 1, "n_workers": options.processes, "memory_limit": "0"},
        security=Security(require_encryption=True),
        remote_python=options.python,
    )


def main() -> None:
    """Start the processes, and wait."""
    parser = argparse.ArgumentParser(description="Run workers for reversi --cluster on machines that SSH reaches.")
    parser.add_argument("machines", nargs="+", help="the first one has the scheduler, too")
    parser.add_argument("--processes", type=int, default=1, help="worker processes of each machine: its cores")
    parser.add_argument("--python", default="~/reversi/bin/python", help="the interpreter on the machines")
    parser.add_argument("--scheduler-file", type=Path, default=Path("scheduler.json"))
    options = parser.parse_args()
    with make_cluster(options) as cluster:
        options.scheduler_file.write_text(json.dumps({"address": cluster.scheduler_address}))
        threading.Event().wait()


if __name__ == "__main__":
    main()
