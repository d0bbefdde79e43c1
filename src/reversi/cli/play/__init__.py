"""``reversi play``: play a game on the full screen or line by line."""

from reversi.cli.play.command import register as register
