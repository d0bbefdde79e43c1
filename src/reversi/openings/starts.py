"""Balanced openings to start games from: a list of lines, and drawing one by a seed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from reversi._core import Move, Position, Random
from reversi._system.zip_files import open_path
from reversi.arguments import FilePath, check_type, excerpt, read_up_to
from reversi.errors import IllegalMoveError
from reversi.openings.names import OpeningError, after_moves
from reversi.text.decoding import decode_text, without_marks
from reversi.text.transcripts import tokenize_transcript


@dataclass(frozen=True, slots=True)
class StartingLine:
    """The first moves of a game that are laid down before it.

    Attributes:
        moves: the moves from the standard start.
        position: where they lead.
    """

    moves: tuple[Move, ...]
    position: Position

    def __str__(self) -> str:
        return "".join(map(str, self.moves))


def read_xot(path: FilePath, encoding: str = "") -> tuple[StartingLine, ...]:
    """Return the openings of a file that is an XOT list; see `parse_xot`.

    Args:
        path: the file.
        encoding: its encoding, as in `reversi.open_records`.

    Raises:
        OpeningError: the file is not such a list; the message says where.
        InputError: there is no such encoding, or the file is binary.
        OSError: the file cannot be read.
    """
    with open_path(path) as stream:
        data = read_up_to(stream, os.fspath(path))
    try:
        return parse_xot(decode_text(data, os.fspath(path), encoding))
    except OpeningError as error:
        raise error.located(os.fspath(path)) from None


def parse_xot(text: str) -> tuple[StartingLine, ...]:
    """Return the openings of an XOT list: one transcript per line, played from the standard start.

    Blank lines and lines of comment (``%``, ``#``) count for nothing, nor does a line that comes twice.

    Raises:
        OpeningError: a line is not a transcript, a move in it is illegal or ends the game, or the list is empty.
    """
    check_type("text", text, str, advice="read_xot reads a file")
    lines: dict[tuple[Move, ...], StartingLine] = {}
    for number, line in enumerate(without_marks(text).splitlines(), 1):
        body = line.strip()
        if not body or body[0] in "%#":
            continue
        try:
            starting_line = _starting_line(body)
        except (IllegalMoveError, OpeningError) as error:
            raise OpeningError(f"line {number}: {error}") from None
        lines.setdefault(starting_line.moves, starting_line)
    if not lines:
        raise OpeningError("the list of openings is empty")
    return tuple(lines.values())


def _starting_line(text: str) -> StartingLine:
    if len(text) > 1000:
        raise OpeningError(f"{len(text)} characters are too many for an opening")
    moves: list[Move] = []
    for token in tokenize_transcript(text):
        if token.move is None:
            raise OpeningError(f"{excerpt(token.text)} is not a move")
        moves.append(token.move)
    position = after_moves(moves)
    if position.is_over:
        raise OpeningError(f"the game is over after {excerpt(text)}")
    return StartingLine(tuple(moves), position)


@cache
def balanced_lines() -> tuple[StartingLine, ...]:
    """Return the project's own list: openings of eight moves, all different up to symmetry, about even by this
    program's search (how they were chosen, ``training/starts.py`` says).
    """
    return parse_xot(files("reversi.openings").joinpath("balanced.txt").read_text(encoding="ascii"))


def draw_line(seed: int, lines: Iterable[StartingLine] | None = None) -> StartingLine:
    """Return one of the openings of a list; the same seed draws the same one from the same list.

    Args:
        seed: any number from 0 to 2**64 - 1.
        lines: the list; the project's own when not given.

    Raises:
        OpeningError: the list is empty.
        OverflowError: the seed is out of range.
    """
    choice = tuple(balanced_lines() if lines is None else lines)
    if not choice:
        raise OpeningError("the list of openings is empty")
    return choice[Random(seed).below(len(choice))]
