"""The time from a key to the screen in the explorer, while its engine searches; memory and threads afterwards.

    python benchmarks/explorer.py [--keys 200] [--changes 1000] [--db FILE] [--json]

Half of the keys choose another move of the table, half go to another position, which stops the search and begins
another. A time ends when the screen is drawn, without the terminal's own time. Other work on the machine makes the
times longer, but not those of the processor, which count the thread of the screen alone.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

from textual import events

from reversi import Game, Session
from reversi.cli.console import NEW_OBJECTS
from reversi.tui.app import ReversiApp
from reversi.tui.explorer_screen import ExplorerScreen
from reversi.tui.play_screen import PlayScreen

LIMIT_MS = 50.0
"""Milliseconds that a key may take."""
LEVEL = 60
"""A level whose search does not end while the program measures."""
TIGER = "f5d6c3d3c4"


def memory_mb() -> float:
    """The memory of this process now, 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * 4096 / 2**20


def state(screen: ExplorerScreen) -> tuple[object, ...]:
    """What a key changes."""
    return screen.at, screen.trial.game.moves, screen.table is None


async def pressed(app: ReversiApp, screen: ExplorerScreen, key: str) -> tuple[float, float]:
    """Press a key; the milliseconds until the screen shows it, and those of the screen's thread on a processor."""
    before = state(screen)
    began, began_cpu = time.perf_counter(), time.thread_time()
    event = events.Key(key, None)
    event.set_sender(app)
    app._driver.send_message(event)  # type: ignore[union-attr]
    while state(screen) == before:
        if time.perf_counter() > began + 60:
            raise TimeoutError(f"{key} changed nothing")
        await asyncio.sleep(0)
    screen._compositor.render_strips()
    return (time.perf_counter() - began) * 1000, (time.thread_time() - began_cpu) * 1000


async def ready(screen: ExplorerScreen) -> None:
    """Wait until the engine has values and searches deeper."""
    while screen.table is None or screen.table.basis is None:
        await asyncio.sleep(0.01)


async def measure(keys: int, changes: int, database: Path | None) -> dict[str, Any]:
    """Drive the explorer."""
    gc.freeze()  # as the command does before it shows the screen
    gc.set_threshold(NEW_OBJECTS)
    session = Session(Game().play_all(TIGER), hint_level=LEVEL)
    app = ReversiApp(partial(PlayScreen, session, pace=0, database=database), "classic")
    chosen, moved = [], []
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("slash")
        screen = app.screen
        assert isinstance(screen, ExplorerScreen)
        for number in range(keys // 2):
            await ready(screen)
            chosen.append(await pressed(app, screen, "down"))
            moved.append(await pressed(app, screen, "left" if number % 2 else "enter"))
        found: dict[str, Any] = {}
        for done in range(changes):
            if done == changes // 10:
                found |= {"threads_before": threading.active_count(), "memory_before_mb": round(memory_mb(), 1)}
            while screen.table is None:
                await asyncio.sleep(0)
            await pressed(app, screen, "left" if screen.trial.line else "enter")
        await ready(screen)
        found |= {"threads_after": threading.active_count(), "memory_after_mb": round(memory_mb(), 1)}
        await pilot.press("escape")
    for name, pairs in (("choose a move", chosen), ("change the position", moved)):
        times = sorted(wall for wall, _ in pairs)
        found[name] = {
            "keys": len(times),
            "median_ms": round(statistics.median(times), 1),
            "p95_ms": round(times[len(times) * 95 // 100], 1),
            "worst_ms": round(times[-1], 1),
            "median_cpu_ms": round(statistics.median(cpu for _, cpu in pairs), 1),
            "worst_cpu_ms": round(max(cpu for _, cpu in pairs), 1),
        }
    return found


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--changes", type=int, default=1000)
    parser.add_argument("--db", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = asyncio.run(measure(options.keys, options.changes, options.db))
    if options.json:
        print(json.dumps(found))
        return
    for name in ("choose a move", "change the position"):
        times = found[name]
        print(
            f"{name}: median {times['median_ms']} ms, 95 % below {times['p95_ms']} ms,"
            f" worst {times['worst_ms']} ms; of the processor {times['median_cpu_ms']} ms,"
            f" worst {times['worst_cpu_ms']} ms"
        )
    print(f"limit: {LIMIT_MS:g} ms")
    print(
        f"after {options.changes} positions: {found['threads_before']} to {found['threads_after']} threads,"
        f" {found['memory_before_mb']} to {found['memory_after_mb']} MB"
    )


if __name__ == "__main__":
    main()
