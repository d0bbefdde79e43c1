"""PUCT and full width with an evaluation: equal to plain minimax and never against the solver, under any rules."""

from __future__ import annotations

import asyncio
import copy
import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from reversi import PASS, Cancel, GameError, InputError, Position, Random, in_thread, parse_rules, solve
from reversi._core import Forest
from reversi.errors import ArgumentError

np = pytest.importorskip("numpy")

from reversi.arrays import PositionArray  # noqa: E402
from reversi.engine.player import ask_player  # noqa: E402
from reversi.puct import FullWidth, Puct, Searched, Valued, full_width  # noqa: E402

RULES = (
    "othello",
    "othello,board=6x6,misere",
    "othello,board=4x6,start=parallel,discs-only",
    "othello,board=4x4,optional-skip",
    "othello,board=6x6,optional-skip,full-board,misere",
    "adjacent,board=4x4",
    "adjacent,board=4x6,optional-skip,no-moves",
    "othello,board=4x4,optional-capture,anywhere",
)


def even(batch: PositionArray) -> Any:
    """An evaluation with few values, so that many moves are equal."""
    return (np.bitwise_count(batch.player & np.uint64(0x8100A53C3CA50081)) % 5).astype(np.float32) - batch.to_move


def odd(batch: PositionArray) -> Any:
    """An evaluation with priors."""
    noise = np.random.default_rng([int(batch.player.sum() & np.uint64(0xFFFF))])
    return even(batch), noise.normal(size=(len(batch), 65)).astype(np.float32)


def positions(rules: str, empties: range, seed: int = 1) -> Iterator[Position]:
    """Positions of random games, not over."""
    random = Random(seed)
    for number in empties:
        position = Position(parse_rules(rules))
        while not position.is_over and position.empties > number:
            position = position.play(position.legal_moves.choice(random))
        if not position.is_over:
            yield position


def minimax(position: Position, depth: int) -> float:
    """Plain minimax: a forced pass takes no depth."""
    if position.is_over:
        return position.score
    if not position.legal_moves.placements:
        return -minimax(position.play(PASS), depth)
    if depth == 0:
        return float(even(PositionArray([position]))[0])
    return max(-minimax(position.play(move), depth - 1) for move in position.legal_moves)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_full_width_is_minimax(rules: str, depth: int) -> None:
    for position in positions(rules, range(0, 30, 4 if depth < 3 else 10), depth):
        below = depth - 1 if position.legal_moves.placements else depth
        values = {move: -minimax(position.play(move), below) for move in position.legal_moves}
        found: Valued = full_width(position, even, depth)
        assert found.values == values
        assert found.value == max(values.values())
        assert found.best == tuple(move for move in values if values[move] == found.value)


def test_full_width_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = full_width(Position(), even, 4)
    monkeypatch.setattr("reversi.learning.puct._PIECE", 7)
    assert full_width(Position(), even, 4) == whole
    assert whole.values[whole.best[0]] == minimax(Position(), 4)


