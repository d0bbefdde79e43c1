"""The fork server of local processes: it loads the code of a worker once, while the client loads its own.

Python's fork server starts each process as a copy of itself. It runs on Linux only: elsewhere system libraries do
not survive a fork, and each process loads its code itself. This module imports next to nothing but the standard
library: a command starts the server first of all.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Final

from reversi._system.held_signals import ctrl_c_blocked

__all__ = ["FORKS", "LOCAL", "SAFE_PATH", "start_fork_server"]

FORKS: Final = sys.platform == "linux"
"""Whether processes on this machine come from a fork server."""
LOCAL: Final = re.compile(r"local(?::([0-9]{1,4}))?", re.ASCII)
"""The addresses of processes on this machine, with their number."""
SAFE_PATH: Final = "PYTHONSAFEPATH", "reversi"
"""The variable that keeps modules in the current folder out of the server, and its value."""
_THREADS: Final = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
"""What Dask sets for workers that it starts itself: one thread in each library."""
_LOADED: Final = "reversi.work.cluster.forked"


def start_fork_server(address: str, modules: Sequence[str] = ()) -> bool:
    """Start the fork server if ``address`` means processes on this machine; do nothing where one runs.

    It loads its code while the caller does something else. Its socket lies in the folder of temporary files; where
    the path of that is too long for a socket, or nothing can be written there, no server starts, and each process
    loads its code itself.

    Args:
        address: the address of a cluster.
        modules: what the work of jobs needs; the server loads it, too.

    Returns:
        Whether the server runs.
    """
    if not (FORKS and LOCAL.fullmatch(address)) or find_spec("distributed") is None:
        return False
    from multiprocessing import forkserver

    forkserver.set_forkserver_preload([*modules, _LOADED])  # which shares what it finds
    with _variables({**_THREADS, SAFE_PATH[0]: SAFE_PATH[1]}), ctrl_c_blocked():
        try:
            forkserver.ensure_running()
        except OSError:
            return False
    return True


@contextlib.contextmanager
def _variables(values: Mapping[str, str]) -> Iterator[None]:
    """Let processes that start have variables in their environment, except those with a value already."""
    new = {name: value for name, value in values.items() if name not in os.environ}
    os.environ.update(new)
    try:
        yield
    finally:
        for name in new:
            del os.environ[name]
