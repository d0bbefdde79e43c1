"""The time from a key to the screen while the engine searches; memory and threads after many changes.

    python benchmarks/screen.py [--size 80x24] [--keys 100] [--changes 1000] [--db FILE] [--json]

Three screens: a game with tips, graph and outlines, the review of one, and the explorer. A time ends when the
characters are ready for the terminal, without its own time. What the engine finds after the first characters of a
key, and the screen then shows, does not belong to the key. Other work on the machine makes the times longer, but
hardly those of the processor, which count the thread of the screen alone.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from reversi.tui import FRAMES_PER_S

os.environ.setdefault("TEXTUAL_FPS", str(FRAMES_PER_S))  # before Textual is loaded, as the program does

from textual import events
from textual.drivers.headless_driver import HeadlessDriver
from textual.message import Message

from reversi import Game, Session
from reversi.cli.console import NEW_OBJECTS
from reversi.tui.analysis_screen import AnalysisScreen, _Progressed
from reversi.tui.app import ReversiApp
from reversi.tui.explorer_screen import ExplorerScreen, _Found
from reversi.tui.play_screen import PlayScreen
from reversi.tui.thinking import Replied

FOUND = (_Progressed, _Found, Replied)
"""What the threads of the engine send to a screen."""

LIMIT_MS = 50.0
"""Milliseconds that a key may take."""
LEVEL = 60
"""A level whose search does not end while the program measures."""
TIGER = "f5d6c3d3c4"
WHOLE = (
    "e6f4e3d6g4f6c4b3c6c5d7e7b5b6d3a4a5a6f5b4e8g5f7c3g6d2c7c8b7d8"
    "b8f8c2a8a7d1b1g8e2h6g7h3h4h7h5h8a2b2h2h1a3a1--g3f3c1f2g1e1f1g2"
)
"""A game with mistakes."""
QUIET_S = 0.06
"""What comes so long after the last characters does not belong to the key."""
KEYS = {
    "play": ("tab", "right", "c", "f", "S", "m", "x", "C", "u", "r", "t", "t", "e", "e", "v", "v"),
    "review": ("tab", "down", "right", "left", "b", "right", "m", "home", "b", "end", "up", "shift+tab"),
    "explorer": ("down", "enter", "o", "down", "left", "up", "enter", "home"),
}


class Terminal(HeadlessDriver):
    """A terminal that nobody sees: it gets every character, and notes when."""

    at = (0.0, 0.0)
    """When the last characters of a key came, by the clock and by the processor's time of this thread."""
    last = 0.0
    """When the last characters came, by the clock."""
    written = 0
    found = False
    """Whether the engine has found something since the first characters of the key."""

    @property
    def is_headless(self) -> bool:
        return False

    def write(self, data: str) -> None:
        self.last = time.perf_counter()
        if not self.found:
            self.at = (self.last, time.thread_time())
            self.written += len(data)

    def heard(self, message: Message) -> None:
        """Note what the engine has found, or the time to show it: what is written from now on is not the key's."""
        if isinstance(message, events.Timer):
            found = getattr(message.callback, "__func__", None) is ExplorerScreen.update
        else:
            found = isinstance(message, FOUND)
        self.found |= found and self.at[0] > 0


class Pressed(NamedTuple):
    """A key: the milliseconds until the screen shows it, those of the processor, the characters that it took."""

    key: str
    wall_ms: float
    cpu_ms: float
    characters: int