@pytest.mark.parametrize("rules", RULES)
def test_full_width_that_may_be_cancelled(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the values of the last depth that is whole, however early the cancel comes."""
    monkeypatch.setattr("reversi.learning.puct._PIECE", 2)
    (position,) = positions(rules, range(9, 10))
    whole = {depth: full_width(position, even, depth) for depth in (1, 2, 3)}

    def search(last: int) -> tuple[Valued, list[int]]:
        """Cancel after so many calls of the evaluation; return how many positions each of them had, too."""
        stop, asked = Cancel(), []

        def evaluate(batch: PositionArray) -> Any:
            asked.append(len(batch))
            if len(asked) == last:
                stop.cancel()
            return even(batch)

        return FullWidth(evaluate, 3).search(position, cancel=stop), asked

    depths = []
    calls = len(search(0)[1])
    for last in [1, *range(2, calls, calls // 8), calls]:
        found, asked = search(last)
        assert found == whole[found.depth]
        assert len(asked) <= last or sum(asked) <= len(position.legal_moves)  # a search of depth 1 is always whole
        depths.append(found.depth)
    assert depths == sorted(depths)
    assert set(depths) == {1, 2, 3}
    stopped = Cancel()
    stopped.cancel()
    assert FullWidth(even, 3).choose(position, cancel=stopped).score.depth == 1
    assert asyncio.run(in_thread(full_width, position, even, 3)) == whole[3]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("evaluation", [even, odd])
@pytest.mark.parametrize("solve_from", [0, 4])
def test_what_is_proved_is_what_the_solver_finds(rules: str, evaluation: Any, solve_from: int) -> None:
    asked = [*positions(rules, range(1, 9, 2), 7), *positions(rules, range(2, 9, 2), 8)]
    proved = 0
    for visits in (3, 40, 700):
        for found in Puct(evaluation, visits=visits, batch=16, solve_from=solve_from).search(asked):
            exact = solve(found.position, all_moves=True)
            assert found.lower <= exact.score.value <= found.upper
            assert found.lower <= found.value <= found.upper
            scores = {scored.move: scored.score.value for scored in exact.moves}
            for each in found.moves:
                assert each.lower <= scores[each.move] <= each.upper
                assert each.lower <= each.value <= each.upper
            if found.is_exact:
                proved += 1
                assert scores[found.best.move] == exact.score.value
    assert proved


@pytest.mark.parametrize("rules", RULES)
def test_equal_seeds_give_equal_answers(rules: str) -> None:
    asked = list(positions(rules, range(8, 30, 5)))

    def searched() -> list[Searched]:
        return Puct(odd, visits=150, batch=32, noise=0.25, seed=5, solve_from=2).search(asked)

    first = searched()
    assert all(searched() == first for _ in range(3))
    for found in first:
        assert [each.move for each in found.moves] == list(found.position.legal_moves)
        assert found.is_exact or found.visits == 150
        assert found.is_exact or sum(each.visits for each in found.moves) in (149, 150)  # the pass of all visits
        assert sum(each.prior for each in found.moves) == pytest.approx(1, abs=1e-5)


def test_the_priors_decide() -> None:
    def sure(batch: PositionArray) -> Any:
        logits = np.full((len(batch), 65), -1e9, np.float32)
        logits[:, 1:64:3] = 0  # a third of the squares
        return np.zeros(len(batch), np.float32), logits

    (found,) = Puct(sure, visits=60, batch=1).search(Position())
    assert {str(each.move) for each in found.moves if each.visits} == {"d3", "f5"}


def test_the_best_move_is_found() -> None:
    position = next(positions("othello", range(14, 15), 3))
    exact = solve(position, all_moves=True)
    good = {scored.move for scored in exact.moves if scored.score.value >= exact.score.value - 2}
    (found,) = Puct(lambda batch: batch.evaluate(threads=1), visits=4000).search(position)
    assert found.best.move in good


def test_trees_stay() -> None:
    asked = []

    def counted(batch: PositionArray) -> Any:
        asked.append(len(batch))
        return even(batch)

    puct = Puct(counted, visits=300, batch=8)
    (first,) = puct.search(Position())
    assert sum(asked) == 300
    best = first.best
    (second,) = puct.search(Position().play(best.move))
    assert sum(asked) == 600 - best.visits
    assert second.visits == 300
    puct.search(Position().play(best.move))
    assert sum(asked) == 600 - best.visits
    puct.search([Position(), Position()])  # each has a tree of its own
    assert sum(asked) == 1200 - best.visits
    puct.clear()
    puct.search(Position(), 10)
    assert sum(asked) == 1210 - best.visits
    # one position below another
    both = [Position(), Position().play("f5"), Position().play("f5").play("d6")]
    assert [found.visits for found in puct.search(both, 100)] == [100, 100, 100]
    assert [found.visits for found in puct.search(both, 150)] == [150, 150, 150]


def test_an_error_of_the_evaluation_leaves_no_half_tree() -> None:
    fails = [False]

    def sometimes(batch: PositionArray) -> Any:
        if fails[0]:
            raise ZeroDivisionError
        return even(batch)

    puct = Puct(sometimes, visits=50, batch=8)
    puct.search(Position())
    fails[0] = True
    with pytest.raises(ZeroDivisionError):
        puct.search(Position().play("f5"))
    fails[0] = False
    assert puct.search(Position().play("f5")) == Puct(sometimes, visits=50, batch=8).search(Position().play("f5"))


def test_a_cancel_gives_what_is_known() -> None:
    stop, asked = Cancel(), 0

    def evaluate(batch: PositionArray) -> Any:
        nonlocal asked
        asked += 1
        if asked == 5:
            stop.cancel()
        return batch.evaluate()

    puct = Puct(evaluate, visits=1000, batch=10)
    (found,) = puct.search(Position(), cancel=stop)
    assert (asked, 1 < found.visits < 50, found.best.visits > 0) == (5, True, True)
    (found,) = puct.search(Position())  # it continues
    assert found.visits == 1000
    (nothing,) = Puct(evaluate).search(Position(), cancel=stop)
    assert (nothing.visits, nothing.best.move in Position().legal_moves) == (1, True)


def test_policies() -> None:
    puct = Puct(even, visits=200, batch=8, seed=3)
    (found,) = puct.search(Position())
    whole = found.policy()
    assert whole.shape == (65,)
    assert whole.sum() == pytest.approx(1)
    assert [whole[each.move.index] for each in found.moves] == pytest.approx(
        [each.visits / 199 for each in found.moves]
    )
    assert found.policy(0).max() == 1
    assert found.policy(0.5).max() > whole.max()
    drawn = {puct.play(found) for _ in range(200)}
    assert drawn == {each.move for each in found.moves if each.visits}
    assert puct.play(found, 0) == found.best.move
    with pytest.raises(InputError, match="temperature must be 0 or more"):
        found.policy(-1)


def test_a_forced_pass_is_played_inside() -> None:
    position = next(
        position
        for seed in range(200)
        for position in positions("othello", range(4, 16), seed)
        if not position.legal_moves.placements
    )
    (found,) = Puct(even, visits=50).search(position)
    (after,) = Puct(even, visits=50).search(position.play(PASS))
    assert [each.move for each in found.moves] == [PASS]
    assert found.value == -after.value
    assert (found.lower, found.upper) == (-after.upper, -after.lower)
    assert found.policy()[64] == 1


@pytest.mark.parametrize(
    ("returns", "message"),
    [
        (lambda n: None, "values with the shape"),
        (lambda n: "x", "numbers as values"),
        (lambda n: np.zeros(n + 1), r"values with the shape \(\d,\), not \(\d,\)"),
        (lambda n: np.full(n, np.nan), "values that are not finite"),
        (lambda n: (np.zeros(n), np.zeros((n, 64))), r"logits with the shape \(\d, 65\), not \(\d, 64\)"),
        (lambda n: (np.zeros(n), np.full((n, 65), np.inf)), "logits that are not finite"),
    ],
)
def test_an_evaluation_that_returns_something_else_is_refused(returns: Any, message: str) -> None:
    def wrong(batch: PositionArray) -> Any:
        return returns(len(batch))

    for call in (Puct(wrong, visits=2).search, FullWidth(wrong, 1).search):
        with pytest.raises(InputError, match=message):
            call(Position())


def test_what_makes_no_sense_is_refused() -> None:
    for name in ("visits", "batch"):
        with pytest.raises(InputError, match=name):
            Puct(even, **{name: 0})
    for name, wrong in (("noise", 2), ("exploration", -1), ("virtual_loss", np.nan), ("noise_alpha", 0)):
        with pytest.raises(InputError, match=name):
            Puct(even, **{name: wrong})
    with pytest.raises(ArgumentError, match="evaluation must be a function"):
        Puct(5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="depth"):
        FullWidth(even, 0)
    with pytest.raises(InputError, match="nodes must be a whole number, from 1 to"):
        FullWidth(even, 1, nodes=0)
    over = Position.from_discs(1, 0)
    for call in (Puct(even).search, FullWidth(even, 1).search):
        with pytest.raises(GameError, match="the game is over"):
            call(over)
    with pytest.raises(InputError, match="one rule set"):
        Puct(even).search([Position(), Position(parse_rules("adjacent"))])
    assert Puct(even).search([]) == []


@pytest.mark.parametrize("rules", RULES)
def test_full_width_with_a_limit_in_nodes(rules: str) -> None:
    """The evaluation gets no position beyond the limit, and the values are those of the last whole depth."""
    (position,) = positions(rules, range(9, 10))
    whole = {depth: full_width(position, even, depth) for depth in (1, 2, 3, 4)}
    ends = [full_width(position, even, depth, nodes=10**9).nodes for depth in (1, 2, 3, 4)]
    assert whole[1].nodes == ends[0] == len(position.legal_moves)
    assert ends == sorted(ends)
    for depth, nodes in [(1, 1), (1, ends[1] - 1), (2, ends[1]), (2, ends[2] - 1), (3, ends[2]), (4, ends[3])]:
        asked: list[int] = []

        def evaluate(batch: PositionArray, asked: list[int] = asked) -> Any:
            asked.append(len(batch))
            return even(batch)

        found = full_width(position, evaluate, 4, nodes=nodes)
        assert (found, found.depth) == (whole[depth], depth)
        assert sum(asked) <= found.nodes <= max(nodes, ends[0])
        assert FullWidth(even, 4, nodes=nodes).choose(position).score.depth == depth


def test_full_width_with_a_limit_looks_no_further_than_the_end_of_the_game() -> None:
    position = Position.from_discs(0b100, 0b010, rules=parse_rules("othello,board=4x4"))
    whole = full_width(position, even, 60)
    found = full_width(position, even, 60, nodes=1000)
    assert (found, found.depth, found.nodes) == (whole, 60, 2)


def test_both_are_players() -> None:
    players: list[Puct | FullWidth] = [Puct(even, visits=20), FullWidth(even, 1)]
    for player in players:
        chosen = player.choose(Position())
        assert chosen.move in Position().legal_moves
        again = pickle.loads(pickle.dumps(player))
        assert again.choose(Position()) == copy.copy(again).choose(Position()) == chosen
        assert ask_player(player, Position()).move == chosen.move


def test_a_forest_refuses_what_it_does_not_have() -> None:
    forest = Forest(64, 1.0, 1.0)
    for call in (forest.spot, forest.moves):
        with pytest.raises(IndexError, match="no spot has the number 0"):
            call(0)
    root = forest.plant()
    with pytest.raises(ValueError, match="a root is kept once, and nothing may be under way"):
        forest.keep(np.array([root]))
    one = np.array([root])
    parts = [np.zeros(1, kind) for kind in (np.uint8, np.float32, np.int8, np.int8, np.uint64, np.uint8)]
    forest.grow(one, *parts)
    with pytest.raises(ValueError, match="a spot is valued once"):
        forest.grow(one, *parts)
    with pytest.raises(ValueError, match="a root is kept once"):
        forest.keep(np.array([root, root]))
