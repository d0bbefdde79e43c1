from __future__ import annotations

import contextlib
import copy
import itertools
import pickle
import threading
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings, strategies as st

from patience import SOON_S
from random_games import random_walk
from reversi import PASS, Color, GameError, InputError, Kind, Position, Random, Square, parse_rules
from reversi.engine import engine as engine_module
from reversi.engine.engine import Engine, EngineCancelled, hint as engine_hint
from reversi.engine.levels import MAX_LEVEL, level_for
from reversi.engine.search import Estimate, Searcher
from reversi.evaluation import weights
from reversi.game.clocks import ClockReading
from reversi.game.game import Game
from reversi.solver.solution import MoveScore

RULES = [
    "othello",
    "othello,board=6x6",
    "othello,misere",
    "othello,optional-skip",
    "adjacent",
    "adjacent,misere,board=6x6",
    "adjacent,optional-skip,board=4x6",
    "adjacent,optional-skip,no-moves,board=4x4",
    "othello,optional-capture,discs-only,board=6x4",
]


def after_random_plies(rules: str, seed: int, plies: int) -> Position:
    return random_walk(Position(parse_rules(rules)), plies, Random(seed), ends=False)


def value_of(position: Position) -> int:
    """The value for the mover by plain minimax: for positions with a few empty squares."""
    if position.is_over:
        assert position.result is not None
        score = position.result.score
        return score if position.to_move is Color.BLACK else -score
    return max(-value_of(position.play(move)) for move in position.legal_moves)


def end_of(position: Position, pv: tuple[object, ...]) -> Position:
    for move in pv:
        position = position.play(str(move))
    return position


@pytest.mark.parametrize("rules", RULES)
def test_choices_are_legal_and_the_same_for_the_same_seed(rules: str) -> None:
    for plies in (0, 5, 9):
        position = after_random_plies(rules, plies, plies)
        choice = Engine(2, seed=7).choose(position)
        again = Engine(2, seed=7).choose(position)
        assert isinstance(choice, MoveScore)
        assert position.is_legal(choice.move)
        assert choice.pv[0] == choice.move
        end_of(position, choice.pv)
        assert (again.move, again.pv, again.score.value) == (choice.move, choice.pv, choice.score.value)


def test_what_was_asked_before_does_not_matter() -> None:
    first, second = Position(), after_random_plies("othello", 3, 8)
    engine = Engine(3, seed=5)
    engine.choose(first)
    assert engine.choose(second).pv == Engine(3, seed=5).choose(second).pv


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda engine: pickle.loads(pickle.dumps(engine))])
def test_a_copy_of_an_engine_that_ponders_is_an_engine_of_its_own(copied: Callable[[Engine], Engine]) -> None:
    engine = Engine(10, seed=5)
    position = Position().play("f5")
    with contextlib.closing(engine):
        pondering = engine.ponder(position)
        assert pondering is not None
        twin = copied(engine)
        assert repr(twin) == repr(engine)
        assert twin.choose(position) == Engine(10, seed=5).choose(position)
        assert pondering.is_running or not pondering.cancel.cancelled


@pytest.mark.parametrize("level", [1, 4, 6, "beginner-2", "beginner-7", 7, 8])
def test_every_level_reports_progress_and_plays_the_same(level: int | str) -> None:
    random = Random(7)
    position = Position()
    while not position.is_over:
        if position.empties % 8 == 0 or position.empties < 6:
            found: list[Estimate] = []
            chosen = Engine(level, seed=2).choose(position, progress=found.append)
            assert chosen.move == Engine(level, seed=2).choose(position).move
            depths = [each.score.depth for each in found]
            assert depths
            assert depths == sorted(depths)
        position = position.play(position.legal_moves.choice(random))


def test_seeds_decide_between_equal_moves() -> None:
    for level in (2, 7):
        moves = {str(Engine(level, seed=seed).choose(Position()).move) for seed in range(40)}
        assert moves == {"d3", "c4", "f5", "e6"}


def test_heuristic_scores_say_so() -> None:
    choice = Engine(9).choose(Position())
    assert choice.score.kind is Kind.HEURISTIC
    assert (choice.score.lower, choice.score.upper) == (-64, 64)
    assert choice.score.depth == 9
    assert choice.score.nodes >= 4
    assert choice.score.time_s >= 0


@settings(max_examples=25)
@given(st.sampled_from([*(rules for rules in RULES if "=4x" in rules), "othello,board=4x4"]), st.integers(0, 999))
def test_the_end_is_exact(rules: str, seed: int) -> None:
    parsed = parse_rules(rules)
    position = after_random_plies(rules, seed, parsed.board.cells - 8)
    engine = Engine(8, seed)
    while position.empties > min(4, level_for(8, parsed).exact_from):
        following = position.play(position.legal_moves.choice(Random(seed)))
        if following.is_over:
            return
        position = following
    value = value_of(position)
    choice = engine.choose(position)
    assert choice.score.kind is Kind.EXACT
    assert choice.score.value == value == -value_of(position.play(choice.move))
    last = end_of(position, choice.pv)
    assert last.is_over
    hints = engine.hint(position, 99)
    assert [hint.move for hint in sorted(hints, key=lambda hint: hint.move)] == list(position.legal_moves)
    for hint in hints:
        assert hint.score.kind is Kind.EXACT
        assert hint.score.value == -value_of(position.play(hint.move))


