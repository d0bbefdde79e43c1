"""Games replayed in one call of the core are what the positions say, move by move."""

from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given, strategies as st

import rule_sets
from record_samples import random_moves, random_record, seed_with_pass
from reversi import PASS, SQUARES, IllegalMoveError, Move, Position, Rules, parse_rules
from reversi._core import batch_replay
from reversi.records import Line, Node, Record
from reversi.records.batch_replay import END, MAX_MOVES, NO_MOVE, Replays, Stop, replay_games
from reversi.records.dialects import put_in_passes

PLAIN = bytes([*range(66), *[NO_MOVE] * 190])
NO_SKIPS = rule_sets.rules().filter(lambda rules: not rules.optional_skip)
BYTES = st.integers(0, 63) | st.sampled_from([64, END, 66, 255])


def replay(*games: list[int] | bytes, start: Position | None = None, length: int = MAX_MOVES) -> Replays:
    data = b"".join(bytes(game).ljust(length, bytes([END])) for game in games)
    return replay_games(
        data, len(games), first=0, step=length, length=length, encoding=PLAIN, start=start, lines=True
    )


def moves_of(replays: Replays, game: int) -> list[Move]:
    return [(*SQUARES, PASS)[number] for number in replays.numbers(game)]


def slow(codes: list[int], start: Position) -> tuple[list[Move], Position, Stop, int]:
    """The same with positions: plies, the position where it stops, why, and at which byte."""
    words: list[int] = []
    stop, at = Stop.END, 0
    for index, code in enumerate(codes):
        if code == END:
            later = next((other for other in range(index, len(codes)) if codes[other] != END), None)
            if later is not None:
                stop, at = Stop.AFTER_END, later
            break
        if code > END:
            stop, at = Stop.NO_MOVE, index
            break
        words.append(code)
    moves = [PASS if code == 64 else SQUARES[code] for code in words]
    record = Record(start=start, line=Line([Node(move) for move in moves]))
    if 64 not in codes:
        put_in_passes(record)
    position = start
    plies: list[Move] = []
    for node in record.line.nodes:
        try:
            position = position.play(node.move)
        except IllegalMoveError:
            placed = sum(1 for move in plies if move is not PASS or 64 in codes)
            return plies, position, Stop.PASS if node.move is PASS else Stop.ILLEGAL, placed
        plies.append(node.move)
    return plies, position, stop, at


def same(codes: list[int], start: Position) -> None:
    replays = replay(codes, start=start)
    (told,) = replays.games
    plies, position, stop, at = slow(codes, start)
    assert moves_of(replays, 0) == plies
    assert (told.position(start.rules), told.stop, told.at) == (position, stop, at)
    assert (told.plies, told.passes, told.placed) == (
        len(plies),
        plies.count(PASS),
        len(plies) - plies.count(PASS),
    )
    assert bool(told.over) == position.is_over
    assert told.result(start.rules) == position.count


@given(NO_SKIPS, st.integers(0, 10_000), st.booleans(), st.lists(st.tuples(st.integers(0, 60), BYTES), max_size=2))
def test_any_game_under_any_rules(rules: Rules, seed: int, passes: bool, changes: list[tuple[int, int]]) -> None:
    start = Position(rules)
    codes = [move.index for move in random_moves(start, seed) if passes or move is not PASS]
    for at, code in changes:
        codes[at : at + 1] = [code]
    same(codes, start)


@given(rule_sets.positions(NO_SKIPS, max_plies=40), st.integers(0, 1000), st.lists(BYTES, max_size=4))
def test_any_start_and_any_bytes(start: Position, seed: int, more: list[int]) -> None:
    same([move.index for move in random_moves(start, seed) if move is not PASS] + more, start)


def test_many_games_at_once() -> None:
    games = [[move.index for move in random_record(seed).moves if move is not PASS] for seed in range(200)]
    replays = replay(*games, length=60)
    assert len(replays.games) == 200
    for number, told in enumerate(replays.games):
        assert moves_of(replays, number) == list(random_record(number).moves)
        assert told.over
        assert told.stop == Stop.END


def test_games_anywhere_in_the_bytes() -> None:
    moves = [move.index for move in random_record(1).moves if move is not PASS]
    one = b"head" + bytes(moves).ljust(60, bytes([END])) + b"tail"
    replays = replay_games(b"before" + one * 3, 3, first=10, step=68, length=60, encoding=PLAIN, lines=True)
    assert [moves_of(replays, number) for number in range(3)] == [list(random_record(1).moves)] * 3


def test_the_last_game_may_end_with_the_bytes() -> None:
    data = bytes([37, END, END]) + b"x" * 5
    replays = replay_games(data[:3], 1, first=0, step=3, length=3, encoding=PLAIN)
    assert [told.plies for told in replays.games] == [1]
    assert replay_games(b"", 0, first=0, step=3, length=3, encoding=PLAIN) == ([], b"")
    for count, first in ((2, 0), (1, 1), (1, 3)):
        with pytest.raises(ValueError, match=f"do not hold {count} games"):
            replay_games(data[:3], count, first=first, step=3, length=3, encoding=PLAIN)


def test_explicit_passes_are_not_put_in() -> None:
    moves = random_record(seed_with_pass(2)).moves
    codes = [move.index for move in moves]
    assert moves_of(replay(codes), 0) == list(moves)
    del codes[codes.index(64)]  # one of two is left out: a mistake then
    (told,) = replay(codes).games
    assert told.stop == Stop.ILLEGAL
    assert told.plies == moves.index(PASS)


def test_what_cannot_be_asked() -> None:
    with pytest.raises(ValueError, match="passes cannot be inferred under othello,optional-skip"):
        replay([37], start=Position(parse_rules("othello,optional-skip")))
    for length, step, first in ((0, 1, 0), (121, 121, 0), (1, -1, 0), (1, 1, -1)):
        with pytest.raises(ValueError, match="length must be 1 to 120"):
            batch_replay(Position(), b"x" * 200, PLAIN, first, step, length, bytearray(24))
    with pytest.raises(ValueError, match="encoding"):
        batch_replay(Position(), b"x", b"short", 0, 1, 1, bytearray(24))
    with pytest.raises(ValueError, match="out"):
        batch_replay(Position(), b"x", PLAIN, 0, 1, 1, bytearray(23))
    with pytest.raises(ValueError, match="lines"):
        batch_replay(Position(), b"x", PLAIN, 0, 1, 1, bytearray(24), bytearray(1))
    with pytest.raises((TypeError, BufferError)):
        batch_replay(Position(), b"x", PLAIN, 0, 1, 1, bytes(24))


def test_steps_near_the_largest_number_do_not_overflow() -> None:
    for step in (1 << 40, (1 << 63) - 1):
        with pytest.raises(ValueError, match="do not hold"):
            replay_games(b"x" * 100, 2, first=0, step=step, length=60, encoding=PLAIN)


def test_the_interpreter_is_free_meanwhile() -> None:
    one = bytes(move.index for move in random_record(1).moves if move is not PASS).ljust(60, bytes([END]))
    data, count = one * 100_000, 100_000
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.001):
            ticks.append(time.perf_counter())

    watcher = threading.Thread(target=tick, daemon=True)
    watcher.start()
    begin = time.perf_counter()
    replay_games(data, count, first=0, step=60, length=60, encoding=PLAIN)
    end = time.perf_counter()
    done.set()
    watcher.join()
    assert sum(begin < at < end for at in ticks) > 3
