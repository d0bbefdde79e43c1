"""Real games from WTHOR files (.wtb): every position of every complete game, and the archive's solved values.

A record has 68 bytes; byte 7 is Black's theoretical disc count, perfect play by both from 24 empty squares on
(header byte 14), bytes 8 to 67 the moves as column + 10 * row, zero-filled, passes left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reversi import PASS
from reversi.arrays import PositionArray
from training.boards import Words

ARCHIVE = 24  # the number of empty squares for which the archive has solved values
TRAINING_YEARS = (1977, 2008)  # the years whose games take part; those after them are for checks


@dataclass(frozen=True)
class Games:
    """Positions of games by number of empty squares.

    Attributes:
        p: mover's discs, [game, empty squares]; 0 where the game has no such position.
        o: opponent's discs.
        black: whether Black is to move.
        theoretical: the archive's value at 24 empty squares for Black in discs, [game].
    """

    p: Words
    o: Words
    black: NDArray[np.bool_]
    theoretical: NDArray[np.int16]


def read_games(folder: Path, first: int, last: int) -> Games:
    """Read the games of the years from `first` to `last` from the files in a folder and below it.

    Raises:
        ValueError: a file is not a WTHOR game file of the 8x8 board.
    """
    records = []
    files = {path.name: path for path in sorted(folder.rglob("WTH_[0-9][0-9][0-9][0-9].wtb"), reverse=True)}
    for path in sorted(files.values()):
        if not first <= int(path.stem[-4:]) <= last:
            continue
        data = np.frombuffer(path.read_bytes(), np.uint8)
        count = int(data[4:8].view("<u4")[0])
        if len(data) != 16 + 68 * count or data[12] not in (0, 8) or data[14] not in (0, 24):
            raise ValueError(f"{path}: not a WTHOR file of 8x8 games with values at 24 empty squares")
        records.append(data[16:].reshape(count, 68))
    if not records:
        none = np.zeros((0, 61), np.uint64)
        return Games(none, none, np.zeros((0, 61), np.bool_), np.zeros(0, np.int16))
    return _replay(np.concatenate(records))


def _replay(records: NDArray[np.uint8]) -> Games:
    shape = len(records), 61
    all_p, all_o, all_black = np.zeros(shape, np.uint64), np.zeros(shape, np.uint64), np.zeros(shape, np.bool_)
    games, now = np.arange(len(records)), PositionArray.start(len(records))  # those that go on
    for ply in range(61):
        stuck = np.flatnonzero((now.legal_masks() == 0) & now.can_pass())
        now._put(stuck, now[stuck].play(np.full(len(stuck), PASS.index)))
        goes_on = now.legal_masks() != 0
        games, now = games[goes_on], now[goes_on]
        n = now.empties
        all_p[games, n], all_o[games, n], all_black[games, n] = now.player, now.opponent, now.to_move == 0
        if ply == 60:
            break
        code = records[games, 8 + ply].astype(np.int64)
        square = code // 10 * 8 - 8 + code % 10 - 1
        legal = (code % 10 >= 1) & (code % 10 <= 8) & (square >= 0) & (square < 64)
        square = np.where(legal, square, 0).astype(np.uint64)
        legal &= now.legal_masks() >> square & np.uint64(1) != 0
        games, now = games[legal], now[legal].play(square[legal].astype(np.uint8))
    return Games(all_p, all_o, all_black, 2 * records[:, 7].astype(np.int16) - 64)