def memory_mb() -> float:
    """The memory of this process now, 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * 4096 / 2**20


def heard(app: ReversiApp, message: Message) -> None:
    """Tell the terminal of a message."""
    if isinstance(app._driver, Terminal):
        app._driver.heard(message)


async def pressed(app: ReversiApp, key: str, quiet_s: float = QUIET_S) -> Pressed:
    """Press a key, and wait until nothing more comes."""
    driver = app._driver
    assert isinstance(driver, Terminal)
    gc.collect()
    driver.written, driver.at, driver.last, driver.found = 0, (0.0, 0.0), 0.0, False
    began, began_cpu = time.perf_counter(), time.thread_time()
    event = events.Key(key, None if len(key) > 1 else key)
    event.set_sender(app)
    driver.send_message(event)
    while (since := time.perf_counter() - max(driver.last, began)) < (quiet_s if driver.last else 10 * quiet_s):
        await asyncio.sleep(max(quiet_s - since, 0.001))
    wall, cpu = driver.at
    return Pressed(key, (wall - began) * 1000, (cpu - began_cpu) * 1000, driver.written)


async def ready(app: ReversiApp) -> None:
    """Wait until the quick answers are there and the engine searches deeper."""
    screen = app.screen
    while isinstance(screen, AnalysisScreen) and screen.analysis is None:
        await asyncio.sleep(0.1)
    while isinstance(screen, ExplorerScreen) and (screen.table is None or screen.table.basis is None):
        await asyncio.sleep(0.1)
    if isinstance(screen, PlayScreen):
        while screen.graph_wanted and screen.advice.values.missing(screen.session.game) is not None:
            await asyncio.sleep(0.1)
        screen.action_tips()
        while screen.advice.tips() is None:
            await asyncio.sleep(0.1)


async def measured(app: ReversiApp, screen: str, count: int) -> list[Pressed]:
    keys = KEYS[screen]
    return [await pressed(app, keys[at % len(keys)]) for at in range(count)]


def summary(keys: list[Pressed]) -> dict[str, Any]:
    """Return what the keys took together and each at worst, and how often each took longer than the limit."""
    wall, cpu = (sorted(getattr(key, what) for key in keys) for what in ("wall_ms", "cpu_ms"))
    each = {name: [key for key in keys if key.key == name] for name in dict.fromkeys(key.key for key in keys)}
    return {
        "keys": len(keys),
        "median_ms": round(wall[len(wall) // 2], 1),
        "p99_ms": round(wall[len(wall) * 99 // 100], 1),
        "median_cpu_ms": round(cpu[len(cpu) // 2], 1),
        "p99_cpu_ms": round(cpu[len(cpu) * 99 // 100], 1),
        "worst_ms": round(wall[-1], 1),
        "worst_cpu_ms": round(cpu[-1], 1),
        "above_the_limit": {
            name: above
            for name, pressed in each.items()
            if (above := sum(key.wall_ms > LIMIT_MS for key in pressed))
        },
        "each_worst_ms": {name: round(max(key.wall_ms for key in pressed), 1) for name, pressed in each.items()},
        "each_worst_cpu_ms": {
            name: round(max(key.cpu_ms for key in pressed), 1) for name, pressed in each.items()
        },
    }


async def measure(size: tuple[int, int], keys: int, changes: int, database: Path | None) -> dict[str, Any]:
    """Drive the three screens; each has an application of its own."""
    found: dict[str, Any] = {}
    whole = Game().play_all(WHOLE)
    middle = whole.copy()
    middle.undo(30)
    opened = Game().play_all(TIGER)
    for name, game in (("play", middle), ("review", whole), ("explorer", opened)):
        session = Session(game, hint_level=LEVEL)
        app = ReversiApp(partial(PlayScreen, session, pace=0, database=database), "classic")
        app.driver_class = Terminal
        hear = partial(heard, app)
        async with app.run_test(size=size, headless=False, message_hook=hear) as pilot:
            await pilot.pause()
            for key in {"play": "e", "review": "a", "explorer": "/"}[name]:
                await pressed(app, {"/": "slash"}.get(key, key))
            await ready(app)
            found[name] = summary(await measured(app, name, keys))
            if changes and name != "review":
                found[name] |= await changed(app, "c" if name == "play" else "down", changes)
    return found


async def changed(app: ReversiApp, key: str, changes: int) -> dict[str, Any]:
    """Change the screen many times; what memory and threads do."""
    found: dict[str, Any] = {}
    for done in range(changes):
        if done == changes // 10:
            found |= {"threads_before": threading.active_count(), "memory_before_mb": round(memory_mb(), 1)}
        await pressed(app, key, 0.001)
    return found | {"threads_after": threading.active_count(), "memory_after_mb": round(memory_mb(), 1)}


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="80x24")
    parser.add_argument("--keys", type=int, default=100)
    parser.add_argument("--changes", type=int, default=1000)
    parser.add_argument("--db", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    gc.freeze()  # as the command does before it shows the screen
    gc.set_threshold(NEW_OBJECTS)
    width, _, height = options.size.partition("x")
    found = asyncio.run(measure((int(width), int(height)), options.keys, options.changes, options.db))
    if options.json:
        print(json.dumps(found))
        return
    for name, times in found.items():
        print(name, times)
    print(f"limit: {LIMIT_MS:g} ms")


if __name__ == "__main__":
    main()
