"""Makes the pictures of docs/play.md, in docs/screens/: the full-screen board as SVG, drawn by the program itself.

    python docs/make_screens.py                 the pictures
    REVERSI_DB=FILE python docs/make_screens.py     the one with a database, too
    python docs/make_screens.py --terminal      those of a real terminal too (needs tmux; a minute)

A terminal's fonts leave gaps between block characters; here they are rectangles, so that a picture looks alike
everywhere. What an engine chooses may change with the engine; pictures in which none has a say are always the
same, and a test holds them against what is committed.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path

from rich.cells import cell_len
from rich.color import Color as RichColor
from rich.console import Console
from rich.segment import Segment
from rich.text import Text
from textual._context import visible_screen_stack
from textual.pilot import Pilot

from reversi import OTHELLO, Color, Game, Square, parse_rules
from reversi.game.clocks import TimeControl
from reversi.openings import default_book
from reversi.session.players import Side
from reversi.session.session import Flipping, Session
from reversi.tui.analysis_screen import AnalysisScreen
from reversi.tui.app import ReversiApp
from reversi.tui.exercise_screen import ExerciseScreen
from reversi.tui.explorer_screen import ExplorerScreen
from reversi.tui.play_screen import PlayScreen
from reversi.tui.themes import THEMES

FOLDER = Path(__file__).parent / "screens"
WIDTH, HEIGHT = 9, 18  # of a character
EIGHTHS, QUARTERS = " ▁▂▃▄▅▆▇█", " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
GAME = "f5d6c3d3c4f4c5b3c2e6c6b4b5d2e3a6c1b6f3f6f7e1"
WHOLE_GAME = (
    "e6f4e3d6g4f6c4b3c6c5d7e7b5b6d3a4a5a6f5b4e8g5f7c3g6d2c7c8b7d8"
    "b8f8c2a8a7d1b1g8e2h6g7h3h4h7h5h8a2b2h2h1a3a1--g3f3c1f2g1e1f1g2"
)
DARK, LIGHT = ("#d8dee2", "#101418"), ("#23282b", "#fbfbf8")


# --- from characters to SVG


@dataclass(frozen=True)
class Run:
    """Characters in one style, and where they begin."""

    x: int
    y: int
    text: str
    color: str
    background: str
    bold: bool


def runs(lines: Iterable[Iterable[Segment]], default: tuple[str, str]) -> Iterator[Run]:
    """The runs of styled lines, with colors instead of a terminal's own."""
    for y, line in enumerate(lines):
        x = 0
        for text, style, _ in line:
            color, background, bold = *default, False
            if style is not None:
                color, background = _hex(style.color, color), _hex(style.bgcolor, background)
                if style.reverse:
                    color, background = background, color
                if style.dim:
                    color = _between(color, background)
                bold = bool(style.bold)
            if text:
                yield Run(x, y, text, color, background, bold)
            x += cell_len(text)


def _hex(color: RichColor | None, default: str) -> str:
    if color is None or color.is_default:
        return default
    return color.get_truecolor().hex


def _between(one: str, other: str) -> str:
    parts = ((int(one[at : at + 2], 16) * 3 + int(other[at : at + 2], 16) * 2) // 5 for at in (1, 3, 5))
    return "#" + "".join(f"{part:02x}" for part in parts)


def svg(lines: list[list[Segment]], width: int, height: int, default: tuple[str, str], title: str) -> str:
    """A picture of a terminal's screen."""
    grounds: dict[str, list[str]] = {}
    marks: dict[str, list[str]] = {}
    texts: list[str] = []

    def box(shapes: dict[str, list[str]], color: str, x: float, y: float, w: float, h: float) -> None:
        shapes.setdefault(color, []).append(f"M{x:g} {y:g}h{w:g}v{h:g}h{-w:g}z")

    for run in runs(lines, default):
        left, top = run.x * WIDTH, run.y * HEIGHT
        if run.background != default[1]:
            box(grounds, run.background, left, top, cell_len(run.text) * WIDTH, HEIGHT)
        letters = ""
        for at, sign in enumerate(run.text):
            x = left + at * WIDTH
            if sign == " ":
                letters += " "
            elif sign in EIGHTHS:
                part = HEIGHT * EIGHTHS.index(sign) / 8
                box(marks, run.color, x, top + HEIGHT - part, WIDTH, part)
                letters += " "
            elif sign in QUARTERS:
                bits = QUARTERS.index(sign)
                for bit in range(4):
                    if bits >> bit & 1:
                        box(
                            marks,
                            run.color,
                            x + bit % 2 * WIDTH / 2,
                            top + bit // 2 * HEIGHT / 2,
                            WIDTH / 2,
                            HEIGHT / 2,
                        )
                letters += " "
            else:
                letters += sign
        for match in re.finditer(r"\S+(?: \S+)*", letters):
            bold = ' font-weight="bold"' if run.bold else ""
            texts.append(
                f'<text x="{left + match.start() * WIDTH}" y="{top + HEIGHT - 5}" fill="{run.color}"{bold}'
                f' textLength="{len(match[0]) * WIDTH}">{escape(match[0])}</text>'
            )
    paths = "\n".join(
        f'<path fill="{color}" d="{"".join(parts)}"/>'
        for shapes in (grounds, marks)
        for color, parts in shapes.items()
    )
    w, h = width * WIDTH, height * HEIGHT
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 {w + 16} {h + 16}" width="{w + 16}"'
        f' height="{h + 16}">\n<title>{escape(title)}</title>\n'
        f'<rect x="-8" y="-8" width="{w + 16}" height="{h + 16}" rx="6" fill="{default[1]}"/>\n'
        f'<g shape-rendering="crispEdges">\n{paths}\n</g>\n'
        '<g font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="15" xml:space="preserve">\n'
        + "\n".join(texts)
        + "\n</g>\n</svg>\n"
    )


