"""What the fork server loads before it forks workers: Dask, the code that they run, the weights.

Only the fork server imports this module.
"""

from __future__ import annotations

import contextlib
import gc
import os

from reversi.errors import ReversiError
from reversi.evaluation.weights import default_weights
from reversi.work.cluster import remote  # noqa: F401 - what the workers run
from reversi.work.cluster.connection import load_dask
from reversi.work.cluster.fork_server import SAFE_PATH
from reversi.work.cluster.versions import fingerprint


def _load() -> None:
    name, value = SAFE_PATH
    if os.environ.get(name) == value:
        del os.environ[name]  # engines that workers start have their own modules
    gc.disable()
    load_dask()
    from distributed.versions import get_versions

    get_versions()  # loads what a worker needs to register
    with contextlib.suppress(ReversiError):  # the client reports damaged weights
        fingerprint()
        default_weights()
    gc.freeze()  # the workers share what is here
    gc.enable()


_load()