def test_a_win_within_the_look_ahead_is_found() -> None:
    # Black can wipe White out with the next placement, which leaves 51 squares empty.
    game = Game()
    game.play_all(["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5"])
    choice = Engine(7).choose(game.position)
    assert choice.move == Square("c5")
    assert choice.score.value == 64


def test_a_forced_pass_and_an_only_move() -> None:
    rules = parse_rules("othello")
    blocked = Position.from_discs(0b10, 0b01, Color.BLACK, rules)
    for level in (1, 7):
        choice = Engine(level).choose(blocked)
        assert choice.move == PASS
        assert choice.score.value == -64
        assert Engine(level).choose(blocked.play(PASS)).move == Square("c1")
    assert Engine(7, exact=True).choose(blocked).pv == (PASS, Square("c1"))


@pytest.mark.parametrize("rules", RULES)
def test_hints_are_ranked_and_of_one_kind(rules: str) -> None:
    position = after_random_plies(rules, 1, 6)
    engine = Engine(7)
    every = engine.hint(position, 99)
    assert sorted(hint.move for hint in every) == list(position.legal_moves)
    assert len({hint.score.kind for hint in every}) == 1
    values = [hint.score.value for hint in every]
    assert values == sorted(values, reverse=True)
    for hint in every:
        assert hint.pv[0] == hint.move
        end_of(position, hint.pv)
    few = engine.hint(position, 2)
    assert len(few) == min(2, len(values))
    assert engine.hint(position, 2) == pytest.approx(few) or [h.move for h in engine.hint(position, 2)] == [
        h.move for h in few
    ]


def test_wrong_questions() -> None:
    for level in (0, MAX_LEVEL + 1):
        with pytest.raises(InputError, match=f"level must be .* not {level}"):
            Engine(level)
    with pytest.raises(InputError, match="count must be a whole number, at least 1, not 0"):
        Engine(1).hint(Position(), 0)
    over = Position.from_discs(0b11, 0, Color.WHITE, parse_rules("othello"))
    for ask in (Engine(1).choose, Engine(1).hint):
        with pytest.raises(GameError, match="over"):
            ask(over)


@pytest.mark.parametrize("text", RULES)
def test_what_levels_do_grows_with_them(text: str) -> None:
    levels = [level_for(number, parse_rules(text)) for number in range(1, MAX_LEVEL + 1)]
    for low, high in itertools.pairwise(levels):
        assert low.depth <= high.depth
        assert low.noise >= high.noise
        assert low.caution <= high.caution
        assert low.exact_from <= high.exact_from
        assert low.solve_from <= high.solve_from
        assert low.exact_from <= low.solve_from
    assert levels[-1].exact_from >= 10


@pytest.mark.parametrize("number", range(10, MAX_LEVEL + 1))
def test_from_level_10_on_the_standard_game_is_solved_from_20_empty_squares(number: int) -> None:
    assert level_for(number).exact_from >= 20
    assert level_for(number).solve_from >= 22


def test_exact_means_exact_whatever_the_level() -> None:
    position = after_random_plies("othello", 2, 48)
    exact = Engine(1, exact=True).choose(position)
    assert exact.score.kind is Kind.EXACT
    assert exact.score.value == Engine(MAX_LEVEL).choose(position).score.value
    assert all(hint.score.kind is Kind.EXACT for hint in Engine(1, exact=True).hint(position, 99))


def test_a_time_for_every_move() -> None:
    began = time.perf_counter()
    choice = Engine(time_s=0.4).choose(Position())
    assert time.perf_counter() - began < SOON_S
    assert choice.score.kind is Kind.HEURISTIC
    assert choice.score.depth >= 2
    ending = after_random_plies("othello", 2, 48)
    assert Engine(time_s=20).choose(ending).score.kind is Kind.EXACT
    for wrong in (0, -1, float("nan"), float("inf")):
        with pytest.raises(InputError, match="seconds"):
            Engine(time_s=wrong)


def test_the_clock_is_honoured() -> None:
    began = time.perf_counter()
    choice = Engine(MAX_LEVEL).choose(Position().play("f5"), clock=ClockReading(3.0, 0.0))
    assert time.perf_counter() - began < SOON_S
    assert choice.score.depth >= 4
    # with no time at all there is still a move
    assert Position().is_legal(Engine(MAX_LEVEL).choose(Position(), clock=ClockReading(0.001, 0.0)).move)


