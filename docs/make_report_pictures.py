"""Makes the pictures of docs/reports.md, in docs/reports/: screenshots of a report in a real browser.

    python docs/make_report_pictures.py

This needs Playwright (the extra `dev`), Chromium and Pillow (`plot`). The fonts are those of the machine, so the
pixels are not the same everywhere.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path
from typing import Any

from make_diagrams import game
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from reversi import Color, Game, hint
from reversi.analysis import analyze
from reversi.records import Record
from reversi.records.from_game import record_from_game
from reversi.render import ReportGame, html_report

FOLDER = Path(__file__).parent / "reports"
LEVEL = 14
# the width and height of the window in CSS pixels, and what the system prefers
WINDOWS: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1180, "height": 1010}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1180, "height": 1010}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 360, "height": 740}, "color_scheme": "light", "device_scale_factor": 2},
}


def reported(played: Game, **tags: str) -> ReportGame:
    """A game with its analysis."""
    record: Record = record_from_game(played, tags)
    return ReportGame(record=record, analysis=analyze(record, level=LEVEL).fields())


def games() -> list[ReportGame]:
    """The games of the pictures."""
    other = Game()
    other.play_all(["f5", "d6", "c3", "d3", "c4"])
    while not other.is_over:
        other.play(hint(other.position, 1, level=1 if other.position.to_move is Color.BLACK else 3)[0].move)
    return [
        reported(game(), Black="Ada", White="Bob", Event="Club evening", Date="2024.05.02"),
        reported(other, Black="Bob", White="Cleo", Event="Club evening", Date="2024.05.02"),
    ]


def optimized(data: bytes) -> bytes:
    """The same picture with at most 256 colors."""
    stream = io.BytesIO()
    Image.open(io.BytesIO(data)).convert("RGB").quantize(256).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def shown(page: Page, address: str, line: bool) -> bytes:
    """The page at the worst mistake of the first game, or in its best line."""
    page.goto(address)
    page.click("#mistakes button:has(.blunder)")
    if line:
        page.locator("#turn .line button").nth(2).click()
    page.evaluate("scrollTo(0, 0)")
    return page.screenshot()


def main() -> None:
    """Write the pictures."""
    found = games()
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        for name, window in WINDOWS.items():
            file = Path(folder, f"{name}.html")
            file.write_text(html_report(found if name == "wide" else found[:1]), encoding="ascii")
            page = browser.new_page(**window, reduced_motion="reduce")
            picture = optimized(shown(page, file.as_uri(), line=name == "phone"))
            (FOLDER / f"{name}.png").write_bytes(picture)
            print(f"{FOLDER / name}.png: {len(picture):,} bytes; the report: {file.stat().st_size:,} bytes")
        browser.close()


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    main()
