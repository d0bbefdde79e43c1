"""Driving the full-screen board in tests: an application without a terminal, keys, clicks, and waiting."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from pathlib import Path
from typing import Any, TypeVar

from textual._context import visible_screen_stack
from textual.pilot import Pilot

from patience import SOON_S
from reversi import Color, Square
from reversi.games.repertoire import Repertoire
from reversi.person.history_keeper import HistoryKeeper
from reversi.session.players import Side
from reversi.session.session import Session
from reversi.tui.app import ReversiApp
from reversi.tui.play_screen import PlayScreen
from reversi.tui.preferences import Preferences
from reversi.tui.widgets import Lines

T = TypeVar("T")


def engine_plays_white(level: int = 1, **more: object) -> Session:
    return Session(sides={Color.WHITE: Side.engine(level)}, seed=1, **more)  # type: ignore[arg-type]


class Driver:
    """One run of the application."""

    def __init__(self, app: ReversiApp, pilot: Pilot[bool]) -> None:
        self.app = app
        self.pilot = pilot
        screen = app.screen
        assert isinstance(screen, PlayScreen)
        self.screen = screen

    @property
    def session(self) -> Session:
        return self.screen.session

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def click(self, square: str) -> None:
        """Click into the middle of a square."""
        x, y = self.screen.board.layout_now.center_of(Square(square).index)
        assert await self.pilot.click("#board", offset=(x, y))
        await self.pilot.pause()

    async def go_to(self, square: str) -> None:
        """Move the cursor with the arrow keys."""
        now, then = self.screen.board.cursor, Square(square).index
        down, right = then // 8 - now // 8, then % 8 - now % 8
        await self.pilot.press(*(["down"] * down + ["up"] * -down + ["right"] * right + ["left"] * -right))

    async def wait(self, until: Callable[[], bool]) -> None:
        """Wait for something that another thread or the clock does."""
        deadline = time.monotonic() + SOON_S
        while not until():
            assert time.monotonic() < deadline, self.words
            await self.pilot.pause(0.01)
        await self.pilot.pause()

    async def answered(self) -> None:
        """Wait for the engine's move."""
        await self.wait(lambda: not self.session.engine_to_move)

    def told(self) -> bool:
        """Whether the last tips are there."""
        tips = self.screen.advice.tips()
        return tips is not None and tips.last

    def text(self, name: str) -> str:
        return self.screen.query_one(f"#{name}", Lines).text

    @property
    def words(self) -> str:
        return self.text("words")


def app_of(
    session: Session,
    theme: str = "classic",
    *,
    no_color: bool = False,
    preferences: Preferences | None = None,
    database: Path | None = None,
    database_named: bool = False,
    repertoire: Repertoire | None = None,
    results: HistoryKeeper | None = None,
) -> ReversiApp:
    """The application with a session, whose engines do not wait."""
    screen = partial(
        PlayScreen,
        session,
        pace=0,
        database=database,
        database_named=database_named,
        repertoire=repertoire,
        results=results,
    )
    return ReversiApp(screen, theme, no_color=no_color, preferences=preferences)


def drive(
    session: Session,
    script: Callable[[Driver], Awaitable[T]],
    *,
    size: tuple[int, int] = (80, 24),
    theme: str = "classic",
    no_color: bool = False,
    database: Path | None = None,
    database_named: bool = False,
    repertoire: Repertoire | None = None,
    results: HistoryKeeper | None = None,
) -> T:
    """Run the application and a script that drives it; what the script returns."""

    async def main() -> T:
        app = app_of(
            session,
            theme,
            no_color=no_color,
            database=database,
            database_named=database_named,
            repertoire=repertoire,
            results=results,
        )
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            driver = Driver(app, pilot)
            result = await script(driver)
            app.exit(False)
        return result

    return asyncio.run(main())


def driven(
    session: Callable[[], Session], **how: Any
) -> Callable[[Callable[..., Awaitable[None]]], Callable[..., None]]:
    """Make a test of a script: run the application with such a session, and the script that drives it.

    The other arguments of the script are those of the test; ``how`` is what `drive` takes, as are those arguments
    that it has, too.
    """

    def test_of(script: Callable[..., Awaitable[None]]) -> Callable[..., None]:
        @wraps(script)
        def test(**arguments: object) -> None:
            given: dict[str, Any] = {name: arguments[name] for name in arguments.keys() & known}
            drive(session(), partial(script, **arguments), **given, **how)

        signature = inspect.signature(script)
        others = [argument for name, argument in signature.parameters.items() if name != "driver"]
        test.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return test

    known = inspect.signature(drive).parameters
    return test_of


def shown(app: ReversiApp) -> list[str]:
    """The characters on the screen, line by line; below a box those of the screen behind it."""
    visible_screen_stack.set(app._background_screens)
    return ["".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips()]


async def resized(pilot: Pilot[bool], *sizes: tuple[int, int]) -> None:
    """Change the size of the terminal, by default to a large one, the least and the usual one; everything fits."""
    for width, height in sizes or ((120, 40), (56, 16), (80, 24)):
        await pilot.resize_terminal(width, height)
        await pilot.pause()
        assert [len(line) for line in shown(pilot.app)] == [width] * height  # type: ignore[arg-type]
