"""The model of people's moves."""

import math
from collections.abc import Callable

import pytest

from random_games import random_game, random_walk
from reversi import (
    ADJACENT,
    PASS,
    ArgumentError,
    GameError,
    IllegalMoveError,
    InputError,
    Position,
    Random,
    Square,
)
from reversi.color import Color
from reversi.engine.engine import Engine
from reversi.engine.habits import PER_UNIT, default_habits, habits_of, patterns
from reversi.engine.levels import LADDER, PEOPLE_LEVELS, level_for, parse_level
from reversi.engine.people import (
    DEPTHS,
    FEATURES,
    GRID,
    basis_of,
    default_model,
    features_of,
    format_openings,
    played_games,
    read_openings,
    values_of,
)
from reversi.match.contestants import parse_contestant
from reversi.people import difficulty, estimate_rating, move_chances
from reversi.session.players import Side
from reversi.session.session import Session
from reversi.solver import solve


def random_positions(count: int, plies: int, seed: int) -> list[Position]:
    random = Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = random_walk(Position(), plies, random)
        if len(position.legal_moves) > 1:
            found.append(position)
    return found


@pytest.mark.parametrize("plies", [2, 12, 30, 45, 54])
def test_chances_are_those_of_the_legal_moves_and_sum_to_1(plies: int) -> None:
    for position in random_positions(4, plies, plies):
        chances = move_chances(position, 1500)
        assert list(chances) == list(position.legal_moves)
        assert math.isclose(sum(chances.values()), 1, abs_tol=1e-12)
        assert min(chances.values()) > 0
        assert chances == move_chances(position, 1500)


def test_mirror_images_and_colors_have_the_same_chances() -> None:
    (position,) = random_positions(1, 20, 3)
    expected = sorted(move_chances(position, 1400).values())
    for image in position.symmetries():
        assert sorted(move_chances(image, 1400).values()) == expected
    swapped = Position.from_discs(position.white, position.black, position.to_move.opponent)
    assert move_chances(swapped, 1400) == move_chances(position, 1400)


def test_moves_alike_by_symmetry_have_the_same_chance() -> None:
    assert set(move_chances(Position(), 1500).values()) == {0.25}


def test_better_players_find_better_moves() -> None:
    def found(rating: float) -> float:
        total = 0.0
        for position in random_positions(20, 36, 5):
            values = values_of(position)
            best = max(value[-1] for value in values)
            chances = move_chances(position, rating).values()
            total += sum(chance for chance, value in zip(chances, values, strict=True) if value[-1] == best)
        return total

    assert found(1100) < found(1400) < found(1700)


def test_usual_openings_are_likely() -> None:
    chances = move_chances(Position.from_moves("f5d6c3d3c4"), 1500)
    assert max(chances, key=chances.__getitem__) == Square("f4")


def test_ratings_outside_the_data_are_like_the_nearest() -> None:
    (position,) = random_positions(1, 20, 4)
    assert move_chances(position, 100) == move_chances(position, 1000)
    assert move_chances(position, 2500) == move_chances(position, 1900)
    assert move_chances(position, 1500) != move_chances(position, 1501)


def test_a_forced_move_is_certain() -> None:
    forced = Position.from_discs(0x2, 0x4, Color.BLACK)
    assert move_chances(forced, 1500) == {Square("d1"): 1.0}


def test_a_pass_is_certain() -> None:
    position = next(
        each for seed in range(1000) for each in _line(seed) if not each.is_over and each.legal_moves.can_pass
    )
    assert move_chances(position, 1500) == {PASS: 1.0}
    assert difficulty(position, 1500).keeps == 1.0


def _line(seed: int) -> list[Position]:
    game = random_game("othello", seed)
    line = [Position()]
    for move in game.moves:
        line.append(line[-1].play(move))
    return line


@pytest.mark.parametrize("ask", [move_chances, difficulty])
def test_what_the_model_does_not_know_is_refused(ask: Callable[..., object]) -> None:
    with pytest.raises(GameError, match="over"):
        ask(_line(1)[-1], 1500)
    with pytest.raises(InputError, match="standard game, not adjacent"):
        ask(Position(ADJACENT), 1500)
    with pytest.raises(ArgumentError, match="rating must be a number, not 'strong'"):
        ask(Position(), "strong")
    with pytest.raises(InputError, match="finite"):
        ask(Position(), math.nan)
    with pytest.raises(ArgumentError, match="position must be a Position"):
        ask("f5d6", 1500)


