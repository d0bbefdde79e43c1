"""What the end of a ``with`` statement closes."""

from __future__ import annotations

import contextlib
import warnings
from abc import ABC, abstractmethod
from typing import Self


class ClosedWhenDropped(ABC):
    """Something that holds threads, programs or files: dropped with them, it closes with a `ResourceWarning`."""

    @property
    def _is_open(self) -> bool:
        """Whether there is something to close."""
        return False

    @abstractmethod
    def close(self) -> object:
        """Give everything back."""

    def __del__(self) -> None:
        try:
            is_open = self._is_open
        except AttributeError:  # its arguments were wrong: nothing has begun
            return
        if is_open:
            warnings.warn(f"unclosed {self!r}", ResourceWarning, stacklevel=2, source=self)
            with contextlib.suppress(Exception):  # nobody is left to hear of it
                self.close()


class ClosedAtEnd(ClosedWhenDropped):
    """Something that the end of a ``with`` statement closes."""

    @abstractmethod
    def close(self) -> object:
        """Write what is left, and give everything back.

        Raises:
            OSError: it cannot be written.
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            with contextlib.suppress(OSError):  # the error under way says more
                self.close()
