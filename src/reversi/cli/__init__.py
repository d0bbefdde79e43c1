"""The command line: one module per command, no logic. :func:`main` is the entry point."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the ``reversi`` command and exit with its status."""
    if sys.argv[1:] == ["--version"]:  # without loading the command-line library
        from reversi import __version__

        sys.stdout.write(f"reversi {__version__}\n")
        sys.exit(0)
    from reversi.cli.app import build_app
    from reversi.cli.arguments import complete_options, protect_boards

    arguments = complete_options(protect_boards(sys.argv[1:]))
    try:
        app = build_app(arguments)
    except ImportError as error:
        if "REVERSI_ISA" not in str(error):
            raise
        sys.stderr.write(f"reversi: {error}\n")
        sys.exit(2)
    app(arguments, prog_name="reversi")
