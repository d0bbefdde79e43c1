"""The commands as a user runs them: in a process of their own, with what they wrote and how they ended."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ENVIRONMENT = {**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1", "COLUMNS": "100"}
ENVIRONMENT.pop("REVERSI_DB", None)


def run_command(
    *arguments: str | Path,
    data: bytes | str = b"",
    environment: dict[str, str] | None = None,
    timeout: float = 600,
) -> subprocess.CompletedProcess[str]:
    """Run ``reversi`` with these arguments; no user's mistake may end in a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "reversi", *map(str, arguments)],
        input=data.encode() if isinstance(data, str) else data,
        capture_output=True,
        timeout=timeout,
        check=False,
        env=ENVIRONMENT | (environment or {}),
    )
    out, err = (text.decode().replace("\r\n", "\n") for text in (done.stdout, done.stderr))
    assert "Traceback" not in err
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)
