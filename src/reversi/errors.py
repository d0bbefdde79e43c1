"""The errors this library raises. Each is a `ReversiError`, and its message is one line."""

from __future__ import annotations


class ReversiError(Exception):
    """The base of every error of this library."""


class InputError(ReversiError, ValueError):
    """Text or data that cannot be read as what it should be.

    Args:
        message: what is wrong.
        source: the file or other input that it is wrong with; the message begins with it.

    Attributes:
        source: as given; empty where the message names none.
    """

    def __init__(self, message: str = "", *, source: str = "") -> None:
        super().__init__(f"{source}: {message}" if source else message)
        self.source = source

    def naming(self, source: str) -> str:
        """Return the message with a source in front; a message that names one already stays as it is."""
        return str(self) if self.source else f"{source}: {self}"


class RulesError(InputError):
    """A rule set that does not exist or contradicts itself."""


class BoardError(InputError):
    """A board that cannot be: wrong number of cells, overlapping or outside discs."""


class SideToMoveError(InputError):
    """The side to move is neither given nor provable."""


class MoveError(ReversiError, ValueError):
    """The base of the two ways a move can be wrong.

    Attributes:
        text: the move as it was given.
    """

    def __init__(self, message: str, text: str = "") -> None:
        super().__init__(message)
        self.text = text

    def __reduce__(self) -> tuple[type[MoveError], tuple[str, str]]:
        return type(self), (str(self), self.text)


class InvalidMoveError(MoveError, InputError):
    """The text is not a move at all."""


class IllegalMoveError(MoveError):
    """A move, but not one allowed in this position. The message names both.

    Attributes:
        text: the move as it was given.
        reason: why it is not allowed, without the move and the position: ``flips nothing``.
    """

    def __init__(self, message: str, text: str = "", reason: str = "") -> None:
        super().__init__(message, text)
        self.reason = reason or message

    def __reduce__(self) -> tuple[type[IllegalMoveError], tuple[str, str, str]]:  # type: ignore[override]
        return type(self), (str(self), self.text, self.reason)


class RecordError(InputError):
    """A record that cannot be read, with its place in the input.

    Attributes:
        line: line number from 1, or 0 when unknown.
        column: column number from 1, or 0 when unknown.
    """

    def __init__(self, message: str, line: int = 0, column: int = 0, *, source: str = "") -> None:
        super().__init__(message, source=source)
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type[RecordError], tuple[str, int, int], dict[str, str]]:
        return type(self), (str(self), self.line, self.column), {"source": self.source}


class GameError(ReversiError, ValueError):
    """Something a game does not allow: a move after its end, an undo before its start."""


class BusyError(ReversiError, RuntimeError):
    """Something that must wait for the end of a question is asked from within that question."""


class ResourceError(ReversiError):
    """What was asked for does not fit this machine (memory, threads)."""


class TableSizeError(ResourceError):
    """A table of positions that does not fit in memory. The message gives its size in MB."""


class InstructionSetError(ReversiError, ImportError):
    """``REVERSI_ISA`` names an instruction set that this machine or this installation does not have."""
