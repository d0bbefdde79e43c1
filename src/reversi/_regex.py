"""The module ``re``, whose patterns are compiled when they are first used.

A command uses few of those that its modules have, and to compile them all takes it a tenth of its time.
"""

from __future__ import annotations

import re
from re import *  # noqa: F403

TYPE_CHECKING = False  # as typing has it, which takes longer to load
if TYPE_CHECKING:
    from typing import Any, AnyStr

_METHODS = ("match", "fullmatch", "search", "split", "findall", "finditer", "sub", "subn", "pattern")


class _Later:
    """A pattern that is compiled when it is first used."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(*self._given)
        for method in _METHODS:  # this is asked no more
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def compile(  # type: ignore[no-redef]  # noqa: A001 - as in re
    pattern: AnyStr, flags: int = 0
) -> re.Pattern[AnyStr]:
    """Return a pattern with the methods of ``re.Pattern``; a wrong one is an error when it is first used."""
    return _Later(pattern, flags)  # type: ignore[return-value]
