"""The model of people's moves: its samples and its fit."""

import gzip
import sys
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="training needs NumPy")
pytest.importorskip("scipy", reason="training needs SciPy")

ROOT = Path(__file__).resolve().parents[2]
if not (ROOT / "training").is_dir():
    pytest.skip("the training folder is not here", allow_module_level=True)
sys.path.append(str(ROOT))

from training.people_check import bands, calibration, found_moves, interval, judge  # noqa: E402
from training.people_fit import Choices, chances, fit, log_likelihood  # noqa: E402

from record_samples import random_record  # noqa: E402
from reversi import Move, Position  # noqa: E402
from reversi.engine.habits import default_habits, habits_of, patterns  # noqa: E402
from reversi.engine.people import FEATURES, GRID, basis_of, default_model, features_of, played_games  # noqa: E402
from reversi.records.formats.wthor import pack_wthor  # noqa: E402
from reversi.text import format_board, parse_board  # noqa: E402
from training import people, people_fit, people_habits, people_play, people_rating  # noqa: E402

PLAYERS = ("???", "Ada", "Bob", "Machine (Smith)")


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Three years of games: Ada against Bob, and both against a program."""
    folder = tmp_path_factory.mktemp("archive")
    for year in (2005, 2006, 2009):
        records = []
        for number, (black, white) in enumerate(((1, 2), (2, 1), (1, 3), (3, 2))):
            record = random_record(7 * year + number)
            record.tags.update(
                {"Date": f"{year}.??.??", "Black": PLAYERS[black], "White": PLAYERS[white], "Event": "Club"}
            )
            records.append(record)
        files = pack_wthor(records, players=PLAYERS)
        (folder / f"WTH_{year}.wtb").write_bytes(files.games)
        (folder / "WTHOR.JOU").write_bytes(files.players.pack())
        (folder / "WTHOR.TRN").write_bytes(files.tournaments.pack())
    return folder


@pytest.mark.parametrize(("name", "program"), [("Ada", False), ("Machine (Smith)", True), ("", False)])
def test_programs_have_an_author(name, program):
    assert people.is_program(name) is program


def test_samples_are_moves_of_people_with_a_rating_of_the_year_before(archive, monkeypatch):
    found = people.samples(archive, 1)
    # without a rating in the first year, and of too uncertain ones later
    assert set(found["year"].tolist()) == {2005}
    assert len(found) == 4
    assert set(found["player"].tolist()) == {0, 1}
    assert np.isnan(found["rating"][found["year"] == 2005]).all()
    assert people.samples(archive, 1).tobytes() == found.tobytes()
    assert people.samples(archive, 2).tobytes() != found.tobytes()
    monkeypatch.setattr(people, "MOST_DEVIATION", 400)
    found = people.samples(archive, 1)
    # one position of each player in a game, and three in years that take part in no fit
    assert [int((found["year"] == year).sum()) for year in (2005, 2006, 2009)] == [4, 4, 12]
    assert not np.isnan(found["rating"][found["year"] > 2005]).any()
    for sample in found:
        position = Position.from_discs(int(sample["p"]), int(sample["o"]))
        assert position == position.canonical()
        assert int(sample["move"]) in [move.index for move in position.legal_moves]
        assert len(position.legal_moves) > 1


def test_ratings_from_moves_are_compared_with_those_of_the_archive():
    """Two players whose moves say what they are, in two years."""
    kind = [("player", "<u4"), ("game", "<u4"), ("year", "<u2"), ("rating", "<f4")]
    samples = np.array(
        [(player, game, 2009, (1100, 1700)[player]) for player in (0, 1) for game in range(60)], kind
    )
    samples["year"][::2] = 2010
    slope = np.linspace(-0.1, 0.1, len(GRID))
    logs = np.where(samples["player"][:, None] == 1, slope, -slope)
    lines = list(people_rating.rows(samples, logs, 1400.0, 1))
    assert [line.partition(":")[0] for line in lines] == ["27 to 53 moves", "5 games or more"]
    assert all("4 players and years" in line and "of everybody average 300," in line for line in lines)
    assert int(lines[0].split("error ")[1].split(",")[0]) < 200
    assert "not surely" not in lines[0]
    wrong = list(people_rating.rows(samples, -logs, 1400.0, 1))
    assert "(not surely better)" in wrong[0]


def test_levels_like_people_play_games(archive):
    losses, openings = people_play.play(2, 1)
    assert {rating: openings[rating].total() for rating in openings} == dict.fromkeys(people_play.RATINGS, 4)
    assert all(0 <= loss <= 15 for own in losses.values() for lost in own.values() for loss in lost)
    rows = list(people_play.rows(losses, losses))
    assert len(rows) == 9
    assert all(row.endswith("ratio 1.00") for row in rows)
    assert list(people_play.opening_rows(openings, openings))[-1].endswith("have 100 % in common")
    assert people_play.openings_of_people(archive)[1450].total() == 0  # nobody's rating is known so well


def test_shards_continue_and_are_the_same_in_parts(archive, tmp_path, monkeypatch):
    monkeypatch.setattr(people, "SHARD", 2)
    one, two = tmp_path / "one", tmp_path / "two"
    every = len(people.samples(archive, 1))
    assert sum(count for _, count in people.make_shards(one, archive, 1)) == every
    assert list(people.make_shards(one, archive, 1)) == []
    for part in (1, 0):
        list(people.make_shards(two, archive, 1, part, 2))
    for first, second in zip(people.read_shards(one), people.read_shards(two), strict=True):
        assert first.tobytes() == second.tobytes()
    assert len(list(people.make_shards(tmp_path / "few", archive, 1, most=1))) == 1
    with pytest.raises(ValueError, match="no shards of people's moves"):
        people.read_shards(tmp_path)


def test_features_are_those_of_the_library(archive, tmp_path):
    list(people.make_shards(tmp_path, archive, 1))
    samples, values = people.read_shards(tmp_path)
    openings = default_model().openings
    choices = people_fit.choices_of(samples, values, openings, default_habits())
    assert sum(len(one.at) for one in choices) == len(samples)
    first = 0
    for at, sample in enumerate(samples):
        position = Position.from_discs(int(sample["p"]), int(sample["o"]))
        count = len(position.legal_moves)
        (row,) = [one.x[one.at == at][0] for one in choices if at in one.at]
        worth, games = values[first : first + count].tolist(), played_games(openings, position)
        expected = features_of(position, worth, games, habits_of(position, default_habits()))
        assert row == pytest.approx(np.array(expected, np.float32))
        first += count


def test_habits_are_learned_from_games_without_the_samples(archive):
    samples = people.samples(archive, 1)
    every = people_habits.played_moves(archive, samples[:0])
    moves = people_habits.played_moves(archive, samples)
    assert len(moves) == len(every) - len(samples)
    weights, likelihoods = people_habits.learn_habits(moves, 1, 20)
    assert likelihoods == sorted(likelihoods)
    assert len(weights) == patterns()[0]
    assert gzip.decompress(people_habits.pack(weights)) == weights.tobytes()
    right = 0
    for row in moves:
        position = Position.from_discs(int(row["p"]), int(row["o"]))
        scores = habits_of(position, weights.tolist())
        squares = [move.index for move in position.legal_moves]
        right += squares[scores.index(max(scores))] == row["move"]
    assert right > len(moves) / 2  # of moves that are random


def chosen_by(theta, base, count, seed):
    """Choices of somebody with known weights."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(count, 5, len(theta[0]))).astype(np.float32)
    one = Choices(np.arange(count), x, np.zeros(count, int), np.zeros(count, int))
    found = chances(one, base, theta)
    chosen = (found.cumsum(axis=1) < random.random((count, 1))).sum(axis=1)
    return Choices(one.at, x, np.minimum(chosen, 4), one.best)


