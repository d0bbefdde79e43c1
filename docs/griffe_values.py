"""An extension of griffe: the API reference shows defaults as values, `hash_mb: int = 64`, not as names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import griffe


class Values(griffe.Extension):
    """Replaces the defaults of parameters and fields that are named constants by their values."""

    def on_package(self, *, pkg: Any, loader: Any, **_: Any) -> None:
        for function in _functions(pkg, set()):
            for parameter in function.parameters:
                if isinstance(parameter.default, griffe.ExprName):
                    value = _value(parameter.default, loader)
                    parameter.default = parameter.default if value is None else value


def _functions(of: Any, seen: set[str]) -> Iterator[Any]:
    for member in of.members.values():
        if member.is_alias or member.path in seen:
            continue
        seen.add(member.path)
        if member.is_function:
            yield member
        elif member.is_module or member.is_class:
            yield from _functions(member, seen)


def _value(name: Any, loader: Any) -> str | None:
    """Return the value of a constant that is a literal; ``None`` for any other name."""
    try:
        constant = loader.modules_collection[name.canonical_path]
        constant = constant.final_target if constant.is_alias else constant
        text = str(constant.value)
        ast.literal_eval(text)
    except (KeyError, AttributeError, ValueError, SyntaxError, griffe.GriffeError):
        return None
    return text
