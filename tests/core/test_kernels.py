"""The builds of the kernel: each is imported where the processor runs it, and refused elsewhere."""

from __future__ import annotations

import importlib.util

import pytest

from command_line import run_python
from reversi._core import USABLE_ISAS


@pytest.mark.parametrize("module", ["v3", "v4", "neon"])
def test_a_build_for_another_processor_is_an_import_error(module: str) -> None:
    name = f"reversi._kernel.{module}"
    if importlib.util.find_spec(name) is None:
        pytest.skip("not built on this platform")
    usable = {isa.rpartition("-")[2] for isa in USABLE_ISAS}
    done = run_python("-c", f"import {name}").ends(0 if module in usable else 1)
    assert ("ImportError: this processor does not run" in done.stderr) == (module not in usable)