# --- the scenes


@dataclass(frozen=True)
class Scene:
    """A picture: a session, what is done on the screen, and how large it is.

    ``stable`` says that no engine has a say in it; ``database`` that it shows the one of REVERSI_DB.
    """

    name: str
    title: str
    session: Callable[[], Session]
    act: Callable[[Pilot[bool], PlayScreen], Awaitable[None]] | None = None
    size: tuple[int, int] = (80, 24)
    theme: str = "classic"
    stable: bool = True
    database: bool = False


def after(plies: int, **more: object) -> Session:
    """A game between people after some plies."""
    game = Game()
    game.play_all(str(Square(GAME[at : at + 2])) for at in range(0, 2 * plies, 2))
    return Session(game, **more)  # type: ignore[arg-type]


def whole() -> Session:
    """A game that is over."""
    return Session(Game().play_all(WHOLE_GAME), hint_level=12)


async def analysis(pilot: Pilot[bool], screen: PlayScreen) -> None:
    """The analysis of a game, once it is whole."""
    await pilot.press("a")
    shown = screen.app.screen
    assert isinstance(shown, AnalysisScreen)
    while shown.analysis is None or shown._thinking_level is not None:
        await pilot.pause(0.05)
    await pilot.pause()


def against_the_engine() -> Session:
    """The same against an engine, with clocks that stand still."""
    return after(22, sides={Color.WHITE: Side.engine(8)}, controls=TimeControl(300, 3), now=lambda: 0.0)


def by_hand() -> Session:
    """A game in which people turn the discs."""
    return Session(flipping=Flipping.MANUAL)


def adjacent() -> Session:
    """A game under the adjacent rules."""
    session = Session(parse_rules("adjacent,optional-skip"))
    session.play_line(["c4", "c3", "f3", "f6"])
    return session


def tips_done(screen: PlayScreen) -> bool:
    """Whether the last tips are there."""
    tips = screen.advice.tips()
    return tips is not None and tips.last


async def tips_and_graph(pilot: Pilot[bool], screen: PlayScreen) -> None:
    """Tips and the graph, once they are computed."""
    await pilot.press("t", "e")
    while not tips_done(screen) or screen.advice.values.missing(screen.session.game) is not None:
        await pilot.pause(0.05)


async def exercise(pilot: Pilot[bool], screen: PlayScreen) -> None:
    """The first mistake of a game as an exercise, once all of them are made."""
    await analysis(pilot, screen)
    await pilot.press("f")
    shown = screen.app.screen
    assert isinstance(shown, ExerciseScreen)
    while shown.drill.card is None or shown._making:
        await pilot.pause(0.05)
    await pilot.press("t")


async def explorer(pilot: Pilot[bool], screen: PlayScreen) -> None:
    """The explorer, once the engine has looked."""
    await pilot.press("slash")
    shown = screen.app.screen
    assert isinstance(shown, ExplorerScreen)
    while shown.table is None or not shown.table.last:
        await pilot.pause(0.05)


def keys(*wanted: str) -> Callable[[Pilot[bool], PlayScreen], Awaitable[None]]:
    """Press keys."""

    async def act(pilot: Pilot[bool], screen: PlayScreen) -> None:
        await pilot.press(*wanted)
        await pilot.pause()

    return act


