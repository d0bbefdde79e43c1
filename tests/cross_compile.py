"""Compile the C of all modules for systems that are not here; an error or a warning ends it with status 1.

    python tests/cross_compile.py                  all systems
    python tests/cross_compile.py arm64-windows    one of them

Zig's clang (the package ziglang) has the headers of every system. Python's headers are those of the Python that
runs this, with a ``pyconfig.h`` that says what differs. Nothing is linked and nothing runs. On Windows MSVC makes
the wheels: this finds names that the headers of Windows define, and types of another size, but nothing of MSVC.
"""

from __future__ import annotations

import argparse
import os
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest import mock

import Cython.Build
import setuptools  # type: ignore[import-untyped]

ROOT = Path(__file__).parents[1]
SYSTEMS = {
    "x86_64-windows": "x86_64-windows-gnu",
    "arm64-windows": "aarch64-windows-gnu",
    "x86_64-macos": "x86_64-macos-none",
    "arm64-macos": "aarch64-macos-none",
    "arm64-linux": "aarch64-linux-gnu",
}
"""What Zig calls each system."""

# Cython makes two functions of one with a fused type, and the C calls one of them.
CHECKS = ("-O0", "-g0", "-Wall", "-Werror", "-Wno-unneeded-internal-declaration")
PYCONFIG = """\
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_LONG_LONG 8
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define ALIGNOF_LONG 8
#define ALIGNOF_SIZE_T 8
#define WITH_DOC_STRINGS 1
#define HAVE_STDARG_PROTOTYPES 1
#ifdef _WIN32
#include <windows.h> /* before any WIN32_LEAN_AND_MEAN: all its names */
#define small char /* as rpcndr.h of the Windows SDK, and not of MinGW, has it */
#define MS_WIN32
#define MS_WIN64
#define MS_WINDOWS
#define NT_THREADS
#define HAVE_DECLSPEC_DLL
#define Py_ENABLE_SHARED
#define SIZEOF_LONG 4
#define SIZEOF_WCHAR_T 2
#else
#include <unistd.h>
#define HAVE_PTHREAD_H 1
#define SIZEOF_LONG 8
#define SIZEOF_WCHAR_T 4
#define SIZEOF_PTHREAD_T 8
#endif
"""


def extensions(machine: str) -> list[Any]:
    """Return the modules that setup.py makes on Linux on a kind of machine, with their flags."""
    made: dict[str, list[Any]] = {}
    with (
        mock.patch.object(sysconfig, "get_platform", return_value=f"linux-{machine}"),
        mock.patch.object(setuptools, "setup", made.update),
        mock.patch.object(Cython.Build, "cythonize", lambda modules, **_: modules),
        mock.patch.object(sys, "path", list(sys.path)),
        mock.patch.dict(os.environ, CFLAGS=" ".join(CHECKS)),
    ):
        runpy.run_path(str(ROOT / "setup.py"))
    return made["ext_modules"]


def commands(systems: list[str], folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Write the C of all modules; yield what compiles each of them for each system."""
    headers = folder / "python"
    shutil.copytree(sysconfig.get_path("include"), headers)
    (headers / "pyconfig.h").write_text(PYCONFIG, encoding="utf-8")
    for system in systems:
        for module in extensions(system.partition("-")[0]):
            source = folder / f"{module.name}.c"
            if not source.exists():
                write = [sys.executable, "-m", "cython", "-3", "-o", str(source), *module.sources]
                subprocess.run(write, check=True)
            zig = [sys.executable, "-m", "ziglang", "cc", "-target", SYSTEMS[system]]
            flags = [
                *CHECKS,
                *module.extra_compile_args,
                *(f"-I{path}" for path in (headers, *module.include_dirs)),
            ]
            yield f"{system}: {module.name}", [*zig, *flags, "-c", str(source), "-o"]


def compiled(command: list[str]) -> tuple[float, str]:
    """Return the seconds that a compilation took, and what the compiler said."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        caches = {"ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}
        command = [*command, f"{folder}/module.o"]
        done = subprocess.run(command, env=os.environ | caches, capture_output=True, text=True, check=False)
    said = done.stderr or (f"status {done.returncode}\n" if done.returncode else "")
    return time.monotonic() - began, said


def main(arguments: list[str] | None = None) -> int:
    """Compile, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=f"all by default: {', '.join(SYSTEMS)}")
    systems = parser.parse_args(arguments).systems or list(SYSTEMS)
    if unknown := set(systems) - set(SYSTEMS):
        parser.error(f"no such system: {', '.join(sorted(unknown))}; there are {', '.join(SYSTEMS)}")
    os.chdir(ROOT)
    bad = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        names, runs = zip(*commands(systems, Path(folder)), strict=True)
        for name, (seconds, said) in zip(names, pool.map(compiled, runs), strict=True):
            sys.stdout.write(f"{name}: {'bad' if said else 'ok'}, {seconds:.1f} s\n{said}")
            sys.stdout.flush()
            bad += bool(said)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
