"""Numbers that make no sense are refused, by every entry, in one line that names them."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from endings import random_ending
from reversi import (
    Batch,
    Engine,
    InputError,
    Position,
    Question,
    Random,
    Solver,
    evaluate,
    hint,
    parse_rules,
    solve,
)
from reversi.engine.levels import level_for, level_of_depth
from reversi.engine.search import Searcher
from reversi.errors import ArgumentError
from reversi.evaluation.confidence import caution_for
from reversi.game.supply import Supply

SMALL = random_ending(6, 1)
NAN = math.nan
NO_COUNTS = (0, -1, True, 2.0, NAN, math.inf, "3")
NO_SECONDS = (-1, -0.5, NAN, -math.inf, True, "1")


def cases():
    for wrong in NO_COUNTS:
        yield "hash_mb", lambda wrong=wrong: Solver(wrong)
        yield "threads", lambda wrong=wrong: Solver(1, wrong)
        yield "threads", lambda wrong=wrong: Solver(1).solve(SMALL, threads=wrong)
        yield "multi", lambda wrong=wrong: Solver(1).solve(SMALL, multi=wrong)
        yield "multi", lambda wrong=wrong: Question(multi=wrong)
        yield "hash_mb", lambda wrong=wrong: Batch([], hash_mb=wrong)
        yield "threads", lambda wrong=wrong: Batch([], threads=wrong)
        yield "threads", lambda wrong=wrong: Engine(1, threads=wrong)
        yield "hash_mb", lambda wrong=wrong: Engine(1, hash_mb=wrong)
        yield "level", lambda wrong=wrong: Engine(wrong)
        yield "level", lambda wrong=wrong: level_for(wrong)
        yield "count", lambda wrong=wrong: hint(SMALL, wrong, level=1)
        yield "confidence", lambda wrong=wrong: caution_for(wrong, 20)
        for name in ("count", "depth", "confidence", "nodes"):
            yield name, lambda wrong=wrong, name=name: Searcher(1).search(SMALL, **{name: wrong})
        yield "nodes", lambda wrong=wrong: solve(SMALL, nodes=wrong)
        yield "nodes", lambda wrong=wrong: Batch([], nodes=wrong)
        yield "nodes", lambda wrong=wrong: Engine(nodes=wrong)
    for wrong in NO_SECONDS:
        yield "time_s", lambda wrong=wrong: Solver(1).solve(SMALL, time_s=wrong)
        yield "time_s", lambda wrong=wrong: solve(SMALL, time_s=wrong)
        yield "time_s", lambda wrong=wrong: Searcher(1).search(SMALL, time_s=wrong)
        yield "soft_s", lambda wrong=wrong: Searcher(1).search(SMALL, soft_s=wrong)
        yield "time_s", lambda wrong=wrong: Batch([], time_s=wrong)
        yield "total_time_s", lambda wrong=wrong: Batch([], total_time_s=wrong)
    for wrong in (*NO_SECONDS, 0, math.inf):
        yield "time_s", lambda wrong=wrong: Engine(time_s=wrong)
    for wrong in ((1, NAN), (True, 2), (1,), (2, 1), "12", 5):  # type: ignore[assignment]
        yield "window", lambda wrong=wrong: Solver(1).solve(SMALL, window=wrong)
        yield "window", lambda wrong=wrong: Question(window=wrong)
    yield "hash_mb", lambda: Solver(10**12)
    yield "threads", lambda: Solver(1, 10**12)
    yield "seed", lambda: Engine(1, seed=1.5)  # type: ignore[arg-type]
    yield "evaluation", lambda: evaluate(random_ending(6, 1, ODD))


ODD = parse_rules("othello,misere")


def test_numbers_that_make_no_sense_are_refused_by_name():
    for name, call in cases():
        with pytest.raises((InputError, ArgumentError), match=name) as caught:
            call()
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("wrong", ["3", 2.5, True, None, [1]])
def test_what_is_no_number_is_a_type_error(wrong: Any) -> None:
    text: Any = "3"
    for name, call in (
        ("threads", lambda: Solver(1, wrong)),
        ("level", lambda: level_for(None if wrong == text else wrong)),  # type: ignore[arg-type]
        ("depth", lambda: level_of_depth(wrong)),
        ("seed", lambda: Engine(1, seed=wrong)),
        ("seed", lambda: Random(text if wrong is True else wrong)),
        ("depth", lambda: Position().perft(wrong)),
        ("window", lambda: Question(window=(0, wrong))),
        ("supply", lambda: Supply(text if wrong is True else wrong, 3)),
        ("time_s", lambda: solve(SMALL, time_s=text if wrong is None or wrong == 2.5 else wrong)),
    ):
        with pytest.raises(TypeError, match=name) as caught:
            call()
        assert isinstance(caught.value, ArgumentError)


@pytest.mark.parametrize("wrong", [0, -1, 10**12])
def test_a_number_out_of_range_is_a_value_error(wrong):
    for name, call in (
        ("hash_mb", lambda: Solver(wrong)),
        ("level", lambda: level_for(wrong)),
        ("depth", lambda: level_of_depth(wrong)),
    ):
        with pytest.raises(InputError, match=name):
            call()


def test_numbers_that_make_sense():
    assert Solver(1).solve(SMALL, time_s=math.inf, threads=2, multi=10**9).is_exact
    assert Solver(1).solve(SMALL, window=(-(10**9), 10**9)).is_exact
    assert Searcher(1).search(SMALL, time_s=math.inf, count=10**9, depth=10**9).complete
    assert Engine(1, seed=-(10**30)).choose(SMALL).move in SMALL.legal_moves


def test_a_type_of_the_same_name_is_named_with_its_module() -> None:
    with pytest.raises(ArgumentError, match=r"random must be a Random, not random\.Random"):
        Position().legal_moves.choice(random.Random(1))  # type: ignore[arg-type]
