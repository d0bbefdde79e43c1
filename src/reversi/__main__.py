"""``python -m reversi`` is the ``reversi`` command."""

from reversi.cli import main

if __name__ == "__main__":
    main()
