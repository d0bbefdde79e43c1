"""The positions of games as arrays: with the move played in each, the score of the game, and its number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reversi._core import Move
from reversi.arguments import FilePath, check_type, open_file
from reversi.errors import InputError
from reversi.learning.positions import NO_MOVE, PositionArray
from reversi.records.formats.wthor.reader import MOVES, WthorGames, replay_chunk
from reversi.records.record import Record

__all__ = ["GamePositions", "from_records", "from_wthor"]


@dataclass(frozen=True, slots=True, eq=False)
class GamePositions:
    """The positions of games, ply by ply: all first positions, then all second ones, and so on.

    Attributes:
        positions: the positions before each ply, and the last one of each game.
        moves: the move played, as `PositionArray.play` takes it; 255 in the last position of a game.
        scores: the score of the game's last position, in discs, for the mover of the position.
        games: the number of the game, from 0.
        finished: for each game, whether it is over at its last position.
    """

    positions: PositionArray
    moves: NDArray[np.uint8]
    scores: NDArray[np.int8]
    games: NDArray[np.int32]
    finished: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.positions)


def from_records(records: Iterable[Record]) -> GamePositions:
    """Return the positions of records, all under one rule set.

    Raises:
        IllegalMoveError: a move is illegal.
        InputError: there is not a single record, the records have different rules, or discs were flipped by hand.
    """
    check_type("records", records, Iterable, advice="put one record into a list")
    listed = list(records)
    if not listed:
        raise InputError("give one or more records")
    for number, record in enumerate(listed):
        check_type("an item of the records", record, Record)
        if any(node.flips is not None for node in record.line.nodes):
            raise InputError(f"record {number}: discs were flipped by hand, which a batch cannot hold")
    starts = PositionArray((record.start for record in listed), listed[0].start.rules)
    return _replayed(starts, *_codes([[node.move for node in record.line.nodes] for record in listed]))


def from_wthor(path: FilePath) -> GamePositions:
    """Return the positions of a WTHOR file, the forced passes included.

    Raises:
        RecordError: the file does not have games on 8x8 boards, or it is damaged.
        OSError: it cannot be read.
        InputError: the file has no games, or one of them has an illegal move.
    """
    codes, plies = [], []
    with open_file(path) as stream:
        games = WthorGames(stream)
        for number, data in games.chunks():
            if (damage := games.damage(number, data)) is not None:
                raise InputError(f"{path}: game {damage.number}: {damage.findings[0].message}")
            replays = replay_chunk(data, lines=True)
            for at, replay in enumerate(replays):
                if replay.stop:
                    raise InputError(f"{path}: game {number + at}: an illegal move after ply {replay.plies}")
                plies.append(replay.plies)
            codes.append(np.frombuffer(replays.lines, np.uint8).reshape(-1, 2 * MOVES))
    if not plies:
        raise InputError(f"{path} has no games")
    return _replayed(PositionArray.start(len(plies)), np.concatenate(codes), np.array(plies, np.int32))


def _codes(games: Sequence[Sequence[Move]]) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    plies = np.array([len(moves) for moves in games], np.int32)
    codes = np.full((len(games), int(plies.max())), NO_MOVE, np.uint8)
    for row, moves in zip(codes, games, strict=True):
        row[: len(moves)] = [move.index for move in moves]
    return codes, plies


def _replayed(starts: PositionArray, codes: NDArray[np.uint8], plies: NDArray[np.int32]) -> GamePositions:
    now, games = starts, np.arange(len(starts), dtype=np.int32)
    boards, moves, numbers, lasts, last_games = [], [], [], [], []
    for ply in range(int(plies.max()) + 1):
        goes_on = plies[games] > ply
        lasts.append(now[~goes_on])
        last_games.append(games[~goes_on])
        played = np.where(goes_on, codes[games, min(ply, codes.shape[1] - 1)] if codes.shape[1] else 0, NO_MOVE)
        boards.append(now)
        moves.append(played.astype(np.uint8))
        numbers.append(games)
        now, games = now[goes_on], games[goes_on]
        now = now.play(played[goes_on])
    order = np.argsort(np.concatenate(last_games))
    ends = PositionArray.concatenate(lasts)[order]
    black = np.where(ends.to_move != 0, -ends.scores(), ends.scores()).astype(np.int8)
    positions, which = PositionArray.concatenate(boards), np.concatenate(numbers)
    scores = np.where(positions.to_move != 0, -black[which], black[which]).astype(np.int8)
    return GamePositions(positions, np.concatenate(moves), scores, which, ends.is_over())
