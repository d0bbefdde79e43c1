"""Exercises on the full screen: the mistakes of a game, and decks."""

from __future__ import annotations

import asyncio
import datetime
import re
from collections.abc import Awaitable, Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from textual.pilot import Pilot

from explorer_samples import whole_game
from random_games import random_game
from reversi import Game, Session, Square, parse_rules
from reversi.analysis import analyze
from reversi.analysis.exercises import Exercise, Judge, ProgressFile, from_analysis
from reversi.analysis.exercises.drill import Drill, Queue
from reversi.analysis.exercises.progress import ExerciseProgress
from reversi.analysis.exercises.schedule import Schedule
from reversi.analysis.exercises.school import School
from reversi.games import Repertoire
from reversi.openings import default_book
from reversi.tui.analysis_screen import AnalysisScreen
from reversi.tui.app import ReversiApp
from reversi.tui.dialogs import Reading
from reversi.tui.exercise_screen import ExerciseScreen
from reversi.tui.widgets import Lines
from screen_driver import Driver, drive, driven, resized, shown

pytestmark = pytest.mark.thorough  # each test starts an application

RULES = parse_rules("othello,board=6x6")
finished = partial(random_game, "othello,board=6x6", 3)
BEGIN = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC)


@pytest.fixture(scope="module")
def exercises() -> list[Exercise]:
    return list(from_analysis(analyze(finished(), level=4), Judge(4)))[:3]


def text(screen: ExerciseScreen, name: str = "task") -> str:
    return " ".join(screen.query_one(f"#{name}", Lines).text.split())


def wrong(exercise: Exercise) -> str:
    return str(next(each.move for each in exercise.moves if each.move not in exercise.answers))


async def click(pilot: Pilot[bool], screen: ExerciseScreen, square: int) -> None:
    assert await pilot.click("#board", offset=screen.board.layout_now.center_of(square))
    await pilot.pause()


def train(
    drill: Drill, script: Callable[[Pilot[bool], ExerciseScreen], Awaitable[None]], theme: str = "classic"
) -> None:
    """Run the application on exercises, and a script that drives it."""

    async def main() -> None:
        app = ReversiApp(lambda look, looks, kept: ExerciseScreen(drill, look), theme)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            screen = app.screen
            assert isinstance(screen, ExerciseScreen)
            await script(pilot, screen)

    asyncio.run(main())


def test_exercises_by_mouse(exercises: list[Exercise]) -> None:
    drill = Drill(Queue(exercises))
    first, second, third = exercises

    async def script(pilot: Pilot[bool], screen: ExerciseScreen) -> None:
        assert "Exercise 1 of 3" in text(screen, "title")
        assert f"{first.played} was played; find a better move." in text(screen)
        await resized(pilot)
        await click(pilot, screen, first.answers[0].index)
        assert "Right." in text(screen)
        assert "1 of 1 right so far" in text(screen, "words")
        await resized(pilot)
        await click(pilot, screen, 0)  # any click goes on
        assert drill.card is second
        occupied = (second.position.black & -second.position.black).bit_length() - 1
        await click(pilot, screen, occupied)
        assert "is not a legal move" in text(screen, "words")
        square = next(each.move for each in second.moves if each.move not in second.answers)
        await click(pilot, screen, square.index)
        assert f"Wrong: {square} loses" in text(screen)
        assert f"Solution: {second.answers[0]}" in text(screen)
        await pilot.press("enter", "s")
        assert drill.card is third
        assert "Solution:" in text(screen)
        await pilot.press("enter")
        assert "Exercise 2 of 3, again" in text(screen, "title")
        await click(pilot, screen, second.answers[0].index)
        await pilot.press("enter")
        assert "again" in text(screen, "title")
        await pilot.press("n")
        await pilot.pause()
        assert text(screen) == "1 of 3 exercises right."
        await pilot.press("enter")

    train(drill, script)
    assert (drill.right, drill.asked) == (1, 3)


