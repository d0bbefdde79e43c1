"""Batches of positions: every function agrees with its twin for one position."""

from __future__ import annotations

import pickle
import signal
from collections.abc import Callable
from typing import Any

import pytest

np = pytest.importorskip("numpy")

from reversi import (  # noqa: E402
    OTHELLO,
    SQUARES,
    ArgumentError,
    Color,
    IllegalMoveError,
    InputError,
    Position,
    Random,
    Rules,
    State,
    canonical_key,
    evaluate,
    parse_rules,
    solve,
)
from reversi.arrays import PositionArray, policy_symmetry  # noqa: E402
from reversi.errors import BoardError  # noqa: E402
from reversi.learning.inputs import playout_seed  # noqa: E402
from reversi.learning.positions import PLANES  # noqa: E402
from reversi.score import final_score  # noqa: E402
from rule_sets import every_rule_set  # noqa: E402

# one rule set of each kind that the core treats differently
CONTEXTS = [
    "othello",
    "othello,start=parallel,misere",
    "othello,discs-only",
    "othello,board=6x6",
    "othello,board=4x8,misere,discs-only",
    "othello,optional-skip",
    "othello,optional-skip,full-board,board=6x4",
    "adjacent",
    "adjacent,optional-skip,no-moves,board=6x8",
    "adjacent,board=4x4,misere",
    "othello,optional-capture,board=6x6",
    "othello,optional-capture,optional-skip",
]


def some_positions(rules: Rules, count: int, seed: int = 1) -> list[Position]:
    """Positions of random games, finished ones included."""
    found: list[Position] = []
    random = Random(seed)
    while len(found) < count:
        position = Position(rules)
        found.append(position)
        while not position.is_over:
            position = position.play(position.legal_moves.choice(random))
            found.append(position)
    return found[:count]


def batch_of(rules: Rules, count: int) -> tuple[list[Position], PositionArray]:
    positions = some_positions(rules, count)
    return positions, PositionArray(positions, rules)


def check_twins(rules: Rules, count: int) -> None:
    """Compare every function with its twin."""
    positions, batch = batch_of(rules, count)
    assert list(batch) == positions
    moves = [position.legal_moves for position in positions]
    assert batch.legal_masks().tolist() == [legal.placements for legal in moves]
    assert batch.can_pass().tolist() == [legal.can_pass for legal in moves]
    over = [position.is_over for position in positions]
    assert batch.is_over().tolist() == over
    assert batch.player.tolist() == [position.player for position in positions]
    assert batch.opponent.tolist() == [position.opponent for position in positions]
    assert batch.empty.tolist() == [position.empty for position in positions]
    assert batch.empties.tolist() == [position.empties for position in positions]
    assert batch.scores().tolist() == [
        final_score(position.player.bit_count(), position.opponent.bit_count(), rules) for position in positions
    ]
    ended = batch[np.array(over)]
    results = [position.result for position in positions if position.is_over]
    assert ended.final_scores().tolist() == [
        final_score(found.black, found.white, rules) for found in results if found
    ]
    going = [position for position in positions if not position.is_over]
    running = batch[~np.array(over)]
    random = Random(3)
    chosen = [position.legal_moves.choice(random) for position in going]
    after = [position.play(move) for position, move in zip(going, chosen, strict=True)]
    codes = [move.index for move in chosen]
    assert list(running.play(codes)) == after
    drawn = running.random_moves(seed=5)
    assert all(Position.is_legal(position, _move(code)) for position, code in zip(going, drawn, strict=True))
    rows, columns = rules.board
    for index in range(8 if rows == columns else 4):
        images = batch.symmetry(index)
        assert list(images) == [position.symmetry(index) for position in positions]
        legal = [
            np.array([[_move(code) in position.legal_moves for code in range(65)] for position in some])
            for some in (positions[:20], list(images[:20]))
        ]
        assert (policy_symmetry(legal[0], index, rules) == legal[1]).all()
    assert list(batch.canonical()) == [position.canonical() for position in positions]
    assert batch.canonical_keys(7).tolist() == [canonical_key(position, 7) for position in positions]
    scores = batch.random_playouts(2, seed=9, threads=2)
    for at, position in enumerate(positions):
        for game in range(2):
            end = position.random_playout(Random(playout_seed(9, 2 * at + game)))
            mine, theirs = end.black, end.white
            if position.to_move is Color.WHITE:
                mine, theirs = theirs, mine
            assert scores[at, game] == final_score(mine.bit_count(), theirs.bit_count(), rules)


