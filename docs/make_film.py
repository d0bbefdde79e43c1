"""Makes the film of docs/film.md: screens of the program as text, one after another, in two sizes of terminal.

    REVERSI_DB=FILE python docs/make_film.py

What stands before these screens is written by hand and stays. The database is one of games, as `reversi db import`
makes it. What an engine says may change with the engine.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from make_screens import WHOLE_GAME
from textual._context import visible_screen_stack
from textual.pilot import Pilot
from textual.widgets import Input, Static

from reversi import Game, Session
from reversi.engine.levels import AUTO
from reversi.openings import default_book
from reversi.person.history import History
from reversi.person.history_keeper import HistoryKeeper
from reversi.person.lesson import parse_lesson
from reversi.session.players import engine_side, parse_side
from reversi.tui.analysis_screen import AnalysisScreen
from reversi.tui.app import ReversiApp
from reversi.tui.exercise_screen import ExerciseScreen
from reversi.tui.explorer_screen import ExplorerScreen
from reversi.tui.game_list import GameList
from reversi.tui.history_box import HistoryBox
from reversi.tui.lesson_screen import LessonScreen
from reversi.tui.play_screen import PlayScreen
from reversi.tui.preferences import Preferences
from reversi.tui.themes import BoardTheme

PAGE = Path(__file__).parent / "film.md"
SIZES = ((80, 24), (120, 40))
ADA = parse_side("human:Ada")


@dataclass
class Film:
    """A run of the application, and the screens that it has shown."""

    app: ReversiApp
    pilot: Pilot[bool]
    shots: list[tuple[str, str]]
    session: Session

    def shot(self, title: str) -> None:
        """Keep what the screen shows."""
        visible_screen_stack.set(self.app._background_screens)
        strips = self.app.screen._compositor.render_strips()
        lines = ["".join(segment.text for segment in strip).rstrip() for strip in strips]
        self.shots.append((title, "\n".join(lines)))

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def wait(self, until: Callable[[], bool]) -> None:
        while not until():
            await self.pilot.pause(0.05)
        await self.pilot.pause()

    async def click(self, selector: str, x: int, y: int) -> None:
        await self.pilot.click(selector, offset=(x, y))
        await self.pilot.pause()

    async def looked(self) -> ExplorerScreen:
        screen = self.app.screen
        assert isinstance(screen, ExplorerScreen)
        await self.wait(lambda: screen.table is not None and screen.table.last)
        return screen


async def seeing(film: Film) -> None:
    """What a move flipped and would flip, and stable discs."""
    await film.press("tab", "enter")
    film.shot("A move: Enter; the discs that it flipped stay outlined")
    await film.press("f", "tab")
    film.shot("What a move at the cursor would flip: `f`")


async def stable(film: Film) -> None:
    """Discs that no move can flip."""
    await film.press("S")
    film.shot("Stable discs: `S`")


async def beside(film: Film) -> None:
    """Another game beside the one on the board; a note, and what the game can be written as."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cup.pgn"
        path.write_text(f'[Black "Ada"]\n[White "Bob"]\n\n{WHOLE_GAME} *\n', encoding="utf-8")
        await film.press("tab", "enter", "o")
        film.app.screen.query_one(Input).value = f"{path}@20"
        await film.press("enter")
    film.shot("Another game beside yours: `o`, and the name of its file")
    await film.press("escape", "semicolon", *"?! d3 is calmer")
    film.shot("And back: Esc; a note at the move on the board: `;`")
    await film.press("enter", "W")
    film.shot("What the game can be written as: `W`")


async def reviewed(film: Film) -> AnalysisScreen:
    """The review of the game, when it is whole."""
    await film.press("a")
    screen = film.app.screen
    assert isinstance(screen, AnalysisScreen)
    await film.wait(lambda: screen.analysis is not None and screen._thinking_level is None)
    return screen


async def lesson_of(film: Film) -> None:
    """A lesson of the mistakes of a game."""
    screen = await reviewed(film)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lesson.pgn"
        await film.press("W")
        film.app.screen.query_one(Input).value = str(path)
        await film.press("enter")
        steps = parse_lesson(path.read_text(encoding="utf-8"))
    film.app.push_screen(LessonScreen(screen.look, Preferences(None), steps))
    await film.pilot.pause()
    film.shot("A lesson of the mistakes, which `W` wrote in the review: `reversi learn lesson.pgn`")
    await film.press("s")
    film.shot("Its answer: `s`")