def test_a_long_explanation_scrolls(exercises: list[Exercise]) -> None:
    async def script(pilot: Pilot[bool], screen: ExerciseScreen) -> None:
        await click(pilot, screen, exercises[0].moves[-1].move.index)
        for size, cut in (((80, 14), True), ((160, 60), False)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert text(screen).endswith("… Page Down") is cut
            assert ("was played and loses" in text(screen)) is not cut
        await pilot.resize_terminal(80, 14)
        await pilot.pause()
        seen = [text(screen)]
        while seen[-1].endswith("… Page Down"):
            await pilot.press("pagedown")
            seen.append(text(screen))
            assert seen[-1][:20] in seen[-2]  # a line stays
        assert "was played and loses" in seen[-1]
        await pilot.press(*["pageup"] * len(seen))
        assert text(screen) == seen[0]

    train(Drill(Queue(exercises)), script)


def test_tips_and_keys(exercises: list[Exercise]) -> None:
    drill = Drill(Queue(exercises))

    async def script(pilot: Pilot[bool], screen: ExerciseScreen) -> None:
        await pilot.press("t")
        assert "The best move is worth" in text(screen)
        await pilot.press("t", "t")
        assert "It is one of:" in text(screen)
        now, then = screen.board.cursor, exercises[0].answers[0].index
        down, right = then // 8 - now // 8, then % 8 - now % 8
        keys = ["down"] * down + ["up"] * -down + ["right"] * right + ["left"] * -right
        await pilot.press(*keys, "enter")
        assert "Right." in text(screen)
        await pilot.press("question_mark")
        assert isinstance(screen.app.screen, Reading)
        await pilot.press("escape", "escape")

    train(drill, script)


def test_exercises_in_words_and_the_cursor_of_the_terminal(exercises: list[Exercise]) -> None:
    async def script(pilot: Pilot[bool], screen: ExerciseScreen) -> None:
        def at_cursor() -> str:
            x, y = pilot.app.cursor_position
            return shown(pilot.app)[y][x:].rstrip()  # type: ignore[arg-type]

        task = screen.query_one("#task", Lines).text.split("\n")[0]
        assert at_cursor() == task
        await pilot.press("0")
        assert at_cursor().startswith("Discs: ")
        await pilot.press("R")
        await pilot.pause()
        assert at_cursor().startswith(task)
        assert "Row 6: " in "".join(shown(pilot.app))  # type: ignore[arg-type]
        await pilot.press("escape", "s")
        await pilot.pause()
        assert at_cursor() == "Solution:"
        await pilot.press("R")
        await pilot.pause()
        assert "Solution:" in "".join(shown(pilot.app))  # type: ignore[arg-type]

    train(Drill(Queue(exercises)), script)


def test_exercises_name_the_sides_as_the_theme_does(exercises: list[Exercise]) -> None:
    async def script(pilot: Pilot[bool], screen: ExerciseScreen) -> None:
        said = ""
        for exercise in exercises:
            await pilot.press("t", "t")
            said += text(screen)
            await click(
                pilot, screen, next(e.move for e in exercise.moves if e.move not in exercise.answers).index
            )
            said += text(screen)
            await pilot.press("enter")
        assert re.search(r"\b(Red|Green) ahead\b", said)
        assert not re.search(r"\b(Black|White)\b", said)

    train(Drill(Queue(exercises)), script, "redgreen")


MINE = """[Repertoire "Black"]

1. f5 d6 2. c3 {to keep f6} d3 (2... g5 {rare but a trap for many people who have never met it} 3. c6) 3. c4 *
"""


def school() -> Drill:
    """A lesson of four moves."""
    return Drill(School(Repertoire.read(MINE), lambda name: ExerciseProgress(), BEGIN, book=default_book()))


async def typed(pilot: Pilot[bool], move: str) -> None:
    await pilot.press(*move, "enter")
    await pilot.pause()


def test_a_lesson_of_openings_goes_on_after_right_answers(tmp_path: Path) -> None:
    drill = school()

    async def script(pilot: Pilot[bool], screen: ExerciseScreen) -> None:
        assert text(screen, "title") == "Move 1 of 4 – line 1, new"
        assert text(screen) == "Black to move: play your move."
        assert text(screen, "words") == "Your 4 positions: 4 to learn."
        await typed(pilot, "c4")  # as good as f5 by symmetry
        assert text(screen, "title") == "Move 2 of 4 – line 1, Perpendicular, new"
        assert text(screen).startswith("Black to move: e3 was played; find your move. c4 e3 Right. c4 -1 book")
        assert text(screen, "words") == "1 of 1 right so far."
        await resized(pilot)
        await pilot.press("t")
        assert "Right." not in text(screen)
        assert "Your move: look at" in text(screen)
        await click(pilot, screen, Square("e6").index)
        assert "Wrong: your repertoire does not play e6" in text(screen) or "not a legal" in text(screen, "words")
        await resized(pilot)
        while drill.card is not None:
            await resized(pilot)
            if screen.answered is None:
                await click(pilot, screen, drill.card.answers[0].index)
            else:
                await pilot.press("enter")
                await pilot.pause()
        assert text(screen).startswith(drill.summary)
        assert "Right." in text(screen)
        await pilot.press("enter")

    train(drill, script)
    assert drill.asked == 4


def test_a_missed_move_of_an_opening_waits_and_comes_back() -> None:
    drill = school()

    async def script(pilot: Pilot[bool], screen: ExerciseScreen) -> None:
        await pilot.press("s")
        assert text(screen).endswith("Your move: f5 -1 book, White ahead")
        assert "Enter goes on." in text(screen, "words")
        await pilot.press("enter")
        await pilot.pause()
        titles = []
        while drill.card is not None:
            titles.append(text(screen, "title"))
            await typed(pilot, str(drill.card.answers[0]))
            await pilot.press("enter")  # there is a disc already
            await pilot.pause()
        assert "Move 1 of 4, again – line 2" in titles

    train(drill, script)
    assert drill.summary == "3 of 4 moves right."


@pytest.mark.skipif(find_spec("fsrs") is None, reason="fsrs is not installed")
def test_answers_are_kept(exercises: list[Exercise], tmp_path: Path) -> None:
    progress = ProgressFile(tmp_path / "progress.json")

    async def script(pilot: Pilot[bool], screen: ExerciseScreen) -> None:
        await click(pilot, screen, exercises[0].answers[0].index)
        assert "Next time: in" in text(screen)
        await pilot.press("escape")

    train(Drill(Queue(exercises), progress, Schedule()), script)
    kept = ProgressFile(tmp_path / "progress.json").of(exercises[0].id)
    assert [review.answer for review in kept.reviews] == [str(exercises[0].answers[0])]


@driven(lambda: Session(finished(), hint_level=4))
async def test_the_mistakes_of_a_game_are_exercises_on_its_review(driver: Driver) -> None:
    await driver.press("a")
    review = driver.app.screen
    assert isinstance(review, AnalysisScreen)
    await driver.wait(lambda: review.analysis is not None and review._thinking_level is None)
    await driver.press("f")
    screen = driver.app.screen
    assert isinstance(screen, ExerciseScreen)
    await driver.wait(lambda: screen.drill.card is not None)
    exercise = screen.drill.card
    assert isinstance(exercise, Exercise)
    assert exercise.position in finished().positions
    await resized(driver.pilot)
    await click(driver.pilot, screen, exercise.answers[0].index)
    assert "Right." in text(screen)
    assert f"{exercise.played} was played and loses" in text(screen)
    await driver.press("escape")
    assert driver.app.screen is review
    assert driver.session.game.moves == finished().moves


def test_a_game_without_mistakes_says_so() -> None:
    game = Game(RULES)
    game.play(next(iter(game.position.legal_moves)))
    game.resign()

    async def script(driver: Driver) -> None:
        await driver.press("a")
        review = driver.app.screen
        assert isinstance(review, AnalysisScreen)
        await driver.wait(lambda: review.analysis is not None and review._thinking_level is None)
        await driver.press("f")
        screen = driver.app.screen
        assert isinstance(screen, ExerciseScreen)
        await driver.wait(lambda: not screen._making)
        assert text(screen) == "No exercise was answered."
        await driver.press("enter")
        assert driver.app.screen is review

    drive(Session(game, hint_level=4), script)
    assert whole_game().is_over
