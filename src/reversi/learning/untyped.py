"""A base class for type checkers, where a package without types has the real one."""

from __future__ import annotations

from typing import Any


class Untyped:
    """What a checker knows of a class that it cannot read: every attribute may be anything."""

    def __init__(self, *args: Any) -> None: ...

    def __getattr__(self, name: str) -> Any: ...
