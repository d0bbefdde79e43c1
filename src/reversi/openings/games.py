"""Games in which an opening has been played: a named one, or one drawn by a seed."""

from __future__ import annotations

from collections.abc import Iterable

from reversi._core import Move, Position
from reversi.arguments import FilePath
from reversi.errors import IllegalMoveError, InputError
from reversi.game.game import Game
from reversi.openings.names import opening_named


def opening_game(start: Position, name: str) -> tuple[Game, str]:
    """Return a game in which a named opening has been played, and the opening's proper name.

    Raises:
        InputError: no opening has that name, or the rules do not allow it.
    """
    opening = opening_named(name)
    return _played(start, opening.moves, opening.name), opening.name


def drawn_game(start: Position, seed: int, lines: FilePath | None = None, encoding: str = "") -> Game:
    """Return a game in which a balanced opening has been played, drawn by a seed.

    Args:
        start: where the game starts: the start of rules that open as the standard game does.
        seed: draws the opening; below 2**64.
        lines: a file of openings to draw from, one transcript per line; by default the project's own list.
        encoding: the encoding of the file, as in `reversi.open_records`.

    Raises:
        InputError: the seed is too large, the list is none, or the rules do not allow the opening.
        OSError: the file cannot be read.
    """
    from reversi.openings.starts import draw_line, read_xot

    if not 0 <= seed < 1 << 64:
        raise InputError(f"no opening of seed {seed}: it is from 0 to 2**64 - 1")
    return _played(
        start, draw_line(seed, None if lines is None else read_xot(lines, encoding)).moves, "this opening"
    )


def _played(start: Position, moves: Iterable[Move], what: str) -> Game:
    game = Game(start)
    try:
        game.play_all(moves)
    except IllegalMoveError:
        raise InputError(f"{what} cannot be played under the rules {start.rules}") from None
    return game
