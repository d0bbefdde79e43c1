"""The base of runs: the results of an input in its order, and a file of results that a later run continues."""

from __future__ import annotations

import contextlib
import time
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import NoneType
from typing import Any, Generic, Protocol, TypeVar

from reversi._system.closing import ClosedAtEnd
from reversi.arguments import FilePath, check_type
from reversi.errors import InputError
from reversi.work.cancel import Cancel
from reversi.work.results_file import ResumableFile
from reversi.work.workers import POLL_S


class RunItem(Protocol):
    """What a run gives for one thing of its input."""

    def fields(self) -> dict[str, object]:
        """Return the result as JSON values; ``index`` is the first."""


R = TypeVar("R", bound=RunItem)


class ResumableRun(ClosedAtEnd, Generic[R]):
    """Gives results in the order of the input, and writes each to a file as soon as it is there. Iterate once.

    A subclass opens the file as ``_results``, appends the index of each thing that it begins to ``_order``, and
    passes each result to `_keep`.

    Args:
        output: the file of results, if there is one.
        resume: whether the run continues that file.
        overwrite: whether it drops what the file holds.
        cancel: stops the run from another thread or a signal handler.
        poll: called with the run a few times a second, from the thread that iterates.

    Raises:
        InputError: ``resume`` excludes another argument.
    """

    def __init__(
        self,
        output: FilePath | None,
        *,
        resume: bool,
        overwrite: bool,
        cancel: Cancel | None,
        poll: Callable[[Any], None] | None,
    ) -> None:
        check_type("cancel", cancel, Cancel, NoneType)
        if resume and (output is None or overwrite):
            raise InputError(
                "resume needs an output file" if output is None else "resume and overwrite exclude each other"
            )
        self.time_s: float = 0.0  #: wall-clock time of the whole run
        self._cancel = cancel or Cancel()
        self._poll = poll
        self._results: ResumableFile[Any] | None = None
        self._order: deque[int] = deque()  # by index: begun, but not given yet
        self._answers: dict[int, R] = {}  # by index

    @property
    def done(self) -> set[int]:
        """The indices of the things whose results the continued file held."""
        return set() if self._results is None else self._results.done

    def __iter__(self) -> Iterator[R]:
        began = time.monotonic()
        try:
            more = True
            while more:
                more = self._advance(POLL_S)
                yield from self._in_order(all_of_them=not more)
                if self._poll is not None:
                    self._poll(self)
        finally:
            self._stop()
            self.time_s = time.monotonic() - began

    @abstractmethod
    def _advance(self, timeout_s: float) -> bool:
        """Begin what can begin, and take the next result, for which it waits a while; return whether more come."""

    @abstractmethod
    def _stop(self) -> None: ...

    def close(self) -> None:
        """Stop what runs and close the file of results.

        Raises:
            OSError: the file cannot be written.
        """
        self._stop()
        if self._results is not None:
            with naming(self._results.path):
                self._results.close()

    def _keep(self, index: int, result: R, *, write: bool = True) -> None:
        """Write a result to the file, unless ``write`` is false, and keep it until its turn."""
        if self._results is not None and write:
            with naming(self._results.path):
                self._results.write(result.fields())
        self._answers[index] = result

    def _in_order(self, *, all_of_them: bool = False) -> Iterator[R]:
        """Yield the results whose turn it is; with ``all_of_them`` do not wait for those that are missing."""
        while self._order and (all_of_them or self._order[0] in self._answers):
            result = self._answers.pop(self._order.popleft(), None)
            if result is not None:
                yield result


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an ``OSError`` name the file of results."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise
