"""Builds the compiled modules and the long description; everything else is in pyproject.toml.

The kernel's one source (src/reversi/_kernel) is compiled into _core for the portable baseline, and again into one
small module per instruction-set level of the target architecture. Which one runs is chosen at import.
"""

import os
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT / "docs"))

from addresses import with_addresses  # noqa: E402 - found in docs/

PLATFORM = sysconfig.get_platform().lower()
ARCH = os.environ.get("ARCHFLAGS", "") if "macosx" in PLATFORM else ""
MSVC = PLATFORM.startswith("win")
X86_64 = "x86_64" in ARCH or (not ARCH and PLATFORM.endswith(("x86_64", "amd64")))
ARM64 = "arm64" in ARCH or (not ARCH and PLATFORM.endswith(("arm64", "aarch64")))
if (X86_64 and ARM64) or "universal2" in PLATFORM:
    X86_64 = ARM64 = False  # one binary for both: the portable kernel alone

BASE = (
    ["/O2"] if MSVC else ["-O3", "-g0", "-fno-strict-aliasing", "-Wno-unused-function", "-Wno-maybe-uninitialized"]
)
AVX2 = ["/arch:AVX2"] if MSVC else ["-mavx2", "-mbmi", "-mbmi2", "-mlzcnt", "-mpopcnt", "-mmovbe"]
AVX512 = (
    ["/arch:AVX512"]
    if MSVC
    else [*AVX2, "-mavx512f", "-mavx512bw", "-mavx512cd", "-mavx512dq", "-mavx512vl", "-mprefer-vector-width=256"]
)


def extension(name, flags, **options):
    return Extension(
        f"reversi.{name}",
        [f"src/reversi/{name.replace('.', '/')}.pyx"],
        include_dirs=["src/reversi"],
        extra_compile_args=[*BASE, *flags],
        depends=sorted(map(str, Path("src/reversi/_kernel").rglob("*.h"))),
        **options,
    )


extensions = [extension("_core", ["/DRV_PORTABLE" if MSVC else "-DRV_PORTABLE"])]
if X86_64:
    # optional: a compiler too old for a level costs that level, not the installation
    extensions += [extension("_kernel.v3", AVX2, optional=True), extension("_kernel.v4", AVX512, optional=True)]
if ARM64:
    extensions += [extension("_kernel.neon", [], optional=True)]

setup(
    ext_modules=cythonize(extensions, language_level=3),
    # README.md has relative links, which work in a checkout; PyPI shows it alone
    long_description=with_addresses((ROOT / "README.md").read_text(encoding="utf-8"), "README.md"),
    long_description_content_type="text/markdown",
)
