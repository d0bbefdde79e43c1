"""The examples in docstrings are true."""

import doctest
import importlib
import pkgutil

import pytest

import reversi

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(reversi.__path__, "reversi.")
    if not module.name.rpartition(".")[2].startswith("_") and ".tui" not in module.name
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
