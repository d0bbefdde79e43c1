"""What somebody writes at a ply of the game: a mark, a comment, or both. It becomes part of the record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reversi._core import Move
from reversi.errors import InputError
from reversi.records.notes import clean_comments
from reversi.records.record import Line, Node, Record
from reversi.session.variations import turns_that_make


@dataclass(frozen=True, slots=True)
class Note:
    """What stands at a ply.

    Attributes:
        moves: the moves of the game up to it, passes included; none is the start.
        mark: ``!``, ``?``, ``!!``, ``??``, ``!?`` or ``?!``, "" for none.
        comment: the comment, "" for none.
    """

    moves: tuple[Move, ...]
    mark: str = ""
    comment: str = ""

    @classmethod
    def read(cls, moves: Sequence[Move], text: str) -> Note:
        """Return the note that a text makes: a mark, a comment, or a mark and a comment after a blank.

        Raises:
            InputError: a mark at the start, where no move is.
        """
        from reversi.records.formats.pgn.syntax import MARKS  # imported late: most games have no notes

        word, _, rest = text.strip().partition(" ")
        mark, comment = (word, rest) if word in MARKS else ("", text)
        if mark and not moves:
            raise InputError(f"{mark} marks a move; none was played yet")
        return cls(tuple(moves), mark, " ".join(clean_comments(comment.splitlines())))


def note_text(record: Record, moves: Sequence[Move]) -> str:
    """Return what stands in a record after these moves, as `Note.read` takes it; "" where they are not in it."""
    from reversi.records.formats.pgn.syntax import SIGNS  # imported late: most games have no notes

    place = _place(record.line, moves)
    signs = [SIGNS[nag] for nag in place.nags if nag in SIGNS][:1] if isinstance(place, Node) else []
    return " ".join([*signs, *(() if place is None else place.comments)])


def add_notes(record: Record, notes: Iterable[Note]) -> None:
    """Put notes into a record in place of the comments and marks there; those of moves taken back stay out."""
    for note in notes:
        from reversi.records.formats.pgn.syntax import MARKS, SIGNS  # imported late: most games have no notes

        place = _place(record.line, note.moves)
        if place is not None:
            place.comments = clean_comments([note.comment])
        if isinstance(place, Node):
            others = (nag for nag in place.nags if nag not in SIGNS)
            place.nags = (*([MARKS[note.mark]] if note.mark else ()), *others)


def _place(line: Line, moves: Sequence[Move]) -> Line | Node | None:
    """Return the last of these turns in a line or its variations; the line for no moves, ``None`` without one."""
    turns = turns_that_make(line, moves)
    if turns is None:
        return None
    return turns[-1] if turns else line
