"""The command line: one module per command, no logic. `main` is the entry point."""

from __future__ import annotations

import sys

from reversi.cli.signals import end_at_signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main() -> None:
    """Run the ``reversi`` command, and end the process with its status."""
    end_at_signals()  # before anything else is loaded
    sys.exit(run(sys.argv[1:]))


def run(words: Sequence[str]) -> int:
    """Run the command that the words name; return its exit status."""
    from reversi.cli.streams import check_streams, flushed, full_output

    if status := check_streams():
        return status
    if [*words] == ["--version"]:  # without loading the command-line library
        from reversi import __version__

        try:
            sys.stdout.write(f"reversi {__version__}\n")
        except OSError as error:  # at once where output is not buffered
            return full_output(error)
        return flushed(0)
    from reversi.cli import app
    from reversi.cli.arguments import complete_options, protect_boards

    return app.run(complete_options(protect_boards(words)))
