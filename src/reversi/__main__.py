"""``python -m reversi`` is the ``reversi`` command."""

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:  # Python has put the current folder before all others
        sys.path.append(sys.path.pop(0))
    from reversi.cli import main

    main()
