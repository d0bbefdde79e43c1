"""Work for workers of all kinds; other processes import it from here."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from reversi.work.jobs import Job


@dataclass(frozen=True)
class UntilCancelled:
    """Lasts until somebody cancels it, a minute at most; its answer is ``late``."""

    def do(self, job: Job[Any, Any]) -> str:
        """Wait."""
        end = time.monotonic() + 60
        job.note(5, "waiting")
        while time.monotonic() < end and not job.cancel.cancelled:
            time.sleep(0.01)
        return "late"
