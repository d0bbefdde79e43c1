"""The errors of the library. Every one is a `ReversiError`; every message is one line."""

from __future__ import annotations

import copy
import errno
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self


class ReversiError(Exception):
    """The base of every error of the library."""


class InputError(ReversiError, ValueError):
    """Text or data that is not what it should be.

    Args:
        message: the error.
        source: the file or other input with the error; the message begins with it.

    Attributes:
        source: as given; empty if the message names none.
    """

    def __init__(self, message: str = "", *, source: str = "") -> None:
        super().__init__(f"{source}: {message}" if source else message)
        self.source = source

    def naming(self, source: str) -> str:
        """Return the message with a source in front; a message that names one already stays as it is."""
        return str(self) if self.source else f"{source}: {self}"

    def located(self, source: str) -> Self:
        """Return the same error with a source; one that names a source already stays as it is, and so does ""."""
        error = copy.copy(self)
        if source and not self.source:
            error.args = (self.naming(source),)
            error.source = source
        return error


class ArgumentError(ReversiError, TypeError):
    """An argument of a wrong type: text where a `Position` belongs. The message names both types.

    A number out of range is an `InputError`. A call with the wrong
    number or names of arguments, or with a type that the next statement refuses, is Python's own `TypeError`.
    """


class MissingFileError(ReversiError, FileNotFoundError):
    """A file that does not exist. Whatever else the system refuses (a permission, a full disk) is an `OSError`."""

    def __init__(self, message: str) -> None:
        FileNotFoundError.__init__(self, errno.ENOENT, "no such file")
        self._message = message

    def __str__(self) -> str:
        return self._message

    def __reduce__(self) -> tuple[type[MissingFileError], tuple[str]]:
        return type(self), (self._message,)


class RulesError(InputError):
    """A rule set that does not exist or contradicts itself."""


class RulesTypeError(RulesError, ArgumentError):
    """A field of a rule set that has a wrong type."""


class BoardError(InputError):
    """An impossible board: a wrong number of cells, or discs that overlap or lie outside."""


class SideToMoveError(InputError):
    """The text neither states nor proves the side to move."""


class MoveError(InputError):
    """The base of the two errors of a move.

    Attributes:
        text: the move as it was given.
    """

    def __init__(self, message: str, text: str = "") -> None:
        super().__init__(message)
        self.text = text

    def __reduce__(self) -> tuple[type[MoveError], tuple[str, str]]:
        return type(self), (str(self), self.text)


class InvalidMoveError(MoveError):
    """The text is not a move."""


class IllegalMoveError(MoveError):
    """The position does not allow the move. The message names both.

    Attributes:
        text: the move as it was given.
        reason: why the position does not allow it, without the move and the position: ``flips nothing``.
    """

    def __init__(self, message: str, text: str = "", reason: str = "") -> None:
        super().__init__(message, text)
        self.reason: str = reason or message

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
    """An action that the game does not allow: a move after its end, an undo before its start."""


class PlayerError(ReversiError):
    """A player that failed: an engine that died, did not answer or answered wrongly, a bot that raised an error.

    Attributes:
        player: the player's name.
        reason: what happened, without the name.
        lines: the last lines that an external engine wrote, its standard error included.
        late: whether the player did not answer in time.
    """

    def __init__(self, player: str, reason: str, lines: tuple[str, ...] = (), *, late: bool = False) -> None:
        tail = f"; its last lines: {' | '.join(lines)}" if lines else ""
        super().__init__(f"{player}: {reason}{tail}")
        self.player = player
        self.reason = reason
        self.lines = lines
        self.late = late

    def __reduce__(self) -> tuple[type[PlayerError], tuple[str, str, tuple[str, ...]], dict[str, bool]]:
        return type(self), (self.player, self.reason, self.lines), {"late": self.late}


class ResignationError(PlayerError):
    """A player that resigns the game instead of choosing a move, which every game allows.

    Who asks for a move without a game, such as a hint, got none: there it is a failure like others.
    """

    def __init__(self, player: str) -> None:
        super().__init__(player, "resigns")

    def __reduce__(self) -> tuple[type[ResignationError], tuple[str]]:  # type: ignore[override]
        return type(self), (self.player,)


class BusyError(ReversiError, RuntimeError):
    """A call from within a question that would wait for the end of that question."""


class ResourceError(ReversiError):
    """The machine does not have the memory or the threads that the call asks for."""


class MissingExtraError(ResourceError, ModuleNotFoundError):
    """An extra that is not installed; the message says how to install it."""


class TableSizeError(ResourceError, MemoryError):
    """A table of positions that does not fit in memory."""


class InstructionSetError(ReversiError, ImportError):
    """``REVERSI_ISA`` names an instruction set that this machine or this installation does not have."""
