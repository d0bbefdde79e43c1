"""Numbers that make no sense are refused, by every entry, in one line that names them."""

from __future__ import annotations

import math

import pytest

from endings import random_ending
from reversi import Batch, Engine, InputError, Question, ReversiError, Solver, evaluate, hint, parse_rules, solve
from reversi.engine.levels import level_for
from reversi.engine.search import Searcher
from reversi.evaluation.confidence import caution_for

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
        for name in ("count", "depth", "confidence", "max_nodes"):
            yield name, lambda wrong=wrong, name=name: Searcher(1).search(SMALL, **{name: wrong})
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
        with pytest.raises(InputError, match=name) as caught:
            call()
        assert isinstance(caught.value, ReversiError)
        assert isinstance(caught.value, ValueError)
        assert "\n" not in str(caught.value)


def test_numbers_that_make_sense():
    assert Solver(1).solve(SMALL, time_s=math.inf, threads=2, multi=10**9).is_exact
    assert Solver(1).solve(SMALL, window=(-(10**9), 10**9)).is_exact
    assert Searcher(1).search(SMALL, time_s=math.inf, count=10**9, depth=10**9).complete
    assert Engine(1, seed=-(10**30)).choose(SMALL).move in SMALL.legal_moves
