"""The levels of beginners: what they see, and that they play like people."""

import pytest

from random_games import random_positions
from reversi import Color, Position
from reversi._core import Random
from reversi.engine.beginners import BEGINNERS, Beginner, beginners_choice
from reversi.engine.engine import Engine
from reversi.engine.levels import BEGINNER_LEVELS, LADDER, level_for, parse_level, strongest
from reversi.engine.search import search
from reversi.errors import InputError
from reversi.game.game import Game
from reversi.match.statistics import PairCounts
from reversi.rules import parse_rules

SEES_ALL = Beginner(sees=1, discs=1, corner=100, edge=0, beside=-50, ahead=0, noise=0)


def choice(beginner: Beginner, position: Position, seed: int = 0) -> str:
    moves = search(position, count=64, depth=1).moves
    return str(beginners_choice(beginner, position, moves, Random(seed)).move)


def test_the_ladder_begins_with_names() -> None:
    assert [level for level in LADDER if level in BEGINNER_LEVELS] == list(BEGINNER_LEVELS)
    assert [level for level in LADDER if isinstance(level, int)] == list(range(1, 61))
    assert LADDER.index(3) == len(BEGINNER_LEVELS) + 2
    assert [level_for(name).beginner for name in BEGINNER_LEVELS] == list(BEGINNERS)
    assert level_for(1).beginner is None
    assert strongest(["beginner-2", 1, "beginner-4"], 5) == 1
    assert strongest([], 5) == 5


@pytest.mark.parametrize(("text", "level"), [("7", 7), (" Beginner-2 ", "beginner-2"), ("60", 60)])
def test_levels_are_read(text: str, level: int | str) -> None:
    assert parse_level(text) == level


@pytest.mark.parametrize("text", ["0", "61", "beginner-0", "beginner-8", "beginner", "", "1.5", "-1"])
def test_what_is_no_level_is_refused(text: str) -> None:
    with pytest.raises(
        InputError,
        match="level must be 1 to 60, beginner-1 to beginner-7, people-1100 to people-1700, or club-1 to club-3",
    ):
        parse_level(text)


def test_a_seed_decides_a_beginners_game() -> None:
    def game(seed: int) -> tuple[object, ...]:
        engine, now = Engine("beginner-2", seed), Game()
        while not now.is_over:
            now.play(engine.choose(now.position).move)
        return now.moves

    assert game(1) == game(1)
    assert game(1) != game(2)


@pytest.mark.parametrize("rules", ["othello", "othello,board=4x6", "adjacent,optional-skip", "othello,misere"])
def test_beginners_play_under_every_rule_set(rules: str) -> None:
    for level in BEGINNER_LEVELS:
        game = Game(parse_rules(rules))
        engine = Engine(level, 3)
        while not game.is_over:
            game.play(engine.choose(game.position).move)
        assert game.result is not None


def test_a_beginner_who_sees_all_takes_the_most_discs_and_corners() -> None:
    for position in random_positions(40, 1):
        placements = [move for move in position.legal_moves if not move.is_pass]
        if len(placements) < 2:
            continue
        flips = {str(move): len(position.flips(move)) for move in placements}
        corners = {"a1", "a8", "h1", "h8"} & set(flips)
        beside = {"b2", "b7", "g2", "g7", "a2", "a7", "b1", "b8", "g1", "g8", "h2", "h7"}
        chosen = choice(SEES_ALL, position)
        if corners:
            assert chosen in corners
        elif rest := set(flips) - beside:
            assert flips[chosen] >= max(flips[move] for move in rest) - 50 * (chosen in beside)


def test_a_beginner_under_misere_takes_few_discs_and_no_corner() -> None:
    position = Position(parse_rules("othello,misere"))
    for move in ("f5", "d6", "c5", "f4"):
        position = position.play(move)
    fewest = min(len(position.flips(move)) for move in position.legal_moves)
    assert len(position.flips(choice(SEES_ALL, position))) == fewest


def test_beginners_miss_moves_but_play_one() -> None:
    blind = Beginner(sees=0, discs=1, corner=9, edge=0, beside=0, ahead=0, noise=0)
    chosen = {choice(blind, Position(), seed) for seed in range(40)}
    assert chosen == {"d3", "c4", "f5", "e6"}


def test_nobody_skips_who_can_place_a_disc() -> None:
    position = Position(parse_rules("othello,optional-skip"))
    assert {str(Engine("beginner-1", seed).choose(position).move) for seed in range(30)} <= {
        "d3",
        "c4",
        "f5",
        "e6",
    }


@pytest.mark.thorough
def test_each_beginner_beats_the_one_below() -> None:
    """Roughly: the table in docs/engine.md, made by benchmarks/ladder.py, has 200 games for each pair."""
    for stronger, weaker in (("beginner-3", "beginner-1"), ("beginner-6", "beginner-4"), ("3", "beginner-6")):
        points = []
        for pair in range(15):
            score = 0.0
            for color in Color:
                sides = {
                    color: Engine(parse_level(stronger), pair),
                    color.opponent: Engine(parse_level(weaker), pair),
                }
                game = Game()
                while not game.is_over:
                    game.play(sides[game.to_move].choose(game.position).move)
                assert game.outcome is not None
                score += 0.5 if game.outcome.winner is None else float(game.outcome.winner is color)
            points.append(score)
        assert PairCounts.of(points).mean > 0.6
