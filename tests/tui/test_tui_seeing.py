"""What the full screen shows of a game on request, and what it keeps of that for the next session."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from textual.widgets import Input

from reversi import Game, Square, parse_rules
from reversi.game.clocks import TimeControl
from reversi.session.session import Flipping, Session
from reversi.text.boards import parse_board
from reversi.tui.analysis_screen import AnalysisScreen
from reversi.tui.board_drawing import LEAST_SIZE
from reversi.tui.preferences import Preferences
from reversi.tui.widgets import Lines
from screen_driver import Driver, app_of, drive, driven, engine_plays_white, shown

SIZES = [(80, 24), (120, 40)]


def outlined(driver: Driver) -> str:
    """The squares with an outline."""
    bits = driver.screen.board._view.outlined
    return " ".join(f"{'abcdefgh'[square % 8]}{square // 8 + 1}" for square in range(64) if bits >> square & 1)


@pytest.mark.parametrize("size", [LEAST_SIZE, *SIZES])
@driven(Session)
async def test_flipped_discs_are_outlined_until_the_next_move_and_counted(
    driver: Driver, size: tuple[int, int]
) -> None:
    assert outlined(driver) == ""
    await driver.click("f5")
    assert outlined(driver) == "e5"
    assert "Black f5, flips e5; White to move." in driver.words
    await driver.click("f6")
    await driver.click("e6")
    assert outlined(driver) == "e5"
    await driver.click("f4")
    assert outlined(driver) == "e4 f5"
    assert "White f4, flips 2: " in driver.words
    await driver.press("u")
    assert outlined(driver) == "e5"


def test_the_outline_stays_over_a_forced_pass() -> None:
    game = Game(parse_rules("othello,board=4x4"))
    game.play_all(["c4", "b4", "a3", "d2"])

    async def script(driver: Driver) -> None:
        await driver.click("a4")
        assert str(driver.session.game[-1].move) == "--"
        assert outlined(driver) == " ".join(map(str, driver.session.game[-2].flips))

    drive(Session(game), script)


@driven(lambda: Session(flipping=Flipping.MANUAL))
async def test_discs_flipped_by_hand_are_outlined(driver: Driver) -> None:
    await driver.click("f5")
    assert outlined(driver) == ""
    assert "flips" not in driver.words.partition("\n")[2]
    await driver.click("e5")
    await driver.click("d4")
    assert outlined(driver) == "d4 e5"
    await driver.press("d")
    assert outlined(driver) == "d4 e5"


@pytest.mark.parametrize("size", SIZES)
@driven(engine_plays_white)
async def test_the_cursor_shows_what_a_move_would_flip(driver: Driver, size: tuple[int, int]) -> None:
    await driver.press("tab", "enter")  # d3 or another first legal square
    await driver.answered()
    before = outlined(driver)
    await driver.press("f")
    assert "The cursor shows what a move there would flip." in driver.words
    square = driver.session.position.legal_moves[0]
    await driver.go_to(str(square))
    await driver.pilot.pause()
    flips = driver.session.position.flips(square)
    assert outlined(driver) == " ".join(map(str, flips))
    assert f"{square} would flip {len(flips)} disc" in driver.words
    await driver.go_to("a1")  # not legal: the last move again
    await driver.pilot.pause()
    assert outlined(driver) == before
    assert "would flip 1 disc" not in driver.words.partition("\n")[0]
    await driver.go_to(str(square))
    await driver.press("f")
    assert outlined(driver) == before
    assert "would flip 1 disc" not in driver.words.partition("\n")[0]


def test_what_is_shown_is_kept_for_the_next_session(tmp_path: Path) -> None:
    async def main(*keys: str) -> tuple[bool, bool, bool]:
        app = app_of(Session(), preferences=Preferences(tmp_path / "screen.json"))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            screen = Driver(app, pilot).screen
            begins = screen.marks_shown, screen.flips_shown, screen.show_evaluation
            await pilot.press(*keys)
            await pilot.pause()
            app.exit(False)
        return begins

    assert asyncio.run(main("m", "f", "v")) == (True, False, False)
    assert asyncio.run(main("m")) == (False, True, True)
    assert asyncio.run(main()) == (True, True, True)


VIEWS = [
    ("as usual", "  a b c d e f g h", "1", "5 - - - X X'X<- -"),
    ("turned", "  h g f e d c b a", "8", "5 - - X<X'X - - -"),
    ("mirrored", "  h g f e d c b a", "1", "5 - - X<X'X - - -"),
    ("turned and mirrored", "  a b c d e f g h", "8", "5 - - - X X'X<- -"),
]


@pytest.mark.parametrize("size", [LEAST_SIZE, *SIZES])
@driven(Session, theme="ascii")
async def test_the_board_is_turned_and_mirrored(driver: Driver, size: tuple[int, int]) -> None:
    await driver.click("f5")
    for view, letters, first, row in [*VIEWS[1:], VIEWS[0]]:
        await driver.press("x")
        assert f"The board is seen {view}." in driver.words
        lines = shown(driver.app)
        if size == LEAST_SIZE:  # squares of two characters
            assert lines[1].startswith(letters)
            at_cursor = row.replace("<", "]")
            assert any(line.startswith((row, at_cursor)) for line in lines)
        assert lines[1].split()[:8] == letters.split()
        assert next(line[0] for line in lines[2:] if line[0].isdigit()) == first
        square = driver.session.position.legal_moves[0]
        await driver.click(str(square))  # where it is seen
        assert driver.session.game.last is not None
        assert driver.session.game.last.move == square
        assert driver.screen.board.cursor == square.index
        await driver.press("u")


@pytest.mark.parametrize(("presses", "square"), [(0, "d5"), (1, "b3"), (2, "b5"), (3, "d3")])
@driven(Session)
async def test_arrows_go_where_they_point(driver: Driver, presses: int, square: str) -> None:
    await driver.press(*["x"] * presses)
    driver.screen.board.cursor = Square("c4").index
    await driver.press("right", "down")
    assert driver.screen.board.cursor == Square(square).index
    await driver.press(*["right"] * 9, *["down"] * 9)
    assert driver.screen.board.layout_now.seen_at(driver.screen.board.cursor) == 63


def test_the_view_is_kept_with_other_colors_and_in_other_screens(tmp_path: Path) -> None:
    async def main(*keys: str) -> list[str]:
        app = app_of(Session(Game().play_all("f5")), preferences=Preferences(tmp_path / "screen.json"))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await pilot.press(*keys)
            await pilot.pause()
            lines = shown(app)
            app.exit(False)
        return lines[1].split()[:8]

    assert asyncio.run(main("x", "c")) == list("hgfedcba")
    assert asyncio.run(main("slash")) == list("hgfedcba")
    assert asyncio.run(main("b")) == list("hgfedcba")


@pytest.mark.parametrize("size", SIZES)
@driven(lambda: engine_plays_white(level=3))
async def test_a_graph_grows_with_the_evaluations_of_the_engine(driver: Driver, size: tuple[int, int]) -> None:
    await driver.press("v")
    assert not driver.screen.query_one("#graph").display
    for plies in (2, 4):
        await driver.press("tab", "enter")
        await driver.answered()
        assert len(driver.session.game) == plies
        heading, *bars = driver.text("graph").split("\n")
        assert "heuristic" in heading
        assert {len(line) for line in bars} == {plies}  # a person's plies have no value
    assert driver.screen.advice.wanted(None, step=False, tips=False, graph=False) is None
    graph, side = driver.screen.query_one("#graph").region, driver.screen.query_one("#side").region
    assert graph.bottom <= side.bottom
    await driver.press("v")
    assert not driver.screen.query_one("#graph").display


def test_the_answer_of_the_engine_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    async def script(driver: Driver) -> None:
        driver.screen._pace = 5.0
        monkeypatch.setattr(driver.screen, "set_timer", lambda delay, act: waits.append(delay))
        await driver.press("tab", "enter")
        await driver.wait(lambda: bool(waits))
        assert outlined(driver) == str(driver.session.game[0].flips[0])
        assert len(driver.session.game) == 1
        assert 0 < waits[0] <= 5

    drive(engine_plays_white(), script)


@pytest.mark.parametrize("size", SIZES)
def test_stable_discs_are_outlined_and_counted_on_request(size: tuple[int, int]) -> None:
    position = parse_board("XX------ X------- -------- ---OX--- ---XO--- -------- -------- -------O X")

    async def script(driver: Driver) -> None:
        await driver.press("S")
        assert outlined(driver) == "a1 b1 a2 h8"
        assert "stable: Black 3, White 1" in driver.words
        await driver.press("f")  # the cursor comes first, where its move is legal
        await driver.go_to("c4")
        await driver.pilot.pause()
        assert outlined(driver) == "d4"
        await driver.press("f", "S")
        assert outlined(driver) == ""
        assert "stable" not in driver.words

    drive(Session(position), script, size=size)


@driven(lambda: Session(controls=TimeControl(60), now=lambda: 0.0))
async def test_stable_discs_are_help(driver: Driver) -> None:
    await driver.press("S")
    assert "off in a game with a clock" in driver.words.replace("\n", " ")
    assert "stable:" not in driver.words


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("L", "White d6, flips d5; Black to move."),
        ("0", "Discs: Black 3, White 3. Empty: 58."),
        (".", "c5: empty, a legal move. Row 5: a to c empty, d White, e to f Black, g to h empty."),
        (",", "c5: empty, a legal move. Column c: 1 to 8 empty."),
    ],
)
@pytest.mark.parametrize("size", [(80, 24), (52, 14)])
@driven(lambda: Session(Game().play_all("f5d6")))
async def test_keys_say_the_board_as_line_play_does(
    driver: Driver, key: str, said: str, size: tuple[int, int]
) -> None:
    await driver.go_to("c5")
    await driver.press("m", {".": "full_stop", ",": "comma"}.get(key, key))
    assert " ".join(driver.words.split("\n")[1:]) == said
    words = driver.screen.query_one("#words").content_region
    assert driver.app.cursor_position == (words.x, words.y + 1)


@driven(lambda: Session(Game().play_all("f5d6"), hint_level=1), theme="redgreen")
async def test_the_board_in_words_on_every_screen(driver: Driver) -> None:
    for keys in ((), ("slash",), ("escape", "X", "y", "a")):
        await driver.press(*keys)
        screen = driver.app.screen
        await driver.press("0")
        words = screen.query_one("#words", Lines)
        assert "Discs: Red 3, Green 3. Empty: 58." in words.text
        line = driver.app.cursor_position.y - words.content_region.y
        assert words.text.split("\n")[line].startswith("Discs:")
        await driver.press("R")
        text = " ".join(" ".join(shown(driver.app)).split())
        assert "Row 1: a to h empty." in text
        assert "Row 5: a to c empty, d Green, e to f Red" in text
        await driver.pilot.pause()
        x, y = driver.app.cursor_position
        assert shown(driver.app)[y][x:].startswith("Row 1: a to h empty.")
        await driver.press("escape")
        assert driver.app.screen is screen


@driven(lambda: Session(Game().play_all("f5d6"), hint_level=1), size=(56, 20))
async def test_a_sentence_that_is_cut_in_a_review_says_so(driver: Driver) -> None:
    await driver.press("X", "y", "a")
    review = driver.app.screen
    assert isinstance(review, AnalysisScreen)
    review.say("word " * 30)
    line = review.query_one("#words", Lines).text
    assert len(line) == 54
    assert line.endswith("…")


def at_cursor(driver: Driver) -> str:
    """What a screen reader reads at the cursor of the terminal."""
    x, y = driver.app.cursor_position
    return shown(driver.app)[y][x:].strip(" │╮")


@driven(lambda: Session(Game().play_all("f5d6"), hint_level=1))
async def test_the_cursor_of_the_terminal_leads_into_every_box(driver: Driver) -> None:
    for keys, said in (
        (("colon",), ""),
        (("s",), ""),
        (("y",), "Copy"),
        (("X",), "Resign this game?"),
        (("question_mark",), "Arrows or h j k l"),
        (("n",), "< Othello >"),
        (("n", "down", "down"), "< a person >"),
        (("R",), "Row 1: a to h empty."),
    ):
        await driver.press(*keys)
        await driver.pilot.pause()
        assert at_cursor(driver).startswith(said), keys
        if not said:
            line = driver.app.screen.query_one(Input)
            assert driver.app.cursor_position == line.cursor_screen_offset
            assert driver.app.cursor_position.y > 2
        await driver.press("escape")


@driven(lambda: Session(Game().play_all("f5d6")))
async def test_the_board_in_words_has_its_lines_to_itself(driver: Driver) -> None:
    await driver.press("R")
    await driver.pilot.pause()
    rows = [line for line in shown(driver.app) if "Row " in line]
    assert len(rows) == 8
    assert all(re.fullmatch(r"│ Row [1-8]: [\w ,]+\. *│", row) for row in rows)
