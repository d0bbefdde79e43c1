"""The personal history on the full screen: after a game, while new games are analyzed and the terminal changes."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from reversi import Color, Game, Session, parse_rules
from reversi.engine.levels import AUTO
from reversi.person.history import History
from reversi.person.history_keeper import HistoryKeeper
from reversi.session.players import engine_side, parse_side
from reversi.tui.history_box import HistoryBox
from screen_driver import Driver, drive, shown

SMALL = parse_rules("othello,board=4x4")


def test_the_history_after_a_game(tmp_path: Path) -> None:
    game = Game(SMALL)
    while not game.is_over:
        game.play(game.position.legal_moves[0])
    game.undo(1)
    color = game.to_move
    session = Session(game, sides={color: parse_side("human:Ada"), color.opponent: engine_side(AUTO)})
    history = History(tmp_path / "history.json")

    async def script(driver: Driver) -> None:
        await driver.press("enter")
        assert driver.session.is_over
        winner = driver.session.outcome.winner if driver.session.outcome else None
        result = "drawn" if winner is None else "won" if winner is color else "lost"
        words = " ".join(driver.words.split())
        assert "the game is over. This game counts for no level: othello,board=4x4." in words
        await driver.press("H")
        assert isinstance(driver.app.screen, HistoryBox)
        assert not any("not analyzed yet" in line for line in shown(driver.app))
        await driver.wait(lambda: any("Mistakes: opening" in line for line in shown(driver.app)))
        for size in ((120, 40), (56, 16), (80, 24)):
            await driver.pilot.resize_terminal(*size)
            await driver.pilot.pause()
            lines = shown(driver.app)
            assert [len(line) for line in lines] == [size[0]] * size[1]
            text = " ".join(" ".join(lines).replace("\u2502", " ").split())
            for words in ("Ada", "1 game against engines", "beginner-1", f"1 {result}", "The next game on auto"):
                assert words in text
        await driver.press("escape")
        assert driver.app.screen is driver.screen

    drive(session, script, results=HistoryKeeper(session, history))
    (kept,) = History(tmp_path / "history.json").games
    assert (kept.player, kept.color, kept.losses is not None) == ("Ada", color, True)


def test_the_history_of_nobody_yet(tmp_path: Path) -> None:
    session = Session(sides={Color.WHITE: engine_side(AUTO)})

    async def script(driver: Driver) -> None:
        await driver.press("H")
        assert any("No games yet." in line for line in shown(driver.app))
        await driver.pilot.resize_terminal(60, 18)
        await driver.pilot.pause()
        assert any("No games yet." in line for line in shown(driver.app))

    drive(session, script, results=HistoryKeeper(session, History(tmp_path / "history.json")))
