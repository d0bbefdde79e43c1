"""The core against the oracle: random games under random rule sets, compared in everything at every ply."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings, strategies as st

import oracle
from agreement import differences
from reversi import Color, Position, Random, Rules, parse_rules
from reversi.rules import BoardSize
from rule_sets import SMALL_SIZES, Pair, distinct_behaviors, endgames, pairs, pick, rules, table_of


def assert_same(position: Position, table: oracle.Table) -> None:
    assert differences(position, table) == []


def assert_same_game(rule_set: Rules, seed: int, skips: float) -> Pair:
    """Play one game to its end in both, looking at everything on the way."""
    chance = random.Random(seed)
    pair = Pair(rule_set)
    assert_same(pair.position, pair.table)
    while moves := oracle.legal_moves(pair.table):
        move = pick(moves, chance, skips)
        before = pair.position
        flipped = before.flips(move)
        pair.play(move)
        assert_same(pair.position, pair.table)
        turned = sum(square.bit for square in flipped)
        assert before.opponent & turned == turned
        assert pair.position.opponent & (before.player | turned) == before.player | turned
    # with optional skips a skip and then a forced pass may come before each placement
    passes = 2 if rule_set.optional_skip else 1
    assert len(pair.moves) <= (1 + passes) * (rule_set.board.cells - 4) + 2
    return pair


@given(rules(), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.05, 0.3, 0.9]))
@example(parse_rules("othello,optional-skip,full-board,board=6x4"), 121463, 0.9)  # 20 placements, 23 passes
@settings(max_examples=2 * settings().max_examples)
def test_random_games(rule_set, seed, skips):
    assert_same_game(rule_set, seed, skips)


@given(rules(boards=SMALL_SIZES), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.05, 0.3, 0.9]))
@settings(max_examples=4 * settings().max_examples)
def test_random_games_on_small_boards(rule_set, seed, skips):
    assert_same_game(rule_set, seed, skips)


@pytest.mark.parametrize("board", [BoardSize(8, 8), BoardSize(6, 4)], ids=str)
@pytest.mark.parametrize("behaviour", distinct_behaviors(), ids=str)
def test_every_way_to_play(behaviour, board):
    """One game each with nobody, somebody and everybody skipping; a skip must have happened where it can."""
    rule_set = Rules(
        behaviour.mandatory_capture, behaviour.adjacent_only, behaviour.optional_skip, behaviour.ending, board
    )
    played = [assert_same_game(rule_set, seed, skips) for seed, skips in enumerate((0.0, 0.1, 1.0))]
    assert any("--" in pair.moves for pair in played) or not rule_set.optional_skip
    if not behaviour.mandatory_capture and not behaviour.optional_skip:
        assert all("--" not in pair.moves and pair.position.empties == 0 for pair in played)


def test_the_longest_game_is_skipped_all_the_way():
    longest = [one for one in distinct_behaviors() if one.optional_skip and not one.mandatory_capture]
    assert len(longest) == 4
    for rule_set in longest:
        pair = Pair(rule_set)
        while moves := oracle.legal_moves(pair.table):
            skip = oracle.PASS in moves and pair.table.state == oracle.FRESH
            pair.play(oracle.PASS if skip else moves[0])
            assert_same(pair.position, pair.table)
        assert pair.moves.count("--") == 60
        assert pair.position.empties == 0


@given(endgames(rules(), max_empties=30))
@settings(max_examples=2 * settings().max_examples)
def test_set_up_positions(position):
    assert_same(position, table_of(position))
    for move in position.legal_moves:
        assert_same(position.play(move), oracle.play(table_of(position), str(move)))


@given(st.data(), rules())
@settings(max_examples=3 * settings().max_examples)
def test_sparse_set_up_positions(data, rule_set):
    """Any discs at all: holes, no discs of one side, lone discs, empty boards."""
    board = rule_set.board
    inside = sum(1 << (8 * row + column) for row in range(board.rows) for column in range(board.columns))
    black = data.draw(st.integers(0, 2**64 - 1)) & inside
    white = data.draw(st.integers(0, 2**64 - 1)) & inside & ~black
    if data.draw(st.booleans()):
        keep = data.draw(st.integers(0, 2**64 - 1))
        black, white = black & keep, white & ~keep
    position = Position.from_discs(black, white, data.draw(st.sampled_from(Color)), rule_set)
    assert_same(position, table_of(position))
    for move in position.legal_moves:
        assert_same(position.play(move), oracle.play(table_of(position), str(move)))


@given(pairs(rules(boards=SMALL_SIZES)), st.integers(0, 3), st.booleans())
@settings(max_examples=2 * settings().max_examples)
def test_perft(pair, depth, count_passes):
    expected = oracle.perft(pair.table, depth, count_passes=count_passes)
    assert pair.position.perft(depth, count_passes=count_passes) == expected


@given(endgames(max_empties=3), st.integers(0, 9), st.booleans())
@settings(max_examples=2 * settings().max_examples)
def test_perft_to_the_end_of_the_game(position, depth, count_passes):
    expected = oracle.perft(table_of(position), depth, count_passes=count_passes)
    assert position.perft(depth, count_passes=count_passes) == expected


@given(pairs(), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_playouts_end_where_the_oracle_says_so(pair, seed):
    end = pair.position.random_playout(Random(seed))
    assert oracle.is_over(table_of(end))
    assert end.result is not None
    assert end.result.score == oracle.final_score(table_of(end), oracle.BLACK)


def test_a_forced_pass_in_a_known_game():
    """A nine-ply wipe-out: 13-0 on the board, 64-0 with the empties; and the pass of a stuck player."""
    pair = Pair(Rules())
    for move in ["f5", "d6", "c5", "f4", "e7", "f6", "g5", "e6", "e3"]:
        pair.play(move)
        assert_same(pair.position, pair.table)
    assert pair.position.is_over
    assert pair.position.result is not None
    assert (pair.position.result.discs, pair.position.result.score) == ("13-0", 64)
    stuck = Position.from_discs(1 << 0 | 1 << 63, 1 << 1, Color.WHITE)
    assert_same(stuck, table_of(stuck))
    assert [str(move) for move in stuck.legal_moves] == ["--"]
    assert_same(stuck.play("--"), oracle.play(table_of(stuck), "--"))