def test_a_slow_search_without_a_position_says_nothing_about_the_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reversi.engine.engine._MEASURED", -1.0)  # as on a machine that is busy elsewhere
    engine, clock = Engine(10), ClockReading(30.0, 0.0)
    forced = Position.parse("-" + "O" * 55 + "X" * 8 + " X")
    for position in (forced, Position()):
        assert engine.choose(position, clock=clock).move in position.legal_moves


def test_a_choice_can_be_cancelled_from_another_thread() -> None:
    engine = Engine(MAX_LEVEL)
    threading.Timer(0.2, engine.cancel).start()
    began = time.perf_counter()
    with pytest.raises(EngineCancelled):
        engine.choose(Position())
    assert time.perf_counter() - began < SOON_S
    # and the engine is as good as new
    assert Engine(3).choose(Position()).move in Position().legal_moves
    assert engine.choose(Position(), clock=ClockReading(0.5, 0.0)).move in Position().legal_moves


@pytest.mark.parametrize("rules", ["othello,board=6x6", "othello,board=6x6,misere", "adjacent,board=6x6"])
def test_it_beats_random_play(rules: str) -> None:
    won = 0
    for seed in range(6):
        game, random, engine = Game(parse_rules(rules)), Random(seed), Engine(7, seed)
        mine = Color.BLACK if seed % 2 else Color.WHITE
        while not game.is_over:
            ours = game.to_move is mine
            game.play(engine.choose(game.position).move if ours else game.position.legal_moves.choice(random))
        assert game.result is not None
        won += game.result.winner is mine
    assert won >= 5


CORNER_OF = {
    near: corner
    for corner, squares in {"a1": "b2 a2 b1", "a8": "b7 a7 b8", "h1": "g2 h2 g1", "h8": "g7 h7 g8"}.items()
    for near in squares.split()
}


def beginner(position: Position, random: Random) -> object:
    """Someone who takes corners, stays away from the squares beside empty ones, and plays anything else."""
    moves = list(position.legal_moves)
    corners = [move for move in moves if str(move) in CORNER_OF.values()]
    careful = [m for m in moves if str(m) not in CORNER_OF or position[CORNER_OF[str(m)]] is not None]
    chosen = corners or careful or moves
    return chosen[random.below(len(chosen))]


@pytest.mark.parametrize(("level", "wins"), [(1, False), (3, True)])
def test_the_lowest_level_loses_to_a_beginner_who_knows_about_corners(level: int, wins: bool) -> None:
    won = lost = 0
    for seed in range(40):
        game, random, engine = Game(), Random(seed), Engine(level, seed)
        mine = Color.BLACK if seed % 2 else Color.WHITE
        while not game.is_over:
            ours = game.to_move is mine
            game.play(engine.choose(game.position).move if ours else str(beginner(game.position, random)))
        assert game.result is not None
        won += game.result.winner is mine
        lost += game.result.winner is mine.opponent
    assert (won > lost) is wins, (won, lost)


@pytest.mark.parametrize(
    ("time_s", "clock", "megabytes"),
    [
        (None, ClockReading(1.0, 0.02), 16),
        (None, ClockReading(10.0, 0.0), 32),
        (None, ClockReading(0.0, 0.0, 1.0, 1), 64),
        (None, ClockReading(300.0, 0.0), 128),
        (0.05, None, 16),
        (5.0, None, 128),
        (5.0, ClockReading(1.0, 0.0), 16),
    ],
)
def test_the_table_of_a_quick_game_is_small(
    monkeypatch: pytest.MonkeyPatch, time_s: float | None, clock: ClockReading | None, megabytes: int
) -> None:
    # the system hands out memory slowly: a large table cost the first moves of a game of a second all their time
    made: list[int] = []

    def searcher(size: int, threads: int) -> Searcher:
        made.append(size)
        return Searcher(size, threads)

    monkeypatch.setattr(engine_module, "Searcher", searcher)
    Engine(MAX_LEVEL if time_s is None else None, time_s=time_s).choose(
        after_random_plies("othello", 1, 56), clock
    )
    assert made == [megabytes]


def test_prepare_loads_the_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "_default", None)
    Engine(3).prepare(Position(parse_rules("adjacent")))
    assert weights._default is None
    Engine(3).prepare(Position())
    assert weights._default is not None


def test_mirrored_positions_and_moves_have_the_same_hints() -> None:
    first = engine_hint(Position(), 4, level=4)
    assert [scored.move for scored in first] == list(Position().legal_moves)
    assert len({scored.score for scored in first}) == 1
    position = Position().play("f5").play("d6").play("c3").play("g5")
    for level in (4, 8):
        found = [engine_hint(position.symmetry(index), 64, level=level) for index in range(8)]
        for index, hints in enumerate(found):
            assert [scored.score for scored in hints] == [scored.score for scored in found[0]]
            best = [scored.move for scored in hints if scored.score.value == hints[0].score.value]
            images = {scored.move.symmetry(index) for scored in found[0][: len(best)]}
            assert set(best) == images
            for scored in hints:
                game = Game(position.symmetry(index))
                game.play_all(scored.pv)