async def flip_discs(pilot: Pilot[bool], screen: PlayScreen) -> None:
    """Place a disc and flip another by hand."""
    for square in ("d3", "d4"):
        await pilot.click("#board", offset=screen.board.layout_now.center_of(Square(square).index))
        await pilot.pause()


SCENES = (
    Scene("board", "The board in 80 columns and 24 rows", against_the_engine),
    Scene(
        "tips",
        "The board in 140 columns and 45 rows, with tips and the evaluation of the game",
        lambda: after(22, hint_level=10),
        tips_and_graph,
        size=(140, 45),
        stable=False,
    ),
    *(
        Scene(f"theme-{name}", f"The theme {name}", lambda: after(14), theme=name)
        for name in THEMES
        if name != "classic"
    ),
    Scene("analysis", "The review of a game", whole, analysis, size=(110, 30), stable=False),
    Scene(
        "explorer",
        "The explorer in an opening, with a database",
        lambda: Session(Game().play_all("f5d6c3d3c4")),
        explorer,
        size=(110, 30),
        stable=False,
        database=True,
    ),
    Scene("exercise", "An exercise on the board", whole, exercise, size=(110, 30), stable=False),
    Scene("new-game", "The dialog for a new game", against_the_engine, keys("n")),
    Scene("editor", "The position editor", lambda: after(10), keys("b", "c", "x", "o", "o", "x")),
    Scene("by-hand", "Discs flipped by hand", by_hand, flip_discs),
    Scene("adjacent", "A game under other rules", adjacent),
)


def picture(scene: Scene) -> str:
    """The SVG of a scene."""

    async def main() -> str:
        database = Path(os.environ["REVERSI_DB"]) if scene.database else None
        session = scene.session()
        if session.rules == OTHELLO:
            session.book = default_book()  # as the program has it
        screen_of = partial(PlayScreen, session, pace=0, database=database)
        app = ReversiApp(screen_of, scene.theme, no_color=THEMES[scene.theme].colorless)
        async with app.run_test(size=scene.size) as pilot:
            await pilot.pause()
            screen = app.screen
            assert isinstance(screen, PlayScreen)
            if scene.act is not None:
                await scene.act(pilot, screen)
            await pilot.pause()
            look = THEMES[scene.theme]
            default = DARK if look.colorless else (look.text, look.background)
            visible_screen_stack.set(app._background_screens)
            lines = [list(strip) for strip in app.screen._compositor.render_strips()]
            result = svg(lines, *scene.size, default, scene.title)
            app.exit(False)
        return result

    return asyncio.run(main())


def terminal_pictures() -> Iterator[tuple[str, str]]:
    """Games in a real terminal, at their end: names and pictures."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
    from terminal_driver import Terminal, play_to_the_end

    for name, size, environ in (
        ("terminal-80x24", (80, 24), {}),
        ("terminal-140x45", (140, 45), {}),
        ("terminal-no-color", (80, 24), {"NO_COLOR": "1"}),
        ("terminal-dumb", (80, 24), {"TERM": "dumb"}),
    ):
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["play", "--level", "1", "--seed", "1"]
            width, height = size
            with Terminal(*arguments, width=width, height=height, folder=Path(folder), **environ) as terminal:
                if environ.get("TERM") == "dumb":
                    terminal.wait(lambda text: "Black>" in text)
                    terminal.type("f5")
                    terminal.wait(lambda text: text.count("Black>") > 1)
                else:
                    play_to_the_end(terminal)
                shown = terminal.screen(colors=True).splitlines()
                terminal.type("quit") if "TERM" in environ else terminal.press("q")
                terminal.status()  # it writes to the folder no more
        lines = [list(Text.from_ansi(line).render(_console())) for line in shown]
        lines = [[segment for segment in line if segment.text != "\n"] for line in lines]
        yield name, svg(lines, *size, DARK, f"reversi play in a terminal: {name.removeprefix('terminal-')}")


def _console() -> Console:
    return Console(color_system="truecolor", width=200, force_terminal=True)


def main() -> None:
    """Write the pictures."""
    FOLDER.mkdir(exist_ok=True)
    for scene in SCENES:
        if scene.database and "REVERSI_DB" not in os.environ:
            continue  # that picture stays
        (FOLDER / f"{scene.name}.svg").write_text(picture(scene), encoding="utf-8", newline="\n")
    if "--terminal" in sys.argv[1:]:
        for name, drawn in terminal_pictures():
            (FOLDER / f"{name}.svg").write_text(drawn, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
