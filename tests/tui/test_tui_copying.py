"""Copying from the screen, typing moves after a colon, and pasting a game or a position."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from textual import events
from textual.widgets import Input, Static

from random_games import random_game
from reversi import Game, Position, parse_rules
from reversi.game.hand_flips import flip_squares
from reversi.records import parse_record
from reversi.session.opening import given, open_given
from reversi.session.session import Flipping, Session
from reversi.text.boards import format_board, parse_board
from reversi.tui.analysis_screen import AnalysisScreen
from reversi.tui.board_screen import copies_of
from reversi.tui.dialogs import AskMoves, Confirm
from reversi.tui.editor import Editor
from reversi.tui.explorer_screen import ExplorerScreen
from reversi.tui.game_list import GameList
from reversi.tui.widgets import Lines
from screen_driver import Driver, drive, driven, engine_plays_white, shown

TWO = '[Event "x"]\n\n1. f5 d6 *\n\n[Event "y"]\n\n1. f5 f6 2. e6 *\n'


async def paste(driver: Driver, text: str) -> None:
    driver.app.post_message(events.Paste(text))
    await driver.pilot.pause()
    await driver.pilot.pause()


async def type_in(driver: Driver, text: str) -> str:
    """Type moves; what is wrong with them, "" where they are made."""
    await driver.press("colon", *text, "enter")
    box = driver.app.screen
    if not isinstance(box, AskMoves):
        return ""
    failure = str(box.query_one(".failure", Static).render())
    await driver.press("escape")
    return failure


def test_each_copy_is_what_it_says_and_can_be_opened_again() -> None:
    async def script(driver: Driver) -> None:
        copied = {}
        await driver.press("y", "p")
        for key in "pmg":
            await driver.press("y", key)
            copied[key] = driver.app.clipboard
        assert "Copied the game." in driver.words
        await driver.press("y", "escape")
        assert driver.app.clipboard == copied["g"]
        session = driver.session
        assert parse_board(copied["p"]) == session.position
        assert copied["m"] == "f5d6c3"
        assert parse_record(copied["g"]).moves == session.game.moves
        assert parse_record(copied["g"]).tags["Event"] == "Home"

    session = Session(tags={"Event": "Home"})
    session.play_line("f5d6c3")
    drive(session, script)


@pytest.mark.parametrize(
    "rules", ["othello", "othello,board=6x6", "adjacent,optional-skip", "othello,start=parallel"]
)
def test_copied_positions_and_moves_lead_to_the_same_place(rules: str) -> None:
    whole = random_game(rules, 3)
    for start, plies in ((0, 9), (4, 5), (0, 0)):
        game = Game(whole.positions[start])
        for ply in whole[start : start + plies]:
            game.play(ply.move)
        for copied in copies_of(game).values():
            session = Session(parse_rules(rules))
            open_given(session, given(copied()))
            assert session.position == game.position


def test_moves_alone_are_no_copy_of_discs_flipped_by_hand() -> None:
    game = Game()
    game.play("f5", flips=flip_squares(["e5"]))
    assert set(copies_of(game)) == {"position"}
    assert set(copies_of(Game())) == {"position"}


@driven(Session)
async def test_squares_and_moves_after_a_colon(driver: Driver) -> None:
    assert await type_in(driver, "f5") == ""
    assert await type_in(driver, "D6 c3") == ""
    assert [str(move) for move in driver.session.game.moves] == ["f5", "d6", "c3"]
    assert await type_in(driver, "a1") == "a1: flips nothing"
    assert (await type_in(driver, "d3a1")).startswith("a1: ")
    assert "'x9' is not a move" in await type_in(driver, "x9")
    assert len(driver.session.game) == 3
    await driver.press("colon", "c", "3", "escape")
    assert len(driver.session.game) == 3


@driven(Session)
async def test_a_square_is_typed_without_a_colon(driver: Driver) -> None:
    """Its letter stands in the line, whatever else the letter is the key of; what that does is taken back."""
    look, game = driver.screen.look, driver.session.game
    for number, square in enumerate(("e6", "f4", "c3", "c4", "f3"), 1):
        await driver.press(*square)
        assert isinstance(driver.app.screen, AskMoves)
        assert driver.app.screen.query_one(Input).value == square
        await driver.press("enter")
        assert str(game.moves[-1]) == square
        assert len(game) == number
    await driver.press("a", "3")
    assert driver.app.screen.query_one(Input).value == "a3"
    await driver.press("enter")
    assert "a3: flips nothing" in " ".join(shown(driver.app))
    await driver.press("escape")
    screen = driver.screen
    assert (screen.look, screen.flips_shown, screen.graph_wanted, driver.session.is_paused) == (look, *[False] * 3)
    ply, move = len(game), next(str(move) for move in game.position.legal_moves)
    await driver.press(move[1], move[0], "enter")  # the digit first: there is room for the letter before it
    assert [str(move) for move in game.moves[ply:]] == [move]
    await driver.press("f", "x", "5")
    assert driver.app.screen.query_one(Input).value == "5"
    await driver.press("escape")
    assert screen.flips_shown


@driven(Session)
async def test_a_square_is_typed_in_the_other_screens(driver: Driver) -> None:
    driver.session.play_line("f5d6c3d3c4")
    await driver.press("slash", "h", "3")
    explorer = driver.app.screen_stack[-2]
    assert isinstance(explorer, ExplorerScreen)
    assert len(explorer.trial.game) == 5
    await driver.press("escape", "escape")
    driver.session.resign()
    await driver.press("a")
    review = driver.app.screen
    assert isinstance(review, AnalysisScreen)
    review.go_to(4)
    for square in ("b4", "h4"):
        await driver.press(*square)
        assert driver.app.screen.query_one(Input).value == square
        assert (review.ply, review.line) == (4, ())
        await driver.press("escape")


def test_a_square_after_a_colon_does_what_a_click_on_it_does() -> None:
    async def by_hand(driver: Driver) -> None:
        assert await type_in(driver, "f5") == ""
        assert await type_in(driver, "e5") == ""
        assert driver.session.position == Position().play("f5").with_to_move(driver.session.position.to_move)

    drive(Session(flipping=Flipping.MANUAL), by_hand)

    async def recorded(driver: Driver) -> None:
        await paste(driver, "f5d6c3")
        assert "press a to continue" in await type_in(driver, "d3")
        await driver.press("a")
        assert await type_in(driver, "d3") == ""

    drive(Session(), recorded)


@driven(Session)
async def test_moves_after_a_colon_and_copies_in_the_other_screens(driver: Driver) -> None:
    await driver.press("slash")
    explorer = driver.app.screen
    assert isinstance(explorer, ExplorerScreen)
    assert await type_in(driver, "f5d6") == ""
    await driver.press("y", "m")
    assert driver.app.clipboard == "f5d6"
    await paste(driver, "f5")
    assert "Esc goes back" in explorer.query_one("#words", Lines).text
    await driver.press("escape")
    driver.session.play_line("f5d6")
    driver.session.resign()
    await driver.press("a")
    review = driver.app.screen
    assert isinstance(review, AnalysisScreen)
    review.go_to(1)
    assert await type_in(driver, "f6e6") == ""
    await driver.press("y", "m")
    assert driver.app.clipboard == "f5f6e6"
    await driver.press("left", "y", "m")
    assert driver.app.clipboard == "f5f6"
    await driver.press("escape", "escape", "b")
    assert isinstance(driver.app.screen, Editor)
    await driver.press("y")
    assert parse_board(driver.app.clipboard) == driver.session.position


@pytest.mark.parametrize("answer", ["n", "y"])
@driven(engine_plays_white)
async def test_pasting_asks_before_it_leaves_a_game(driver: Driver, answer: str) -> None:
    await paste(driver, "hello")
    assert "neither a board" in driver.words
    await driver.click("f5")
    await driver.answered()
    await paste(driver, format_board(Game().play_all("f5d6c3").position))
    assert isinstance(driver.app.screen, Confirm)
    await driver.press(answer)
    assert (driver.session.game.start == Position()) == (answer == "n")


@pytest.mark.parametrize("before", ["", "f5"])
def test_an_illegal_move_of_a_pasted_game_is_named_with_its_ply(before: str) -> None:
    async def script(driver: Driver) -> None:
        await paste(driver, "f5d6b4")
        assert "Ply 3 (Black): b4 is not allowed: flips nothing." in driver.words
        assert driver.session.game.moves == Game().play_all(before).moves

    drive(Session(Game().play_all(before)), script)


def test_pasting_several_games_lists_them(tmp_path: Path) -> None:
    async def script(driver: Driver) -> None:
        for text in (TWO, str(tmp_path / "two.pgn")):
            await paste(driver, text)
            assert isinstance(driver.app.screen, GameList)
            await driver.press("down", "enter")
            assert [str(move) for move in driver.session.game.moves] == ["f5", "f6", "e6"]
        await driver.press("b")
        await paste(driver, "f5d6")
        assert "Black to move. Black 3, White 3." in str(driver.app.screen.query_one("#words", Static).render())
        await paste(driver, "f5x")
        assert "'x' is not a move" in str(driver.app.screen.query_one("#words", Static).render())
        await driver.press("v")
        await paste(driver, "f5")
        assert driver.app.screen.query_one(Input).value == "f5"

    (tmp_path / "two.pgn").write_text(TWO)
    drive(Session(), script)
