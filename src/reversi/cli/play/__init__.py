"""``reversi play``: a game at the board, line by line or on the full screen."""

from reversi.cli.play.command import register

__all__ = ["register"]