def _move(code: int) -> Any:
    from reversi import PASS, SQUARES

    return (*SQUARES, PASS)[code]


@pytest.mark.parametrize("text", CONTEXTS)
def test_every_function_agrees_with_its_twin(text: str) -> None:
    check_twins(parse_rules(text), 700)


@pytest.mark.slow
@pytest.mark.parametrize("text", CONTEXTS)
def test_every_function_agrees_with_its_twin_on_many_positions(text: str) -> None:
    check_twins(parse_rules(text), 100_000)


def test_every_rule_set_plays_alike() -> None:
    for rules in every_rule_set():
        positions, batch = batch_of(rules, 60)
        assert batch.legal_masks().tolist() == [position.legal_moves.placements for position in positions]
        assert batch.can_pass().tolist() == [position.legal_moves.can_pass for position in positions]


# ---- planes


@pytest.mark.parametrize("kind", ["uint8", "bool", "int16", "float16", "int32", "float32", "float64", "int64"])
@pytest.mark.parametrize("text", ["othello", "othello,board=4x6"])
def test_planes(text: str, kind: str) -> None:
    rules = parse_rules(text)
    positions, batch = batch_of(rules, 90)
    rows, columns = rules.board

    def bit(name: str, position: Position, square: int) -> int:
        if name == "ones":
            return 1
        if name == "to_move":
            return int(position.to_move is Color.WHITE)
        sets = position.legal_moves.placements if name == "legal" else getattr(position, name)
        return int(sets >> square & 1)

    planes = batch.planes(kind, planes=PLANES)
    assert (planes.dtype, planes.shape) == (np.dtype(kind), (90, len(PLANES), rows, columns))
    expected = [
        [[[bit(name, position, 8 * r + c) for c in range(columns)] for r in range(rows)] for name in PLANES]
        for position in positions
    ]
    assert np.array_equal(planes, np.array(expected, kind))
    last = batch.planes(kind, "NHWC", PLANES)
    assert np.array_equal(last, planes.transpose(0, 2, 3, 1))
    out = np.empty_like(planes)
    assert batch.planes(kind, planes=PLANES, out=out) is out
    assert np.array_equal(out, planes)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda batch: batch.planes(layout="CHWN"), "layout must be NCHW or NHWC"),
        (lambda batch: batch.planes(planes=["mine"]), "'mine' is not a plane; choose from player"),
        (lambda batch: batch.planes("complex128"), "dtype must be a bool"),
        (lambda batch: batch.planes("longdouble"), "dtype must be a bool"),
        (lambda batch: batch.planes(out=np.zeros((5, 2, 8, 7), "float32")), "out must be a contiguous array"),
        (lambda batch: batch.planes(out=np.zeros((5, 2, 8, 8), "uint8")), "out must be a contiguous array"),
        (lambda batch: batch.play([-1] * 5), "moves must have numbers from 0 to 255"),
        (lambda batch: batch.play([19] * 4), "moves has the shape"),
        (lambda batch: batch.play([[19]] * 5), "moves must have one dimension"),
        (lambda batch: batch.play([19] * 5, out=PositionArray.start(4)), "out must have 5 positions"),
        (lambda batch: batch.final_scores(), "position 0: the game is not over"),
        (lambda batch: batch.random_playouts(0), "games must be"),
        (lambda batch: batch.solve(threads=0), "threads must be"),
        (lambda batch: PositionArray(batch, parse_rules("adjacent")), "a batch has one rule set"),
        (lambda batch: PositionArray.concatenate([]), "one or more batches"),
        (lambda batch: PositionArray.start(2, parse_rules("adjacent")).evaluate(), "the standard game"),
    ],
)
def test_what_does_not_fit_is_refused(call: Callable[[PositionArray], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call(PositionArray.start(5))
    with pytest.raises(ArgumentError, match="moves must have whole numbers"):
        PositionArray.start(5).play([19.5] * 5)


def test_illegal_moves_name_the_position_and_the_reason() -> None:
    batch = PositionArray.start(4)
    with pytest.raises(IllegalMoveError, match=r"position 2: a1 is not allowed in .*: flips nothing"):
        batch.play([19, 26, 0, 19])
    with pytest.raises(IllegalMoveError, match="position 3: -- is not allowed"):
        batch.play([19, 26, 19, 64])
    with pytest.raises(IllegalMoveError, match="position 0: 65 is not a move"):
        batch.play([65, 26, 19, 64])
    ended = PositionArray([Position.from_discs(1, 0)])
    with pytest.raises(IllegalMoveError, match="the game is over"):
        ended.play([64])
    with pytest.raises(IllegalMoveError, match="position 1: 255 is no move, and the game is not over"):
        batch.play([19, 255, 19, 19])


@pytest.mark.parametrize("in_place", [False, True])
def test_random_games_go_on_where_some_are_over(in_place: bool) -> None:
    over = Position.from_discs(1, 0)
    batch = PositionArray([Position(), over, Position(), over])
    moves = batch.random_moves(seed=1)
    assert moves[[1, 3]].tolist() == [255, 255]
    after = batch.play(moves, out=batch if in_place else None)
    expected = Position().play(SQUARES[moves[0]]), over, Position().play(SQUARES[moves[2]]), over
    assert tuple(after) == expected
    with pytest.raises(IllegalMoveError, match="position 2: a1 is not allowed"):
        PositionArray([Position(), over, Position()]).play([19, 255, 0])


# ---- memory


def test_arrays_are_used_without_a_copy() -> None:
    start = Position()
    black, white = np.full(6, start.black, "uint64"), np.full(6, start.white, "uint64")
    to_move, state = np.zeros(6, "uint8"), np.zeros(6, "uint8")
    batch = PositionArray.from_discs(black, white, to_move, state)
    assert batch.black is black
    assert batch.white is white
    assert batch.to_move is to_move
    assert batch.state is state
    assert batch.play([19] * 6, out=batch) is batch
    assert (black == start.play("d3").black).all()
    assert (batch[0], batch[-1]) == (start.play("d3"),) * 2


def test_other_arrays_are_read_through_dlpack() -> None:
    class Foreign:  # has nothing but DLPack
        def __init__(self, array: Any) -> None:
            self.array = array

        def __dlpack__(self, **options: Any) -> Any:
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self) -> Any:
            return self.array.__dlpack_device__()

    start = Position()
    black = np.full(3, start.black, "uint64")
    batch = PositionArray.from_discs(Foreign(black), [start.white] * 3)
    assert np.shares_memory(batch.black, black)
    assert list(batch) == [start] * 3
    planes = batch.planes()
    assert np.shares_memory(np.from_dlpack(planes), planes)


@pytest.mark.parametrize(
    ("black", "white", "to_move", "state"),
    [
        ([1], [1], 0, 0),
        ([1], [2], 2, 0),
        ([1], [2], 0, 1),
        ([1, 2], [4], 0, 0),
        ([1], [2], [0, 0], 0),
    ],
)
def test_wrong_discs_are_refused(black: Any, white: Any, to_move: Any, state: Any) -> None:
    with pytest.raises(BoardError):
        PositionArray.from_discs(black, white, to_move, state)


def test_discs_outside_a_small_board_are_refused() -> None:
    with pytest.raises(BoardError, match="position 1"):
        PositionArray.from_discs([1, 1 << 63], [2, 2], rules=parse_rules("othello,board=6x6"))
    with pytest.raises(InputError):
        PositionArray.from_discs([1 << 64], [2])
    with pytest.raises(ArgumentError, match="black must have whole numbers"):
        PositionArray.from_discs(["x"], [2])


def test_a_batch_is_a_sequence() -> None:
    positions, batch = batch_of(OTHELLO, 20)
    assert len(batch) == 20
    assert list(batch[3:9:2]) == positions[3:9:2]
    assert list(batch[[5, 1]]) == [positions[5], positions[1]]
    assert batch[np.arange(20) % 2 == 0] == PositionArray(positions[::2])
    assert PositionArray.concatenate([batch[:7], batch[7:]]) == batch == batch.copy()
    assert batch != batch[:5]
    assert batch != 3
    assert repr(batch) == "<PositionArray: 20 positions under othello>"
    assert pickle.loads(pickle.dumps(batch)) == batch
    empty = PositionArray()
    assert (len(empty), empty.legal_masks().tolist(), empty.planes().shape) == (0, [], (0, 2, 8, 8))
    assert empty.solve().tolist() == empty.evaluate().tolist() == []
    for outside in (20, -21, 2**63, -(2**63) - 1):
        with pytest.raises(IndexError):
            batch[outside]
    with pytest.raises(TypeError):
        hash(batch)


def test_states_are_kept() -> None:
    rules = parse_rules("othello,optional-skip")
    after = Position(rules).play("--")
    batch = PositionArray([after, after.play("--")])
    assert [position.state for position in batch] == [State.AFTER_PASS, State.ENDED]
    assert batch[:1].play([64])[0].state is State.ENDED


def test_policies_under_symmetries() -> None:
    policies = np.arange(2 * 3 * 65, dtype=np.float32).reshape(2, 3, 65)
    for index in range(8):
        moved = policy_symmetry(policies, index)
        assert (moved.shape, moved.dtype, sorted(moved[1, 2])) == ((2, 3, 65), np.float32, policies[1, 2].tolist())
        assert moved[..., 64].tolist() == policies[..., 64].tolist()
    assert policy_symmetry(np.arange(65), np.int64(4))[7] == 56  # a8 comes to h1
    small = parse_rules("board=4x6")
    assert policy_symmetry(np.arange(65), 1, small)[:16].tolist() == [
        5,
        4,
        3,
        2,
        1,
        0,
        6,
        7,
        13,
        12,
        11,
        10,
        9,
        8,
        14,
        15,
    ]
    with pytest.raises(
        InputError, match="the symmetry of a board of 4x6 must be a whole number, from 0 to 3, not 4"
    ):
        policy_symmetry(np.zeros(65), 4, small)
    with pytest.raises(InputError, match=r"policies must have the shape \(…, 65\), not \(65, 2\)"):
        policy_symmetry(np.zeros((65, 2)), 0)


# ---- values


def test_evaluations() -> None:
    positions, batch = batch_of(OTHELLO, 300)
    assert batch.evaluate(threads=2).tolist() == [np.float32(evaluate(position).discs) for position in positions]


@pytest.mark.parametrize(
    "text", ["othello", "othello,misere", "adjacent,board=4x6", "othello,optional-skip,board=4x4"]
)
def test_exact_values(text: str) -> None:
    rules = parse_rules(text)
    positions = [position for position in some_positions(rules, 1200) if position.empties <= 7][:150]
    values = PositionArray(positions, rules).solve(threads=2)
    assert values.tolist() == [solve(position).score.value for position in positions]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no interval timer on this system")
@pytest.mark.parametrize("count", [1, 200])
def test_an_interrupt_ends_solving(count: int) -> None:
    batch = PositionArray.start(count, parse_rules("othello,board=6x6"))  # each takes more than a minute

    def ring(*_: object) -> None:
        raise KeyboardInterrupt

    held = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            batch.solve(threads=2)
    finally:
        signal.signal(signal.SIGALRM, held)


def test_playouts_do_not_depend_on_the_threads() -> None:
    batch = PositionArray.start(3000)
    alone = batch.random_playouts(3, seed=4, threads=1)
    assert np.array_equal(alone, batch.random_playouts(3, seed=4, threads=3))
    assert not np.array_equal(alone, batch.random_playouts(3, seed=5, threads=1))
