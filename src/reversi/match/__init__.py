"""Matches between players: schedules, games, statistics and reports."""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
