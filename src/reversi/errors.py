"""The errors this library raises. All of them are :class:`ReversiError`; a message is one line."""

from __future__ import annotations


class ReversiError(Exception):
    """The base of every error of this library."""


class InputError(ReversiError, ValueError):
    """Text or data that cannot be read as what it should be."""


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
    """A move, but not one allowed in this position. The message names both."""


class RecordError(InputError):
    """A record that cannot be read, with its place in the input.

    Attributes:
        line: line number from 1, or 0 when unknown.
        column: column number from 1, or 0 when unknown.
    """

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type[RecordError], tuple[str, int, int]]:
        return type(self), (str(self), self.line, self.column)


class GameError(ReversiError, ValueError):
    """Something a game does not allow: a move after its end, an undo before its start."""


class BusyError(ReversiError, RuntimeError):
    """Something that must wait for the end of a question is asked from within that question."""


class ResourceError(ReversiError):
    """What was asked for does not fit this machine (memory, threads)."""
