"""Files in WTHOR to test with, packed here from the description of the format alone."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from pathlib import Path

from hypothesis import strategies as st

from record_samples import final, random_record
from reversi import PASS, Move

SHARED = Path(__file__).parents[3] / "shared" / "data" / "wthor"

PLAYERS = ("???", "Ada", "Björn", "Ada", "Åsa Ångström")
TOURNAMENTS = ("Diverses parties", "Club evening", "Été à Genève")


def code(move: Move) -> int:
    """Column + 10 times row, both from 1."""
    return move.index % 8 + 1 + 10 * (move.index // 8 + 1)


def score_of(seed: int, plies: int = 200) -> int:
    """Black's discs at the end of a random game, the empty squares given to the winner."""
    count = final(random_record(seed, plies=plies)).count
    if count.black == count.white:
        return 32
    return count.black + count.empties if count.black > count.white else count.black


def game(
    moves: Iterable[Move | int],
    score: int,
    *,
    tournament: int = 0,
    black: int = 1,
    white: int = 2,
    theoretical: int = 32,
) -> bytes:
    """The 68 bytes of a game; passes are left out."""
    codes = bytes(move if isinstance(move, int) else code(move) for move in moves if move is not PASS)
    return struct.pack("<3H2B60s", tournament, black, white, score, theoretical, codes)


def random_game(seed: int, **numbers: int) -> bytes:
    """A random game with its score."""
    return game(random_record(seed).moves, score_of(seed), **numbers)


def wtb(
    games: Sequence[bytes],
    *,
    count: int | None = None,
    played: int = 2020,
    date: tuple[int, int, int, int] = (20, 26, 11, 20),
    board: int = 8,
    kind: int = 0,
    depth: int = 24,
    reserved: int = 0,
) -> bytes:
    """A file of games. ``count`` is how many its header announces."""
    announced = len(games) if count is None else count
    return struct.pack("<4BIHH4B", *date, announced, 0, played, board, kind, depth, reserved) + b"".join(games)


def names(size: int, words: Sequence[str], *, count: int | None = None) -> bytes:
    """A file of names: of players with 20 bytes for each, of tournaments with 26."""
    announced = len(words) if count is None else count
    head = struct.pack("<4BIHH4B", 20, 26, 11, 20, 0, announced, 0, 0, 0, 0, 0)
    return head + b"".join(word.encode("latin-1").ljust(size, b"\0") for word in words)


def jou(words: Sequence[str] = PLAYERS) -> bytes:
    return names(20, words)


def trn(words: Sequence[str] = TOURNAMENTS) -> bytes:
    return names(26, words)


@st.composite
def games(draw: st.DrawFn) -> bytes:
    """A game: right, broken off, or with any bytes changed."""
    seed = draw(st.integers(0, 500))
    plies = draw(st.integers(0, 60) | st.just(200))
    moves = random_record(seed, plies=plies).moves
    score = draw(st.just(score_of(seed, plies)) | st.integers(0, 255))
    numbers = [draw(st.integers(0, 6) | st.integers(0, 65535)) for _ in range(3)]
    made = bytearray(game(moves, score, tournament=numbers[0], black=numbers[1], white=numbers[2]))
    made[7] = draw(st.integers(0, 255))
    for at, byte in draw(st.lists(st.tuples(st.integers(8, 67), st.integers(0, 255)), max_size=2)):
        made[at] = byte
    return bytes(made)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A file of games whose header is one of such a file."""
    return wtb(
        draw(st.lists(games(), max_size=5)),
        played=draw(st.integers(1, 65535)),
        date=(
            draw(st.integers(18, 30)),
            draw(st.integers(0, 99)),
            draw(st.integers(0, 12)),
            draw(st.integers(0, 31)),
        ),
        board=draw(st.sampled_from([8, 0])),
        depth=draw(st.integers(0, 255)),
        reserved=draw(st.sampled_from([0, 0, 1, 255])),
    )
