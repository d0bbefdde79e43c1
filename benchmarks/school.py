"""The time from an answer to the next move on the screen in the school of openings.

    python benchmarks/school.py REPERTOIRE [--keys 200] [--cards 5000] [--json]

Every key is a right answer: the program saves it beside the progress of other cards, explains it, plays on, and
shows the next position. A time ends when the screen is drawn, without the terminal's own time. Other work on the
machine makes the times longer, but not those of the processor, which count the thread of the screen alone.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import gc
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from textual import events

from reversi import Square
from reversi.analysis.exercises import ExerciseProgress, ProgressFile, Rating, Review
from reversi.analysis.exercises.drill import Drill
from reversi.analysis.exercises.progress import progress_text
from reversi.analysis.exercises.schedule import Schedule
from reversi.analysis.exercises.school import School
from reversi.cli.console import NEW_OBJECTS
from reversi.games import Repertoire
from reversi.openings import default_book
from reversi.tui.app import ReversiApp
from reversi.tui.exercise_screen import ExerciseScreen

LIMIT_MS = 50.0
"""Milliseconds that a key may take."""


async def measure(repertoire: Repertoire, keys: int, cards: int, folder: Path) -> dict[str, Any]:
    """Drive the screen through the repertoire."""
    now = datetime.datetime.now(datetime.UTC)
    reviews = [Review(now - datetime.timedelta(days=day), Rating.GOOD, "f5") for day in (9, 3)]
    path = folder / "progress.json"
    path.write_text(progress_text({f"{number:016x}": ExerciseProgress(reviews, now) for number in range(cards)}))
    progress = ProgressFile(path)
    progress.prepare()
    drill = Drill(School(repertoire, progress.of, now, book=default_book()), progress, Schedule())
    gc.freeze()  # as the command does before it shows the screen
    gc.set_threshold(NEW_OBJECTS)
    app = ReversiApp(lambda look, looks, kept: ExerciseScreen(drill, look), "classic")
    times: list[tuple[float, float]] = []
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, ExerciseScreen)
        while len(times) < keys and (card := drill.card) is not None:
            answer = card.answers[0]
            assert isinstance(answer, Square)
            screen.board.cursor = answer.index
            began, began_cpu = time.perf_counter(), time.thread_time()
            event = events.Key("enter", None)
            event.set_sender(app)
            app._driver.send_message(event)  # type: ignore[union-attr]
            while drill.card is card:
                await asyncio.sleep(0)
            screen._compositor.render_strips()
            times.append(((time.perf_counter() - began) * 1000, (time.thread_time() - began_cpu) * 1000))
    walls, cpu = (sorted(column) for column in zip(*times, strict=True))
    return {
        "positions": len(repertoire),
        "keys": len(times),
        "median_ms": round(statistics.median(walls), 1),
        "p95_ms": round(walls[len(walls) * 95 // 100], 1),
        "worst_ms": round(walls[-1], 1),
        "median_cpu_ms": round(statistics.median(cpu), 1),
        "worst_cpu_ms": round(cpu[-1], 1),
    }


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repertoire", type=Path)
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--cards", type=int, default=5000, help="other cards in the file of progress")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(
            measure(Repertoire.read(options.repertoire), options.keys, options.cards, Path(folder))
        )
    if options.json:
        print(json.dumps(found))
        return
    print(f"{found['positions']} positions, {found['keys']} keys")
    print(f"median {found['median_ms']} ms, 95 % below {found['p95_ms']} ms, worst {found['worst_ms']} ms")
    print(f"of the processor {found['median_cpu_ms']} ms, worst {found['worst_cpu_ms']} ms; limit {LIMIT_MS:g} ms")


if __name__ == "__main__":
    main()
