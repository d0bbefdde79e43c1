"""Builds the compiled modules and the long description; everything else is in pyproject.toml.

The kernel's one source (src/reversi/_kernel) is compiled into _core for the portable baseline, and again into one
small module per instruction-set level of the target architecture. Which one runs is chosen at import.

The code of clang is 4 to 15 % faster than that of gcc. Clang compiles where nobody has chosen a compiler (CC) and
a small extension can be made with it. Flags for optimization and debugging in CFLAGS replace those given here.
"""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT / "docs"))

from addresses import with_addresses  # noqa: E402 - found in docs/
from make_reference import reference  # noqa: E402

PLATFORM = sysconfig.get_platform().lower()
ARCH = os.environ.get("ARCHFLAGS", "") if "macosx" in PLATFORM else ""
MSVC = PLATFORM.startswith("win")
X86_64 = "x86_64" in ARCH or (not ARCH and PLATFORM.endswith(("x86_64", "amd64")))
ARM64 = "arm64" in ARCH or (not ARCH and PLATFORM.endswith(("arm64", "aarch64")))
if (X86_64 and ARM64) or "universal2" in PLATFORM:
    X86_64 = ARM64 = False  # one binary for both: the portable kernel alone

GIVEN = shlex.split(os.environ.get("CFLAGS", ""), posix=not MSVC)
BASE = [
    *(["-O3"] if not any(flag.startswith("-O") for flag in GIVEN) else []),
    *(["-g0"] if not any(flag.startswith("-g") for flag in GIVEN) else []),
    "-fno-strict-aliasing",
    "-Wno-unused-function",
]
if MSVC:
    BASE = ["/O2"]
AVX2 = ["/arch:AVX2"] if MSVC else ["-mavx2", "-mbmi", "-mbmi2", "-mlzcnt", "-mpopcnt", "-mmovbe"]
AVX512 = (
    ["/arch:AVX512"]
    if MSVC
    else [*AVX2, "-mavx512f", "-mavx512bw", "-mavx512cd", "-mavx512dq", "-mavx512vl", "-mprefer-vector-width=256"]
)


TRIAL = """
#include <Python.h>
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "trial", 0, -1, 0, 0, 0, 0, 0};
PyMODINIT_FUNC PyInit_trial(void) { return PyModule_Create(&module); }
"""


class BuildExtensions(build_ext):
    """Compiles with clang where that works."""

    def build_extensions(self):
        if self.compiler.compiler_type == "unix":
            self.choose_clang()
            if not self.is_clang():  # clang does not know the option
                for extension in self.extensions:
                    extension.extra_compile_args.append("-Wno-maybe-uninitialized")
        super().build_extensions()

    def choose_clang(self):
        clang = shutil.which("clang")
        if clang is None or "CC" in os.environ or sys.platform == "darwin" or self.is_clang():
            return
        before = {}
        for name in ("compiler", "compiler_so", "linker_so", "linker_exe"):
            command = getattr(self.compiler, name)
            if Path(command[0]).name.endswith(("gcc", "cc")):
                before[name] = command
                setattr(self.compiler, name, [clang, *command[1:]])
        if "compiler_so" in before and not self.can_compile():
            for name, command in before.items():
                setattr(self.compiler, name, command)

    def can_compile(self):
        """Whether a small extension can be made with the flags of all extensions."""
        flags = dict.fromkeys(flag for extension in self.extensions for flag in extension.extra_compile_args)
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "trial.c"
            source.write_text(TRIAL)
            compile_it = [*self.compiler.compiler_so, *(f"-I{path}" for path in self.include_dirs), *flags]
            steps = (
                [*compile_it, "-c", str(source), "-o", f"{folder}/trial.o"],
                [*self.compiler.linker_so, f"{folder}/trial.o", "-o", f"{folder}/trial.so"],
            )
            return all(subprocess.run(step, capture_output=True, check=False).returncode == 0 for step in steps)

    def is_clang(self):
        try:
            asked = subprocess.run([*self.compiler.compiler_so, "--version"], capture_output=True, check=False)
        except OSError:
            return False
        return b"clang" in asked.stdout


class WithReference(sdist):
    """Puts the API reference into the sdist as a page to read, API.md."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        page = Path(base_dir, "API.md")
        page.unlink(missing_ok=True)  # not a link to that of an earlier sdist
        page.write_text(reference(), encoding="utf-8")


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
    cmdclass={"build_ext": BuildExtensions, "sdist": WithReference},
    ext_modules=cythonize(extensions, language_level=3),
    # README.md has relative links, which work in a checkout; PyPI shows it alone
    long_description=with_addresses((ROOT / "README.md").read_text(encoding="utf-8"), "README.md"),
    long_description_content_type="text/markdown",
)