async def explorer(film: Film) -> None:
    """The explorer in an opening, a trial line and back, the games that passed there."""
    await film.press("slash")
    screen = await film.looked()
    film.shot("The explorer in an opening: `/` in a game after f5d6c3d3c4")
    await film.press("down", "enter")
    await film.looked()
    await film.press("enter")
    await film.looked()
    film.shot("A trial line of two moves: Down, Enter, Enter")
    await film.press("home")
    await film.looked()
    assert not screen.trial.line
    film.shot("And back: Home; the game is as it was")
    await film.press("g")
    await film.wait(lambda: isinstance(film.app.screen, GameList))
    film.shot("The games that passed here: `g`")


async def review(film: Film) -> None:
    """A review by mouse, and an exercise on the board."""
    screen = await reviewed(film)
    film.shot("The review of a game begins at a turning point: `a`")
    await film.click("#graph", 20, 2)
    film.shot("A click on the graph goes to that ply")
    move = next(move for move in screen._position().legal_moves if move != screen._plies[screen.ply].move)
    await film.click("#board", *screen.board.layout_now.center_of(move.index))
    await film.wait(lambda: not screen._trier.request)
    film.shot(f"A click on {move} tries that move")
    await film.press("f")
    exercise = film.app.screen
    assert isinstance(exercise, ExerciseScreen)
    await film.wait(lambda: exercise.drill.card is not None and not exercise._making)
    film.shot("Find the better move: `f`")
    asked = exercise.drill.card
    assert asked is not None
    await film.click("#board", *exercise.board.layout_now.center_of(asked.answers[0].index))
    film.shot("A click on the answer")


def last_move() -> Session:
    """A game in which only the last move is missing, against the adaptive level."""
    game = Game().play_all(WHOLE_GAME)
    game.undo(1)
    session = Session(sides={game.to_move: ADA, game.to_move.opponent: engine_side(AUTO)})
    session.play_line(game.moves)
    return session


async def history(film: Film) -> None:
    """The end of a first game, and the history."""
    screen = film.app.screen
    assert isinstance(screen, PlayScreen)
    last = Game().play_all(WHOLE_GAME).moves[-1]
    await film.click("#board", *screen.board.layout_now.center_of(last.index))
    assert film.session.is_over
    film.shot("The end of a first game")
    await film.press("H")
    box = film.app.screen
    assert isinstance(box, HistoryBox)
    await film.wait(lambda: "Analyzing" not in str(box.query_one(".text", Static).render()))
    film.shot("Your history: `H`")


async def lesson(film: Film) -> None:
    """Steps of the first lesson."""
    screen = film.app.screen
    assert isinstance(screen, LessonScreen)
    film.shot("The first step of the lesson: `reversi learn`")
    await film.click("#board", *screen.board.layout_now.center_of(0))
    film.shot("A wrong move gets a reason")
    await film.press("s")
    film.shot("The right move: `s`")
    await film.press("n", "n", "n", "n")
    film.shot("A later step: `n`")


SCENES: tuple[tuple[Callable[[], Session], Callable[[Film], Awaitable[None]]], ...] = (
    (lambda: Session(Game().play_all("f5d6c3d3")), seeing),
    (lambda: Session(Game().play_all(WHOLE_GAME[:100])), stable),
    (lambda: Session(Game().play_all("f5d6c3d3c4")), beside),
    (lambda: Session(Game().play_all(WHOLE_GAME), hint_level=12), lesson_of),
    (lambda: Session(Game().play_all("f5d6c3d3c4")), explorer),
    (lambda: Session(Game().play_all(WHOLE_GAME), hint_level=12), review),
    (last_move, history),
    (Session, lesson),
)


def first_step(look: BoardTheme, _: Mapping[str, BoardTheme], preferences: Preferences) -> LessonScreen:
    """The first screen of the lesson."""
    return LessonScreen(look, preferences)


def shots(size: tuple[int, int], database: Path) -> list[tuple[str, str]]:
    """Return the titles and the texts of all screens in one size."""
    found: list[tuple[str, str]] = []

    async def play(session: Session, act: Callable[[Film], Awaitable[None]], folder: Path) -> None:
        session.book = default_book()  # as the program has it
        results = HistoryKeeper(session, History(folder / "history.json"))
        game = partial(PlayScreen, session, pace=0, database=database, results=results)
        theme = "plain" if act in {seeing, stable} else "classic"  # in text it shows what is outlined
        app = ReversiApp(first_step if act is lesson else game, theme)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await act(Film(app, pilot, found, session))
            app.exit(False)

    for session, act in SCENES:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(play(session(), act, Path(folder)))
    return found


def main() -> None:
    """Write the page."""
    database = Path(os.environ["REVERSI_DB"])
    parts = [PAGE.read_text(encoding="utf-8").partition("\n## 80x24\n")[0]]
    for width, height in SIZES:
        parts.append(f"\n## {width}x{height}\n")
        for title, text in shots((width, height), database):
            parts.append(f"\n### {title}\n\n```text\n{text}\n```\n")
    PAGE.write_text("".join(parts), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