def test_a_batch_has_what_its_positions_have() -> None:
    pytest.importorskip("numpy", reason="arrays need NumPy")
    from reversi.arrays import PositionArray

    line = _line(2)
    positions = [*random_positions(3, 30, 6), line[-1]]
    chances = move_chances(PositionArray(positions), 1300)
    hard = difficulty(PositionArray(positions), 1300)
    assert chances.shape == (4, 65)
    assert hard.shape == (4, 2)
    for at, position in enumerate(positions[:3]):
        expected = move_chances(position, 1300)
        assert {move.index: chance for move, chance in expected.items()} == {
            index: chance for index, chance in enumerate(chances[at].tolist()) if chance
        }
        assert hard[at].tolist() == [difficulty(position, 1300).keeps, difficulty(position, 1300).close]
    assert not chances[3].any()
    assert not hard[3].any()
    assert move_chances(PositionArray([]), 1300).shape == (0, 65)


def test_difficulty_counts_moves_that_keep_the_exact_result() -> None:
    for position in random_positions(6, 50, 7):
        scored = {each.move: each.score.value for each in solve(position, multi=64).moves}
        assert len(scored) == len(position.legal_moves)
        chances, best = move_chances(position, 1400), max(scored.values())
        keeps = sum(
            chances[move] for move, value in scored.items() if (value > 0) - (value < 0) == (best > 0) - (best < 0)
        )
        close = sum(chances[move] for move, value in scored.items() if value >= best - 2)
        found = difficulty(position, 1400)
        assert found.keeps == pytest.approx(keeps)
        assert found.close == pytest.approx(close)


@pytest.mark.parametrize(
    ("board", "move", "expected"),
    [
        # Black takes the corner a1 over b1
        ("-OX" + "-" * 61, "a1", {"corner": 1, "flips": 0.1, "one flip": 1, "edge from an own corner": 1}),
        # Black plays the X-square b2
        ("-" * 8 + "--OX" + "-" * 52, "b2", {"X-square": 1, "X-square of an empty corner": 1, "directions": 0.25}),
        # Black plays the C-square b1 between nothing and an opponent
        (
            "--OX" + "-" * 60,
            "b1",
            {"C-square": 1, "C-square of an empty corner": 1, "edge beside the opponent": 1},
        ),
    ],
)
def test_features_say_what_a_move_does(board: str, move: str, expected: dict[str, float]) -> None:
    position = Position.parse(board, to_move=Color.BLACK)
    moves = list(position.legal_moves)
    values = [(0,) * len(DEPTHS)] * len(moves)
    rows = features_of(position, values, [0] * len(moves), [0] * len(moves))
    row = dict(zip(FEATURES, rows[moves.index(Square(move))], strict=True))
    assert {name: row[name] for name in expected} == expected


def test_values_lose_at_most_15_discs_and_are_the_searches_own() -> None:
    (position,) = random_positions(1, 52, 8)
    scored = {each.move: each.score.value for each in solve(position, multi=64).moves}
    best = max(scored.values())
    for move, value in zip(position.legal_moves, values_of(position), strict=True):
        assert min(best - value[-1], 15) == min(best - scored[move], 15)


def test_the_file_fits_the_features() -> None:
    model = default_model()
    assert list(model.weights) == list(FEATURES)
    assert {len(weights) for weights in model.weights.values()} == {len(basis_of(30, 1500, 0, 8))}
    assert read_openings(format_openings(model.openings)) == model.openings
    assert sum(basis_of(41, 1500, 0, 8)[:7]) == pytest.approx(1)


def test_habits_have_a_weight_for_each_state_of_their_patterns() -> None:
    count, of_squares = patterns()
    assert len(default_habits()) == count
    assert max(start + 3 ** len(squares) for own in of_squares for start, squares in own) == count
    for square, own in enumerate(of_squares):
        assert all(square not in squares and len(set(squares)) == len(squares) for _, squares in own)


def test_habits_are_the_sum_of_the_weights_of_the_states() -> None:
    count, of_squares = patterns()
    (position,) = random_positions(1, 24, 2)
    move = next(iter(position.legal_moves))
    found = 0
    for start, squares in of_squares[move.index]:
        weights = [0] * count
        state = "".join(
            "1" if position.player >> one & 1 else "2" if position.opponent >> one & 1 else "0" for one in squares
        )
        weights[start + int(state[::-1], 3)] = PER_UNIT
        found += habits_of(position, weights)[0] >= 1
    assert found == len(of_squares[move.index])
    assert habits_of(position, [0] * count) == [0] * len(position.legal_moves)


def test_habits_are_alike_where_positions_are() -> None:
    (position,) = random_positions(1, 20, 3)
    expected = sorted(habits_of(position, default_habits()))
    for image in position.symmetries():
        assert sorted(habits_of(image, default_habits())) == expected


