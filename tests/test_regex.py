"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil

import pytest

import reversi
from reversi import _regex


def test_a_pattern_has_the_methods_of_the_module_re() -> None:
    for flags, found in ((0, ["b"]), (_regex.IGNORECASE, ["A", "b"])):
        later = _regex.compile("[ab]", flags)
        assert later.findall("A, b") == found
        assert (later.sub("x", "b"), later.pattern) == ("x", "[ab]")
    assert _regex.compile(rb"\d+").match(b"12")
    with pytest.raises(AttributeError):
        _regex.compile("a").nothing  # type: ignore[attr-defined]  # noqa: B018


def test_every_pattern_can_be_compiled() -> None:
    names = [module.name for module in pkgutil.walk_packages(reversi.__path__, "reversi.")]
    number = 0
    for name in names:
        if not name.endswith("__main__"):
            with contextlib.suppress(ImportError):  # of an extra
                for value in vars(importlib.import_module(name)).values():
                    if isinstance(value, _regex._Later):
                        assert isinstance(value.pattern, str | bytes)
                        number += 1
    assert number > 200
