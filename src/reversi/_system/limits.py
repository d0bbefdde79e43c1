"""What this process may use of the machine: memory and CPUs, control-group limits respected."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from reversi.errors import TableSizeError


def usable_cpus() -> int:
    """Return the number of CPUs this process may use: its affinity, and the quota of its control group."""
    cpus = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cpus = len(os.sched_getaffinity(0))
    for folder in _cgroup_folders():
        with contextlib.suppress(OSError, ValueError, IndexError):
            quota, period = (folder / "cpu.max").read_text().split()
            if quota != "max":
                cpus = min(cpus, max(1, int(quota) // int(period)))
    return max(1, cpus)


def usable_memory_mb() -> int | None:
    """Return the memory this process may use in MB (2**20 bytes): the machine's, or its control group's limit when
    lower.

    ``None`` when the system does not say.
    """
    sizes = []
    if sys.platform == "win32":
        sizes.append(_windows_memory())
    else:
        with contextlib.suppress(OSError, ValueError):
            sizes.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for folder in _cgroup_folders():
        for name in ("memory.max", "memory.limit_in_bytes"):
            with contextlib.suppress(OSError, ValueError):
                sizes.append(int((folder / name).read_text()))
    limits = [size for size in sizes if size]
    return min(limits) >> 20 if limits else None


def check_memory(megabytes: int) -> None:
    """Refuse a table that cannot fit.

    Raises:
        TableSizeError: more than this process may use; the message says how much that is.
    """
    usable = usable_memory_mb()
    if usable is not None and megabytes > usable:
        raise TableSizeError(f"a hash of {megabytes} MB does not fit: this process may use {usable} MB")


def _cgroup_folders() -> list[Path]:
    """Return the folders of this process's control group and the groups above it (Linux; versions 2 and 1)."""
    folders = []
    root = Path("/sys/fs/cgroup")
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            base = root if not controllers else root / controllers
            if controllers and "memory" not in controllers.split(",") and "cpu" not in controllers.split(","):
                continue
            group = base / path.lstrip("/")
            while group != base and base in group.parents:
                folders.append(group)
                group = group.parent
            folders.append(base)
    return folders


def _windows_memory() -> int:
    if sys.platform != "win32":
        return 0
    import ctypes

    class MemoryStatus(ctypes.Structure):
        _fields_ = [
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            *[(f"size{i}", ctypes.c_ulonglong) for i in range(7)],
        ]

    status = MemoryStatus()
    status.length = ctypes.sizeof(MemoryStatus)
    if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
        return 0
    return int(status.size0)
