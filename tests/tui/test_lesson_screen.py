"""The first lesson on the full screen, driven by keys and clicks while the terminal's size changes."""

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from reversi import Square
from reversi.person.lesson import first_lesson, parse_lesson
from reversi.tui.app import ReversiApp
from reversi.tui.dialogs import Confirm, Reading
from reversi.tui.lesson_screen import LessonScreen
from reversi.tui.preferences import Preferences
from reversi.tui.widgets import Lines
from screen_driver import shown

STEPS = first_lesson()


def lesson_app(theme: str, preferences: Preferences | None = None) -> ReversiApp:
    return ReversiApp(lambda look, looks, kept: LessonScreen(look, kept), theme, preferences=preferences)


def screen_of(app: ReversiApp) -> str:
    return " ".join(" ".join(shown(app)).split())


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["classic", "ascii"])
def test_the_whole_lesson_in_two_sizes(theme: str) -> None:
    async def main() -> None:
        app = lesson_app(theme)
        async with app.run_test(size=(80, 24)) as pilot:
            screen = app.screen
            assert isinstance(screen, LessonScreen)
            for number, step in enumerate(STEPS, 1):
                for size in ((120, 40), (80, 24)):
                    await pilot.resize_terminal(*size)
                    await pilot.pause()
                    assert f"step {number} of {len(STEPS)}" in screen_of(app)
                    assert all(word in screen_of(app) for word in step.text.split())
                    assert ("Click a marked square" in screen_of(app)) == (number == 1)
                await pilot.press("p" if number != 3 else "enter")
                await pilot.pause()
                wrong = screen.query_one("#answer", Lines).text
                assert wrong
                assert not screen.lesson.answered
                if step.solution.is_pass:
                    await pilot.press("P" if theme == "ascii" else "p")
                else:
                    x, y = screen.board.layout_now.center_of(Square(str(step.solution)).index)
                    assert await pilot.click("#board", offset=(x, y))
                await pilot.pause()
                assert screen.lesson.answered
                assert all(word in screen_of(app) for word in step.praise.format(move=step.solution).split())
                await pilot.press("enter")
                await pilot.pause()
            assert "That was the lesson." in screen_of(app)
            await pilot.press("b", "n", "s")
            assert screen.lesson.is_last
            await pilot.resize_terminal(40, 10)
            await pilot.pause()
            assert "reversi learn --ui line" in screen_of(app)
            await pilot.press("q")

    asyncio.run(main())


def test_the_lesson_goes_on_where_it_was_left(tmp_path: Path) -> None:
    """Escape asks first; after the whole lesson the next one begins again."""
    kept = Preferences(tmp_path / "screen.json")

    def run(*keys: str) -> int:
        async def main() -> int:
            app = lesson_app("classic", kept)
            async with app.run_test(size=(80, 24)) as pilot:
                await pilot.pause()
                screen = app.screen
                assert isinstance(screen, LessonScreen)
                first = screen.lesson.at
                for key in keys:
                    await pilot.press(key)
                    await pilot.pause()
                    if key == "question_mark":
                        assert isinstance(app.screen, Reading)
                        assert "show the answer" in " ".join(shown(app))
                    if key == "escape" and app.screen is not screen:
                        assert isinstance(app.screen, Confirm)
                assert app._exit
            return first

        return asyncio.run(main())

    assert run("n", "question_mark", "escape", "n", "escape", "n", "n", "escape", "y") == 0
    assert run("b", "q") == 3
    assert run(*["n"] * (len(STEPS) - 3), "s", "q") == 2
    assert run("n", "n", "ctrl+c") == 0
    assert run("q") == 2


def test_a_lesson_of_a_coach(tmp_path: Path) -> None:
    """White answers on a smaller board; a step without a question only goes on."""
    text = (
        '[Event "Look"]\n\n{This is a board.} *\n\n'
        '[Event "Small"]\n[Rules "othello,board=4x4"]\n[SetUp "1"]\n[Board "-----OX--XO----- O"]\n\n'
        "{White moves.} 1... c1 {A fine move.} *\n"
    )
    kept = Preferences(tmp_path / "screen.json")

    async def main() -> None:
        app = ReversiApp(
            lambda look, looks, kept: LessonScreen(look, kept, parse_lesson(text)), "classic", preferences=kept
        )
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert "step 1 of 2 – Look" in screen_of(app)
            assert "Enter goes on." in screen_of(app)
            await pilot.press("enter")
            await pilot.pause()
            assert "White moves." in screen_of(app)
            screen = app.screen
            assert isinstance(screen, LessonScreen)
            legal = [move.index for move in screen.lesson.position.legal_moves]
            seen = []
            for key in ("tab", "tab", "shift+tab"):
                await pilot.press(key)
                seen.append(screen.board.cursor)
            assert seen == [legal[0], legal[1], legal[0]]
            screen.take([Square("c1")])
            await pilot.pause()
            assert "A fine move." in screen_of(app)
            await pilot.press("enter")
            await pilot.pause()
            assert "This is the last step. That was the lesson." in screen_of(app)
            await pilot.press("q")

    asyncio.run(main())
    assert not (tmp_path / "screen.json").exists()


def test_the_lesson_in_words_and_the_cursor_of_the_terminal() -> None:
    async def main() -> None:
        app = lesson_app("plain")
        async with app.run_test(size=(80, 24)) as pilot:

            def at_cursor() -> str:
                x, y = app.cursor_position
                return shown(app)[y][x:].rstrip()

            await pilot.pause()
            assert at_cursor() == STEPS[0].title
            await pilot.press("0")
            assert at_cursor() == "Discs: Black 2, White 2. Empty: 60."
            await pilot.press("R")
            await pilot.pause()
            assert STEPS[0].text in screen_of(app).replace("│ │ ", "")
            assert "Row 8: a to h empty." in screen_of(app)
            assert at_cursor().startswith(STEPS[0].title)
            await pilot.press("escape")
            await pilot.pause()
            assert at_cursor() == "Discs: Black 2, White 2. Empty: 60."
            await pilot.press("s")
            await pilot.pause()
            assert at_cursor() == STEPS[0].praise
            await pilot.press("enter")
            await pilot.pause()
            assert at_cursor() == STEPS[1].title

    asyncio.run(main())
