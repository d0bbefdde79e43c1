"""Many games replayed in the compiled core in one call; none of their moves becomes a Python object.

For formats whose games are bytes: the rules, forced passes that nobody wrote, the end of the game and the first
wrong move are found for a hundred games in the time that `reversi.Position.play` takes for one.
"""

from __future__ import annotations

import enum
import struct
from typing import Final, NamedTuple

from reversi._core import REPLAY_FORMAT, Position, batch_replay
from reversi.color import Color
from reversi.rules import Rules
from reversi.score import Result

PASS_CODE: Final = 64
"""In an encoding: a pass. Squares have their numbers, 0 to 63."""
END: Final = 65
"""In an encoding: the moves end here."""
NO_MOVE: Final = 255
"""In an encoding: a byte that is not a move."""
MAX_MOVES: Final = 120
"""The most bytes of moves a game can have."""

_STRUCT: Final = struct.Struct(REPLAY_FORMAT)


class Stop(enum.IntEnum):
    """Why the replay of a game stopped."""

    END = 0
    """It did not: all its moves are legal."""
    NO_MOVE = 1
    """A byte that is not a move."""
    ILLEGAL = 2
    """A placement that is not allowed, or one by a player who must pass, or a move after the end of the game."""
    PASS = 3
    """A pass that is not allowed."""
    AFTER_END = 4
    """A move after the end of the moves."""


class Replay(NamedTuple):
    """What became of one game.

    Attributes:
        black: Black's discs as bits, at the end or where the replay stopped.
        white: White's.
        plies: turns played, passes included.
        passes: those of them that are passes.
        placed: those of them that are placements.
        white_to_move: whether White is to move then.
        over: whether neither side has a placement then.
        stop: why the replay stopped, a `Stop`.
        at: which of the game's bytes it stopped at, from 0.
        padding: always 0.
    """

    black: int
    white: int
    plies: int
    passes: int
    placed: int
    white_to_move: int
    over: int
    stop: int
    at: int
    padding: int

    def position(self, rules: Rules) -> Position:
        """Return the position at the end, or where the replay stopped."""
        to_move = Color.WHITE if self.white_to_move else Color.BLACK
        return Position.from_discs(self.black, self.white, to_move, rules)

    def result(self, rules: Rules) -> Result:
        """Return the discs at the end, or where the replay stopped."""
        return Result(self.black.bit_count(), self.white.bit_count(), rules)


class Replays(NamedTuple):
    """What became of many games, in their order.

    Attributes:
        games: what became of each.
        lines: the turns of all as numbers, as many bytes for each; after its plies they mean nothing. Empty unless
            they were asked for.
    """

    games: list[Replay]
    lines: bytes

    def numbers(self, index: int) -> bytes:
        """Return the turns of a game as numbers, forced passes put in, up to where its replay stopped."""
        begin = index * (len(self.lines) // len(self.games))
        return self.lines[begin : begin + self.games[index].plies]


def replay_games(
    data: bytes | bytearray | memoryview,
    count: int,
    *,
    first: int,
    step: int,
    length: int,
    encoding: bytes,
    start: Position | None = None,
    lines: bool = False,
) -> Replays:
    """Replay games whose moves lie at regular distances in ``data``. The interpreter is free meanwhile.

    A forced pass is put in where it is missing, unless the game writes any pass.

    Args:
        data: the games.
        count: how many.
        first: where the moves of the first begin.
        step: from the moves of one game to those of the next.
        length: bytes of moves of each game, up to `MAX_MOVES`.
        encoding: what each of the 256 bytes means: a square's number, 64 for a pass, `END`, `NO_MOVE`.
        start: where the games begin; the start of ``othello`` when not given.
        lines: whether the lines are wanted, too: ``2 * length`` bytes for each game.

    Raises:
        ValueError: ``data`` holds fewer games, or the rules have an optional skip (then nobody can tell which
            passes were left out).
    """
    begin = Position() if start is None else start
    results = bytearray(count * _STRUCT.size)
    plies = bytearray(count * 2 * length) if lines else None
    batch_replay(begin, data, encoding, first, step, length, results, plies)
    return Replays([*map(Replay._make, _STRUCT.iter_unpack(results))], bytes(plies or b""))
