"""Where things stand on the full screen: what is cut off, what stays in sight."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from files import new_file
from reversi import Color, Game, parse_rules
from reversi.game.clocks import TimeControl
from reversi.person.history import History
from reversi.person.history_keeper import HistoryKeeper
from reversi.session.players import Side
from reversi.session.saving import SessionFolder
from reversi.session.session import Session
from reversi.tui.analysis_screen import AnalysisScreen
from reversi.tui.board_drawing import LEAST_SIZE
from screen_driver import Driver, drive, engine_plays_white, shown

SIZES = [LEAST_SIZE, (80, 24), (100, 35), (140, 45), (200, 60)]


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["classic", "redgreen", "ascii"])
@pytest.mark.parametrize("controls", [None, TimeControl(600)], ids=["untimed", "clocks"])
@pytest.mark.parametrize("board", ["8x8", "6x6"])
def test_the_level_is_shown_whole(board: str, controls: TimeControl | None, theme: str) -> None:
    async def script(driver: Driver) -> None:
        for size in SIZES:
            await driver.pilot.resize_terminal(*size)
            await driver.wait(lambda size=size: len(shown(driver.app)) == size[1])  # type: ignore[misc]
            lines = shown(driver.app)
            assert any("level 12" in line for line in lines), size

    session = Session(
        parse_rules(f"othello,board={board}"),
        sides={Color.WHITE: Side.engine(12)},
        controls=controls,
        now=lambda: 0.0,
    )
    drive(session, script, theme=theme)


def test_a_forced_pass_leaves_the_mark_on_the_last_disc() -> None:
    game = Game(parse_rules("othello,board=4x4"))
    game.play_all(["c4", "b4", "a3", "d2"])

    async def script(driver: Driver) -> None:
        await driver.click("a4")
        assert str(driver.session.game[-1].move) == "--"
        await driver.press("up")
        assert re.search(r"\(.*X.*\)", "\n".join(shown(driver.app)))

    drive(Session(game), script, theme="plain")


def test_what_cannot_be_saved_stays_in_sight_until_it_can(tmp_path: Path) -> None:
    folder = new_file(tmp_path / "games", "a file where the folder should be")
    session = engine_plays_white(keepers=[SessionFolder(folder)])

    async def script(driver: Driver) -> None:
        for _ in range(2):
            await driver.press("tab", "enter")
            await driver.answered()
            await driver.press("c")
            text = "\n".join(shown(driver.app))
            assert "Not saved: " in text
            assert str(folder)[:20] in text
        await driver.pilot.resize_terminal(*LEAST_SIZE)
        await driver.wait(lambda: len(shown(driver.app)) == LEAST_SIZE[1])
        assert "Not saved: " in "\n".join(shown(driver.app))
        assert "to move" in "\n".join(shown(driver.app))
        folder.unlink()
        await driver.press("tab", "enter")
        await driver.answered()
        assert "Not saved: " not in "\n".join(shown(driver.app))

    drive(session, script)


@pytest.mark.parametrize("theme", ["classic", "ascii"])
def test_tips_and_graph_share_the_room_of_a_small_terminal(theme: str) -> None:
    async def script(driver: Driver) -> None:
        await driver.press("t", "e")
        await driver.wait(driver.told)
        text = "\n".join(shown(driver.app))
        assert "Tips for Black" in text
        assert re.search(r"heuristic( depth \d+)?, (even|(Black|White) ahead)", driver.text("graph"))
        assert driver.screen.query_one("#tips").region.height >= 1
        graph, side = driver.screen.query_one("#graph").region, driver.screen.query_one("#side").region
        assert graph.bottom <= side.bottom

    game = Game()
    game.play_all(["f5", "d6", "c3", "d3"])
    drive(Session(game, hint_level=4), script, size=LEAST_SIZE, theme=theme)


@pytest.mark.parametrize("width", [52, 80, 200])
def test_the_keys_for_help_and_to_leave_are_always_in_the_bar(width: int) -> None:
    async def script(driver: Driver) -> None:
        await driver.press("a")
        bar = shown(driver.app)[-1]
        assert "a Continue" in bar
        assert "g Step" in bar
        assert "? Keys" in bar
        assert bar.rstrip().endswith("q Quit")

    sides = {color: Side.engine(30) for color in Color}
    drive(Session(sides=sides), script, size=(width, 24))


@pytest.mark.thorough
def test_a_key_lays_out_the_screen_once() -> None:
    """Textual would lay it out again for widgets that a layout resizes, and a key would wait for two frames."""
    layouts: list[object] = []

    async def of(driver: Driver, *keys: str) -> list[int]:
        driver.app.screen.screen_layout_refresh_signal.subscribe(driver.app.screen, layouts.append)
        counts = []
        for key in keys:
            layouts.clear()
            await driver.press(key)
            await driver.pilot.pause(0.1)  # longer than the frames that would follow
            counts.append(len(layouts))
        return counts

    async def script(driver: Driver) -> None:
        assert await of(driver, "e", "e", "c", "C", "m") == [1, 1, 1, 1, 0]
        await driver.press("a")
        review = driver.app.screen
        assert isinstance(review, AnalysisScreen)
        await driver.wait(lambda: review._thinking_level is None)
        assert max(await of(driver, "home", "end", "up", "down", "b", "b")) == 1

    game = Game(parse_rules("othello,board=6x6"))
    while not game.is_over:
        game.play(game.position.legal_moves[0])
    drive(Session(game, hint_level=2), script, size=(120, 40))


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_a_small_terminal_cuts_nothing_of_the_first_words(size: tuple[int, int], tmp_path: Path) -> None:
    async def script(driver: Driver) -> None:
        words = " ".join(driver.words.split())
        assert "Click a marked square, or use the arrows and Enter. New? q leaves" in words
        assert words.endswith("n sets the level.")
        await driver.press("n")
        box = " ".join(" ".join(re.findall("│(.*)│", "\n".join(shown(driver.app)))).split())
        assert "Board: 8 rows, 8 columns, diagonal start." in box
        for after in ("for records and history", "as 5:00+3 or 5:00+3x30", "board, FILE#3@20"):
            assert after in box

    session = Session(sides={Color.WHITE: Side.engine(1)})
    drive(session, script, size=size, results=HistoryKeeper(session, History(tmp_path / "history.json")))


@pytest.mark.parametrize("width", [60, 80])
def test_the_review_and_its_exercises_name_their_keys(width: int) -> None:
    async def script(driver: Driver) -> None:
        await driver.press("X", "y", "a")
        assert "? Keys" in shown(driver.app)[-1]
        assert shown(driver.app)[-1].rstrip().endswith("Esc Back")
        await driver.press("f")
        await driver.pilot.pause()
        assert not shown(driver.app)[0].rstrip().endswith(driver.screen.look.dash.rstrip())

    drive(Session(Game().play_all("f5f6")), script, size=(width, 20))
