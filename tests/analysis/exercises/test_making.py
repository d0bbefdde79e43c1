"""Exercises from positions and games: which positions are any, and their values, difficulties and themes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from random_games import random_game
from reversi import PASS, Cancel, Color, Kind, Move, MoveValue, Position, parse_rules, solve
from reversi.analysis import analyze
from reversi.analysis.exercises import ExerciseTheme, Judge, from_analysis, from_game, from_position
from reversi.analysis.exercises.drill import Drill, Queue
from reversi.analysis.exercises.exercise import Exercise, best_moves, card_id
from reversi.analysis.exercises.making import annotated_moves, from_mistake, is_position, origin_of, spread
from reversi.analysis.exercises.ratings import chance_of, class_of, class_text, difficulty_of
from reversi.analysis.judgement import prospect
from reversi.engine.engine import EngineCancelled
from reversi.engine.explaining import explain
from reversi.people import move_chances
from reversi.records import Record, positions, read_games
from reversi.records.from_game import record_from_game
from reversi.solver import MoveScore
from reversi.text import parse_board

# White to move: f2 +2, every other move loses at least 6 discs more
ONE_BEST = parse_board("OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX O")
TWO_BEST = parse_board("OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX X")
EQUAL_BEST = parse_board("-OXXXX--OXXXXXOOOXXXOXOOOOOOOXOOOOXOXXOO-XOOXX--XXXXOOX---XXOXXX O")
VARIANTS = [
    "adjacent",
    "othello,optional-skip,board=6x6",
    "othello,misere,board=4x6",
    "othello,discs-only,board=6x6",
]


def finished_game(seed: int = 2) -> Record:
    """A random game, played to its end."""
    return record_from_game(random_game("othello", seed))


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge()


def test_an_exercise_has_one_best_move_and_the_values_of_all(judge: Judge) -> None:
    exercise = from_position(ONE_BEST, judge)
    assert exercise is not None
    solved = {one.move: one.score.value for one in solve(ONE_BEST, all_moves=True).moves}
    assert {one.move: one.score.value for one in exercise.moves} == solved
    best, second, *_ = sorted(solved.values(), reverse=True)
    assert exercise.answers == (max(solved, key=lambda move: solved[move]),)
    assert exercise.played is None
    assert exercise.score.kind is Kind.EXACT
    assert exercise.loss(exercise.moves[1].move) == best - second >= 2


def test_positions_that_are_no_exercise(judge: Judge) -> None:
    assert from_position(TWO_BEST, judge) is None
    assert from_position(ONE_BEST, judge, margin=40) is None
    forced = ONE_BEST
    while len(forced.legal_moves) != 1 and not forced.is_over:
        forced = forced.play(forced.legal_moves[0])
    assert from_position(forced, judge) is None
    while not forced.is_over:
        forced = forced.play(forced.legal_moves[0])
    assert from_position(forced, judge) is None


def test_symmetric_positions_are_one_exercise() -> None:
    assert len({card_id(position) for position in ONE_BEST.symmetries()}) == 1
    assert card_id(ONE_BEST) != card_id(TWO_BEST)
    assert card_id(ONE_BEST) != card_id(ONE_BEST.with_rules(parse_rules("othello,discs-only")))


def test_the_difficulty_is_the_rating_of_who_finds_the_move_in_half_the_games(judge: Judge) -> None:
    found = from_game(finished_game(), judge, empties=range(5, 16), margin=1, count=None)
    for exercise in found:
        chances = move_chances(exercise.position, 1500)
        chance = sum(chances[move] for move in exercise.answers)
        assert exercise.difficulty == difficulty_of(chance)
        assert chance_of(exercise.difficulty) == pytest.approx(chance, abs=0.005)
    assert len({exercise.difficulty_class for exercise in found}) > 1
    assert difficulty_of(0.5) == 1500
    assert difficulty_of(1) < difficulty_of(10 / 11) == 1100


@pytest.mark.parametrize(
    ("board", "theme", "task"),
    [
        (
            "XXXXXXXX-.OXXXXX..OOXXXXO.OXXXXXO.OOXXXXOOOOXXXXOOXOOOXXXXXXXXXX X",
            "wipe-out",
            "find the only move that leaves White without a disc.",
        ),
        (
            "-.OOOOO-..XXXOO-.XXXOOOOXXOXOXXOOOXOOOXXOOXXOOXX-.OOOO..-OOOOOO- O",
            "draw",
            "find the only move that draws.",
        ),
        (
            "-XXXXXXX.OOOOOXXOOOXOXOXOOXOXOOOOXOXOXO.OXXOXOOO-XXXOOO.-XXXXX.- X",
            "sacrifice",
            "find the only move that wins.",
        ),
        (
            "OOOOOO..O.XXOOOXOXOXOOOXOOXOXOOXOOOXXXOXOOXXXOXXOXOOOO.XX.OOOOO- X",
            "last-moves",
            "find the only move that wins.",
        ),
        (
            "XXXXXX--X.OXXX.OXOXXXXOOXXOOOOXOXXXOOOXOXXXXOOOO-.OOXOOO-..OX.OO X",
            "mobility",
            "find the only move that wins.",
        ),
        (
            "O-XXOO.-.OXXO.--OOOXXXXOOOOXXXOOOOOXXOOOO.OXOOOOO.XOOX..-XXXXX-- X",
            "parity",
            "find the only move that wins.",
        ),
        (
            "----X-.-X--XXXOO.XXXXOOXOOXOOOOXOXXOOXOOOOXOXOOXOOXXOO....XXXO.- X",
            "corner",
            "find the only move that wins.",
        ),
    ],
)
def test_themes(board: str, theme: str, task: str, judge: Judge) -> None:
    exercise = from_position(parse_board(board.replace(".", "-")), judge, only_moves=True)
    assert exercise is not None
    assert (str(exercise.theme), exercise.task) == (theme, task)
    mistake = from_mistake(exercise.position, exercise.moves[-1].move, judge)
    assert mistake is not None
    assert (mistake.theme, mistake.difficulty) == (exercise.theme, exercise.difficulty)


def test_only_moves(judge: Judge) -> None:
    assert from_position(ONE_BEST, judge) is not None
    assert from_position(ONE_BEST, judge, only_moves=True) is None  # it is lost


def test_exercises_are_spread_by_difficulty_and_theme() -> None:
    made = []
    for number, (difficulty, theme) in enumerate(
        [(1200, ExerciseTheme.DRAW)] * 5
        + [(1200, ExerciseTheme.CORNER)] * 2
        + [(1500, ExerciseTheme.DRAW)] * 2
        + [(1900, ExerciseTheme.PARITY)]
    ):
        position = list(positions(finished_game()))[20 + number]
        made.append(Exercise(position, (), theme, difficulty))
    chosen = spread(made, 7)
    assert [made.index(one) for one in chosen] == [0, 1, 5, 6, 7, 8, 9]
    assert spread(made, 100) == made


def test_classes_of_difficulty() -> None:
    assert [class_of(at) for at in (1099, 1100, 1249, 1250, 1399, 1400, 1549, 1550, 1699, 1700, 1999, 2000)] == [
        *(0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5),
        6,
    ]
    assert [class_text(number) for number in (0, 4, 6)] == ["trivial", "difficulty 4 of 5", "hopeless"]


@pytest.mark.parametrize("rules", VARIANTS)
def test_every_rule_set(rules: str, judge: Judge) -> None:
    position = Position(parse_rules(rules))
    at = 0
    found = []
    while not position.is_over:
        if position.empties <= 10:
            exercise = from_position(position, judge, margin=1)
            if exercise is not None:
                found.append(exercise)
                values = {one.move: one.score.value for one in solve(position, all_moves=True).moves}
                assert {one.move: one.score.value for one in exercise.moves} == values
        moves = [move for move in position.legal_moves if move != PASS] or [PASS]
        position = position.play(moves[at % len(moves)])
        at += 3
    assert found


def test_scores_of_a_file_spare_the_search() -> None:
    text = (
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; "
        "G8:+18; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4; A4:-22; G2:-24;"
    )
    (entry,) = read_games(text)
    assert is_position(entry.record)
    stated = annotated_moves(entry.record)
    assert stated[Move.parse("g8")] == 18
    judge = Judge(exact_from=10)
    exercise = from_position(entry.record.start, judge, annotated=stated)
    assert exercise is not None
    assert {one.move: one.score.value for one in exercise.moves} == stated
    partly = from_position(
        entry.record.start, Judge(level=1, exact_from=10), annotated={Move.parse("g8"): 18}, margin=1
    )
    assert partly is None or {one.move for one in partly.moves} == set(stated)


def test_a_game_gives_its_hardest_positions(judge: Judge) -> None:
    record = finished_game()
    every = from_game(record, judge, empties=range(5, 13), margin=1, count=None)
    assert len(every) > 2
    assert [one.difficulty for one in every] == sorted((one.difficulty or 0 for one in every), reverse=True)
    few = from_game(record, judge, empties=range(5, 13), margin=1, count=2)
    assert [one.id for one in few] == [one.id for one in every[:2]]
    *_, last = positions(record)
    boards = [position.empties for position in positions(record)]
    assert all(boards[one.origin.ply - 1] == one.position.empties for one in every)
    assert last.is_over


def test_where_a_game_comes_from() -> None:
    (entry,) = read_games('[Black "Ada"]\n[White "?"]\n[Date "2024.05.??"]\n\n1. f5 d6 *\n')
    origin = origin_of(entry.record.tags, "a.pgn", 3)
    assert (origin.black, origin.white, origin.date) == ("Ada", "", "2024.05")
    assert str(origin) == "Ada – ?, 2024.05, a.pgn#3"


def test_a_mistake_is_one_by_the_values_of_all_moves(judge: Judge) -> None:
    values = {one.move: one.score.value for one in solve(ONE_BEST, all_moves=True).moves}
    best = max(values.values())
    for move, value in values.items():
        exercise = from_mistake(ONE_BEST, move, judge)
        lost_outcome = (best > 0) - (best < 0) > (value > 0) - (value < 0)
        assert (exercise is not None) == (best - value >= 4 or lost_outcome)
        if exercise is not None:
            assert exercise.played == move
            assert move not in exercise.answers
    assert sum(from_mistake(ONE_BEST, move, judge) is not None for move in values) >= 2


def test_the_mistakes_of_an_analyzed_game() -> None:
    judge = Judge(level=4, exact_from=12)
    analysis = analyze(finished_game(), level=6, exact_from=12)
    found = list(from_analysis(analysis, judge))
    plies = [one.origin.ply for one in found]
    assert plies == sorted(plies)
    lost = {turn.ply for turn in analysis.turns if turn.loss >= 4 or turn.outcome_changed}
    exact = {ply for ply in lost if analysis.turn(ply).position.empties <= 12}
    assert exact
    assert exact == {one.origin.ply for one in found if one.position.empties <= 12}
    for one in found:
        turn = analysis.turn(one.origin.ply)
        assert (one.position, one.played) == (turn.position, turn.move)
        assert turn.move not in one.answers
        if one.score.kind is Kind.EXACT:
            assert one.loss(turn.move) == turn.loss
            assert set(one.answers) == set(turn.best)
    white = list(from_analysis(analysis, judge, colors=[Color.WHITE]))
    assert [one.id for one in white] == [one.id for one in found if one.position.to_move is Color.WHITE]
    assert 0 < len(white) < len(found)
    large = list(from_analysis(analysis, judge, min_loss=64))
    assert {one.id for one in large} < {one.id for one in found}
    for one in large:
        assert one.played is not None
        assert prospect(one.score.value) is not prospect(one.scored(one.played).score.value)


def test_what_the_error_of_a_search_hides_is_right_too() -> None:
    position = parse_board(f"{'-' * 27}OX{'-' * 6}XO{'-' * 27} X").play("f5").play("d6").play("c3")
    moves = Judge(level=4).value_all(position)
    answers = best_moves(moves)
    assert moves[0].score.kind is Kind.HEURISTIC
    assert len(answers) > 1
    assert from_position(position, Judge(level=4)) is None


def test_a_second_right_answer_is_explained_by_itself(judge: Judge) -> None:
    exercise = Exercise(EQUAL_BEST, judge.value_all(EQUAL_BEST), ExerciseTheme.OTHER, None)
    assert len(exercise.answers) > 1
    for move in exercise.answers:
        own = explain(EQUAL_BEST, move, line=exercise.scored(move).pv[1:])
        said = [line.strip() for line in exercise.explanation(move) if line.startswith("    ")]
        assert said == [str(remark) for remark in own]


def test_cancelling() -> None:
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(EngineCancelled):
        from_position(ONE_BEST, Judge(cancel=cancel))


def test_a_position_of_white_has_values_of_white(judge: Judge) -> None:
    exercise = from_position(ONE_BEST, judge)
    assert exercise is not None
    assert exercise.position.to_move is Color.WHITE
    assert exercise.score.value == solve(ONE_BEST).score.value


def test_an_exercise_claims_no_outcome_that_its_values_leave_open() -> None:
    position = Position().play("f5")
    scores = [
        MoveValue.stated(value, Kind.HEURISTIC, position.to_move, 64, depth=18, confidence=None)
        for value in (0, -8, -9)
    ]
    moves = tuple(map(MoveScore, position.legal_moves, scores, [()] * 3))
    exercise = Exercise(position, moves, ExerciseTheme.OTHER, None)
    assert exercise.explanation(moves[1].move)[0] == f"Wrong: {moves[1].move} loses 8 discs."
    assert exercise.explanation(moves[0].move)[-1] == f"The next best move, {moves[1].move}, loses 8 discs."


def test_tips_name_no_move_that_is_called_wrong(judge: Judge) -> None:
    """Neither the mistake of the game nor a wrong answer, when the exercise comes back."""
    exercise = from_position(ONE_BEST, judge)
    assert exercise is not None
    best, second, third, fourth = (scored.move for scored in exercise.moves[:4])
    mistake = replace(exercise, played=second)
    drill = Drill(Queue([mistake]))
    assert drill.next()
    tips = [drill.hint() for _ in range(3)]
    assert tips[2] == f"It is one of: {' '.join(map(str, sorted((best, third, fourth))))}."
    assert not drill.answer(third).right
    assert drill.next()
    tips = [drill.hint() for _ in range(3)]
    assert str(best) in tips[2]
    assert str(fourth) in tips[2]
    assert not {str(second), str(third)} & set(tips[2].rstrip(".").split())