def test_a_game_does_not_count_for_itself() -> None:
    openings = default_model().openings
    position = Position.from_moves("f5d6c3d3c4")
    every = played_games(openings, position)
    at = list(position.legal_moves).index(Square("f4"))
    without = played_games(openings, position, Square("f4"))
    assert without[at] == pytest.approx(every[at] - 1)
    assert [*without[:at], *without[at + 1 :]] == [*every[:at], *every[at + 1 :]]
    assert played_games(openings, random_positions(1, 30, 9)[0]) == [0.0] * len(
        random_positions(1, 30, 9)[0].legal_moves
    )


def test_chances_by_rating_are_those_of_each_rating() -> None:
    (position,) = random_positions(1, 22, 8)
    for move in position.legal_moves:
        logs = default_model().log_chances(position, move)
        assert len(logs) == len(GRID)
        for at in (0, 7, 18):
            assert logs[at] == pytest.approx(math.log(move_chances(position, GRID[at])[move]), abs=1e-9)


def test_a_rating_is_estimated_from_moves() -> None:
    """That of people who play so; more games make the interval narrower, but it stays wide."""
    strong, weak = (
        [
            [(position, pick(move_chances(position, 1800))) for position in random_positions(20, 24, game)]
            for game in range(6)
        ]
        for pick in (lambda found: max(found, key=found.get), lambda found: min(found, key=found.get))
    )
    best, worst, few = (estimate_rating(games) for games in (strong, weak, strong[:1]))
    assert best is not None
    assert worst is not None
    assert few is not None
    assert worst.rating < few.rating < best.rating
    assert best.low < best.rating < best.high
    assert best.high - best.low < few.high - few.low
    assert (best.games, few.games) == (6, 1)
    assert estimate_rating([]) is None
    forced = Position.parse("OX" + "-" * 62 + " O")
    assert estimate_rating([[(forced, forced.legal_moves[0])]] * 9) is None  # nobody chose anything
    with pytest.raises(IllegalMoveError):
        estimate_rating([[(Position(), Square("a1"))]])


# --- levels


def test_levels_that_play_like_people_have_their_rating() -> None:
    assert tuple(f"people-{rating}" for rating in (1100, 1200, 1300, 1400, 1500, 1600, 1700)) == PEOPLE_LEVELS
    assert [level for level in LADDER if level in PEOPLE_LEVELS] == list(PEOPLE_LEVELS)
    assert parse_level(" People-1400 ") == "people-1400"
    assert [level_for(name).rating for name in PEOPLE_LEVELS] == list(range(1100, 1701, 100))
    assert {level_for(name).depth for name in PEOPLE_LEVELS} == {DEPTHS[-1]}
    assert level_for(5).rating is None
    assert parse_contestant("people-1400").side == Side.engine("people-1400")


def test_a_level_draws_moves_as_people_play_them() -> None:
    position = Position.from_moves("f5d6c3d3c4f4f6")
    chances = move_chances(position, 1300)
    usual = {move: chance for move, chance in chances.items() if chance >= 0.02}
    assert len(usual) < len(chances)
    drawn = [Engine("people-1300", seed).choose(position).move for seed in range(300)]
    assert set(drawn) <= set(usual)
    for move, chance in usual.items():
        expected = chance / sum(usual.values())
        assert abs(drawn.count(move) / 300 - expected) < 4 * math.sqrt(expected * (1 - expected) / 300) + 1e-9
    again = Engine("people-1300", 7)
    assert [again.choose(position).move for _ in range(2)] == [drawn[7]] * 2


def test_a_level_like_people_plays_whole_games() -> None:
    black, white = Engine("people-1100", 1), Engine("people-1700", 2)
    position = Position()
    while not position.is_over:
        engine = black if position.to_move is Color.BLACK else white
        scored = engine.choose(position)
        assert position.is_legal(scored.move)
        assert scored.score.depth == min(8, position.empties)
        position = position.play(scored.move)


def test_exact_engines_do_not_play_like_people() -> None:
    (position,) = random_positions(1, 52, 3)
    best = {
        each.move for each in solve(position, multi=64).moves if each.score.value == solve(position).score.value
    }
    for seed in range(5):
        assert Engine("people-1100", seed, exact=True).choose(position).move in best


def test_people_play_the_standard_game_only() -> None:
    why = "people-1300 plays the standard game only; give another level for adjacent"
    with pytest.raises(InputError, match=why):
        Engine("people-1300").choose(Position(ADJACENT))
    session = Session(Position(ADJACENT), sides={Color.WHITE: Side.engine("people-1300")})
    with pytest.raises(InputError, match=why):
        session.open_players()


def test_people_have_values_under_every_rule_set() -> None:
    assert level_for("people-1300", ADJACENT).depth == DEPTHS[-1]
    (people,), (engine,) = (Engine(level).hint(Position(ADJACENT), 1) for level in ("people-1300", 8))
    assert (people.move, people.score.value) == (engine.move, engine.score.value)
