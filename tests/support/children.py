"""The processes that tests start: each ends with its test, whatever becomes of the test."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

__all__ = ["Child", "end_children", "keep"]

_GENTLE_S: Final = 5.0
_running: Final[list[subprocess.Popen[Any]]] = []

if TYPE_CHECKING:
    from subprocess import Popen as Child
else:

    class Child(subprocess.Popen):
        """A process, started as ``subprocess.Popen`` starts it.

        The end of its ``with`` statement waits for it, but not after an error: ``subprocess.Popen`` would hold
        the error back while the process goes on.
        """

        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            _running.append(self)

        def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
            if kind is not None:
                _end(self)
            super().__exit__(kind, *rest)


@contextlib.contextmanager
def end_children() -> Iterator[None]:
    """End what is started within the block and still runs at its end."""
    others = [*_running]
    _running.clear()
    try:
        yield
    finally:
        for child in _running:
            _end(child)
            for stream in (child.stdin, child.stdout, child.stderr):
                if stream is not None:
                    with contextlib.suppress(OSError):  # what was written for it has no reader
                        stream.close()
        _running[:] = others


def keep(child: subprocess.Popen[Any]) -> None:
    """Let a process outlive the test that starts it: whoever calls this ends it."""
    _running.remove(child)


def _end(child: subprocess.Popen[Any]) -> None:
    """End a process, gently first: it may have children of its own."""
    if child.poll() is None:
        child.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_GENTLE_S)
            return
        child.kill()
        child.wait()