def test_the_fit_finds_the_weights_that_chose():
    random = np.random.default_rng(3)
    base = random.random((8000, 2)).astype(np.float32)
    theta = np.array([[1.0, -2.0, 0.0], [0.5, 1.0, 3.0]], np.float32)
    choices = [chosen_by(theta, base, 8000, 1)]
    found = fit(choices, base, ridge=0.1)
    assert found == pytest.approx(theta, abs=0.25)
    assert log_likelihood(choices, base, found) >= log_likelihood(choices, base, theta)
    for number, count, mean, share in calibration(choices, base, found):
        assert number / 10 <= mean <= number / 10 + 0.1
        assert count < 100 or abs(mean - share) < 0.06


def test_ties_share_the_credit():
    x = np.zeros((1, 4, len(FEATURES)), np.float32)
    x[0, 3, : len(FEATURES)] = 1  # one move loses by every search
    choices = [Choices(np.array([0]), x, np.array([1]), np.array([0]))]
    base = np.array([basis_of(30, 1500, 0, 4)], np.float32)
    none = np.zeros((base.shape[1], len(FEATURES)), np.float32)
    simple = none[:, : sum("depth" in name for name in FEATURES)]
    judged = {one.name: one for one in judge(choices, 1, base, none, simple)}
    assert judged["uniform"].first[0] == pytest.approx(1 / 4)
    assert judged["uniform"].third[0] == pytest.approx(3 / 4)
    assert judged["engine, depth 4"].first[0] == pytest.approx(1 / 3)
    assert judged["engine, depth 4"].third[0] == 1
    assert judged["the model"].log[0] == pytest.approx(np.log(1 / 4))


def test_intervals_are_over_players():
    players = np.repeat(np.arange(50), 20).astype(np.uint32)
    values = (players % 2).astype(np.float32)
    low, high = interval(values, players, 1)
    assert 0.3 < low < 0.42
    assert 0.58 < high < 0.7


def test_bands_leave_players_without_a_rating_apart():
    samples = np.zeros(3, people.SAMPLE)
    samples["rating"] = [1250, np.nan, 1750]
    samples["p"] = 0xFF
    samples["year"] = 2009
    found = {name: inside.tolist() for name, inside in bands(samples)}
    assert found["all"] == [True, False, True]
    assert found["1200 to 1299"] == [True, False, False]
    assert found["from 1700"] == [False, False, True]
    assert found["no rating"] == [False, True, False]


def test_found_moves_keep_the_result():
    """The only move that wins, one that does not, a position with too many empty squares, and one that is lost."""
    board = "-XXXXXXX-OOOOOXXOOOXOXOXOOXOXOOOOXOXOXO-OXXOXOOO-XXXOOO--XXXXX-- X"
    lost = "OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX O"
    moves = [(board, "a2"), (board, "g8"), (format_board(Position()), "f5"), (lost, "a8")]
    rows = [
        (position.player, position.opponent, Move.parse(move).index, 1500.0, 50.0, 0, 0, 2009)
        for position, move in ((parse_board(text), move) for text, move in moves)
    ]
    first, second = found_moves(np.array(rows, people.SAMPLE))
    assert (first.kept, second.kept) == (True, False)
    assert first.number == second.number == 3
    assert first.chance == second.chance == pytest.approx(0.61, abs=0.05)
