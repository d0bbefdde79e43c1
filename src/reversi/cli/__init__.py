"""The command line: one module per command, no logic. `main` is the entry point."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the ``reversi`` command and exit with its status."""
    try:
        sys.exit(_status())
    except KeyboardInterrupt:  # before the command begins, which handles its own
        from reversi.cli.status import Status

        sys.exit(Status.INTERRUPTED)


def _status() -> int:
    """Run the command; return its status."""
    from reversi.cli.streams import check_streams, flushed, full_output

    if status := check_streams():
        return status
    if sys.argv[1:] == ["--version"]:  # without loading the command-line library
        from reversi import __version__

        try:
            sys.stdout.write(f"reversi {__version__}\n")
        except OSError as error:  # at once where output is not buffered
            return full_output(error)
        return flushed(0)
    from reversi.cli.arguments import cluster_address, complete_options, protect_boards

    arguments = complete_options(protect_boards(sys.argv[1:]))
    if address := cluster_address(arguments):
        from reversi.cluster.fork_server import start_fork_server

        start_fork_server(address)  # its processes load their code while this one loads the command
    from reversi.cli.app import run

    return run(arguments)
