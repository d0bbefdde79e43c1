"""The command line: one module per command, no logic. `main` is the entry point."""

from __future__ import annotations

import sys

from reversi._system.held_signals import SignalsHeld
from reversi.cli.signals import end_at_signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_FOR_WORKERS = "reversi.solver.batch", "reversi.solver.proofs.jobs"
"""What the fork server of a cluster loads, besides what all workers need."""


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
    from reversi.cli.arguments import cluster_address, complete_options, protect_boards

    arguments = complete_options(protect_boards(words))
    if address := cluster_address(arguments):
        from reversi.work.cluster.fork_server import start_fork_server

        with SignalsHeld():
            start_fork_server(address, _FOR_WORKERS)  # it loads their code while this process loads the command
    from reversi.cli import app

    return app.run(arguments)
