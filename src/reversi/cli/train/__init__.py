"""``reversi train``: make exercises, solve them, and see the progress."""

from reversi.cli.train.command import register as register
