"""What the end of a ``with`` statement closes."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from typing import Self


class ClosedAtEnd(ABC):
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
