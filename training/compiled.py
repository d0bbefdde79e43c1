"""The compiled arithmetic of training (trainer.c, habits.c): compiled when it is first needed, and kept."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from reversi._core import USABLE_ISAS

# for the best level that this processor has: the cache folder may be that of several machines
_LEVEL = [f"-march={USABLE_ISAS[0]}"] if USABLE_ISAS[0].startswith("x86-64") else []
_FLAGS = ["-O3", *_LEVEL, "-ffast-math", "-shared", "-fPIC"]
_PARTS = (
    "table",
    "bias",
    "linear",
    "constant",
    "layer",
    "layer_bias",
    "out",
    "second",
    "second_bias",
    "second_out",
)


class NetPointers(ctypes.Structure):
    """Where the parts of a net lie."""

    _fields_ = [(name, ctypes.c_void_p) for name in _PARTS]


@functools.cache
def library(width: int, units: int, second: int, columns: int) -> ctypes.CDLL:
    """Return the functions of trainer.c for one shape of nets.

    The compiler is `$CC`, or `cc`. What it makes is kept in the user's cache folder.

    Raises:
        ValueError: the compiler fails.
    """
    functions = _compiled("trainer", f"-DW={width}", f"-DU={units}", f"-DV={second}", f"-DF={columns}")
    pointer, number, net = ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(NetPointers)
    functions.values.argtypes = [net, number, pointer, pointer, pointer]
    functions.values.restype = None
    functions.slopes.argtypes = [net, net, number, pointer, pointer, pointer, pointer, ctypes.c_float]
    functions.slopes.restype = ctypes.c_double
    functions.step.argtypes = [ctypes.c_int64, number, *[pointer] * 5, *[ctypes.c_float] * 3]
    functions.step.restype = None
    return functions


@functools.cache
def habits_library() -> ctypes.CDLL:
    """Return the function of habits.c; see `library`."""
    functions = _compiled("habits")
    pointer, number = ctypes.c_void_p, ctypes.c_int
    functions.learn.argtypes = [number, *[pointer] * 4, number, number, *[pointer] * 4, ctypes.c_float]
    functions.learn.restype = ctypes.c_double
    return functions


def _compiled(name: str, *flags: str) -> ctypes.CDLL:
    compiler = shlex.split(os.environ.get("CC", "cc"))
    source = Path(__file__).with_name(f"{name}.c")
    key = hashlib.sha256(" ".join([*compiler, *_FLAGS, *flags]).encode() + source.read_bytes()).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "reversi-training"
    file = cache / f"{name}-{key}.so"
    if not file.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            made = Path(folder) / file.name
            command = [*compiler, *_FLAGS, *flags, str(source), "-o", str(made), "-lm"]
            try:
                subprocess.run(command, check=True, capture_output=True, text=True)
            except FileNotFoundError:
                raise ValueError(f"{compiler[0]}: no such compiler; training needs one for C") from None
            except subprocess.CalledProcessError as error:
                raise ValueError(f"{shlex.join(command)}: {error.stderr.strip()[-500:]}") from None
            made.replace(file)
    return ctypes.CDLL(str(file))
