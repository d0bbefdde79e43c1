"""Builds the compiled modules; everything else is in pyproject.toml."""

import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3", "-fno-strict-aliasing", "-Wno-unused-function"]
KERNEL = ["src/reversi/_kernel/bits.h"]

setup(
    ext_modules=cythonize(
        [
            Extension(
                "reversi._core",
                ["src/reversi/_core.pyx"],
                include_dirs=["src/reversi"],
                extra_compile_args=FLAGS,
                depends=KERNEL,
            )
        ],
        language_level=3,
    )
)
