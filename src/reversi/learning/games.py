"""The positions of games as arrays: with the move played in each, the score of the game, and its number."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reversi._core import Move, Position
from reversi._system.zip_files import open_path
from reversi.arguments import FilePath, check_type
from reversi.errors import IllegalMoveError, InputError
from reversi.inputs.positions import PositionEntry
from reversi.learning.inputs import move_of
from reversi.learning.positions import NO_MOVE, PositionArray
from reversi.records.formats.wthor.reader import MOVES, SCORE_AT, SIZE, WthorGames, replay_chunk
from reversi.records.outcome import Outcome
from reversi.records.record import Record

NO_SCORE: Final = -128
"""The number that stands for the score of a game where neither the board nor the record says it."""


@dataclass(frozen=True, slots=True, eq=False)
class GamePositions:
    """The positions of games, game by game, in the order of their plies.

    Attributes:
        positions: the positions before each ply, and the last one of each game.
        moves: the move played, as `PositionArray.play` takes it; 255 in the last position of a game.
        scores: the score of the game in discs, for the mover of the position: that of the board where the game
            ended on it, else the recorded one; -128 where neither says it, as in an unfinished game (``*``) or one
            that was resigned (``1-0``).
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

    def __repr__(self) -> str:
        return f"<GamePositions: {len(self.positions)} positions of {len(self.finished)} games>"


def from_positions(entries: Iterable[PositionEntry]) -> tuple[PositionArray, NDArray[np.int8]]:
    """Return the positions that `reversi.read_positions` gives, with their scores for the mover.

    The entries may be a stream: 18 bytes are kept of each position, and one of its score.

    Returns:
        The positions, and for each the score that its text states, that of its best move; -128 where it states
        none.

    Raises:
        InputError: an entry has no position, or the positions have different rules.
    """
    check_type("entries", entries, Iterable, advice="read_positions gives them")
    scores = array("b")

    def positions() -> Iterator[Position]:
        for entry in entries:
            check_type("an entry", entry, PositionEntry, advice="read_positions gives them")
            if entry.position is None:
                raise InputError(f"line {entry.line}: {entry.error}")
            scores.append(NO_SCORE if entry.best is None else max(-127, min(127, entry.best)))
            yield entry.position

    batch = PositionArray(positions())
    return batch, np.array(scores, np.int8)


def from_records(records: Iterable[Record]) -> GamePositions:
    """Return the positions of records, all under one rule set.

    Raises:
        IllegalMoveError: a move is illegal; the message names the record, from 0, and the ply, from 1.
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
    codes = _codes([[node.move for node in record.line.nodes] for record in listed])
    positions, moves, games, ends = _replayed(starts, *codes)
    leads = [Outcome.of(record).lead_on(end.result) for record, end in zip(listed, ends, strict=True)]
    black = np.array([NO_SCORE if lead is None else lead for lead in leads], np.int8)
    return _labeled(positions, moves, games, ends.is_over(), black)


def from_wthor(path: FilePath) -> GamePositions:
    """Return the positions of a WTHOR file, the forced passes included.

    Raises:
        RecordError: the file does not have games on 8x8 boards, or it is damaged.
        OSError: it cannot be read.
        InputError: the file has no games, or one of them has an illegal move.
    """
    codes, plies, recorded = [], [], []
    with open_path(path) as stream:
        games = WthorGames(stream)
        for number, data in games.chunks():
            if (damage := games.damage(number, data)) is not None:
                raise InputError(f"{path}: game {damage.number}: {damage.findings[0].message}")
            replays = replay_chunk(data, lines=True)
            for at, replay in enumerate(replays.games):
                if replay.stop:
                    raise InputError(f"{path}: game {number + at}: an illegal move after ply {replay.plies}")
                plies.append(replay.plies)
            recorded.append(np.frombuffer(data, np.uint8).reshape(-1, SIZE)[:, SCORE_AT].astype(np.int16))
            codes.append(np.frombuffer(replays.lines, np.uint8).reshape(-1, 2 * MOVES))
    if not plies:
        raise InputError(f"{path} has no games")
    starts = PositionArray.start(len(plies))
    positions, moves, numbers, ends = _replayed(starts, np.concatenate(codes), np.array(plies, np.int32))
    finished, discs = ends.is_over(), np.concatenate(recorded)
    leads = np.where(discs <= 64, 2 * discs - 64, NO_SCORE).astype(np.int8)
    on_board = np.where(ends.to_move != 0, -ends.scores(), ends.scores())
    return _labeled(positions, moves, numbers, finished, np.where(finished, on_board, leads))


def _codes(games: Sequence[Sequence[Move]]) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    plies = np.array([len(moves) for moves in games], np.int32)
    codes = np.full((len(games), int(plies.max())), NO_MOVE, np.uint8)
    for row, moves in zip(codes, games, strict=True):
        row[: len(moves)] = [move.index for move in moves]
    return codes, plies


def _replayed(
    starts: PositionArray, codes: NDArray[np.uint8], plies: NDArray[np.int32]
) -> tuple[PositionArray, NDArray[np.uint8], NDArray[np.int32], PositionArray]:
    """Return all positions, game by game, with their moves and games, and the last position of each game."""
    firsts = np.concatenate([[0], np.cumsum(plies + 1, dtype=np.int64)])
    size = int(firsts[-1])
    positions = starts._each(lambda column: np.empty(size, column.dtype))
    moves = np.full(size, NO_MOVE, np.uint8)
    now, games = starts, np.arange(len(starts), dtype=np.int32)
    for ply in range(int(plies.max()) + 1):
        at = firsts[games] + ply
        positions._put(at, now)
        goes_on = plies[games] > ply
        now, games, at = now[goes_on], games[goes_on], at[goes_on]
        if len(games):
            moves[at] = codes[games, ply]
            now = _played(now, moves[at], games, ply)
    numbers = np.repeat(np.arange(len(starts), dtype=np.int32), plies + 1)
    return positions, moves, numbers, positions[firsts[1:] - 1]


def _played(now: PositionArray, moves: NDArray[np.uint8], games: NDArray[np.int32], ply: int) -> PositionArray:
    try:
        return now.play(moves)
    except IllegalMoveError:
        for game, position, code in zip(games, now, moves, strict=True):
            try:
                position.play(move_of(int(code)))
            except IllegalMoveError as error:
                message = f"record {game}: ply {ply + 1}: {error}"
                raise IllegalMoveError(message, error.text, error.reason) from None
        raise


def _labeled(
    positions: PositionArray,
    moves: NDArray[np.uint8],
    games: NDArray[np.int32],
    finished: NDArray[np.bool_],
    black: NDArray[np.int8],
) -> GamePositions:
    """Return the arrays, with the scores of the games for Black turned to the movers."""
    leads = black[games]  # minus NO_SCORE is NO_SCORE in 8 bits
    return GamePositions(positions, moves, np.where(positions.to_move != 0, -leads, leads), games, finished)
