"""The C header of bit operations: every instruction-set level against the portable one and against plain loops.

Needs a C compiler; for arm64 elsewhere also ``aarch64-linux-gnu-gcc`` and ``qemu-aarch64`` (Debian's
gcc-aarch64-linux-gnu and qemu-user).
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

from reversi._core import USABLE_ISAS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "tests/c/bits_check.c"
INCLUDE = ROOT / "src/reversi/_kernel"
AVX2 = ["-mavx2", "-mbmi", "-mbmi2", "-mlzcnt", "-mpopcnt"]
FLAGS = {
    "portable": [],
    "x86-64-v3": AVX2,
    "x86-64-v4": [*AVX2, "-mavx512f", "-mavx512bw", "-mavx512cd", "-mavx512dq", "-mavx512vl"],
    "neon": [],
}

pytestmark = pytest.mark.skipif(os.name == "nt" or not INCLUDE.is_dir(), reason="needs the sources and a Unix cc")


def build(folder: Path, compiler: str, flags: list[str], link: list[str]) -> Path:
    common = [compiler, "-O2", "-std=c11", "-Wall", "-Wextra", "-Wno-unused-function", f"-I{INCLUDE}"]
    for name, extra in (("portable", ["-DRV_PORTABLE"]), ("level", flags)):
        command = [*common, *extra, "-c", str(SOURCE), "-o", str(folder / f"{name}.o")]
        subprocess.run(command, check=True, timeout=60)
    program = folder / "bits_check"
    objects = [str(folder / "portable.o"), str(folder / "level.o")]
    subprocess.run([compiler, *link, *objects, "-o", str(program)], check=True, timeout=60)
    return program


def agrees(command: list[str], thousands: int) -> None:
    done = subprocess.run([*command, str(thousands)], capture_output=True, text=True, check=False, timeout=250)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{thousands} thousand positions agree" in done.stdout


def native(tmp_path: Path, isa: str, thousands: int) -> None:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    if isa not in USABLE_ISAS:
        pytest.skip(f"this machine does not run {isa}")
    agrees([str(build(tmp_path, "cc", FLAGS[isa], []))], thousands)


def emulated(tmp_path: Path, thousands: int) -> None:
    compiler, emulator = shutil.which("aarch64-linux-gnu-gcc"), shutil.which("qemu-aarch64")
    if platform.machine() == "aarch64":
        pytest.skip("arm64 is checked natively here")
    if compiler is None or emulator is None:
        pytest.skip("needs aarch64-linux-gnu-gcc and qemu-aarch64")
    agrees([emulator, str(build(tmp_path, compiler, [], ["-static"]))], thousands)


@pytest.mark.thorough
@pytest.mark.parametrize("isa", sorted(FLAGS))
def test_every_level_agrees_with_the_portable_one(isa: str, tmp_path: Path) -> None:
    native(tmp_path, isa, 100)


def test_neon_agrees_with_the_portable_one_when_emulated(tmp_path: Path) -> None:
    emulated(tmp_path, 50)


@pytest.mark.slow
@pytest.mark.parametrize("isa", sorted(FLAGS))
def test_every_level_agrees_on_millions(isa: str, tmp_path: Path) -> None:
    native(tmp_path, isa, 20_000)


@pytest.mark.slow
def test_neon_agrees_on_millions_when_emulated(tmp_path: Path) -> None:
    emulated(tmp_path, 5_000)
