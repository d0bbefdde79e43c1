"""A real browser for tests: Chromium, as the system has it or as Playwright has put it on the machine."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_browser(playwright: Playwright) -> str | None:
    """The program of a Chromium on this machine, ``None`` without one."""
    own = playwright.chromium.executable_path
    found = [own] if Path(own).exists() else [path for name in NAMES if (path := shutil.which(name))]
    return found[0] if found else None


@contextlib.contextmanager
def running_browser() -> Iterator[Browser]:
    """A headless browser; the test is skipped where there is none."""
    reason = "browser tests need Playwright and Chromium; the extra dev has the first"
    sync_api = pytest.importorskip("playwright.sync_api", reason=reason)
    with sync_api.sync_playwright() as playwright:
        program = find_browser(playwright)
        if program is None:
            pytest.skip("this machine has no Chromium: install it, or run 'playwright install chromium'")
        browser = playwright.chromium.launch(executable_path=program)
        try:
            yield browser
        finally:
            browser.close()
